#include "tests/window/sample_simulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "sims/core/archive.h"
#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::gui {

namespace {

enum class Source { Formula, Image };

struct Parameters {
  int ring = 12;
  double speed = 1;
  Source source = Source::Formula;
  std::string formula = "x*y";
  std::string image_file;
  double middle_x = 1, middle_y = 0, magnification = 1;  // of the window of the plane
};

const Binding<Parameters>& binding() {
  static const auto all =
      Binding<Parameters>()
          .integer(&Parameters::ring, "ring",
                   {.title = "Bodies", .minimum = 1, .maximum = 1000, .applies = Applies::OnReset, .group = "Bodies"})
          .real(&Parameters::speed, "speed", {.title = "Speed", .maximum = 10, .group = "Bodies"})
          .choice(&Parameters::source, "source", {.title = "Source", .group = "Map"},
                  {{"formula", "Formula"}, {"image", "Image"}})
          .text(&Parameters::formula, "formula",
                {.title = "Formula", .group = "Map", .help = "Of x and y", .text_use = TextUse::Formula})
          .text(
              &Parameters::image_file, "image_file",
              {.title = "Image", .group = "Map", .text_use = TextUse::ImageFile, .relevant = when("source", {"image"})})
          .real(&Parameters::middle_x, "middle_x",
                {.title = "Middle x", .minimum = -9, .maximum = 9, .group = "Window"})
          .real(&Parameters::middle_y, "middle_y",
                {.title = "Middle y", .minimum = -9, .maximum = 9, .group = "Window"})
          .real(&Parameters::magnification, "magnification",
                {.title = "Magnification", .minimum = 0.5, .maximum = 1e6, .scale = Scale::Log, .group = "Window"});
  return all;
}

void validate(const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const std::size_t fault = p.formula.find_first_not_of("xy0123456789.+-*/() ");
  if (p.formula.empty()) throw ParameterError("formula", "formula: is empty; x*y is one");
  if (fault != std::string::npos) {
    throw ParameterError("formula", "formula: position " + std::to_string(fault + 1) + ": '" + p.formula[fault] +
                                        "' is neither x, y, a number, nor an operator");
  }
  if (p.speed > 9 && p.ring > 500) {
    throw ParameterError("speed", "speed = " + toText(p.speed) + " is too fast for ring = " + std::to_string(p.ring) +
                                      "; choose a ring of 500 or less, or a speed of 9");
  }
}

// Throws where there is no such file: only the run looks.
Parameters checked(const ParameterSet& set) {
  Parameters p = binding().read(set);
  if (p.source == Source::Image && !std::filesystem::is_regular_file(p.image_file)) {
    throw ParameterError("image_file", "image_file: '" + p.image_file + "': there is no such file");
  }
  return p;
}

// The plane's window is 4 wide and 3 high, magnified, about the middle.
constexpr double kWindowWidth = 4, kWindowHeight = 3;
std::optional<ParameterSet> navigate(const ParameterSet& set, const Navigation& way) {
  if (way.view != "window") return std::nullopt;
  const Parameters p = binding().read(set);
  const double magnification = std::clamp(p.magnification * way.factor, 0.5, 1e6);
  const double before = 1 / p.magnification, less = before - 1 / magnification;
  ParameterSet moved = set;
  moved.set("magnification", magnification);
  moved.set("middle_x", p.middle_x + kWindowWidth * ((way.x - 0.5) * less - way.dx * before));
  moved.set("middle_y", p.middle_y + kWindowHeight * ((way.y - 0.5) * less - way.dy * before));
  return moved;
}

struct Grid {
  int width, height;
  double x, y;  // half the edges
};
constexpr Grid kMap{64, 48, 2, 1.5}, kFlow{16, 12, 2, 1.5}, kOther{32, 32, 10, 10};
constexpr int kTrail = 24, kCut = 96;
constexpr double kTurn = 0.02;  // radians a step

class Sample final : public Simulation {
 public:
  Sample(const Description& description, compute::DevicePtr device, const ParameterSet& set)
      : Simulation(description, std::move(device), set), p_(checked(set)) {}

  double time() const override { return 0.1 * static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    state_ = {};
  }
  void change(const ParameterSet& set) override { p_ = checked(set); }
  void step(int n) override { steps_ += n; }

