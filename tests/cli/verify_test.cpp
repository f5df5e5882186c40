// verify: unchanged files are identical; every edit is found and reported.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <functional>

#include "app/export/embedded.h"
#include "app/export/encoder.h"
#include "app/export/png.h"
#include "app/export/reading/film_reader.h"
#include "app/recording/output_files.h"
#include "app/scene/scene.h"
#include "tests/cli/program.h"

namespace simscope::cli_test {
namespace {

using exporting::FilmReader;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using testing::Not;

using Pictures = std::vector<std::vector<std::uint8_t>>;
constexpr int kWidth = 320, kHeight = 180, kDifferent = 3;

// Six frames of a wave, or the last of them.
void make(const Folder& folder, const std::vector<std::string>& names, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"render", "tunneling", "--device", "cpu", "--preset",          "animation",
                                        "--size", "320x180",   "--frames", "6",   "--steps-per-frame", "40"};
  for (const std::string& each : names) arguments.insert(arguments.end(), {"--out", each});
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = simscope(folder, arguments);
  ASSERT_EQ(outcome.status, 0) << told(outcome);
}

Outcome check(const Folder& folder, const std::string& name, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"verify", name, "--device", "cpu"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return simscope(folder, arguments);
}

Pictures picturesOf(const std::filesystem::path& file) {
  Pictures all;
  const auto film = exporting::openFilm(file);
  while (film->next()) all.push_back(film->rgb());
  return all;
}

std::size_t at(int x, int y) {
  return 3 * (static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x));
}

// The brightest colour of a picture: one of a GIF's own, and far from the background.
std::vector<std::uint8_t> brightest(const std::vector<std::uint8_t>& rgb) {
  std::size_t best = 0;
  const auto light = [&](std::size_t i) { return rgb[i] + rgb[i + 1] + rgb[i + 2]; };
  for (std::size_t i = 0; i < rgb.size(); i += 3) best = light(i) > light(best) ? i : best;
  return {rgb.begin() + static_cast<std::ptrdiff_t>(best), rgb.begin() + static_cast<std::ptrdiff_t>(best) + 3};
}

void paint(std::vector<std::uint8_t>& rgb, int x, int y, const std::vector<std::uint8_t>& colour) {
  std::copy(colour.begin(), colour.end(), rgb.begin() + static_cast<std::ptrdiff_t>(at(x, y)));
}

// Writes the film again, as an editor would, with the same scene unless another one is given.
void writeAgain(
    const Folder& folder, const std::string& from, const std::string& to, const Pictures& pictures,
    const std::function<void(Scene&)>& alter = [](Scene&) {}) {
  Scene scene = sceneFromJson(exporting::readEmbeddedScene(folder / from));
  exporting::GifOptions gif = gifOptions(scene, true);
  alter(scene);
  gif.scene = toJson(scene);
  exporting::EncoderOptions options = gif;
  if (to.ends_with(".apng")) {
    exporting::ApngOptions apng;
    static_cast<exporting::PictureOptions&>(apng) = gif;
    apng.loop = gif.loop;
    options = apng;
  }
  exporting::Encoder encoder(folder / to, options);
  for (const auto& each : pictures) encoder.add(each);
  encoder.finish();
}

TEST(Verify, WhatTheProgramWroteIsIdentical) {
  const Folder folder;
  make(folder, {"film.gif", "film.apng", "picture.png"});
  for (const std::string name : {"film.gif", "film.apng", "picture.png"}) {
    const Outcome outcome = check(folder, name, {"--tolerance", "0", "--out", "differences.png"});
    EXPECT_EQ(outcome.status, 0) << told(outcome);
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(name + ": identical"), Not(HasSubstr("marked"))));
  }
  // Without differences no picture of them is written.
  EXPECT_THAT(folder.names(), ElementsAre("film.apng", "film.gif", "picture.png"));
}

