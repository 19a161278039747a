// read_record(): one walk over the tree, with the schema beside it. Everything that is wrong is noted with its place
// and the walk goes on, so that a person sees all of it at once.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/schema.h"
#include "text/shape.h"

namespace carve {

namespace {

using text_internal::boolean_of;
using text_internal::expected;
using text_internal::found;
using text_internal::nearest_help;
using text_internal::number_of;
using text_internal::number_type;
using text_internal::shape_meant;
using text_internal::text_of;

class Checker {
 public:
  explicit Checker(UnknownKeys unknown) : unknown_(unknown) {}

  void object(Node node, const Schema& schema);
  Errors& errors() { return errors_; }

 private:
  // `label` is the key that the value belongs to.
  void value(Node node, const Shape& shape, const std::string& label);
  void scalar(Node node, const Shape& shape, const std::string& label);
  void container(Node node, const Shape& shape, const std::string& label);
  void entry(Node key, Node node, const Schema& schema);
  void missing_keys(Node node, const Schema& schema);
  void note(Node node, std::string message, std::string help) {
    errors_.add(Error{Fault::bad_input, std::move(message), node.place(), std::move(help), {}});
  }

  UnknownKeys unknown_;
  Errors errors_;
};

std::vector<std::string> keys_of(const Schema& schema) {
  std::vector<std::string> keys;
  for (const Field& field : schema.fields) keys.push_back(field.key);
  return keys;
}

// How a list of mappings begins, for who wrote something else: "- {card: ..., count: ...}".
std::string list_help(const Shape& shape) {
  if (shape.type != Type::list || shape.inner.front().schema == nullptr) return "";
  std::vector<std::string> required;
  for (const Field& field : shape.inner.front().schema->fields)
    if (field.presence == Presence::required) required.push_back(field.key + ": ...");
  return fmt::format("begin each item with a dash, as in - {{{}}}", fmt::join(required, ", "));
}

// What was meant by a key that the schema does not have.
std::string help_for(std::string_view key, const Schema& schema) {
  const std::string_view before = key.substr(0, key.find(':'));
  if (before.size() < key.size() && schema.find(before) != nullptr)
    return fmt::format("a space is missing after the colon: `{}: {}`", before, key.substr(before.size() + 1));
  if (schema.keys == KeyCount::one) return fmt::format("write one of: {}", fmt::join(keys_of(schema), ", "));
  return nearest_help(key, keys_of(schema), "keys");
}

void Checker::object(Node node, const Schema& schema) {
  if (!node.is_mapping())
    return note(node, fmt::format("expected {}, found {}", schema.title, found(node)),
                fmt::format("it is a mapping with the keys: {}", fmt::join(keys_of(schema), ", ")));
  const Node::Range range = node.items();
  for (Node::Iterator at = range.begin(); at != range.end(); ++at) {
    const Node key = *at;
    ++at;
    entry(key, *at, schema);
  }
  missing_keys(node, schema);
}

void Checker::entry(Node key, Node node, const Schema& schema) {
  const Field* field = schema.find(key.text());
  if (field == nullptr) {
    // The one key that says which of several is meant cannot be ignored: nothing would be left.
    if (unknown_ == UnknownKeys::refuse || schema.keys == KeyCount::one)
      note(key, fmt::format("unknown key `{}` in {}", key.text(), schema.title), help_for(key.text(), schema));
    return;
  }
  if (!node.is_null()) return value(node, field->shape, field->key);
  // The key shows a missing value best, but for a table, where it is the column's name in the header.
  if (field->presence != Presence::nullable)
    note(key.place().line == node.place().line ? key : node, fmt::format("`{}` has no value", field->key),
         fmt::format("expected {}", expected(field->shape)));
}

void Checker::missing_keys(Node node, const Schema& schema) {
  if (schema.keys == KeyCount::one && node.size() != 1) {
    note(node, fmt::format("{} has {} keys, expected one", schema.title, node.size()),
         fmt::format("write one of: {}", fmt::join(keys_of(schema), ", ")));
    return;
  }
  for (const Field& field : schema.fields)
    if (field.presence == Presence::required && !node.find(field.key))
      note(node, fmt::format("{} has no `{}`", schema.title, field.key),
           fmt::format("add `{}`: {}", field.key, field.help));
}

void Checker::value(Node node, const Shape& shape, const std::string& label) {
  const Shape* meant = shape_meant(node, shape);
  if (meant == nullptr)
    return note(node, fmt::format("`{}` is {}, expected {}", label, found(node), expected(shape)), list_help(shape));
  if (node.is_scalar()) return scalar(node, *meant, label);
  container(node, *meant, label);
}

template <class T>
std::optional<Error> error_of(Result<T> result) {
  return result ? std::nullopt : std::optional(std::move(result).error());
}

void Checker::scalar(Node node, const Shape& shape, const std::string& label) {
  std::optional<Error> error = number_type(shape.type)       ? error_of(number_of(node, shape))
                               : shape.type == Type::boolean ? error_of(boolean_of(node))
                                                             : error_of(text_of(node, shape));
  if (!error) return;
  error->within(fmt::format("`{}`", label)).place = node.place();
  errors_.add(std::move(*error));
}

void Checker::container(Node node, const Shape& shape, const std::string& label) {
  if (shape.type == Type::object) return object(node, *shape.schema);
  const auto count = static_cast<std::int64_t>(node.size());
  if (count < shape.range->min || count > shape.range->max)
    note(node,
         fmt::format("`{}` has {}, expected {} to {}", label, counted(count, "item"), shape.range->min,
                     shape.range->max),
         "");
  const Node::Range range = node.items();
  for (Node::Iterator at = range.begin(); at != range.end(); ++at) {
    if (node.is_mapping()) ++at;
    const Node item = *at;
    if (item.is_null())
      note(item, fmt::format("an item of `{}` has no value", label),
           fmt::format("expected {}", expected(shape.inner.front())));
    else if (shape.inner.front().type == Type::object)
      object(item, *shape.inner.front().schema);
    else
      value(item, shape.inner.front(), label);
  }
}

}  // namespace

Result<Record> read_record(Node node, const Schema& schema, UnknownKeys unknown) {
  Checker checker(unknown);
  checker.object(node, schema);
  if (!checker.errors().empty()) return fail(checker.errors().take());
  return Record(node, schema);
}

}  // namespace carve
