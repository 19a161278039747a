// Making shapes, and typed access to what was checked.
#include "text/schema.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "text/quantity.h"
#include "text/shape.h"

namespace carve {

using text_internal::boolean_of;
using text_internal::number_of;
using text_internal::number_type;
using text_internal::shape_meant;

namespace {

Shape plain_shape(Type type) {
  Shape shape;
  shape.type = type;
  return shape;
}
Shape number_shape(Type type, Range range) {
  Shape shape = plain_shape(type);
  shape.range = range;
  return shape;
}

// Asking for what the schema does not have is a mistake in this program, not in the file.
[[noreturn]] void misuse(std::string_view what, std::string_view key) {
  std::fprintf(stderr, "internal error: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(key.size()), key.data());
  std::abort();
}

template <class T>
T checked(Result<T> result) {
  if (!result) misuse("a value that was not checked", result.error().message);
  return std::move(*result);
}

bool is_text(Type type) {
  return type == Type::name || type == Type::text || type == Type::path || type == Type::choice;
}

}  // namespace

Shape Shape::name() { return plain_shape(Type::name); }
Shape Shape::text() { return plain_shape(Type::text); }
Shape Shape::path() { return plain_shape(Type::path); }
Shape Shape::integer(Range range) { return number_shape(Type::integer, range); }
Shape Shape::memory(Range mib) { return number_shape(Type::memory, mib); }
Shape Shape::percent(Range permille) { return number_shape(Type::percent, permille); }
Shape Shape::duration(Range micros) { return number_shape(Type::duration, micros); }
Shape Shape::rate(Range milli_per_second) { return number_shape(Type::rate, milli_per_second); }
Shape Shape::decimal_down(Range thousandths) { return number_shape(Type::decimal_down, thousandths); }
Shape Shape::decimal_up(Range thousandths) { return number_shape(Type::decimal_up, thousandths); }
Shape Shape::boolean() { return plain_shape(Type::boolean); }
Shape Shape::choice(std::vector<std::string> words) {
  Shape shape = plain_shape(Type::choice);
  shape.choices = std::move(words);
  return shape;
}
Shape Shape::object(const Schema& schema) {
  Shape shape = plain_shape(Type::object);
  shape.schema = &schema;
  return shape;
}
Shape Shape::list_of(Shape item, Range count) {
  Shape shape = number_shape(Type::list, count);
  shape.inner.push_back(std::move(item));
  return shape;
}
Shape Shape::map_of(Shape value, Range count) {
  Shape shape = number_shape(Type::map, count);
  shape.inner.push_back(std::move(value));
  return shape;
}
Shape Shape::any_of(std::vector<Shape> shapes) {
  Shape shape = plain_shape(Type::any_of);
  shape.inner = std::move(shapes);
  return shape;
}

const Field* Schema::find(std::string_view key) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

// ------------------------------------------------------------------------------------------------------------ values

FieldValue::FieldValue(Node node, const Shape& shape) : node_(node), shape_(shape_meant(node, shape)) {
  if (shape_ == nullptr) misuse("a value that was not checked", node.text());
}

std::string FieldValue::as_text() const {
  if (!is_text(shape_->type)) misuse("not a text", node_.text());
  return std::string(node_.text());
}

std::int64_t FieldValue::as_integer() const {
  if (shape_->type != Type::integer) misuse("not a whole number", node_.text());
  return checked(number_of(node_, *shape_));
}

Mib FieldValue::as_memory() const {
  if (shape_->type != Type::memory) misuse("not an amount of memory", node_.text());
  return Mib{checked(number_of(node_, *shape_))};
}

Permille FieldValue::as_percent() const {
  if (shape_->type != Type::percent) misuse("not a percentage", node_.text());
  return Permille{checked(number_of(node_, *shape_))};
}

Micros FieldValue::as_duration() const {
  if (shape_->type != Type::duration) misuse("not a duration", node_.text());
  return Micros{checked(number_of(node_, *shape_))};
}

MilliPerSecond FieldValue::as_rate() const {
  if (shape_->type != Type::rate) misuse("not a rate", node_.text());
  return MilliPerSecond{checked(number_of(node_, *shape_))};
}

std::int64_t FieldValue::as_thousandths() const {
  if (shape_->type != Type::decimal_down && shape_->type != Type::decimal_up) misuse("not a decimal", node_.text());
  return checked(number_of(node_, *shape_));
}

bool FieldValue::as_boolean() const {
  if (shape_->type != Type::boolean) misuse("not a truth value", node_.text());
  return checked(boolean_of(node_));
}

Record FieldValue::as_record() const {
  if (shape_->type != Type::object) misuse("not an object", node_.text());
  return Record(node_, *shape_->schema);
}

std::vector<FieldValue> FieldValue::as_list() const {
  if (shape_->type != Type::list) misuse("not a list", node_.text());
  std::vector<FieldValue> values;
  values.reserve(node_.size());
  for (const Node item : node_.items()) values.emplace_back(item, shape_->inner.front());
  return values;
}

std::vector<std::pair<std::string, FieldValue>> FieldValue::as_map() const {
  if (shape_->type != Type::map) misuse("not a map", node_.text());
  std::vector<std::pair<std::string, FieldValue>> entries;
  const Node::Range range = node_.items();
  for (Node::Iterator at = range.begin(); at != range.end(); ++at) {
    std::string key((*at).text());
    ++at;
    entries.emplace_back(std::move(key), FieldValue(*at, shape_->inner.front()));
  }
  return entries;
}

// ----------------------------------------------------------------------------------------------------------- records

const Field& Record::field(std::string_view key) const {
  const Field* found = schema_->find(key);
  if (found == nullptr) misuse("no such key in " + schema_->title, key);
  return *found;
}

std::optional<FieldValue> Record::written(const Field& field) const {
  const std::optional<Node> node = node_.find(field.key);
  if (!node || node->is_null()) return std::nullopt;
  return FieldValue(*node, field.shape);
}

bool Record::knows(std::string_view key) const { return schema_->find(key) != nullptr; }

bool Record::has(std::string_view key) const { return written(field(key)).has_value(); }

std::optional<FieldValue> Record::value(std::string_view key) const { return written(field(key)); }

std::optional<std::string> Record::text(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_text();
  if (!is_text(wanted.shape.type)) misuse("not a text", key);
  return wanted.fallback.empty() ? std::nullopt : std::optional(wanted.fallback);
}

namespace {

std::optional<std::int64_t> fallback_number(const Field& field, Type type) {
  if (field.shape.type != type) misuse("another type", field.key);
  if (field.fallback.empty()) return std::nullopt;
  return checked(number_type(type)->parse(field.fallback));
}

}  // namespace

std::optional<std::int64_t> Record::integer(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_integer();
  return fallback_number(wanted, Type::integer);
}

std::optional<Mib> Record::memory(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_memory();
  const auto number = fallback_number(wanted, Type::memory);
  return number ? std::optional(Mib{*number}) : std::nullopt;
}

std::optional<Permille> Record::percent(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_percent();
  const auto number = fallback_number(wanted, Type::percent);
  return number ? std::optional(Permille{*number}) : std::nullopt;
}

std::optional<Micros> Record::duration(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_duration();
  const auto number = fallback_number(wanted, Type::duration);
  return number ? std::optional(Micros{*number}) : std::nullopt;
}

std::optional<MilliPerSecond> Record::rate(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_rate();
  const auto number = fallback_number(wanted, Type::rate);
  return number ? std::optional(MilliPerSecond{*number}) : std::nullopt;
}

std::optional<std::int64_t> Record::thousandths(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_thousandths();
  return fallback_number(wanted, wanted.shape.type);
}

std::optional<bool> Record::boolean(std::string_view key) const {
  const Field& wanted = field(key);
  if (const auto value = written(wanted)) return value->as_boolean();
  if (wanted.shape.type != Type::boolean) misuse("not a truth value", key);
  return wanted.fallback.empty() ? std::nullopt : std::optional(wanted.fallback == "true");
}

std::optional<Record> Record::record(std::string_view key) const {
  const auto value = written(field(key));
  return value ? std::optional(value->as_record()) : std::nullopt;
}

std::vector<Record> Record::records(std::string_view key) const {
  const auto value = written(field(key));
  std::vector<Record> records;
  if (!value) return records;
  for (const FieldValue& item : value->as_list()) records.push_back(item.as_record());
  return records;
}

std::vector<FieldValue> Record::list(std::string_view key) const {
  const auto value = written(field(key));
  return value ? value->as_list() : std::vector<FieldValue>();
}

std::string Record::only_key() const {
  if (schema_->keys != KeyCount::one) misuse("may have several keys", schema_->title);
  return std::string((*node_.items().begin()).text());
}

Place Record::place(std::string_view key) const {
  const auto node = node_.find(field(key).key);
  return node ? node->place() : node_.place();
}

}  // namespace carve
