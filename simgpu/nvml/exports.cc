// exports BRANCH: the version script of the library that imitates this driver, on standard output. What it does not
// name is not there for dlsym: functions that are younger than the driver, and everything of ours.
#include <cstdio>
#include <cstdlib>

#include "simgpu/abi/abi.h"

int main(int argc, char** argv) {
  const long since = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (since <= 0) {
    std::fprintf(stderr, "usage: exports BRANCH, as in 525125\n");
    return 2;
  }
  std::printf("{\n  global:\n");
  for (const carve::sim::FunctionRow& row : carve::sim::function_rows) {
    if (row.since <= since) std::printf("    %s;\n", row.name);
  }
  std::printf("  local: *;\n};\n");
  return 0;
}
