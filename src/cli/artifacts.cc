#include "cli/artifacts.h"

#include <filesystem>

#include "cli/input.h"

namespace carve {

namespace {

// In the order in which they are written.
constexpr const Option* artifacts[] = {&output_option, &html_option, &svg_option};

Error usage(std::string message, std::string help) {
  return Error{Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

// Two paths that lead to one file are the same: by links, by "./", by "..".
std::filesystem::path place_of(const std::string& path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? std::filesystem::path(path) : place;
}

}  // namespace

Result<void> check_artifacts(const Given& given, const std::string& input) {
  struct Taken {
    std::filesystem::path place;
    std::string what;
  };
  std::vector<Taken> taken;
  if (input != "-") taken.push_back({place_of(input), "the file that is read"});
  for (const Option* option : artifacts) {
    if (!given.has(option->name)) continue;
    const std::string& path = given.text(option->name);
    if (path == "-")
      return fail(usage(fmt::format("{} needs a file, and `-` is none", option->name),
                        "--json prints the plan to standard output; ./- is a file of that name"));
    const std::filesystem::path place = place_of(path);
    for (const Taken& other : taken)
      if (other.place == place)
        return fail(usage(fmt::format("{} names {}, which is {}", option->name, path, other.what),
                          "name another file: nothing was written"));
    taken.push_back({place, fmt::format("the file of {}", option->name)});
  }
  return {};
}

Result<void> write_artifacts(const Given& given, const Plan& plan, const std::vector<Violation>& violations,
                             const std::string& input) {
  const std::string shown = shown_path(input);
  const std::string name = shown.substr(shown.rfind('/') + 1);
  if (given.has(output_option.name)) TRY_VOID(write_file_atomically(given.text(output_option.name), write_plan(plan)));
  if (given.has(html_option.name))
    TRY_VOID(write_file_atomically(given.text(html_option.name), page_of(plan, violations, name)));
  if (given.has(svg_option.name))
    TRY_VOID(write_file_atomically(given.text(svg_option.name), drawing_of(plan, violations)));
  return {};
}

}  // namespace carve
