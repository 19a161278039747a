// Scalars against their shapes.
#include "text/shape.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/quantity.h"

namespace carve::text_internal {

namespace {

template <class Unit, Result<Quantity<Unit>> (*parse)(std::string_view)>
Result<std::int64_t> count_of(std::string_view text) {
  TRY(const Quantity<Unit> quantity, parse(text));
  return quantity.value;
}

std::string show_thousandths(std::int64_t value) { return fmt::format("{}.{:03}", value / 1000, value % 1000); }

constexpr NumberType number_types[] = {
    {Type::integer, parse_integer, [](std::int64_t v) { return fmt::format("{}", v); }},
    {Type::memory, count_of<MibUnit, parse_memory>, [](std::int64_t v) { return to_string(Mib{v}); }},
    {Type::percent, count_of<PermilleUnit, parse_percent>, [](std::int64_t v) { return to_string(Permille{v}); }},
    {Type::duration, count_of<MicrosUnit, parse_duration>, [](std::int64_t v) { return to_string(Micros{v}); }},
    {Type::rate, count_of<MilliPerSecondUnit, parse_rate>, [](std::int64_t v) { return to_string(MilliPerSecond{v}); }},
    {Type::decimal_down, parse_decimal_down, show_thousandths},
    {Type::decimal_up, parse_decimal_up, show_thousandths},
};

// In the order of Type.
constexpr std::string_view nouns[] = {
    "a name",     "text",   "a path",    "a whole number", "an amount of memory", "a percentage",
    "a duration", "a rate", "a decimal", "a decimal",      "true or false",       "one of",
    "a mapping",  "a list", "a mapping", "one of",
};

tl::unexpected<Error> wrong(std::string message, std::string help) {
  return fail(Error{Fault::bad_input, std::move(message), {}, std::move(help), {}});
}

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Result<void> check_name(std::string_view text) {
  constexpr std::size_t longest = 63;
  const std::string help = "letters, digits, `.`, `_` and `-`, at most 63, with a letter or digit at both ends";
  if (text.empty()) return wrong("an empty name", help);
  if (text.size() > longest) return wrong(fmt::format("a name of {} bytes is too long", text.size()), help);
  for (const char c : text)
    if (!is_letter_or_digit(c) && c != '.' && c != '_' && c != '-')
      return wrong(fmt::format("`{}` is not a name", text), help);
  if (!is_letter_or_digit(text.front()) || !is_letter_or_digit(text.back()))
    return wrong(fmt::format("`{}` is not a name", text), help);
  return {};
}

std::string range_words(const NumberType& type, const Range& range) {
  return fmt::format("from {} to {}", type.show(range.min), type.show(range.max));
}

bool has_form(Node node, const Shape& shape) {
  switch (shape.type) {
    case Type::object:
    case Type::map:
      return node.is_mapping();
    case Type::list:
      return node.is_sequence();
    default:
      return node.is_scalar();
  }
}

bool is_meant(Node node, const Shape& shape) {
  if (shape.type == Type::choice)
    return std::find(shape.choices.begin(), shape.choices.end(), node.text()) != shape.choices.end();
  if (shape.type != Type::object) return true;
  return std::any_of(shape.schema->fields.begin(), shape.schema->fields.end(),
                     [&](const Field& field) { return node.find(field.key).has_value(); });
}

}  // namespace

const NumberType* number_type(Type type) {
  const auto* row = std::find_if(std::begin(number_types), std::end(number_types),
                                 [&](const NumberType& candidate) { return candidate.type == type; });
  return row == std::end(number_types) ? nullptr : row;
}

std::string expected(const Shape& shape) {
  std::string noun(nouns[static_cast<std::size_t>(shape.type)]);
  if (const NumberType* type = number_type(shape.type))
    return fmt::format("{} {}", noun, range_words(*type, *shape.range));
  if (shape.type == Type::choice) return fmt::format("`{}`", fmt::join(shape.choices, "`, `"));
  if (shape.type == Type::map) return fmt::format("a mapping to {}", expected(shape.inner.front()));
  if (shape.type == Type::list) return fmt::format("a list of {}", expected(shape.inner.front()));
  if (shape.type == Type::object) {
    std::vector<std::string> keys;
    for (const Field& field : shape.schema->fields) keys.push_back(field.key);
    if (keys.size() > 4) return shape.schema->title;
    const char* which = shape.schema->keys == KeyCount::one ? "one of " : "";
    return fmt::format("a mapping with {}`{}`", which, fmt::join(keys, "`, `"));
  }
  if (shape.type == Type::any_of) {
    std::vector<std::string> alternatives;
    for (const Shape& alternative : shape.inner) alternatives.push_back(expected(alternative));
    return fmt::format("{}", fmt::join(alternatives, ", or "));
  }
  return noun;
}

std::string found(Node node) {
  switch (node.kind()) {
    case NodeKind::null:
      return "nothing";
    case NodeKind::sequence:
      return "a list";
    case NodeKind::mapping:
      return "a mapping";
    default:
      return "a single value";
  }
}

const Shape* shape_meant(Node node, const Shape& shape) {
  if (shape.type != Type::any_of) return has_form(node, shape) ? &shape : nullptr;
  // The most particular first: a word that is a choice, a mapping with a known key. What remains is told by its form,
  // the last of that form: a map after an object, a number after words.
  const Shape* by_form = nullptr;
  for (const Shape& alternative : shape.inner) {
    if (!has_form(node, alternative)) continue;
    const bool particular = alternative.type == Type::choice || alternative.type == Type::object;
    if (particular && is_meant(node, alternative)) return &alternative;
    if (by_form == nullptr || !particular) by_form = &alternative;
  }
  return by_form;
}

Result<std::int64_t> number_of(Node node, const Shape& shape) {
  const NumberType& type = *number_type(shape.type);
  if (type.type == Type::integer && node.kind() == NodeKind::quoted)
    return wrong(fmt::format("\"{}\" is text, not a number", node.text()), "write it without quotes");
  TRY(const std::int64_t value, type.parse(node.text()));
  const Range& range = *shape.range;
  if (value < range.min)
    return wrong(fmt::format("{} is less than {}", node.text(), type.show(range.min)),
                 fmt::format("it may be {}", range_words(type, range)));
  if (value > range.max)
    return wrong(fmt::format("{} is more than {}", node.text(), type.show(range.max)),
                 fmt::format("it may be {}", range_words(type, range)));
  return value;
}

Result<bool> boolean_of(Node node) {
  const bool plain = node.kind() == NodeKind::plain;
  if (plain && node.text() == "true") return true;
  if (plain && node.text() == "false") return false;
  return wrong(fmt::format("`{}` is neither true nor false", node.text()),
               "write true or false, without quotes; yes, no, on and off mean different things to different programs");
}

Result<std::string> text_of(Node node, const Shape& shape) {
  const std::string text(node.text());
  if (shape.type == Type::name) TRY_VOID(check_name(text));
  if (text.empty()) return wrong("an empty text", "write something between the quotes, or leave the key out");
  if (shape.type == Type::choice && std::find(shape.choices.begin(), shape.choices.end(), text) == shape.choices.end())
    return wrong(fmt::format("`{}` is not one of the words that it may be", text),
                 nearest_help(text, shape.choices, "words"));
  return text;
}

std::string nearest_help(std::string_view typed, const std::vector<std::string>& known, std::string_view what) {
  if (const auto near = nearest(typed, known)) return fmt::format("did you mean `{}`?", *near);
  return fmt::format("the {} are: {}", what, fmt::join(known, ", "));
}

}  // namespace carve::text_internal
