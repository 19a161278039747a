// carve sim load: a process that holds a device as a CUDA program would, until its time is over or a signal comes.
// Signals are blocked and waited for, so that none comes between taking the device and giving it back.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "cli/output.h"
#include "cli/sim_commands.h"
#include "text/text.h"

namespace carve {

namespace {

constexpr Option memory_option{"--memory", "", "SIZE", "what to take, as 9GiB; 1GiB if it is not given"};
constexpr Option compute_option{"--compute", "", "PERCENT", "of the device's SMs that are in use, as 20%"};
constexpr Option for_option{"--for", "", "TIME", "how long, as 10min; until a signal if it is not given"};
constexpr Option crash_option{"--crash-after", "", "TIME", "aborts after this time, with an Xid on its device"};
constexpr Option xid_option{"--xid", "", "XID", "the Xid of the crash; 999, unknown, if it is not given"};
constexpr Option hang_option{"--hang", "", "", "does not end by SIGTERM, SIGINT or SIGHUP"};
constexpr std::array options{memory_option, compute_option, for_option,    crash_option,
                             xid_option,    hang_option,    sim_dir_option};
constexpr std::array examples{
    Example{"carve sim load --memory 9GiB --compute 20%", "on the first device that it finds"},
    Example{"carve sim load --for 10min", "for a time"},
    Example{"carve sim load --crash-after 2s --xid 31", "a crash, for its neighbours to see"}};

constexpr int unknown_xid = 999;

struct LoadOrder {
  Mib memory{1024};
  int sm_percent = 0;
  std::optional<Micros> time, crash_after;
  int xid = unknown_xid;
};

// The value of an option as a quantity, if it was given.
template <class Quantity>
Result<std::optional<Quantity>> quantity(const Given& given, const Option& option,
                                         Result<Quantity> (*parse)(std::string_view)) {
  if (!given.has(option.name)) return std::optional<Quantity>();
  auto value = parse(given.text(option.name));
  if (!value) return fail(std::move(value.error().within(std::string(option.name))));
  return std::optional<Quantity>(*value);
}

Result<LoadOrder> order_of(const Given& given) {
  LoadOrder order;
  TRY(const std::optional<Mib> memory, quantity(given, memory_option, parse_memory));
  if (memory) order.memory = *memory;
  TRY(const std::optional<Permille> compute, quantity(given, compute_option, parse_percent));
  if (compute) order.sm_percent = static_cast<int>(ceil_div(compute->value, 10));
  TRY(order.time, quantity(given, for_option, parse_duration));
  TRY(order.crash_after, quantity(given, crash_option, parse_duration));
  TRY(const std::optional<int> xid, given.number(xid_option.name, {1, unknown_xid}));
  if (order.time && order.crash_after)
    return fail(Error{Fault::bad_input, "--for and --crash-after exclude each other", {}, "give one of them", {}});
  if (xid && !order.crash_after)
    return fail(Error{Fault::bad_input,
                      "--xid stands without --crash-after",
                      {},
                      "'carve sim inject xid' raises one that nobody dies of",
                      {}});
  if (xid) order.xid = *xid;
  return order;
}

sigset_t ending_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

enum class Ending { time_is_over, signal };

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Until a signal of the set comes, or the moment.
Ending wait_for(const sigset_t& set, std::int64_t until_ns) {
  for (;;) {
    const std::int64_t left = std::max<std::int64_t>(until_ns - now_ns(), 0);
    const timespec rest{left / 1'000'000'000, left % 1'000'000'000};
    const int came = until_ns == never ? ::sigwaitinfo(&set, nullptr) : ::sigtimedwait(&set, nullptr, &rest);
    if (came > 0) return Ending::signal;
    if (errno == EAGAIN) return Ending::time_is_over;
  }
}

std::string place_of(const sim::Held& where) {
  if (where.gpu_instance == sim::no_instance) return fmt::format("card {}", where.card);
  return fmt::format("card {}, gi {}, ci {}", where.card, where.gpu_instance, where.compute_instance);
}

// Does not come back.
Result<Exit> crash(sim::Control& control, const sim::Context& context, int xid) {
  TRY_VOID(control.raise_xid(context.where, static_cast<std::uint64_t>(xid)));
  constexpr rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // nobody wants to read it
  std::abort();
}

Result<Exit> run(const Given& given) {
  TRY(const LoadOrder order, order_of(given));
  TRY(sim::Control control, sim_machine(given));
  const sigset_t signals = ending_signals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  sim::ContextOrder wanted;
  wanted.pid = ::getpid();
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) wanted.visible = visible;
  wanted.memory = order.memory;
  wanted.sm_percent = order.sm_percent;
  TRY(const sim::Context context, control.open_context(wanted));
  TRY_VOID(
      print(fmt::format("holding {} on {} ({})\n", to_string(order.memory), context.uuid, place_of(context.where))));
  const std::optional<Micros> time = order.crash_after ? order.crash_after : order.time;
  const std::int64_t until = time ? now_ns() + time->value * 1000 : never;
  Ending ending = wait_for(signals, until);
  while (ending == Ending::signal && given.has(hang_option.name)) ending = wait_for(signals, until);
  if (ending == Ending::time_is_over && order.crash_after) return crash(control, context, order.xid);
  TRY_VOID(control.remove_process(wanted.pid));
  return Exit::done;
}

}  // namespace

constexpr Command sim_load_command{"sim load",
                                   "a process that uses a device as a CUDA program would",
                                   "Takes memory on the first device that it finds: CUDA_VISIBLE_DEVICES counts,\n"
                                   "the device nodes below the machine's root must be there, and the compute mode\n"
                                   "must let it in. Says \"holding ...\" when it has it, and gives it back when its\n"
                                   "time is over or at SIGTERM, SIGINT or SIGHUP. Ends with 3 where there is no\n"
                                   "device, or not enough memory; the error has the number that CUDA has for it.",
                                   {},
                                   options,
                                   examples,
                                   run};

}  // namespace carve
