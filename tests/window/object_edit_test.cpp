// Values of one body set on the figure: what is read of it, typed for it, and its arrow, without a window.
#include "app/session/object_edit.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sims/core/registry.h"
#include "tests/window/session_testing.h"

namespace simscope::gui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Description& nbody() {
  return simulationById("nbody");
}
std::vector<const ToolInfo*> tools() {
  return editsOf(nbody(), nbody().preset("kepler"), "Body");
}
const ToolInfo& velocity() {
  return *tools()[0];
}
const ToolInfo& mass() {
  return *tools()[1];
}

TEST(ObjectEdit, TheToolsForABodySetItsVelocityAndItsMass) {
  ASSERT_EQ(tools().size(), 2u);
  EXPECT_EQ(velocity().key, "velocity");
  EXPECT_EQ(mass().key, "mass");
  EXPECT_TRUE(editsOf(nbody(), nbody().preset("kepler"), "Planet").empty());
  EXPECT_TRUE(editsOf(simulationById("heat"), simulationById("heat").defaults(), "Body").empty());
}

TEST(ObjectEdit, TypedNumbersTakeArithmetic) {
  const TypedValue typed = typedValue(mass(), {0.25, 0, 0}, 0, "1/3", "mass");
  ASSERT_TRUE(typed.value);
  EXPECT_DOUBLE_EQ((*typed.value)[0], 1.0 / 3);
  const TypedValue component = typedValue(velocity(), {1, 2, 3}, 1, "-2*sqrt(4)", "length/time");
  ASSERT_TRUE(component.value);
  EXPECT_THAT(*component.value, ElementsAre(1, -4, 3)) << "the others stay";
}

TEST(ObjectEdit, WhatCannotBeIsRefusedWithTheNearestThatCan) {
  for (const char* const text : {"0", "-3", "1e-30"}) {
    const TypedValue typed = typedValue(mass(), {0.25, 0, 0}, 0, text, "mass");
    EXPECT_FALSE(typed.value) << text;
    ASSERT_TRUE(typed.offer) << text;
    EXPECT_EQ((*typed.offer)[0], 1e-12);
    EXPECT_THAT(typed.why, HasSubstr("mass"));
  }
  EXPECT_EQ((*typedValue(mass(), {1, 0, 0}, 0, "1e9", "mass").offer)[0], 1e6);
  for (const char* const text : {"0/0", "two", "", "1 +* 2"}) {
    const TypedValue typed = typedValue(mass(), {0.25, 0, 0}, 0, text, "mass");
    EXPECT_FALSE(typed.value || typed.offer) << text;
    EXPECT_NE(typed.why, "") << text;
  }
  // A component within its range, and a vector beyond its own: the direction stays.
  const TypedValue fast = typedValue(velocity(), {9e5, 0, 0}, 1, "9e5", "length/time");
  EXPECT_FALSE(fast.value);
  ASSERT_TRUE(fast.offer);
  EXPECT_LE(lengthOf(*fast.offer), 1e6);
  EXPECT_NEAR(lengthOf(*fast.offer), 1e6, 1e-3);
  EXPECT_EQ((*fast.offer)[0], (*fast.offer)[1]);
  EXPECT_THAT(fast.why, HasSubstr("range 0 to 1e+06"));
  const TypedValue infinite = typedValue(velocity(), {1, 0, 0}, 2, "-1e300", "length/time");
  ASSERT_TRUE(infinite.offer);
  EXPECT_TRUE(velocity().edit.allows(
      {.tool = "velocity", .dx = (*infinite.offer)[0], .dy = (*infinite.offer)[1], .dz = (*infinite.offer)[2]}));
}

TEST(ObjectEdit, NearestValuesAreAllowed) {
  for (const double size :
       {1e-320, 1.0, 999999.0, 1e6 * (1 + 1e-16), 1.7e6, 1e150, 1e308, static_cast<double>(INFINITY)}) {
    for (const ObjectValue& way : {ObjectValue{1, 0, 0}, {1, 1, 1}, {0.3, -0.7, 1e-9}}) {
      ObjectValue far = way;
      for (double& each : far) each *= size;
      const ObjectValue near = nearestAllowed(velocity().edit, far);
      EXPECT_LE(lengthOf(near), 1e6) << size;
      if (lengthOf(far) <= 1e6) {
        EXPECT_EQ(near, far);
      }
    }
    EXPECT_EQ(nearestAllowed(mass().edit, {-size, 0, 0})[0], 1e-12);
  }
}

