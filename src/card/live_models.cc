// Models that are no rows of the catalog. Their id ends in a hash (FNV-1a, 64 bits folded to 32) of a text with every
// figure, so that a plan cannot bring another board under a known name, and that the same board has the same id on
// every machine.
#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "card/card.h"
#include "card/model_rules.h"

namespace carve {

namespace {

constexpr std::string_view mark = "-live-";
constexpr std::size_t longest_stem = 64;
constexpr std::size_t most_models = 4096;  // of one program; a host has a few

std::string figure(const std::optional<int>& value) { return value ? fmt::format("{}", *value) : "?"; }
std::string figure(const std::optional<Mib>& value) { return value ? fmt::format("{}", value->value) : "?"; }

// Texts stand behind their length: no two models have one text.
std::string measured(std::string_view text) { return fmt::format("{}:{}", text.size(), text); }

std::string text_of(const Profile& profile) {
  std::string text = fmt::format("{} {} {} {} {} {} {} {}\n", measured(profile.name), figure(profile.nvml_enum),
                                 figure(profile.id), profile.compute_slices, figure(profile.memory_slices),
                                 figure(profile.memory), figure(profile.sms), profile.max_instances);
  for (const Placement place : profile.placements) text += fmt::format("{}+{}\n", place.start, place.size);
  return text;
}

std::string text_of(const CardModel& model) {
  std::string text = measured(model.based_on);
  for (const std::string& product : model.products) text += measured(product);
  text +=
      fmt::format(" {} {} {} {} {} {}\n", figure(model.total_memory), model.compute_slices, figure(model.memory_slices),
                  figure(model.sms), model.max_instances, model.mode_change_needs_reset);
  for (const Profile& profile : model.profiles) text += text_of(profile);
  return text;
}

std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

bool is_stem(std::string_view stem) {
  return !stem.empty() && stem.size() <= longest_stem &&
         stem.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
}

// A deque: what was handed out stays where it is.
std::deque<CardModel>& registered() {
  static std::deque<CardModel> models;
  return models;
}

Error refused(const CardModel& model, std::string_view why) {
  return Error{Fault::bad_input, fmt::format("the model `{}` cannot be used: {}", model.id, why), {}, {}, {}};
}

}  // namespace

std::string live_model_id(std::string_view stem, const CardModel& model) {
  return fmt::format("{}{}{:08x}", stem, mark, hash_of(text_of(model)));
}

Result<const CardModel*> register_model(CardModel model) {
  const std::string_view stem = std::string_view(model.id).substr(0, model.id.rfind(mark));
  if (!is_stem(stem) || model.id != live_model_id(stem, model))
    return fail(refused(model, "its id is not that of its figures"));
  if (const std::string wrong = wrong_figures(model); !wrong.empty()) return fail(refused(model, wrong));
  if (const CardModel* known = model_with_id(model.id)) {
    if (text_of(*known) != text_of(model)) return fail(refused(model, "another board has the same id"));
    return known;
  }
  if (registered().size() == most_models)
    return fail(refused(model, fmt::format("{} models of live cards are known already", most_models)));
  model.live = true;
  return &registered().emplace_back(std::move(model));
}

const CardModel* model_with_id(std::string_view id) {
  const auto has_id = [&](const CardModel& model) { return model.id == id; };
  const auto row = std::find_if(catalog().begin(), catalog().end(), has_id);
  if (row != catalog().end()) return &*row;
  const auto live = std::find_if(registered().begin(), registered().end(), has_id);
  return live == registered().end() ? nullptr : &*live;
}

}  // namespace carve
