// Keeps the first twenty by place without holding all that a hostile file can produce: the list is cut whenever it has
// grown to twice what is shown.
#include "text/errors.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace carve {

namespace {

bool before(const Error& a, const Error& b) {
  const Place nowhere;
  const Place& x = a.place ? *a.place : nowhere;
  const Place& y = b.place ? *b.place : nowhere;
  return std::tie(x.file, x.line, x.column) < std::tie(y.file, y.line, y.column);
}

}  // namespace

void Errors::add(Error error) {
  found_ += 1 + error.others.size();
  std::vector<Error> others = std::move(error.others);
  error.others.clear();
  errors_.push_back(std::move(error));
  for (Error& other : others) errors_.push_back(std::move(other));
  if (errors_.size() > 2 * most) keep_first(most);
}

void Errors::keep_first(std::size_t count) {
  std::stable_sort(errors_.begin(), errors_.end(), before);
  if (errors_.size() > count) errors_.resize(count);
}

Error Errors::take() {
  keep_first(found_ > most ? most - 1 : most);
  if (found_ > most) {
    Error rest;
    rest.message = fmt::format("and {} further errors", found_ - errors_.size());
    rest.help = "correct the ones above first";
    errors_.push_back(std::move(rest));
  }
  Error first = std::move(errors_.front());
  first.others.assign(std::make_move_iterator(errors_.begin() + 1), std::make_move_iterator(errors_.end()));
  errors_.clear();
  found_ = 0;
  return first;
}

}  // namespace carve
