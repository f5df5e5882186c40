#include "app/export/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr int kFirstFree = 3;            // descriptors below are what the child gets its own into
constexpr int kPipeBytes = 1024 * 1024;  // a few rows of a picture are too little to keep both sides busy

[[noreturn]] void failed(const std::string& what, int error_number) {
  throw Error(fmt::format("{}: {}", what, std::generic_category().message(error_number)));
}

void check(int error_number, const char* what) {
  if (error_number != 0) {
    failed(fmt::format("cannot start a program ({})", what), error_number);
  }
}

// Blocks SIGPIPE for this thread, and takes back the one that a write into a closed pipe brought.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&set_);
    sigaddset(&set_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~NoSigpipe() {
    const int saved = errno;
    if (!was_pending_) {
      const timespec now{};
      while (sigtimedwait(&set_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved;
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  sigset_t set_{}, before_{};
  bool was_pending_ = false;
};

class SpawnActions {
 public:
  SpawnActions() { check(posix_spawn_file_actions_init(&actions_), "file actions"); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  void duplicate(int from, int to) { check(posix_spawn_file_actions_adddup2(&actions_, from, to), "descriptors"); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  SpawnAttributes() {
    check(posix_spawnattr_init(&attributes_), "attributes");
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Away from the descriptors of the standard streams, which may be closed in this program.
int raised(int descriptor) {
  if (descriptor < 0 || descriptor >= kFirstFree) {
    return descriptor;
  }
  const int higher = ::fcntl(descriptor, F_DUPFD_CLOEXEC, kFirstFree);
  ::close(descriptor);
  return higher;
}

std::string tail(int descriptor, std::size_t most) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || status.st_size <= 0) {
    return {};
  }
  const auto size = static_cast<std::size_t>(status.st_size), wanted = std::min(size, most);
  std::string text(wanted, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), wanted, static_cast<off_t>(size - wanted));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace

std::optional<std::filesystem::path> findProgram(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    const auto end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const auto candidate = (folder.empty() ? std::filesystem::path(".") : std::filesystem::path(folder)) / name;
    struct stat status {};
    if (::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    rest.remove_prefix(end + 1);
  }
}

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{-1, -1};
  try {
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
      failed("cannot make a pipe", errno);
    }
    pipe[0] = raised(pipe[0]);
    input_ = raised(pipe[1]);
    // Files in memory, not pipes: nobody needs to read while the program runs, and it can never be held up.
    output_ = raised(::memfd_create("simscope-output", MFD_CLOEXEC));
    errors_ = raised(::memfd_create("simscope-errors", MFD_CLOEXEC));
    if (pipe[0] < 0 || input_ < 0 || output_ < 0 || errors_ < 0) {
      failed("cannot make a pipe", errno);
    }
    ::fcntl(input_, F_SETPIPE_SZ, kPipeBytes);  // refused where the system allows less: then it is slower
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    SpawnActions actions;
    actions.duplicate(pipe[0], STDIN_FILENO);
    actions.duplicate(output_, STDOUT_FILENO);
    actions.duplicate(errors_, STDERR_FILENO);
    const SpawnAttributes attributes;
    if (const int code = ::posix_spawn(&pid_, program.c_str(), actions.get(), attributes.get(), argv.data(), environ)) {
      pid_ = -1;
      failed(fmt::format("cannot start '{}'", program.string()), code);
    }
    close(pipe[0]);
  } catch (...) {
    close(pipe[0]);
    close(input_);
    close(output_);
    close(errors_);
    throw;
  }
}

ChildProcess::~ChildProcess() {
  kill();
  closeInput();
  if (!reaped_) {
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(output_);
  close(errors_);
}

void ChildProcess::close(int& descriptor) noexcept {
  if (descriptor >= 0) {
    ::close(descriptor);
    descriptor = -1;
  }
}

bool ChildProcess::write(const void* data, std::size_t bytes) {
  const NoSigpipe guard;
  const auto* first = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(input_, first, bytes);
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno == EPIPE) {
        return false;
      }
      failed("cannot write into a pipe", errno);
    }
    first += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

void ChildProcess::closeInput() noexcept {
  close(input_);
}

std::string ChildProcess::wait() {
  siginfo_t info{};
  // Its number stays taken until it is reaped below: kill() meanwhile meets no other program.
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) {
      const std::lock_guard<std::mutex> lock(mutex_);
      reaped_ = true;
      failed("cannot learn how a program ended", errno);
    }
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
  }
  if (info.si_code == CLD_EXITED) {
    return info.si_status == 0 ? std::string() : fmt::format("ended with status {}", info.si_status);
  }
  const char* const name = ::sigdescr_np(info.si_status);
  return fmt::format("was killed by signal {} ({})", info.si_status, name != nullptr ? name : "unknown");
}

void ChildProcess::kill() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!reaped_) {
    ::kill(-pid_, SIGKILL);
  }
}

std::string ChildProcess::output() const {
  return tail(output_, std::string().max_size());
}

std::string ChildProcess::lastErrors(std::size_t most) const {
  std::string text = tail(errors_, most);
  if (text.size() == most) {
    text.erase(0, text.find('\n') + 1);  // a line cut at its start; none whole: npos + 1 is 0
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace simscope::exporting
