// The words are walked as the parser would: the command, then options with their values, and arguments counted by
// position. What the last word may be follows from the placeholder (FILE, CARD ...) of the place it stands in.
#include "cli/complete.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/command.h"
#include "cli/completion.h"
#include "simgpu/abi/abi.h"
#include "simgpu/rules/rules.h"
#include "workload/workload.h"

namespace carve {

namespace {

using Words = std::span<const std::string>;

// What may be offered, cut down to what begins as typed.
class Offer {
 public:
  explicit Offer(std::string_view typed) : typed_(typed) {}
  std::string_view typed() const { return typed_; }
  void add(std::string_view word, std::string_view meaning = {}) {
    if (!word.starts_with(typed_)) return;
    text_ += meaning.empty() ? fmt::format("{}\n", word) : fmt::format("{}\t{}\n", word, meaning);
  }
  void add_files(std::string_view endings) { text_ += fmt::format(":files {}\n", endings); }
  std::string take() { return std::move(text_); }

 private:
  std::string_view typed_;
  std::string text_;
};

// ---------------------------------------------------------------------------------- what belongs in whose place

// `before` is the text of the word that stands before the value (--fleet=, or nothing), `arguments` the arguments that
// were given so far.
struct Place {
  std::string_view before;
  Words arguments;
};

std::string product_of(const CardModel& model) { return model.products.empty() ? "" : model.products.front(); }

void offer_nothing(const Place&, Offer&) {}
void offer_yaml(const Place&, Offer& offer) { offer.add_files(".yaml .yml"); }
void offer_json(const Place&, Offer& offer) { offer.add_files(".json"); }
void offer_folders(const Place&, Offer& offer) { offer.add_files("/"); }
void offer_html(const Place&, Offer& offer) { offer.add_files(".html"); }
void offer_svg(const Place&, Offer& offer) { offer.add_files(".svg"); }

void offer_cards(const Place& place, Offer& offer) {
  for (const CardModel& model : catalog()) offer.add(fmt::format("{}{}", place.before, model.id), product_of(model));
}

// "8xh100-80gb,2xa" goes on with a card after the last comma and its count.
void offer_fleet(const Place& place, Offer& offer) {
  const std::size_t last = std::max(offer.typed().rfind(',') + 1, place.before.size());
  std::size_t card = offer.typed().find_first_not_of("0123456789", last);
  const bool counted = card != std::string_view::npos && card > last && offer.typed()[card] == 'x';
  card = counted ? card + 1 : last;
  for (const CardModel& model : catalog())
    offer.add(fmt::format("{}{}", offer.typed().substr(0, card), model.id), product_of(model));
}

// The workloads of the file that was given before; nothing if it is not good, or not a file (reading it might wait).
void offer_workloads(const Place& place, Offer& offer) {
  if (place.arguments.empty()) return;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(place.arguments.front(), failed)) return;
  const Result<WorkloadFile> file = read_workload_file(place.arguments.front());
  if (!file) return;
  for (const Workload& workload : file->workloads) offer.add(fmt::format("{}{}", place.before, workload.name));
}

// Cards, or a file that describes them.
void offer_machine(const Place& place, Offer& offer) {
  offer_fleet(place, offer);
  offer_yaml(place, offer);
}

void offer_functions(const Place& place, Offer& offer) {
  for (const auto& row : sim::function_rows) offer.add(fmt::format("{}{}", place.before, row.name));
}

void offer_latencies(const Place& place, Offer& offer) {
  for (const sim::LatencyRow& row : sim::latency_rows())
    offer.add(fmt::format("{}{}", place.before, row.name), row.meaning);
}

void offer_shells(const Place& place, Offer& offer) {
  for (const ShellScript& script : completion_scripts()) offer.add(fmt::format("{}{}", place.before, script.shell));
}

struct Placeholder {
  std::string_view name;
  void (*offer)(const Place&, Offer&);
};

constexpr std::array placeholders{Placeholder{"FILE", offer_yaml},         Placeholder{"WORKLOAD", offer_workloads},
                                  Placeholder{"PLAN", offer_json},         Placeholder{"CARD", offer_cards},
                                  Placeholder{"FLEET", offer_fleet},       Placeholder{"SHELL", offer_shells},
                                  Placeholder{"CARDS", offer_machine},     Placeholder{"DIR", offer_folders},
                                  Placeholder{"PAGE", offer_html},         Placeholder{"DRAWING", offer_svg},
                                  Placeholder{"N", offer_nothing},         Placeholder{"INDEX", offer_nothing},
                                  Placeholder{"INDICES", offer_nothing},   Placeholder{"NAME", offer_nothing},
                                  Placeholder{"PID", offer_nothing},       Placeholder{"XID", offer_nothing},
                                  Placeholder{"SIZE", offer_nothing},      Placeholder{"PERCENT", offer_nothing},
                                  Placeholder{"TIME", offer_nothing},      Placeholder{"GI/CI", offer_nothing},
                                  Placeholder{"CODE", offer_nothing},      Placeholder{"WHEN", offer_nothing},
                                  Placeholder{"DRIVER", offer_nothing},    Placeholder{"FUNCTION", offer_functions},
                                  Placeholder{"LATENCY", offer_latencies}, Placeholder{"[SECONDS]", offer_nothing},
                                  Placeholder{"NODE", offer_nothing},      Placeholder{"HOW", offer_nothing},
                                  Placeholder{"TOOL", offer_nothing},      Placeholder{"NUMBER", offer_nothing},
                                  Placeholder{"LAYOUT", offer_nothing}};

void offer_value(std::string_view placeholder, const Place& place, Offer& offer) {
  const auto* found = std::find_if(placeholders.begin(), placeholders.end(),
                                   [&](const Placeholder& known) { return known.name == placeholder; });
  if (found != placeholders.end()) found->offer(place, offer);
}

// ------------------------------------------------------------------------------------------------ where the word is

void offer_commands(std::span<const Command* const> list, Offer& offer) {
  for (const Command* command : list) offer.add(command->word(), command->summary);
}

void offer_first(Offer& offer) {
  offer_commands(all_commands(), offer);
  if (!offer.typed().starts_with('-')) return;
  offer.add("--help", "what carve can do");
  offer.add("--version", "what it was built from");
}

// The option that a word names: "--fleet", "-o"; or null.
const Option* option_of(const Command& command, std::string_view word) {
  const auto found = std::find_if(command.options.begin(), command.options.end(), [&](const Option& option) {
    return word == option.name || (!option.brief.empty() && word == option.brief);
  });
  return found == command.options.end() ? nullptr : &*found;
}

bool takes_value(const Option* option) {
  return option != nullptr && !option->value.empty() && !option->value_may_lack();
}

// The options that were not given yet.
void offer_options(const Command& command, Words before, Offer& offer) {
  for (const Option& option : command.options) {
    const bool given = std::any_of(before.begin(), before.end(), [&](const std::string& word) {
      return option_of(command, word.substr(0, word.find('='))) == &option;
    });
    if (!given) offer.add(option.name, option.help);
  }
  offer.add("--help", "explains the command");
}

// The words that are neither options nor their values.
std::vector<std::string> arguments_in(const Command& command, Words words) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (takes_value(option_of(command, words[i]))) {
      ++i;
    } else if (words[i] == "-" || !words[i].starts_with('-')) {
      arguments.push_back(words[i]);
    }
  }
  return arguments;
}

