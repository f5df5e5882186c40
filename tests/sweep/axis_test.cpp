// The axes and the plan of a sweep: their values, and what is refused with the nearest valid choice.
#include "app/sweep/axis.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sims/tunneling/simulation.h"
#include "tests/sweep/support.h"

namespace simscope::sweep::tests {
namespace {

using simscope::tests::refusal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Description& tunnelling() {
  return tunneling::description();
}

std::vector<double> realsOf(const std::string& text) {
  const Axis axis = readAxis(tunnelling().defaults(), text);
  std::vector<double> values;
  for (const Value& each : sweep::valuesOf(axis, (*tunnelling().parameters)[axis.parameter])) {
    values.push_back(std::get<double>(each));
  }
  return values;
}
std::vector<std::int64_t> wholesOf(const std::string& text) {
  const Axis axis = readAxis(tunnelling().defaults(), text);
  std::vector<std::int64_t> values;
  for (const Value& each : sweep::valuesOf(axis, (*tunnelling().parameters)[axis.parameter])) {
    values.push_back(std::get<std::int64_t>(each));
  }
  return values;
}

std::string axisRefusal(const std::string& text) {
  return refusal([&] { readAxis(tunnelling().defaults(), text); });
}

TEST(SweepAxis, ValuesAreEvenlySpacedInEitherDirectionAndEndWhereTyped) {
  EXPECT_THAT(realsOf("packet_momentum=1:2:5"), ElementsAre(1, 1.25, 1.5, 1.75, 2));
  EXPECT_THAT(realsOf("packet_momentum=2:-1:4"), ElementsAre(2, 1, 0, -1));
  EXPECT_EQ(realsOf("packet_momentum=0.1:0.7:7").back(), 0.7);
}

TEST(SweepAxis, LogarithmicValuesGrowByEqualFactors) {
  const std::vector<double> values = realsOf("barrier_width=0.5:8:5:log");
  ASSERT_EQ(values.size(), 5u);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], 0.5 * std::pow(2, i), 1e-12);
}

TEST(SweepAxis, PowersOfTwoStayOnes) {
  EXPECT_THAT(wholesOf("grid_points=64:1024:5"), ElementsAre(64, 128, 256, 512, 1024));
  EXPECT_THAT(wholesOf("grid_points=1024:64:3"), ElementsAre(1024, 256, 64));
}

TEST(SweepAxis, ListedValuesAreTheRunsInTheirOrder) {
  EXPECT_THAT(realsOf("packet_momentum=1,2,3"), ElementsAre(1, 2, 3));
  EXPECT_THAT(realsOf("packet_momentum=3,0.1,-2,1/4"), ElementsAre(3, 0.1, -2, 0.25));
  EXPECT_THAT(wholesOf("grid_points=256,64"), ElementsAre(256, 64));
  const auto decades = [](const std::string& text) { return readAxis(tunnelling().defaults(), text).log; };
  EXPECT_FALSE(decades("packet_momentum=1,2,3"));
  EXPECT_FALSE(decades("packet_momentum=-1,1,10"));
  EXPECT_TRUE(decades("barrier_width=100,1,10"));
  EXPECT_TRUE(decades("barrier_width=1,2,5,10,20,50"));
  EXPECT_THAT(axisRefusal("packet_momentum=1,2,1"), HasSubstr("1 is listed twice"));
  EXPECT_THAT(axisRefusal("packet_momentum=1,200"), HasSubstr("50"));
  EXPECT_THAT(axisRefusal("packet_momentum=1,,2"), HasSubstr("packet_momentum"));
  EXPECT_THAT(axisRefusal("grid_points=64,100"), HasSubstr("128"));
  EXPECT_THAT(axisRefusal("packet_momentum=1"), HasSubstr("key=value,value"));
}

