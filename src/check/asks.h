// What one replica of a workload asks of a piece, re-derived from the workload itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "check/piece.h"
#include "workload/workload.h"

namespace carve {

// Thousandths of a card's SMs that one replica asks for on this model; nothing if it asks for none or counts in slices.
std::optional<Permille> compute_share(const Workload&, const CardModel&);

// Why the compute of the piece does not carry one replica that has it alone; nothing if it does.
std::optional<std::string> compute_misfit(const Workload&, const CardModel&, const Piece&);

// The least thread percentage with which an MPS client of the workload gets what it asks for in this piece; without a
// need the share of the memory, rounded down, at least 1. Above 100 if the piece does not carry it. Nothing if the
// catalog lacks the figures.
std::optional<std::int64_t> threads_asked(const Workload&, const CardModel&, const Piece&);

// MPS clients that one server takes in the piece.
std::int64_t client_limit(const Limits&, const Piece&);

// Memory of one replica on one card; nothing if only measured rows, or only the wish for whole cards, say.
std::optional<Mib> memory_asked(const Workload&);

// One replica wants nine tenths of the memory or of the SMs of a whole card, or more: then it shares with nobody.
bool takes_all_of_card(const Workload&, const CardModel&);

// Share of the time that the workload uses a card, counted as all of it when nobody said.
Permille duty_asked(const Workload&);

// Whether a row of the measured table may be used: card and profile, latency within its part of the objective, and no
// more processes than allowed.
bool row_qualifies(const MeasuredRow&, const Workload&, const CardModel&, const Piece&);

}  // namespace carve
