// Another program that is fed through a pipe: started without a shell, killed with all that it started.
//
// Owner: the destructor kills and reaps what still runs; so does unfinished::abandonAll(). The child has a process
// group of its own, so that Ctrl+C in the terminal is this program's to answer, and no signal blocked. A thread reads
// what it says, so that nothing holds it up, and no disk is needed. Thread: write(), closeInput() and wait() from one
// at a time; kill() from any; output() and lastErrors() after wait(). Errors: Error where the program cannot be started
// or waited for.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace simscope::exporting {

// The program of that name on the PATH.
std::optional<std::filesystem::path> findProgram(const std::string& name);

// Starts a program that outlives this one: in its own session, without standard input and output.
// The number that is shared is -1 while it runs, then its exit status (128 where a signal ended it). Error where it
// cannot be started.
std::shared_ptr<const std::atomic<int>> startApart(const std::filesystem::path& program,
                                                   const std::vector<std::string>& arguments);

class ChildProcess {
 public:
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes to its standard input; false: it takes no more. A SIGPIPE is caught.
  bool write(const void* data, std::size_t bytes);
  void closeInput() noexcept;
  // Waits until it has ended. Empty: with status 0. Otherwise: "ended with status 1", "was killed by signal 9
  // (Killed)".
  std::string wait();
  void kill() noexcept;

  const std::string& output() const { return output_text_; }  // its standard output
  std::string lastErrors(std::size_t most) const;  // the last lines of its standard error, `most` bytes at most

 private:
  void close(int& descriptor) noexcept;
  void listen();
  void stopListening() noexcept;

  int input_ = -1, output_ = -1, errors_ = -1;
  int stop_ = -1;  // tells the thread that nothing more will come
  std::thread listener_;
  std::string output_text_, error_text_;
  std::mutex mutex_;  // between the end of wait() and kill(): a reaped number may be another program's
  pid_t pid_ = -1;
  bool reaped_ = false;
};

}  // namespace simscope::exporting
