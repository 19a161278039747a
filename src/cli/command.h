// A command of the program as data: its name, help, arguments, options and examples, and the function that does it.
// Everything here is constexpr, so that starting the program initialises nothing.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "show/show.h"

namespace carve {

// How the program ends.
enum class Exit {
  done = 0,
  no = 1,           // the answer is no: an error finding, a replica unplaced
  bad_input = 2,    // input or usage
  environment = 3,  // the machine refused
  rolled_back = 4,  // stopped half way, and back to what it was
  unfinished = 5,   // done as far as possible: a reset or a reboot is needed
  defect = 70,      // carve found a mistake of its own
};

enum class Need { required, optional };

// An argument without a name on the command line: `carve plan FILE`.
struct Argument {
  std::string_view name;  // "FILE"
  Need need = Need::required;
  std::string_view help;
};

struct Option {
  std::string_view name;   // "--fleet"
  std::string_view brief;  // "-o"; empty if there is none
  std::string_view value;  // "FLEET": what follows it; "[SECONDS]" what may follow; empty for a flag
  std::string_view help;

  constexpr bool value_may_lack() const { return value.starts_with('['); }
};

struct Example {
  std::string_view line;     // "carve plan team.yaml"
  std::string_view meaning;  // "plan for the fleet that the file names"
};

// The values that a person gave, by the names of arguments and options.
class Given {
 public:
  void set(std::string_view name, std::string value) { values_.insert_or_assign(std::string(name), std::move(value)); }
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  // Empty if it was not given.
  const std::string& text(std::string_view name) const;
  // Error: bad_input when it is not a whole number from `least` to `most`.
  struct Bounds {
    int least, most;
  };
  Result<std::optional<int>> number(std::string_view name, Bounds) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

struct Command {
  std::string_view name;     // "plan"; "sim create" within the group "sim"
  std::string_view summary;  // one line, in lower case
  std::string_view details;  // paragraphs for its own help, separated by line feeds
  std::span<const Argument> arguments;
  std::span<const Option> options;
  std::span<const Example> examples;              // at least one
  Result<Exit> (*run)(const Given&);              // null: a group, which does nothing by itself
  std::span<const Command* const> commands = {};  // of a group

  // What is typed for it behind its group: "create".
  constexpr std::string_view word() const { return name.substr(name.rfind(' ') + 1); }
};

// Every command, in the order of the overview.
std::span<const Command* const> all_commands();
// These, and behind each group its own.
std::vector<const Command*> every_command();

// The command that the first words name, of a group if there are two. `words` is how many name it; null: 0.
struct NamedCommand {
  const Command* command = nullptr;
  std::size_t words = 0;
};
NamedCommand find_command(std::span<const std::string> words);

extern const Command cards_command;
extern const Command mechanisms_command;
extern const Command plan_command;
extern const Command why_command;
extern const Command check_command;
extern const Command status_command;
extern const Command observe_command;
extern const Command diff_command;
extern const Command apply_command;
extern const Command rollback_command;
extern const Command journal_command;
extern const Command import_command;
extern const Command export_command;
extern const Command sim_command;
extern const Command completion_command;

// ------------------------------------------------------------------------------------------------- common options

inline constexpr Option json_option{"--json", "", "", "JSON for programs instead of text (docs/json.md)"};
inline constexpr Option ascii_option{"--ascii", "", "", "draw with ASCII only, whatever the locale"};
inline constexpr Option width_option{"--width", "", "N", "columns to draw with, 40 to 400"};
inline constexpr Option sim_option{"--sim", "", "CARDS", "simulated cards instead of real ones: 8xh100-80gb,2xa30"};
inline constexpr Option sim_dir_option{"--sim-dir", "", "DIR", "the folder of the simulated machine"};

// How to write to standard output: the terminal's style, as --ascii and --width change it.
Result<Style> output_style(const Given&);

}  // namespace carve
