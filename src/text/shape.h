// How each type of scalar is read and named: one table for the reader, the typed access and the reference. Inside this
// room only.
#pragma once

#include <string>
#include <string_view>

#include "text/schema.h"

namespace carve::text_internal {

// One row for each type that is a number.
struct NumberType {
  Type type;
  Result<std::int64_t> (*parse)(std::string_view);
  std::string (*show)(std::int64_t);
};
const NumberType* number_type(Type);

// "a percentage from 0.1 % to 100 %", "one of throughput, best-effort", "a list".
std::string expected(const Shape&);
// "a list", "`18`": what stands there instead.
std::string found(Node);

// The shape that a node means: of any_of the alternative with its form, or nothing if none has it; else the shape.
const Shape* shape_meant(Node, const Shape&);

// A scalar against its shape; the errors have no place yet.
Result<std::int64_t> number_of(Node, const Shape&);
Result<bool> boolean_of(Node);
Result<std::string> text_of(Node, const Shape&);

// "did you mean `memory`?", or all of them if none is near.
std::string nearest_help(std::string_view typed, const std::vector<std::string>& known, std::string_view what);

}  // namespace carve::text_internal
