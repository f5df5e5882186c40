// What the session makes of the run's answers. No window, no OpenGL.
#include "app/session/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/scene/snapshot.h"
#include "sims/core/registry.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

SessionOptions sampleOptions() {
  SessionOptions options;
  options.scene = Scene::fromPreset(sampleSimulation(), "usual");
  options.device = "cpu";
  options.threads = 1;
  return options;
}

class ASession : public ::testing::Test {
 protected:
  Session session{sampleOptions()};

  void SetUp() override {
    until([&] { return session.frame != nullptr; });
  }

  // Takes the run's answers until the condition holds.
  template <class Condition>
  void until(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    double now = 0;
    do {
      session.poll(now += 0.01);
      if (condition()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (std::chrono::steady_clock::now() < end);
    FAIL() << "the run does not answer";
  }
  // Until the run has answered everything, and the session knows.
  void untilSettled() {
    session.runner().waitUntilIdle();
    session.poll(0);
    session.runner().waitUntilIdle();  // what was asked for again
    session.poll(0);
  }
  std::size_t index(const char* key) const { return session.scene.parameters.find(key); }
  std::string text(const char* key) const { return toText(session.scene.parameters.get(key)); }
  void set(const char* key, const Value& value) { session.setParameter(index(key), value); }
};

TEST_F(ASession, GoesBackToTheFormerTextWhereTheRunRefusesOne) {
  const ParameterSet before = session.scene.parameters;
  const std::uint64_t epoch = session.status.epoch;
  set("formula", std::string("x*y + q"));
  until([&] { return !session.refusals.empty(); });
  EXPECT_EQ(session.scene.parameters, before);
  EXPECT_EQ(session.status.parameters, before);
  EXPECT_EQ(session.status.epoch, epoch);
  EXPECT_TRUE(session.messages.empty()) << "it is said under the field";
  const Refusal& refusal = session.refusals.at(index("formula"));
  EXPECT_EQ(std::get<std::string>(refusal.value), "x*y + q") << "the text is kept";
  EXPECT_NE(refusal.why.find("position 7"), std::string::npos) << refusal.why;
}

TEST_F(ASession, ForgetsARefusalOnceTheTextIsMended) {
  set("formula", std::string("q"));
  until([&] { return !session.refusals.empty(); });
  set("formula", std::string("x"));
  until([&] { return session.refusals.empty(); });
  EXPECT_EQ(text("formula"), "x");
}

TEST_F(ASession, KeepsOtherChangesMadeBesideARefusedOne) {
  set("formula", std::string("q"));
  set("speed", 4.0);
  until([&] { return !session.refusals.empty() && session.status.parameters.real("speed") == 4; });
  EXPECT_EQ(text("formula"), "x*y");
  EXPECT_EQ(text("speed"), "4");
  EXPECT_TRUE(session.messages.empty());
}

// Each carries the whole set: the second one's command asks for the refused formula as well.
TEST_F(ASession, TellsTwoRefusalsAtOnceEachAtItsParameter) {
  session.runner().waitUntilIdle();
  set("formula", std::string("q"));
  session.setAtEnd(AtEnd::GoOn);  // so that the next set does not take the place of the first
  set("image_file", std::string("nowhere.png"));
  set("source", std::string("image"));
  session.runner().waitUntilIdle();
  untilSettled();
  ASSERT_TRUE(session.refusals.contains(index("formula")));
  EXPECT_EQ(std::get<std::string>(session.refusals.at(index("formula")).value), "q");
  EXPECT_NE(session.refusals.at(index("formula")).why.find("position 1"), std::string::npos);
  untilSettled();
  ASSERT_TRUE(session.refusals.contains(index("image_file")));
  EXPECT_NE(session.refusals.at(index("image_file")).why.find("nowhere.png"), std::string::npos);
  EXPECT_EQ(text("formula"), "x*y");
  EXPECT_EQ(text("image_file"), "");
  EXPECT_EQ(text("source"), "formula");
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
  EXPECT_TRUE(session.messages.empty());
}

TEST_F(ASession, TakesBackTheRefusedParameterWhateverOthersTheWordsName) {
  set("speed", 10.0);
  set("ring", std::int64_t{600});
  until([&] { return !session.refusals.empty(); });
  untilSettled();
  ASSERT_TRUE(session.refusals.contains(index("speed")));
  EXPECT_NE(session.refusals.at(index("speed")).why.find("ring = 600"), std::string::npos);
  EXPECT_EQ(session.refusals.size(), 1u);
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(text("ring"), "600") << "it is named, but not to blame";
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
}

// The speed that came with it is taken once the ring is out of the way: that is no reason to forget the words.
TEST_F(ASession, KeepsARefusalUntilTheUserHasReadIt) {
  set("ring", std::int64_t{600});
  untilSettled();
  set("formula", std::string("x"));
  session.setAtEnd(AtEnd::GoOn);
  set("speed", 10.0);
  untilSettled();
  untilSettled();
  EXPECT_EQ(text("formula"), "x");
  EXPECT_TRUE(session.refusals.contains(index("speed")));
  set("ring", std::int64_t{10});
  untilSettled();
  EXPECT_TRUE(session.refusals.empty()) << "it may be allowed now";
}

TEST_F(ASession, OtherRefusalsTakeNoParameterBack) {
  set("speed", 4.0);
  session.setDevice("quantum");
  untilSettled();
  ASSERT_EQ(session.messages.size(), 1u);
  EXPECT_NE(session.messages[0].text.find("quantum"), std::string::npos);
  EXPECT_TRUE(session.refusals.empty());
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(session.status.parameters.real("speed"), 4);
}

TEST_F(ASession, ARefusedParameterTakesNoSelectionBack) {
  set("formula", std::string("q"));
  session.selectPreset("above");
  untilSettled();
  EXPECT_EQ(session.scene.preset, "above");
  EXPECT_TRUE(session.refusals.empty());
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
}

TEST_F(ASession, OfTwoSelectionsEachHasItsOwnAnswer) {
  session.selectPreset("broken");
  session.selectPreset("above");
  untilSettled();
  EXPECT_EQ(session.scene.preset, "above");
  EXPECT_EQ(session.messages.size(), 1u) << "the first one was refused";
  session.selectPreset("loops");
  session.selectPreset("broken");
  untilSettled();
  EXPECT_EQ(session.scene.preset, "loops") << "the run has that";
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
}

TEST_F(ASession, GoesBackToTheFormerSceneWhereTheRunRefusesAPreset) {
  session.setPace({.steps_per_frame = 1});
  session.scene.figure.view = "other";
  session.selectPreset("broken");
  EXPECT_EQ(session.scene.preset, "broken");
  until([&] { return !session.messages.empty(); });
  EXPECT_EQ(session.scene.preset, "usual");
  EXPECT_EQ(session.scene.figure.view, "other");
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
  EXPECT_EQ(text("source"), "formula");
}

TEST_F(ASession, OpensAPresetWithItsViewAndCamera) {
  session.scene.figure.follow = 3;
  session.selectPreset("above");
  EXPECT_EQ(session.scene.figure.view, "bodies");
  EXPECT_EQ(session.scene.figure.camera, (Camera{0, 90, 1.5}));
  EXPECT_EQ(session.usualCamera(), (Camera{0, 90, 1.5}));
  EXPECT_EQ(session.scene.figure.follow, -1);
  session.selectPreset("usual");
  EXPECT_EQ(session.scene.figure.view, "") << "the preset's view goes with it";
  EXPECT_FALSE(session.scene.figure.camera);
  untilSettled();
  EXPECT_TRUE(session.messages.empty());
}

TEST_F(ASession, KeepsAViewThatTheUserChoseWhereThePresetNamesNone) {
  session.scene.figure.view = "cut";
  session.selectPreset("usual");
  EXPECT_EQ(session.scene.figure.view, "cut");
  session.selectPreset("above");
  EXPECT_EQ(session.scene.figure.view, "bodies") << "but this one names its own";
}

TEST_F(ASession, APresetLoopsOrPausesAtItsEnd) {
  session.selectPreset("pauses");
  untilSettled();
  session.togglePlay();
  until([&] { return session.status.at_end; });
  EXPECT_EQ(session.status.steps, 20);
  EXPECT_FALSE(session.playing());
  ASSERT_EQ(session.messages.size(), 1u) << "it is said";
  session.togglePlay();
  until([&] { return session.status.steps > 20; });

  session.selectPreset("loops");
  const std::uint64_t epoch = session.status.epoch;
  until([&] { return session.status.epoch > epoch + 2; });
  EXPECT_TRUE(session.playing());
  EXPECT_LE(session.status.steps, 20);
}

TEST_F(ASession, TheUsersChoiceOfTheEndWins) {
  session.selectPreset("loops");
  session.setAtEnd(AtEnd::GoOn);
  untilSettled();
  EXPECT_FALSE(session.runEnd());
  const std::uint64_t epoch = session.status.epoch;
  session.togglePlay();
  until([&] { return session.status.steps > 30; });
  EXPECT_EQ(session.status.epoch, epoch);

  session.setAtEnd(AtEnd::Pause);
  session.reset();
  until([&] { return session.status.at_end; });
  EXPECT_EQ(session.status.steps, 20);
  session.selectPreset("usual");
  ASSERT_TRUE(session.runEnd());
  EXPECT_EQ(session.runEnd()->ending, Ending::Pause) << "it stays with the user";
  session.setAtEnd(AtEnd::AsPreset);
  EXPECT_EQ(session.runEnd()->ending, Ending::Loop);
}

// In time, whatever the time step follows from.
TEST_F(ASession, APresetLastsAsLongWithAnotherTimeStep) {
  session.setAtEnd(AtEnd::Pause);
  for (const auto& [simulation, parameter] : {std::pair{"tunneling", "time_step"}, {"heat", "time_step_fraction"}}) {
    session.selectSimulation(simulationById(simulation));
    session.selectPreset(session.scene.description->presets.back().key);
    const std::int64_t usual = session.runEnd()->step;
    set(parameter, session.scene.parameters.real(parameter) / 2);
    EXPECT_EQ(session.runEnd()->step, 2 * usual) << simulation;
  }
}

class Undoing : public ASession {
 protected:
  // Until the run has answered, and what it was asked for is a step.
  void settle() {
    untilSettled();
    session.commitEdits(false);
  }
  std::string undoLabel() const { return session.undoLabel() ? *session.undoLabel() : ""; }
  void stroke(double x) {
    session.poke({.tool = "brush", .x = x, .radius = 1, .begins = true});
    session.poke({.tool = "brush", .x = x + 0.1, .radius = 1});
  }
  double painted() const { return session.status.diagnostics.at(1); }
  std::size_t strokes() const { return session.scene.timeline.strokes.size(); }
};

TEST_F(Undoing, AParameterChangesTheRunBackAndForth) {
  set("speed", 4.0);
  settle();
  EXPECT_EQ(undoLabel(), "Speed");
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(session.status.parameters.real("speed"), 1);
  EXPECT_EQ(undoLabel(), "");
  session.redo();
  settle();
  EXPECT_EQ(session.status.parameters.real("speed"), 4);
  EXPECT_EQ(session.undoDepth(), 1u);
}

TEST_F(Undoing, WhatTheMouseDragsIsOneStep) {
  for (const double speed : {2.0, 3.0, 4.0}) {
    set("speed", speed);
    untilSettled();
    session.commitEdits(true);
  }
  settle();
  EXPECT_EQ(session.undoDepth(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(text("speed"), "1");
}

TEST_F(Undoing, WhatTheRunRefusedIsNoStep) {
  set("formula", std::string("x*y + q"));
  session.commitEdits(false);
  EXPECT_EQ(session.undoDepth(), 0u) << "the run has not answered yet";
  until([&] { return !session.refusals.empty(); });
  settle();
  EXPECT_EQ(session.undoDepth(), 0u);
  session.selectPreset("broken");
  until([&] { return !session.messages.empty(); });
  settle();
  EXPECT_EQ(session.undoDepth(), 0u);
}

TEST_F(Undoing, AStrokeTakesTheRunBackToBeforeIt) {
  session.step();
  stroke(0.2);
  settle();
  session.step();
  stroke(-0.3);
  settle();
  EXPECT_EQ(painted(), 4);
  ASSERT_EQ(strokes(), 2u);
  EXPECT_EQ(undoLabel(), "Brush stroke");
  const std::int64_t steps = session.status.steps;
  session.undo();
  EXPECT_EQ(strokes(), 1u);
  settle();
  EXPECT_EQ(strokes(), 1u);
  EXPECT_EQ(painted(), 2);
  EXPECT_LE(session.status.steps, steps);
  session.undo();
  settle();
  EXPECT_EQ(painted(), 0);
  session.redo();
  session.redo();
  settle();
  EXPECT_EQ(strokes(), 2u);
  EXPECT_EQ(session.undoDepth(), 2u);
  EXPECT_TRUE(session.messages.empty());
}

TEST_F(Undoing, StrokesDrawnWhileTheRunGoesBackComeAfterIt) {
  stroke(0.2);
  settle();
  session.undo();
  stroke(0.7);  // the run has not answered yet
  settle();
  settle();
  ASSERT_EQ(strokes(), 1u);
  EXPECT_EQ(session.scene.timeline.strokes[0].events[0].brush.x, 0.7);
  EXPECT_EQ(session.redoLabel(), nullptr);
}

TEST_F(Undoing, ClearedStrokesComeBack) {
  stroke(0.2);
  stroke(0.4);
  settle();
  EXPECT_EQ(session.undoDepth(), 2u);
  session.clearStrokes();
  settle();
  EXPECT_EQ(painted(), 0);
  EXPECT_EQ(undoLabel(), "All strokes");
  session.undo();
  settle();
  EXPECT_EQ(strokes(), 2u);
}

TEST_F(Undoing, ALoopTakesNoDrawingAwayUnlessToldTo) {
  session.selectPreset("loops");
  settle();
  stroke(0.5);
  settle();
  ASSERT_EQ(strokes(), 1u);
  const std::uint64_t epoch = session.status.epoch;
  session.togglePlay();
  until([&] { return session.status.steps > 30; });
  EXPECT_EQ(session.status.epoch, epoch);
  session.setAtEnd(AtEnd::Loop);  // with the stroke at hand
  session.reset();
  until([&] { return session.status.epoch > epoch + 2; });
  session.togglePlay();
  settle();
  EXPECT_EQ(strokes(), 1u);
  session.undo();
  settle();
  EXPECT_EQ(strokes(), 0u);
}

TEST_F(Undoing, APresetAndASeedAreSteps) {
  session.setSeed(7);
  settle();
  EXPECT_EQ(undoLabel(), "Seed");
  session.selectPreset("above");
  settle();
  EXPECT_EQ(undoLabel(), "Preset From above");
  session.undo();
  settle();
  EXPECT_EQ(session.scene.preset, "usual");
  EXPECT_EQ(session.scene.figure.view, "");
  EXPECT_FALSE(session.scene.figure.camera);
  session.undo();
  settle();
  EXPECT_EQ(session.status.seed, 1u);
  EXPECT_EQ(session.scene.seed, 1u);
}

TEST_F(Undoing, KeyframesMoveTheRunAndLeaveTheScenesParameters) {
  session.setTimeline({.strokes = {}, .tracks = {{"speed", {{0, 2}, {1, 6}}}}}, "Keyframe of Speed");
  settle();
  EXPECT_EQ(undoLabel(), "Keyframe of Speed");
  for (int i = 0; i < 5; ++i) session.step();
  settle();
  EXPECT_GT(session.status.parameters.real("speed"), 2);
  EXPECT_EQ(text("speed"), "1");
  // Neither an answer nor a refusal takes the keyframed value for the user's.
  set("formula", std::string("q"));
  until([&] { return !session.refusals.empty(); });
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(text("formula"), "x*y");
  set("formula", std::string("x"));
  settle();
  EXPECT_EQ(undoLabel(), "Formula");
  session.selectPreset("broken");
  until([&] { return !session.messages.empty(); });
  settle();
  EXPECT_EQ(text("speed"), "1");
  EXPECT_EQ(session.scene.timeline.tracks.size(), 1u);
  session.undo();
  session.undo();
  settle();
  EXPECT_TRUE(session.scene.timeline.empty());
  EXPECT_EQ(session.status.parameters.real("speed"), 1);
}

TEST_F(Undoing, AKeyframeThatDoesNotFitChangesNothing) {
  EXPECT_THROW(session.setTimeline({.strokes = {}, .tracks = {{"speed", {{0, 99}}}}}, "x"), UsageError);
  settle();
  EXPECT_TRUE(session.scene.timeline.empty());
  EXPECT_EQ(session.undoDepth(), 0u);
}

class Dropped : public ASession {
 protected:
  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                        ("simscope-dropped-" + std::to_string(getpid()) + "-" +
                                         std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
  void SetUp() override {
    ASession::SetUp();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const char* name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
};

TEST_F(Dropped, AnImageGoesToTheSimulationThatTakesOne) {
  const std::filesystem::path image = file("wall.pgm", "P2 1 1 255 7");
  session.drop(image);
  until([&] { return session.status.parameters.text("image_file") == image.string(); });
  EXPECT_EQ(session.status.parameters.text("source"), "image");
  untilSettled();
  EXPECT_TRUE(session.refusals.empty());
}

TEST_F(Dropped, AnImageThatIsRefusedChangesNothing) {
  session.drop(folder_ / "nowhere.png");
  until([&] { return session.refusals.contains(index("image_file")); });
  EXPECT_EQ(text("source"), "formula");
  EXPECT_EQ(text("image_file"), "");
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
}

TEST_F(Dropped, AFileThatARefusedChoiceNeedsBringsTheChoiceAlong) {
  set("source", std::string("image"));
  until([&] { return session.refusals.contains(index("source")); });
  EXPECT_EQ(text("source"), "formula");
  set("image_file", file("wall.pgm", "P2 1 1 255 7").string());
  untilSettled();
  EXPECT_EQ(session.status.parameters.text("source"), "image");
  EXPECT_TRUE(session.refusals.empty());
  session.commitEdits(false);
  session.undo();
  untilSettled();
  EXPECT_EQ(text("source"), "formula") << "both are one step";
  EXPECT_EQ(text("image_file"), "");
}

TEST_F(Dropped, AFileThatNobodyNeedsChangesNoChoice) {
  const std::string wall = file("wall.pgm", "P2 1 1 255 7").string();
  set("image_file", wall);
  untilSettled();
  EXPECT_EQ(text("source"), "formula");
  EXPECT_EQ(text("image_file"), wall) << "it is kept, though it does not matter";
}

TEST_F(Dropped, ASceneIsOpened) {
  session.drop(file("scene.json", R"({"simscope": 1, "simulation": "tunneling"})"));
  EXPECT_EQ(session.scene.description->id, "tunneling");
  until([&] { return session.status.description == session.scene.description; });
}

TEST_F(Dropped, WhatASceneHoldsBesideIsSaidInOneMessage) {
  std::string fields;
  for (const char letter : std::string("abcdefghijkl")) fields += std::string(", \"") + letter + "\": 1";
  session.drop(file("scene.json", R"({"simscope": 9, "simulation": "tunneling")" + fields + "}"));
  ASSERT_EQ(session.messages.size(), 1u);
  const std::string& text = session.messages[0].text;
  EXPECT_EQ(text.find("scene.json: "), 0u) << text;
  EXPECT_NE(text.find("format version 9"), std::string::npos) << text;
  EXPECT_NE(text.find("and 5 more"), std::string::npos) << text;
}

TEST_F(Dropped, AMalformedSceneChangesNothing) {
  for (const char* text : {"{", "[]", R"({"simscope": 1, "simulation": "nonsense"})",
                           R"({"simscope": 1, "simulation": "tunneling", "parameters": {"time_step": 7}})"}) {
    EXPECT_THROW(session.drop(file("scene.json", text)), UsageError) << text;
  }
  EXPECT_THROW(session.drop(file("state.npz", "PK")), UsageError);
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.scene.description, &sampleSimulation());
  EXPECT_EQ(session.undoDepth(), 0u);
  EXPECT_TRUE(session.file().empty());
  EXPECT_TRUE(session.takeUsedFiles().empty());
}

TEST_F(Dropped, OpeningCanBeUndone) {
  set("speed", 4.0);
  untilSettled();
  const std::filesystem::path scene = file("scene.json", R"({"simscope": 1, "simulation": "tunneling", "seed": 3})");
  session.open(scene);
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(*session.undoLabel(), "Open scene.json");
  EXPECT_EQ(session.file(), scene);
  EXPECT_FALSE(session.unsaved());
  EXPECT_EQ(session.takeUsedFiles(), std::vector{scene});
  session.undo();
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.status.description, &sampleSimulation());
  EXPECT_EQ(text("speed"), "4");
  EXPECT_TRUE(session.file().empty());
  session.redo();
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.scene.description->id, "tunneling");
  EXPECT_EQ(session.scene.seed, 3u);
  EXPECT_EQ(session.file(), scene);
  EXPECT_FALSE(session.unsaved());
}

TEST_F(Dropped, ASavedSceneIsUnsavedWithTheNextChangeAndSavedAgainWithItsUndo) {
  session.scene.figure.colormap = "gray";
  session.scene.fps = 50;
  const std::filesystem::path scene = folder_ / "saved.json";
  session.save(scene, false);
  EXPECT_EQ(session.file(), scene);
  EXPECT_FALSE(session.unsaved());
  EXPECT_THROW(session.save(scene, false), UsageError) << "it exists";
  session.setSeed(9);
  untilSettled();
  session.commitEdits(false);
  EXPECT_TRUE(session.unsaved());
  session.undo();
  untilSettled();
  EXPECT_FALSE(session.unsaved());
  std::ifstream stream(scene);
  const std::string written{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(written, toJson(session.scene, true));
  EXPECT_THROW(session.save(folder_ / "nowhere" / "a.json", false), UsageError);
  EXPECT_EQ(session.file(), scene);
}

TEST_F(Dropped, ASnapshotGoesOnFromItsStep) {
  session.open(file("scene.json", R"({"simscope": 1, "simulation": "tunneling", "parameters": {"grid_points": 256}})"));
  untilSettled();
  session.step();
  session.step();
  untilSettled();
  const std::int64_t steps = session.status.steps;
  ASSERT_GT(steps, 0);
  const std::filesystem::path snapshot = folder_ / "state.npz";
  session.saveSnapshot(snapshot, false);
  until([&] { return session.last_file == snapshot.string(); });
  EXPECT_THROW(session.saveSnapshot(snapshot, false), UsageError) << "it exists";
  session.selectPreset("tunnelling");
  untilSettled();
  EXPECT_EQ(session.status.steps, 0);

  session.drop(snapshot);
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.status.steps, steps);
  EXPECT_EQ(text("grid_points"), "256");
  EXPECT_EQ(*session.undoLabel(), "Open state.npz");
  const Snapshot kept = readSnapshot(snapshot);
  std::filesystem::remove(snapshot);  // undo and redo need it no more
  const std::vector<double> diagnostics = session.status.diagnostics;
  const auto travel = [&](bool back) {
    back ? session.undo() : session.redo();
    untilSettled();
    session.commitEdits(false);
  };
  travel(true);
  EXPECT_EQ(session.scene.preset, "tunnelling");
  EXPECT_EQ(session.status.steps, 0);
  travel(false);
  EXPECT_EQ(session.status.steps, steps);
  EXPECT_EQ(session.status.diagnostics, diagnostics);
  // A change that begins the run anew, and its undo.
  session.setSeed(9);
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.status.steps, 0);
  travel(true);
  EXPECT_EQ(session.status.steps, steps);
  EXPECT_EQ(session.status.diagnostics, diagnostics);
  travel(false);
  EXPECT_EQ(session.status.steps, 0);
  EXPECT_EQ(session.undoDepth(), 4u);
  EXPECT_TRUE(std::all_of(session.messages.begin(), session.messages.end(),
                          [](const Message& each) { return each.level == Message::Level::Info; }));

  SessionOptions options = sampleOptions();
  options.scene = kept.scene;
  options.state = kept.state;
  Session opened(options);
  opened.runner().waitUntilIdle();
  opened.poll(0);
  EXPECT_EQ(opened.status.steps, steps) << "a window may open with one, too";
}

TEST_F(Dropped, NeitherSceneNorImageIsSaid) {
  EXPECT_THROW(session.drop(file("letter.txt", "Dear")), UsageError);
  EXPECT_EQ(session.scene.description, &sampleSimulation());
}

}  // namespace
}  // namespace simscope::gui
