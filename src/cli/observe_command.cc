// carve observe: what running processes really use, written as a workload file to start from.
//
// The machine is read again and again. The end of the time, Ctrl-C and a driver that fails later than at the first
// reading all lead to the same: what was seen so far is written, whole, and says how it ended.
#include <unistd.h>
#include <array>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interrupts.h"
#include "cli/live.h"
#include "cli/observe_json.h"
#include "cli/output.h"
#include "observe/observe.h"
#include "workload/workload.h"

namespace carve {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr Option for_option{"--for", "", "TIME", "how long to look, as 10m or 90s; 10m if it is not given"};
constexpr Option every_option{"--every", "", "TIME", "time from one look to the next; 1s if it is not given"};
constexpr Option draft_option{"--output", "-o", "FILE", "write the workload file there, whole or not at all"};
constexpr std::array options{for_option, every_option, draft_option, json_option, sim_option, sim_dir_option};
constexpr std::array examples{Example{"carve observe --for 10m -o observed.yaml", "a workload file to start from"},
                              Example{"carve observe --for 30s --every 500ms --json", "each process with its figures"}};

Error usage(std::string message, std::string help) {
  return Error{Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

// ---------------------------------------------------------------------------------------------------------- asked

struct Asked {
  milliseconds span, every;
};

struct TimeOption {
  const Option* option;
  std::string_view otherwise;
  milliseconds least, most;
};
constexpr TimeOption span_times{&for_option, "10m", milliseconds(100), std::chrono::hours(168)};
constexpr TimeOption every_times{&every_option, "1s", milliseconds(100), std::chrono::hours(1)};

Result<milliseconds> time_of(const Given& given, const TimeOption& times) {
  const bool typed = given.has(times.option->name);
  const std::string text = typed ? given.text(times.option->name) : std::string(times.otherwise);
  const Result<Micros> time = parse_duration(text.ends_with('m') ? text + "in" : text);  // minutes, as in `sleep 10m`
  if (!time)
    return fail(
        usage(fmt::format("{} {}: no duration", times.option->name, text), "write it with its unit, as 10m, 90s"));
  const milliseconds whole(time->value / 1000);
  if (whole < times.least || whole > times.most)
    return fail(
        usage(fmt::format("{} {}: expected from {} to {}", times.option->name, text,
                          to_string(Micros{1000 * times.least.count()}), to_string(Micros{1000 * times.most.count()})),
              ""));
  return whole;
}

// Before ten minutes are spent: that the file can be written.
Result<void> check_output(const Given& given) {
  if (!given.has(draft_option.name)) return {};
  const std::string& path = given.text(draft_option.name);
  if (path.empty() || path == "-")
    return fail(usage("--output needs a file", "without it the workload file goes to standard output"));
  std::error_code failed;
  const std::filesystem::path place(path);
  if (std::filesystem::exists(place, failed) && !std::filesystem::is_regular_file(place, failed))
    return fail(usage(fmt::format("{} is no file", path), "name a file: what is not one is not replaced"));
  const std::filesystem::path folder = std::filesystem::absolute(place, failed).parent_path();
  if (!std::filesystem::is_directory(folder, failed))
    return fail(usage(fmt::format("there is no folder {}", folder.string()), "make it, or name a file in another"));
  if (::access(folder.c_str(), W_OK) != 0)
    return fail(Error{Fault::environment,
                      fmt::format("nothing may be written in {}", folder.string()),
                      {},
                      "name a file in a folder of your own",
                      {}});
  return {};
}

// --------------------------------------------------------------------------------------------------------- looking

// One line on a terminal, written over itself; nothing in a pipe.
class Ticker {
 public:
  Ticker() : style_(style_of(STDERR_FILENO)), shown_(::isatty(STDERR_FILENO) != 0) {}
  ~Ticker() {
    if (shown_) complain("\r\x1b[K");
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  void tell(const std::string& line) const {
    if (shown_) complain("\r\x1b[K" + line.substr(0, static_cast<std::size_t>(style_.width - 1)));
  }

 private:
  Style style_;
  bool shown_;
};

struct Looked {
  Observation observation;
  ObservedSpan span;
  std::optional<Error> failure;  // of the driver, after the first reading
};

std::string seconds(milliseconds time) { return to_string(Micros{1000 * (time.count() / 1000) * 1000}); }

Result<Looked> look(ReadOptions source, const Asked& asked) {
  Interrupts interrupts;
  const Ticker ticker;
  Looked looked;
  looked.span.every = asked.every;
  auto since = std::chrono::system_clock::now() - asked.every;
  const auto start = Clock::now();
  for (auto next = start;; next = std::max(next + asked.every, Clock::now())) {
    const bool late = next > start + asked.span;
    if (late) break;
    if (interrupts.wait_until(next) == Interrupts::Waited::interrupted) {
      looked.span.cut_short = "interrupted";
      break;
    }
    source.use_since = since;
    since = std::chrono::system_clock::now();
    const Result<Machine> machine = read_machine(source);
    if (!machine && looked.observation.samples() == 0) return fail(machine.error());
    if (!machine) {
      looked.failure = machine.error();
      looked.span.cut_short = machine.error().message;
      break;
    }
    looked.observation.add(*machine);
    looked.span.seen = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
    ticker.tell(fmt::format("observing: {} of {}; {}, {} now; Ctrl-C ends it early", seconds(looked.span.seen),
                            seconds(asked.span), counted(looked.observation.workloads(), "workload"),
                            looked.observation.running()));
  }
  return looked;
}

// --------------------------------------------------------------------------------------------------------- telling

Exit tell_nothing(const Observed& observed, const std::string& seen) {
  if (observed.workloads.empty()) {
    complain(fmt::format("nothing ran on the cards in {}: start what shall be observed, and look again\n", seen));
  } else {
    complain(fmt::format("no workload file: of {} that ran, the memory was told of none\n",
                         counted(static_cast<std::int64_t>(observed.workloads.size()), "workload")));
  }
  for (const std::string& note : observed.notes) complain(fmt::format("note: {}\n", legible(note)));
  return Exit::no;
}

std::string summary(const Observed& observed, const std::string& path) {
  return fmt::format("{} in {}: read it through, then `carve plan` plans for it\n",
                     counted(static_cast<std::int64_t>(observed.workloads.size()), "workload"), legible(path));
}

// A file that carve itself would not read is a defect, and is not handed on.
Result<Exit> tell_draft(const Given& given, const Observed& observed, const ObservedSpan& span) {
  const std::string draft = workload_draft(observed, span);
  if (const auto read = parse_workload_file(draft, "the workload file"); !read) {
    complain(fmt::format("internal defect: {}\n", read.error().message));
    return Exit::defect;
  }
  const bool to_file = given.has(draft_option.name);
  const std::string& path = given.text(draft_option.name);
  if (to_file) TRY_VOID(write_file_atomically(path, draft));
  if (given.has(json_option.name))
    TRY_VOID(print(observe_json(observed, span)));
  else
    TRY_VOID(print(to_file ? summary(observed, path) : draft));
  return Exit::done;
}

Result<Exit> tell(const Given& given, const Looked& looked) {
  const Observed observed = looked.observation.result();
  const std::string seen = counted(observed.samples, "sample");
  if (!looked.span.cut_short.empty() && !looked.failure)
    complain(fmt::format("{} after {}: what was seen so far follows\n", looked.span.cut_short, seen));
  if (can_be_planned(observed)) return tell_draft(given, observed, looked.span);
  if (given.has(json_option.name)) TRY_VOID(print(observe_json(observed, looked.span)));
  return tell_nothing(observed, seen);
}

Result<Exit> run(const Given& given) {
  TRY(const milliseconds span, time_of(given, span_times));
  TRY(const milliseconds every, time_of(given, every_times));
  TRY_VOID(check_output(given));
  TRY(ReadOptions source, live_source(given));
  TRY(const Looked looked, look(std::move(source), {span, every}));
  TRY(const Exit ended, tell(given, looked));
  if (!looked.failure) return ended;
  return fail(Error(*looked.failure).within(fmt::format("after {}", counted(looked.observation.samples(), "sample"))));
}

}  // namespace

constexpr Command observe_command{"observe",
                                  "what running processes really use, as a workload file",
                                  "Looks at the cards again and again, and changes nothing. Processes become\n"
                                  "replicas, replicas of one user and command become workloads: with the highest\n"
                                  "memory, and with the share of SMs where the driver tells it. Every user is a\n"
                                  "tenant, and what cannot be seen is left to fill in; comments say which.\n"
                                  "Ctrl-C ends it early: what was seen until then is written.",
                                  {},
                                  options,
                                  examples,
                                  run};

}  // namespace carve
