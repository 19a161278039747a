#include "cli/change_progress.h"

#include <unistd.h>

#include "cli/output.h"

namespace carve {

ChangeProgress::ChangeProgress(const Change& change, const Style& style)
    : terminal_(::isatty(STDERR_FILENO) == 1), style_(style) {
  for (const CardChange& card : change.cards) total_ += static_cast<int>(card.steps.size());
}

ChangeProgress::~ChangeProgress() {
  if (terminal_) complain("\r\x1b[K");
}

void ChangeProgress::tell(const ApplyEvent& event) {
  if (event.kind == ApplyEvent::Kind::done) ++done_;
  if (!terminal_) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - since_);
  const std::string line =
      fmt::format("{} of {} steps, {} s  {}", done_, std::max(total_, done_), seconds.count(), event_sentence(event));
  complain("\r\x1b[K" + one_line(line, style_));
}

}  // namespace carve
