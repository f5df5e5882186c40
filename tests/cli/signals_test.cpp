// Ctrl+C and SIGTERM end a command promptly and leave no file.
#include <gmock/gmock.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Arguments = std::vector<std::string>;

// Far more work than any test waits for; a file is begun before the first step.
const Arguments kLongRun = {"run",     "tunneling",     "--device", "cpu",
                            "--steps", "1000000000000", "--report", "report.json"};
const Arguments kLongRender = {"render",  "tunneling", "--device", "cpu",   "--frames",
                               "1000000", "--size",    "64x64",    "--out", "film.gif"};

// Waits until the program has begun its file (or ended); true where it has.
bool waitForFile(const Folder& folder, Program& program) {
  while (folder.names().empty() && program.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return !folder.names().empty();
}

void expectEndedBy(const Arguments& arguments, int number, const Settings& settings = {}) {
  const Folder folder;
  Program program(folder.path(), arguments, settings);
  ASSERT_TRUE(waitForFile(folder, program)) << told(program.wait());
  program.signal(number);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 128 + number) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Signals, InterruptEndsARender) {
  expectEndedBy(kLongRender, SIGINT);
}
TEST(Signals, TerminateEndsARender) {
  expectEndedBy(kLongRender, SIGTERM);
}
TEST(Signals, HangUpEndsARun) {
  expectEndedBy(kLongRun, SIGHUP);
}
TEST(Signals, InterruptEndsARun) {
  expectEndedBy(kLongRun, SIGINT);
}

TEST(Signals, InterruptIsHeardWhereTheParentIgnoredIt) {
  Settings settings;
  settings.ignore_interrupt = true;
  expectEndedBy(kLongRun, SIGINT, settings);
}

TEST(Signals, ImpatienceLeavesNothingEither) {
  const Folder folder;
  Program program(folder.path(), kLongRender);
  ASSERT_TRUE(waitForFile(folder, program)) << told(program.wait());
  for (int i = 0; i < 5; ++i) program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130) << told(outcome);
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Signals, InterruptAmidTheFramesLeavesNothing) {
  const Folder folder;
  Arguments arguments = kLongRender;
  arguments.insert(arguments.end(), {"--size", "200x100"});
  arguments.erase(arguments.begin() + 6, arguments.begin() + 8);  // the first --size
  Program program(folder.path(), arguments);
  ASSERT_TRUE(waitForFile(folder, program)) << told(program.wait());
  // Until part of the animation is in the temporary file.
  const auto begun = [&] {
    for (const std::string& name : folder.names()) {
      std::error_code gone;
      if (std::filesystem::file_size(folder / name, gone) > 0 && !gone) return true;
    }
    return false;
  };
  while (!begun() && program.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 130) << told(outcome);
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace simscope::cli_test
