// The values that are offered for options, and at places of their own: names that the program knows.
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

// What was typed so far, as far as it is understood.
struct Typed {
  const CLI::App* command = nullptr;
  const Description* simulation = nullptr;  // that is named
  const lab::Lesson* lesson = nullptr;
  std::vector<std::string> given;  // options
  std::string present;             // the beginning of the word that is wanted
  std::size_t places = 0;          // words before it that are no options, nor their values
};

void offer(Candidates& all, std::string word, std::string help = {});
// Of an option ("--preset") or a place ("SIM"); also those that do not begin with typed.present.
void offerValues(const std::string& name, const Typed& typed, Candidates& all);

}  // namespace simscope::cli