TEST(ObjectEdit, TheWheelTurnsToRoundNumbersWithinTheRange) {
  EXPECT_EQ(turnedBy(mass().edit, 0.25, 1, false), 0.275);
  EXPECT_EQ(turnedBy(mass().edit, 0.25, -1, false), 0.227);
  EXPECT_EQ(turnedBy(mass().edit, 0.25, 1, true), 0.2525);
  EXPECT_EQ(turnedBy(mass().edit, 1e6, 3, false), 1e6);
  EXPECT_EQ(turnedBy(mass().edit, 1e-12, -3, false), 1e-12);
  EXPECT_EQ(turnedBy(mass().edit, 0.25, NAN, false), 0.25);
}

TEST(ObjectEdit, ReadingsHaveUnitsAndComponents) {
  EXPECT_EQ(readingOf(velocity().edit, {3, -4, 0}), "v = 5 length/time   (3, -4, 0)");
  EXPECT_EQ(readingOf(mass().edit, {0.25, 0, 0}), "m = 0.25 mass");
  EXPECT_EQ(digitsOf(static_cast<double>(0.3f)), "0.3") << "single precision has no more digits";
  EXPECT_EQ(digitsOf(1.0 / 3), "0.3333333333333333");
}

Frame frameOf(int bodies, std::uint64_t sequence, int every = 1) {
  Frame frame;
  frame.device = compute::Device::open("cpu", 1);
  frame.sequence = sequence;
  frame.launch_rate = 0.5;
  const int drawn = (bodies + every - 1) / every;
  Channel& points = frame.channel("bodies", drawn, 1, 4);
  points.x_min = -2;
  points.x_max = 2;
  points.every = every;
  points.of = bodies;
  frame.channel("velocity", drawn, 1, 3);
  frame.channel("mass", drawn);
  return frame;
}

TEST(ObjectEdit, TheArrowLeadsToItsVectorAndBack) {
  const Frame frame = frameOf(3, 1);
  for (const Camera& camera :
       {Camera{}, Camera{.azimuth = 0, .elevation = 90}, Camera{.azimuth = 130, .elevation = -35}}) {
    const render::Projection projection(camera, 2, 10, 20, 800, 500);
    const ObjectArrow arrow(projection, velocity().edit, frame, 500);
    const ObjectValue v{0.3, -0.8, 0.45};
    const auto [x, y] = arrow.tip(v);
    const ObjectValue same = arrow.vectorTo(x, y, v);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(same[k], v[k], 1e-12);
    // What lies along the line of sight stays; the rest follows the mouse.
    const ObjectValue other = arrow.vectorTo(x + 40, y - 25, v);
    const auto [other_x, other_y] = arrow.tip(other);
    EXPECT_NEAR(other_x, x + 40, 1e-9);
    EXPECT_NEAR(other_y, y - 25, 1e-9);
    const ObjectValue& eye = projection.axes()[2];
    double deep = 0, before = 0;
    for (std::size_t k = 0; k < 3; ++k) deep += other[k] * eye[k], before += v[k] * eye[k];
    EXPECT_NEAR(deep, before, 1e-12);
    EXPECT_LE(lengthOf(arrow.vectorTo(1e12, 0, v)), 1e6) << "never beyond the range";
  }
  // Half the cube's edge of a launch: the same length whatever the zoom.
  for (const double zoom : {0.1, 1.0, 50.0}) {
    const render::Projection above({.azimuth = 0, .elevation = 90, .zoom = zoom}, 2, 0, 0, 800, 500);
    const auto [x, y] = ObjectArrow(above, velocity().edit, frame, 500).tip({1, 0, 0});
    EXPECT_NEAR(std::hypot(x, y), ObjectArrow::kLongest * 500, 1e-9);
  }
}

