// Markup that nothing a person named can break. Tags come from literals of this program only; whatever is filled into
// them is escaped, or is markup that was made in the same way. There is no other way in.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "show/page/assets.h"

namespace carve {

// Text for HTML and XML, between tags and inside quoted attributes alike: what has a meaning there is escaped, and what
// has no business in a document (control characters, bytes that are not UTF-8) is made visible as "?".
std::string escaped(std::string_view text);

class Markup {
 public:
  // What fills a gap of a pattern.
  class Piece {
   public:
    Piece(std::string_view text) : made_(escaped(text)) {}               // NOLINT: text is a piece
    Piece(const std::string& text) : Piece(std::string_view(text)) {}    // NOLINT
    Piece(const char* text) : Piece(std::string_view(text)) {}           // NOLINT
    Piece(std::integral auto number) : made_(std::to_string(number)) {}  // NOLINT
    Piece(const Markup& markup) : made_(markup.text_) {}                 // NOLINT
    const std::string& made() const { return made_; }

   private:
    std::string made_;
  };

  // A literal with as many "{}" as there are pieces; another number does not compile.
  template <std::size_t gaps>
  class Pattern {
   public:
    consteval Pattern(const char* literal) : text_(literal) {  // NOLINT: a literal is a pattern
      std::size_t found = 0;
      for (std::size_t i = 0; i + 1 < text_.size(); ++i) found += text_[i] == '{' && text_[i + 1] == '}' ? 1 : 0;
      if (found != gaps) throw "the pattern does not have a gap for each piece";
    }
    std::string_view text() const { return text_; }

   private:
    std::string_view text_;
  };

  template <class... Pieces>
  Markup& put(std::type_identity_t<Pattern<sizeof...(Pieces)>> pattern, const Pieces&... pieces) {
    fill(pattern.text(), {Piece(pieces)...});
    return *this;
  }
  // A file of this folder, as it was embedded.
  Markup& put(const Asset& asset) {
    text_ += asset.text;
    return *this;
  }

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  void fill(std::string_view pattern, std::initializer_list<Piece> pieces);
  std::string text_;
};

}  // namespace carve
