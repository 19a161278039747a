// What a plan file may hold: one table for the reader and for docs/plan-file.md. Inside this room only.
#pragma once

#include "text/text.h"

namespace carve::plan_file {

inline constexpr std::string_view format = "carve-plan/1";
inline constexpr std::string_view format_prefix = "carve-plan/";

const Schema& plan_schema();

}  // namespace carve::plan_file