// Behind a group stands one of its commands.
void offer_inner(const Command& group, Words words, Offer& offer) {
  if (words.size() > 1) return;
  offer_commands(group.commands, offer);
  if (offer.typed().starts_with('-')) offer.add("--help", "explains the commands");
}

void offer_for(const Command& command, Words words, Offer& offer) {
  if (!command.commands.empty()) return offer_inner(command, words, offer);
  const Words before = words.first(words.size() - 1);
  const std::vector<std::string> arguments = arguments_in(command, before);
  if (!before.empty() && takes_value(option_of(command, before.back())))
    return offer_value(option_of(command, before.back())->value, {"", arguments}, offer);
  const std::string_view typed = offer.typed();
  if (const std::size_t equals = typed.find('='); typed.starts_with("--") && equals != std::string_view::npos) {
    const Option* option = option_of(command, typed.substr(0, equals));
    if (takes_value(option)) offer_value(option->value, {typed.substr(0, equals + 1), arguments}, offer);
  } else if (typed.starts_with('-')) {
    offer_options(command, before, offer);
  } else if (arguments.size() < command.arguments.size()) {
    offer_value(command.arguments[arguments.size()].name, {"", arguments}, offer);
  }
}

}  // namespace

std::string complete(std::span<const std::string> words) {
  if (words.empty()) return {};
  Offer offer(words.back());
  const std::string& first = words.front();
  if (words.size() == 1) {
    offer_first(offer);
  } else if (first == "help") {
    const auto [command, taken] = find_command(words.subspan(1, words.size() - 2));
    if (taken + 2 == words.size()) offer_commands(command == nullptr ? all_commands() : command->commands, offer);
  } else if (first == "--version" && words.size() == 2) {
    offer.add("--json", json_option.help);
  } else if (const auto [command, taken] = find_command(words.first(words.size() - 1)); command != nullptr) {
    offer_for(*command, words.subspan(taken), offer);
  }
  return offer.take();
}

bool completes(std::string_view placeholder) {
  return std::any_of(placeholders.begin(), placeholders.end(),
                     [&](const Placeholder& known) { return known.name == placeholder; });
}

}  // namespace carve
