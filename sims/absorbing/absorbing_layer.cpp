#include "sims/absorbing/absorbing_layer.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <initializer_list>

namespace simscope::absorbing {

Missed missedBy(const Layer& layer, double k) {
  using C = std::complex<double>;
  if (!(k > 0.0)) return {};
  // Slices of constant W, short against the wave. In a layer of this many radians nothing is reflected, and slow
  // changes need no finer slices.
  constexpr double kLong = 400.0;
  const double turns = std::fmin(k * layer.width, kLong);
  const int slices = std::max(64, static_cast<int>(std::ceil(2.0 * turns)));
  const double dx = layer.width / slices;
  if (k * layer.width > kLong) {
    double sum = 0.0;
    for (int i = 0; i < slices; ++i) sum += layer.rateAt((i + 0.5) * dx);
    return {0.0, std::exp(-2.0 * sum * dx / k)};
  }
  // From the wave that leaves the second layer back to the first one: ψ'' = -(k² + 2iW)ψ.
  C psi = 1.0, slope(0.0, k);
  double size = 1.0, flux_at_edge = 0.0;  // of the density, by which ψ was divided
  for (int i = 0; i < 2 * slices; ++i) {
    const double depth = i < slices ? (i + 0.5) * dx : (2 * slices - i - 0.5) * dx;
    const C q = std::sqrt(C(k * k, 2.0 * layer.rateAt(depth))), turn = q * dx;
    const C c = std::cos(turn), s = std::sin(turn);
    const C before = psi;
    psi = c * before - s / q * slope;
    slope = q * s * before + c * slope;
    if (i + 1 == slices) flux_at_edge = std::imag(std::conj(psi) * slope);
    // Over many slices ψ would overflow.
    const double shrink = 1.0 / std::sqrt(std::norm(psi) + std::norm(slope) / (k * k));
    psi *= shrink;
    slope *= shrink;
    if (i + 1 == slices) {
      flux_at_edge *= shrink * shrink;
      size = 1.0;
    }
    if (i + 1 > slices) size *= shrink * shrink;
  }
  const C along = 0.5 * (psi + slope / C(0.0, k)), back = 0.5 * (psi - slope / C(0.0, k));
  return {std::norm(back) / std::norm(along), flux_at_edge * size / (k * std::norm(along))};
}

std::vector<Wave> wavesOf(double mean, double deviation) {
  std::vector<Wave> waves;
  double sum = 0.0;
  for (const double off : {-2.8, -2.0, -1.2, -0.4, 0.4, 1.2, 2.0, 2.8}) {
    waves.push_back({mean + off * deviation, std::exp(-0.5 * off * off)});
    sum += waves.back().share;
  }
  for (Wave& wave : waves) wave.share /= sum;
  return waves;
}

double missedBy(const Layer& layer, std::span<const Wave> waves) {
  double missed = 0.0;
  for (const Wave& wave : waves) {
    if (wave.share > 0.0) missed += wave.share * missedBy(layer, std::fabs(wave.k)).sum();
  }
  return missed;
}

}  // namespace simscope::absorbing
