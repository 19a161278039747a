#include "cli/planning.h"

#include <algorithm>
#include <chrono>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "pack/pack.h"

namespace carve {

namespace {

// Laps of a stopwatch, as lines for --stats.
class Laps {
 public:
  void lap(std::string_view name) {
    const auto now = Clock::now();
    const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(now - last_).count();
    text_ += fmt::format("{:<9} {:>9} us\n", name, spent);
    last_ = now;
  }
  const std::string& text() const { return text_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
  std::string text_;
};

}  // namespace

Result<Planned> plan_for(const std::string& path, const Given& given) {
  Laps laps;
  TRY(Asked asked, read_workloads(path, given));
  const WorkloadFile& file = asked.file;
  laps.lap("read");
  Planned planned;
  PackStats search;
  {
    const Progress progress(
        fmt::format("packing {} of {}", counted(std::ssize(file.workloads), "workload"), shown_path(path)));
    TRY(planned.plan, pack(file, &search));
  }
  planned.plan.left_out = std::move(asked.left_out);
  laps.lap("pack");
  planned.violations = verify(planned.plan).violations;
  laps.lap("verify");
  planned.plan.findings = findings(planned.plan);
  laps.lap("findings");
  planned.stats = laps.text() + fmt::format("search    {} of column generation, {}, {} of branch and bound\n",
                                            counted(search.rounds, "round"), counted(search.columns, "column"),
                                            counted(search.nodes, "node"));
  return planned;
}

Exit refuse_own_plan(const Planned& planned) {
  std::string text = "internal defect: the checker refuses the plan that was just made; it is not shown\n";
  for (const Violation& violation : planned.violations)
    text += fmt::format("  {}: {}\n", violation.subject, violation.message);
  complain(text + "please report it with the workload file\n");
  return Exit::defect;
}

Exit answer_of(const Plan& plan) {
  const bool error = std::any_of(plan.findings.begin(), plan.findings.end(),
                                 [](const Finding& f) { return f.severity == Severity::error; });
  return error || !plan.unplaced.empty() ? Exit::no : Exit::done;
}

}  // namespace carve
