// What is measured beside each other in a session.
#include "app/session/device_costs.h"

#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

RunnerStatus told(const char* device, double step_us) {
  RunnerStatus status;
  status.description = &sampleSimulation();
  status.parameters = sampleSimulation().defaults();
  status.device.id = device;
  status.step_us = step_us;
  return status;
}

TEST(DeviceCosts, AreComparedOnceBothWereMeasured) {
  DeviceCosts costs;
  costs.note(told("cpu", 30));
  EXPECT_FALSE(costs.ratio("cpu", "cuda:0"));
  EXPECT_EQ(costs.sentence(), "");
  costs.note(told("cuda:0", 0));  // it has just come there
  EXPECT_FALSE(costs.find("cuda:0"));
  costs.note(told("cuda:0", 2));
  EXPECT_EQ(costs.ratio("cpu", "cuda:0"), 15);
  EXPECT_EQ(costs.sentence(), "A step takes 15 times as long on cpu as on cuda:0.");
  costs.note(told("cpu", 2.02));
  EXPECT_EQ(costs.sentence(), "cuda:0 and cpu are equally fast here.");
}

TEST(DeviceCosts, AreOfOneProblem) {
  DeviceCosts costs;
  costs.note(told("cpu", 30));
  RunnerStatus other = told("cuda:0", 2);
  std::size_t restarting = 0;
  while (other.parameters.infos()[restarting].applies == Applies::Live) ++restarting;
  const ParameterInfo& info = other.parameters.infos()[restarting];
  other.parameters.set(restarting, info.kind == Kind::Choice    ? Value(info.choices.back().key)
                                   : info.kind == Kind::Integer ? Value(static_cast<std::int64_t>(info.maximum))
                                                                : Value(info.maximum));
  ASSERT_TRUE(other.parameters.needsReset(sampleSimulation().defaults()));
  costs.note(other);
  EXPECT_FALSE(costs.find("cpu"));
  EXPECT_TRUE(costs.find("cuda:0"));
}

TEST(TransferCosts, AreSmoothedOverFramesByTheirWay) {
  TransferCosts costs;
  render::TransferReport report;
  report.path = render::TransferPath::PinnedCopy;
  report.milliseconds = 4;
  report.host_bytes = 1000;
  costs.note(report, 1);
  report.milliseconds = 2;
  costs.note(report, 1);  // the same frame
  EXPECT_EQ(costs.of(report.path).milliseconds, 4);
  costs.note(report, 2);
  EXPECT_EQ(costs.of(report.path).milliseconds, 3);
  EXPECT_EQ(costs.of(report.path).host_bytes, 1000);
  EXPECT_EQ(costs.of(render::TransferPath::DeviceToDevice).frames, 0);
}

// An experiment is one step of undo, and plays.
TEST_F(ASession, AnExperimentIsSetUpAndTakenBackAsOne) {
  session.commitEdits(false);
  const std::size_t depth = session.undoDepth();
  const Scene before = session.scene;
  Scene wanted = Scene::fromPreset(sampleSimulation(), "above");
  wanted.parameters.setText("speed", "5");
  session.setUp(wanted, "The experiment");
  until([&] { return session.playing() && session.status.parameters == wanted.parameters; });
  untilSettled();
  session.commitEdits(false);
  EXPECT_EQ(session.undoDepth(), depth + 1);
  ASSERT_NE(session.undoLabel(), nullptr);
  EXPECT_EQ(*session.undoLabel(), "The experiment");
  session.undo();
  EXPECT_EQ(session.scene.preset, before.preset);
  EXPECT_EQ(session.scene.parameters, before.parameters);
  untilSettled();
}

}  // namespace
}  // namespace simscope::gui
