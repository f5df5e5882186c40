#include "tests/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

extern char** environ;

namespace simscope::cli_test {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{300};

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

std::vector<std::string> environmentOf(const Settings& settings) {
  static const std::set<std::string> removed = {"DISPLAY", "WAYLAND_DISPLAY", "SIMSCOPE_DEVICE", "SIMSCOPE_SCALE"};
  std::map<std::string, std::string> all;
  for (char** each = environ; *each; ++each) {
    const std::string entry = *each;
    const std::string name = entry.substr(0, entry.find('='));
    if (!removed.contains(name)) all[name] = entry.substr(name.size() + 1);
  }
  // Leaks of drivers are not simscope's; the driver's cache must not fill a home folder.
  all.try_emplace("LSAN_OPTIONS", "suppressions=" SIMSCOPE_LEAK_SUPPRESSIONS ":print_suppressions=0");
  all["MESA_SHADER_CACHE_DISABLE"] = "true";
  for (const auto& [name, value] : settings.environment) all[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : all) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Program::Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 const Settings& settings) {
  // Everything that allocates happens before the fork.
  std::vector<std::string> words = {settings.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = environmentOf(settings);
  const std::vector<char*> argv = pointersTo(words), envp = pointersTo(environment);
  int out[2], err[2];
  require(pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0, "pipe2");
  if (settings.out_to) {
    close(out[1]);
    out[1] = open(settings.out_to->c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    require(out[1] >= 0, settings.out_to->c_str());
  }
  if (settings.out_without_reader) close(std::exchange(out[0], open("/dev/null", O_RDONLY | O_CLOEXEC)));
  pid_ = fork();
  require(pid_ >= 0, "fork");
  if (pid_ == 0) {
    // Resets the signals that the tests' parent ignores or blocks.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) ::signal(number, SIG_DFL);
    ::signal(SIGINT, settings.ignore_interrupt ? SIG_IGN : SIG_DFL);
    const int null = open("/dev/null", O_RDONLY);
    bool ready = null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0 &&
                 dup2(err[1], STDERR_FILENO) >= 0 && chdir(folder.c_str()) == 0;
    if (null > STDERR_FILENO) close(null);
    if (settings.close_out) close(STDOUT_FILENO);
    if (settings.largest_file) {
      const rlimit limit = {*settings.largest_file, *settings.largest_file};
      ready = ready && setrlimit(RLIMIT_FSIZE, &limit) == 0;
    }
    if (settings.most_threads) {
      constexpr uid_t kNobody = 65534;
      const rlimit limit = {*settings.most_threads, *settings.most_threads};
      ready = ready && (getuid() != 0 || (chmod(".", 0777) == 0 && setuid(kNobody) == 0)) &&
              setrlimit(RLIMIT_NPROC, &limit) == 0;
    }
    if (ready) execve(argv[0], argv.data(), envp.data());
    _exit(125);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  if (running()) {
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
  }
  for (const int descriptor : {out_, err_}) {
    if (descriptor >= 0) close(descriptor);
  }
}

void Program::signal(int number) const {
  kill(pid_, number);
}

bool Program::running() {
  int status = 0;
  if (!ended_ && waitpid(pid_, &status, WNOHANG) == pid_) ended_ = status;
  return !ended_;
}

Outcome Program::wait() {
  Outcome outcome;
  const Clock::time_point deadline = Clock::now() + kPatience;
  pollfd streams[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  while ((streams[0].fd >= 0 || streams[1].fd >= 0) && Clock::now() < deadline) {
    poll(streams, 2, 100);
    for (int i = 0; i < 2; ++i) {
      if (!streams[i].revents) continue;
      char buffer[65536];
      const ssize_t count = read(streams[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        streams[i].fd = -1;
      }
    }
  }
  while (running() && Clock::now() < deadline) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (running()) {
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    ended_ = status;
    outcome.err += "\n(the test ended it: it took too long)";
  }
  if (WIFEXITED(*ended_)) outcome.status = WEXITSTATUS(*ended_);
  if (WIFSIGNALED(*ended_)) outcome.signal = WTERMSIG(*ended_);
  return outcome;
}

Outcome simscope(const Folder& folder, const std::vector<std::string>& arguments, const Settings& settings) {
  return Program(folder.path(), arguments, settings).wait();
}

nlohmann::json jsonOf(const Outcome& outcome) {
  nlohmann::json document = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << told(outcome);
  return document;
}

nlohmann::json withoutTiming(const std::string& report) {
  nlohmann::json document = nlohmann::json::parse(report);
  document.erase("timing");
  return document;
}

nlohmann::json reportIn(const std::filesystem::path& file) {
  return withoutTiming(contentOf(file));
}

std::string told(const Outcome& outcome) {
  return "status " + std::to_string(outcome.status) + ", signal " + std::to_string(outcome.signal) +
         "\nstdout: " + outcome.out.substr(0, 2000) + "\nstderr: " + outcome.err.substr(0, 2000);
}

}  // namespace simscope::cli_test
