#include "sims/tunneling/exact.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "sims/tunneling/packets.h"
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
  if (q * w > 1e-8 && q2 > 0) {
    c = std::cos(q * w);
    s = std::sin(q * w) / q;
  } else if (q * w > 1e-8) {
    c = std::cosh(q * w);
    s = std::sinh(q * w) / q;
  }
  return {c + lean * s, s, -k2 * s, c - lean * s};
}

bool same(const Segment& a, const Segment& b) {
  return a.height == b.height && a.width == b.width && a.lean == b.lean;
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

constexpr std::size_t kIntervals = 16384;  // at most; a power of two
constexpr double kReach = 8.0;             // widths of the packet to either side

// The packet's momenta about its mean, and how much of each is in it. They follow from its width alone: what a thread
// has them of is kept, because the runs of a sweep mostly have one width.
struct Momenta {
  double width = kNaN;
  std::vector<double> offset, weight;
};

const Momenta& momentaOf(double width) {
  thread_local Momenta kept;
  if (kept.width == width) return kept;
  const double dk = 2.0 * kReach * width / kIntervals;
  kept = {width, {}, {}};
  kept.offset.reserve(kIntervals + 1);
  kept.weight.reserve(kIntervals + 1);
  for (std::size_t i = 0; i <= kIntervals; ++i) {
    const double offset = -kReach * width + static_cast<double>(i) * dk;
    kept.offset.push_back(offset);
    kept.weight.push_back(std::exp(-0.5 * offset * offset / (width * width)));
  }
  return kept;
}

// The mean of f(k - k₀) over the packet's momenta: sums at `intervals` places, and between them, until two that follow
// each other differ by less than `sure` of their value, or less than `enough`. These sums converge faster than any
// power of the distance once that is less than the sharpest peak of f is wide, and a peak that falls between two places
// is betrayed by its foot.
template <class F>
double meanOverMomenta(double width, std::size_t intervals, double sure, double enough, const F& f) {
  const Momenta& momenta = momentaOf(width);
  double sum = 0, weights = 0;
  const auto add = [&](std::size_t first, std::size_t stride) {
    for (std::size_t i = first; i <= kIntervals; i += stride) {
      sum += momenta.weight[i] * f(momenta.offset[i]);
      weights += momenta.weight[i];
    }
  };
  std::size_t stride = kIntervals / intervals;
  add(0, stride);
  for (double mean = sum / weights; stride > 1; stride /= 2) {
    add(stride / 2, stride);
    const double finer = sum / weights;
    const double difference = std::fabs(finer - mean);
    mean = finer;
    if (difference <= std::fmax(sure * std::fabs(finer), enough)) break;
  }
  return sum / weights;
}

// What a wave crosses, and V on either side; energies are counted from that on the left.
struct Landscape {
  std::vector<Segment> segments;
  double right_height = 0;
  bool scatters = true;
  double from = 0;  // where the first segment begins
};

Landscape landscapeOf(const Parameters& p, const TypedPotential* typed) {
  if (p.potential == Potential::Harmonic) return {{}, 0, false};
  if (p.potential == Potential::Step) return {{}, p.barrier_height};
  if (p.potential != Potential::Formula) return {segmentsOf(p), 0, true, edgesOf(p).left};
  if (!typed || !typed->flat) return {{}, 0, false};
  Landscape landscape{typed->segments, typed->right - typed->left, true, typed->segments_from};
  for (Segment& each : landscape.segments) each.height -= typed->left;
  return landscape;
}

// Every potential is crossed with the same probability either way.
double transmissionOf(const Landscape& landscape, double k, bool from_right) {
  const double energy = 0.5 * k * k + (from_right ? landscape.right_height : 0.0);
  return planeWaveTransmission(energy, landscape.segments, landscape.right_height);
}

using C = std::complex<double>;

// φ(k) of a packet of norm 1: √(1/2π) ∫ψ exp(-ikx) dx.
C momentumAmplitude(const Packet& packet, double center, double k) {
  const double width = packet.width, off = k - packet.momentum;
  const double magnitude = std::pow(2.0 * width * width / kPi, 0.25) * std::exp(-width * width * off * off);
  // Its phase at the centre is k₀ times the centre that was typed, which may be an image of the one in the domain.
  const double phase = packet.momentum * packet.center - k * center;
  return std::polar(magnitude, phase);
}

// Two packets may leave towards the same side at the same time: amplitudes are added, not probabilities. What leaves to
// the right with momentum k' is what crossed from the left, what was thrown back at the right, and what led away there
// from the start,
//   φ(k') = t exp(i(kx_L - k'x_R)) φ_L(k) k'/k + r exp(-2ik'x_R) φ_R(-k') + φ_R(k'),
// t and r from waves that arrive at the ends x_L and x_R of the segments.
double pairTransmission(const Parameters& p, const Landscape& landscape, const Edges& edges) {
  const Packets packets = packetsOf(p);
  double center[2], fastest = 0.0;
  bool at_right[2];
  for (int i = 0; i < 2; ++i) {
    const Packet& packet = packets.each[i];
    center[i] = std::remainder(packet.center, p.domain_length);
    if (edges.region(center[i]) == Edges::Inside) return kNaN;
    at_right[i] = edges.region(center[i]) == Edges::Right;
    fastest = std::max(fastest, std::fabs(packet.momentum) + 8.0 * packet.momentumWidth());
  }
  const auto amplitude = [&](bool right, double k) {
    C sum = 0.0;
    for (int i = 0; i < 2; ++i) {
      if (at_right[i] != right) continue;
      sum += C(packets.weight[i].re, packets.weight[i].im) * momentumAmplitude(packets.each[i], center[i], k);
    }
    return sum;
  };
  double end = landscape.from;
  for (const Segment& each : landscape.segments) end += each.width;
  const double most = std::sqrt(fastest * fastest + 2.0 * std::fmax(0.0, -landscape.right_height));
  // Packets that lie so far apart turn against each other by a quarter of a turn from one place to the next.
  const int intervals = static_cast<int>(std::fmax(4096.0, std::ceil(2.0 * most * p.domain_length / kPi)));
  constexpr double kNothing = 1e-12;
  double sum = 0.0;
  for (int i = 1; i <= intervals; ++i) {
    const double k_right = (i - 0.5) * most / intervals;
    const double energy = 0.5 * k_right * k_right + landscape.right_height;
    const C k = energy > 0.0 ? C(std::sqrt(2.0 * energy), 0.0) : C(0.0, std::sqrt(-2.0 * energy));
    const C left = energy > 0.0 ? amplitude(false, k.real()) : C(0.0);
    const C right = amplitude(true, -k_right), away = amplitude(true, k_right);
    if (std::norm(left) + std::norm(right) + std::norm(away) < kNothing) continue;
    TransferMatrix m;
    for (const Segment& each : landscape.segments) m = across(energy, each) * m;
    const C ik = C(0.0, 1.0) * k, ik_right(0.0, k_right);
    const C q = m.m11 - ik * m.m12, s = m.m21 - ik * m.m22, under = ik_right * q - s;
    const C crossing = 2.0 * ik / under, thrown_back = q * 2.0 * ik_right / under - 1.0;
    const C turned_left = std::exp(ik * landscape.from - ik_right * end),
            turned_right = std::exp(-2.0 * ik_right * end);
    C out = away;
    if (std::isfinite(std::norm(crossing)) && energy > 0.0) out += crossing * turned_left * left * (k_right / k);
    // Where cosh overflows, nothing crosses, and all comes back as from a wall.
    out += (std::isfinite(std::norm(thrown_back)) ? thrown_back : C(-1.0)) * turned_right * right;
    sum += std::norm(out);
  }
  return sum * most / intervals;
}

}  // namespace

double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height) {
  if (!(energy > 0.0) || !(energy > right_height)) return 0.0;
  TransferMatrix m, first;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool again = i > 0 && same(segments[i], segments[0]);
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
  if (p.second_packet) return pairTransmission(p, landscape, edges);
  const bool from_right = edges.region(center) == Edges::Right;

  const auto crosses = [&](double offset) {
    const double k = p.packet_momentum + offset;
    const bool approaching = from_right ? k < 0.0 : k > 0.0;
    const double crossing = approaching ? transmissionOf(landscape, std::fabs(k), from_right) : 0.0;
    return from_right ? 1.0 - crossing : crossing;
  };
  // Of a smooth potential a place costs a thousand pieces.
  return typed ? meanOverMomenta(momentumWidth(p), 256, 0, 1e-6, crosses)
               : meanOverMomenta(momentumWidth(p), 1024, 1e-11, 0, crosses);
}

}  // namespace simscope::tunneling
