// doctor: each line, and the faults that it reports.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "app/doctor/lines.h"
#include "sims/compute/test_devices.h"
#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using doctor::Health;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// What a healthy computer without a display has set, so that one thing at a time can be wrong.
std::map<std::string, std::string> usual(const Folder& folder) {
  return {{"SIMSCOPE_STATE_DIR", (folder / "state").string()}};
}

Outcome examine(const Folder& folder, const std::map<std::string, std::string>& changed = {}) {
  Settings settings;
  settings.environment = usual(folder);
  // The doctor draws and unloads the driver. The leak checker then crashes (signal 11) when it searches the driver's
  // threads, and its status would replace the doctor's. Tests of other commands check drawing for leaks.
  const char* const asan = std::getenv("ASAN_OPTIONS");
  settings.environment["ASAN_OPTIONS"] = std::string(asan ? asan : "") + ":detect_leaks=0";
  for (const auto& [name, value] : changed) settings.environment[name] = value;
  return simscope(folder, {"doctor", "--json"}, settings);
}

nlohmann::json lineOf(const Outcome& outcome, const std::string& key) {
  const nlohmann::json report = jsonOf(outcome);
  for (const nlohmann::json& each : report.at("lines")) {
    if (each.at("key") == key) return each;
  }
  ADD_FAILURE() << "no line " << key << "\n" << told(outcome);
  return {{"health", ""}, {"found", ""}, {"cure", ""}};
}

// The line is wrong, says what to do, and the exit status tells it.
void expectWrong(const Outcome& outcome, const std::string& key, const std::string& found) {
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_FALSE(jsonOf(outcome).at("healthy").get<bool>());
  const nlohmann::json line = lineOf(outcome, key);
  EXPECT_EQ(line.at("health"), "wrong") << line;
  EXPECT_THAT(line.at("found").get<std::string>(), HasSubstr(found));
  EXPECT_NE(line.at("cure"), "") << line;
}

TEST(Doctor, AComputerThatRendersIsHealthyWithoutADisplay) {
  const Folder folder;
  const Outcome outcome = examine(folder);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_EQ(lineOf(outcome, "display").at("health"), "missing");
  EXPECT_THAT(lineOf(outcome, "drawing_cpu").at("found").get<std::string>(),
              HasSubstr("the picture of step 700037 is correct"));
  for (const char* key : {"program", "processor", "device", "egl", "opengl", "drawing_cpu", "fonts", "state_folder",
                          "cache_folder", "current_folder", "variables"}) {
    EXPECT_EQ(lineOf(outcome, key).at("health"), "ok") << lineOf(outcome, key);
  }
  Settings settings;
  settings.environment = usual(folder);
  // Leaks are looked for above. Clang 14's checker breaks down here, each time, on threads of the driver that have
  // ended.
  settings.environment["ASAN_OPTIONS"] = "detect_leaks=0";
  const Outcome text = simscope(folder, {"doctor"}, settings);
  EXPECT_EQ(text.status, 0) << told(text);
  EXPECT_THAT(text.out, AllOf(StartsWith("ok       simscope"), HasSubstr("\nok       OpenGL"),
                              HasSubstr("-> only the window needs a display")));
  // The tested folders stay empty.
  EXPECT_THAT(folder.names(), testing::ElementsAre("state"));
}

TEST(Doctor, SaysNothingOfTheHomeFolder) {
  const Folder folder;
  const Outcome outcome = examine(folder, {{"HOME", folder.path().string()}, {"SIMSCOPE_STATE_DIR", ""}});
  EXPECT_EQ(lineOf(outcome, "state_folder").at("found").get<std::string>().substr(0, 24), "~/.local/state/simscope,");
  EXPECT_THAT(outcome.out, Not(HasSubstr(folder.path().string())));
}

