// Runs the built program as a person would: arguments, an environment, standard input; without a shell.
#pragma once

#include <string>
#include <vector>

namespace carve::sample {

struct Ran {
  int code = -1;  // exit code, or 128 + signal
  std::string out;
  std::string err;
};

struct Invocation {
  std::vector<std::string> arguments;
  std::vector<std::string> environment = {};  // "NAME=value", and nothing else but PATH
  std::string input = {};
  std::string stdout_path = {};  // where standard output goes instead of `out`
  int stdout_descriptor = -1;    // the same, as an open descriptor
};

Ran run_carve(const Invocation&);
inline Ran run_carve(std::vector<std::string> arguments) { return run_carve(Invocation{std::move(arguments)}); }

// The same on a terminal of its own, whose output is `out`.
Ran carve_on_terminal(const Invocation&);

// A folder of this test alone, removed with its contents at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return root_ + "/" + name; }

 private:
  std::string root_;
};

}  // namespace carve::sample
