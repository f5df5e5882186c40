// The man page, made from the command tree and the list of simulations: `simscope manual`.
//
// Thread: any. Errors: none.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace simscope::cli {

// In man(7) format, UTF-8; always the same bytes.
std::string manualPage(const CLI::App& program, const std::string& version);

}  // namespace simscope::cli
