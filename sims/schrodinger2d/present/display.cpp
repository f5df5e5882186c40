#include "sims/schrodinger2d/present/display.h"

#include <cmath>

namespace simscope::schrodinger2d {

double brightestAmplitude(const Numbers& p, const Packets& packets) {
  const bool whole = p.potential == Potential::None || p.potential == Potential::Harmonic;
  double sum = 0.0;
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    sum += norm2(launched.weight) * launched.start.peak();
  }
  return (whole ? 1.0 : 0.6) * std::sqrt(sum);
}

double screenHigh(const Numbers& p, const Packets& packets) {
  // Of amplitudes, that may meet there in phase.
  double sum = 0.0;
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    const Packet& start = launched.start;
    const double way = p.screen_x - start.x;
    double growth = 1.0;
    if (p.potential != Potential::Harmonic && way * start.kx > 0.0) {
      growth = std::hypot(1.0, way / start.kx / (2.0 * start.width * start.width));
    }
    sum += std::sqrt(norm2(launched.weight) * start.peak()) / growth;
  }
  return (hasSlits(p) ? 0.3 : 1.15) * sum * sum;
}

double marginalHigh(const Numbers& p, const Packets& packets) {
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
  double sum = 0.0;
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    sum += std::sqrt(norm2(launched.weight) / (launched.start.width * std::sqrt(2.0 * kPi)));
  }
  return rise * sum * sum;
}

int momentaShown(const Grid& grid, double largest) {
  const double spacing = 2.0 * kPi / grid.length;
  int shown = 32;
  while (shown < grid.points && 0.5 * shown * spacing < 2.0 * largest) shown *= 2;
  return shown;
}

}  // namespace simscope::schrodinger2d
