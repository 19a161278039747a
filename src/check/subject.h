// How violations and findings name what they are about.
#pragma once

#include <string>
#include <string_view>

#include "plan/plan.h"

namespace carve {

std::string subject_of(const Position&);                                                       // "node-0/0"
std::string subject_of(const CardClass&);                                                      // its first card
std::string subject_of(const CardClass&, const Partition&);                                    // "node-0/0/2g.20gb@4"
std::string replica_names(std::string_view workload, std::int64_t first, std::int64_t count);  // "reranker/0..3"

}  // namespace carve
