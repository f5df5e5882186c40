// What is dropped on the window, opened, and saved.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/scene/snapshot.h"
#include "sims/core/registry.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

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
  EXPECT_THAT(session.status.diagnostics, testing::Pointwise(testing::NanSensitiveDoubleEq(), diagnostics));
  // A change that begins the run anew, and its undo.
  session.setSeed(9);
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.status.steps, 0);
  travel(true);
  EXPECT_EQ(session.status.steps, steps);
  EXPECT_THAT(session.status.diagnostics, testing::Pointwise(testing::NanSensitiveDoubleEq(), diagnostics));
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
