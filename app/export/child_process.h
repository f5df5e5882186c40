// Another program with its input piped from here: started without a shell, killed with all its descendants.
//
// Owner: the destructor kills and reaps the program if it still runs; so does unfinished::abandonAll(). The child has
// its own process group, so that Ctrl+C in the terminal goes only to this program, and no blocked signals. A thread
// reads its output, so that the child never blocks, and no disk is needed. Thread: write(), closeInput() and wait()
// from one at a time; kill() from any; output() and lastErrors() after wait(). Errors: Error if the program cannot be
// started or waited for.
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

// The path of the program with this name on the PATH.
std::optional<std::filesystem::path> findProgram(const std::string& name);

// Starts a program that outlives this one: in its own session, without standard input and output. The shared number is
// -1 while it runs, then its exit status (128 if a signal ended it). Error if it cannot be started.
std::shared_ptr<const std::atomic<int>> startApart(const std::filesystem::path& program,
                                                   const std::vector<std::string>& arguments);

class ChildProcess {
 public:
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes to its standard input; false: it accepts no more. A SIGPIPE is caught.
  bool write(const void* data, std::size_t bytes);
  void closeInput() noexcept;
  // Waits until it has ended. Empty: with status 0. Otherwise: "ended with status 1", "was killed by signal 9
  // (Killed)".
  std::string wait();
  void kill() noexcept;

  const std::string& output() const { return output_text_; }  // its standard output
  std::string lastErrors(std::size_t most) const;  // the last lines of its standard error, at most `most` bytes

 private:
  void close(int& descriptor) noexcept;
  void listen();
  void stopListening() noexcept;

  int input_ = -1, output_ = -1, errors_ = -1;
  int stop_ = -1;  // tells the thread that no more output will come
  std::thread listener_;
  std::string output_text_, error_text_;
  std::mutex mutex_;  // between the end of wait() and kill(): a reaped process id may belong to another program
  pid_t pid_ = -1;
  bool reaped_ = false;
};

}  // namespace simscope::exporting
