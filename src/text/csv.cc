// parse_csv: one pass over the lines. No quotes: the cells are names and numbers, and a quote in one is a mistake that
// is better named than guessed at.
#include "text/csv.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "text/tree.h"

namespace carve {

namespace {

using text_internal::Builder;
using text_internal::error_at;
using text_internal::Tree;

// Part of the source.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
};

class CsvParser {
 public:
  CsvParser(const Tree& tree, Builder& builder) : tree_(tree), text_(tree.source), builder_(builder) {}

  Result<void> document() {
    TRY_VOID(builder_.open(0, NodeKind::sequence));
    std::size_t rows = 0;
    for (std::size_t at = 0; at < text_.size();) {
      Span line{at, std::min(text_.find('\n', at), text_.size())};
      at = line.end + 1;
      line = trimmed(line);
      if (line.size() == 0 || text_[line.begin] == '#') continue;
      const std::vector<Span> cells = split(line);
      if (header_.empty()) {
        TRY_VOID(header(cells));
      } else {
        TRY_VOID(row(line, cells));
        ++rows;
      }
    }
    if (header_.empty()) return fail(error_at(tree_, 0, "the table is empty", "it begins with a row of column names"));
    if (rows == 0) return fail(error_at(tree_, header_[0].begin, "the table has no rows below its header", ""));
    builder_.close();
    return {};
  }

 private:
  std::string_view view(Span span) const { return text_.substr(span.begin, span.size()); }

  Span trimmed(Span span) const {
    const auto blank = [&](std::size_t at) { return text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r'; };
    while (span.begin < span.end && blank(span.begin)) ++span.begin;
    while (span.begin < span.end && blank(span.end - 1)) --span.end;
    return span;
  }

  std::vector<Span> split(Span line) const {
    std::vector<Span> cells;
    for (std::size_t at = line.begin;;) {
      const std::size_t comma = std::min(text_.find(',', at), line.end);
      cells.push_back(trimmed({at, comma}));
      if (comma == line.end) return cells;
      at = comma + 1;
    }
  }

  Result<void> header(const std::vector<Span>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].size() == 0) return fail(error_at(tree_, cells[i].begin, "a column without a name", ""));
      for (std::size_t j = 0; j < i; ++j)
        if (view(cells[i]) == view(cells[j]))
          return fail(error_at(tree_, cells[i].begin, fmt::format("two columns are named `{}`", view(cells[i])), ""));
      if (cells.size() > most_columns)
        return fail(error_at(tree_, cells[0].begin, fmt::format("more than {} columns", most_columns), ""));
    }
    header_ = cells;
    return {};
  }

  Result<void> row(Span line, const std::vector<Span>& cells) {
    if (cells.size() != header_.size()) {
      builder_.errors().add(
          error_at(tree_, line.begin,
                   fmt::format("{} in a table of {}", counted(static_cast<std::int64_t>(cells.size()), "cell"),
                               counted(static_cast<std::int64_t>(header_.size()), "column")),
                   "a row has a cell for each column; a cell may be empty"));
      return {};
    }
    TRY_VOID(builder_.open(line.begin, NodeKind::mapping));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Span cell = cells[i];
      if (view(cell).find('"') != std::string_view::npos)
        builder_.errors().add(error_at(tree_, cell.begin, "quotes are not supported in tables",
                                       "write the cell without quotes; none needs a comma"));
      const NodeKind kind = cell.size() == 0 ? NodeKind::null : NodeKind::plain;
      TRY_VOID(builder_.source_scalar(header_[i].begin, NodeKind::plain, header_[i].begin, header_[i].size()));
      TRY_VOID(builder_.source_scalar(cell.begin, kind, cell.begin, cell.size()));
    }
    builder_.close();
    return {};
  }

  static constexpr std::size_t most_columns = 64;

  const Tree& tree_;
  std::string_view text_;
  Builder& builder_;
  std::vector<Span> header_;
};

}  // namespace

Result<Document> parse_csv(std::string text, const std::string& file, const Caps& caps) {
  TRY(auto tree, text_internal::start_tree(std::move(text), file, caps));
  Builder builder(*tree, caps);
  TRY_VOID(CsvParser(*tree, builder).document());
  if (!builder.errors().empty()) return fail(builder.errors().take());
  return Document(std::shared_ptr<const Tree>(std::move(tree)));
}

}  // namespace carve
