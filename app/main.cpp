#include "app/cli/cli.h"

int main(int argc, char** argv) {
  return simscope::cli::runProgram(argc, argv, SIMSCOPE_VERSION);
}