TEST(SweepAxis, RefusalsTellWhatIsWrongAndTheNearestChoice) {
  EXPECT_THAT(axisRefusal("packet_momentum"), HasSubstr("key=from:to:count"));
  EXPECT_THAT(axisRefusal("packet_momentun=1:2:3"), HasSubstr("packet_momentum"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:2"), HasSubstr("from:to:count"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:200:3"), HasSubstr("nearest: 50"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:2:1"), HasSubstr("nearest 2"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:2:99999999999999"), HasSubstr("nearest 10000"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:2:3.5"), HasSubstr("'3.5'"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:1:3"), HasSubstr("differ"));
  EXPECT_THAT(axisRefusal("packet_momentum=-1:1:3:log"), HasSubstr("above 0"));
  EXPECT_THAT(axisRefusal("packet_momentum=1:2:3:lag"), HasSubstr("'lag'"));
  EXPECT_THAT(axisRefusal("potential=1:2:3"), HasSubstr("barrier_height"));
  EXPECT_THAT(axisRefusal("grid_points=64:1024:9"), HasSubstr("nearest count 5"));
  EXPECT_THAT(axisRefusal("grid_points=64:1000:4"), HasSubstr("1024"));
  EXPECT_THAT(axisRefusal("barrier_width=0.5:8:5:log"), IsEmpty());
}

TEST(SweepPlan, RunsGoThroughTheFirstParameterWithinTheSecond) {
  const Plan plan = planWith(sceneWith(tunnelling()), {"packet_momentum=1:2:3", "barrier_width=2:5:2"}, {"norm"}, 10);
  ASSERT_EQ(plan.runs(), 6u);
  EXPECT_EQ(plan.parametersOf(1).real("packet_momentum"), 1.5);
  EXPECT_EQ(plan.parametersOf(1).real("barrier_width"), 2);
  EXPECT_EQ(plan.parametersOf(5).real("packet_momentum"), 2);
  EXPECT_EQ(plan.parametersOf(5).real("barrier_width"), 5);
  EXPECT_EQ(plan.label(5), "Packet momentum k₀ = 2 1/length, Barrier width a = 5 length");
  EXPECT_EQ(plan.shortLabel(5), "k₀ = 2, a = 5");
}

TEST(SweepPlan, WithoutStepsARunGoesToThePresetsEnd) {
  const Scene scene = sceneWith(tunnelling());
  const Plan plan = planWith(scene, {"packet_momentum=1:2:3"}, {"norm"}, std::nullopt);
  EXPECT_EQ(plan.steps, std::int64_t{scene.frames} * scene.steps_per_frame);
}

TEST(SweepPlan, RefusesWhatIsNoSweep) {
  const Scene scene = sceneWith(tunnelling());
  const auto planned = [&](const std::vector<std::string>& axes, const std::vector<std::string>& measures) {
    return refusal([&] { planWith(scene, axes, measures, 1); });
  };
  EXPECT_THAT(planned({}, {"norm"}), HasSubstr("nearest 1"));
  EXPECT_THAT(planned({"packet_momentum=1:2:3", "barrier_width=1:2:3", "packet_width=1:2:3"}, {"norm"}),
              HasSubstr("nearest 2"));
  EXPECT_THAT(planned({"packet_momentum=1:2:3", "packet_momentum=1:2:3"}, {"norm"}), HasSubstr("must differ"));
  EXPECT_THAT(planned({"packet_momentum=1:2:1000", "barrier_width=1:2:1000"}, {"norm"}), HasSubstr("100 values"));
  EXPECT_THAT(planned({"packet_momentum=1:2:3"}, {}), HasSubstr("diagnostic"));
  EXPECT_THAT(planned({"packet_momentum=1:2:3"}, {"norn"}), HasSubstr("'norm'"));
}

TEST(SweepPlan, NotesWhatDoesNothing) {
  std::vector<std::string> notes;
  planWith(sceneWith(tunnelling(), {{"potential", "none"}}), {"barrier_width=1:2:3"}, {"transmission"}, 1, &notes);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("barrier_width does nothing"), HasSubstr("transmission has no meaning")));
  planWith(sceneWith(tunnelling()), {"barrier_width=1:2:3"}, {"transmission"}, 1, &notes);
  EXPECT_THAT(notes, IsEmpty());
}

}  // namespace
}  // namespace simscope::sweep::tests
