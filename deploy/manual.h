// The manual, in the language of man(7), from the same tables as --help.
#pragma once

#include <string>
#include <vector>

namespace carve {

struct ManualPage {
  std::string name;  // "carve-plan"
  std::string text;
};

// carve(1) and a page for each command. `date` is what the pages give as theirs: "2026-12-01".
std::vector<ManualPage> manual_pages(const std::string& date);

}  // namespace carve
