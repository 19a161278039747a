// The command line: one verb, and options in any order. Values stand behind "=" or as the next word.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "simgpu/smi/smi.h"

namespace carve::sim {

namespace {

enum class Scope : std::uint8_t { top, mig, policy };
enum class Takes : std::uint8_t { nothing, numbers, numbers_if_any, numbers_and_starts, fields };

struct VerbRow {
  Scope scope;
  const char* names[2];
  Takes takes;
  int (*run)(const Request&);
};
constexpr VerbRow verb_rows[] = {
    {Scope::top, {"-L", "--list-gpus"}, Takes::nothing, list_devices},
    {Scope::top, {"-mig", "--multi-instance-gpu"}, Takes::numbers, set_mode},
    {Scope::top, {"-r", "--gpu-reset"}, Takes::nothing, reset},
    {Scope::top, {"--query-compute-apps", nullptr}, Takes::fields, query_compute_apps},
    {Scope::mig, {"-lgip", "--list-gpu-instance-profiles"}, Takes::nothing, list_profiles},
    {Scope::mig, {"-lgipp", "--list-gpu-instance-possible-placements"}, Takes::nothing, list_placements},
    {Scope::mig, {"-lgi", "--list-gpu-instances"}, Takes::nothing, list_gpu_instances},
    {Scope::mig, {"-lci", "--list-compute-instances"}, Takes::nothing, list_compute_instances},
    {Scope::mig, {"-cgi", "--create-gpu-instance"}, Takes::numbers_and_starts, create_gpu_instances},
    {Scope::mig, {"-cci", "--create-compute-instance"}, Takes::numbers_if_any, create_compute_instances},
    {Scope::mig, {"-dgi", "--destroy-gpu-instance"}, Takes::nothing, destroy_gpu_instances},
    {Scope::mig, {"-dci", "--destroy-compute-instance"}, Takes::nothing, destroy_compute_instances},
    {Scope::policy, {"-l", "--list"}, Takes::nothing, list_policies},
    {Scope::policy, {"--set-timeslice", nullptr}, Takes::numbers, set_timeslice},
};

struct OptionRow {
  const char* names[2];
  bool takes_value;
  bool (*apply)(Request&, std::vector<std::string>& cards, const std::string& value);
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool parse_numbers(const std::string& text, std::vector<unsigned>& numbers) {
  for (const std::string& word : split(text)) {
    char* end = nullptr;
    const unsigned long number = std::strtoul(word.c_str(), &end, 10);
    if (word.empty() || *end != '\0' || number > 100000) return false;
    numbers.push_back(static_cast<unsigned>(number));
  }
  return true;
}

// "9:4,19": a start stands behind a colon, or nowhere.
bool parse_tuples(const std::string& text, Request& request) {
  for (const std::string& word : split(text)) {
    const std::size_t colon = std::min(word.find(':'), word.size());
    std::vector<unsigned> start;
    if (colon < word.size() && !parse_numbers(word.substr(colon + 1), start)) return false;
    if (!parse_numbers(word.substr(0, colon), request.numbers)) return false;
    request.starts.push_back(start.empty() ? std::nullopt : std::optional(start.front()));
  }
  return true;
}

using Cards = std::vector<std::string>;
constexpr OptionRow option_rows[] = {
    {{"-i", "--id"},
     true,
     [](Request&, Cards& cards, const std::string& value) {
       cards = split(value);
       return true;
     }},
    {{"-gi", "--gpu-instance-id"},
     true,
     [](Request& request, Cards&, const std::string& value) { return parse_numbers(value, request.gpu_ids); }},
    {{"-ci", "--compute-instance-id"},
     true,
     [](Request& request, Cards&, const std::string& value) { return parse_numbers(value, request.compute_ids); }},
    {{"-C", "--default-compute-instance"},
     false,
     [](Request& request, Cards&, const std::string&) {
       request.whole_compute = true;
       return true;
     }},
    {{"--format", nullptr},
     true,
     [](Request& request, Cards&, const std::string& value) {
       const auto words = split(value);
       request.header = std::find(words.begin(), words.end(), "noheader") == words.end();
       request.units = std::find(words.begin(), words.end(), "nounits") == words.end();
       return words.front() == "csv";
     }},
};

template <class Row>
bool named(const Row& row, const std::string& word) {
  return word == row.names[0] || (row.names[1] != nullptr && word == row.names[1]);
}

struct Line {
  Request request;
  Cards cards;
  const VerbRow* verb = nullptr;
};

// An argument and its value, if it has one behind "=".
struct Word {
  std::string name, value;
  bool has_value = false;
};

Word word_of(const std::string& argument) {
  const std::size_t equals = argument.rfind("--", 0) == 0 ? argument.find('=') : std::string::npos;
  if (equals == std::string::npos) return {argument, "", false};
  return {argument.substr(0, equals), argument.substr(equals + 1), true};
}

bool take_value(Word& word, const std::vector<std::string>& words, std::size_t& at) {
  if (word.has_value) return true;
  if (at + 1 == words.size() || words[at + 1].rfind('-', 0) == 0) return false;
  word.value = words[++at];
  word.has_value = true;
  return true;
}

bool take_verb(const VerbRow& verb, Word& word, const std::vector<std::string>& words, std::size_t& at, Line& line) {
  line.verb = &verb;
  if (verb.takes == Takes::nothing) return true;
  if (!take_value(word, words, at)) return verb.takes == Takes::numbers_if_any;
  if (verb.takes == Takes::fields) {
    line.request.fields = split(word.value);
    return true;
  }
  if (verb.takes == Takes::numbers_and_starts) return parse_tuples(word.value, line.request);
  return parse_numbers(word.value, line.request.numbers);
}

bool parse(const std::vector<std::string>& words, Line& line) {
  Scope scope = Scope::top;
  std::size_t at = 0;
  if (!words.empty() && words[0] == "mig") scope = Scope::mig;
  if (!words.empty() && words[0] == "compute-policy") scope = Scope::policy;
  for (at = scope == Scope::top ? 0 : 1; at < words.size(); ++at) {
    Word word = word_of(words[at]);
    const auto verb = std::find_if(std::begin(verb_rows), std::end(verb_rows),
                                   [&](const VerbRow& row) { return row.scope == scope && named(row, word.name); });
    if (verb != std::end(verb_rows)) {
      if (line.verb != nullptr || !take_verb(*verb, word, words, at, line)) return false;
      continue;
    }
    const auto option = std::find_if(std::begin(option_rows), std::end(option_rows),
                                     [&](const OptionRow& row) { return named(row, word.name); });
    if (option == std::end(option_rows)) return false;
    if (option->takes_value && !take_value(word, words, at)) return false;
    if (!option->apply(line.request, line.cards, word.value)) return false;
  }
  return line.verb != nullptr;
}

// Cards by index, UUID or bus id.
Return find_card(const Nvml& nvml, const std::string& name, Chosen& card) {
  char* end = nullptr;
  card.index = static_cast<unsigned>(std::strtoul(name.c_str(), &end, 10));
  if (!name.empty() && *end == '\0') return nvml.call("nvmlDeviceGetHandleByIndex_v2", card.index, &card.device);
  Return found = nvml.call("nvmlDeviceGetHandleByUUID", name.c_str(), &card.device);
  if (found != success) found = nvml.call("nvmlDeviceGetHandleByPciBusId_v2", name.c_str(), &card.device);
  return found == success ? nvml.call("nvmlDeviceGetIndex", card.device, &card.index) : found;
}

Return choose_cards(const Nvml& nvml, const Cards& names, Request& request) {
  for (const std::string& name : names) {
    Chosen card;
    if (const Return found = find_card(nvml, name, card); found != success) {
      std::printf("No devices were found: %s: %s\n", name.c_str(), nvml.text(found));
      return found;
    }
    request.cards.push_back(card);
  }
  unsigned count = 0;
  if (names.empty()) nvml.call("nvmlDeviceGetCount_v2", &count);
  for (unsigned index = 0; index < count; ++index) {
    Chosen card{index, nullptr};
    const Return found = nvml.call("nvmlDeviceGetHandleByIndex_v2", index, &card.device);
    if (found != success) {
      std::printf("Unable to determine the device handle for GPU%u: %s\n", index, nvml.text(found));
      return found;
    }
    request.cards.push_back(card);
  }
  return success;
}

int usage() {
  std::printf(
      "nvidia-smi of simulated cards\n\n"
      "  nvidia-smi -L | -mig 0|1 | --gpu-reset | --query-compute-apps=FIELDS --format=csv[,noheader][,nounits]\n"
      "  nvidia-smi mig -lgip | -lgipp | -lgi | -lci\n"
      "  nvidia-smi mig -cgi ID[:START],... [-C] | -cci [IDS] [-gi ID] | -dgi [-gi ID] | -dci [-gi ID] [-ci ID]\n"
      "  nvidia-smi compute-policy -l | --set-timeslice=0|1|2|3\n"
      "  with -i CARDS: only these cards, by index, UUID or bus id\n");
  return invalid_argument;
}

int run(const std::vector<std::string>& words) {
  Line line;
  if (!parse(words, line)) return usage();
  int code = success;
  Nvml* nvml = Nvml::open(code);
  if (nvml == nullptr) return code;
  line.request.nvml = nvml;
  const Return chosen = choose_cards(*nvml, line.cards, line.request);
  code = chosen == success ? line.verb->run(line.request) : exit_code(chosen);
  nvml->close();
  return code;
}

}  // namespace

}  // namespace carve::sim

int main(int argc, char** argv) { return carve::sim::run(std::vector<std::string>(argv + 1, argv + argc)); }
