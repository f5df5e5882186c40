#include "tests/figure/sample_field.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace simscope::render {
namespace {

FieldView field(const char* channel) {
  FieldView view;
  view.x = {"x", "length"};
  view.y = {"y", "length"};
  view.value = {"temperature", "K"};
  view.channel = channel;
  return view;
}

Description makeDescription() {
  Description d;
  d.id = "fields";
  d.title = "Heat equation";
  d.summary = "A sample";
  d.equation = "∂u/∂t = α ∇²u";
  auto parameters = std::make_shared<std::vector<ParameterInfo>>();
  ParameterInfo info;
  info.key = "diffusivity";
  info.title = "Diffusivity α";
  info.kind = Kind::Real;
  info.initial = 1.0;
  info.minimum = 0;
  info.maximum = 100;
  parameters->push_back(info);
  d.parameters = parameters;
  FieldView heat = field("heat");
  heat.overlay_channel = "walls";
  heat.arrow_channel = "flux";
  heat.arrow = {"heat flux", "K/length"};
  FieldView plate = heat;  // with walls in it that have no temperature
  plate.overlay_channel = {};
  plate.absent = "insulator";
  FieldView both_signs = field("signed");
  both_signs.symmetric = true;
  both_signs.colormap = "coolwarm";
  FieldView log = field("light_intensity");
  log.scale = FieldScale::Log;
  log.value = {"intensity", ""};
  log.colormap = "magma";
  FieldView gamma = log;
  gamma.scale = FieldScale::Gamma;
  FieldView wave = field("wave");
  wave.style = FieldStyle::Complex;
  wave.value = {"|ψ|", "1/length"};
  FieldView light = field("light");
  light.style = FieldStyle::Colour;
  CurveView row;
  row.traces = {{.channel = "row", .title = "u"}};
  row.x = {"x", "length"};
  row.y = {"temperature", "K"};
  d.views = {
      {"heat", "Temperature", heat},
      {"signed", "Deviation", both_signs},
      {"log", "Intensity", log},
      {"gamma", "Intensity", gamma},
      {"wave", "Wave function", wave},
      {"light", "Light on the screen", light},
      {"plate", "Plate", plate},
      {"row", "One row", row},
      {"two", "Temperature and its profile", LinkedView{{{"heat", 0, 0, 0.62, 1}, {"row", 0.62, 0, 0.38, 1}}}},
      {"three", "Two fields above a profile",
       LinkedView{{{"heat", 0, 0, 0.5, 0.6}, {"wave", 0.5, 0, 0.5, 0.6}, {"row", 0, 0.6, 1, 0.4}}}},
      {"four", "Four views",
       LinkedView{{{"signed", 0, 0, 0.5, 0.5},
                   {"light", 0.5, 0, 0.5, 0.5},
                   {"row", 0, 0.5, 0.5, 0.5},
                   {"wave", 0.5, 0.5, 0.5, 0.5}}}},
  };
  return d;
}

}  // namespace

View& viewIn(Description& description, const std::string& key) {
  return description.views.at(static_cast<std::size_t>(&description.view(key) - description.views.data()));
}

const Description& fieldDescription() {
  static const Description description = makeDescription();
  return description;
}

void addField(Frame& frame, const compute::DevicePtr& device, const char* key, const SampleGrid& grid, int components,
              const CellValues& values, double low, double high) {
  frame.device = device;
  std::vector<float> all;
  for (int row = 0; row < grid.height; ++row) {
    for (int column = 0; column < grid.width; ++column) {
      std::vector<float> cell = values(column, row);
      cell.resize(static_cast<std::size_t>(components));
      all.insert(all.end(), cell.begin(), cell.end());
    }
  }
  Channel& channel = frame.channel(key, grid.width, grid.height, components);
  channel.data.upload(all);
  channel.x_min = grid.x_low;
  channel.x_max = grid.x_high;
  channel.y_min = grid.y_low;
  channel.y_max = grid.y_high;
  channel.low = low;
  channel.high = high;
  frame.ready = compute::Fence(*device);
}

