// text: what people and programs write. YAML and JSON become the same tree of nodes with places; a schema turns a tree
// into checked values, and is the one source of its error messages, hints and documentation.
//
//   Trees        parse_yaml(), parse_json(), parse_csv(): Document, Node
//   Quantities   parse_memory() ...: "17.5GiB", "12.5%", "60ms", "3500/s" as exact integers, and written() back
//   Schemas      Schema, Field, Shape; read_record() checks a tree against one; Record gives typed values out;
//                describe_schema() renders the reference
//   Errors       Errors collects what a reader finds, in the order of places
//   Json         write_json() for values that a program made
//   Strangers    legible() for what somebody else is called
//   Drafts       write_yaml() for files that a program begins and a person goes on with
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// Text in UTF-8 without control characters or ends of lines: what is none is replaced by `?`, byte by byte.
std::string legible(std::string_view text);

// A line of a mapping, below the comment that explains it. Without a key there is only the comment.
struct YamlLine {
  std::string comment;     // any bytes: what is no text is replaced by `?`, and long lines are broken at spaces
  std::string key, value;  // as they stand in the file
};
using YamlItem = std::vector<YamlLine>;

// A list of mappings under one key, with a comment above. An item has a line with a key.
std::string write_yaml(std::string_view comment, std::string_view key, const std::vector<YamlItem>&);

// A text as a value: as it stands where that reads as the same text, else between quotes. Requires text without control
// characters.
std::string yaml_text(std::string_view text);

}  // namespace carve
