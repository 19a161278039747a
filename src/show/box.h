// What stands inside the box of one partition: who shares it by which mechanism, each share, and a bar of its memory.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "show/canvas.h"

namespace carve {

// Whether replicas are named by number ("reranker/3"), or stand for those of several cards ("reranker").
enum class Numbering { replicas, none };

// The text of a partition, in lines of at most `width` columns; never empty.
std::vector<Line> contents(const Partition&, const Plan&, Numbering, int width, const Style&);

// "3g.40gb", "whole card".
std::string title_of(const Partition&);

// "8 processes", "batch 16", "385.7/s": what a share is besides its memory; `processes` is the word for them.
std::vector<std::string> details_of(const Share&, std::string_view processes);

// Whether it is known how much of its memory is used: a measured row may not say.
bool memory_known(const Partition&, const Plan&);

// "36.0" of a memory in GiB, one decimal, cut and not rounded.
std::string gib(Mib);

}  // namespace carve
