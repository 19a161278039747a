#include "cli/cli.h"

int main(int argc, char** argv) { return carve::run_program(argc, argv); }
