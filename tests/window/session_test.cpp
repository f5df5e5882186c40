// What the session makes of the run's answers. No window, no OpenGL.
#include "app/session/session.h"

#include "sims/core/registry.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

TEST_F(ASession, KeepsTheFormerTextWhereOneIsRefused) {
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

// Only the run looks for the file: what was set beside it is the run's, and stays.
TEST_F(ASession, KeepsOtherChangesMadeBesideOneThatTheRunRefuses) {
  ParameterSet wanted = session.scene.parameters;
  wanted.set(index("image_file"), std::string("nowhere.png"));
  wanted.set(index("source"), std::string("image"));
  session.setTogether(wanted);
  EXPECT_EQ(text("image_file"), "nowhere.png") << "the run has not answered yet";
  set("speed", 4.0);
  until([&] { return !session.refusals.empty() && session.status.parameters.real("speed") == 4; });
  untilSettled();
  EXPECT_TRUE(session.refusals.contains(index("image_file")));
  EXPECT_EQ(text("image_file"), "");
  EXPECT_EQ(text("source"), "formula");
  EXPECT_EQ(text("speed"), "4");
  EXPECT_EQ(session.scene.parameters, session.status.parameters);
  EXPECT_TRUE(session.messages.empty());
}

TEST_F(ASession, WhatTheDescriptionRefusesNeverReachesTheSceneOrTheRun) {
  untilSettled();
  const ParameterSet before = session.scene.parameters;
  const CommandId handled = session.status.handled;
  set("formula", std::string("x*y + q"));
  EXPECT_EQ(session.scene.parameters, before);
  EXPECT_TRUE(session.refusals.contains(index("formula"))) << "at once";
  untilSettled();
  EXPECT_EQ(session.status.handled, handled);
}

TEST_F(ASession, TellsTwoRefusalsAtOnceEachAtItsParameter) {
  session.runner().waitUntilIdle();
  set("formula", std::string("q"));
  ParameterSet wanted = session.scene.parameters;
  wanted.set(index("image_file"), std::string("nowhere.png"));
  wanted.set(index("source"), std::string("image"));
  session.setTogether(wanted);
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

TEST_F(ASession, BlamesTheChangedParameterWhateverOthersTheWordsName) {
  set("ring", std::int64_t{600});
  set("speed", 10.0);
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

TEST_F(ASession, WaitsWithTheToolInHandWhereAPresetIsToBeDrawn) {
  session.togglePlay();
  until([&] { return session.playing(); });
  EXPECT_FALSE(session.takeTool());
  session.selectPreset("blank");
  EXPECT_EQ(session.takeTool(), "brush");
  EXPECT_FALSE(session.takeTool()) << "once";
  untilSettled();
  until([&] { return session.scene.preset == "blank" && session.frame && session.status.steps == 0; });
  EXPECT_TRUE(session.awaitsStroke());
  EXPECT_FALSE(session.playing());
  session.poke({.tool = "brush", .x = 1, .radius = 1, .begins = true});
  untilSettled();
  EXPECT_FALSE(session.playing()) << "the stroke goes on";
  session.finishStroke();
  until([&] { return session.playing(); });
  EXPECT_FALSE(session.awaitsStroke());
  session.togglePlay();
  until([&] { return !session.playing(); });
  session.finishStroke();
  untilSettled();
  EXPECT_FALSE(session.playing()) << "later strokes play nothing";

  session.selectPreset("blank");
  EXPECT_TRUE(session.awaitsStroke());
  session.togglePlay();
  until([&] { return session.playing(); });
  EXPECT_FALSE(session.awaitsStroke()) << "whoever plays it does not wait";
  session.selectPreset("usual");
  untilSettled();
  EXPECT_FALSE(session.awaitsStroke());
  until([&] { return session.playing(); });
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

}  // namespace
}  // namespace simscope::gui
