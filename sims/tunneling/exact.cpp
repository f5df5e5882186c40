#include "sims/tunneling/exact.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sims/tunneling/packets.h"
#include "sims/tunneling/physics.h"
#include "sims/tunneling/resonant_integral.h"
#include "sims/tunneling/typed_potential.h"

namespace simscope::tunneling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnfinished = 2.0;
constexpr double kMostCrossings = 3e7;  // of segments: half a second

// Carries (ψ, ψ') across a segment: exp(scale) times these values, which do not overflow; determinant 1.
struct TransferMatrix {
  double m11 = 1, m12 = 0, m21 = 0, m22 = 1;
  double scale = 0;
};

TransferMatrix across(double energy, Segment segment) {
  const double w = segment.width, lean = segment.lean == 0 ? 0.0 : segment.lean / w,
               k2 = 2.0 * (energy - segment.height);
  const double q2 = k2 - lean * lean;  // q², negative under the barrier
  const double q = std::sqrt(std::fabs(q2));
  double c = 1.0, s = w, scale = 0.0;  // cos(qw) and sin(qw)/q, in the limit q → 0
  if (q * w > 1e-8 && q2 > 0) {
    c = std::cos(q * w);
    s = std::sin(q * w) / q;
  } else if (q * w > 1e-8) {
    scale = q * w;
    const double less = -std::expm1(-2.0 * scale);
    c = 1.0 - 0.5 * less;
    s = 0.5 * less / q;
  }
  return {c + lean * s, s, -k2 * s, c - lean * s, scale};
}

bool same(const Segment& a, const Segment& b) {
  return a.height == b.height && a.width == b.width && a.lean == b.lean;
}

TransferMatrix operator*(const TransferMatrix& b, const TransferMatrix& a) {
  return {b.m11 * a.m11 + b.m12 * a.m21, b.m11 * a.m12 + b.m12 * a.m22, b.m21 * a.m11 + b.m22 * a.m21,
          b.m21 * a.m12 + b.m22 * a.m22, a.scale + b.scale};
}

TransferMatrix across(double energy, std::span<const Segment> segments) {
  TransferMatrix m, first;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool again = i > 0 && same(segments[i], segments[0]);
    const TransferMatrix own = again ? first : across(energy, segments[i]);
    if (i == 0) first = own;
    m = own * m;
  }
  return m;
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

constexpr double kReach = 8.0;  // widths of a packet's momenta to either side

// Wave numbers at one energy. All are analytic in a parameter s: the smaller of the two wave numbers, whose square root
// would have a kink where the other side's begins; or, where the wave dies away at the left, the angle of k' and |k|.
struct Waves {
  double energy;
  C left;                          // k, or i|k|
  double right;                    // k'
  double left_slope, right_slope;  // dk/ds, dk'/ds
};
class Waved {
 public:
  explicit Waved(double right_height) : height_(right_height), least_(std::sqrt(2.0 * std::fabs(right_height))) {}

  Waves at(double s) const {
    const double larger = height_ == 0.0 ? s : std::hypot(s, least_), slope = height_ == 0.0 ? 1.0 : s / larger;
    if (height_ > 0.0) return {0.5 * larger * larger, larger, s, slope, 1.0};
    return {0.5 * s * s, s, larger, 1.0, slope};
  }
  // Where the energy is under V at the left: s from 0 to π/2.
  Waves underLeft(double s) const {
    const double c = least_ * std::cos(s), r = least_ * std::sin(s);
    return {-0.5 * c * c, C(0.0, c), r, 0.0, c};
  }
  double least() const { return least_; }
  // s of a wave number on one side; 0 for what cannot be on the other.
  double ofLeft(double k) const { return height_ > 0.0 ? smaller(k) : std::fmax(k, 0.0); }
  double ofRight(double k) const { return height_ < 0.0 ? smaller(k) : std::fmax(k, 0.0); }