TEST(Doctor, WithoutEglEverythingElseIsStillTold) {
  const Folder folder;
  // GLVND finds no driver.
  const Outcome outcome = examine(folder, {{"__EGL_VENDOR_LIBRARY_DIRS", (folder / "none").string()},
                                           {"__EGL_VENDOR_LIBRARY_FILENAMES", (folder / "none.json").string()}});
  expectWrong(outcome, "egl", "");
  EXPECT_EQ(lineOf(outcome, "opengl").at("health"), "wrong");
  EXPECT_EQ(lineOf(outcome, "drawing_cpu").at("health"), "wrong");
  EXPECT_EQ(lineOf(outcome, "fonts").at("health"), "ok");
}

TEST(Doctor, AnOpenGlThatIsTooOldIsWrongThoughThereIsEgl) {
  const Folder folder;
  const Outcome outcome = examine(
      folder, {{"MESA_GL_VERSION_OVERRIDE", "3.3"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}, {"CUDA_VISIBLE_DEVICES", ""}});
  if (lineOf(outcome, "opengl").at("health") == "ok") GTEST_SKIP() << "OpenGL is not Mesa's here";
  expectWrong(outcome, "opengl", "4.5");
  EXPECT_EQ(lineOf(outcome, "egl").at("health"), "ok");
}

TEST(Doctor, ADisplayThatCannotBeOpenedIsWrong) {
  const Folder folder;
  expectWrong(examine(folder, {{"DISPLAY", "nowhere.invalid:9"}}), "display", "cannot be opened");
}

TEST(Doctor, APictureOfAnOlderFrameIsFound) {
  const Folder folder;
  expectWrong(examine(folder, {{"SIMSCOPE_FAULT", "picture:1+"}}), "drawing_cpu",
              "the picture of step 700037 shows step 37");
  expectWrong(examine(folder, {{"SIMSCOPE_FAULT", "picture:100"}}), "variables", "SIMSCOPE_FAULT=picture:100");
}

TEST(Doctor, InteropIsProvedOrMissed) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  const Folder folder;
  EXPECT_NE(lineOf(examine(folder), "drawing_cuda:0").at("health"), "wrong");
  const nlohmann::json line = lineOf(examine(folder, {{"SIMSCOPE_FAULT", "interop:1+"}}), "drawing_cuda:0");
  EXPECT_EQ(line.at("health"), "missing") << line;
  EXPECT_THAT(line.at("found").get<std::string>(), HasSubstr("the picture of step 700037 is correct"));
}

TEST(Doctor, AHiddenGpuAndAnUnknownDeviceAreWrong) {
  const Folder folder;
  expectWrong(examine(folder, {{"CUDA_VISIBLE_DEVICES", ""}}), "devices", "no CUDA device");
  expectWrong(examine(folder, {{"SIMSCOPE_DEVICE", "cuda:99"}}), "device", "cuda:99 cannot be used");
  expectWrong(examine(folder, {{"SIMSCOPE_DEVICE", "gpu"}}), "device", "gpu cannot be used");
}

TEST(Doctor, ProgramsAreFoundTriedOrMissed) {
  const Folder folder;
  const Outcome none = examine(folder, {{"PATH", folder.path().string()}});
  EXPECT_EQ(none.status, 0) << "videos and MPI are more than simscope needs\n" << told(none);
  for (const char* key : {"ffmpeg", "mpi"}) EXPECT_EQ(lineOf(none, key).at("health"), "missing");
  EXPECT_THAT(lineOf(none, "ffmpeg").at("cure").get<std::string>(), HasSubstr("install ffmpeg"));

  const auto script = [&](const std::string& name, const std::string& body) {
    std::ofstream(folder / name) << "#!/bin/sh\n" << body << "\n";
    chmod((folder / name).c_str(), 0755);
  };
  script("ffmpeg", "exit 1");
  script("mpirun", "echo 'mpirun (Open MPI) 4.1.4'");
  const Outcome some = examine(folder, {{"PATH", folder.path().string()}});
  expectWrong(some, "ffmpeg", "status 1");
  EXPECT_EQ(lineOf(some, "mpi").at("found"), "mpirun (Open MPI) 4.1.4");
  script("ffmpeg", "echo 'ffmpeg version 5.1 libx264 ffv1'");
  script("mpirun", "exit 3");
  const Outcome others = examine(folder, {{"PATH", folder.path().string()}});
  EXPECT_EQ(lineOf(others, "ffmpeg").at("health"), "missing");
  EXPECT_THAT(lineOf(others, "ffmpeg").at("found").get<std::string>(),
              AllOf(HasSubstr("libvpx-vp9 (WebM)"), Not(HasSubstr("MP4"))));
  expectWrong(others, "mpi", "status 3");
}

