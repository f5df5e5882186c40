#include "sims/tunneling/exact.h"

#include <cmath>
#include <limits>
#include <vector>

#include "sims/tunneling/physics.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Carries (ψ, ψ') across a segment; determinant 1.
struct TransferMatrix {
  double m11 = 1, m12 = 0, m21 = 0, m22 = 1;
};

TransferMatrix across(double energy, Segment segment) {
  const double w = segment.width, lean = segment.lean / w, k2 = 2.0 * (energy - segment.height);
  const double q2 = k2 - lean * lean;  // q², negative under the barrier
  const double q = std::sqrt(std::fabs(q2));
  double c = 1.0, s = w;  // cos(qw) and sin(qw)/q, in the limit q → 0
  if (q * w > 1e-8) {
    c = q2 > 0 ? std::cos(q * w) : std::cosh(q * w);
    s = (q2 > 0 ? std::sin(q * w) : std::sinh(q * w)) / q;
  }
  return {c + lean * s, s, -k2 * s, c - lean * s};
}

TransferMatrix operator*(const TransferMatrix& b, const TransferMatrix& a) {
  return {b.m11 * a.m11 + b.m12 * a.m21, b.m11 * a.m12 + b.m12 * a.m22, b.m21 * a.m11 + b.m22 * a.m21,
          b.m21 * a.m12 + b.m22 * a.m22};
}

std::vector<Segment> segmentsOf(const Parameters& p) {
  const Segment barrier{p.barrier_height, p.barrier_width};
  switch (p.potential) {
    case Potential::Barrier:
      return {barrier};
    case Potential::Well:
      return {{-p.barrier_height, p.barrier_width}};
    case Potential::DoubleBarrier:
      return {barrier, {0.0, p.barrier_gap}, barrier};
    default:
      return {};
  }
}

// What a wave crosses, and V on either side; energies are counted from that on the left.
struct Landscape {
  std::vector<Segment> segments;
  double right_height = 0;
  bool scatters = true;
};

Landscape landscapeOf(const Parameters& p, const TypedPotential* typed) {
  if (p.potential == Potential::Harmonic) return {{}, 0, false};
  if (p.potential == Potential::Step) return {{}, p.barrier_height};
  if (p.potential != Potential::Formula) return {segmentsOf(p)};
  if (!typed || !typed->flat) return {{}, 0, false};
  Landscape landscape{typed->segments, typed->right - typed->left};
  for (Segment& each : landscape.segments) each.height -= typed->left;
  return landscape;
}

// Every potential is crossed with the same probability either way.
double transmissionOf(const Landscape& landscape, double k, bool from_right) {
  const double energy = 0.5 * k * k + (from_right ? landscape.right_height : 0.0);
  return planeWaveTransmission(energy, landscape.segments, landscape.right_height);
}

}  // namespace

double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height) {
  if (!(energy > 0.0) || !(energy > right_height)) return 0.0;
  TransferMatrix m;
  for (const Segment& each : segments) m = across(energy, each) * m;
  const double k = std::sqrt(2.0 * energy);
  const double k_right = std::sqrt(2.0 * (energy - right_height));
  // ψ = exp(ikx) + r exp(-ikx) at the left and t exp(ik'x) at the right; T = (k'/k)|t|² with the determinant 1.
  const double u = k * k_right * m.m12 - m.m21;
  const double v = k_right * m.m11 + k * m.m22;
  const double t = 4.0 * k * k_right / (u * u + v * v);
  return std::isfinite(t) ? t : 0.0;  // cosh overflows where the true value is below 1e-300
}

double planeWaveTransmission(const Parameters& p, double k, bool from_right, const TypedPotential* typed) {
  const Landscape landscape = landscapeOf(p, typed);
  return landscape.scatters ? transmissionOf(landscape, k, from_right) : kNaN;
}

double packetTransmission(const Parameters& p, const TypedPotential* typed) {
  if (p.potential == Potential::None) return 1.0;
  const Landscape landscape = landscapeOf(p, typed);
  if (!landscape.scatters) return kNaN;
  const double center = std::remainder(p.packet_center, p.domain_length);
  const Edges edges = edgesOf(p, typed);
  if (edges.region(center) == Edges::Inside) return kNaN;
  const bool from_right = edges.region(center) == Edges::Right;

  constexpr double kReach = 8.0;
  const double width = momentumWidth(p);
  const auto average = [&](int intervals) {
    const double dk = 2.0 * kReach * width / intervals;
    double weights = 0.0, sum = 0.0;
    for (int i = 0; i <= intervals; ++i) {
      const double offset = -kReach * width + i * dk;
      const double k = p.packet_momentum + offset;
      const double weight = std::exp(-0.5 * offset * offset / (width * width));
      weights += weight;
      const bool approaching = from_right ? k < 0.0 : k > 0.0;
      const double crossing = approaching ? transmissionOf(landscape, std::fabs(k), from_right) : 0.0;
      sum += weight * (from_right ? 1.0 - crossing : crossing);
    }
    return sum / weights;
  };
  constexpr int kIntervals = 16384;
  if (!typed) return average(kIntervals);
  // Of a smooth potential a place costs a thousand pieces.
  constexpr double kSure = 1e-6;
  int intervals = 512;
  double coarse = average(intervals / 2), fine = average(intervals);
  while (!(std::fabs(fine - coarse) < kSure) && intervals < kIntervals / 2) {
    intervals *= 2;
    coarse = fine;
    fine = average(intervals);
  }
  return fine;
}

}  // namespace simscope::tunneling
