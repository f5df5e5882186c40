// What is written about a run: the parameters that matter, by their titles; the equation that they solve; names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/render/figure/figure.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/gl/gl_context.h"
#include "app/render/layers/curves/curve_plan.h"
#include "tests/figure/point_sample.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"
#include "tests/figure/written_texts.h"

namespace simscope::render {
namespace {

// The sample with a choice of what the packet meets.
Description describedWithChoice() {
  Description d = sampleDescription();
  auto infos = std::make_shared<std::vector<ParameterInfo>>(*d.parameters);
  const Relevance barrier = when("potential", {"barrier", "two_barriers"});
  for (ParameterInfo& info : *infos) {
    if (info.key.starts_with("barrier")) info.relevant = barrier;
  }
  infos->front().aliases = {{when("potential", {"two_barriers"}), "Height of both V₀", ""}};
  infos->push_back({.key = "potential",
                    .title = "Potential",
                    .kind = Kind::Choice,
                    .initial = std::string("barrier"),
                    .choices = {{"barrier", "Barrier"}, {"two_barriers", "Two barriers"}, {"none", "None"}}});
  d.parameters = infos;
  d.presets.push_back({.key = "free", .title = "Free spreading", .changes = {{"potential", "none"}}});
  d.equation_of = [](const ParameterSet& set) -> std::string {
    return set.text("potential") == "none" ? "no V" : "with V";
  };
  d.views.front().as<CurveView>()->traces.back().relevant = barrier;
  return d;
}

class CaptionTest : public testing::Test {
 protected:
  FigurePlan planOf(const Description& of, const ParameterSet& set, const Frame& shown) {
    canvas.begin(options.width, options.height, options.scale);
    FigurePlan made = planFigure(of, set, shown, options, canvas);
    canvas.finish();
    return made;
  }
  FigurePlan plan() { return planOf(description, parameters, frame); }
  bool shows(const char* channel) {
    const FigurePlan made = plan();
    const auto& traces = made.panels.front().contentAs<PlannedCurves>().traces;
    return std::any_of(traces.begin(), traces.end(), [&](const auto& each) { return each.info->channel == channel; });
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Description description = describedWithChoice();
  ParameterSet parameters = description.defaults();
  Frame frame = sampleFrame(device, 64, tunnellingProfiles());
  Canvas canvas;
  FigureOptions options;
};

TEST_F(CaptionTest, LeavesOutWhatDoesNotMatter) {
  parameters.setText("barrier_width", "3");
  EXPECT_EQ(plan().parameters, "Barrier width a = 3");
  parameters.setText("potential", "none");
  EXPECT_EQ(plan().parameters, "Potential = None");
  parameters.setText("potential", "two_barriers");
  EXPECT_EQ(plan().parameters, "Barrier width a = 3   ·   Potential = Two barriers") << "nothing was lost";
}

TEST_F(CaptionTest, LeavesOutKeyframesOfWhatDoesNotMatter) {
  const std::string time = plan().time;
  frame.followed = {0};
  EXPECT_EQ(plan().time, "Barrier height V₀ = 1.50   " + time);
  parameters.setText("potential", "two_barriers");
  EXPECT_EQ(plan().time, "Height of both V₀ = 1.50   " + time) << "as it is called there";
  parameters.setText("potential", "none");
  EXPECT_EQ(plan().time, time);
  EXPECT_EQ(plan().parameters, "Potential = None");
}

TEST_F(CaptionTest, ARunIsThePresetsWhateverDoesNotMatter) {
  parameters.setText("potential", "none");
  EXPECT_EQ(plan().subtitle, "Free spreading");
  parameters.setText("barrier_height", "7");
  EXPECT_EQ(plan().subtitle, "Free spreading");
  parameters.setText("packet_momentum", "1");
  EXPECT_NE(plan().subtitle, "Free spreading");
}

TEST_F(CaptionTest, TheEquationFollowsTheParameters) {
  EXPECT_EQ(plan().equation, "with V");
  parameters.setText("potential", "none");
  EXPECT_EQ(plan().equation, "no V");
  description.equation_of = nullptr;
  EXPECT_EQ(plan().equation, description.equation);
}

TEST_F(CaptionTest, ACurveThatDoesNotMatterIsNotDrawnUnlessItWasAskedFor) {
  EXPECT_TRUE(shows("potential"));
  parameters.setText("potential", "none");
  EXPECT_FALSE(shows("potential"));
  options.shown["potential"] = true;
  EXPECT_TRUE(shows("potential"));
}

TEST_F(CaptionTest, ATitleIsCutInItsWordsAndKeepsItsUnit) {
  canvas.begin(options.width, options.height, 1);
  const std::string title = "Temperature of the plate  [10³ K]";
  const double whole = canvas.textWidth(Canvas::Font::Normal, title);
  EXPECT_EQ(fittedTitle(canvas, title, whole), title);
  for (const double share : {0.9, 0.7, 0.5}) {
    const std::string cut = fittedTitle(canvas, title, share * whole);
    EXPECT_THAT(cut, testing::StartsWith("Te"));
    EXPECT_THAT(cut, testing::EndsWith("…  [10³ K]"));
    EXPECT_LE(canvas.textWidth(Canvas::Font::Normal, cut), share * whole);
  }
  EXPECT_THAT(fittedTitle(canvas, "Temperature of the plate", whole / 2), testing::EndsWith("…"));
  EXPECT_THAT(fittedTitle(canvas, title, 0.25 * whole), testing::EndsWith("…")) << "no room for the unit";
  EXPECT_EQ(fittedTitle(canvas, title, 1), "");
  canvas.finish();
}

// Titles of axes, keys, and the figure that are wider than it: cut, and nothing lies on another.
TEST_F(CaptionTest, TitlesThatAreTooLongAreCutWithAnEllipsis) {
  const std::string name = "Difference of the temperatures of both plates from their mean at the start";
  description.title = name;
  CurveView& curves = *description.views.front().as<CurveView>();
  curves.x = {name, "length"};
  curves.y = {name, "K"};
  curves.right = {name, "1/length"};
  for (TraceInfo& trace : curves.traces) trace.forms = {{name}};
  Description fields = fieldDescription();
  fields.title = name;
  const Frame of_fields = sampleFields(device, {32, 32, 0, 4, 0, 4}, 1);
  for (const char* view : {"heat", "wave"}) {
    FieldView& field = *viewIn(fields, view).as<FieldView>();
    field.x.title = field.y.title = field.arrow.title = name;
    field.value = {name, "K"};
    viewIn(fields, view).title = name;
  }
  FigureTexts texts;
  const auto check = [&](const Description& d, const Frame& shown, const char* view) {
    options.view = view;
    const auto& written = texts.of(d, d.defaults(), shown, options);
    for (const std::string& fault : faultsOf(written, options)) {
      ADD_FAILURE() << view << " at " << options.width << "x" << options.height << ": " << fault;
    }
    std::size_t cut = 0;
    for (const Canvas::Written& each : written) cut += each.text.find("…") != std::string::npos;
    EXPECT_GE(cut, options.width < 640 ? 2u : 1u) << view << " at " << options.width << "x" << options.height;
  };
  options.arrows = true;
  for (const auto& [width, height] : {std::pair{180, 135}, {240, 180}, {320, 240}, {480, 270}, {640, 480}}) {
    options.width = width;
    options.height = height;
    options.scale = suitableScale(width, height);
    check(description, frame, "curves");
    for (const char* view : {"heat", "wave", "two", "three"}) check(fields, of_fields, view);
  }
}

TEST_F(CaptionTest, TimeHasTheDigitsThatAStepChanges) {
  frame.time_step = 0.05;
  EXPECT_EQ(plan().time, "t = 40.00");
  frame.time_step = 0.001;
  EXPECT_EQ(plan().time, "t = 40.000");
  frame.time_step = 0;
  EXPECT_EQ(plan().time, "t = 40.00") << "not known";
}

TEST_F(CaptionTest, AKeyOfKindsHasTheirNamesWhereThereIsRoom) {
  std::vector<SamplePoint> points(3);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].value = static_cast<double>(i);
  Frame bodies = pointFrame(device, points);
  Channel& values = bodies.channels.back();
  values.kinds = 3;
  const auto labels = [&] {
    const Description& d = pointDescription();
    return planOf(d, d.defaults(), bodies).panels.front().key.ticks.labels;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(), (Labels{"0", "1", "2"}));
  values.kind_names = {"Sun", "Mercury", "Venus"};
  EXPECT_EQ(labels(), (Labels{"Sun", "Mercury", "Venus"}));
  options.width = 250;
  EXPECT_EQ(labels(), (Labels{"0", "1", "2"})) << "the plot needs the room";
}

TEST_F(CaptionTest, APointTellsTheNameOfItsKind) {
  std::vector<SamplePoint> points(3);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].value = static_cast<double>(i) + 1;
  Frame bodies = pointFrame(device, points);
  bodies.channels.back().kinds = 3;
  Figure figure;
  const Description& d = pointDescription();
  figure.draw(d, d.defaults(), bodies, options);
  EXPECT_EQ(figure.kindName(1), "") << "kinds without names";
  bodies.channels.back().kind_names = {"Sun", "Mercury", "Venus"};
  bodies.sequence = 1;
  for (const char* view : {"bodies", "plain"}) {
    options.view = view;
    figure.draw(d, d.defaults(), bodies, options);
    EXPECT_EQ(figure.kindName(0), "Mercury") << view;
    EXPECT_EQ(figure.kindName(1), "Venus") << view;
    EXPECT_EQ(figure.kindName(2), "") << view << ": launched since";
    EXPECT_EQ(figure.kindName(3), "") << view;
    EXPECT_EQ(figure.kindName(-1), "") << view;
  }
}

}  // namespace
}  // namespace simscope::render
