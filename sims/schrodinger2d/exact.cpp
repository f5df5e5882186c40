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

double slitDensity(const Numbers& p, const Packet& start, double x, double y) {
  constexpr int kParts = 32;  // of an opening
  const double off = p.potential == Potential::DoubleSlit ? 0.5 * p.slit_separation : 0.0;
  const double k = start.momentum();
  Complex<double> sum{0, 0};
  for (const double middle : {-off, off}) {
    for (int i = 0; i < kParts; ++i) {
      const double from = middle + p.slit_width * ((i + 0.5) / kParts - 0.5);
      const double r = std::hypot(x, y - from);
      const double lit = (from - start.y) / (2.0 * start.width);
      const double magnitude = std::exp(-lit * lit) / (std::sqrt(r) * r);
      const double phase = k * r + start.ky * from;
      sum = sum + Complex<double>{magnitude * std::cos(phase), magnitude * std::sin(phase)};
    }
  }
  return x * x * norm2(sum);
}

}  // namespace simscope::schrodinger2d
