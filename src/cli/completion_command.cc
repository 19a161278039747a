// carve completion: what makes a shell complete carve's words.
#include <algorithm>
#include <array>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/output.h"

namespace carve {

namespace {

constexpr std::array arguments{Argument{"SHELL", Need::required, "bash, zsh or fish"}};
constexpr std::array examples{Example{"source <(carve completion bash)", "for this shell; the same with zsh"},
                              Example{"carve completion fish | source", "the same in fish"}};

Error unknown_shell(const std::string& typed) {
  std::vector<std::string> names;
  for (const ShellScript& script : completion_scripts()) names.emplace_back(script.shell);
  const auto near = nearest(typed, names);
  return Error{Fault::bad_input,
               fmt::format("there is no completion for '{}'", typed),
               {},
               near ? fmt::format("did you mean {}?", *near) : fmt::format("there is: {}", fmt::join(names, ", ")),
               {}};
}

Result<Exit> run(const Given& given) {
  const std::string& shell = given.text("SHELL");
  const auto scripts = completion_scripts();
  const auto found =
      std::find_if(scripts.begin(), scripts.end(), [&](const ShellScript& script) { return script.shell == shell; });
  if (found == scripts.end()) return fail(unknown_shell(shell));
  TRY_VOID(print(found->text));
  return Exit::done;
}

}  // namespace

constexpr Command completion_command{"completion",
                                     "a script that completes commands, options, cards ...",
                                     "Prints the script for one shell: commands, options, files, cards, and the\n"
                                     "workloads of a file. The Debian package has installed it already.",
                                     arguments,
                                     {},
                                     examples,
                                     run};

}  // namespace carve
