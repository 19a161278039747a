// write_json(): a value in one line if it is small, else its items on lines of their own. Whether it fits is tried by
// writing it: the attempt stops at the width, so that the work stays linear in the output times the width.
#include <boost/json.hpp>

#include <fmt/format.h>

#include "text/text.h"

namespace carve {

namespace {

constexpr std::size_t line_width = 120;

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        else
          out.push_back(c);
    }
  }
  out.push_back('"');
}

std::string_view view(boost::json::string_view text) { return {text.data(), text.size()}; }

void append_scalar(std::string& out, const Json& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      out += "null";
      break;
    case boost::json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      break;
    case boost::json::kind::int64:
      fmt::format_to(std::back_inserter(out), "{}", value.get_int64());
      break;
    case boost::json::kind::uint64:
      fmt::format_to(std::back_inserter(out), "{}", value.get_uint64());
      break;
    case boost::json::kind::double_:
      out += boost::json::serialize(value);
      break;
    default:
      append_string(out, view(value.get_string()));
      break;
  }
}

// Appends the value on one line as long as `out` stays below `limit`; says whether it did.
bool append_line(std::string& out, const Json& value, std::size_t limit) {
  if (out.size() > limit) return false;
  const char* separator = "";
  if (const boost::json::array* array = value.if_array()) {
    if (!array->empty() && array->front().is_object()) return false;  // a table: a row on each line
    out.push_back('[');
    for (const Json& item : *array) {
      out += separator;
      separator = ", ";
      if (!append_line(out, item, limit)) return false;
    }
    out.push_back(']');
  } else if (const boost::json::object* object = value.if_object()) {
    out.push_back('{');
    for (const auto& [key, item] : *object) {
      out += separator;
      separator = ", ";
      append_string(out, view(key));
      out += ": ";
      if (!append_line(out, item, limit)) return false;
    }
    out.push_back('}');
  } else {
    append_scalar(out, value);
  }
  return out.size() <= limit;
}

void append(std::string& out, const Json& value, std::size_t indent);

void new_line(std::string& out, std::size_t indent) {
  out.push_back('\n');
  out.append(indent, ' ');
}

void append_lines(std::string& out, const Json& value, std::size_t indent) {
  const char* separator = "";
  if (const boost::json::array* array = value.if_array()) {
    out.push_back('[');
    for (const Json& item : *array) {
      out += separator;
      separator = ",";
      new_line(out, indent + 2);
      append(out, item, indent + 2);
    }
    new_line(out, indent);
    out.push_back(']');
    return;
  }
  out.push_back('{');
  for (const auto& [key, item] : value.get_object()) {
    out += separator;
    separator = ",";
    new_line(out, indent + 2);
    append_string(out, view(key));
    out += ": ";
    append(out, item, indent + 2);
  }
  new_line(out, indent);
  out.push_back('}');
}

void append(std::string& out, const Json& value, std::size_t indent) {
  if (!value.is_structured()) return append_scalar(out, value);
  const std::size_t start = out.size();
  const std::size_t line_start = out.rfind('\n') + 1;  // 0 if there is none: npos + 1
  if (append_line(out, value, line_start + line_width)) return;
  out.resize(start);
  append_lines(out, value, indent);
}

}  // namespace

std::string write_json(const Json& value) {
  std::string out;
  append(out, value, 0);
  out.push_back('\n');
  return out;
}

}  // namespace carve
