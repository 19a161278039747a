// Tables with a header row, as the same tree: a list of mappings from the names of the columns.
#pragma once

#include <string>

#include "text/document.h"

namespace carve {

inline constexpr Caps measured_table{16 << 20, 2'000'000, 64};

// Comma-separated values. Lines that are empty or begin with `#` are skipped, CRLF is accepted, blanks around a cell
// are ignored, an empty cell is null. Refused: quotes, a row with another number of cells than the header, two columns
// of one name, a column without a name. Places are those of the cells. The columns stand in the keys of each row; a
// table without rows is an error.
Result<Document> parse_csv(std::string text, const std::string& file, const Caps& = measured_table);

}  // namespace carve
