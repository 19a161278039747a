// Escaping is one table; filling a pattern is one pass.
#include "show/page/markup.h"

#include <array>

#include "show/table.h"

namespace carve {

namespace {

struct Escape {
  std::string_view text, written;
};
// The last two are characters that XML does not allow although they are valid UTF-8.
constexpr std::array<Escape, 7> escapes{{{"&", "&amp;"},
                                         {"<", "&lt;"},
                                         {">", "&gt;"},
                                         {"\"", "&quot;"},
                                         {"'", "&#39;"},
                                         {"\xef\xbf\xbe", "?"},
                                         {"\xef\xbf\xbf", "?"}}};

}  // namespace

std::string escaped(std::string_view text) {
  const std::string shown = printable(text);
  std::string result;
  result.reserve(shown.size());
  for (std::size_t i = 0; i < shown.size();) {
    const Escape* found = nullptr;
    for (const Escape& escape : escapes)
      if (std::string_view(shown).substr(i).starts_with(escape.text)) found = &escape;
    if (found == nullptr) {
      result += shown[i++];
    } else {
      result += found->written;
      i += found->text.size();
    }
  }
  return result;
}

void Markup::fill(std::string_view pattern, std::initializer_list<Piece> pieces) {
  const Piece* next = pieces.begin();
  for (std::size_t gap; (gap = pattern.find("{}")) != std::string_view::npos; pattern.remove_prefix(gap + 2)) {
    text_ += pattern.substr(0, gap);
    text_ += (next++)->made();
  }
  text_ += pattern;
}

}  // namespace carve
