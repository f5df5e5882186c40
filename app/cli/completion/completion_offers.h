// The values offered for options and for positional arguments: names that the program knows.
//
// Thread: any. Errors: none; unknown names get no offers.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/completion/completion.h"
#include "app/lab/lesson.h"
#include "sims/core/description.h"

namespace simscope::cli {

// The words typed so far, as far as they are understood.
struct Typed {
  const CLI::App* command = nullptr;
  const Description* simulation = nullptr;  // the one named
  const lab::Lesson* lesson = nullptr;
  std::vector<std::string> given;  // options
  std::string present;             // the prefix of the wanted word
  std::size_t places = 0;          // number of earlier words that are neither options nor their values
};

void offer(Candidates& all, std::string word, std::string help = {});
// For an option ("--preset") or a positional argument ("SIM"); includes those that do not begin with typed.present.
void offerValues(const std::string& name, const Typed& typed, Candidates& all);

}  // namespace simscope::cli
