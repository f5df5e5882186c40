#include "app/export/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/export/signals.h"
#include "app/export/unfinished.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr int kFirstFree = 3;            // descriptors below are what the child gets its own into
constexpr int kPipeBytes = 1024 * 1024;  // a few rows of a picture are too little to keep both sides busy

[[noreturn]] void failed(const std::string& what, int error_number) {
  throw Error(fmt::format("{}: {}{}", what, std::generic_category().message(error_number),
                          error_number == EMFILE ? "; raise the limit with: ulimit -n 256" : ""));
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
  void openNull(int descriptor) {
    check(posix_spawn_file_actions_addopen(&actions_, descriptor, "/dev/null", O_RDWR, 0), "descriptors");
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  explicit SpawnAttributes(short group = POSIX_SPAWN_SETPGROUP) {
    check(posix_spawnattr_init(&attributes_), "attributes");
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// As this program's, and with one thread for OpenBLAS, which ffmpeg's filters load and do not use: where memory is
// short, its other threads try for ever to get theirs, and ffmpeg does not end.
class ChildEnvironment {
 public:
  ChildEnvironment() {
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
      if (!std::string_view(*each).starts_with("OPENBLAS_NUM_THREADS=")) entries_.push_back(*each);
    }
    entries_.push_back(threads_.data());
    entries_.push_back(nullptr);
  }
  char* const* get() const { return entries_.data(); }

 private:
  std::string threads_ = "OPENBLAS_NUM_THREADS=1";
  std::vector<char*> entries_;
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

void makePipe(std::array<int, 2>& pipe) {
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    failed("cannot make a pipe", errno);
  }
  for (int& end : pipe) {
    end = raised(end);
  }
  if (pipe[0] < 0 || pipe[1] < 0) {
    failed("cannot make a pipe", errno);
  }
}

// What is there, up to `most` bytes of it, the last ones. False: nothing more will come.
bool append(int descriptor, std::string& text, std::size_t most) {
  std::array<char, 16384> part;
  const ssize_t got = ::read(descriptor, part.data(), part.size());
  if (got > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
    if (text.size() > 2 * most) {
      text.erase(0, text.size() - most);
    }
    return true;
  }
  return got < 0 && (errno == EINTR || errno == EAGAIN);
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

std::shared_ptr<const std::atomic<int>> startApart(const std::filesystem::path& program,
                                                   const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  SpawnActions actions;
  for (int stream = 0; stream < kFirstFree; ++stream) actions.openNull(stream);
  const SpawnAttributes attributes(POSIX_SPAWN_SETSID);
  pid_t pid = -1;
  if (const int code = ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(), argv.data(), environ)) {
    failed(fmt::format("cannot start '{}'", program.string()), code);
  }
  auto status = std::make_shared<std::atomic<int>>(-1);
  const SignalsElsewhere signals;
  std::thread([pid, status] {
    int code = 0;
    while (::waitpid(pid, &code, 0) < 0 && errno == EINTR) {
    }
    *status = WIFEXITED(code) ? WEXITSTATUS(code) : 128;
  }).detach();
  return status;
}

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{-1, -1}, out{-1, -1}, err{-1, -1};
  try {
    makePipe(pipe);
    makePipe(out);
    makePipe(err);
    input_ = std::exchange(pipe[1], -1);
    output_ = std::exchange(out[0], -1);
    errors_ = std::exchange(err[0], -1);
    stop_ = ::eventfd(0, EFD_CLOEXEC);
    if (stop_ < 0) {
      failed("cannot make a pipe", errno);
    }
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
    ::fcntl(errors_, F_SETFL, O_NONBLOCK);
    ::fcntl(input_, F_SETPIPE_SZ, kPipeBytes);  // refused where the system allows less: then it is slower
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    SpawnActions actions;
    actions.duplicate(pipe[0], STDIN_FILENO);
    actions.duplicate(out[1], STDOUT_FILENO);
    actions.duplicate(err[1], STDERR_FILENO);
    const SpawnAttributes attributes;
    const ChildEnvironment environment;
    const unfinished::Guard guard;
    if (const int code =
            ::posix_spawn(&pid_, program.c_str(), actions.get(), attributes.get(), argv.data(), environment.get())) {
      pid_ = -1;
      failed(fmt::format("cannot start '{}'", program.string()), code);
    }
    unfinished::addProgram(pid_);
    for (int each : {pipe[0], out[1], err[1]}) {
      close(each);
    }
    pipe[0] = out[1] = err[1] = -1;
    const SignalsElsewhere signals;
    listener_ = std::thread([this] { listen(); });
  } catch (...) {
    kill();
    if (pid_ >= 0) {
      unfinished::removeProgram(pid_);
      while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    for (int each : {pipe[0], pipe[1], out[0], out[1], err[0], err[1], input_, output_, errors_, stop_}) {
      close(each);
    }
    throw;
  }
}

ChildProcess::~ChildProcess() {
  kill();
  closeInput();
  if (!reaped_) {
    unfinished::removeProgram(pid_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  stopListening();
  close(output_);
  close(errors_);
  close(stop_);
}

// Until both ends are closed, or stopListening() says that the program has ended: its children may hold them open.
void ChildProcess::listen() {
  constexpr std::size_t kMostOutput = 16u << 20, kMostErrors = 64u << 10;
  pollfd streams[3] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}, {stop_, POLLIN, 0}};
  std::string* const texts[2] = {&output_text_, &error_text_};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (::poll(streams, 3, -1) < 0 && errno != EINTR) {
      return;
    }
    bool heard = false;
    for (int i = 0; i < 2; ++i) {
      if (streams[i].fd < 0 || streams[i].revents == 0) {
        continue;
      }
      heard = true;
      if (!append(streams[i].fd, *texts[i], i == 0 ? kMostOutput : kMostErrors)) {
        streams[i].fd = -1;
      }
    }
    if (!heard && streams[2].revents != 0) {
      return;
    }
  }
}

void ChildProcess::stopListening() noexcept {
  if (!listener_.joinable()) {
    return;
  }
  const std::uint64_t one = 1;
  while (::write(stop_, &one, sizeof one) < 0 && errno == EINTR) {
  }
  listener_.join();
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
      failed("cannot write to a pipe", errno);
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
  // Its number is in use until it is reaped below: kill() meanwhile meets no other program.
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) {
      const std::lock_guard<std::mutex> lock(mutex_);
      reaped_ = true;
      failed("cannot get the exit status of a program", errno);
    }
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    unfinished::removeProgram(pid_);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
  }
  stopListening();
  if (info.si_code == CLD_EXITED) {
    return info.si_status == 0 ? std::string() : fmt::format("ended with status {}", info.si_status);
  }
  const char* const name = ::sigdescr_np(info.si_status);
  return fmt::format("was killed by signal {} ({})", info.si_status, name != nullptr ? name : "unknown");
}

void ChildProcess::kill() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (pid_ >= 0 && !reaped_) {
    ::kill(-pid_, SIGKILL);
  }
}

std::string ChildProcess::lastErrors(std::size_t most) const {
  std::string text = error_text_.substr(error_text_.size() - std::min(most, error_text_.size()));
  if (text.size() == most) {
    text.erase(0, text.find('\n') + 1);  // a line cut at its start; none whole: npos + 1 is 0
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.pop_back();
  }
  return text;
}

}  // namespace simscope::exporting
