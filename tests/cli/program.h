// Starts the built simscope (or another program) in a folder of its own and gives back what it printed and how it
// ended. Nothing here depends on a terminal, a display, HOME, or the signals that the parent ignores.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/testing/folder.h"

namespace simscope::cli_test {

using tests::contentOf;
using tests::Folder;

using Arguments = std::vector<std::string>;
// One after the other.
Arguments operator+(Arguments a, const Arguments& b);

struct Settings {
  std::string program = SIMSCOPE_PROGRAM;
  std::map<std::string, std::string> environment;  // on top of the tests' own; DISPLAY and the like are removed
  std::optional<std::string> out_to;               // a file for standard output, instead of a pipe
  bool close_out = false;                          // starts without a standard output
  bool out_without_reader = false;                 // standard output is a pipe that nobody reads
  bool ignore_interrupt = false;                   // SIGINT ignored at the start, as in a script's background job
  std::optional<std::uint64_t> largest_file;       // RLIMIT_FSIZE: as a disk that is full
  // RLIMIT_NPROC, as another user if this one is root, whom it does not hold.
  std::optional<std::uint64_t> most_threads;
};

struct Outcome {
  int status = -1;  // the exit status; -1: ended by a signal
  int signal = 0;   // that signal
  std::string out, err;
};

class Program {
 public:
  Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
          const Settings& settings = {});
  ~Program();  // ends it if it still runs
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void signal(int number) const;
  bool running();
  // Waits for the end while reading both streams. A program that takes unreasonably long is ended: status -1.
  Outcome wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
  std::optional<int> ended_;
};

Outcome simscope(const Folder& folder, const std::vector<std::string>& arguments, const Settings& settings = {});
// Standard output as JSON; fails the test where it is anything else.
nlohmann::json jsonOf(const Outcome& outcome);

// A run's report, without what depends on the clock.
nlohmann::json withoutTiming(const std::string& report);
nlohmann::json reportIn(const std::filesystem::path& file);

// "  | status 2\n  | stdout: …": for messages of failed expectations.
std::string told(const Outcome& outcome);

}  // namespace simscope::cli_test
