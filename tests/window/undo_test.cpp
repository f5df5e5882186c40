// What can be taken back, on scenes alone.
#include "app/session/changes/undo.h"

#include <gtest/gtest.h>

#include "app/session/changes/undo_changes.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

Stroke strokeAt(std::int64_t step, std::size_t events = 1) {
  Stroke stroke{"brush", {}};
  for (std::size_t i = 0; i < events; ++i) {
    stroke.events.push_back({step, {.tool = "brush", .x = 0.1 * static_cast<double>(i)}});
  }
  stroke.events.front().brush.begins = true;
  return stroke;
}

class AnUndo : public ::testing::Test {
 protected:
  Scene scene = Scene::fromPreset(sampleSimulation(), "usual");
  Origin origin;
  Undo undo{scene, origin};

  void record(const std::string& label = {}) { undo.record(scene, origin, true, label); }
  bool takeBack() { return take(undo.undo(scene, origin)); }
  bool makeAgain() { return take(undo.redo(scene, origin)); }
  bool take(std::optional<Undo::Restored> restored) {
    if (!restored) return false;
    scene = std::move(restored->scene);
    origin = std::move(restored->origin);
    return true;
  }
};

TEST_F(AnUndo, OfAParameterPutsBackThatAloneAndIsNamedAfterIt) {
  scene.parameters.set("speed", 4.0);
  record();
  ASSERT_NE(undo.undoLabel(), nullptr);
  EXPECT_EQ(*undo.undoLabel(), "Speed");
  scene.figure.camera = Camera{10, 20, 3};
  scene.fps = 50;
  ASSERT_TRUE(takeBack());
  EXPECT_EQ(scene.parameters.real("speed"), 1);
  EXPECT_EQ(scene.figure.camera, (Camera{10, 20, 3})) << "the view that was turned since stays";
  EXPECT_EQ(scene.fps, 50);
  EXPECT_EQ(undo.undoLabel(), nullptr);
  ASSERT_TRUE(makeAgain());
  EXPECT_EQ(scene.parameters.real("speed"), 4);
  EXPECT_EQ(scene.figure.camera, (Camera{10, 20, 3}));
}

TEST_F(AnUndo, PassesOverTheCameraTheZoomAndTheTheme) {
  scene.figure.camera = Camera{10, 20, 3};
  scene.figure.x = render::Limits{0, 1};
  scene.figure.theme = render::Theme::Light;
  record();
  EXPECT_EQ(undo.depth(), 0u);
  EXPECT_FALSE(takeBack());
}

TEST_F(AnUndo, OfAViewBringsItsZoomBack) {
  scene.figure.x = render::Limits{0, 1};
  record();
  scene.figure.view = "cut";
  scene.figure.x.reset();
  record();
  EXPECT_EQ(*undo.undoLabel(), "View");
  takeBack();
  EXPECT_EQ(scene.figure.view, "");
  EXPECT_EQ(scene.figure.x, (render::Limits{0, 1}));
}

TEST_F(AnUndo, TakesEveryStrokeByItself) {
  scene.timeline.strokes = {strokeAt(3), strokeAt(5)};
  record();
  EXPECT_EQ(undo.depth(), 2u);
  EXPECT_EQ(*undo.undoLabel(), "Brush stroke");
  takeBack();
  EXPECT_EQ(scene.timeline.strokes, std::vector{strokeAt(3)});
  takeBack();
  EXPECT_TRUE(scene.timeline.strokes.empty());
  makeAgain();
  makeAgain();
  EXPECT_EQ(scene.timeline.strokes, (std::vector{strokeAt(3), strokeAt(5)}));
}

TEST_F(AnUndo, AStrokeThatGrewIsStillOneStepAndComesBackWhole) {
  scene.timeline.strokes = {strokeAt(3, 2)};
  record();
  const std::uint64_t state = undo.state();
  scene.timeline.strokes = {strokeAt(3, 5)};
  record();
  EXPECT_EQ(undo.depth(), 1u);
  EXPECT_NE(undo.state(), state) << "but it is another scene";
  takeBack();
  EXPECT_TRUE(scene.timeline.strokes.empty());
  makeAgain();
  EXPECT_EQ(scene.timeline.strokes, (std::vector{strokeAt(3, 5)}));
}

TEST_F(AnUndo, FindsAStrokeThatWasDrawnBeforeOthersOfTheRun) {
  scene.timeline.strokes = {strokeAt(3), strokeAt(9)};
  record();
  scene.timeline.strokes = {strokeAt(3), strokeAt(5), strokeAt(9)};
  record();
  takeBack();
  EXPECT_EQ(scene.timeline.strokes, (std::vector{strokeAt(3), strokeAt(9)}));
}

TEST_F(AnUndo, OfClearedStrokesBringsAllBackAtOnce) {
  scene.timeline.strokes = {strokeAt(3), strokeAt(5)};
  record();
  scene.timeline.strokes.clear();
  record("All strokes");
  EXPECT_EQ(undo.depth(), 3u);
  EXPECT_EQ(*undo.undoLabel(), "All strokes");
  takeBack();
  EXPECT_EQ(scene.timeline.strokes, (std::vector{strokeAt(3), strokeAt(5)}));
}

