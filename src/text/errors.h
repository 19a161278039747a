// The errors of one reader: all that it finds, up to twenty, in the order of their places.
#pragma once

#include <cstddef>
#include <vector>

#include "base/base.h"

namespace carve {

class Errors {
 public:
  static constexpr std::size_t most = 20;

  void add(Error error);
  bool empty() const { return errors_.empty(); }

  // The first error with the others inside it. If there were more than twenty, the last says how many are not shown.
  // Requires !empty().
  Error take();

 private:
  void keep_first(std::size_t count);

  std::vector<Error> errors_;
  std::size_t found_ = 0;
};

}  // namespace carve
