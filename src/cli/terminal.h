// The terminal as a page that changes in place: the alternate screen without a cursor, single keys, and everything as
// it was before however the program ends.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/base.h"

namespace carve {

struct TerminalSize {
  int rows = 24;
  int columns = 80;
};

enum class Key { none, quit, down, up, page_down, page_up, top };

// One at a time. While it lives SIGINT, SIGTERM, SIGHUP and SIGQUIT first restore the terminal and then end the program
// as ever; SIGTSTP restores it while the program is stopped.
class Terminal {
 public:
  // Error: bad_input: standard output is no terminal.
  static Result<Terminal> open();
  ~Terminal();
  Terminal(Terminal&& other) noexcept;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  Terminal& operator=(Terminal&&) = delete;

  TerminalSize size() const;
  // Shows these lines from the top, in one write and only those that changed.
  void show(std::vector<std::string> lines);
  // Until a key, a new size or the end of the time, whatever comes first.
  Key wait(std::chrono::milliseconds limit);

 private:
  Terminal() = default;

  bool owner_ = true;
  TerminalSize shown_size_;
  std::vector<std::string> shown_;  // a line for each row
};

// What turns a screen of these lines into one of those: each line that differs, and nothing else. Both have a line for
// each row; lines may be longer than those on the screen, which then were never written.
std::string frame_change(const std::vector<std::string>& from, const std::vector<std::string>& to);

}  // namespace carve