 private:
  double smaller(double k) const { return k > least_ ? std::sqrt(k * k - least_ * least_) : 0.0; }

  double height_, least_;
};

Crossed crossedBy(const Landscape& landscape, const Waves& waves) {
  const TransferMatrix m = across(waves.energy, landscape.segments);
  const C ik = C(0.0, 1.0) * waves.left, back = m.m11 - ik * m.m12;
  return {C(0.0, waves.right) * back - (m.m21 - ik * m.m22), back, m.scale};
}

// What the landscape says of the integral; its functions are the caller's.
ResonantIntegrand integrandFor(const Landscape& landscape, double to, double smooth) {
  double width = 0.0, steepest = to;
  for (const Segment& each : landscape.segments) {
    width += each.width;
    steepest = std::fmax(steepest, std::sqrt(2.0 * std::fabs(each.height)));
  }
  constexpr double kAtWorst = 4.0;  // panels that are divided
  const auto segments = static_cast<double>(std::max<std::size_t>(1, landscape.segments.size()));
  ResonantIntegrand f;
  f.panel = width > 0.0 ? 4.0 / width : std::fmax(to, 1e-3);
  f.smooth = smooth;
  f.noise = 1e-15 * width * steepest;
  f.most = static_cast<std::int64_t>(kAtWorst * kMostCrossings / segments);
  return f;
}
// How many times too many segments the integral would cross; at most 1 where it does not take too long.
double excessOf(const Landscape& landscape, const ResonantIntegrand& f, double from, double to) {
  constexpr double kReadPerPanel = 17.0;
  const auto segments = static_cast<double>(landscape.segments.size());
  return (std::fmax(0.0, to - from) / f.panel + 1.0) * kReadPerPanel * segments / kMostCrossings;
}

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
PacketTransmission pairTransmission(const Parameters& p, const Landscape& landscape, const Edges& edges) {
  const Packets packets = packetsOf(p);
  const Waved waved(landscape.right_height);
  double center[2], from = std::numeric_limits<double>::infinity(), to = 0.0, spread = 0.0;
  bool under_left = false;  // whether some wave at the right cannot cross
  bool at_right[2];
  for (int i = 0; i < 2; ++i) {
    const Packet& packet = packets.each[i];
    center[i] = std::remainder(packet.center, p.domain_length);
    if (edges.region(center[i]) == Edges::Inside) return {};
    at_right[i] = edges.region(center[i]) == Edges::Right;
    const double k = std::fabs(packet.momentum), reach = kReach * packet.momentumWidth();
    from = std::fmin(from, at_right[i] ? waved.ofRight(k - reach) : waved.ofLeft(k - reach));
    to = std::fmax(to, at_right[i] ? waved.ofRight(k + reach) : waved.ofLeft(k + reach));
    under_left = under_left || (at_right[i] && landscape.right_height < 0.0 && k - reach < waved.least());
    spread = std::fmax(spread, packet.width);
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
  const auto leaving = [&](const Waves& waves, const Crossed& crossed) {
    const C i(0.0, 1.0), k = waves.left;
    const double k_right = waves.right;
    C out = amplitude(true, k_right);
    if (waves.energy > 0.0) {
      const C crossing = 2.0 * i * k / crossed.under * std::exp(-crossed.scale);
      out += crossing * std::exp(i * (k * landscape.from - k_right * end)) * amplitude(false, k.real()) * (k_right / k);
    }
    const C thrown_back = crossed.back * 2.0 * i * k_right / crossed.under - 1.0;
    out += thrown_back * std::exp(-2.0 * i * k_right * end) * amplitude(true, -k_right);
    return std::norm(out) * waves.right_slope;
  };
  // The phases of packets that lie apart differ by as much as a momentum times the domain's length.
  ResonantIntegrand f = integrandFor(landscape, to, std::fmin(0.5 / spread, 6.0 / p.domain_length));
  f.crossed = [&](double s) { return crossedBy(landscape, waved.at(s)); };
  f.value = [&](double s, const Crossed& crossed) { return leaving(waved.at(s), crossed); };
  const double excess = excessOf(landscape, f, from, to);
  if (excess > 1.0) return {kNaN, excess};
  ResonantIntegral sum = integrate(f, from, to);
  if (under_left) {
    f.panel /= waved.least();
    f.smooth /= waved.least();
    f.crossed = [&](double s) { return crossedBy(landscape, waved.underLeft(s)); };
    f.value = [&](double s, const Crossed& crossed) { return leaving(waved.underLeft(s), crossed); };
    const ResonantIntegral under = integrate(f, 0.0, 0.5 * kPi);
    sum = {sum.value + under.value, sum.whole && under.whole};
  }
  return {sum.whole ? sum.value : kNaN, sum.whole ? excess : kUnfinished};
}

}  // namespace