  void present(Frame& frame) override {
    presentBodies(frame);
    fill(frame.channel("map", kMap.width, kMap.height), kMap, 1, [&](double x, double y, float* cell) {
      const double hill = 2 * std::exp(-10 * (std::pow(x - state_.x, 2) + std::pow(y - state_.y, 2)));
      const double source = p_.source == Source::Image     ? std::floor(x * 4) - 2 * std::floor(x * 2)
                            : p_.formula.starts_with("x*") ? x * y
                                                           : x + y;
      cell[0] = static_cast<float>(source + (state_.painted > 0 ? hill : 0));
    });
    fill(frame.channel("outline", kMap.width, kMap.height), kMap, 1,
         [](double x, double y, float* cell) { cell[0] = std::hypot(x, y) < 0.5 ? 1.0f : 0.0f; });
    fill(frame.channel("flow", kFlow.width, kFlow.height, 2), kFlow, 2, [](double x, double y, float* cell) {
      cell[0] = static_cast<float>(-y);
      cell[1] = static_cast<float>(x);
    });
    fill(frame.channel("other", kOther.width, kOther.height), kOther, 1, [&](double x, double y, float* cell) {
      cell[0] =
          static_cast<float>(std::exp(-0.1 * (std::pow(x - state_.probe_x, 2) + std::pow(y - state_.probe_y, 2))));
    });
    Channel& window = frame.channel("window", kMap.width, kMap.height);
    fill(window, kMap, 1, [&](double x, double y, float* cell) {
      const double at_x = p_.middle_x + x / p_.magnification, at_y = p_.middle_y + y / p_.magnification;
      cell[0] = static_cast<float>(std::sin(5 * at_x) * std::sin(5 * at_y));
    });
    window.x_min = p_.middle_x - kWindowWidth / 2 / p_.magnification;
    window.x_max = p_.middle_x + kWindowWidth / 2 / p_.magnification;
    window.y_min = p_.middle_y - kWindowHeight / 2 / p_.magnification;
    window.y_max = p_.middle_y + kWindowHeight / 2 / p_.magnification;
    fill(frame.channel("cut", kCut), {kCut, 1, 2, 1}, 1,
         [](double x, double, float* cell) { cell[0] = static_cast<float>(std::cos(3 * x)); });
  }

  void diagnostics(std::span<double> values) override {
    const Brush& b = state_.last;
    const std::array<double, 12> all = {bodies(),   state_.painted, b.x,           b.y, b.z, b.dx, b.dy, b.dz, b.radius,
                                        b.strength, state_.probe_x, state_.probe_y};
    std::copy(all.begin(), all.end(), values.begin());
  }
  std::vector<Finding> check(std::span<const double>) const override { return {}; }
  bool finite() override { return true; }
  std::string likelyCauseOfNaN() const override { return "Nothing can be."; }
  void visit(Archive& archive) override {
    const std::size_t numbers = archive.extent("marks", 0, 5 + kBrush * (1 + state_.launched.size()), 1 << 20);
    archive.values<double>(
        "marks", "what the mouse has done", {numbers},
        [this] {
          std::vector<double> marks{state_.painted, state_.x, state_.y, state_.probe_x, state_.probe_y};
          append(marks, state_.last);
          for (const Brush& launched : state_.launched) append(marks, launched);
          return marks;
        },
        [this](const std::vector<double>& marks) {
          state_ = {marks[0], marks[1], marks[2], marks[3], marks[4], brushAt(marks, 5), {}};
          for (std::size_t at = 5 + kBrush; at + kBrush <= marks.size(); at += kBrush) {
            state_.launched.push_back(brushAt(marks, at));
          }
        });
    if (numbers < 5 + kBrush) archive.refuse("marks", "is no state of the sample");
  }
  void loaded(const State&) override {}

  bool stroke(const Brush& brush) override {
    state_.last = brush;
    state_.last.tool.clear();
    if (brush.tool == "brush") {
      ++state_.painted;
      state_.x = brush.x;
      state_.y = brush.y;
    } else if (brush.tool == "probe") {
      state_.probe_x = brush.x;
      state_.probe_y = brush.y;
    } else if (brush.tool == "launch") {
      state_.launched.push_back(brush);
    }
    return true;
  }
  Throughput throughput() const override { return {.unit = "bodies/s", .work_per_step = 1, .bytes_per_step = 8}; }
  std::string method() const override { return "sample"; }

 private:
  static constexpr std::size_t kBrush = 8;
  static void append(std::vector<double>& marks, const Brush& b) {
    marks.insert(marks.end(), {b.x, b.y, b.z, b.dx, b.dy, b.dz, b.radius, b.strength});
  }
  static Brush brushAt(const std::vector<double>& marks, std::size_t at) {
    const auto v = std::span(marks).subspan(at, kBrush);
    return {.tool = {},
            .x = v[0],
            .y = v[1],
            .dx = v[3],
            .dy = v[4],
            .radius = v[6],
            .strength = v[7],
            .z = v[2],
            .dz = v[5]};
  }

  double bodies() const { return 1 + p_.ring + static_cast<double>(state_.launched.size()); }

