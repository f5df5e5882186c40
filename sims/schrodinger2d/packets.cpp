#include "sims/schrodinger2d/packets.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "sims/core/parameters.h"

namespace simscope::schrodinger2d {
namespace {

using C = std::complex<double>;
C standard(const Complex<double>& z) {
  return {z.re, z.im};
}

// ∫ conj(a) b dx times 1, x, x², and -½∂²/∂x² upon b.
struct LineOverlap {
  C one, x, xx, kinetic;
};

// Both are exponentials of quadratics: conj(a) b = exp(-αu² + βu + γ), u from a's centre on; of b the nearest image.
LineOverlap overlapOf(const GaussianLine& a, const GaussianLine& b) {
  const C i(0, 1), bend_a = std::conj(standard(a.bend)), bend_b = standard(b.bend);
  const double apart = std::remainder(b.centre - a.centre, a.length);
  const C alpha = -(bend_a + bend_b);
  const C beta = -2.0 * apart * bend_b + i * (b.momentum - a.momentum);
  const C gamma = apart * apart * bend_b + i * (b.phase - a.phase - b.momentum * apart);
  const C one = a.amplitude * b.amplitude * std::sqrt(kPi / alpha) * std::exp(beta * beta / (4.0 * alpha) + gamma);
  const C mean = beta / (2.0 * alpha), square = mean * mean + 1.0 / (2.0 * alpha);
  // b'' = ((2·bend·v + ip)² + 2·bend) b, v from b's centre on.
  const C v = mean - apart, vv = square - 2.0 * apart * mean + apart * apart, slope = 2.0 * bend_b;
  const C curved = slope * slope * vv + 2.0 * i * b.momentum * slope * v - b.momentum * b.momentum + slope;
  return {one, one * (a.centre + mean), one * (a.centre * a.centre + 2.0 * a.centre * mean + square),
          -0.5 * one * curved};
}

// ∫ conj(first) second over the grid, of two lines of packetLines().
C sumOf(const std::vector<Complex<double>>& first, const std::vector<Complex<double>>& second, std::size_t begin,
        std::size_t count, double dx) {
  C sum = 0;
  for (std::size_t i = begin; i < begin + count; ++i) sum += standard(conj(first[i]) * second[i]);
  return sum * dx;
}

template <class Term>
double largestOf(const Packets& packets, const Term& term) {
  double value = term(packets.each[0]);
  for (int i = 1; i < packets.count; ++i) value = std::max(value, term(packets.each[static_cast<std::size_t>(i)]));
  return value;
}

}  // namespace

double Packets::newest() const {
  return largestOf(*this, [](const LaunchedPacket& l) { return l.since; });
}
bool Packets::together() const {
  return newest() == each[0].since;
}
double Packets::fastest() const {
  return largestOf(*this,
                   [](const LaunchedPacket& l) { return std::max(l.start.momentum(), l.start.momentumWidth()); });
}
double Packets::momentumWidth() const {
  return largestOf(*this, [](const LaunchedPacket& l) { return l.start.momentumWidth(); });
}
double Packets::peak() const {
  if (count == 1) return norm2(each[0].weight) * first().peak();
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const LaunchedPacket& launched = each[static_cast<std::size_t>(i)];
    sum += std::sqrt(norm2(launched.weight) * launched.start.peak());
  }
  return sum * sum;
}
double Packets::momentumPeak() const {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const LaunchedPacket& launched = each[static_cast<std::size_t>(i)];
    const double spread = launched.start.momentumWidth();
    if (count == 1) return 1.0 / (2.0 * kPi * spread * spread);
    sum += std::sqrt(norm2(launched.weight) / (2.0 * kPi * spread * spread));
  }
  return sum * sum;
}

Packets onePacket(const Packet& packet, double since) {
  Packets packets;
  packets.each[0] = {packet, since};
  return packets;
}

Packets packetsOf(const Numbers& p, double since) {
  Packets packets = onePacket(packetOf(p, kFirstPacket), since);
  if (!p.second_packet) return packets;
  packets.count = 2;
  packets.each[1].start = packetOf(p, kSecondPacket);
  packets.each[1].since = since;
  packets.each[1].weight = {p.second_amplitude * std::cos(p.second_phase),
                            p.second_amplitude * std::sin(p.second_phase)};
  const Grid grid = gridOf(p);
  const auto n = static_cast<std::size_t>(grid.points);
  const auto first = packetLines(packets.each[0].start, grid), second = packetLines(packets.each[1].start, grid);
  const C overlap = sumOf(first, second, 0, n, grid.dx) * sumOf(first, second, n, n, grid.dx);
  const double a = p.second_amplitude;
  const double norm = 1.0 + a * a + 2.0 * std::real(standard(packets.each[1].weight) * overlap);
  constexpr double kNothing = 1e-9;
  if (!(norm > kNothing)) {
    throw ParameterError("second_phase",
                         "the second packet cancels the first, so ψ is zero; choose another phase or position");
  }
  const double scale = 1.0 / std::sqrt(norm);
  for (int i = 0; i < 2; ++i)
    packets.each[static_cast<std::size_t>(i)].weight = scale * packets.each[static_cast<std::size_t>(i)].weight;
  return packets;
}

