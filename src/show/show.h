// show: what a person sees. Maps, tables, diagnostics; plain text in, no decisions.
#pragma once

#include <string>
#include <vector>

#include "change/change.h"
#include "check/check.h"
#include "machine/machine.h"

namespace carve {

// How the output may look.
struct Style {
  bool unicode = true;  // box drawing; else ASCII
  bool colour = false;
  int width = 100;  // columns of the terminal
};
// From the environment: colour only on a terminal and without NO_COLOR, UTF-8 from the locale, the terminal's width.
Style style_of(int file_descriptor);

// Cards drawn on their grid with partitions, mechanisms, shares and what is stranded; cards that look alike once.
std::string map_of(const Plan&, const Style&);

// The whole answer of `carve plan`: headline, map, reasons, findings, the four questions, the proof.
std::string report(const Plan&, const std::string& file, const Style&);
std::string findings_report(const Plan&, const Verification&, const Style&);

// The plan as one page of HTML that stands alone: it loads nothing, needs no script, and prints. `file` is what it was
// made from. With violations it says that the plan cannot be used.
std::string page_of(const Plan&, const std::vector<Violation>&, const std::string& file);
// The cards alone, as SVG.
std::string drawing_of(const Plan&, const std::vector<Violation>&);

// `carve cards`: all models, or one with its profiles and placements drawn on the grid.
std::string card_list(const Style&);
std::string card_page(const ModelMatch&, const Style&);

// `carve mechanisms`: the two tables and the limits.
std::string mechanism_tables(const Style&);

// `carve why`: what one workload got on each card model of the fleet, why, and why nothing else.
std::string why_page(const Plan&, const Workload&, const Style&);

// `carve status`: each card with its modes, its partitions on its grid, who holds them, and what is not known.
std::string status_page(const Machine&, const Style&);

// `carve cards --live`: where the driver of each card and the catalog differ, and what carve plans with.
std::string differences_page(const Machine&, const Style&);

// A page as lines for a terminal of this size: each at most `columns` wide, at most `rows` of them from line `first`
// on; if not all fit, the last says so.
struct Window {
  int columns = 80;
  int rows = 24;
  int first = 0;
};
std::vector<std::string> window_lines(std::string_view page, const Window&, const Style&);

// `carve diff`: the steps of each card that changes, whom they disturb, what forbids them, and what it adds up to.
std::string change_page(const Change&, const Style&);
// The same as commands that a person could type, one a line.
std::string as_nvidia_smi(const Change&);

// `carve apply`: what happens, in some words; a line that fits the terminal; how it ended.
std::string event_sentence(const ApplyEvent&);
std::string one_line(const std::string& text, const Style&);
std::string applied_text(const Applied&, const Style&);

// `carve journal`.
std::string journal_list(const std::vector<Journaled>&, const Style&);
std::string journal_page(const Journaled&, const Style&);

// Errors as people know them from rustc: message, place, caret, help.
std::string render_error(const Error&, const Style&);

}  // namespace carve
