// The fleet of the command line: "8xh100-80gb,2xa30".
#include <fmt/format.h>

#include "workload/reader.h"

namespace carve {

namespace {

constexpr std::string_view option = "--fleet";
constexpr std::size_t longest = 4096;
constexpr std::int64_t most_cards = 1'000'000;

struct Piece {
  std::string_view text;
  std::size_t at = 0;
};

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0;;) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::size_t begin = at, end = comma;
    while (begin < end && text[begin] == ' ') ++begin;
    while (begin < end && text[end - 1] == ' ') --end;
    pieces.push_back({text.substr(begin, end - begin), begin});
    if (comma == text.size()) return pieces;
    at = comma + 1;
  }
}

Result<FleetEntry> entry_of(std::string_view piece) {
  const auto wrong = [](std::string message) {
    return fail(Error{Fault::bad_input,
                      std::move(message),
                      {},
                      "write a count, a small x and a model, and a comma before the next, as in 8xh100-80gb,2xa30",
                      {}});
  };
  if (piece.empty()) return wrong("an entry of the fleet is empty");
  const std::size_t x = piece.find('x');
  if (x == std::string_view::npos || x == 0) return wrong(fmt::format("`{}` has no count", piece));
  const auto count = parse_integer(piece.substr(0, x));
  if (!count) return wrong(fmt::format("`{}` has no count: {}", piece, count.error().message));
  if (*count < 1 || *count > most_cards)
    return wrong(fmt::format("`{}`: the count may be from 1 to {}", piece, most_cards));
  if (x + 1 == piece.size()) return wrong(fmt::format("`{}` has no model", piece));
  FleetEntry entry;
  entry.asked = std::string(piece.substr(x + 1));
  entry.count = *count;
  Result<ModelMatch> match = find_model(entry.asked);
  if (!match) {
    // A product's name may hold a space; what is no name and holds one is two entries.
    if (entry.asked.find_first_of("+; ") != std::string::npos)
      return wrong(fmt::format("`{}` is no entry of a fleet", piece));
    return fail(std::move(match).error());
  }
  entry.card = match->model->id;
  entry.also_fit = match->also_fit;
  return entry;
}

}  // namespace

Result<std::vector<FleetEntry>> parse_fleet(const std::string& text) {
  if (text.size() > longest)
    return fail(Error{Fault::bad_input, fmt::format("{} is longer than {} bytes", option, longest), {}, "", {}});
  Errors errors;
  std::vector<FleetEntry> fleet;
  for (const Piece& piece : pieces_of(text)) {
    auto entry = entry_of(piece.text);
    if (entry) {
      fleet.push_back(std::move(*entry));
      continue;
    }
    Error error = std::move(entry).error();
    const int width = static_cast<int>(std::max<std::size_t>(1, piece.text.size()));
    error.place = Place{std::string(option), 1, static_cast<int>(piece.at + 1), width, text};
    errors.add(std::move(error));
  }
  if (!errors.empty()) return fail(errors.take());
  return fleet;
}

}  // namespace carve
