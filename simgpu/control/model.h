// From the rows of the catalog to boards. Inside this room only.
#pragma once

#include "card/catalog_table.h"
#include "simgpu/control/control.h"

namespace carve::sim {

// The row that a name means: its id, or the one row whose id has all its words; of several boards of one memory size
// the SXM board.
Result<const ModelRow*> find_row(std::string_view name);

// The figures of a board. Identity is added by the caller.
Result<Board> board_of(const ModelRow&, const CardOrder&);

}  // namespace carve::sim
