// How a change goes and how it ended, and the changes of the past.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "show/parts.h"

namespace carve {

namespace {

std::string subject(Act act, const InstancePlace& instance) {
  const bool of_instance = act == Act::create || act == Act::destroy;
  return of_instance ? fmt::format("{} {}", to_string(act), to_string(instance)) : std::string(to_string(act));
}

struct OutcomeWords {
  std::string_view card, whole;
  Ink ink;
};
constexpr std::array outcome_words{
    OutcomeWords{"as wanted", "done, and read back", Ink::green},
    OutcomeWords{"as it was before", "a card could not be changed and is as it was before", Ink::yellow},
    OutcomeWords{"neither as wanted nor as before", "a card is neither as wanted nor as before", Ink::red},
    OutcomeWords{"waits for a reboot", "done as far as possible: a reboot is needed", Ink::yellow}};

const OutcomeWords& words_of(Outcome outcome) { return outcome_words[static_cast<std::size_t>(outcome)]; }

std::string layout_text(const Target& target) {
  std::vector<std::string> cards;
  for (const WantedCard& card : target.cards) {
    std::vector<std::string> places;
    for (const WantedInstance& one : card.instances)
      places.push_back(to_string(InstancePlace{one.profile, one.placement.value_or(Placement{})}));
    cards.push_back(fmt::format("    {}  {}\n", card.uuid,
                                !card.mig        ? "MIG off"
                                : places.empty() ? "MIG on, not cut"
                                                 : fmt::format("{}", fmt::join(places, " "))));
  }
  return fmt::format("{}", fmt::join(cards, ""));
}

std::string outcome_text(const std::optional<Outcome>& outcome) {
  return outcome ? std::string(to_string(*outcome)) : "interrupted";
}

}  // namespace

std::string event_sentence(const ApplyEvent& event) {
  std::string text = fmt::format("card {}", event.card->index);
  if (event.step != nullptr) text += ": " + subject(event.step->act, event.step->instance);
  if (event.kind == ApplyEvent::Kind::going_back) text += ": going back";
  if (!event.message.empty()) text += fmt::format(" ({})", event.message);
  return text;
}

std::string one_line(const std::string& text, const Style& style) {
  return shortened(printable(text, style), style.width - 1, style);
}

std::string applied_text(const Applied& applied, const Style& style) {
  std::string text;
  int steps = 0;
  for (const CardResult& card : applied.cards) {
    steps += card.steps;
    if (card.outcome == Outcome::done && card.steps == 0) continue;
    std::string line = fmt::format("card {}: {}", card.index, words_of(card.outcome).card);
    if (card.steps > 0) line += fmt::format(", after {}", counted(card.steps, "step"));
    if (!card.message.empty()) line += ": " + card.message;
    text += paragraph("", printable(line, style), style);
    if (!card.help.empty()) text += paragraph("  help: ", printable(card.help, style), style);
  }
  const bool nothing = applied.outcome == Outcome::done && steps == 0;
  return text +
         inked(nothing ? "nothing to do: the cards are as wanted" : words_of(applied.outcome).whole,
               words_of(applied.outcome).ink, style) +
         '\n';
}

std::string journal_list(const std::vector<Journaled>& journals, const Style& style) {
  if (journals.empty()) return "nothing was changed here yet\n";
  Table table(
      {{"number", Align::right}, {"when"}, {"command"}, {"cards", Align::right}, {"steps", Align::right}, {"outcome"}});
  for (const Journaled& journal : journals) {
    const auto done = std::count_if(journal.steps.begin(), journal.steps.end(),
                                    [](const JournalStep& step) { return step.state == StepState::done; });
    table.add({fmt::format("{}", journal.opening.number), journal.opening.at, journal.opening.command,
               fmt::format("{}", journal.opening.target.cards.size()), fmt::format("{}", done),
               outcome_text(journal.outcome)});
  }
  return table.render(style);
}

std::string journal_page(const Journaled& journal, const Style& style) {
  std::string text = inked(fmt::format("change {}: {} at {}, {}", journal.opening.number, journal.opening.command,
                                       journal.opening.at, outcome_text(journal.outcome)),
                           Ink::bold, style) +
                     '\n';
  text += "  before\n" + layout_text(journal.opening.before) + "  wanted\n" + layout_text(journal.opening.target);
  if (!journal.steps.empty()) text += "  steps\n";
  for (const JournalStep& step : journal.steps) {
    std::string line = fmt::format("{}  {}", step.card, subject(step.act, step.instance));
    if (!step.message.empty()) line += ": " + step.message;
    text += paragraph(fmt::format("    {:<6}  ", to_string(step.state)), printable(line, style), style);
  }
  return text;
}

}  // namespace carve