  // A body's place `back` steps ago.
  std::array<float, 3> place(int body, double back) const {
    if (body == 0) return {};
    if (body > p_.ring) {
      const Brush& b = state_.launched[static_cast<std::size_t>(body - p_.ring - 1)];
      return {static_cast<float>(b.x), static_cast<float>(b.y), static_cast<float>(b.z)};
    }
    const double angle =
        2 * std::numbers::pi * body / p_.ring + kTurn * p_.speed * (static_cast<double>(steps_) - back);
    const double height = 0.3 * std::sin(3 * angle);
    return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), static_cast<float>(height)};
  }

  void presentBodies(Frame& frame) {
    const int count = static_cast<int>(bodies());
    std::vector<float> points, values, trails;
    for (int i = 0; i < count; ++i) {
      const auto [x, y, z] = place(i, 0);
      points.insert(points.end(), {x, y, z, i == 0 ? 3.0f : 1.0f});
      values.push_back(static_cast<float>(i) / static_cast<float>(count));
    }
    const int trailed = p_.ring + 1;
    for (int i = 0; i < trailed; ++i) {
      for (int k = 0; k < kTrail; ++k) {
        const auto at = place(i, kTrail - 1 - k);
        trails.insert(trails.end(), at.begin(), at.end());
      }
    }
    Channel& channel = frame.channel("bodies", count, 1, 4);
    channel.data.upload(points);
    channel.x_min = -1.5;
    channel.x_max = 1.5;
    frame.channel("value", count).data.upload(values);
    frame.channel("trails", kTrail, trailed, 3).data.upload(trails);
  }

  template <class Cell>
  static void fill(Channel& channel, const Grid& grid, int components, const Cell& cell) {
    std::vector<float> values(channel.data.size());
    for (int row = 0; row < grid.height; ++row) {
      for (int column = 0; column < grid.width; ++column) {
        const std::size_t index =
            static_cast<std::size_t>(row * grid.width + column) * static_cast<std::size_t>(components);
        cell(grid.x * ((2 * column + 1.0) / grid.width - 1), grid.y * ((2 * row + 1.0) / grid.height - 1),
             &values[index]);
      }
    }
    channel.data.upload(values);
    channel.x_min = -grid.x;
    channel.x_max = grid.x;
    channel.y_min = -grid.y;
    channel.y_max = grid.y;
    channel.low = channel.key == "map" || channel.key == "cut" ? -2 : 0;
    channel.high = 2;
  }

  struct Marks {
    double painted = 0, x = 0, y = 0, probe_x = 0, probe_y = 0;
    Brush last{};
    std::vector<Brush> launched;
  };
  Parameters p_;
  Marks state_;
};

Description describe() {
  Description d;
  d.id = "sample";
  d.title = "Sample";
  d.summary = "One of everything";
  d.equation = "f(x, y)";
  d.parameters = binding().infos();
  constexpr int kEndless = 1'000'000;
  d.presets = {
      {.key = "usual", .title = "Usual", .frames = kEndless},
      {.key = "above", .title = "From above", .frames = kEndless, .view = "bodies", .camera = Camera{0, 90, 1.5}},
      {.key = "loops", .title = "Short loop", .steps_per_frame = 4, .frames = 5},
      {.key = "blank", .title = "Draw your own", .frames = kEndless, .tool = "brush"},
      {.key = "pauses", .title = "Short", .steps_per_frame = 4, .frames = 5, .ending = Ending::Pause},
      {.key = "broken", .title = "Refused", .changes = {{"source", "image"}, {"image_file", "nowhere.png"}}}};
  for (const char* key :
       {"bodies", "painted", "x", "y", "z", "dx", "dy", "dz", "radius", "strength", "probe_x", "probe_y"}) {
    d.diagnostics.push_back({key, key, "", "", std::strlen(key) > 2 ? kPlotted : kListed});
  }
  d.views = {{"both", "Map, other, and cut",
              LinkedView{{{.view = "map", .width = 0.6},
                          {.view = "other", .left = 0.6, .width = 0.4, .height = 0.5},
                          {.view = "cut", .left = 0.6, .top = 0.5, .width = 0.4, .height = 0.5}}}},
             {"map", "Map",
              FieldView{.x = {"x", "length"},
                        .y = {"y", "length"},
                        .value = {"f", ""},
                        .channel = "map",
                        .colormap = "coolwarm",
                        .symmetric = true,
                        .overlay_channel = "outline",
                        .arrow_channel = "flow",
                        .arrow = {"flow", "length/time"}}},
             {"other", "Other axes",
              FieldView{.x = {"k", "1/length"}, .y = {"l", "1/length"}, .value = {"g", ""}, .channel = "other"}},
             {"window", "Window of the plane",
              FieldView{.x = {"p", "length"}, .y = {"q", "length"}, .value = {"h", ""}, .channel = "window"}},
             {"bodies", "Bodies",
              PointView{.space = {"", "length"},
                        .value = {"value", ""},
                        .channel = "bodies",
                        .value_channel = "value",
                        .trail_channel = "trails"}},
             {"cut", "Cut",
              CurveView{.x = {"x", "length"}, .y = {"f", ""}, .traces = {{.channel = "cut", .title = "f(x, 0)"}}}}};
  d.tools = {{.key = "brush", .title = "Brush"},
             {.key = "launch", .title = "Launch", .gesture = Gesture::Launch},
             {.key = "probe", .title = "Probe", .gesture = Gesture::Place, .view = "other"}};
  d.navigate = navigate;
  d.window_parameters = {"middle_x", "middle_y", "magnification"};
  d.validate = validate;
  d.create = [](compute::DevicePtr device, const ParameterSet& set) -> std::unique_ptr<Simulation> {
    return std::make_unique<Sample>(sampleSimulation(), std::move(device), set);
  };
  return d;
}

}  // namespace

const Description& sampleSimulation() {
  static const Description only = describe();
  return only;
}

}  // namespace simscope::gui
