// text: what people and programs write. YAML and JSON become the same tree of nodes with places; a schema turns a tree
// into checked values, and is the one source of its error messages, hints and documentation.
//
//   Trees        parse_yaml(), parse_json(), parse_csv(): Document, Node
//   Quantities   parse_memory() ...: "17.5GiB", "12.5%", "60ms", "3500/s" as exact integers, and written() back
//   Schemas      Schema, Field, Shape; read_record() checks a tree against one; Record gives typed values out;
//                describe_schema() renders the reference
//   Errors       Errors collects what a reader finds, in the order of places
//   Json         write_json() for values that a program made
#pragma once

#include <string>

#include <boost/json/fwd.hpp>

#include "text/csv.h"
#include "text/document.h"
#include "text/errors.h"
#include "text/quantity.h"
#include "text/schema.h"

namespace carve {

using Json = boost::json::value;

// Two spaces of indentation, keys in the order in which they were inserted, a newline at the end. What fits into one
// line of 120 columns stands on one line; a list of objects has a line for each.
std::string write_json(const Json&);

}  // namespace carve
