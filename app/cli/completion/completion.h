// The completions that a shell offers for a simscope command, made from the command tree.
//
// `simscope completion SHELL` prints a script for the shell, which calls `simscope complete-words WORD...` at each Tab,
// so that the offers always match this program. Plain text; reads no file, opens no device, takes milliseconds. Thread:
// any. Errors: UsageError for an unknown shell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/lab/lesson.h"
#include "sims/core/description.h"

namespace simscope::cli {

// The command that the scripts call; no help lists it.
inline constexpr const char* kCompleteWords = "complete-words";

struct Candidate {
  std::string word;  // whole: "--preset", "barrier_height=" (more follows if it ends in = or :)
  std::string help;  // one line; may be empty
};
struct Candidates {
  bool files = false;  // file names are also valid here
  std::vector<Candidate> words = {};
};

// The possible words in place of the last of `words` (without the program's name). The last may be empty or a prefix:
// candidates without this prefix are left out. Unknown words get no offers.
Candidates candidates(const CLI::App& program, std::vector<std::string> words);
// In the scripts' format: "files" or "words" in the first line, then one candidate per line, its help after a tab.
std::string text(const Candidates& candidates);

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

const std::vector<std::string>& completedShells();  // bash, zsh, fish
std::string completionScript(const std::string& shell);

}  // namespace simscope::cli
