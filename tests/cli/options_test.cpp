// What the options mean once they are read: changes of parameters, and the look of the figure.
#include "app/cli/options.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/cli/command.h"

#include "sims/core/describe.h"
#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

struct Texts {
  std::string formula = "0";
  std::string file;
  double height = 1;
};

ParameterSet texts() {
  static const auto bound = Binding<Texts>()
                                .text(&Texts::formula, "formula", {.text_use = TextUse::Formula})
                                .text(&Texts::file, "file", {.text_use = TextUse::ImageFile})
                                .real(&Texts::height, "height", {.maximum = 10});
  return ParameterSet(bound.infos());
}

TEST(Changes, TextsReachToTheEndWhateverStandsInThem) {
  ParameterSet set = texts();
  applyChanges({"formula=(x == 0) ? 1 : x = y", "file= my picture=2.png ", "height=2"}, "sample", set);
  EXPECT_EQ(set.text("formula"), "(x == 0) ? 1 : x = y");
  EXPECT_EQ(set.text("file"), " my picture=2.png ");
  EXPECT_EQ(set.real("height"), 2);
  applyChanges({"formula=", "file=="}, "sample", set);
  EXPECT_EQ(set.text("formula"), "");
  EXPECT_EQ(set.text("file"), "=");
}

TEST(Changes, WithoutAKeyOrAValueAreRefusedByName) {
  for (const char* change : {"", "=", "=1", "formula"}) {
    ParameterSet set = texts();
    EXPECT_THAT([&] { applyChanges({change}, "sample", set); },
                ThrowsMessage<UsageError>(HasSubstr("simscope describe sample")))
        << change;
  }
}

struct LookRequest {
  Look look;
};

// The figure of a scene after the options, as they are typed.
render::FigureOptions figureOf(std::vector<std::string> words) {
  Scene scene = Scene::fromPreset(simulationById("tunneling"), "");
  scene.figure.camera = Camera{.azimuth = 1, .elevation = 2, .zoom = 3, .x = 4, .y = 5, .z = 6};
  Team alone;
  Program program("", alone);
  auto [options, request] = program.add<LookRequest>("look", "", [](const LookRequest&, Program&) {});
  options.look(request.look);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  options.app.parse(words);
  if (program.refused) std::rethrow_exception(program.refused);
  applyLook(request.look, scene);
  return scene.figure;
}

TEST(Figures, CameraTakesTwoAnglesAZoomAndAPlace) {
  EXPECT_EQ(figureOf({}).camera->azimuth, 1);
  EXPECT_EQ(figureOf({"--camera", "-30:-12.5"}).camera, (Camera{-30, -12.5, 3, 4, 5, 6})) << "the rest is the scene's";
  EXPECT_EQ(figureOf({"--camera", "360:90:0.5"}).camera, (Camera{360, 90, 0.5, 4, 5, 6}));
  EXPECT_EQ(figureOf({"--camera", "0:0:1:-1e3:2e-3:+7"}).camera, (Camera{0, 0, 1, -1000, 0.002, 7}));
}

TEST(Figures, PointsAreFollowedLitAndSized) {
  EXPECT_EQ(figureOf({}).follow, -1);
  EXPECT_FALSE(figureOf({}).arrows);
  const render::FigureOptions figure =
      figureOf({"--follow", "12", "--exposure", "-2.5", "--point-size", "3", "--arrows"});
  EXPECT_EQ(figure.follow, 12);
  EXPECT_EQ(figure.exposure, -2.5);
  EXPECT_EQ(figure.point_size, 3);
  EXPECT_TRUE(figure.arrows);
}

TEST(Figures, TheFirstRefusalInTheOrderOfTheOptionsIsTold) {
  EXPECT_THAT(
      [] {
        figureOf({"--exposure", "99", "--follow", "all"});
      },
      ThrowsMessage<UsageError>(HasSubstr("--follow: 'all' is not a whole number")));
}

}  // namespace
}  // namespace simscope::cli
