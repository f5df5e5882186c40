// The completions that a shell offers for a simscope command, made from the command tree.
//
// `simscope completion SHELL` prints a script for the shell, which asks `simscope complete-words WORD...` at each Tab,
// so that the offers are always those of this program. Plain text; reads no file, opens no device, takes milliseconds.
// Thread: any. Errors: UsageError for an unknown shell.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace simscope::cli {

// The command, in no list of any help, that the scripts ask.
inline constexpr const char* kCompleteWords = "complete-words";

struct Candidate {
  std::string word;  // whole: "--preset", "barrier_height=" (more follows where it ends in = or :)
  std::string help;  // one line; may be empty
};
struct Candidates {
  bool files = false;  // names of files may stand there, too
  std::vector<Candidate> words = {};
};

// What may stand in the place of the last of `words` (without the program's name; the last may be empty or a beginning:
// what does not begin so is left out). Unknown words get no offers.
Candidates candidates(const CLI::App& program, std::vector<std::string> words);
// As the scripts read it: "files" or "words" in the first line, then a candidate a line, its help after a tabulator.
std::string text(const Candidates& candidates);

const std::vector<std::string>& completedShells();  // bash, zsh, fish
std::string completionScript(const std::string& shell);

}  // namespace simscope::cli
