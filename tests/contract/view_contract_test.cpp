// What is shown and said about a state: channels, diagnostics, findings.
#include <cstring>
#include <tuple>

#include "tests/contract/contract.h"

namespace simscope::contract {
namespace {

class ViewContract : public testing::TestWithParam<PresetCase> {
 protected:
  const Description& description() const { return *GetParam().description; }
  Stepper make(compute::DevicePtr device) const {
    return Stepper(description(), std::move(device), GetParam().modest(), 11);
  }
};
INSTANTIATE_TEST_SUITE_P(First, ViewContract, testing::ValuesIn(presets(true)), presetTestName);
INSTANTIATE_TEST_SUITE_P(Other, ViewContract, testing::ValuesIn(presets(false)), presetTestName);

// The channel of this key, which must be there and sound; null where it is not.
const Channel* expectChannel(const Frame& frame, const std::string& key, int components, bool gaps = false) {
  const Channel* found = frame.find(key);
  if (!found) {
    ADD_FAILURE() << "the frame has no channel '" << key << "'";
    return nullptr;
  }
  const Channel& channel = *found;
  SCOPED_TRACE("channel " + channel.key);
  EXPECT_GE(channel.width, 1);
  EXPECT_GE(channel.height, 1);
  EXPECT_EQ(channel.components, components);
  EXPECT_EQ(channel.data.size(), static_cast<std::size_t>(channel.width) * static_cast<std::size_t>(channel.height) *
                                     static_cast<std::size_t>(channel.components));
  EXPECT_EQ(channel.data.device(), frame.device);
  EXPECT_LT(channel.x_min, channel.x_max);
  EXPECT_LT(channel.y_min, channel.y_max);
  EXPECT_LT(channel.low, channel.high) << "the range that an axis covers";
  const std::vector<float> values = channel.data.toHost();
  // Cells that the view calls absent hold NaN, and so do curves through them.
  EXPECT_TRUE(
      std::all_of(values.begin(), values.end(), [&](float v) { return std::isfinite(v) || (gaps && std::isnan(v)); }));
  return found;
}

// Where forms are described, the channel's is one of them.
void expectForm(const std::vector<Label>& forms, const Channel& channel) {
  if (forms.empty()) return;
  EXPECT_GE(channel.form, 0) << channel.key;
  EXPECT_LT(channel.form, static_cast<int>(forms.size())) << channel.key;
  for (const Label& form : forms) EXPECT_FALSE(form.title.empty()) << channel.key;
}

void expectCurves(const CurveView& view, const Frame& frame, bool gaps) {
  const Channel* first = expectChannel(frame, view.traces[0].channel, 1, gaps);
  if (!first) return;
  for (const TraceInfo& trace : view.traces) {
    const Channel* channel = expectChannel(frame, trace.channel, 1, gaps);
    if (!channel) continue;
    EXPECT_EQ(channel->height, 1) << trace.channel << " is a curve";
    expectForm(trace.forms, *channel);
    if (&trace == &view.traces[0]) expectForm(view.y.forms, *channel);
    EXPECT_EQ(channel->x_min, first->x_min) << trace.channel << ": one axis for a view";
    EXPECT_EQ(channel->x_max, first->x_max) << trace.channel << ": one axis for a view";
    EXPECT_EQ(trace.style == TraceStyle::PhaseFilled, !trace.phase_channel.empty()) << trace.channel;
    if (trace.phase_channel.empty()) continue;
    if (const Channel* phase = expectChannel(frame, trace.phase_channel, 1)) {
      EXPECT_EQ(phase->width, channel->width);
    }
  }
}

void expectField(const FieldView& view, const Frame& frame) {
  const int components = view.style == FieldStyle::Scalar ? 1 : view.style == FieldStyle::Complex ? 2 : 3;
  const bool gaps = !view.absent.empty();
  const Channel* channel = expectChannel(frame, view.channel, components, gaps);
  if (!channel) return;
  expectForm(view.value.forms, *channel);
  const auto expectOver = [&](const std::string& key, int wanted) {
    const Channel* over = expectChannel(frame, key, wanted, gaps);
    if (!over) return;
    EXPECT_EQ(over->x_min, channel->x_min) << key;
    EXPECT_EQ(over->x_max, channel->x_max) << key;
    EXPECT_EQ(over->y_min, channel->y_min) << key;
    EXPECT_EQ(over->y_max, channel->y_max) << key;
  };
  if (!view.overlay_channel.empty()) expectOver(view.overlay_channel, 1);
  if (!view.arrow_channel.empty()) expectOver(view.arrow_channel, 2);
}

void expectPoints(const PointView& view, const Frame& frame) {
  const Channel* channel = expectChannel(frame, view.channel, 4);
  const Channel* values = expectChannel(frame, view.value_channel, 1);
  if (!channel || !values) return;
  EXPECT_EQ(channel->height, 1);
  EXPECT_EQ(values->width, channel->width);
  if (!view.trail_channel.empty() && frame.find(view.trail_channel)) {
    if (const Channel* trails = expectChannel(frame, view.trail_channel, 3)) {
      EXPECT_LE(trails->height, channel->width) << "a trail belongs to a body";
    }
  }
}

void expectScatter(const ScatterView& view, const Frame& frame) {
  const Channel* channel = expectChannel(frame, view.channel, 4);
  if (!channel) return;
  EXPECT_EQ(channel->height, 1);
  EXPECT_GT(channel->x_max, channel->x_min);
  EXPECT_GT(channel->y_max, channel->y_min);
  if (view.value_channel.empty()) return;
  const Channel* values = expectChannel(frame, view.value_channel, 1);
  if (values) {
    EXPECT_EQ(values->width, channel->width);
  }
}

// Places may be no numbers: gaps.
void expectPaths(const View& view, const Frame& frame) {
  for (const PathInfo& path : pathsOf(view)) expectChannel(frame, path.channel, 2, true);
}

TEST_P(ViewContract, FrameHoldsEveryChannelThatTheViewsName) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    Frame frame;
    for (const int steps : {0, 10}) {
      stepper.step(steps);
      stepper.present(frame);
      frame.ready.wait();
      EXPECT_EQ(frame.device, device);
      EXPECT_EQ(frame.steps, stepper.simulation().steps());
      EXPECT_EQ(frame.time, stepper.simulation().time());
      const std::vector<View>& views = description().views;
      const bool gaps = std::any_of(views.begin(), views.end(), [](const View& view) {
        return view.as<FieldView>() && !view.as<FieldView>()->absent.empty();
      });
      for (const View& view : views) {
        if (const auto* curves = view.as<CurveView>()) expectCurves(*curves, frame, gaps);
        if (const auto* field = view.as<FieldView>()) expectField(*field, frame);
        if (const auto* points = view.as<PointView>()) expectPoints(*points, frame);
        if (const auto* scatter = view.as<ScatterView>()) expectScatter(*scatter, frame);
        expectPaths(view, frame);
      }
    }
  }
}