double planeWaveTransmission(double energy, std::span<const Segment> segments, double right_height) {
  if (!(energy > 0.0) || !(energy > right_height)) return 0.0;
  const TransferMatrix m = across(energy, segments);
  const double k = std::sqrt(2.0 * energy);
  const double k_right = right_height == 0 ? k : std::sqrt(2.0 * (energy - right_height));
  // ψ = exp(ikx) + r exp(-ikx) at the left and t exp(ik'x) at the right; T = (k'/k)|t|² with the determinant 1.
  const double u = k * k_right * m.m12 - m.m21;
  const double v = k_right * m.m11 + k * m.m22;
  return 4.0 * k * k_right / (u * u + v * v) * std::exp(-2.0 * m.scale);
}

double planeWaveTransmission(const Parameters& p, double k, bool from_right, const TypedPotential* typed) {
  const Landscape landscape = landscapeOf(p, typed);
  return landscape.scatters ? transmissionOf(landscape, k, from_right) : kNaN;
}

PacketTransmission transmissionOf(const Parameters& p, const TypedPotential* typed) {
  if (p.potential == Potential::None) return {1.0};
  const Landscape landscape = landscapeOf(p, typed);
  if (!landscape.scatters) return {};
  const double center = std::remainder(p.packet_center, p.domain_length);
  const Edges edges = edgesOf(p, typed);
  if (edges.region(center) == Edges::Inside) return {};
  if (p.second_packet) return pairTransmission(p, landscape, edges);
  const bool from_right = edges.region(center) == Edges::Right;
  const double towards = from_right ? -p.packet_momentum : p.packet_momentum, width = momentumWidth(p);
  const Waved waved(landscape.right_height);
  const auto placeOf = [&](double k) { return from_right ? waved.ofRight(k) : waved.ofLeft(k); };
  ResonantIntegrand f = integrandFor(landscape, placeOf(towards + kReach * width), width);
  f.crossed = [&](double s) {
    Crossed crossed = crossedBy(landscape, waved.at(s));
    crossed.back = 0.0;  // not needed
    return crossed;
  };
  f.value = [&](double s, const Crossed& crossed) {
    const Waves waves = waved.at(s);
    const double k = waves.left.real(), off = ((from_right ? waves.right : k) - towards) / width;
    const double crossing = 4.0 * k * waves.right / std::norm(crossed.under) * std::exp(-2.0 * crossed.scale);
    const double weight = std::exp(-0.5 * off * off) / (width * std::sqrt(2.0 * kPi));
    return weight * std::fmin(crossing, 1.0) * (from_right ? waves.right_slope : waves.left_slope);
  };
  const double from = placeOf(towards - kReach * width), to = placeOf(towards + kReach * width);
  const double excess = excessOf(landscape, f, from, to);
  if (excess > 1.0) return {kNaN, excess};
  const ResonantIntegral crosses = integrate(f, from, to);
  if (!crosses.whole) return {kNaN, kUnfinished};
  return {from_right ? 1.0 - crosses.value : crosses.value, excess};
}

}  // namespace simscope::tunneling
