// An open file descriptor and its owner, and the one loop that writes to one.
#pragma once

#include <string_view>

namespace carve {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }
  void close();

 private:
  int number_;
};

// Writes all of it, whatever interrupts. Zero, or the errno of the write that failed.
int write_all(int descriptor, std::string_view bytes);

}  // namespace carve