// A channel alone has the bits that it has among all others, and nothing else is made.
TEST_P(ViewContract, WhatNobodyWantsIsNotMadeAndTheRestIsTheSame) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(affordableSteps(stepper, 10));
    Frame all, one;
    stepper.present(all);
    all.ready.wait();
    for (const std::string& key : description().drawnChannels()) {
      SCOPED_TRACE(key);
      one.wanted = std::vector<std::string>{key};
      stepper.present(one);
      one.ready.wait();
      const Channel *expected = all.find(key), *found = one.find(key);
      ASSERT_EQ(found != nullptr, expected != nullptr);
      EXPECT_EQ(one.channels.size(), found ? 1u : 0u);
      if (!found) continue;
      const auto shape = [](const Channel& c) {
        return std::tuple(c.width, c.height, c.components, c.x_min, c.x_max, c.y_min, c.y_max, c.low, c.high, c.form,
                          c.kinds);
      };
      EXPECT_EQ(shape(*found), shape(*expected));
      const std::vector<float> a = found->data.toHost(), b = expected->data.toHost();
      ASSERT_EQ(a.size(), b.size());
      EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0);
    }
  }
}

TEST_P(ViewContract, PresentingDiagnosingAndCheckingChangeNothing) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper watched = make(device), left_alone = make(device);
    Frame frame;
    for (int i = 0; i < 3; ++i) {
      watched.step(4);
      left_alone.step(4);
      watched.present(frame);
      watched.diagnostics();
      watched.findings();
      watched.verify();
    }
    EXPECT_EQ(difference(watched.save(), left_alone.save()), "");
  }
}

TEST_P(ViewContract, DiagnosticsAreAsManyAsDescribedAndAgreeWithTheirRepetition) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(10);
    const std::size_t count = description().diagnostics.size();
    // Two more on either side, which must stay as they are.
    constexpr double kUntouched = 12345;
    std::vector<double> padded(count + 4, kUntouched), again(count, kUntouched);
    device->run([&] {
      stepper.simulation().diagnostics(std::span(padded).subspan(2, count));
      stepper.simulation().diagnostics(again);
    });
    EXPECT_TRUE(padded[0] == kUntouched && padded[1] == kUntouched);
    EXPECT_TRUE(padded[count + 2] == kUntouched && padded[count + 3] == kUntouched);
    EXPECT_TRUE(std::isfinite(padded[2])) << description().diagnostics[0].key;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = padded[i + 2];
      EXPECT_FALSE(std::isinf(value)) << description().diagnostics[i].key;
      EXPECT_NE(value, kUntouched) << description().diagnostics[i].key << " was not written";
      EXPECT_TRUE(value == again[i] || (std::isnan(value) && std::isnan(again[i]))) << description().diagnostics[i].key;
    }
  }
}

