// carve sim show: the machine as it is made, and what was let happen to it. What a driver would say of it is
// `carve status`.
#include <algorithm>
#include <array>

#include <boost/json.hpp>

#include "cli/output.h"
#include "cli/sim_commands.h"
#include "text/text.h"

namespace carve {

namespace {

namespace json = boost::json;

constexpr std::array options{json_option, sim_dir_option};
constexpr std::array examples{Example{"carve sim show", "the machine"},
                              Example{"carve sim show --json", "the same for programs"}};

std::string_view word_of(sim::FaultAction action) {
  switch (action) {
    case sim::FaultAction::fail:
      return "fault";
    case sim::FaultAction::hang:
      return "hang";
    case sim::FaultAction::kill_before:
      return "kill before";
    case sim::FaultAction::kill_midway:
      return "kill midway";
    case sim::FaultAction::kill_after:
      return "kill after";
    case sim::FaultAction::none:
      break;
  }
  return "none";
}

std::string_view mode_word(std::uint32_t compute_mode) {
  switch (compute_mode) {
    case sim::prohibited:
      return "prohibited";
    case sim::exclusive_process:
      return "exclusive-process";
    default:
      return "default";
  }
}

std::string_view function_of(const sim::ArmedFault& fault) {
  return fault.any_function != 0 ? std::string_view("every call") : sim::function_rows[fault.function].name;
}

std::string latency_of(const sim::Machine& machine) {
  const auto rows = sim::latency_rows();
  return machine.now.latency < rows.size() ? rows[machine.now.latency].name : "none";
}

int instances_of(const sim::Card& card) {
  return static_cast<int>(std::count_if(std::begin(card.instances), std::end(card.instances),
                                        [](const sim::GpuInstance& gpu) { return gpu.used != 0; }));
}

std::vector<int> cards_of(const sim::Blocker& blocker) {
  std::vector<int> cards;
  for (int card = 0; card < sim::max_cards; ++card) {
    if (((static_cast<std::uint32_t>(blocker.cards) >> card) & 1) != 0) cards.push_back(card);
  }
  return cards;
}

// -------------------------------------------------------------------------------------------------------------- text

std::string mig_text(const sim::Board& board, const sim::Card& card) {
  if (board.compute_slices == 0) return "no MIG";
  const auto word = [](std::uint32_t mode) { return mode == sim::mig_enabled ? "on" : "off"; };
  if (card.mode == card.pending_mode) return fmt::format("MIG {}", word(card.mode));
  return fmt::format("MIG {}, {} pending", word(card.mode), word(card.pending_mode));
}

std::string card_line(const sim::Machine& machine, int index) {
  const sim::Board& board = machine.boards.rows[index];
  const sim::Card& card = machine.now.cards[index];
  std::string line = fmt::format("{:>3}  {}  {}  /dev/nvidia{}  {}", index, board.model.view(), board.uuid.view(),
                                 board.minor, mig_text(board, card));
  if (const int instances = instances_of(card); instances > 0) line += ", " + counted(instances, "GPU instance");
  if (card.compute_mode != sim::shared_mode) line += fmt::format(", compute mode {}", mode_word(card.compute_mode));
  if (const int held = sim::holders_of_card(machine.now, index); held > 0) line += fmt::format(", held {} times", held);
  if (card.lost != 0) line += ", lost";
  return line + '\n';
}

std::string fault_line(const sim::ArmedFault& fault) {
  std::string line = fmt::format("  {}: {}, {} to strike", word_of(fault.action), function_of(fault),
                                 counted(static_cast<std::int64_t>(fault.times), "call"));
  if (fault.action == sim::FaultAction::fail) line += fmt::format(", with {}", fault.code);
  if (fault.skip > 0) line += fmt::format(", after {}", counted(static_cast<std::int64_t>(fault.skip), "more call"));
  if (fault.pid != 0) line += fmt::format(", of process {}", fault.pid);
  return line + '\n';
}

std::string as_text(const sim::Machine& machine, const std::string& folder) {
  std::string text = fmt::format("{}: {}\n", folder, sim::cards_of(machine));
  text += fmt::format("driver {}, boot {}, latency {}, files below {}/root\n\n",
                      machine.now.loaded != 0 ? "loaded" : "not loaded", machine.now.boot, latency_of(machine), folder);
  for (int card = 0; card < machine.boards.count; ++card) text += card_line(machine, card);
  for (const sim::Blocker& blocker : machine.now.blockers) {
    if (!blocker.name.view().empty())
      text += fmt::format("  {} blocks {}\n", blocker.name.view(), fmt::join(cards_of(blocker), ", "));
  }
  for (const sim::ArmedFault& fault : machine.now.faults) {
    if (fault.action != sim::FaultAction::none) text += fault_line(fault);
  }
  return text;
}

// -------------------------------------------------------------------------------------------------------------- JSON

json::string text_of(std::string_view text) { return json::string(text); }

json::object card_json(const sim::Machine& machine, int index) {
  const sim::Board& board = machine.boards.rows[index];
  const sim::Card& card = machine.now.cards[index];
  json::value mig = nullptr;
  if (board.compute_slices != 0)
    mig = json::object{{"current", card.mode == sim::mig_enabled}, {"pending", card.pending_mode == sim::mig_enabled}};
  return {{"index", index},
          {"model", text_of(board.model.view())},
          {"uuid", text_of(board.uuid.view())},
          {"minor", board.minor},
          {"mig", mig},
          {"gpu_instances", instances_of(card)},
          {"compute_mode", text_of(mode_word(card.compute_mode))},
          {"holders", sim::holders_of_card(machine.now, index)},
          {"lost", card.lost != 0}};
}

json::value fault_json(const sim::ArmedFault& fault) {
  json::value function = nullptr, code = nullptr, pid = nullptr;
  if (fault.any_function == 0) function = text_of(function_of(fault));
  if (fault.action == sim::FaultAction::fail) code = fault.code;
  if (fault.pid != 0) pid = fault.pid;
  return json::object{{"action", text_of(word_of(fault.action))},
                      {"function", function},
                      {"code", code},
                      {"pid", pid},
                      {"skip", fault.skip},
                      {"times", fault.times}};
}

std::string as_json(const sim::Machine& machine, const std::string& folder) {
  json::array cards, blockers, faults;
  for (int card = 0; card < machine.boards.count; ++card) cards.push_back(card_json(machine, card));
  for (const sim::Blocker& blocker : machine.now.blockers) {
    if (!blocker.name.view().empty())
      blockers.push_back(
          json::object{{"name", text_of(blocker.name.view())}, {"cards", json::value_from(cards_of(blocker))}});
  }
  for (const sim::ArmedFault& fault : machine.now.faults) {
    if (fault.action != sim::FaultAction::none) faults.push_back(fault_json(fault));
  }
  return write_json(json::object{{"format", "carve-sim/1"},
                                 {"folder", folder},
                                 {"root", folder + "/root"},
                                 {"made_of", sim::cards_of(machine)},
                                 {"loaded", machine.now.loaded != 0},
                                 {"boot", machine.now.boot},
                                 {"latency", latency_of(machine)},
                                 {"cards", cards},
                                 {"blockers", blockers},
                                 {"faults", faults}});
}

Result<Exit> run(const Given& given) {
  TRY(sim::Control control, sim_machine(given));
  TRY(const auto machine, control.look());
  const std::string& folder = control.folder();
  TRY_VOID(print(given.has(json_option.name) ? as_json(*machine, folder) : as_text(*machine, folder)));
  return Exit::done;
}

}  // namespace

constexpr Command sim_show_command{"sim show",
                                   "what the machine is made of, and what was let happen to it",
                                   "Its folder, cards, modes, who blocks, which faults wait. What a driver would\n"
                                   "say of it is what 'carve status' shows.",
                                   {},
                                   options,
                                   examples,
                                   run};

}  // namespace carve
