// Errors are values. A fallible function returns Result<T>; an Error is one sentence that says what was being done and
// what was found, a place where there is one, and what to do next.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace carve {

// A spot in something that a person wrote. Lines and columns count from 1; 0 is "the file as a whole".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  int width = 1;            // columns that the caret underlines
  std::string source_line;  // the text of that line, for the caret; empty if there is none

  auto operator<=>(const Place&) const = default;
};

// What kind of failure it is; the exit code follows from it.
enum class Fault {
  bad_input,    // exit 2: what the user gave cannot be read or contradicts itself
  environment,  // exit 3: the machine refused: no driver, no permission, no space
};

struct Error {
  Fault fault = Fault::bad_input;
  std::string message;         // what was wrong, and what was expected
  std::optional<Place> place;  // where
  std::string help;            // what to do next; empty if there is nothing to say
  std::vector<Error> others;   // further errors that the same reader found, in the order of their places

  // Adds context on the way out: "reading team.yaml: ...".
  Error& within(const std::string& doing) {
    message = doing + ": " + message;
    return *this;
  }
};

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

template <>
class [[nodiscard]] Result<void> : public tl::expected<void, Error> {
 public:
  using tl::expected<void, Error>::expected;
};

// return fail(Error{...});
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// TRY(value, expression): declares `value` from a Result, or returns its Error from the function.
#define CARVE_JOIN_(a, b) a##b
#define CARVE_JOIN(a, b) CARVE_JOIN_(a, b)
#define TRY(value, ...) TRY_(CARVE_JOIN(try_result_, __LINE__), value, __VA_ARGS__)
#define TRY_(result, value, ...)                                \
  auto result = (__VA_ARGS__);                                  \
  if (!result) return ::carve::fail(std::move(result).error()); \
  value = std::move(*result)
// TRY_VOID(expression): the same for Result<void>.
#define TRY_VOID(...)                                                               \
  do {                                                                              \
    auto try_void_result = (__VA_ARGS__);                                           \
    if (!try_void_result) return ::carve::fail(std::move(try_void_result).error()); \
  } while (false)

}  // namespace carve