TEST(Verify, FilmsThatBeginLaterAndAreDitheredAreIdenticalToo) {
  const Folder folder;
  const Outcome made =
      simscope(folder, {"render",        "heat", "--device",        "cpu",      "--size", "320x180",  "--frames", "3",
                        "--first-frame", "2",    "--isolines",      "--arrows", "--out",  "late.gif", "--loop",   "3",
                        "--fps",         "20",   "--supersampling", "2"});
  ASSERT_EQ(made.status, 0) << told(made);
  const Outcome outcome = check(folder, "late.gif", {"--tolerance", "0"});
  EXPECT_EQ(outcome.status, 0) << told(outcome);
  EXPECT_THAT(outcome.out, HasSubstr("late.gif: identical: 3 pictures"));
}

TEST(Verify, OneOfNumberedPicturesIsFoundAmongItsScenesFrames) {
  const Folder folder;
  make(folder, {"s.png"}, {"--sequence"});
  const nlohmann::json report = jsonOf(check(folder, "s0003.png", {"--json"}));
  EXPECT_EQ(report.at("verdict"), "identical");
  EXPECT_EQ(report.at("numbered_frame"), 2);
}

class VerifyEdited : public testing::TestWithParam<const char*> {};

TEST_P(VerifyEdited, OnePixelOfOneFrameIsFoundAndMarked) {
  const Folder folder;
  const std::string name = GetParam();
  make(folder, {name});
  Pictures pictures = picturesOf(folder / name);
  writeAgain(folder, name, "again" + name.substr(4), pictures);
  EXPECT_EQ(check(folder, "again" + name.substr(4), {"--tolerance", "0"}).status, 0);
  paint(pictures[3], 200, 12, brightest(pictures[3]));
  writeAgain(folder, name, name, pictures);

  const Outcome outcome = check(folder, name, {"--json", "--out", "differences.png"});
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  const nlohmann::json report = jsonOf(outcome);
  EXPECT_EQ(report.at("verdict"), "different");
  ASSERT_EQ(report.at("differences").size(), 1u) << report;
  const nlohmann::json& only = report.at("differences")[0];
  EXPECT_EQ(only.at("frame"), 3);
  EXPECT_EQ(only.at("pixels"), 1);
  EXPECT_EQ(only.at("beyond"), 1);
  EXPECT_EQ(only.at("x"), 200);
  EXPECT_EQ(only.at("y"), 12);
  EXPECT_GT(only.at("largest"), 50);
  const Pictures marked = picturesOf(folder / "differences.png");
  EXPECT_GT(marked[0][at(200, 12)], 200) << "red";
  EXPECT_LT(marked[0][at(200, 12) + 1], 100);

  const Outcome film = check(folder, name, {"--out", "differences.gif"});
  EXPECT_EQ(film.status, kDifferent);
  EXPECT_THAT(film.out, AllOf(HasSubstr("different"), HasSubstr("frame 3: 1 pixel differs"), HasSubstr("200,12")));
  EXPECT_EQ(picturesOf(folder / "differences.gif").size(), pictures.size());
}

TEST_P(VerifyEdited, ADroppedFrameIsNamed) {
  const Folder folder;
  const std::string name = GetParam();
  make(folder, {name});
  Pictures pictures = picturesOf(folder / name);
  pictures.erase(pictures.begin() + 2);
  writeAgain(folder, name, name, pictures);
  const Outcome outcome = check(folder, name);
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("it has 5 pictures, its scene has 6 frames"),
                                 HasSubstr("frame 2 is missing"), Not(HasSubstr("pixel"))));
}

TEST_P(VerifyEdited, ASceneThatWasAlteredIsFound) {
  const Folder folder;
  const std::string name = GetParam();
  make(folder, {name});
  writeAgain(folder, name, name, picturesOf(folder / name),
             [](Scene& scene) { scene.parameters.setText("barrier_height", "1.6"); });
  const Outcome outcome = check(folder, name);
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out, HasSubstr("differ"));
}

INSTANTIATE_TEST_SUITE_P(Formats, VerifyEdited, testing::Values("film.gif", "film.apng"),
                         [](const auto& each) { return std::string(each.param).substr(5); });

