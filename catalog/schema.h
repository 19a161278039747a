// What the files of the catalog look like.
#pragma once

#include "text/text.h"

namespace carve {

// A file of card models.
const Schema& catalog_file_schema();
// sources.yaml
const Schema& sources_file_schema();

}  // namespace carve
