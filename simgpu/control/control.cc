// What happens to a machine, one locked change at a time.
#include "simgpu/control/control.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "simgpu/control/fault.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

namespace {

struct StoreSentence {
  StoreFault fault;
  const char* sentence;
  const char* help;
};
constexpr StoreSentence store_sentences[] = {
    {StoreFault::missing, "there is no simulated machine in {}", "make one: carve sim create 8xh100-80gb"},
    {StoreFault::denied, "the simulated machine in {} cannot be opened", "check who may read and write its folder"},
    {StoreFault::foreign, "{}/machine is not a simulated machine of this version",
     "if it is an old one, remove that file and make the machine again; else choose another folder"},
    {StoreFault::damaged, "the simulated machine in {} is damaged", "carve sim create --replace makes another"},
    {StoreFault::exists, "there is a simulated machine in {} already", "'carve sim create --replace' makes another"},
};

struct RuleSentence {
  Return code;
  const char* sentence;
};
constexpr RuleSentence rule_sentences[] = {
    {in_use, "somebody holds the card"},
    {reset_type_not_supported, "a card that is passed through cannot be reset"},
    {invalid_argument, "there is no such card, instance or process"},
    {out_of_memory, "there is not enough free memory"},
    {insufficient_resources, "the machine has no room for more of these"},
    {gpu_is_lost, "the card is lost"},
    {not_found, "it is not there"},
};

Error error_of(Return code, const std::string& doing) {
  const auto found = std::find_if(std::begin(rule_sentences), std::end(rule_sentences),
                                  [&](const RuleSentence& row) { return row.code == code; });
  const std::string why = found == std::end(rule_sentences) ? fmt::format("NVML error {}", static_cast<int>(code))
                                                            : std::string(found->sentence);
  return Error{Fault::environment, fmt::format("{}: {}", doing, why), {}, "", {}};
}

bool has_card(const Machine& machine, int card) { return card >= 0 && card < machine.boards.count; }

// Functions that never look at the machine's faults: they ask no machine, or come before and after there is one.
constexpr Function beyond_faults[] = {Function::nvmlInit,
                                      Function::nvmlInit_v2,
                                      Function::nvmlInitWithFlags,
                                      Function::nvmlShutdown,
                                      Function::nvmlErrorString,
                                      Function::nvmlSystemGetNVMLVersion,
                                      Function::nvmlSystemGetCudaDriverVersion,
                                      Function::nvmlSystemGetCudaDriverVersion_v2,
                                      Function::nvmlGpmSampleAlloc,
                                      Function::nvmlGpmSampleFree};

bool can_be_struck(int function) {
  return std::none_of(std::begin(beyond_faults), std::end(beyond_faults),
                      [&](Function other) { return static_cast<int>(other) == function; });
}

int function_number(const std::string& name) {
  for (int i = 0; i < function_count; ++i) {
    if (name == function_rows[i].name) return i;
  }
  return -1;
}

}  // namespace

Error error_of(StoreFault fault, const std::string& folder) {
  for (const StoreSentence& row : store_sentences) {
    if (row.fault == fault)
      return Error{Fault::environment, fmt::format(fmt::runtime(row.sentence), folder), {}, row.help, {}};
  }
  return Error{Fault::environment, folder, {}, "", {}};
}

Result<std::unique_ptr<Machine>> Control::look() {
  const Access access(*store_, folder_.c_str(), LockKind::shared);
  if (access.fault() != StoreFault::none) return fail(error_of(access.fault(), folder_));
  return std::make_unique<Machine>(access.machine());
}

template <class Change>
Result<void> Control::change(const std::string& doing, const Change& change) {
  Access access(*store_, folder_.c_str(), LockKind::exclusive);
  if (access.fault() != StoreFault::none) return fail(error_of(access.fault(), folder_));
  forget_dead(access.edit().now, alive, now_us());
  if (const Return code = change(access.edit()); code != success) return fail(error_of(code, doing));
  if (const StoreFault fault = access.commit(); fault != StoreFault::none) return fail(error_of(fault, folder_));
  return show(access.machine());
}

Result<void> Control::show(const Machine& machine) const {
  const int failed = show_tree(folder_.c_str(), newest_driver, machine);
  if (failed == 0) return {};
  return fail(Error{Fault::environment,
                    fmt::format("cannot write the files below {}/root: {}", folder_, std::strerror(failed)),
                    {},
                    "",
                    {}});
}

Result<void> Control::show_files() {
  if (::mkdir((folder_ + "/root").c_str(), 0777) != 0 && errno != EEXIST)
    return fail(
        Error{Fault::environment, fmt::format("cannot make {}/root: {}", folder_, std::strerror(errno)), {}, "", {}});
  return change("showing its files", [](Machine&) { return success; });
}

Result<void> Control::reset(int card) {
  return change(fmt::format("resetting card {}", card), [&](Machine& machine) {
    return has_card(machine, card) ? reset_card(machine, card, ::getpid()) : invalid_argument;
  });
}

Result<void> Control::reboot() {
  return change("rebooting", [](Machine& machine) {
    sim::reboot(machine);
    return success;
  });
}

Result<void> Control::unload_driver() {
  return change("unloading the driver", [](Machine& machine) { return sim::unload_driver(machine, ::getpid()); });
}

