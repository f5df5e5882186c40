// Probes, line cuts, and rulers without a window: which cells they read, and what becomes of the numbers.
#include "app/session/readings/field_marks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/scene/scene.h"
#include "app/session/changes/undo_changes.h"
#include "app/session/readings/field_readings.h"
#include "app/session/readings/truth.h"
#include "sims/compute/error.h"
#include "sims/core/registry.h"
#include "tests/window/sample_simulation.h"

namespace simscope {
namespace {

constexpr FieldGrid kGrid{20, 10, -1, 1, 0, 1};  // cells of 0.1

std::vector<float> cellsOf(const FieldGrid& grid, const LineSamples& samples, double (*value)(double x, double y)) {
  std::vector<float> read;
  for (const std::uint32_t cell : samples.cells) {
    const auto width = static_cast<std::uint32_t>(grid.width);
    const double x = grid.x_min + (cell % width + 0.5) * (grid.x_max - grid.x_min) / grid.width;
    const double y = grid.y_min + (cell / width + 0.5) * (grid.y_max - grid.y_min) / grid.height;
    read.push_back(static_cast<float>(value(x, y)));
  }
  return read;
}

TEST(FieldMarks, AProbeReadsTheCellThatHoldsItsPlace) {
  EXPECT_EQ(cellAt(kGrid, -1, 0), 0u);
  EXPECT_EQ(cellAt(kGrid, -0.95, 0.15), 20u);
  EXPECT_EQ(cellAt(kGrid, 0.999, 0.999), 199u);
  EXPECT_FALSE(cellAt(kGrid, 1.001, 0.5));
  EXPECT_FALSE(cellAt(kGrid, 0, -0.001));
  EXPECT_FALSE(cellAt(kGrid, std::nan(""), 0.5));
}

TEST(FieldMarks, ACutThroughALinearFieldIsExact) {
  const LineSamples samples = samplesAlong(kGrid, -0.8, 0.2, 0.7, 0.9, 512);
  const std::vector<double> values =
      valuesAlong(samples, cellsOf(kGrid, samples, [](double x, double y) { return 3 * x - 2 * y + 1; }), 1,
                  FieldStyle::Scalar, false);
  ASSERT_EQ(values.size(), samples.distance.size());
  EXPECT_NEAR(samples.distance.back(), std::hypot(1.5, 0.7), 1e-12);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double along = samples.distance[i] / samples.distance.back();
    EXPECT_NEAR(values[i], 3 * (-0.8 + 1.5 * along) - 2 * (0.2 + 0.7 * along) + 1, 1e-6);
  }
}

TEST(FieldMarks, ACutOfACurvedFieldConvergesWithTheSquareOfTheCells) {
  double last = 0;
  for (const int n : {20, 40, 80}) {
    const FieldGrid grid{2 * n, n, -1, 1, 0, 1};
    const LineSamples samples = samplesAlong(grid, -0.8, 0.2, 0.7, 0.9, 1000);
    const auto value = [](double x, double y) { return std::sin(3 * x) * std::cos(2 * y); };
    const std::vector<double> values =
        valuesAlong(samples, cellsOf(grid, samples, value), 1, FieldStyle::Scalar, false);
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double along = samples.distance[i] / samples.distance.back();
      worst = std::max(worst, std::abs(values[i] - value(-0.8 + 1.5 * along, 0.2 + 0.7 * along)));
    }
    if (last > 0) {
      EXPECT_GT(last / worst, 3.4) << n;
    }
    last = worst;
  }
}

TEST(FieldMarks, ACutHasAboutOneSampleACellAndNoMoreThanAsked) {
  EXPECT_EQ(samplesAlong(kGrid, -0.5, 0.5, 0.5, 0.5, 512).distance.size(), 11u);
  EXPECT_EQ(samplesAlong(kGrid, -1, 0, 1, 1, 8).distance.size(), 8u);
  EXPECT_EQ(samplesAlong(kGrid, 0.1, 0.1, 0.1, 0.1, 512).distance.size(), 2u);
}

TEST(FieldMarks, OutsideTheFieldAndWhereACellHoldsNoNumberACutHasTheNearestOrNone) {
  const LineSamples samples = samplesAlong(kGrid, 0.5, 0.5, 1.5, 0.5, 512);
  std::vector<float> ones(samples.cells.size(), 1.0f);
  const std::vector<double> values = valuesAlong(samples, ones, 1, FieldStyle::Scalar, false);
  EXPECT_EQ(values.front(), 1);
  EXPECT_TRUE(std::isnan(values.back()));
  // A wall in one corner of the stencil: the cell under the sample counts.
  LineSamples one;
  one.distance = {0};
  one.cells = {0, 1, 2, 3};
  one.weights = {0.6, 0.2, 0.1, 0.1};
  const float no_number = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(valuesAlong(one, {7, no_number, 3, 3}, 1, FieldStyle::Scalar, false)[0], 7);
  EXPECT_TRUE(std::isnan(valuesAlong(one, {no_number, 5, 3, 3}, 1, FieldStyle::Scalar, false)[0]));
  EXPECT_EQ(valuesAlong(one, {2, 0, 1, 1}, 1, FieldStyle::Scalar, true)[0], 2) << "kinds have no values between";
  // Of a complex field the components are joined, then the amplitude is taken.
  EXPECT_NEAR(valuesAlong(one, {3, 4, 3, 4, 3, 4, 3, 4}, 2, FieldStyle::Complex, false)[0], 5, 1e-6);
}

