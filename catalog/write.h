// The catalog as C++: constants that fill the rows of src/card/catalog_table.h.
#pragma once

#include <string>

#include "check.h"

namespace carve {

// Requires files that check_catalog() accepts.
std::string catalog_table_source(const CatalogFiles&);

}  // namespace carve
