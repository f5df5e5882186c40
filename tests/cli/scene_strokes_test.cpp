// Strokes, shapes, and edits of a scene's timeline: they are written and read back, and impossible ones are refused.
#include <gmock/gmock.h>

#include "app/scene/scene.h"
#include "sims/core/testing/refusal.h"
#include "tests/cli/scene_testing.h"

namespace simscope {
namespace {

using scene_test::message;
using scene_test::tunneling;
using scene_test::with;
using testing::AllOf;
using testing::HasSubstr;

TEST(Scene, ShapesOfStrokesComeBackAndOthersThanTheToolsAreRefused) {
  Scene scene = Scene::fromPreset(simulationById("heat"), "");
  for (const BrushShape shape : {BrushShape::Way, BrushShape::Rectangle, BrushShape::Ellipse, BrushShape::Region}) {
    const bool begins = scene.timeline.strokes.empty();
    if (begins) scene.timeline.strokes = {{"insulator", {}}};
    scene.timeline.strokes[0].events.push_back(
        {7, {.tool = "insulator", .x = 3, .y = 4, .dx = 5, .dy = -6, .radius = 2, .begins = begins, .shape = shape}});
  }
  const std::string text = toJson(scene);
  EXPECT_THAT(text, HasSubstr("\"ellipse\""));
  EXPECT_THAT(text, Not(HasSubstr("\"way\""))) << "what is as usual is left out";
  EXPECT_EQ(sceneFromJson(text, nullptr).timeline.strokes, scene.timeline.strokes);

  scene.timeline.strokes = {
      {"thermometer", {{0, {.tool = "thermometer", .begins = true, .shape = BrushShape::Rectangle}}}}};
  EXPECT_THAT(
      [&] { scene.timeline.check(*scene.description); },
      testing::ThrowsMessage<UsageError>(AllOf(HasSubstr("strokes[0].events[0].shape"), HasSubstr("allowed: way"))));
}

TEST(Scene, EditsOfObjectsComeBackAndThoseOfNothingAreTold) {
  Scene scene = Scene::fromPreset(simulationById("nbody"), "kepler");
  scene.timeline.strokes = {
      {"velocity", {{3, {.tool = "velocity", .dx = 0.25, .dy = 1.0 / 3, .dz = -1e-7, .begins = true, .object = 1}}}},
      {"mass",
       {{4, {.tool = "mass", .strength = 0.1, .begins = true, .object = 0}},
        {4, {.tool = "mass", .strength = 0.2, .object = 0}}}}};
  std::vector<std::string> ignored;
  EXPECT_EQ(sceneFromJson(toJson(scene), &ignored).timeline.strokes, scene.timeline.strokes);
  EXPECT_TRUE(ignored.empty());
  scene.timeline.strokes[0].events[0].brush.object = 2;
  EXPECT_EQ(sceneFromJson(toJson(scene), &ignored).timeline.strokes, scene.timeline.strokes);
  EXPECT_THAT(ignored,
              testing::ElementsAre(HasSubstr("strokes[0].events[0].object: a run from its start has only 0 to 1")));

  const auto why = [](const std::string& event) -> std::string {
    return tests::refusal([&] {
      sceneFromJson(
          R"({"simscope": 1, "simulation": "nbody", "strokes": [{"tool": "mass", "events": [)" + event + "]}]}",
          nullptr);
    });
  };
  EXPECT_EQ(why(R"({"object": 3, "strength": 2})"), "");
  EXPECT_THAT(why(R"({"strength": 2})"), HasSubstr("strokes[0].events[0].object"));
  EXPECT_THAT(why(R"({"object": -1})"), HasSubstr("strokes[0].events[0].object"));
  EXPECT_THAT(why(R"({"object": 0.5})"), HasSubstr("strokes[0].events[0].object"));
  EXPECT_THAT(why(R"({"object": 1e30})"), HasSubstr("strokes[0].events[0].object"));
  EXPECT_THAT(why(R"({"object": 1, "strength": 0})"), HasSubstr("nearest 1e-12"));
}

TEST(Scene, UnknownFieldsOfStrokesAreReportedAndTheirNumberIsBounded) {
  std::vector<std::string> ignored;
  sceneFromJson(with(R"("strokes": [{"tool": "kick", "colour": 1, "events": [{"stepp": 3}]}],
    "keyframes": [{"parameter": "barrier_height", "ease": 1, "points": [[0, 1]]}])"),
                &ignored);
  EXPECT_THAT(ignored, testing::UnorderedElementsAre(
                           HasSubstr("strokes[0].colour"),
                           AllOf(HasSubstr("strokes[0].events[0].stepp"), HasSubstr("did you mean 'step'?")),
                           HasSubstr("keyframes[0].ease")));
  std::string events = R"({"u": 1})";
  for (int i = 0; i < 1000; ++i) events += R"(, {"u": 1})";
  ignored.clear();
  sceneFromJson(with(R"("strokes": [{"tool": "kick", "events": [)" + events + "]}]"), &ignored);
  EXPECT_LE(ignored.size(), 101u);
}

TEST(Scene, TooManyStrokesAreRefused) {
  std::string events = "{}";
  for (std::size_t i = 0; i < Timeline::kMostEvents / 2; ++i) events += ",{}";
  const std::string stroke = R"({"tool": "kick", "events": [)" + events + "]}";
  EXPECT_EQ(message(with(R"("strokes": [)" + stroke + "]")), "");
  EXPECT_THAT(message(with(R"("strokes": [)" + stroke + "," + stroke + "]")),
              AllOf(HasSubstr("strokes[1].events: "), HasSubstr("too long")));
}

TEST(Scene, WrittenStrokesAreCompactAndLeaveOutWhatIsUsual) {
  Scene scene = Scene::fromPreset(tunneling(), "");
  scene.timeline.strokes = {{"kick",
                             {{0, {.tool = "kick", .x = 2, .radius = 3, .begins = true}},
                              {4, {.tool = "kick", .x = 2.5, .dx = 0.5, .radius = 3}}}}};
  EXPECT_THAT(toJson(scene),
              HasSubstr(R"({"tool":"kick","radius":3.0,"events":[{"x":2.0},{"step":4,"x":2.5,"dx":0.5}]})"));
  EXPECT_THAT(toJson(scene, true), HasSubstr("\n  \"strokes\": [\n    {\"tool\":\"kick\""));
}

}  // namespace
}  // namespace simscope