TEST(FieldMarks, TheMouseMeetsAnEndBeforeALineAndTheTopmostFirst) {
  std::vector<FieldMark> marks;
  addMark(marks, {FieldMark::Kind::Cut, "heat", 1, 0, 0, 100, 0});
  addMark(marks, {FieldMark::Kind::Probe, "heat", 1, 50, 40, 0, 0});
  addMark(marks, {FieldMark::Kind::Ruler, "other", 1, 0, 0, 100, 0});
  const auto same = [](double x, double y) { return MarkPixel{x, y}; };
  EXPECT_EQ(markAt(marks, "heat", {2, 3}, 6, same), (MarkHit{0, MarkPart::From}));
  EXPECT_EQ(markAt(marks, "heat", {98, -3}, 6, same), (MarkHit{0, MarkPart::To}));
  EXPECT_EQ(markAt(marks, "heat", {50, 5}, 6, same), (MarkHit{0, MarkPart::Whole}));
  EXPECT_EQ(markAt(marks, "heat", {52, 41}, 6, same), (MarkHit{1, MarkPart::Whole}));
  EXPECT_FALSE(markAt(marks, "heat", {50, 20}, 6, same));
  EXPECT_FALSE(markAt(marks, "nothing", {2, 3}, 6, same));
}

TEST(FieldMarks, AMovedEndLeavesTheOtherWhereItIs) {
  const FieldMark line{FieldMark::Kind::Cut, "heat", 1, 0, 0, 10, 0};
  EXPECT_EQ(movedMark(line, MarkPart::From, 1, 2), (FieldMark{FieldMark::Kind::Cut, "heat", 1, 1, 2, 10, 0}));
  EXPECT_EQ(movedMark(line, MarkPart::To, 1, 2), (FieldMark{FieldMark::Kind::Cut, "heat", 1, 0, 0, 11, 2}));
  EXPECT_EQ(movedMark(line, MarkPart::Whole, 1, 2), (FieldMark{FieldMark::Kind::Cut, "heat", 1, 1, 2, 11, 2}));
}

TEST(FieldMarks, NumbersAreTheSmallestFreeOfTheirKind) {
  std::vector<FieldMark> marks;
  const FieldMark probe{FieldMark::Kind::Probe, "heat", 1, 0, 0, 0, 0};
  for (int i = 0; i < 3; ++i) addMark(marks, probe);
  addMark(marks, {FieldMark::Kind::Ruler, "heat", 1, 0, 0, 1, 1});
  EXPECT_EQ(nameOf(marks[2]), "P3");
  EXPECT_EQ(nameOf(marks[3]), "R1");
  marks.erase(marks.begin() + 1);
  EXPECT_EQ(nameOf(marks[*addMark(marks, probe)]), "P2");
  while (marks.size() < kMostMarks) ASSERT_TRUE(addMark(marks, probe));
  EXPECT_FALSE(addMark(marks, probe));
}

TEST(TimeSeries, SpansTheRunWithinItsCapacityAndIsCutWhereTimeGoesBack) {
  TimeSeries series(64);
  for (int i = 0; i < 10'000; ++i) {
    series.add(i, 2.0 * i);
    ASSERT_LE(series.times().size(), 64u);
    ASSERT_EQ(series.times().back(), i);
    ASSERT_EQ(series.values().back(), 2.0 * i);
  }
  EXPECT_EQ(series.times().front(), 0);
  series.add(5000, -1);
  EXPECT_EQ(series.times().back(), 5000);
  EXPECT_EQ(series.values().back(), -1);
  EXPECT_TRUE(std::is_sorted(series.times().begin(), series.times().end()));
  series.add(5000, -2);
  EXPECT_EQ(series.values().back(), -2);
}

const View& fieldViewOf(const Description& description) {
  for (const View& view : description.views) {
    if (view.as<FieldView>()) return view;
  }
  throw Error("no view of a field");
}

