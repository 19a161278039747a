// text: what people and programs write. YAML and JSON become the same tree of nodes with places; a schema turns a tree
// into checked values, and is the one source of its error messages, hints and documentation.
//
// (The interface below is fixed: parse_yaml, parse_json, Node, Json. The schema reader is declared here too.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/base.h"

namespace carve {

using Json = boost::json::value;

}  // namespace carve
