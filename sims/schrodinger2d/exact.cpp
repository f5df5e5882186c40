#include "sims/schrodinger2d/exact.h"

#include <algorithm>

namespace simscope::schrodinger2d {

GaussianLine gaussianLine(double x0, double k0, double sigma, double omega, double t, double length) {
  const double c = std::cos(omega * t), s = std::sin(omega * t);
  const double time = omega > 0.0 ? s / omega : t;  // sin(ωt)/ω
  const double rate = 0.5 / (sigma * sigma);
  // Q and P = dQ/dt
  const Complex<double> q{c, rate * time}, p{-omega * s, rate * c};
  const Complex<double> ratio = (0.5 / norm2(q)) * (p * conj(q));  // P/(2Q)
  // The phase of Q grows steadily: ωt up to less than half a turn.
  const double turn = std::atan2(q.im, q.re);
  const double phase_of_q = turn + 2.0 * kPi * std::round((omega * t - turn) / (2.0 * kPi));

  GaussianLine line;
  line.centre = x0 * c + k0 * time;
  line.momentum = k0 * c - omega * s * x0;
  const double action = omega > 0.0 ? 0.5 * (line.momentum * line.centre - k0 * x0) : 0.5 * k0 * k0 * t;
  line.phase = action + k0 * x0 - 0.5 * phase_of_q;
  line.bend = {-ratio.im, ratio.re};
  line.amplitude = std::pow(2.0 * kPi * sigma * sigma, -0.25) / std::pow(norm2(q), 0.25);
  line.length = length;
  return line;
}

GaussianPacket exactPacket(const Numbers& p, const Packet& start, double t) {
  const double omega = p.potential == Potential::Harmonic ? p.omega : 0.0;
  return {gaussianLine(start.x, start.kx, start.width, omega, t, p.domain_length),
          gaussianLine(start.y, start.ky, start.width, omega, t, p.domain_length)};
}

bool exactHolds(const Numbers& p, const Packet& start, double t, double open_half) {
  if (p.potential != Potential::None && p.potential != Potential::Drawn && p.potential != Potential::Harmonic) {
    return false;
  }
  constexpr double kTail = 5.0;
  const GaussianPacket now = exactPacket(p, start, t);
  const auto fits = [&](const GaussianLine& line) {
    return std::fabs(line.centre) + kTail * line.width() <= open_half;
  };
  return fits(now.x) && fits(now.y);
}

bool slitTheoryIsShort(const Numbers& p, const Packet& start) {
  // Over the openings, for all points of the screen; each radian takes up to five terms.
  constexpr double kMostPhase = 1 << 20;
  const double open = (p.potential == Potential::DoubleSlit ? 2.0 : 1.0) * p.slit_width;
  return open * (start.momentum() + std::fabs(start.ky)) * p.grid_points <= kMostPhase;
}

double slitDensity(const Numbers& p, const Packet& start, double x, double y) {
  const double k = start.momentum();
  const double phase_rate = k + std::fabs(start.ky);
  // Gauss's rule of eight points, halves of -1 to 1.
  constexpr double kAt[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr double kWeight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  const auto wave = [&](double from) {
    const double r = std::hypot(x, y - from);
    const double lit = (from - start.y) / (2.0 * start.width);
    const double magnitude = std::exp(-lit * lit) / (std::sqrt(r) * r);
    const double phase = k * r + start.ky * from;
    return Complex<double>{magnitude * std::cos(phase), magnitude * std::sin(phase)};
  };
  Complex<double> sum{0, 0};
  // Splits an interval until the phase turns by at most 6 in it, and it is as short as the light's width and as its
  // distance from the screen's point, where the integrand is singular for x = 0.
  const auto integrate = [&](const auto& self, double from, double to) -> void {
    const double length = to - from, middle = 0.5 * (from + to);
    const double gap = std::max(0.0, std::fabs(y - middle) - 0.5 * length);
    if (length * phase_rate > 6.0 || length > 2.0 * start.width || length > std::hypot(x, gap)) {
      self(self, from, middle);
      self(self, middle, to);
      return;
    }
    for (int i = 0; i < 4; ++i) {
      const double off = 0.5 * length * kAt[i];
      sum = sum + 0.5 * length * kWeight[i] * (wave(middle - off) + wave(middle + off));
    }
  };
  const double lit_half = 12.0 * start.width;  // beyond it the light is below 2e-16
  const auto open = [&](double from, double to) {
    from = std::max(from, start.y - lit_half);
    to = std::min(to, start.y + lit_half);
    if (from < to) integrate(integrate, from, to);
  };
  const double half = 0.5 * p.slit_width, off = p.potential == Potential::DoubleSlit ? 0.5 * p.slit_separation : 0.0;
  if (off < half) {
    open(-off - half, off + half);  // two that overlap are one
  } else {
    open(-off - half, -off + half);
    open(off - half, off + half);
  }
  return x * x * norm2(sum);
}

}  // namespace simscope::schrodinger2d