// A frame of the heat equation made by hand, whose cell i holds i + offset.
struct HandMade {
  const Description& description = simulationById("heat");
  const View& view = fieldViewOf(description);
  Frame frame;
  Scene scene = Scene::fromPreset(description, "");
  HandMade() {
    frame.device = compute::Device::open("cpu", 1);
    frame.parameters = scene.parameters;
    fill(1, 0, 0);
  }
  void fill(std::uint64_t sequence, double time, float offset) {
    Channel& channel = frame.channel(view.as<FieldView>()->channel, 20, 10, 1);
    channel.x_min = -1;
    std::vector<float> values(200);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) + offset;
    channel.data.upload(values);
    frame.sequence = sequence;
    frame.time = time;
  }
  std::vector<std::vector<float>> answer(const std::vector<render::ElementRequest>& requests) const {
    std::vector<std::vector<float>> values;
    for (const render::ElementRequest& request : requests) {
      values.emplace_back();
      for (const std::uint32_t cell : request.elements) {
        values.back().push_back(frame.find(request.channel)->data.data()[cell]);
      }
    }
    return values;
  }
};

TEST(FieldReadings, AProbeAsksForOneCellAFrameAndKeepsItsValuesOverTime) {
  HandMade hand;
  addMark(hand.scene.marks, {FieldMark::Kind::Probe, hand.view.key, 1, -0.95, 0.15, 0, 0});
  FieldReadings readings;
  for (int step = 0; step < 5; ++step) {
    hand.fill(static_cast<std::uint64_t>(step) + 1, 0.5 * step, static_cast<float>(step));
    const auto requests = readings.plan(hand.scene, hand.frame, 1, {hand.view.key});
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].elements, std::vector<std::uint32_t>{20});
    readings.asked();
    readings.take(hand.answer(requests));
    EXPECT_TRUE(readings.plan(hand.scene, hand.frame, 1, {hand.view.key}).empty()) << "this frame was read already";
  }
  const FieldReadings::Reading* reading = readings.find(hand.scene.marks[0]);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->now, 24);
  ASSERT_EQ(reading->over_time.times().size(), 5u);
  EXPECT_EQ(reading->over_time.values()[2], 22);
  EXPECT_EQ(reading->over_time.times()[2], 1);
}

TEST(FieldReadings, AMovedProbeAResetAndAHiddenViewBeginAnewOrWait) {
  HandMade hand;
  addMark(hand.scene.marks, {FieldMark::Kind::Probe, hand.view.key, 1, -0.95, 0.15, 0, 0});
  FieldReadings readings;
  const auto read = [&](std::uint64_t epoch) {
    const auto requests = readings.plan(hand.scene, hand.frame, epoch, {hand.view.key});
    if (requests.empty()) return false;
    readings.asked();
    readings.take(hand.answer(requests));
    return true;
  };
  ASSERT_TRUE(read(1));
  hand.fill(2, 1, 0);
  ASSERT_TRUE(read(1));
  EXPECT_EQ(readings.find(hand.scene.marks[0])->over_time.times().size(), 2u);
  hand.scene.marks[0].x = -0.85;
  ASSERT_TRUE(read(1)) << "a moved probe reads the same frame again";
  EXPECT_EQ(readings.find(hand.scene.marks[0])->now, 21);
  EXPECT_EQ(readings.find(hand.scene.marks[0])->over_time.times().size(), 1u);
  hand.fill(3, 2, 0);
  ASSERT_TRUE(read(1));
  ASSERT_TRUE(read(2)) << "another run";
  EXPECT_EQ(readings.find(hand.scene.marks[0])->over_time.times().size(), 1u);
  hand.fill(4, 3, 0);
  EXPECT_TRUE(readings.plan(hand.scene, hand.frame, 2, {"another view"}).empty());
  EXPECT_FALSE(readings.find(hand.scene.marks[0])->live);
  // Outside the field there is no value.
  hand.scene.marks[0].x = 7;
  ASSERT_TRUE(read(2));
  EXPECT_TRUE(std::isnan(readings.find(hand.scene.marks[0])->now));
  hand.scene.marks.clear();
  EXPECT_TRUE(readings.plan(hand.scene, hand.frame, 2, {hand.view.key}).empty());
  EXPECT_TRUE(readings.readings().empty());
}

TEST(FieldReadings, AnAnswerToAQuestionOfAnotherRunIsLeftOut) {
  HandMade hand;
  addMark(hand.scene.marks, {FieldMark::Kind::Probe, hand.view.key, 1, -0.95, 0.15, 0, 0});
  FieldReadings readings;
  const auto requests = readings.plan(hand.scene, hand.frame, 1, {hand.view.key});
  readings.asked();
  EXPECT_TRUE(readings.waiting());
  EXPECT_TRUE(readings.plan(hand.scene, hand.frame, 1, {hand.view.key}).empty()) << "one question at a time";
  hand.fill(1, 9, 100);
  EXPECT_EQ(readings.plan(hand.scene, hand.frame, 2, {hand.view.key}).size(), 1u);
  readings.take(hand.answer(requests));
  EXPECT_EQ(readings.find(hand.scene.marks[0])->over_time.times().size(), 0u);
}