Frame sampleFields(const compute::DevicePtr& device, const SampleGrid& grid, std::uint64_t sequence) {
  Frame frame;
  frame.device = device;
  frame.sequence = sequence;
  frame.time = 0.25;
  frame.steps = 100;
  frame.time_step = frame.time / 100;
  // Positions from −1 to 1 each way.
  const auto at = [&grid](int column, int row) {
    return std::pair{2 * (column + 0.5) / grid.width - 1, 2 * (row + 0.5) / grid.height - 1};
  };
  const auto blob = [](double x, double y, double cx, double cy, double size) {
    return std::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (size * size));
  };
  const auto heat = [=](int column, int row) {
    const auto [x, y] = at(column, row);
    return blob(x, y, -0.35, 0.3, 0.35) + 0.75 * blob(x, y, 0.4, -0.3, 0.45) + 0.5 * blob(x, y, 0.5, 0.6, 0.2);
  };
  // Down the slope of the heat.
  const auto flux = [=](int column, int row) {
    const auto [x, y] = at(column, row);
    const auto slope = [px = x, py = y](double cx, double cy, double size, double weight) {
      const double u = px - cx, v = py - cy;
      const double k = 2 * weight / (size * size) * std::exp(-(u * u + v * v) / (size * size));
      return std::complex<double>(k * u, k * v);
    };
    return slope(-0.35, 0.3, 0.35, 1) + slope(0.4, -0.3, 0.45, 0.75) + slope(0.5, 0.6, 0.2, 0.5);
  };
  const auto wall = [=](int column, int row) {
    const auto [x, y] = at(column, row);
    return std::abs(x) < 0.04 && std::abs(y) > 0.25;
  };
  const auto wave = [=](int column, int row) {
    const auto [x, y] = at(column, row);
    const std::complex<double> z(x, y);
    return 2.2 * z * std::exp(-2.5 * std::norm(z)) * std::polar(1.0, 6 * x);
  };
  addField(frame, device, "heat", grid, 1, [&](int c, int r) { return std::vector{static_cast<float>(heat(c, r))}; });
  addField(
      frame, device, "flux", grid, 2,
      [&](int c, int r) {
        const auto q = flux(c, r);
        return std::vector{static_cast<float>(q.real()), static_cast<float>(q.imag())};
      },
      0, 2.5);
  addField(frame, device, "walls", grid, 1, [&](int c, int r) { return std::vector{wall(c, r) ? 1.0f : 0.0f}; });
  addField(
      frame, device, "signed", grid, 1,
      [&](int c, int r) { return std::vector{static_cast<float>(heat(c, r) - heat(r % grid.width, c % grid.height))}; },
      -0.5, 0.8);
  addField(
      frame, device, "light_intensity", grid, 1,
      [&](int c, int r) {
        const auto [x, y] = at(c, r);
        const auto slit = [](double u) { return u == 0 ? 1.0 : std::sin(u) / u; };
        return std::vector{static_cast<float>(std::pow(slit(18 * x) * slit(11 * y), 2))};
      },
      1e-5, 1);
  addField(frame, device, "wave", grid, 2, [&](int c, int r) {
    const auto z = wave(c, r);
    return std::vector{static_cast<float>(z.real()), static_cast<float>(z.imag())};
  });
  addField(frame, device, "light", grid, 3, [&](int c, int r) {
    const auto [x, y] = at(c, r);
    const auto ring = [px = x, py = y](double size) {
      return static_cast<float>(std::pow(std::cos(6 * std::hypot(px, py) / size), 2));
    };
    return std::vector{ring(1.2), ring(1), ring(0.8)};
  });
  SampleGrid line = grid;
  line.height = 1;
  addField(frame, device, "row", line, 1,
           [&](int c, int) { return std::vector{static_cast<float>(heat(c, grid.height / 2))}; });
  return frame;
}

}  // namespace simscope::render
