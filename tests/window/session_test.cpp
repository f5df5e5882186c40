// What the session makes of the run's answers. No window, no OpenGL.
#include "app/gui/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/window/sample_simulation.h"

namespace simscope::gui {
namespace {

Options sampleOptions() {
  Options options;
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

class Dropped : public ASession {
 protected:
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("simscope-dropped-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
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

TEST_F(Dropped, ASceneIsOpened) {
  session.drop(file("scene.json", R"({"simscope": 1, "simulation": "tunneling"})"));
  EXPECT_EQ(session.scene.description->id, "tunneling");
  until([&] { return session.status.description == session.scene.description; });
}

TEST_F(Dropped, NeitherSceneNorImageIsSaid) {
  EXPECT_THROW(session.drop(file("letter.txt", "Dear")), UsageError);
  EXPECT_EQ(session.scene.description, &sampleSimulation());
}

}  // namespace
}  // namespace simscope::gui
