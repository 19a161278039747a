#include "cli/changing.h"

#include <unistd.h>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "cli/change_json.h"
#include "cli/change_progress.h"
#include "cli/output.h"
#include "cli/simulated.h"
#include "text/text.h"

namespace carve {

namespace {

// Set by the handler; one process changes one machine.
std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int) { stop_asked = true; }

// A signal ends the change between two steps while this lives.
class StopSignals {
 public:
  StopSignals() {
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &action, &before_[i]);
  }
  ~StopSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

std::string now_as_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

struct DrainWord {
  std::string_view word;
  Drain drain;
};
constexpr std::array drain_words{DrainWord{"refuse", Drain::refuse}, DrainWord{"wait", Drain::wait},
                                 DrainWord{"stop", Drain::stop}};

Result<std::chrono::milliseconds> drain_limit(const Given& given, std::chrono::milliseconds usual) {
  if (!given.has(drain_limit_option.name)) return usual;
  auto parsed = parse_duration(given.text(drain_limit_option.name));
  if (!parsed) return fail(std::move(parsed.error().within(std::string(drain_limit_option.name))));
  return std::chrono::milliseconds(parsed->value / 1000);
}

constexpr Exit exit_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return Exit::done;
    case Outcome::rolled_back:
      return Exit::rolled_back;
    case Outcome::reboot_needed:
      return Exit::unfinished;
    case Outcome::failed:
      break;
  }
  return Exit::environment;
}

}  // namespace

Result<StateFolders> state_folders(const Given& given) {
  if (given.has(root_option.name))
    return StateFolders{std::filesystem::absolute(given.text(root_option.name)).string()};
  const SimWish wish = sim_wish(given);
  if (!wish.meant()) return StateFolders{};
  TRY(const std::string folder, sim_folder(wish));
  return StateFolders{folder + "/root"};
}

Result<Scene> read_scene(const Given& given) {
  Scene scene;
  TRY(scene.driver, live_source(given));
  TRY(scene.folders, state_folders(given));
  if (sim_wish(given).meant()) {
    TRY(scene.reset, sim_reset_tool());
    TRY(const std::string folder, sim_folder(sim_wish(given)));
    scene.device_root = folder + "/root";
  }
  TRY(scene.machine, read_machine(scene.driver));
  return scene;
}

Result<Permissions> permissions_of(const Given& given) {
  Permissions permissions;
  if (given.has(replace_foreign_option.name)) permissions.foreign = Foreign::replace;
  if (!given.has(drain_option.name)) return permissions;
  for (const DrainWord& row : drain_words) {
    if (row.word != given.text(drain_option.name)) continue;
    permissions.drain = row.drain;
    return permissions;
  }
  return fail(Error{Fault::bad_input,
                    fmt::format("--drain: `{}` is no way to drain", given.text(drain_option.name)),
                    {},
                    "refuse, wait or stop",
                    {}});
}

Result<Target> target_of_plan(const Given& given, const Plan& plan, const Machine& machine) {
  return bind_plan(plan, machine, {given.has(bind_option.name), given.text(node_option.name)});
}

Result<Exit> refuse_change(const Change& change) {
  std::vector<Error> reasons;
  bool wanted_wrong = true;
  for (const CardChange& card : change.cards) {
    for (const Obstacle& obstacle : card.obstacles) {
      wanted_wrong = wanted_wrong && obstacle.kind == Obstacle::Kind::impossible;
      reasons.push_back({Fault::environment,
                         fmt::format("card {}: {}; nothing was changed", card.index, obstacle.message),
                         {},
                         obstacle.help,
                         {}});
    }
  }
  Error error = reasons.front();
  error.others.assign(reasons.begin() + 1, reasons.end());
  error.fault = wanted_wrong ? Fault::bad_input : Fault::environment;
  return fail(std::move(error));
}

Result<Exit> carry_out(const Change& change, const Scene& scene, const Given& given, const std::string& command,
                       AfterReboot after_reboot) {
  TRY(const Style style, output_style(given));
  const bool json = given.has(json_option.name);
  ApplyOptions options;
  options.driver = scene.driver;
  options.reset = scene.reset;
  options.folders = scene.folders;
  options.device_root = scene.device_root;
  TRY(options.permissions, permissions_of(given));
  TRY(options.limits.drain, drain_limit(given, options.limits.drain));
  options.command = command;
  options.at = now_as_text();
  options.after_reboot = after_reboot;
  options.stop = &stop_asked;
  std::optional<ChangeProgress> progress;
  if (!json) progress.emplace(change, style);
  options.tell = [&](const ApplyEvent& event) {
    if (json)
      (void)print(event_json(event));
    else
      progress->tell(event);
  };
  const StopSignals signals;
  constexpr std::chrono::seconds grace{10};
  ProcessOccupants occupants(
      given.has(stop_foreign_option.name) ? Stop::everybodys : Stop::ours, [](std::int32_t) { return false; }, grace);
  TRY(const Applied applied, apply_change(change, occupants, options));
  progress.reset();
  TRY_VOID(print(json ? applied_json(applied) : applied_text(applied, style)));
  return exit_of(applied.outcome);
}

}  // namespace carve
