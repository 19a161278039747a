// The model that a name means. A name is cut into words ("H100 80GB", "h100-80gb": h100, 80gb). It fits a model if it
// is its id, one of its product names, or if all its words occur in the id or in one product name. What fits several
// boards of one memory size means the SXM board; what fits boards of several sizes is an error, never a guess.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "card/card.h"

namespace carve {

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view name) {
  Words words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : name) {
    if (std::string_view("-_ ()/,").find(c) != std::string_view::npos) {
      finish();
    } else {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  finish();
  return words;
}

// Brand words that people leave out.
Words without_brand(Words words) {
  std::erase_if(words,
                [](const std::string& word) { return word == "nvidia" || word == "tesla" || word == "geforce"; });
  return words;
}

// "80gb" is also written "80g" and "80"; "sxm5" also "sxm".
bool same_word(const std::string& written, const std::string& full) {
  if (written == full) return true;
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (full == "sxm5" || full == "sxm4" || full == "sxm2") return written == "sxm";
  if (full.ends_with("gb") && is_digit(full.front())) {
    return written == full.substr(0, full.size() - 2) || written == full.substr(0, full.size() - 1);
  }
  return false;
}

bool occur_in(const Words& written, const Words& full) {
  return !written.empty() && std::all_of(written.begin(), written.end(), [&](const std::string& word) {
    return std::any_of(full.begin(), full.end(), [&](const std::string& other) { return same_word(word, other); });
  });
}

// A product may leave out its brand if more than one word stays: "h20" alone is no product but a family.
bool is_named(const CardModel& model, const Words& words) {
  if (words == words_of(model.id)) return true;
  return std::any_of(model.products.begin(), model.products.end(), [&](const std::string& product) {
    return words == words_of(product) || (words.size() > 1 && words == without_brand(words_of(product)));
  });
}

bool is_meant(const CardModel& model, const Words& words) {
  if (occur_in(words, words_of(model.id))) return true;
  return std::any_of(model.products.begin(), model.products.end(),
                     [&](const std::string& product) { return occur_in(words, without_brand(words_of(product))); });
}

template <class Fits>
std::vector<const CardModel*> models_that(Fits fits) {
  std::vector<const CardModel*> found;
  for (const CardModel& model : catalog()) {
    if (fits(model)) found.push_back(&model);
  }
  return found;
}

std::vector<std::string> ids_of(const std::vector<const CardModel*>& models) {
  std::vector<std::string> ids;
  for (const CardModel* model : models) ids.push_back(model->id);
  return ids;
}

std::string family_of(const CardModel& model) { return words_of(model.id).front(); }

// Of several boards of one family and one memory size the only SXM board; nothing if the name leaves more open than the
// form.
const CardModel* usual_board(const std::vector<const CardModel*>& boards) {
  const CardModel* sxm = nullptr;
  for (const CardModel* board : boards) {
    if (board->nominal_memory_gb != boards.front()->nominal_memory_gb) return nullptr;
    if (family_of(*board) != family_of(*boards.front())) return nullptr;
    if (board->id.find("-sxm") == std::string::npos) continue;
    if (sxm != nullptr) return nullptr;
    sxm = board;
  }
  return sxm;
}

Error several_fit(std::string_view name, const std::vector<const CardModel*>& boards) {
  Error error;
  error.message = fmt::format("\"{}\" fits several cards", name);
  error.help = fmt::format("say which one: {}", fmt::join(ids_of(boards), ", "));
  return error;
}

Error none_fits(std::string_view name, const Words& words) {
  Error error;
  error.message = fmt::format("the catalog has no card \"{}\"", name);
  const auto family = models_that(
      [&](const CardModel& model) { return !words.empty() && (words_of(model.id).front() == words.front()); });
  std::vector<std::string> candidates;
  for (const CardModel& model : catalog()) {
    candidates.push_back(model.id);
    candidates.push_back(family_of(model));
    if (model.nominal_memory_gb) {
      candidates.push_back(fmt::format("{}-{}gb", candidates.back(), *model.nominal_memory_gb));
    }
    std::string closed = model.id;  // "rtx3090": without the dash, and without the memory
    closed.erase(std::min(closed.find('-'), closed.size()), 1);
    candidates.push_back(closed);
    candidates.push_back(closed.substr(0, closed.find('-')));
  }
  if (!family.empty()) {
    error.help = fmt::format("{} exists as {}", words.front(), fmt::join(ids_of(family), ", "));
  } else if (const auto near = nearest(fmt::format("{}", fmt::join(words, "-")), candidates)) {
    error.help = fmt::format("did you mean \"{}\"? `carve cards` lists all cards", *near);
  } else {
    error.help = "`carve cards` lists all cards";
  }
  return error;
}

}  // namespace

Result<ModelMatch> find_model(std::string_view name) {
  if (const CardModel* exact = model_with_id(name)) return ModelMatch{exact, {}};
  const Words words = words_of(name);
  const auto named = models_that([&](const CardModel& model) { return is_named(model, words); });
  if (named.size() == 1) return ModelMatch{named.front(), {}};
  const Words meant_words = without_brand(words);
  auto meant = models_that([&](const CardModel& model) { return is_meant(model, meant_words); });
  if (meant.empty()) return fail(none_fits(name, meant_words));
  if (meant.size() == 1) return ModelMatch{meant.front(), {}};
  const CardModel* usual = usual_board(meant);
  if (usual == nullptr) return fail(several_fit(name, meant));
  std::erase(meant, usual);
  return ModelMatch{usual, ids_of(meant)};
}

}  // namespace carve
