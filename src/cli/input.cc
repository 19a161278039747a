#include "cli/input.h"

#include "cli/live.h"
#include "cli/live_fleet.h"

#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace carve {

namespace {

constexpr std::int64_t workload_limit = std::int64_t{16} << 20;
constexpr std::int64_t plan_limit = std::int64_t{256} << 20;

Result<std::string> read_standard_input(std::int64_t limit) {
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(
          Error{Fault::environment, fmt::format("reading standard input: {}", std::strerror(errno)), {}, {}, {}});
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (static_cast<std::int64_t>(bytes.size()) > limit)
      return fail(Error{Fault::bad_input,
                        fmt::format("standard input is larger than {} MiB, the most that is read", limit >> 20),
                        {},
                        {},
                        {}});
  }
}

Result<LiveFleet> read_live_fleet(const Given& given) {
  TRY(const Machine machine, read_live_machine(given));
  return live_fleet(machine, host_name());
}

// Neither the file nor the machine has cards: why the machine has none stays said.
Error no_cards(const std::string& path, const Error& why) {
  Error error = why;
  error.message = fmt::format("{} names no cards to plan for, and this machine has none: {}", path, why.message);
  error.help =
      "add --fleet 8xh100-80gb, or to the file:  fleet: [{card: h100-80gb, count: 8}];  'carve cards' lists the "
      "cards";
  if (!why.help.empty()) error.help += ". For the cards of this machine: " + why.help;
  return error;
}

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : path; }

Result<Asked> read_workloads(const std::string& path, const Given& given) {
  WorkloadFile file;
  if (path == "-") {
    TRY(const std::string text, read_standard_input(workload_limit));
    TRY(file, parse_workload_file(text, shown_path(path)));
  } else {
    TRY(file, read_workload_file(path));
  }
  if (given.has(fleet_option.name)) {
    TRY(file.fleet, parse_fleet(given.text(fleet_option.name)));
  }
  const bool simulated = given.has(sim_option.name) || given.has(sim_dir_option.name);
  if (simulated && given.has(fleet_option.name))
    return fail(Error{Fault::bad_input,
                      "--fleet names cards to plan for, and --sim cards of a machine",
                      {},
                      "leave one of the two away",
                      {}});
  if (!simulated && !file.fleet.empty()) return Asked{std::move(file), {}};
  Result<LiveFleet> live = read_live_fleet(given);
  if (!live) return fail(no_cards(shown_path(path), live.error()));
  file.fleet = std::move(live->fleet);
  return Asked{std::move(file), std::move(live->left_out)};
}

Result<Plan> read_plan_or_input(const std::string& path) {
  if (path != "-") return read_plan(path);
  TRY(const std::string text, read_standard_input(plan_limit));
  return parse_plan(text, shown_path(path));
}

}  // namespace carve