TEST(FieldReadings, ACutHasOneValueASample) {
  HandMade hand;
  addMark(hand.scene.marks, {FieldMark::Kind::Cut, hand.view.key, 1, -0.95, 0.05, 0.95, 0.05});
  FieldReadings readings;
  const auto requests = readings.plan(hand.scene, hand.frame, 1, {hand.view.key});
  readings.asked();
  readings.take(hand.answer(requests));
  const FieldReadings::Reading* reading = readings.find(hand.scene.marks[0]);
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->values.size(), reading->distance.size());
  EXPECT_NEAR(reading->values.front(), 0, 1e-5);
  EXPECT_NEAR(reading->values.back(), 19, 1e-5);
}

TEST(SceneMarks, AreWrittenReadAndPartOfUndo) {
  const Description& description = simulationById("heat");
  const View& view = fieldViewOf(description);
  Scene scene = Scene::fromPreset(description, description.presets.front().key);
  const Scene before = scene;
  addMark(scene.marks, {FieldMark::Kind::Probe, view.key, 1, 0.25, -3, 0, 0});
  addMark(scene.marks, {FieldMark::Kind::Cut, view.key, 1, 0.25, -3, 1.5, 2});
  addMark(scene.marks, {FieldMark::Kind::Ruler, view.key, 1, 0, 0, 4, 3});
  EXPECT_EQ(sceneFromJson(toJson(scene)).marks, scene.marks);
  EXPECT_TRUE(sceneFromJson(toJson(before)).marks.empty());
  EXPECT_EQ(changeBetween(before, scene), "Probes and lines");
  EXPECT_EQ(carriedOver(before, before, scene).marks, scene.marks);
}

TEST(SceneMarks, ThatCannotBeAreRefusedWithTheirPlaceInTheDocument) {
  const auto refusal = [](const std::string& mark) {
    try {
      sceneFromJson(R"({"simscope": 1, "simulation": "heat", "marks": [)" + mark + "]}");
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(R"({"kind": "prob", "view": "temperature"})").find("marks[0].kind"), std::string::npos);
  EXPECT_NE(refusal(R"({"view": "temperature"})").find("marks[0].kind"), std::string::npos);
  EXPECT_NE(refusal(R"({"kind": "probe", "view": "no_such"})").find("marks[0].view"), std::string::npos);
  EXPECT_NE(refusal(R"({"kind": "probe", "view": "temperature", "number": 0})").find("marks[0].number"),
            std::string::npos);
}

TEST(Truth, BoundsTolerancesAndErrorsAreTheDescriptions) {
  Description description = simulationById("heat");
  description.diagnostics = {{"centre", "Centre", "", ""},
                             {"centre_exact", "", "", "", kListed, exactOf("centre", 0.01)},
                             {"drift", "", "", "", kListed, within(1e-3)},
                             {"plain", "", "", ""}};
  const ParameterSet parameters = description.defaults();
  std::vector<Truth> truths = truthsOf(description, parameters, {0.51, 0.5, -2e-3, 7});
  ASSERT_EQ(truths.size(), 3u);
  EXPECT_EQ(truths[0].verdict, Verdict::Apart);
  EXPECT_NEAR(truths[0].error, 0.02, 1e-12);
  EXPECT_EQ(truths[0].exact, 1u);
  EXPECT_EQ(truths[1].verdict, Verdict::Exceeded);
  EXPECT_NEAR(truths[1].share, 2, 1e-12);
  EXPECT_EQ(truths[2].verdict, Verdict::None);
  truths = truthsOf(description, parameters, {0.505, 0.5, 5e-4, 7});
  EXPECT_EQ(truths[0].verdict, Verdict::Kept);
  EXPECT_EQ(truths[1].verdict, Verdict::Kept);
  truths = truthsOf(description, parameters, {1e-9, 0.005, 5e-4, 7});
  EXPECT_EQ(truths[0].verdict, Verdict::Apart) << "nothing at all is within the tolerance of so small a value";
  EXPECT_EQ(truths[0].tolerance, 0.0025);
  truths = truthsOf(description, parameters, {0.0051, 0.005, 5e-4, 7});
  EXPECT_EQ(truths[0].verdict, Verdict::Kept);
  truths = truthsOf(description, parameters, {0.005, 0, 5e-4, 7});
  EXPECT_EQ(truths[0].verdict, Verdict::Kept);
  truths = truthsOf(description, parameters, {0.505, std::nan(""), std::nan(""), 7});
  EXPECT_EQ(truths[0].verdict, Verdict::None);
  EXPECT_TRUE(std::isnan(truths[0].error));
  EXPECT_EQ(truths[1].verdict, Verdict::None);
}

}  // namespace
}  // namespace simscope