TEST_P(ViewContract, FindingsNameACureThatTheSimulationAccepts) {
  const compute::DevicePtr device = compute::Device::open("cpu", 2);
  Stepper stepper = make(device);
  stepper.step(affordableSteps(stepper, 50));
  for (const Finding& finding : stepper.findings()) {
    SCOPED_TRACE(finding.code);
    EXPECT_FALSE(finding.code.empty() || finding.message.empty());
    EXPECT_EQ(finding.key.empty(), finding.value.empty()) << "a cure is a parameter and its value";
    if (finding.key.empty()) continue;
    ParameterSet cured = GetParam().modest();
    ASSERT_NO_THROW(cured.setText(finding.key, finding.value));
    EXPECT_NE(cured.get(finding.key), GetParam().modest().get(finding.key)) << "the cure changes something";
    EXPECT_NO_THROW(Stepper(description(), device, cured, 11));
  }
}

// The axes that a tool works over: those of its view, else of the simulation's first field, points, or curves.
struct Axes {
  double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
};
Axes axesOf(const Description& d, const ToolInfo& tool, const Frame& frame) {
  for (const Domain domain : {Domain::Plane, Domain::Space, Domain::Line}) {
    for (const View& view : d.views) {
      const bool chosen = tool.view.empty() ? domainOf(view) == domain : tool.view == view.key;
      if (!chosen || view.as<LinkedView>()) continue;
      const std::string key = channelsOf(view).front();
      const Channel* channel = frame.find(key);
      if (!channel) throw Error("the frame has no channel '" + key + "'");
      if (domainOf(view) == Domain::Space) return {channel->x_min, channel->x_max, channel->x_min, channel->x_max};
      return {channel->x_min, channel->x_max, channel->y_min, channel->y_max};
    }
  }
  throw Error("the tool " + tool.key + " acts on no view");
}

// What the window would send where the user tries the tool a little off the middle: a whole drag for Launch.
Brush brushOf(const ToolInfo& tool, const Axes& axes) {
  const double width = axes.x_max - axes.x_min, height = axes.y_max - axes.y_min;
  Brush brush;
  brush.tool = tool.key;
  brush.x = axes.x_min + 0.45 * width;
  brush.y = axes.y_min + 0.55 * height;
  brush.radius = 0.15 * width;
  if (tool.gesture == Gesture::Edit) return editOf(tool, 1);
  if (tool.gesture == Gesture::Launch) {
    brush.dx = 0.1 * width;
    brush.dy = -0.05 * height;
  }
  return brush;
}

TEST_P(ViewContract, EveryToolWorksAndAnUnknownOneDoesNothing) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(2);
    Frame frame;
    stepper.present(frame);
    const State untouched = stepper.save();
    Brush unknown;
    unknown.tool = "no such tool";
    EXPECT_FALSE(stepper.poke(unknown));
    EXPECT_EQ(difference(stepper.save(), untouched), "");
    for (const ToolInfo& tool : description().tools) {
      SCOPED_TRACE(tool.key);
      const State before = stepper.save();
      EXPECT_TRUE(stepper.poke(brushOf(tool, axesOf(description(), tool, frame))));
      EXPECT_NE(difference(stepper.save(), before), "");
      stepper.step(2);
      EXPECT_NO_THROW(stepper.verify());
    }
  }
}

// What an edit sets, the frame tells: of that object, and of no other.
TEST_P(ViewContract, EditedValuesAreWhatFramesTell) {
  for (const compute::DevicePtr& device : devices()) {
    Stepper stepper = make(device);
    stepper.step(2);
    for (const ToolInfo& tool : description().tools) {
      if (tool.gesture != Gesture::Edit) continue;
      SCOPED_TRACE(tool.key);
      ASSERT_TRUE(tool.edit.count && tool.edit.maximum > tool.edit.minimum);
      EXPECT_FALSE(tool.edit.object.empty() || tool.edit.symbol.empty());
      const std::size_t components = tool.edit.vector ? 3 : 1;
      Frame frame;
      const auto read = [&] {
        stepper.present(frame);
        frame.ready.wait();
        return expectChannel(frame, tool.edit.channel, static_cast<int>(components))->data.toHost();
      };
      std::vector<float> values = read();
      const Channel* points = frame.find(tool.edit.points);
      ASSERT_NE(points, nullptr);
      EXPECT_EQ(values.size(), components * static_cast<std::size_t>(points->width));
      const Brush brush = editOf(tool, 1);
      ASSERT_TRUE(stepper.poke(brush));
      const std::array<double, 3> vector{brush.dx, brush.dy, brush.dz};
      for (std::size_t k = 0; k < components; ++k) {
        values[components + k] = static_cast<float>(tool.edit.vector ? vector[k] : brush.strength);
      }
      EXPECT_EQ(read(), values);
      Brush nobody = brush;
      nobody.object = Timeline::kMostObjects - 1;
      EXPECT_FALSE(stepper.poke(nobody));
    }
  }
}

}  // namespace
}  // namespace simscope::contract
