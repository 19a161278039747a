// The schema-driven reader. A schema is a table of keys; read_record() checks a tree against it and reports all that is
// wrong; a Record is a view of a tree that was checked, and gives typed values out without anything left to check.
//
//   const Schema& fleet_schema() {
//     static const Schema schema{"a fleet entry", {
//         {"card", Presence::required, Shape::text(), "", "the model, as `carve cards` lists it"},
//         {"count", Presence::required, Shape::integer({1, 100'000}), "", "how many"},
//         {"cost", Presence::optional, Shape::integer({0, 1'000'000}), "1000", "of one card"}}};
//     return schema;
//   }
//   TRY(const Record entry, read_record(document.root(), fleet_schema()));
//   entry.integer("cost");  // std::optional<std::int64_t>: as written, else the table's default
//
// A Record must not outlive its Document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "text/document.h"
#include "text/errors.h"

namespace carve {

enum class Type {
  name,     // letters, digits, '.', '_', '-', at most 63, a letter or digit at both ends: also a Kubernetes label value
  text,     // any scalar that is not empty
  path,     // the same, a file's
  integer,  // range in units
  memory,   // range in MiB
  percent,  // range in permille
  duration,      // range in microseconds
  rate,          // range in thousandths per second
  decimal_down,  // a bare decimal, range in thousandths; what is finer is cut
  decimal_up,    // the same; what is finer is rounded up
  boolean,       // true or false
  choice,        // one of some words
  object,        // a mapping with a schema of its own
  list,          // items of one shape
  map,           // a mapping with keys of the user's choice and values of one shape
  any_of,        // one of several shapes, told apart by their form
};

struct Range {
  std::int64_t min = 0;
  std::int64_t max = 0;
};

struct Schema;

// What a value looks like.
struct Shape {
  Type type = Type::text;
  std::optional<Range> range;        // of a number; of a list or map: of the number of its items
  std::vector<std::string> choices;  // of a choice
  const Schema* schema = nullptr;    // of an object
  std::vector<Shape> inner;          // of a list and a map: one; of any_of: the alternatives

  static Shape name();
  static Shape text();
  static Shape path();
  static Shape integer(Range);
  static Shape memory(Range mib);
  static Shape percent(Range permille);
  static Shape duration(Range micros);
  static Shape rate(Range milli_per_second);
  static Shape decimal_down(Range thousandths);
  static Shape decimal_up(Range thousandths);
  static Shape boolean();
  static Shape choice(std::vector<std::string> words);
  static Shape object(const Schema&);
  static Shape list_of(Shape item, Range count);
  static Shape map_of(Shape value, Range count);
  static Shape any_of(std::vector<Shape> shapes);  // at most one object, map, list, choice, and other scalar
};

enum class Presence {
  required,
  optional,
  nullable,  // may be missing or null
};

struct Field {
  std::string key;
  Presence presence = Presence::optional;
  Shape shape;
  std::string fallback;  // the default as it would be written; empty if there is none
  std::string help;      // one sentence for people
};

enum class KeyCount { any, one };

struct Schema {
  std::string title;  // "a workload", "a fleet entry": what messages call it
  std::vector<Field> fields;
  KeyCount keys = KeyCount::any;  // one: exactly one of the keys stands there, as in {p99: 60ms}

  const Field* find(std::string_view key) const;
};

// A checked value of any shape.
class Record;
class FieldValue {
 public:
  FieldValue(Node node, const Shape& shape);

  Type type() const { return shape_->type; }  // the alternative that was written, where there are several
  Place place() const { return node_.place(); }
  Node node() const { return node_; }

  // Each requires the type of its name; as_text name, text, path or choice.
  std::string as_text() const;
  std::int64_t as_integer() const;
  Mib as_memory() const;
  Permille as_percent() const;
  Micros as_duration() const;
  MilliPerSecond as_rate() const;
  std::int64_t as_thousandths() const;
  bool as_boolean() const;
  Record as_record() const;
  std::vector<FieldValue> as_list() const;
  std::vector<std::pair<std::string, FieldValue>> as_map() const;  // in the order of the text

 private:
  Node node_;
  const Shape* shape_;
};

// A checked mapping. Every key asked for must be one of the schema's, with the type of the verb: another one is a
// mistake in the program and ends it.
class Record {
 public:
  Record(Node node, const Schema& schema) : node_(node), schema_(&schema) {}

  bool has(std::string_view key) const;    // written, and not null
  bool knows(std::string_view key) const;  // the schema has such a key
  // Nothing if it is neither written nor has a default.
  std::optional<std::string> text(std::string_view key) const;  // name, text, path and choice
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<Mib> memory(std::string_view key) const;
  std::optional<Permille> percent(std::string_view key) const;
  std::optional<Micros> duration(std::string_view key) const;
  std::optional<MilliPerSecond> rate(std::string_view key) const;
  std::optional<std::int64_t> thousandths(std::string_view key) const;  // decimal_down, decimal_up
  std::optional<bool> boolean(std::string_view key) const;
  // These have no defaults.
  std::optional<FieldValue> value(std::string_view key) const;
  std::optional<Record> record(std::string_view key) const;
  std::vector<Record> records(std::string_view key) const;   // a list of objects; empty if it is missing
  std::vector<FieldValue> list(std::string_view key) const;  // empty if it is missing

  // The key that stands in a mapping of KeyCount::one.
  std::string only_key() const;

  Place place() const { return node_.place(); }
  Place place(std::string_view key) const;  // of the value; of the record if it is missing
  Node node() const { return node_; }

 private:
  std::optional<FieldValue> written(const Field& field) const;
  const Field& field(std::string_view key) const;

  Node node_;
  const Schema* schema_;
};

// What becomes of keys that the schema does not have. In a mapping of KeyCount::one they are always refused.
enum class UnknownKeys { refuse, ignore };

// Checks a tree against a schema. Errors: up to twenty, in the order of their places.
Result<Record> read_record(Node, const Schema&, UnknownKeys = UnknownKeys::refuse);

// The schema as a reference for people: a Markdown table, followed by those of the schemas inside it.
std::string describe_schema(const Schema&);

}  // namespace carve