TEST(Verify, OnePixelOfAPictureIsFound) {
  const Folder folder;
  make(folder, {"picture.png"});
  const std::string scene = exporting::readEmbeddedScene(folder / "picture.png");
  std::vector<std::uint8_t> rgb = picturesOf(folder / "picture.png").front();
  paint(rgb, 17, 33, {255, 0, 255});
  exporting::writePng(folder / "picture.png", kWidth, kHeight, rgb, scene, true);
  const Outcome outcome = check(folder, "picture.png");
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("frame 5: 1 pixel differs"), HasSubstr("17,33")));
}

TEST(Verify, ALevelOfRoundingIsWithinTheToleranceAndTold) {
  const Folder folder;
  make(folder, {"picture.png"});
  const std::string scene = exporting::readEmbeddedScene(folder / "picture.png");
  std::vector<std::uint8_t> rgb = picturesOf(folder / "picture.png").front();
  rgb[at(100, 100)] =
      static_cast<std::uint8_t>(rgb[at(100, 100)] > 128 ? rgb[at(100, 100)] - 1 : rgb[at(100, 100)] + 1);
  exporting::writePng(folder / "picture.png", kWidth, kHeight, rgb, scene, true);
  const Outcome usual = check(folder, "picture.png", {"--json"});
  EXPECT_EQ(usual.status, 0) << told(usual);
  EXPECT_EQ(jsonOf(usual).at("verdict"), "within_tolerance");
  EXPECT_EQ(jsonOf(usual).at("pixels"), 1);
  EXPECT_EQ(check(folder, "picture.png", {"--tolerance", "0"}).status, kDifferent);
}

TEST(Verify, DelayAndRepetitionsAreHeldToTheScene) {
  const Folder folder;
  make(folder, {"film.gif"});
  std::string bytes = contentOf(folder / "film.gif");
  // The third frame's control: 21 F9 04, flags, and its delay.
  std::size_t control = 0;
  for (int i = 0; i < 3; ++i) control = bytes.find(std::string("\x21\xf9\x04", 3), control + 1);
  ASSERT_NE(control, std::string::npos);
  ASSERT_EQ(bytes[control + 4], 4);
  bytes[control + 4] = 40;
  bytes[bytes.find("NETSCAPE2.0") + 13] = 2;
  std::ofstream(folder / "film.gif", std::ios::binary) << bytes;
  const Outcome outcome = check(folder, "film.gif");
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("1 picture is not shown for 0.04 s, the time in the scene: picture 2 is shown for 0.4 s"),
                    HasSubstr("it plays 3 times, its scene plays for ever"), Not(HasSubstr("pixel"))));
}

TEST(Verify, AnotherSizeIsToldAndNothingIsRendered) {
  const Folder folder;
  make(folder, {"picture.png"});
  const std::string scene = exporting::readEmbeddedScene(folder / "picture.png");
  exporting::writePng(folder / "picture.png", 100, 80, std::vector<std::uint8_t>(24000), scene, true);
  const Outcome outcome = check(folder, "picture.png");
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out, HasSubstr("its pictures have 100x80 pixels, its scene has 320x180"));
}

TEST(Verify, ASceneThatNamesAnotherFileIsRefused) {
  const Folder folder;
  const std::string scene = R"({"simscope": 1, "simulation": "diffraction",
      "parameters": {"aperture": "image", "image_file": "/etc/hostname"}})";
  exporting::writePng(folder / "picture.png", 100, 80, std::vector<std::uint8_t>(24000), scene, true);
  const Outcome outcome = check(folder, "picture.png");
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("reads another file, '/etc/hostname'"), HasSubstr("image_file")));
}

