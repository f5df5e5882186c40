#include <algorithm>
#include <cmath>

#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/mandelbrot.h"

namespace simscope::mandelbrot {

int Parameters::height() const {
  switch (aspect) {
    case Aspect::Photo:
      return std::max(1, grid_points * 2 / 3);
    case Aspect::Square:
      return grid_points;
    case Aspect::Wide:
      break;
  }
  return std::max(1, grid_points * 9 / 16);
}

double Parameters::width() const {
  return 4 * std::pow(10.0, -zoom);
}

Arithmetic chosen(Arithmetic wanted, double spacing, int max_iterations) {
  if (wanted != Arithmetic::Auto) return wanted;
  if (spacing >= 0x1p-12 && max_iterations <= kFewIterations) return Arithmetic::Float32;
  return spacing >= 0x1p-40 ? Arithmetic::Float64 : Arithmetic::Perturbation;
}

bool showsOffsets(const Parameters& p) {
  return p.width() < 1e-4;
}

std::optional<ParameterSet> navigate(const ParameterSet& parameters, const Navigation& way) {
  if (way.view != "picture" && way.view != "count") return std::nullopt;
  constexpr double kFinest = 1e4;  // of the zoom: steps to a decade
  Parameters p = binding().read(parameters);
  const double before = p.width(), rows = before * p.height() / p.grid_points;
  const bool magnifies = way.factor > 0 && std::isfinite(way.factor) && way.factor != 1;
  if (magnifies) {
    const double wanted = std::round((p.zoom + std::log10(way.factor)) * kFinest) / kFinest;
    p.zoom = std::clamp(wanted, kLeastZoom, kMostZoom);
  }
  const double less = 1 - p.width() / before;
  // Ten thousandths of a pixel of the largest pictures.
  const int decimals = std::max(6, static_cast<int>(std::ceil(p.zoom)) + 9);
  const auto shifted = [&](const std::string& centre, double share, double drag, double extent) {
    const double offset = ((share - 0.5) * less - drag) * extent;
    if (offset == 0 || !std::isfinite(offset)) return centre;
    const std::string there = moved(centre, offset, decimals);
    return std::abs(toDouble(there)) <= 4 ? there : centre;
  };
  ParameterSet set = parameters;
  set.set("zoom", p.zoom);
  set.set("centre_x", shifted(p.centre_x, way.x, way.dx, before));
  set.set("centre_y", shifted(p.centre_y, way.y, way.dy, rows));
  return set;
}

}  // namespace simscope::mandelbrot
