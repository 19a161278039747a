// Text that lines up. Widths are columns of a terminal, not bytes: wide characters take two, combining ones none.
// Input may be hostile (file names, lines of a broken file), so what a terminal would obey is made visible instead.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "show/show.h"

namespace carve {

// ------------------------------------------------------------------------------------------------------------- ink

// Colour is only an addition: whatever carries meaning is also written.
enum class Ink { plain, bold, dim, red, green, yellow, cyan };
// The text, in this ink if the style has colour.
std::string inked(std::string_view text, Ink, const Style&);

// ----------------------------------------------------------------------------------------------------------- widths

// Columns that valid UTF-8 takes; a byte that is none counts one.
int display_width(std::string_view text);

// Control characters and bytes that are not UTF-8 replaced by "?", tabs by one space.
std::string printable(std::string_view text);
// The same, and in ASCII the typography that messages use ("×", "…") spelt in it. What a person named stays as it is.
std::string printable(std::string_view text, const Style&);

// The text if it has at most `width` columns, else its beginning and an ellipsis ("…", in ASCII "~"), one column wide.
std::string shortened(std::string_view text, int width, const Style&);

enum class Align { left, right, centre };
// Exactly `width` columns: shortened or filled with spaces.
std::string fitted(std::string_view text, int width, Align, const Style&);

// Lines of at most `width` columns, broken at spaces; a longer word stands alone and sticks out. At least one line.
std::vector<std::string> wrapped(std::string_view text, int width);

// Wrapped to the style's width, the first line behind `first`, the others behind as many spaces, or behind a few if
// `first` is long.
std::string paragraph(std::string_view first, std::string_view text, const Style&);
// The same with the others behind `hang` spaces.
std::string paragraph(std::string_view first, std::string_view text, const Style&, int hang);

// `times` copies of a string: rules, fillings.
std::string repeated(std::string_view unit, int times);

// ----------------------------------------------------------------------------------------------------------- tables

struct Column {
  std::string title;
  Align align = Align::left;
  int drop = 0;  // when the width does not suffice, columns with the largest `drop` go first; 0 stays
};

struct Text {
  std::string text;
  Ink ink = Ink::plain;

  Text(std::string words) : text(std::move(words)) {}  // NOLINT: a plain string is a text
  Text(const char* words) : text(words) {}             // NOLINT
  Text(std::string words, Ink colour) : text(std::move(words)), ink(colour) {}
};

// Rows under titles, two spaces between columns. Too wide for the style: columns are dropped by their rank; then the
// last column is wrapped, if it is left-aligned and enough is left of it; else the widest left-aligned one is
// shortened. No trailing spaces.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One cell per column.
  void add(std::vector<Text> cells);
  bool empty() const { return rows_.empty(); }
  // Every line behind `indent` spaces, ended by a line feed.
  std::string render(const Style&, int indent = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Text>> rows_;
};

}  // namespace carve
