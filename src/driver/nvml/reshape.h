// What changes a card, through NVML.
#pragma once

#include "driver/nvml/library.h"
#include "driver/session.h"

namespace carve {

// Does the order, and reads the card. Errors: environment: no such card.
Result<CardAnswer> carry_out(const NvmlLibrary&, const CardOrder&);

}  // namespace carve