TEST(Verify, WhatCannotBeJudgedIsAnError) {
  const Folder folder;
  make(folder, {"film.gif", "picture.png", "film.apng"});
  const auto cut = [&](const std::string& name, std::size_t bytes) {
    const std::string whole = contentOf(folder / name);
    std::ofstream(folder / ("cut-" + name), std::ios::binary) << whole.substr(0, whole.size() - bytes);
    return check(folder, "cut-" + name);
  };
  for (const std::string name : {"film.gif", "film.apng", "picture.png"}) {
    const Outcome outcome = cut(name, 30);
    EXPECT_EQ(outcome.status, 2) << told(outcome);
    EXPECT_THAT(outcome.err, HasSubstr("truncated"));
  }
  std::string damaged = contentOf(folder / "picture.png");
  damaged[damaged.size() / 2] ^= 1;
  std::ofstream(folder / "damaged.png", std::ios::binary) << damaged;
  EXPECT_THAT(check(folder, "damaged.png").err, HasSubstr("damaged.png"));
  exporting::writePng(folder / "plain.png", kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight), "",
                      false);
  EXPECT_THAT(check(folder, "plain.png").err, HasSubstr("no simscope scene in this file"));
  EXPECT_EQ(check(folder, "nowhere.gif").status, 2);
  EXPECT_EQ(check(folder, "film.gif", {"--tolerance", "300"}).status, 2);
  EXPECT_EQ(check(folder, "film.gif", {"--out", "differences.bmp"}).status, 2);
  EXPECT_EQ(check(folder, "film.gif", {"--out", "film.gif", "--force"}).status, 2);
  const Outcome exists = check(folder, "film.gif", {"--out", "picture.png"});
  EXPECT_EQ(exists.status, 2) << told(exists);
}

TEST(Verify, AFilmThatBecameAStillSaysSo) {
  const Folder folder;
  make(folder, {"film.apng"});
  const auto film = exporting::openFilm(folder / "film.apng");
  ASSERT_TRUE(film->next());
  exporting::writePng(folder / "film.apng", kWidth, kHeight, film->rgb(),
                      exporting::readEmbeddedScene(folder / "film.apng"), true);
  const Outcome outcome = check(folder, "film.apng");
  EXPECT_EQ(outcome.status, kDifferent) << told(outcome);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("it is a still picture, its scene is a film of"), Not(HasSubstr("pixel "))));
}

// A few bytes that state a size of the largest.
TEST(Verify, PicturesThatTakeMoreMemoryThanAFileMayAreRefusedBefore) {
  const Folder folder;
  const std::string scene =
      R"({"simscope":1,"simulation":"heat","recorder":{"frames":1,"width":16384,"height":16384}})";
  std::string gif = "GIF89a" + std::string({0, 64, 0, 64, 0, 0, 0, 0x21, '\xfe', static_cast<char>(scene.size())});
  gif += scene + std::string({0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, ';'});
  std::ofstream(folder / "large.gif", std::ios::binary) << gif;
  const Outcome outcome = check(folder, "large.gif");
  EXPECT_EQ(outcome.status, 2) << told(outcome);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("pictures of 16384x16384 pixels takes"), HasSubstr("at most 4 GiB")));
}

TEST(Verify, GivesUpWithinOneStepOfManyBodies) {
  const Folder folder;
  make(folder, {"picture.png"});
  const std::string scene = R"({"simscope": 1, "simulation": "nbody", "preset": "two_galaxies",
      "parameters": {"bodies": 1000000}, "recorder": {"frames": 1, "width": 320, "height": 180}})";
  exporting::writePng(folder / "picture.png", kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight), scene,
                      true);
  const Outcome outcome = check(folder, "picture.png", {"--most-seconds", "0.1"});
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("not verified within 100 ms; --most-seconds allows more"));
}

TEST(Verify, GivesUpAfterTheTimeThatItIsAllowed) {
  const Folder folder;
  make(folder, {"picture.png"});
  Scene scene = sceneFromJson(exporting::readEmbeddedScene(folder / "picture.png"));
  scene.steps_per_frame = 1'000'000'000;
  exporting::writePng(folder / "picture.png", kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight),
                      toJson(scene), true);
  const Outcome outcome = check(folder, "picture.png", {"--most-seconds", "0.5"});
  EXPECT_EQ(outcome.status, 1) << told(outcome);
  EXPECT_THAT(outcome.err, HasSubstr("not verified within 500 ms; --most-seconds allows more"));
}

}  // namespace
}  // namespace simscope::cli_test
