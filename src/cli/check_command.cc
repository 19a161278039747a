// carve check: the plan as a stranger reads it. What the file says of itself is compared with what is re-derived.
#include <array>

#include "check/check.h"
#include "cli/artifacts.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/planning.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"PLAN", Need::required, "a plan file; - reads standard input"}};
constexpr std::array options{json_option, html_option, svg_option, ascii_option, width_option};
constexpr std::array examples{
    Example{"carve check plan.json", "findings, four questions, the bound"},
    Example{"carve check plan.json --html plan.html", "a kept plan as a page"},
};

Result<Exit> run(const Given& given) {
  TRY(const Style style, output_style(given));
  TRY_VOID(check_artifacts(given, given.text("PLAN")));
  TRY(Plan plan, read_plan_or_input(given.text("PLAN")));
  const Verification verification = verify(plan);
  plan.findings = findings(plan);
  TRY_VOID(write_artifacts(given, plan, verification.violations, given.text("PLAN")));
  TRY_VOID(
      print(given.has(json_option.name) ? check_json(plan, verification) : findings_report(plan, verification, style)));
  return verification.violations.empty() ? answer_of(plan) : Exit::no;
}

}  // namespace

constexpr Command check_command{"check",
                                "findings, the four questions, and the bound re-derived",
                                "Re-derives every limit from the cards' geometry and the workloads, and the bound\n"
                                "from the prices in the file, and compares them with what the file claims.\n"
                                "Exit 1: a rule is broken, a replica is unplaced or a finding is an error.",
                                arguments,
                                options,
                                examples,
                                run};

}  // namespace carve
