// render: what lies in the files, decoded by others.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <signal.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What Pillow finds in a picture; null where there is no Pillow.
nlohmann::json decoded(const Folder& folder, const std::string& name) {
  Settings settings;
  settings.program = "/usr/bin/python3";
  const Outcome outcome = Program(folder.path(), {SIMSCOPE_DECODER, name}, settings).wait();
  if (outcome.status == 77 || outcome.status == 125) return nullptr;
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  return jsonOf(outcome);
}

Outcome renderShort(const Folder& folder, const std::string& out, const std::vector<std::string>& more = {},
                    const Settings& settings = {}) {
  std::vector<std::string> arguments = {"render", "tunneling", "--device", "cpu", "--preset",          "animation",
                                        "--size", "320x180",   "--frames", "6",   "--steps-per-frame", "40",
                                        "--out",  out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return simscope(folder, arguments, settings);
}

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(i));
  return value;
}

TEST(Render, GifHasTheFramesTheSizeAndTheDelaysAskedFor) {
  const Folder folder;
  const Outcome outcome = renderShort(folder, "film.gif", {"--fps", "40/2"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("film.gif: 6 frames"));
  EXPECT_THAT(folder.names(), ElementsAre("film.gif"));
  const nlohmann::json gif = decoded(folder, "film.gif");
  if (gif.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  EXPECT_EQ(gif.at("frames"), 6);
  EXPECT_THAT(gif.at("size"), ElementsAre(320, 180));
  EXPECT_THAT(gif.at("delays"), Each(50));
  EXPECT_EQ(gif.at("loop"), 0);
  // The packet moves, so that no two frames are the same picture.
  std::set<std::string> pictures;
  for (const auto& each : gif.at("hashes")) pictures.insert(each.get<std::string>());
  EXPECT_EQ(pictures.size(), 6u);
}

TEST(Render, FramesAndDelaysDefaultToThePresetAndTheStandard) {
  const Folder folder;
  const nlohmann::json description = jsonOf(simscope(folder, {"describe", "tunneling", "--json"}));
  const nlohmann::json preset = description.at("presets").at(0);
  const Outcome outcome =
      simscope(folder, {"render", "tunneling", "--device", "cpu", "--size", "64x64", "--out", "film.gif"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json gif = decoded(folder, "film.gif");
  if (gif.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  EXPECT_EQ(gif.at("frames"), preset.at("frames"));
  EXPECT_THAT(gif.at("delays"), Each(40));
}

TEST(Render, TwiceGivesTheSameBytes) {
  const Folder folder;
  ASSERT_EQ(renderShort(folder, "a.gif").status, 0);
  ASSERT_EQ(renderShort(folder, "b.gif").status, 0);
  EXPECT_TRUE(contentOf(folder / "a.gif") == contentOf(folder / "b.gif"));
  ASSERT_EQ(renderShort(folder, "a.png").status, 0);
  ASSERT_EQ(renderShort(folder, "b.png").status, 0);
  EXPECT_TRUE(contentOf(folder / "a.png") == contentOf(folder / "b.png"));
}

TEST(Render, OptionsChangeThePicture) {
  const Folder folder;
  ASSERT_EQ(renderShort(folder, "plain.png").status, 0);
  const nlohmann::json plain = decoded(folder, "plain.png");
  if (plain.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  const nlohmann::json description = jsonOf(simscope(folder, {"describe", "tunneling", "--json"}));
  std::string shown, hidden;
  for (const auto& trace : description.at("views").at(0).at("traces")) {
    (trace.at("shown") == true ? shown : hidden) = trace.at("channel").get<std::string>();
  }
  std::vector<std::vector<std::string>> changes = {{"--theme", "light"}, {"--scale", "1.5"}};
  if (!shown.empty()) changes.push_back({"--hide", shown});
  if (!hidden.empty()) changes.push_back({"--show", hidden});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string name = "changed" + std::to_string(i) + ".png";
    const Outcome outcome = renderShort(folder, name, changes[i]);
    ASSERT_EQ(outcome.status, 0) << told(outcome);
    // The pixels: the bytes differ already by the scene that is embedded.
    EXPECT_NE(decoded(folder, name).at("hashes"), plain.at("hashes")) << changes[i][0];
  }
}

TEST(Render, TheFirstFrameIsTheInitialState) {
  const Folder folder;
  std::vector<nlohmann::json> films;
  for (const char* steps : {"20", "60"}) {
    const std::string name = std::string(steps) + ".gif";
    const Outcome outcome = simscope(folder, {"render", "tunneling", "--device", "cpu", "--size", "320x180", "--frames",
                                              "2", "--steps-per-frame", steps, "--out", name});
    ASSERT_EQ(outcome.status, 0) << told(outcome);
    films.push_back(decoded(folder, name));
    if (films.back().is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  }
  EXPECT_EQ(films[0].at("hashes").at(0), films[1].at("hashes").at(0));
  EXPECT_NE(films[0].at("hashes").at(1), films[1].at("hashes").at(1));
}

TEST(Render, PngHasTheSizeAskedFor) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"render", "tunneling", "--device", "cpu", "--frames", "1", "--size",
                                            "641X359", "--out", "Last Frame.PNG"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const std::string png = contentOf(folder / "Last Frame.PNG");
  ASSERT_GT(png.size(), 33u);
  EXPECT_EQ(png.compare(0, 8, "\x89PNG\r\n\x1a\n"), 0);
  EXPECT_EQ(bigEndian(png, 16), 641u);
  EXPECT_EQ(bigEndian(png, 20), 359u);
}

TEST(Render, TheSceneInAGifMakesTheSameGifAgain) {
  const Folder folder;
  const Outcome first =
      renderShort(folder, "first.gif",
                  {"--set", "barrier_height=2", "--seed", "7", "--theme", "light", "--fps", "50", "--scale", "1.25"});
  ASSERT_EQ(first.status, 0) << told(first);
  const Outcome again = simscope(folder, {"render", "first.gif", "--device", "cpu", "--out", "again.gif"});
  ASSERT_EQ(again.status, 0) << told(again);
  EXPECT_TRUE(contentOf(folder / "first.gif") == contentOf(folder / "again.gif"));
}

TEST(Render, TheSceneInAPngCanBeRunAndChanged) {
  const Folder folder;
  ASSERT_EQ(renderShort(folder, "picture.png", {"--set", "barrier_height=2"}).status, 0);
  const nlohmann::json report = jsonOf(simscope(
      folder, {"run", "picture.png", "--set", "barrier_width=4", "--steps", "1", "--device", "cpu", "--report", "-"}));
  EXPECT_EQ(report.at("preset"), "animation");
  EXPECT_EQ(report.at("parameters").at("barrier_height"), 2);
  EXPECT_EQ(report.at("parameters").at("barrier_width"), 4);
}

TEST(Render, WarningsAreToldAtTheEnd) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"render", "tunneling", "--preset", "document", "--device", "cpu",
                                            "--frames", "2", "--size", "64x64", "--out", "film.gif"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("Cure: --set "));
}

TEST(Render, FieldsThatASceneShouldNotHaveAreTold) {
  const Folder folder;
  {
    std::ofstream(folder / "scene.json") << R"({"simscope": 1, "simulation": "tunneling", "colour": "green",
      "recorder": {"frames": 1, "width": 64, "height": 64}})";
  }
  const Outcome outcome = simscope(folder, {"render", "scene.json", "--device", "cpu", "--out", "picture.png"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("colour"));
}

// Comma-separated numbers below a header.
std::vector<std::vector<double>> tableOf(const std::filesystem::path& file, std::string& header) {
  std::ifstream stream(file);
  std::getline(stream, header);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(stream, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      rows.back().push_back(cell.empty() ? std::nan("") : std::stod(cell));
    }
  }
  return rows;
}

TEST(Render, BeginsAtAFrameOrAtAStep) {
  const Folder folder;
  ASSERT_EQ(renderShort(folder, "frame.gif", {"--first-frame", "2"}).status, 0);
  ASSERT_EQ(renderShort(folder, "step.gif", {"--first-step", "80"}).status, 0);
  EXPECT_EQ(contentOf(folder / "frame.gif"), contentOf(folder / "step.gif"));
  ASSERT_EQ(renderShort(folder, "between.gif", {"--out", "between.csv", "--first-step", "83"}).status, 0);
  std::string header;
  EXPECT_EQ(tableOf(folder / "between.csv", header).front()[0], 83);
  const Outcome both = renderShort(folder, "both.gif", {"--first-step", "80", "--first-frame", "2"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--first-step and --first-frame"));
}

TEST(Render, WritesFilesOfSeveralFormatsInOneRun) {
  const Folder folder;
  const Outcome outcome = renderShort(
      folder, "film.gif",
      {"--out", "numbers.csv", "--out", "field.npy", "--out", "last.png", "--channel", "phase", "--first-frame", "2"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder.names(), ElementsAre("field.npy", "film.gif", "last.png", "numbers.csv"));
  EXPECT_THAT(outcome.err, HasSubstr("film.gif: 6 frames"));
  EXPECT_THAT(outcome.err, HasSubstr("numbers.csv: 6 rows"));
  EXPECT_THAT(outcome.err, HasSubstr("field.npy: 'phase', 6 x 2048 floats"));
  EXPECT_THAT(contentOf(folder / "field.npy").substr(0, 128), HasSubstr("'shape': (6, 2048)"));
  std::string header;
  const auto rows = tableOf(folder / "numbers.csv", header);
  EXPECT_EQ(header.rfind("step,time,", 0), 0u) << header;
  EXPECT_THAT(header, HasSubstr("["));
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i][0], 40.0 * static_cast<double>(i + 2));

  // The animation is a part of the one from the start, and the picture its last frame.
  ASSERT_EQ(renderShort(folder, "whole.gif", {"--out", "seventh.png", "--frame", "7"}).status, 0);
  const nlohmann::json part = decoded(folder, "film.gif");
  if (part.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  EXPECT_EQ(decoded(folder, "whole.gif").at("hashes").at(4), part.at("hashes").at(2));
  EXPECT_EQ(decoded(folder, "last.png").at("hashes"), decoded(folder, "seventh.png").at("hashes"));
}

TEST(Render, NumberedPicturesAreTheFramesOneByOne) {
  const Folder folder;
  const Outcome outcome = renderShort(folder, "film.png", {"--sequence"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder.names(), ElementsAre("film0001.png", "film0002.png", "film0003.png", "film0004.png",
                                          "film0005.png", "film0006.png"));
  ASSERT_EQ(renderShort(folder, "third.png", {"--frame", "2"}).status, 0);
  const nlohmann::json third = decoded(folder, "third.png");
  if (third.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  EXPECT_EQ(decoded(folder, "film0003.png").at("hashes"), third.at("hashes"));
}

TEST(Render, ACsvAloneNeedsNoGraphics) {
  const Folder folder;
  Settings settings;
  settings.environment["LIBGL_DRIVERS_PATH"] = "/nowhere";
  settings.environment["__EGL_VENDOR_LIBRARY_FILENAMES"] = "/nowhere/vendor.json";
  const Outcome outcome =
      simscope(folder, {"render", "tunneling", "--device", "cpu", "--frames", "3", "--out", "a.csv", "--out", "b.npy"},
               settings);
  EXPECT_EQ(outcome.status, 0) << told(outcome);
}

TEST(Render, KeepsAGifWithinTheBytesAndSaysHow) {
  const Folder folder;
  ASSERT_EQ(renderShort(folder, "free.gif", {"--loop", "3"}).status, 0);
  const std::uintmax_t free = std::filesystem::file_size(folder / "free.gif");
  Settings settings;  // clang 14's leak checker breaks down at the end of such small pictures
  settings.environment["ASAN_OPTIONS"] = "detect_leaks=0";
  const Outcome outcome = renderShort(folder, "small.gif", {"--max-bytes", std::to_string(free / 2)}, settings);
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_LE(std::filesystem::file_size(folder / "small.gif"), free / 2);
  EXPECT_THAT(outcome.err, HasSubstr("to stay within --max-bytes: "));
  // What was embedded is what was made.
  const Outcome again = simscope(folder, {"render", "small.gif", "--device", "cpu", "--out", "again.gif"}, settings);
  ASSERT_EQ(again.status, 0) << told(again);
  EXPECT_TRUE(contentOf(folder / "small.gif") == contentOf(folder / "again.gif"));
  const nlohmann::json gif = decoded(folder, "free.gif");
  if (!gif.is_null()) {
    EXPECT_EQ(gif.at("loop"), 2);  // after the first play
  }
}

TEST(Render, SaysWhichRatesBrowsersDoNotShow) {
  const Folder folder;
  const Outcome fast = renderShort(folder, "fast.apng", {"--fps", "100"});
  ASSERT_EQ(fast.status, 0) << told(fast);
  EXPECT_THAT(fast.err, HasSubstr("fast.apng: browsers show frames of 10 ms and less for 100 ms: 100 frames a second "
                                  "become 10; choose at most 90"));
  const Outcome slower = renderShort(folder, "slower.apng", {"--fps", "90"});
  EXPECT_THAT(slower.err, Not(HasSubstr("browsers"))) << told(slower);
}

TEST(Render, APurposeSetsSizeAndRateAndOtherOptionsWin) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"render", "tunneling", "--device", "cpu", "--frames", "2", "--for", "web",
                                            "--fps", "10", "--out", "film.gif"});
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  const nlohmann::json gif = decoded(folder, "film.gif");
  if (gif.is_null()) GTEST_SKIP() << "no Pillow for /usr/bin/python3";
  EXPECT_THAT(gif.at("size"), ElementsAre(720, 406));
  EXPECT_THAT(gif.at("delays"), Each(100));
}

TEST(Render, RefusesOptionsThatNoFileTakes) {
  const Folder folder;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--out", "a.gif", "--frame", "3"}, ".png or .npy"},
      {{"--out", "a.png", "--max-bytes", "1M"}, "--max-bytes is for .gif"},
      {{"--out", "a.gif", "--channel", "density"}, "--channel is for .npy"},
      {{"--out", "a.gif", "--sequence"}, "--sequence is for .png"},
      {{"--out", "a.gif", "--scene-file"}, "--scene-file is for video"},
      {{"--out", "a.npy", "--channel", "densty"}, "did you mean 'density'"},
      {{"--out", "a.gif", "--out", "a.gif"}, "written twice"},
      {{"--out", "a.gif", "--max-bytes", "2 MB"}, "800K"},
      {{"--out", "a.gif", "--max-bytes", "-3M"}, "range 1K to"},
      {{"--out", "a.gif", "--for", "wob"}, "did you mean 'web'"},
      {{"--out", "a.avi"}, ".gif"},
  };
  for (const auto& [more, wanted] : cases) {
    std::vector<std::string> arguments = {"render", "tunneling", "--device", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = simscope(folder, arguments);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr(wanted));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Render, AVideoComesWithItsSceneOnRequestOrSaysWhatIsMissing) {
  const Folder folder;
  Settings settings;
  settings.environment["PATH"] = folder.path().string();
  const std::vector<std::string> arguments = {"render", "tunneling", "--device", "cpu",   "--frames",    "3",
                                              "--size", "96x64",     "--out",    "a.mkv", "--scene-file"};
  const Outcome without = simscope(folder, arguments, settings);
  EXPECT_EQ(without.status, 2) << told(without);
  EXPECT_THAT(without.err, HasSubstr("package ffmpeg"));
  EXPECT_THAT(folder.names(), IsEmpty());
  if (!std::filesystem::exists("/usr/bin/ffmpeg")) GTEST_SKIP() << "there is no ffmpeg: install the package ffmpeg";
  const Outcome outcome = simscope(folder, arguments);
  ASSERT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(folder.names(), ElementsAre("a.mkv", "a.simscope.json"));
  EXPECT_EQ(nlohmann::json::parse(contentOf(folder / "a.simscope.json")).at("recorder").at("frames"), 3);
}

// H.264 and VP9 have no odd sides.
TEST(Render, ReportsTheSizeThatTheVideoHas) {
  if (!std::filesystem::exists("/usr/bin/ffmpeg")) GTEST_SKIP() << "there is no ffmpeg: install the package ffmpeg";
  const Folder folder;
  const auto told_of = [&](const char* file) {
    return simscope(folder,
                    {"render", "tunneling", "--device", "cpu", "--frames", "2", "--size", "97x65", "--out", file})
        .err;
  };
  EXPECT_THAT(told_of("a.mp4"), HasSubstr("98x66"));
  EXPECT_THAT(told_of("a.mkv"), HasSubstr("97x65"));
}

TEST(Render, NamesTwoVideosWhoseScenesWouldBeOneBeforeTheFirstFrame) {
  const Folder folder;
  const Outcome outcome = simscope(folder, {"render", "tunneling", "--device", "cpu", "--frames", "1000000", "--out",
                                            "a.mp4", "--out", "a.webm", "--scene-file"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("a.simscope.json"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Render, RefusesAVideoThatFfmpegWillRefuse) {
  const Folder folder;
  const Outcome outcome =
      simscope(folder, {"render", "tunneling", "--device", "cpu", "--size", "16384x16384", "--out", "a.mp4"});
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("too large for ffmpeg: choose 16384x16128 at most"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Render, InterruptedAmidNumberedPicturesLeavesNone) {
  const Folder folder;
  Program program(folder.path(), {"render", "tunneling", "--device", "cpu", "--frames", "1000000", "--size", "200x100",
                                  "--sequence", "--out", "film.png", "--out", "numbers.csv"});
  // They wait in a hidden folder.
  const auto begun = [&] {
    for (const std::string& name : folder.names()) {
      if (std::filesystem::exists(folder / name / "film0000003.png")) return true;
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
