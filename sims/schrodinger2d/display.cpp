#include "sims/schrodinger2d/display.h"

#include <cmath>

namespace simscope::schrodinger2d {

double brightestAmplitude(const Numbers& p, const Packet& start) {
  const bool whole = p.potential == Potential::None || p.potential == Potential::Harmonic;
  return (whole ? 1.0 : 0.6) * std::sqrt(start.peak());
}

double screenHigh(const Numbers& p, const Packet& start) {
  const double way = p.screen_x - start.x;
  double growth = 1.0;
  if (p.potential != Potential::Harmonic && way * start.kx > 0.0) {
    growth = std::hypot(1.0, way / start.kx / (2.0 * start.width * start.width));
  }
  return (hasSlits(p) ? 0.3 : 1.15) * start.peak() / (growth * growth);
}

double marginalHigh(const Numbers& p, const Packet& start) {
  double rise = 1.2;
  switch (p.potential) {
    case Potential::Barrier:
    case Potential::SingleSlit:
    case Potential::DoubleSlit:
    case Potential::Step:
      rise = 3.0;
      break;
    case Potential::Image:
    case Potential::Drawn:
    case Potential::Formula:
      rise = 2.0;
      break;
    default:
      break;
  }
  return rise / (start.width * std::sqrt(2.0 * kPi));
}

int momentaShown(const Grid& grid, double largest) {
  const double spacing = 2.0 * kPi / grid.length;
  int shown = 32;
  while (shown < grid.points && 0.5 * shown * spacing < 2.0 * largest) shown *= 2;
  return shown;
}

}  // namespace simscope::schrodinger2d