TEST(Doctor, FoldersThatCannotBeWrittenAreWrong) {
  const Folder folder;
  std::ofstream(folder / "file") << "no folder";
  const Outcome state = examine(folder, {{"SIMSCOPE_STATE_DIR", (folder / "file/state").string()}});
  expectWrong(state, "state_folder", "cannot be made");
  expectWrong(state, "cache_folder", "cannot be made");
  // Where not even root can make a file.
  Settings settings;
  settings.environment = usual(folder);
  expectWrong(Program("/proc", {"doctor", "--json"}, settings).wait(), "current_folder", "cannot be written");
  std::filesystem::remove_all(folder / "state/thumbnails");
  std::ofstream(folder / "state/thumbnails") << "a file where the folder should be";
  expectWrong(examine(folder), "cache_folder", "cannot be written");
}

TEST(Doctor, LittleSpaceIsWrong) {
  const Folder folder;
  const auto line = [&](std::uint64_t least) {
    return doctor::folderLine("folder", "Folder", folder.path(), "make room", least);
  };
  EXPECT_EQ(line(1).health, Health::Ok);
  EXPECT_EQ(line(UINT64_MAX).health, Health::Wrong);
  EXPECT_THAT(line(UINT64_MAX).cure, HasSubstr("free some space"));
}

TEST(Doctor, DriverAndFontsAreReadFromWhatIsThere) {
  const Folder folder;
  std::ofstream(folder / "version") << "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5\n";
  EXPECT_EQ(doctor::driverLine(folder / "version").health, Health::Ok);
  EXPECT_THAT(doctor::driverLine(folder / "version").found, StartsWith("550.54.15"));
  if (!compute::Device::whyNoCuda().empty()) {
    EXPECT_EQ(doctor::driverLine(folder / "none").health, Health::Missing);
    EXPECT_NE(doctor::driverLine(folder / "none").cure, "");
  }
  EXPECT_EQ(doctor::toolkitLine().health == Health::Missing, SIMSCOPE_HAVE_CUDA == 0);
  EXPECT_EQ(doctor::fontLine({}, "DejaVu Sans").health, Health::Wrong);
  const std::vector<unsigned char> other(20'000, 'x');
  EXPECT_EQ(doctor::fontLine(other, "DejaVu Sans").health, Health::Wrong);
}

TEST(Doctor, NamesTheLibrariesOfCudaThatAreMissingAndTheirPackages) {
  const doctor::Line line =
      doctor::librariesLine({{"cuFFT", "libcufft.so.12", false}, {"cuSOLVER", "x.so.1", true}}, 13000);
  EXPECT_EQ(line.health, Health::Missing) << "all runs on the CPU without them: nothing is wrong";
  EXPECT_THAT(line.found, HasSubstr("cuFFT is not installed (libcufft.so.12); cuSOLVER"));
  EXPECT_THAT(line.cure, AllOf(HasSubstr("toolkit 13.0"), HasSubstr(" libcufft-13-0;"), HasSubstr("CPU")));
  const doctor::Line whole = doctor::librariesLine({{"cuFFT", "libcufft.so.12", true}}, 13000);
  EXPECT_EQ(whole.health, Health::Ok);
  EXPECT_EQ(whole.cure, "");
}

}  // namespace
}  // namespace simscope::cli_test
