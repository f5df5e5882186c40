// The man page, made from the command tree and the list of simulations: `simscope manual`.
//
// Thread: any. Errors: none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace simscope::cli {

// As man(7) has it, UTF-8; the same bytes whenever and wherever it is made.
std::string manualPage(const CLI::App& program, const std::string& version);

}  // namespace simscope::cli
