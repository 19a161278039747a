// Text of strangers, made fit for files that are text.
#include <algorithm>
#include <array>

#include "text/text.h"
#include "text/tree.h"

namespace carve {

namespace {

// What some readers take for the end of a line, beside those that are control characters.
constexpr std::array<std::string_view, 3> breaks{"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (first < 0x20 || first == 0x7f) return true;
  const bool second_block = first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
  return second_block || std::find(breaks.begin(), breaks.end(), character) != breaks.end();
}

}  // namespace

std::string legible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = text_internal::utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(character))
      result += '?';
    else
      result += character;
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace carve
