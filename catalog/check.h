// What a schema cannot say: the files of the catalog as a whole.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "text/text.h"

namespace carve {

// One file, checked against its schema.
struct CatalogFile {
  Document document;
  Record record;
};

struct CatalogFiles {
  std::vector<CatalogFile> cards;
  std::map<std::string, std::string> sources;  // key to citation

  // Every model of every file, ordered by id.
  std::vector<Record> models() const;
};

// Ids and profile names are unique; every source key is explained and every explanation used; memory in MiB is what the
// listing prints; placements lie on the grid, in order; what is known says where from.
Result<void> check_catalog(const CatalogFiles&);

}  // namespace carve