TEST_F(AnUndo, OfKeyframesLeavesTheStrokesThatCameSince) {
  scene.timeline.tracks = {{"speed", {{0, 1}, {2, 3}}}};
  record("Keyframe of Speed");
  scene.timeline.strokes = {strokeAt(3)};
  record();
  takeBack();
  takeBack();
  EXPECT_TRUE(scene.timeline.empty());
  makeAgain();
  EXPECT_EQ(scene.timeline.tracks.size(), 1u);
  EXPECT_TRUE(scene.timeline.strokes.empty());
}

TEST_F(AnUndo, OfAnOpenedSceneBringsTheFormerOneAndItsFileBack) {
  origin = {"/a.json", undo.state()};
  undo.setOrigin(origin);
  scene.timeline.strokes = {strokeAt(3)};
  record();
  const std::uint64_t state = undo.state();
  scene = Scene::fromPreset(sampleSimulation(), "above");
  origin = {"/b.json", 0};
  record("Open b.json");
  takeBack();
  EXPECT_EQ(scene.preset, "usual");
  EXPECT_EQ(scene.timeline.strokes, std::vector{strokeAt(3)});
  EXPECT_EQ(origin.file, "/a.json");
  EXPECT_EQ(undo.state(), state);
  makeAgain();
  EXPECT_EQ(scene.preset, "above");
  EXPECT_EQ(origin.file, "/b.json");
  EXPECT_TRUE(scene.timeline.strokes.empty());
}

TEST_F(AnUndo, KnowsTheSavedSceneAgain) {
  scene.seed = 5;
  record();
  const std::uint64_t saved = undo.state();
  scene.seed = 6;
  record();
  EXPECT_NE(undo.state(), saved);
  takeBack();
  EXPECT_EQ(undo.state(), saved);
  takeBack();
  makeAgain();
  EXPECT_EQ(undo.state(), saved);
}

TEST_F(AnUndo, IsForgottenWithTheNextChangeAndBounded) {
  scene.seed = 5;
  record();
  takeBack();
  EXPECT_NE(undo.redoLabel(), nullptr);
  scene.parameters.set("speed", 2.0);
  record();
  EXPECT_EQ(undo.redoLabel(), nullptr);
  for (std::uint64_t i = 10; i < 10 + 2 * Undo::kDepth; ++i) {
    scene.seed = i;
    record();
  }
  EXPECT_EQ(undo.depth(), Undo::kDepth);
  while (takeBack()) continue;
  EXPECT_EQ(scene.seed, 10 + Undo::kDepth - 1);
}

TEST_F(AnUndo, HasNoStepForWhatWasNotTheUsersDoing) {
  scene.seed = 5;
  undo.rebase(scene, origin);
  record();
  EXPECT_EQ(undo.depth(), 0u);
}

TEST(AChange, OfSeveralIsNamedAfterTheFirst) {
  const Scene before = Scene::fromPreset(sampleSimulation(), "usual");
  Scene after = before;
  EXPECT_EQ(changeBetween(before, after), "");
  after.parameters.set("speed", 2.0);
  after.figure.colormap = "gray";
  after.figure.isolines = true;
  EXPECT_EQ(changeBetween(before, after), "Speed and 2 more");
  EXPECT_EQ(changeBetween(before, Scene::fromPreset(sampleSimulation(), "above")), "Preset From above");
}

std::shared_ptr<const State> stateOf(std::size_t bytes) {
  auto state = std::make_shared<State>();
  state->arrays.push_back({.name = "x", .bytes = std::vector<std::byte>(bytes)});
  return state;
}

TEST_F(AnUndo, OfASnapshotKeepsItsStateWithinTheBytes) {
  undo = Undo(scene, origin, 250);
  std::vector<std::shared_ptr<const State>> states;
  for (int i = 0; i < 4; ++i) {
    states.push_back(stateOf(100));
    origin = {.file = std::to_string(i) + ".npz", .start = states.back()};
    record("Open");
  }
  ASSERT_TRUE(takeBack());
  EXPECT_EQ(origin.start, states[2]);
  ASSERT_TRUE(makeAgain());
  EXPECT_EQ(origin.start, states[3]);
  EXPECT_EQ(states[1].use_count(), 1) << "of the oldest nothing is kept";
  ASSERT_TRUE(takeBack() && takeBack());
  EXPECT_EQ(origin.start, nullptr);
  EXPECT_TRUE(origin.lost);
  EXPECT_EQ(origin.file, "1.npz");
  ASSERT_TRUE(takeBack() && takeBack());
  EXPECT_FALSE(origin.lost) << "no snapshot was open";
  EXPECT_TRUE(makeAgain());
  EXPECT_TRUE(origin.lost);
}

}  // namespace
}  // namespace simscope::gui
