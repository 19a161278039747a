// Quantities: a decimal is read as an integer mantissa and a power of ten, so that nothing is rounded on the way; a
// unit is a fraction of the unit that carve counts in. What does not come out as a whole number is refused, but for
// memory, which is rounded up: a workload never gets less than was written.
#include "text/quantity.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace carve {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr int most_digits = 18;  // of a mantissa; 10^18 times 2^40 is far from the end of 128 bits

// mantissa / 10^scale
struct Decimal {
  std::int64_t mantissa = 0;
  int scale = 0;
};

tl::unexpected<Error> wrong(std::string message, std::string help) {
  return fail(Error{Fault::bad_input, std::move(message), {}, std::move(help), {}});
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What was typed, short enough for a message.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return fmt::format("`{}`", text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("`{}...`", text.substr(0, end));
}

// Why a number that is no plain decimal is none: one row for each habit.
struct Habit {
  bool (*applies)(std::string_view);
  std::string_view message;
  std::string_view help;
};
constexpr Habit habits[] = {
    {[](std::string_view t) { return t.empty(); }, "has no number", ""},
    {[](std::string_view t) { return t[0] == '-'; }, "is negative", "write a number that is not"},
    {[](std::string_view t) { return t[0] == '+'; }, "has a sign", "leave the `+` out"},
    {[](std::string_view t) { return t.find('_') != t.npos || t.find(',') != t.npos; }, "has a separator in its digits",
     "write the digits without separators, decimals after a point"},
    {[](std::string_view t) { return t.size() > 1 && t[0] == '0' && is_digit(t[1]); }, "has a leading zero",
     "leave the zeros at the front out; they mean octal to some programs"},
    {[](std::string_view t) { return !is_digit(t[0]) || t.back() == '.' || t.find('.') != t.rfind('.'); },
     "is not a decimal number", "write it as 12 or 12.5"},
};

Result<Decimal> parse_decimal(std::string_view number, std::string_view whole) {
  for (const Habit& habit : habits)
    if (habit.applies(number)) return wrong(fmt::format("{} {}", shown(whole), habit.message), std::string(habit.help));
  const auto point = number.find('.');
  std::string digits(number.substr(0, point));
  Decimal decimal;
  if (point != std::string_view::npos) {
    std::string_view decimals = number.substr(point + 1);
    while (!decimals.empty() && decimals.back() == '0') decimals.remove_suffix(1);
    digits += decimals;
    decimal.scale = static_cast<int>(decimals.size() > most_digits ? most_digits : decimals.size());
  }
  const auto first = digits.find_first_not_of('0');
  digits.erase(0, first == std::string::npos ? digits.size() : first);
  if (digits.size() > most_digits)
    return wrong(fmt::format("{} has too many digits", shown(whole)), "at most 18 can be told apart");
  std::from_chars(digits.data(), digits.data() + digits.size(), decimal.mantissa);
  return decimal;
}

struct Written {
  std::string_view number, unit;
};

// "17.5 GiB" -> "17.5", "GiB". Digits, points, signs and separators belong to the number.
Written split(std::string_view text) {
  std::size_t end = text.find_first_not_of("0123456789.,_+-");
  if (end == std::string_view::npos) end = text.size();
  Written result{text.substr(0, end), text.substr(end)};
  if (!result.number.empty() && result.unit.starts_with(' ')) result.unit.remove_prefix(1);
  return result;
}

bool has_exponent(std::string_view unit) {
  return unit.size() > 1 && (unit[0] == 'e' || unit[0] == 'E') &&
         (is_digit(unit[1]) || unit[1] == '+' || unit[1] == '-');
}

// One unit is numerator / denominator of what carve counts in.
struct Unit {
  std::string_view name;
  std::int64_t numerator;
  std::int64_t denominator;
};

enum class Rounding { up, down, refused };

// A kind of quantity: its units and what to say to those who write another.
struct Kind {
  std::string_view noun;
  std::span<const Unit> units;
  Rounding rounding;
  std::string_view bare;     // help for a number without a unit
  std::string_view unknown;  // help for another unit
  std::string_view fine;     // what is finer than carve counts
};

// decimal * numerator / denominator as a whole number; nothing if it has to be rounded and may not be.
std::optional<Wide> scaled(const Decimal& decimal, const Unit& unit, Rounding rounding) {
  Wide denominator = static_cast<Wide>(unit.denominator);
  for (int i = 0; i < decimal.scale; ++i) denominator *= 10;
  const Wide numerator = static_cast<Wide>(decimal.mantissa) * static_cast<Wide>(unit.numerator);
  const bool exact = numerator % denominator == 0;
  if (!exact && rounding == Rounding::refused) return std::nullopt;
  return numerator / denominator + (!exact && rounding == Rounding::up ? 1 : 0);
}

Result<std::int64_t> narrowed(Wide value, std::string_view text) {
  if (value > static_cast<Wide>(std::numeric_limits<std::int64_t>::max()))
    return wrong(fmt::format("{} is too large", shown(text)), "check the unit");
  return static_cast<std::int64_t>(value);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The same letters but for their case, or the beginning of the unit: "gb", "Gi".
bool resembles(std::string_view typed, std::string_view unit) {
  if (typed.empty() || typed.size() > unit.size()) return false;
  return std::equal(typed.begin(), typed.end(), unit.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

std::string help_for_unit(const Written& parts, const Kind& kind) {
  std::string meant;
  for (const Unit& unit : kind.units)
    if (resembles(parts.unit, unit.name))
      meant += fmt::format("{}`{}{}`", meant.empty() ? "" : " or ", parts.number, unit.name);
  return meant.empty() ? std::string(kind.unknown) : fmt::format("did you mean {}? {}", meant, kind.unknown);
}

Result<std::int64_t> parse_quantity(std::string_view text, const Kind& kind) {
  const Written parts = split(text);
  if (parts.number.empty())
    return wrong(fmt::format("{} is not {}", shown(text), kind.noun), std::string(kind.unknown));
  if (has_exponent(parts.unit)) return wrong(fmt::format("{} has an exponent", shown(text)), "write the number out");
  TRY(const Decimal decimal, parse_decimal(parts.number, text));
  if (parts.unit.empty()) return wrong(fmt::format("{} has no unit", shown(text)), std::string(kind.bare));
  for (const Unit& unit : kind.units) {
    if (unit.name != parts.unit) continue;
    const std::optional<Wide> value = scaled(decimal, unit, kind.rounding);
    if (!value) return wrong(fmt::format("{} is finer than {}", shown(text), kind.fine), "round it");
    return narrowed(*value, text);
  }
  return wrong(fmt::format("{} has the unknown unit {}", shown(text), shown(parts.unit)), help_for_unit(parts, kind));
}

constexpr std::int64_t mib = 1 << 20;
constexpr Unit memory_units[] = {
    {"MiB", 1, 1},          {"GiB", 1 << 10, 1},        {"TiB", 1 << 20, 1},
    {"MB", 1'000'000, mib}, {"GB", 1'000'000'000, mib}, {"TB", 1'000'000'000'000, mib},
};
constexpr Unit percent_units[] = {{"%", 10, 1}};
constexpr Unit duration_units[] = {
    {"us", 1, 1}, {"ms", 1000, 1}, {"s", 1'000'000, 1}, {"min", 60'000'000, 1}, {"h", 3'600'000'000, 1}};
constexpr Unit rate_units[] = {{"/s", 1000, 1}, {"/min", 1000, 60}};

constexpr Kind memory_kind{"an amount of memory",
                           memory_units,
                           Rounding::up,
                           "GB is 10^9 bytes and GiB is 2^30 bytes, 7 % more: write which one you mean",
                           "the units are MB, GB, TB (powers of ten) and MiB, GiB, TiB (powers of two), as in 18GiB",
                           "one MiB"};
constexpr Kind percent_kind{"a percentage",
                            percent_units,
                            Rounding::refused,
                            "write it with a percent sign, as in 20%",
                            "write a number and a percent sign, as in 20% or 12.5%",
                            "a tenth of a percent"};
constexpr Kind duration_kind{"a duration",
                             duration_units,
                             Rounding::refused,
                             "write it with its unit, as in 60ms",
                             "the units are us, ms, s, min and h, as in 60ms",
                             "a microsecond"};
constexpr Kind rate_kind{"a rate",
                         rate_units,
                         Rounding::refused,
                         "write it with its unit, as in 3500/s",
                         "the units are /s and /min, as in 3500/s",
                         "a thousandth per second"};

}  // namespace

Result<std::int64_t> parse_integer(std::string_view text) {
  const Written parts = split(text);
  if (has_exponent(parts.unit)) return wrong(fmt::format("{} has an exponent", shown(text)), "write the number out");
  if (!parts.unit.empty() || parts.number.empty())
    return wrong(fmt::format("{} is not a whole number", shown(text)), "write digits only, as in 8");
  // A minus is part of the number here; whether a negative one makes sense is the range's to say.
  const bool negative = parts.number[0] == '-';
  TRY(const Decimal decimal, parse_decimal(parts.number.substr(negative ? 1 : 0), text));
  if (parts.number.find('.') != std::string_view::npos)
    return wrong(fmt::format("{} is not a whole number", shown(text)), "write it without a point");
  return negative ? -decimal.mantissa : decimal.mantissa;
}

namespace {

Result<std::int64_t> parse_thousandths(std::string_view text, Rounding rounding) {
  const Written parts = split(text);
  if (has_exponent(parts.unit)) return wrong(fmt::format("{} has an exponent", shown(text)), "write the number out");
  if (!parts.unit.empty() || parts.number.empty())
    return wrong(fmt::format("{} is not a number", shown(text)), "write digits and a point only, as in 74.408");
  TRY(const Decimal decimal, parse_decimal(parts.number, text));
  return narrowed(*scaled(decimal, Unit{"", 1000, 1}, rounding), text);
}

}  // namespace

Result<std::int64_t> parse_decimal_down(std::string_view text) { return parse_thousandths(text, Rounding::down); }
Result<std::int64_t> parse_decimal_up(std::string_view text) { return parse_thousandths(text, Rounding::up); }

Result<Mib> parse_memory(std::string_view text) {
  TRY(const std::int64_t value, parse_quantity(text, memory_kind));
  return Mib{value};
}

Result<Permille> parse_percent(std::string_view text) {
  TRY(const std::int64_t value, parse_quantity(text, percent_kind));
  return Permille{value};
}

Result<Micros> parse_duration(std::string_view text) {
  TRY(const std::int64_t value, parse_quantity(text, duration_kind));
  return Micros{value};
}

Result<MilliPerSecond> parse_rate(std::string_view text) {
  TRY(const std::int64_t value, parse_quantity(text, rate_kind));
  return MilliPerSecond{value};
}

namespace {

// `to_string` with the space before the unit left out.
std::string without_space(std::string text) {
  std::erase(text, ' ');
  return text;
}

}  // namespace

std::string written(Mib memory) { return fmt::format("{}MiB", memory.value); }
std::string written(Permille share) { return without_space(to_string(share)); }
std::string written(Micros time) { return without_space(to_string(time)); }
std::string written(MilliPerSecond rate) { return without_space(to_string(rate)); }

}  // namespace carve
