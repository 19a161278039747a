// Any bytes as a journal. As no fuzzer guesses a checksum, each line is also read with its own put in front. What was
// read and written again reads the same.
#include <zlib.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "change/journal_text.h"
#include "show/show.h"

namespace {

std::string with_checksums(std::string_view text) {
  std::string checked;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    checked += carve::checked_line(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return checked;
}

std::string written(const carve::Journaled& journal) {
  std::string text = carve::checked_line(carve::opening_line(journal.opening));
  for (const carve::JournalStep& step : journal.steps) text += carve::checked_line(carve::step_line(step));
  if (journal.outcome) text += carve::checked_line(carve::closing_line(*journal.outcome));
  return text;
}

void read(const std::string& text) {
  const auto journal = carve::parse_journal(text, "journal");
  if (!journal) {
    if (carve::render_error(journal.error(), carve::Style{}).empty()) std::abort();
    return;
  }
  if (!*journal) return;
  const auto again = carve::parse_journal(written(**journal), "again");
  if (!again || !*again || written(**again) != written(**journal)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(with_checksums(text));
  return 0;
}
