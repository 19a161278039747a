// A change under way as one line on the terminal: steps done, the one that runs, those to come, the time; nothing in a
// pipe.
#pragma once

#include <chrono>
#include <string>

#include "change/change.h"
#include "show/show.h"

namespace carve {

class ChangeProgress {
 public:
  ChangeProgress(const Change&, const Style&);
  ~ChangeProgress();  // wipes the line
  ChangeProgress(const ChangeProgress&) = delete;
  ChangeProgress& operator=(const ChangeProgress&) = delete;

  void tell(const ApplyEvent&);

 private:
  bool terminal_;
  Style style_;
  int total_ = 0, done_ = 0;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

}  // namespace carve
