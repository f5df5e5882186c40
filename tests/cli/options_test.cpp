// What the options mean once they are read: changes of parameters, and the look of the figure.
#include "app/cli/options.h"

#include <gmock/gmock.h>

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

render::FigureOptions figureOf(const FigureArguments& arguments) {
  Scene scene = Scene::fromPreset(simulationById("tunneling"), "");
  scene.figure.camera = Camera{.azimuth = 1, .elevation = 2, .zoom = 3, .x = 4, .y = 5, .z = 6};
  applyFigure(arguments, scene);
  return scene.figure;
}

TEST(Figures, CameraTakesTwoAnglesAZoomAndAPlace) {
  EXPECT_EQ(figureOf({}).camera->azimuth, 1);
  FigureArguments arguments;
  arguments.camera = "-30:-12.5";
  EXPECT_EQ(figureOf(arguments).camera, (Camera{-30, -12.5, 3, 4, 5, 6})) << "the rest is the scene's";
  arguments.camera = "360:90:0.5";
  EXPECT_EQ(figureOf(arguments).camera, (Camera{360, 90, 0.5, 4, 5, 6}));
  arguments.camera = "0:0:1:-1e3:2e-3:+7";
  EXPECT_EQ(figureOf(arguments).camera, (Camera{0, 0, 1, -1000, 0.002, 7}));
}

TEST(Figures, PointsAreFollowedLitAndSized) {
  FigureArguments arguments;
  EXPECT_EQ(figureOf(arguments).follow, -1);
  EXPECT_FALSE(figureOf(arguments).arrows);
  arguments.follow = "12";
  arguments.exposure = "-2.5";
  arguments.point_size = "3";
  arguments.arrows = true;
  const render::FigureOptions figure = figureOf(arguments);
  EXPECT_EQ(figure.follow, 12);
  EXPECT_EQ(figure.exposure, -2.5);
  EXPECT_EQ(figure.point_size, 3);
  EXPECT_TRUE(figure.arrows);
}

}  // namespace
}  // namespace simscope::cli