std::vector<Complex<double>> packetLines(const Packet& packet, const Grid& grid) {
  const auto n = static_cast<std::size_t>(grid.points);
  std::vector<Complex<double>> lines(2 * n);
  const auto line = [&](std::size_t first, double at, double momentum) {
    // Relative to the sample nearest to the centre, so that a packet far narrower than dx does not underflow.
    const auto away = [&](std::size_t i) { return std::remainder(grid.x(static_cast<int>(i)) - at, grid.length); };
    double nearest = grid.length, sum = 0;
    for (std::size_t i = 0; i < n; ++i) nearest = std::min(nearest, std::fabs(away(i)));
    for (std::size_t i = 0; i < n; ++i) {
      const double d = away(i);
      const double envelope = std::exp((nearest * nearest - d * d) / (4.0 * packet.width * packet.width));
      const double phase = momentum * (at + d);
      lines[first + i] = {envelope * std::cos(phase), envelope * std::sin(phase)};
      sum += envelope * envelope;
    }
    for (std::size_t i = 0; i < n; ++i) lines[first + i] = (1.0 / std::sqrt(sum * grid.dx)) * lines[first + i];
  };
  line(0, packet.x, packet.kx);
  line(n, packet.y, packet.ky);
  return lines;
}

ExactWave exactWave(const Numbers& p, const Packets& packets, double time) {
  ExactWave wave;
  wave.count = packets.count;
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    wave.each[i] = exactPacket(p, launched.start, time - launched.since);
    wave.weight[i] = launched.weight;
  }
  return wave;
}

bool exactHolds(const Numbers& p, const Packets& packets, double time, double open_half) {
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    if (!exactHolds(p, launched.start, time - launched.since, open_half)) return false;
  }
  return true;
}

ExactMarginal marginalOf(const ExactWave& wave) {
  ExactMarginal marginal;
  marginal.count = wave.count;
  for (int i = 0; i < wave.count; ++i) {
    marginal.each[i] = wave.each[i].x;
    marginal.pair[i][i] = {norm2(wave.weight[i]), 0};
    for (int j = 0; j < i; ++j) {
      const C pair = standard(conj(wave.weight[i]) * wave.weight[j]) * overlapOf(wave.each[i].y, wave.each[j].y).one;
      marginal.pair[i][j] = {pair.real(), pair.imag()};
    }
  }
  return marginal;
}

Expectations expectationsOf(const ExactWave& wave) {
  if (wave.count == 1) {
    const GaussianPacket& only = wave.each[0];
    const double kinetic = std::real(overlapOf(only.x, only.x).kinetic + overlapOf(only.y, only.y).kinetic);
    return {only.x.centre, only.y.centre, only.x.width(), only.y.width(), kinetic};
  }
  double norm = 0, x = 0, y = 0, xx = 0, yy = 0, kinetic = 0;
  for (int i = 0; i < wave.count; ++i) {
    for (int j = 0; j <= i; ++j) {
      const C weight = (i == j ? 1.0 : 2.0) * standard(conj(wave.weight[i]) * wave.weight[j]);
      const LineOverlap along_x = overlapOf(wave.each[i].x, wave.each[j].x),
                        along_y = overlapOf(wave.each[i].y, wave.each[j].y);
      norm += std::real(weight * along_x.one * along_y.one);
      x += std::real(weight * along_x.x * along_y.one);
      y += std::real(weight * along_x.one * along_y.x);
      xx += std::real(weight * along_x.xx * along_y.one);
      yy += std::real(weight * along_x.one * along_y.xx);
      kinetic += std::real(weight * (along_x.kinetic * along_y.one + along_x.one * along_y.kinetic));
    }
  }
  const auto spread = [norm](double mean, double squares) {
    return std::sqrt(std::max(0.0, squares / norm - mean * mean));
  };
  x /= norm;
  y /= norm;
  return {x, y, spread(x, xx), spread(y, yy), kinetic / norm};
}

}  // namespace simscope::schrodinger2d
