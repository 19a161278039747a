// CLI11 splits the arguments of one command; names it does not know are left to us, so that a slip of the keyboard is
// answered with the nearest name. Its exceptions end here.
#include "cli/parse.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace carve {

namespace {

Error usage(std::string message, std::string help) {
  return Error{Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

// The nearest of a list, as the help of an error; else `otherwise`.
std::string near_command(const std::string& typed, std::span<const Command* const> list, std::string otherwise) {
  std::vector<std::string> words;
  for (const Command* command : list) words.emplace_back(command->word());
  const auto near = nearest(typed, words);
  if (!near) return otherwise;
  return fmt::format("did you mean 'carve {}'?",
                     list[std::size_t(std::find(words.begin(), words.end(), *near) - words.begin())]->name);
}

Error unknown_command(const std::string& typed) {
  const bool file = typed.find_first_of("./") != std::string::npos;
  return usage(
      fmt::format("there is no command '{}'", typed),
      near_command(typed, all_commands(),
                   file ? fmt::format("did you mean 'carve plan {}'?", typed) : "'carve --help' lists the commands"));
}

Error unknown_command_of(const Command& group, const std::string& typed) {
  const std::string see = fmt::format("'carve {} --help' lists its commands", group.name);
  if (typed.starts_with('-'))
    return usage(fmt::format("'carve {}' has no option {} before its command", group.name, typed), see);
  return usage(fmt::format("'carve {}' has no command '{}'", group.name, typed),
               near_command(typed, group.commands, see));
}

// What was left over: an option that the command does not have, or one argument too many.
Error left_over(const std::vector<std::string>& rest, const Command& command) {
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& a) { return a.starts_with('-'); });
  const std::string see = fmt::format("see 'carve {} --help'", command.name);
  if (option == rest.end()) return usage(fmt::format("'{}' is one argument too many", rest.front()), see);
  const std::string typed = option->substr(0, option->find('='));
  std::vector<std::string> names{"--help"};
  for (const Option& known : command.options) names.emplace_back(known.name);
  const auto near = nearest(typed, names);
  return usage(fmt::format("'carve {}' has no option {}", command.name, typed),
               near ? fmt::format("did you mean {}?", *near) : see);
}

// Checked by us and not by CLI11, whose words are its own.
std::optional<Error> missing(const Command& command, const Given& given) {
  for (const Argument& argument : command.arguments)
    if (argument.need == Need::required && !given.has(argument.name))
      return usage(fmt::format("'carve {}' needs {}: {}", command.name, argument.name, argument.help),
                   fmt::format("for example: {}", command.examples.front().line));
  return std::nullopt;
}

// Each option once, and with its value; CLI11 lets both pass so that we can say it.
std::optional<Error> wrongly_given(const Command& command, const CLI::App& app) {
  for (const Option& option : command.options) {
    if (option.value.empty()) continue;
    const CLI::Option& given = *app.get_option(std::string(option.name));
    if (given.count() > 1)
      return usage(fmt::format("{} stands here {} times", option.name, given.count()), "one of them is enough");
    if (given.count() == 1 && given.results().front().empty() && !option.value_may_lack())
      return usage(fmt::format("{} needs {}: {}", option.name, option.value, option.help),
                   fmt::format("see 'carve {} --help'", command.name));
  }
  return std::nullopt;
}

std::string cli11_names(const Option& option) {
  return option.brief.empty() ? std::string(option.name) : fmt::format("{},{}", option.brief, option.name);
}

Result<Parsed> parse_command(const Command& command, std::vector<std::string> arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  bool help = false;
  app.add_flag("-h,--help", help);
  for (const Argument& argument : command.arguments) app.add_option(std::string(argument.name));
  for (const Option& option : command.options) {
    if (option.value.empty()) {
      app.add_flag(cli11_names(option));
    } else {
      app.add_option(cli11_names(option))->expected(0, 1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return fail(usage(fmt::format("carve {}: {}", command.name, error.what()),
                      fmt::format("see 'carve {} --help'", command.name)));
  }
  if (help) return Parsed(HelpAsked{&command});
  if (const auto rest = app.remaining(); !rest.empty()) return fail(left_over(rest, command));
  if (auto error = wrongly_given(command, app)) return fail(std::move(*error));
  Given given;
  const auto take = [&](std::string_view name) {
    const CLI::Option* option = app.get_option(std::string(name));
    if (option->count() > 0) given.set(name, option->results().front());
  };
  for (const Argument& argument : command.arguments) take(argument.name);
  for (const Option& option : command.options) take(option.name);
  if (auto error = missing(command, given)) return fail(std::move(*error));
  return Parsed(Call{&command, std::move(given)});
}

Result<Parsed> parse_version(const std::vector<std::string>& rest) {
  if (rest.empty()) return Parsed(VersionAsked{Form::text});
  if (rest.size() == 1 && rest.front() == json_option.name) return Parsed(VersionAsked{Form::json});
  return fail(usage(fmt::format("'carve --version' has no option {}", rest.front()), "it has --json"));
}

}  // namespace

Result<Parsed> parse(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Parsed(HelpAsked{});
  const std::string& first = arguments.front();
  if (first == "--version") return parse_version({arguments.begin() + 1, arguments.end()});
  if (first == "__complete") return Parsed(CompletionAsked{{arguments.begin() + 1, arguments.end()}});
  const bool help = first == "--help" || first == "-h" || first == "help";
  if (help && arguments.size() == 1) return Parsed(HelpAsked{});
  const std::string& name = help ? arguments[1] : first;
  if (name.starts_with('-')) {
    const std::vector<std::string> known{"--help", "--version"};
    const auto near = name == "-V" || name == "-v" ? std::optional(known.back()) : nearest(name, known);
    return fail(
        usage(fmt::format("carve has no option {} before a command", name),
              near ? fmt::format("did you mean {}?", *near) : "options stand after the command: carve plan --json"));
  }
  const std::span<const std::string> words = std::span(arguments).subspan(help ? 1 : 0);
  const auto [command, taken] = find_command(words);
  if (command == nullptr) return fail(unknown_command(name));
  const std::span<const std::string> rest = words.subspan(taken);
  if (command->run == nullptr && !rest.empty() && rest.front() != "--help" && rest.front() != "-h")
    return fail(unknown_command_of(*command, rest.front()));
  if (help || command->run == nullptr) return Parsed(HelpAsked{command});
  return parse_command(*command, {rest.begin(), rest.end()});
}

}  // namespace carve
