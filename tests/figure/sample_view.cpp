#include "tests/figure/sample_view.h"

#include <cmath>
#include <complex>

namespace simscope::render {
namespace {

Description makeDescription() {
  Description d;
  d.id = "sample";
  d.title = "Tunneling wavepacket";
  d.summary = "A packet meets a barrier";
  d.equation = "iħ ∂ψ/∂t = −(ħ²/2m) ∂²ψ/∂x² + V(x) ψ";
  auto parameters = std::make_shared<std::vector<ParameterInfo>>();
  const auto real = [&](const char* key, const char* title, double initial) {
    ParameterInfo info;
    info.key = key;
    info.title = title;
    info.kind = Kind::Real;
    info.initial = initial;
    info.minimum = 0;
    info.maximum = 100;
    parameters->push_back(info);
  };
  real("barrier_height", "Barrier height V₀", 1.5);
  real("barrier_width", "Barrier width a", 10);
  real("packet_momentum", "Momentum k₀", 2);
  real("time_step", "Time step Δt", 0.05);
  d.parameters = parameters;
  d.presets.push_back({.key = "over_barrier", .title = "Over the barrier", .summary = "", .changes = {}});
  CurveView view;
  view.x = {"x", "length"};
  view.y = {"|ψ|²", "1/length"};
  view.right = {"V(x)", "energy"};
  view.traces = {
      {.channel = "density", .title = "|ψ|²", .unit = "", .style = TraceStyle::PhaseFilled, .phase_channel = "phase"},
      {.channel = "real", .title = "Re ψ", .unit = "", .style = TraceStyle::Line, .phase_channel = "", .shown = false},
      {.channel = "initial", .title = "|ψ|² at t = 0", .unit = "", .style = TraceStyle::Ghost, .phase_channel = ""},
      {.channel = "potential", .title = "V(x)", .unit = "", .style = TraceStyle::OwnAxis, .phase_channel = ""},
  };
  d.views = {{"curves", "Probability density and potential", view}};
  return d;
}

}  // namespace

const Description& sampleDescription() {
  static const Description description = makeDescription();
  return description;
}

Frame sampleFrame(const compute::DevicePtr& device, int samples, const SampleProfiles& profiles,
                  std::uint64_t sequence) {
  Frame frame;
  frame.device = device;
  frame.sequence = sequence;
  frame.time = 40;
  frame.steps = 800;
  frame.time_step = frame.time / 800;
  const auto add = [&](const char* key, const Profile& profile, double low, double high) {
    std::vector<float> values(static_cast<std::size_t>(samples));
    for (int i = 0; i < samples && profile; ++i) {
      const double x = kSampleLow + i * (kSampleHigh - kSampleLow) / samples;
      values[static_cast<std::size_t>(i)] = static_cast<float>(profile(x));
    }
    Channel& channel = frame.channel(key, samples);
    channel.data.upload(values);
    channel.x_min = kSampleLow;
    channel.x_max = kSampleHigh;
    channel.low = low;
    channel.high = high;
  };
  add("density", profiles.density, 0, profiles.highest_density);
  add("phase", profiles.phase, -3.1415926, 3.1415926);
  add("real", profiles.real, -profiles.highest_density, profiles.highest_density);
  add("initial", profiles.initial, 0, profiles.highest_density);
  add("potential", profiles.potential, 0, profiles.highest_potential);
  frame.ready = compute::Fence(*device);
  return frame;
}

SampleProfiles tunnellingProfiles() {
  using Complex = std::complex<double>;
  const auto packet = [](double x, double centre, double sigma, double k, double weight) {
    const double u = (x - centre) / (2 * sigma);
    return weight * std::exp(-u * u) * Complex(std::cos(k * x), std::sin(k * x));
  };
  const auto psi = [packet](double x) {
    const double norm = 0.2825;  // (2πσ²)^(−1/4) for σ = 5
    const Complex in = packet(x, -14, 6.5, 2.0, norm * 0.72), back = packet(x, -22, 6.5, -2.0, norm * 0.55);
    const Complex through = packet(x, 22, 7.5, 2.0, norm * 0.72);
    if (x < -5) return in + back;
    if (x > 5) return through;
    const double t = (x + 5) / 10, edge = std::abs(packet(5.0, 22, 7.5, 2.0, norm * 0.72));
    return (in + back) * (1 - t) + t * edge * Complex(std::cos(1.0 * x), std::sin(1.0 * x));
  };
  SampleProfiles p;
  p.density = [psi](double x) { return std::norm(psi(x)); };
  p.phase = [psi](double x) { return std::arg(psi(x)); };
  p.real = [psi](double x) { return psi(x).real() * 0.2; };
  p.initial = [packet](double x) { return std::norm(packet(x, -60, 5, 2, 0.2825)); };
  p.potential = [](double x) { return std::abs(x) < 5 ? 1.5 : 0.0; };
  p.highest_density = 0.105;
  p.highest_potential = 2.2;
  return p;
}

std::uint32_t pixelAt(std::span<const std::uint8_t> rgb, int width, int column, int row) {
  const std::size_t at =
      (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)) * 3;
  return static_cast<std::uint32_t>(rgb[at]) << 16 | static_cast<std::uint32_t>(rgb[at + 1]) << 8 | rgb[at + 2];
}

double columnAt(const PlotArea& plot, double x) {
  return plot.left + (x - plot.x.low) / (plot.x.high - plot.x.low) * plot.width;
}

double rowAt(const PlotArea& plot, double y) {
  return plot.top + (plot.y.high - y) / (plot.y.high - plot.y.low) * plot.height;
}

}  // namespace simscope::render
