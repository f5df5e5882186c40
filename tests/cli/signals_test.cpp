// Ctrl+C and SIGTERM end a command promptly and leave no file.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

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

// As where a driver finds no memory.
TEST(Signals, AFaultLeavesNoPartialFileNorFolder) {
  for (const std::vector<std::string>& more : {Arguments{}, Arguments{"--sequence", "--out", "frames.png"}}) {
    const Folder folder;
    Arguments arguments = kLongRender;
    arguments.insert(arguments.end(), more.begin(), more.end());
    Program program(folder.path(), arguments);
    ASSERT_TRUE(waitForFile(folder, program)) << told(program.wait());
    program.signal(SIGSEGV);
    const Outcome outcome = program.wait();
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("partial files were deleted")) << told(outcome);
    EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("part"))));
    EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("film"))));
    EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("frames"))));
  }
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

// Work without a check for signals: the program still ends one second after the signal.
double secondsToEnd(Program& program, int number, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  program.signal(number);
  outcome = program.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// On a machine that does nothing else it is at most 2.
constexpr double kMostSeconds = 4;

TEST(Signals, EndALongStepInTime) {
  for (const int number : {SIGINT, SIGTERM}) {
    const Folder folder;
    // A step of all pairs of 262,144 bodies takes minutes on two cores.
    Program program(folder.path(), {"run", "nbody", "--device", "cpu", "--set", "bodies=262144", "--set",
                                    "method=direct", "--steps", "3", "--report", "report.json"});
    ASSERT_TRUE(waitForFile(folder, program)) << told(program.wait());
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    ASSERT_TRUE(program.running()) << told(program.wait());
    Outcome outcome;
    EXPECT_LT(secondsToEnd(program, number, outcome), kMostSeconds);
    EXPECT_EQ(outcome.status, 128 + number) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("interrupted; nothing was written"));
    EXPECT_THAT(folder.names(), IsEmpty());
  }
}

TEST(Signals, EndALongStepWhereNoThreadCanBeStarted) {
  const Folder folder;
  Settings settings;
  settings.most_threads = 1;
  Program program(folder.path(),
                  {"run", "nbody", "--device", "cpu", "--threads", "1", "--set", "bodies=262144", "--set",
                   "method=direct", "--steps", "3", "--report", "report.json"},
                  settings);
  if (!waitForFile(folder, program)) {
    const Outcome outcome = program.wait();
    if (outcome.status == 125) GTEST_SKIP() << "the program cannot be started by another user here";
    FAIL() << told(outcome);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  ASSERT_TRUE(program.running()) << told(program.wait());
  Outcome outcome;
  EXPECT_LT(secondsToEnd(program, SIGTERM, outcome), kMostSeconds);
  EXPECT_EQ(outcome.status, 143) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted; nothing was written"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Signals, EndAnOpenThatBlocks) {
  const Folder folder;
  ASSERT_EQ(mkfifo((folder / "pipe.csv").c_str(), 0600), 0);
  Program program(folder.path(), {"render", "tunneling", "--device", "cpu", "--out", "film.gif", "--out", "pipe.csv"});
  while (folder.names().size() < 2 && program.running()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  Outcome outcome;
  EXPECT_LT(secondsToEnd(program, SIGTERM, outcome), kMostSeconds);
  EXPECT_EQ(outcome.status, 143) << told(outcome);
  EXPECT_THAT(folder.names(), testing::ElementsAre("pipe.csv"));
}

// Three signals in a row, at any moment: neither a file nor a program is left.
TEST(Signals, ThreeOfThemLeaveNothing) {
  if (!std::filesystem::exists("/usr/bin/ffmpeg")) GTEST_SKIP() << "there is no ffmpeg: install the package ffmpeg";
  for (int i = 0; i < 12; ++i) {
    const Folder folder;
    Program program(folder.path(),
                    {"render",    "tunneling",    "--device", "cpu",   "--frames", "1000000", "--size",     "64x64",
                     "--out",     "film.gif",     "--out",    "f.mp4", "--out",    "h.webm",  "--sequence", "--out",
                     "still.png", "--scene-file", "--out",    "n.csv", "--out",    "psi.npy", "--out",      "g.gif"});
    // From the first file on, at ever later moments.
    ASSERT_TRUE(waitForFile(folder, program));
    std::this_thread::sleep_for(std::chrono::milliseconds(60 * (i / 2)));
    for (int k = 0; k < 3; ++k) {
      program.signal(i % 2 == 0 ? SIGINT : SIGTERM);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, i % 2 == 0 ? 130 : 143) << told(outcome);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a program that survived would make its file again
    EXPECT_THAT(folder.names(), IsEmpty()) << "run " << i;
  }
}

// A child that dies while the command ends is not reported as a fault.
TEST(Signals, WhatTheEndBreaksOffIsNoUsageError) {
  const Folder folder;
  std::filesystem::create_directory(folder / "bin");
  std::ofstream(folder / "bin/ffmpeg") << "#!/bin/sh\necho $$ > \"${0%/*}/pid\"\nexec /bin/sleep 60\n";
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
  Settings settings;
  settings.environment["PATH"] = (folder / "bin").string();
  Program program(folder.path(), {"render", "tunneling", "--device", "cpu", "--out", "film.mp4"}, settings);
  while (contentOf(folder / "bin/pid").find('\n') == std::string::npos && program.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  program.signal(SIGTERM);
  ::kill(std::stoi(contentOf(folder / "bin/pid")), SIGKILL);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.status, 143) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted; nothing was written"));
  EXPECT_THAT(folder.names(), testing::ElementsAre("bin"));
}

// ffmpeg is gone when the program ends.
TEST(Signals, ChildrenEndFirst) {
  const Folder folder;
  std::filesystem::create_directory(folder / "bin");
  std::ofstream(folder / "bin/ffmpeg") << "#!/bin/sh\nPATH=/usr/bin:/bin\nfor last; do :; done\n"
                                          "if [ \"$last\" = -encoders ]; then echo ' V....D ffv1'; exit 0; fi\n"
                                          "echo $$ > \"${0%/*}/pid\"\ntrap '' TERM INT HUP\n"
                                          "while :; do sleep 0.01; done\n";
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
  Settings settings;
  settings.environment["PATH"] = (folder / "bin").string();
  for (const int signals : {1, 3}) {
    std::filesystem::remove(folder / "bin/pid");
    Program program(folder.path(),
                    {"render", "tunneling", "--device", "cpu", "--frames", "1000000", "--out", "film.mkv"}, settings);
    while (contentOf(folder / "bin/pid").find('\n') == std::string::npos && program.running()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (int i = 0; i < signals; ++i) program.signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.status, 130) << told(outcome);
    const std::string stat = contentOf("/proc/" + std::to_string(std::stoi(contentOf(folder / "bin/pid"))) + "/stat");
    EXPECT_TRUE(stat.empty() || stat.find(") Z") != std::string::npos) << stat;
    EXPECT_THAT(folder.names(), testing::ElementsAre("bin"));
  }
}

}  // namespace
}  // namespace simscope::cli_test
