#include <cmath>
#include <numbers>

#include "sims/histograms/counting.h"

namespace simscope::histograms {
namespace {

Bins binsOf(double low, double high, int count) {
  return {static_cast<float>(low), static_cast<float>(count / (high - low)), count};
}

std::uint32_t chanceOf(double probability) {
  return static_cast<std::uint32_t>(std::llround(std::ldexp(std::clamp(probability, 0.0, 1.0), 31)));
}

}  // namespace

Selection selectionOf(const Parameters& p) {
  // π rounded up to single precision is an angle, too, and its bin the last one.
  constexpr double kUpToPi = std::numbers::pi * (1 + 2e-7);
  const double eta = p.etaAxis();
  return {{static_cast<float>(p.pt_min), static_cast<float>(p.lead_pt), static_cast<float>(p.eta_max)},
          binsOf(p.mass_low, p.mass_high, p.bins),
          binsOf(0, p.pt_high, place::kBins),
          binsOf(-eta, eta, place::kBins),
          binsOf(-kUpToPi, kUpToPi, place::kBins),
          binsOf(0, p.pt_high, place::kCells),
          binsOf(-eta, eta, place::kCells),
          binsOf(-kUpToPi, kUpToPi, place::kCells)};
}

Generator generatorOf(const Parameters& p, std::uint64_t seed, const float* higgs_table) {
  Generator g;
  g.seed = seed;
  const Window around = resonanceWindow(p.mass, p.width), wide = backgroundWindow(p.mass);
  const auto angle = [&](double m) { return std::atan((m * m - p.mass * p.mass) / (p.mass * p.width)); };
  g.pole = static_cast<float>(p.mass * p.mass);
  g.pole_width = static_cast<float>(p.mass * p.width);
  g.angle_low = static_cast<float>(angle(around.low));
  g.angle_span = static_cast<float>(angle(around.high) - angle(around.low));
  g.background_low = static_cast<float>(wide.low);
  g.background_scale = static_cast<float>(p.background_scale);
  g.background_span = static_cast<float>(-std::expm1(-(wide.high - wide.low) / p.background_scale));
  g.background = chanceOf(p.background_fraction);
  g.uncorrelated = p.background == Background::Uncorrelated;
  g.polarised = p.decay == Decay::Polarised;
  g.angles = p.angular_resolution > 0;
  g.found = chanceOf(p.efficiency);
  g.flipped = chanceOf(p.efficiency * p.charge_flip);
  g.extra = chanceOf(p.extra_leptons);
  g.boson_pt = static_cast<float>(p.boson_pt);
  g.rapidity = static_cast<float>(p.rapidity);
  g.soft_pt = static_cast<float>(p.background_scale);
  g.extra_pt = static_cast<float>(p.extra_pt);
  g.pt_resolution = static_cast<float>(p.pt_resolution);
  g.angular_resolution = static_cast<float>(p.angular_resolution);
  g.higgs_mass = static_cast<float>(p.higgs_mass);
  g.higgs.values = higgs_table;
  return g;
}

}  // namespace simscope::histograms
