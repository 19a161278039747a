// From arguments to an exit code: parse, run, render what went wrong.
#include <unistd.h>
#include <csignal>
#include <exception>

#include "cli/built_from.h"
#include "cli/cli.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/parse.h"

namespace carve {

namespace {

constexpr Exit exit_of(Fault fault) { return fault == Fault::environment ? Exit::environment : Exit::bad_input; }

struct Answerer {
  Result<Exit> operator()(const Call& call) const { return call.command->run(call.given); }
  Result<Exit> operator()(const HelpAsked& asked) const {
    const Style style = style_of(STDOUT_FILENO);
    TRY_VOID(print(asked.command == nullptr ? overview(style) : help_of(*asked.command, style)));
    return Exit::done;
  }
  Result<Exit> operator()(const VersionAsked& asked) const {
    TRY_VOID(print(asked.form == Form::json ? version_json() : version_text()));
    return Exit::done;
  }
  Result<Exit> operator()(const CompletionAsked& asked) const {
    TRY_VOID(print(complete(asked.words)));
    return Exit::done;
  }
};

Result<Exit> answer(const std::vector<std::string>& arguments) {
  TRY(const Parsed parsed, parse(arguments));
  return std::visit(Answerer{}, parsed);
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen by print(), which then leaves quietly
  try {
    const Result<Exit> ended = answer({argv + (argc > 0 ? 1 : 0), argv + argc});
    if (ended) return static_cast<int>(*ended);
    complain(render_error(ended.error(), style_of(STDERR_FILENO)));
    return static_cast<int>(exit_of(ended.error().fault));
  } catch (const std::exception& defect) {
    complain(fmt::format("internal defect: {}\n", defect.what()));
    return static_cast<int>(Exit::defect);
  }
}

}  // namespace carve
