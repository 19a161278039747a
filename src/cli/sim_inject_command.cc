// carve sim inject: what no call of the library can let happen, one command each.
#include <algorithm>
#include <array>
#include <charconv>

#include "cli/sim_commands.h"

namespace carve {

namespace {

// ------------------------------------------------------------------------------------------------- faults of calls

constexpr Option function_option{"--function", "", "FUNCTION", "as nvmlDeviceGetName; every call if it is not given"};
constexpr Option code_option{"--code", "", "CODE", "the error: IN_USE, NVML_ERROR_IN_USE, 19; else UNKNOWN"};
constexpr Option when_option{"--when", "", "WHEN", "before (if not given), midway or after its change"};
constexpr Option skip_option{"--skip", "", "N", "calls to let pass first"};
constexpr Option times_option{"--times", "", "N", "calls to strike after that; 1 if it is not given"};
constexpr Option pid_option{"--pid", "", "PID", "only calls of this process"};

constexpr std::array fail_options{function_option, code_option, skip_option, times_option, pid_option, sim_dir_option};
constexpr std::array kill_options{function_option, when_option, skip_option, times_option, pid_option, sim_dir_option};
constexpr std::array hang_options{function_option, skip_option, times_option, pid_option, sim_dir_option};

constexpr int most = 1'000'000'000;

struct When {
  std::string_view word;
  sim::FaultAction action;
};
constexpr std::array whens{When{"before", sim::FaultAction::kill_before}, When{"midway", sim::FaultAction::kill_midway},
                           When{"after", sim::FaultAction::kill_after}};

Result<sim::FaultAction> when_of(const Given& given) {
  const std::string& typed = given.text(when_option.name);
  if (typed.empty()) return sim::FaultAction::kill_before;
  const auto* found = std::find_if(whens.begin(), whens.end(), [&](const When& when) { return when.word == typed; });
  if (found != whens.end()) return found->action;
  return fail(Error{Fault::bad_input, fmt::format("--when {}: expected before, midway or after", typed), {}, "", {}});
}

Result<Exit> arm(const Given& given, sim::FaultOrder order) {
  order.function = given.text(function_option.name);
  TRY(const std::optional<int> skip, given.number(skip_option.name, {0, most}));
  TRY(const std::optional<int> times, given.number(times_option.name, {1, most}));
  TRY(const std::optional<int> pid, given.number(pid_option.name, {1, most}));
  order.skip = static_cast<std::uint64_t>(skip.value_or(0));
  order.times = static_cast<std::uint64_t>(times.value_or(1));
  order.pid = pid.value_or(0);
  TRY(sim::Control control, sim_machine(given));
  TRY_VOID(control.arm(order));
  return Exit::done;
}

Result<Exit> fail_calls(const Given& given) {
  sim::FaultOrder order;
  order.action = sim::FaultAction::fail;
  if (given.has(code_option.name)) {
    TRY(order.code, sim::return_named(given.text(code_option.name)));
  }
  return arm(given, order);
}

Result<Exit> kill_caller(const Given& given) {
  sim::FaultOrder order;
  TRY(order.action, when_of(given));
  return arm(given, order);
}

Result<Exit> hang_calls(const Given& given) {
  sim::FaultOrder order;
  order.action = sim::FaultAction::hang;
  return arm(given, order);
}

// ----------------------------------------------------------------------------------------------------------- cards

constexpr Option instance_option{"--instance", "", "GI/CI", "a compute instance, as 7/0, or a GPU instance, as 7"};
constexpr std::array card_options{sim_dir_option};
constexpr std::array xid_options{instance_option, sim_dir_option};
constexpr std::array lose_arguments{Argument{"INDEX", Need::required, "the card"}};
constexpr std::array xid_arguments{Argument{"INDEX", Need::required, "the card"},
                                   Argument{"XID", Need::required, "the number that programs see in the event"}};

Result<Exit> lose(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY(const auto machine, control.look());
  TRY(const int card, card_of(*machine, given.text("INDEX")));
  TRY_VOID(control.lose(card));
  return Exit::done;
}

std::optional<std::uint32_t> id_of(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(id) : std::nullopt;
}

Result<sim::Held> instance_of(int card, const std::string& typed) {
  sim::Held where{card};
  if (typed.empty()) return where;
  const std::size_t slash = typed.find('/');
  const auto gpu = id_of(std::string_view(typed).substr(0, slash));
  const auto compute = slash == std::string::npos ? sim::no_instance : id_of(std::string_view(typed).substr(slash + 1));
  if (!gpu || !compute)
    return fail(Error{Fault::bad_input,
                      fmt::format("--instance {}: expected ids of a GPU and a compute instance, as 7/0", typed),
                      {},
                      "carve status lists them as GI/CI",
                      {}});
  where.gpu_instance = *gpu;
  where.compute_instance = *compute;
  return where;
}

Result<Exit> raise_xid(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY(const auto machine, control.look());
  TRY(const int card, card_of(*machine, given.text("INDEX")));
  TRY(const std::optional<int> xid, given.number("XID", {1, 999}));
  TRY(const sim::Held where, instance_of(card, given.text(instance_option.name)));
  TRY_VOID(control.raise_xid(where, static_cast<std::uint64_t>(*xid)));
  return Exit::done;
}

constexpr std::array block_arguments{
    Argument{"NAME", Need::required, "who, as nvsm"},
    Argument{"INDICES", Need::optional, "the cards, as 0,2; all of them if it is not given"}};
constexpr std::array unblock_arguments{Argument{"NAME", Need::required, "who was named with block"}};

Result<std::vector<int>> cards_of(const sim::Machine& machine, const std::string& typed) {
  std::vector<int> cards;
  if (typed.empty()) {
    for (int card = 0; card < machine.boards.count; ++card) cards.push_back(card);
    return cards;
  }
  for (std::size_t start = 0; start <= typed.size();) {
    const std::size_t comma = std::min(typed.find(',', start), typed.size());
    TRY(const int card, card_of(machine, typed.substr(start, comma - start)));
    cards.push_back(card);
    start = comma + 1;
  }
  return cards;
}

Result<Exit> block(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY(const auto machine, control.look());
  TRY(std::vector<int> cards, cards_of(*machine, given.text("INDICES")));
  TRY_VOID(control.block(given.text("NAME"), std::move(cards)));
  return Exit::done;
}

Result<Exit> unblock(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY_VOID(control.unblock(given.text("NAME")));
  return Exit::done;
}

// --------------------------------------------------------------------------------------------------------- the rest

constexpr std::array latency_arguments{Argument{"LATENCY", Need::required, "none, a30, loaded, kubelet or settle"}};

Result<Exit> latency(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY_VOID(control.set_latency(given.text("LATENCY")));
  return Exit::done;
}

Result<Exit> clear(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY_VOID(control.disarm());
  return Exit::done;
}

constexpr std::array fail_examples{
    Example{"carve sim inject fault --function nvmlDeviceGetUUID", "the next one fails"},
    Example{"carve sim inject fault --code IN_USE --skip 2 --times 3", "calls 3 to 5 fail"}};
constexpr std::array kill_examples{
    Example{"carve sim inject kill --when after --skip 3", "the fourth kills, once done"}};
constexpr std::array hang_examples{Example{"carve sim inject hang --function nvmlDeviceGetName", "the next one hangs"}};
constexpr std::array lose_examples{Example{"carve sim inject lose 1", "card 1 falls off the bus"}};
constexpr std::array xid_examples{Example{"carve sim inject xid 0 31 --instance 7/0", "on a MIG device of card 0"}};
constexpr std::array block_examples{Example{"carve sim inject block nvsm 0,2", "nvsm holds cards 0 and 2"}};
constexpr std::array unblock_examples{Example{"carve sim inject unblock nvsm", "and lets go"}};
constexpr std::array latency_examples{Example{"carve sim inject latency a30", "as slow as an A30"}};
constexpr std::array clear_examples{Example{"carve sim inject clear", "no call fails, kills or hangs any more"}};

constexpr std::string_view which_calls =
    "Faults do not reach nvmlInit, nor what asks no machine. Of several that fit a\n"
    "call the first strikes; all of them count it.";

constexpr Command fault_command{
    "sim inject fault", "lets calls of the library fail", which_calls, {}, fail_options, fail_examples, fail_calls};
constexpr Command kill_command{
    "sim inject kill", "lets calls of the library kill their caller", which_calls, {}, kill_options, kill_examples,
    kill_caller};
constexpr Command hang_command{
    "sim inject hang", "lets calls of the library hang", which_calls, {}, hang_options, hang_examples, hang_calls};
constexpr Command lose_command{"sim inject lose",
                               "lets a card fall off the bus",
                               "It is back after 'carve sim reset' or a reboot.",
                               lose_arguments,
                               card_options,
                               lose_examples,
                               lose};
constexpr Command xid_command{"sim inject xid",
                              "raises an Xid, on a card or an instance",
                              "Programs that wait for events see it; nothing else happens.",
                              xid_arguments,
                              xid_options,
                              xid_examples,
                              raise_xid};
constexpr Command block_command{"sim inject block",
                                "lets somebody hold cards",
                                "A card that is held is not reset, and its MIG mode stays pending.",
                                block_arguments,
                                card_options,
                                block_examples,
                                block};
constexpr Command unblock_command{"sim inject unblock",
                                  "lets somebody go",
                                  "The opposite of 'carve sim inject block'.",
                                  unblock_arguments,
                                  card_options,
                                  unblock_examples,
                                  unblock};
constexpr Command latency_command{"sim inject latency",
                                  "chooses how long calls take",
                                  "docs/simulated-cards.md has the figures and where they are from; none is the\n"
                                  "default.",
                                  latency_arguments,
                                  card_options,
                                  latency_examples,
                                  latency};
constexpr Command clear_command{"sim inject clear",
                                "takes back all faults",
                                "Those that were armed with fault, kill and hang.",
                                {},
                                card_options,
                                clear_examples,
                                clear};

constexpr std::array commands{&fault_command, &kill_command,    &hang_command,    &lose_command, &xid_command,
                              &block_command, &unblock_command, &latency_command, &clear_command};
constexpr std::array examples{fail_examples[0], lose_examples[0], latency_examples[0]};

}  // namespace

constexpr Command sim_inject_command{"sim inject",
                                     "lets something happen: faults, lost cards, Xids, latencies",
                                     "What no call of the library can let happen to the machine.",
                                     {},
                                     {},
                                     examples,
                                     nullptr,
                                     commands};

}  // namespace carve
