// Exact reading of quantities: every row is what a person may write and what carve counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "text/text.h"

namespace carve {
namespace {

using testing::HasSubstr;

struct Good {
  const char* text;
  std::int64_t value;
};
struct Bad {
  const char* text;
  const char* message;
  const char* help;
};

template <class Parse>
void expect_good(const std::vector<Good>& rows, Parse parse) {
  for (const Good& row : rows) {
    const auto result = parse(row.text);
    ASSERT_TRUE(result) << row.text << ": " << result.error().message;
    EXPECT_EQ(row.value, result->value) << row.text;
  }
}
template <class Parse>
void expect_bad(const std::vector<Bad>& rows, Parse parse) {
  for (const Bad& row : rows) {
    const auto result = parse(row.text);
    ASSERT_FALSE(result) << row.text;
    EXPECT_THAT(result.error().message, HasSubstr(row.message)) << row.text;
    EXPECT_THAT(result.error().help, HasSubstr(row.help)) << row.text;
  }
}

TEST(Quantity, MemoryIsReadExactlyAndRoundedUp) {
  expect_good(
      {
          {"1MiB", 1},
          {"18GiB", 18432},
          {"18 GiB", 18432},
          {"18GB", 17167},  // 18 * 10^9 / 2^20 = 17166.1
          {"17.5GiB", 17920},
          {"17.50GiB", 17920},
          {"0.0001GiB", 1},  // 0.1024 MiB
          {"1MB", 1},
          {"1.048576MB", 1},  // 2^20 bytes
          {"1.048577MB", 2},  // one byte more
          {"2TiB", 2097152},
          {"1TB", 953675},  // 953674.3
          {"0GiB", 0},
          {"0.5GiB", 512},
      },
      parse_memory);
}

TEST(Quantity, MemoryThatIsRefused) {
  expect_bad(
      {
          {"18", "no unit", "GB is 10^9 bytes and GiB is 2^30 bytes"},
          {"18.5", "no unit", "write which one you mean"},
          {"18gb", "unknown unit `gb`", "did you mean `18GB`? the units are MB, GB, TB"},
          {"18Gi", "unknown unit `Gi`", "did you mean `18GiB`?"},
          {"18G", "unknown unit `G`", "did you mean `18GiB` or `18GB`?"},
          {"-1GiB", "is negative", ""},
          {"+1GiB", "has a sign", ""},
          {"1e3GiB", "exponent", "write the number out"},
          {"1E+3GiB", "exponent", "write the number out"},
          {"010GiB", "leading zero", "octal"},
          {"1_000GiB", "separator", ""},
          {"1,5GiB", "separator", "after a point"},
          {"1.GiB", "not a decimal", ""},
          {".5GiB", "not a decimal", ""},
          {"1.2.3GiB", "not a decimal", ""},
          {"NaN", "not an amount of memory", ""},
          {"infGiB", "not an amount of memory", ""},
          {"GiB", "not an amount of memory", ""},
          {"", "not an amount of memory", ""},
          {"1000000000000000000000000000000GiB", "too many digits", ""},
          {"999999999999999999TiB", "too large", "unit"},
          {"1.0000000000000000001GiB", "too many digits", ""},
          {"18 GiB extra", "unknown unit", ""},
          {"18  GiB", "unknown unit", ""},
      },
      parse_memory);
}

TEST(Quantity, Percent) {
  expect_good({{"20%", 200}, {"12.5%", 125}, {"12.50%", 125}, {"0.1%", 1}, {"100%", 1000}, {"20 %", 200}},
              parse_percent);
  expect_bad({{"20", "no unit", "percent sign"},
              {"0.2", "no unit", "percent sign"},
              {"12.55%", "finer than a tenth of a percent", "round"},
              {"-5%", "negative", ""},
              {"20percent", "unknown unit", ""},
              {"%", "not a percentage", ""}},
             parse_percent);
}

TEST(Quantity, Duration) {
  expect_good({{"60ms", 60'000},
               {"1.5s", 1'500'000},
               {"250us", 250},
               {"0.001ms", 1},
               {"10min", 600'000'000},
               {"1h", 3'600'000'000}},
              parse_duration);
  expect_bad({{"60", "no unit", "60ms"},
              {"1.5us", "finer than a microsecond", ""},
              {"60 msec", "unknown unit", "us, ms, s"},
              {"99999999999999999h", "too large", ""}},
             parse_duration);
}

TEST(Quantity, Rate) {
  expect_good({{"3500/s", 3'500'000}, {"0.5/s", 500}, {"120/min", 2000}, {"0.001/s", 1}}, parse_rate);
  expect_bad({{"3500", "no unit", "3500/s"},
              {"1/min", "finer than a thousandth per second", ""},
              {"0.0001/s", "finer", ""},
              {"3500rps", "unknown unit", "/s"}},
             parse_rate);
}

TEST(Quantity, Integer) {
  for (const auto& [text, value] : std::vector<std::pair<const char*, std::int64_t>>{
           {"0", 0}, {"8", 8}, {"-3", -3}, {"999999999999999999", 999'999'999'999'999'999}}) {
    const auto result = parse_integer(text);
    ASSERT_TRUE(result) << text;
    EXPECT_EQ(value, *result) << text;
  }
  for (const Bad& row : std::vector<Bad>{{"010", "leading zero", "octal"},
                                         {"-010", "leading zero", ""},
                                         {"0x10", "not a whole number", ""},
                                         {"1e3", "exponent", ""},
                                         {"1_000", "separator", ""},
                                         {"+8", "sign", ""},
                                         {"8.0", "not a whole number", "without a point"},
                                         {"8.5", "not a whole number", ""},
                                         {"--8", "negative", ""},
                                         {"1000000000000000000000000000000", "too many digits", ""},
                                         {"NaN", "not a whole number", ""},
                                         {"", "not a whole number", ""}}) {
    const auto result = parse_integer(row.text);
    ASSERT_FALSE(result) << row.text;
    EXPECT_THAT(result.error().message, HasSubstr(row.message)) << row.text;
    EXPECT_THAT(result.error().help, HasSubstr(row.help)) << row.text;
  }
}

TEST(Quantity, WhatIsWrittenIsReadBack) {
  EXPECT_TRUE(rc::check("quantities survive being written", [] {
    const std::int64_t value = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
    RC_ASSERT(parse_memory(written(Mib{value})).value() == Mib{value});
    RC_ASSERT(parse_percent(written(Permille{value % 1001})).value() == Permille{value % 1001});
    RC_ASSERT(parse_duration(written(Micros{value})).value() == Micros{value});
    RC_ASSERT(parse_rate(written(MilliPerSecond{value})).value() == MilliPerSecond{value});
  }));
}

}  // namespace
}  // namespace carve