TEST(ObjectEdit, ReadsTheSelectedBodyOnceAFrameAndKeepsWhatWasSet) {
  ObjectEdit edit;
  EXPECT_TRUE(edit.plan(frameOf(5, 1)).empty());
  EXPECT_TRUE(edit.channels().empty());
  edit.select(tools(), 3);
  EXPECT_THAT(edit.channels(), ElementsAre("bodies", "velocity", "mass"));
  const Frame frame = frameOf(5, 1);
  const std::vector<render::ElementRequest> requests = edit.plan(frame);
  ASSERT_EQ(requests.size(), 3u);
  for (const render::ElementRequest& each : requests) EXPECT_THAT(each.elements, ElementsAre(3u));
  edit.asked();
  EXPECT_TRUE(edit.plan(frame).empty()) << "one question at a time";
  edit.take({{1, 2, 3, 0.1f}, {0.5f, 0, -1}, {0.3f}});
  ASSERT_TRUE(edit.place());
  EXPECT_EQ(*edit.place(), (Spot{1, 2, 3}));
  EXPECT_THAT(*edit.values()[0].value, ElementsAre(0.5, 0, -1));
  EXPECT_TRUE(edit.plan(frame).empty()) << "it is known";

  // Set while that frame is shown: what the frame still says is older.
  const Brush event = edit.set(mass(), {1.0 / 3, 0, 0}, 1, true);
  EXPECT_EQ(event, (Brush{.tool = "mass", .strength = 1.0 / 3, .begins = true, .object = 3}));
  EXPECT_EQ((*edit.values()[1].value)[0], 1.0 / 3);
  ASSERT_EQ(edit.plan(frameOf(5, 2)).size(), 3u);
  edit.asked();
  edit.take({{1, 2, 3, 0.1f}, {0.5f, 0, -1}, {static_cast<float>(1.0 / 3)}});
  EXPECT_EQ((*edit.values()[1].value)[0], 1.0 / 3) << "all digits stay";
  edit.plan(frameOf(5, 3));
  edit.asked();
  edit.take({{1, 2, 3, 0.1f}, {0.5f, 0, NAN}, {0.75f}});
  EXPECT_EQ((*edit.values()[1].value)[0], 0.75) << "the run has another";
  EXPECT_THAT(*edit.values()[0].value, ElementsAre(0.5, 0, -1)) << "no number is no news";
}

TEST(ObjectEdit, AnswersAboutTheBodyBeforeAreNoAnswers) {
  ObjectEdit edit;
  edit.select(tools(), 3);
  edit.plan(frameOf(5, 1));
  edit.asked();
  edit.select(tools(), 4);
  edit.take({{1, 2, 3, 0.1f}, {0.5f, 0, -1}, {0.3f}});
  EXPECT_FALSE(edit.place());
}

TEST(ObjectEdit, OfAMillionOnlyThoseThatAreDrawnAreRead) {
  ObjectEdit edit;
  edit.select(tools(), 6);
  EXPECT_TRUE(edit.isIn(frameOf(7, 1)));
  EXPECT_FALSE(edit.isIn(frameOf(6, 1))) << "fewer bodies";
  EXPECT_TRUE(edit.isIn(frameOf(100, 1, 3)));
  EXPECT_FALSE(edit.isIn(frameOf(100, 1, 4))) << "not drawn";
  EXPECT_THAT(edit.plan(frameOf(100, 1, 3))[0].elements, ElementsAre(2u));
}

TEST(ObjectEdit, AnEditIsAStrokeOfTheSceneThatUndoTakesBack) {
  SessionOptions options;
  options.scene = Scene::fromPreset(nbody(), "kepler");
  options.device = "cpu";
  options.threads = 1;
  Session session(options);
  const auto settle = [&] {
    for (int i = 0; i < 2; ++i) {
      session.runner().waitUntilIdle();
      session.poll(0);
    }
    session.commitEdits(false);
  };
  settle();
  const double before = session.status.diagnostics.at(0);
  ObjectEdit edit;
  edit.select(tools(), 1);
  session.poke(edit.set(velocity(), {0, 0.5, 0}, 1, true));
  settle();
  ASSERT_EQ(session.scene.timeline.strokes.size(), 1u);
  EXPECT_EQ(session.scene.timeline.strokes[0].events[0].brush.object, 1);
  ASSERT_NE(session.undoLabel(), nullptr);
  EXPECT_EQ(*session.undoLabel(), "Velocity of a body");
  const double edited = session.status.diagnostics.at(0);
  EXPECT_NE(edited, before);
  // A turn of the wheel is one stroke, whatever its notches.
  session.poke(edit.set(mass(), {0.3, 0, 0}, 1, true));
  session.poke(edit.set(mass(), {0.4, 0, 0}, 1, false));
  settle();
  ASSERT_EQ(session.scene.timeline.strokes.size(), 2u);
  EXPECT_EQ(session.scene.timeline.strokes[1].events.size(), 2u);
  EXPECT_EQ(*session.undoLabel(), "Mass of a body");
  session.undo();
  settle();
  EXPECT_EQ(session.status.diagnostics.at(0), edited);
  session.undo();
  settle();
  EXPECT_TRUE(session.scene.timeline.strokes.empty());
  EXPECT_EQ(session.status.diagnostics.at(0), before);
  session.redo();
  settle();
  EXPECT_EQ(session.status.diagnostics.at(0), edited);
}

}  // namespace
}  // namespace simscope::gui
