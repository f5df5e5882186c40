#include "sims/tunneling/exact.h"

#include <cmath>
#include <limits>
#include <vector>

#include "sims/tunneling/physics.h"

namespace simscope::tunneling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Carries (ψ, ψ') across a segment; determinant 1.
struct TransferMatrix {
  double m11 = 1, m12 = 0, m21 = 0, m22 = 1;
};

TransferMatrix across(double energy, Segment segment) {
  const double q2 = 2.0 * (energy - segment.height);  // q², negative under the barrier
  const double w = segment.width;
  const double q = std::sqrt(std::fabs(q2));
  double c = 1.0, s = w;  // cos(qw) and sin(qw)/q, in the limit q → 0
  if (q * w > 1e-8 && q2 > 0) {
    c = std::cos(q * w);
    s = std::sin(q * w) / q;
  } else if (q * w > 1e-8) {
    c = std::cosh(q * w);
    s = std::sinh(q * w) / q;
  }
  return {c, s, -q2 * s, c};
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

constexpr int kIntervals = 16384;
constexpr double kReach = 8.0;  // widths of the packet to either side

// The packet's momenta about its mean, and how much of each is in it. They follow from its width alone: what a thread
// has them of is kept, because the runs of a sweep mostly have one width.
struct Momenta {
  double width = kNaN, sum = 0;
  std::vector<double> offset, weight;
};

const Momenta& momentaOf(double width) {
  thread_local Momenta kept;
  if (kept.width == width) return kept;
  const double dk = 2.0 * kReach * width / kIntervals;
  kept = {width, 0, {}, {}};
  kept.offset.reserve(kIntervals + 1);
  kept.weight.reserve(kIntervals + 1);
  for (int i = 0; i <= kIntervals; ++i) {
    const double offset = -kReach * width + i * dk;
    kept.offset.push_back(offset);
    kept.weight.push_back(std::exp(-0.5 * offset * offset / (width * width)));
    kept.sum += kept.weight.back();
  }
  return kept;
}

double transmissionOf(const Parameters& p, const std::vector<Segment>& segments, double k, bool from_right) {
  const double energy = 0.5 * k * k;
  if (p.potential != Potential::Step) return planeWaveTransmission(energy, segments);
  // A step is crossed with the same probability either way; coming from the right, E is counted from the lower side.
  return planeWaveTransmission(from_right ? energy + p.barrier_height : energy, {}, p.barrier_height);
}

}  // namespace

double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height) {
  if (!(energy > 0.0) || !(energy > right_height)) return 0.0;
  TransferMatrix m, first;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool again = i > 0 && segments[i].height == segments[0].height && segments[i].width == segments[0].width;
    const TransferMatrix own = again ? first : across(energy, segments[i]);
    if (i == 0) first = own;
    m = own * m;
  }
  const double k = std::sqrt(2.0 * energy);
  const double k_right = right_height == 0 ? k : std::sqrt(2.0 * (energy - right_height));
  // ψ = exp(ikx) + r exp(-ikx) at the left and t exp(ik'x) at the right; T = (k'/k)|t|² with the determinant 1.
  const double u = k * k_right * m.m12 - m.m21;
  const double v = k_right * m.m11 + k * m.m22;
  const double t = 4.0 * k * k_right / (u * u + v * v);
  return std::isfinite(t) ? t : 0.0;  // cosh overflows where the true value is below 1e-300
}

double planeWaveTransmission(const Parameters& p, double k, bool from_right) {
  if (p.potential == Potential::Harmonic) return kNaN;
  return transmissionOf(p, segmentsOf(p), k, from_right);
}

double packetTransmission(const Parameters& p) {
  if (p.potential == Potential::None) return 1.0;
  if (p.potential == Potential::Harmonic) return kNaN;
  const double center = std::remainder(p.packet_center, p.domain_length);
  const Edges edges = edgesOf(p);
  if (edges.region(center) == Edges::Inside) return kNaN;
  const bool from_right = edges.region(center) == Edges::Right;

  const Momenta& momenta = momentaOf(momentumWidth(p));
  const std::vector<Segment> segments = segmentsOf(p);
  double sum = 0.0;
  for (std::size_t i = 0; i < momenta.offset.size(); ++i) {
    const double k = p.packet_momentum + momenta.offset[i], weight = momenta.weight[i];
    const bool approaching = from_right ? k < 0.0 : k > 0.0;
    const double crossing = approaching ? transmissionOf(p, segments, std::fabs(k), from_right) : 0.0;
    sum += weight * (from_right ? 1.0 - crossing : crossing);
  }
  return sum / momenta.sum;
}

}  // namespace simscope::tunneling