Result<void> Control::load_driver() {
  return change("loading the driver", [](Machine& machine) {
    if (machine.now.loaded == 0) sim::load_driver(machine);
    return success;
  });
}

Result<void> Control::lose(int card) {
  return change(fmt::format("losing card {}", card), [&](Machine& machine) {
    if (!has_card(machine, card)) return invalid_argument;
    machine.now.cards[card].lost = 1;
    return success;
  });
}

Result<void> Control::raise_xid(Held where, std::uint64_t xid) {
  return change(fmt::format("raising Xid {}", xid), [&](Machine& machine) {
    if (!has_card(machine, where.card)) return invalid_argument;
    const Card& card = machine.now.cards[where.card];
    if (where.gpu_instance != no_instance && gpu_instance_with_id(card, where.gpu_instance) < 0)
      return invalid_argument;
    add_event(machine.now,
              {0, event_xid, xid, where.gpu_instance, where.compute_instance, static_cast<std::uint32_t>(where.card)});
    return success;
  });
}

Result<void> Control::block(const std::string& name, std::vector<int> cards) {
  return change(fmt::format("blocking cards for {}", name), [&](Machine& machine) {
    Blocker blocker{};
    if (name.empty() || !blocker.name.assign(name)) return invalid_argument;
    for (const int card : cards) {
      if (!has_card(machine, card)) return invalid_argument;
      blocker.cards |= 1u << card;
    }
    const auto found = std::find_if(std::begin(machine.now.blockers), std::end(machine.now.blockers),
                                    [&](const Blocker& b) { return b.name.view() == name || b.name.view().empty(); });
    if (found == std::end(machine.now.blockers)) return insufficient_resources;
    *found = blocker;
    return success;
  });
}

Result<void> Control::unblock(const std::string& name) {
  return change(fmt::format("unblocking {}", name), [&](Machine& machine) {
    const auto found = std::find_if(std::begin(machine.now.blockers), std::end(machine.now.blockers),
                                    [&](const Blocker& b) { return !name.empty() && b.name.view() == name; });
    if (found == std::end(machine.now.blockers)) return not_found;
    *found = {};
    return success;
  });
}

Result<void> Control::arm(const FaultOrder& order) {
  const int function = order.function.empty() ? 0 : function_number(order.function);
  if (function < 0)
    return fail(Error{Fault::bad_input, fmt::format("'{}' is no function of the library", order.function), {}, "", {}});
  if (!order.function.empty() && !can_be_struck(function))
    return fail(Error{Fault::bad_input,
                      fmt::format("faults do not reach {}", order.function),
                      {},
                      "unload the driver to let nvmlInit fail",
                      {}});
  return change("arming a fault", [&](Machine& machine) {
    const auto row = std::find_if(std::begin(machine.now.faults), std::end(machine.now.faults),
                                  [](const ArmedFault& fault) { return fault.action == FaultAction::none; });
    if (row == std::end(machine.now.faults)) return insufficient_resources;
    if (order.times == 0) return invalid_argument;
    *row = {order.action,
            static_cast<std::uint8_t>(order.function.empty() ? 1 : 0),
            static_cast<std::uint8_t>(function),
            order.code,
            order.pid,
            order.skip,
            order.times};
    return success;
  });
}

Result<void> Control::disarm() {
  return change("disarming faults", [](Machine& machine) {
    for (ArmedFault& fault : machine.now.faults) fault = {};
    return success;
  });
}

Result<void> Control::set_latency(const std::string& name) {
  const auto rows = latency_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const LatencyRow& row) { return name == row.name; });
  if (found == rows.end()) {
    std::vector<std::string> names;
    for (const LatencyRow& row : rows) names.emplace_back(row.name);
    return fail(Error{Fault::bad_input,
                      fmt::format("no latency is called '{}'", name),
                      {},
                      fmt::format("there are {}", fmt::join(names, ", ")),
                      {}});
  }
  return change("choosing a latency", [&](Machine& machine) {
    machine.now.latency = static_cast<std::uint32_t>(found - rows.begin());
    return success;
  });
}

Result<void> Control::add_process(const ProcessOrder& order) {
  return change(fmt::format("process {} takes memory", order.pid), [&](Machine& machine) {
    Process process{};
    process.holder = holder_of(order.pid);
    if (!has_card(machine, order.where.card) || order.memory.value < 0 || !alive(process.holder))
      return invalid_argument;
    process.memory_bytes = static_cast<std::uint64_t>(order.memory.value) << 20;
    process.gpu_instance = order.where.gpu_instance;
    process.compute_instance = order.where.compute_instance;
    process.card = static_cast<std::uint8_t>(order.where.card);
    process.kind = order.kind;
    process.sm_percent = static_cast<std::uint8_t>(std::clamp(order.sm_percent, 0, 100));
    process.memory_percent = static_cast<std::uint8_t>(std::clamp(order.memory_percent, 0, 100));
    return sim::add_process(machine, process);
  });
}

Result<void> Control::remove_process(std::int32_t pid) {
  return change(fmt::format("process {} lets go", pid), [&](Machine& machine) {
    return sim::remove_process(machine.now, holder_of(pid), now_us()) ? success : not_found;
  });
}

}  // namespace carve::sim
