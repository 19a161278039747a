// describe_schema(): the reference for people, from the tables that the reader uses.
#include <algorithm>

#include <fmt/format.h>

#include "text/schema.h"
#include "text/shape.h"

namespace carve {

namespace {

void collect(const Schema& schema, std::vector<const Schema*>& seen);

void collect(const Shape& shape, std::vector<const Schema*>& seen) {
  if (shape.schema != nullptr) collect(*shape.schema, seen);
  for (const Shape& inner : shape.inner) collect(inner, seen);
}

void collect(const Schema& schema, std::vector<const Schema*>& seen) {
  if (std::find(seen.begin(), seen.end(), &schema) != seen.end()) return;
  seen.push_back(&schema);
  for (const Field& field : schema.fields) collect(field.shape, seen);
}

std::string_view presence_word(const Field& field) {
  if (field.presence == Presence::required) return "required";
  return field.fallback.empty() ? "-" : std::string_view(field.fallback);
}

}  // namespace

std::string describe_schema(const Schema& schema) {
  std::vector<const Schema*> schemas;
  collect(schema, schemas);
  std::string text;
  for (const Schema* section : schemas) {
    text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", section->title);
    if (section->keys == KeyCount::one) text += "Exactly one of these keys.\n\n";
    text += "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Field& field : section->fields)
      text += fmt::format("| `{}` | {} | {} | {} |\n", field.key, text_internal::expected(field.shape),
                          presence_word(field), field.help);
  }
  return text;
}

}  // namespace carve
