// What the mouse does to the field.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sims/compute/loops/whole.h"
#include "sims/core/region.h"
#include "sims/heat/heat.h"
#include "sims/heat/materials.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {

bool Heat::stroke(const Brush& brush) {
  struct Tool {
    const char* key;
    Paint paint;
  };
  static constexpr Tool kTools[] = {
      {"heat", Paint::Heat},           {"cold", Paint::Cold},     {"insulator", Paint::Insulator},
      {"conductor", Paint::Conductor}, {"source", Paint::Source}, {"eraser", Paint::Erase},
  };
  if (brush.tool == "thermometer") {
    // Pressing sets the next one down; dragging carries it along.
    const bool pressed = brush.dx == 0 && brush.dy == 0;
    if (pressed) last_thermometer_ = (last_thermometer_ + 1) % kThermometers;
    placeThermometer(last_thermometer_, brush.x, brush.y);
    return true;
  }
  for (const Tool& tool : kTools) {
    if (brush.tool != tool.key) continue;
    if (tool.paint == Paint::Erase && material_.empty()) return false;
    if (brush.shape == BrushShape::Region) {
      paintRegion(brush, tool.paint);
    } else {
      paintAlong(brush, tool.paint);
    }
    return true;
  }
  return false;
}

void Heat::placeThermometer(int which, double x, double y) {
  const double last = p_.grid_points - 1;
  const auto cell = [&](double at) { return std::clamp(std::round(at / p_.spacing + last / 2), 0.0, last); };
  thermometer_x_[which] = cell(x);
  thermometer_y_[which] = cell(y);
}

void Heat::takeThermometersAway() {
  last_thermometer_ = kThermometers - 1;
  std::fill_n(thermometer_x_, kThermometers, kNotPlaced);
  std::fill_n(thermometer_y_, kThermometers, kNotPlaced);
}

// The one set down last, then the columns and the rows of all.
std::vector<double> Heat::observers() const {
  std::vector<double> placed{static_cast<double>(last_thermometer_)};
  placed.insert(placed.end(), thermometer_x_, thermometer_x_ + kThermometers);
  placed.insert(placed.end(), thermometer_y_, thermometer_y_ + kThermometers);
  return placed;
}

void Heat::setObservers(std::span<const double> placed) {
  if (placed.size() != 1 + 2 * kThermometers) return takeThermometersAway();
  last_thermometer_ = static_cast<int>(placed[0]);
  std::copy_n(placed.begin() + 1, kThermometers, thermometer_x_);
  std::copy_n(placed.begin() + 1 + kThermometers, kThermometers, thermometer_y_);
}

void Heat::paintMaterial() {
  const double edge = p_.length();
  for (const MaterialDab& each : materialDabs(p_.material, seed_)) {
    Brush brush;
    brush.x = each.x1 * edge;
    brush.y = each.y1 * edge;
    brush.dx = (each.x1 - each.x0) * edge;
    brush.dy = (each.y1 - each.y0) * edge;
    brush.radius = each.radius * edge;
    brush.strength = each.temperature;
    paintAlong(brush, each.paint);
  }
}

void Heat::paintAlong(const Brush& brush, Paint tool) {
  paintShape(brush.cells(p_.spacing, 0.5 * (p_.grid_points - 1)), tool, brush.strength);
}

// The cells around the brush that are made of the same as the one under it.
void Heat::paintRegion(const Brush& brush, Paint tool) {
  const auto count = static_cast<std::size_t>(p_.grid_points) * static_cast<std::size_t>(p_.grid_points);
  std::vector<std::uint8_t> kinds(count);
  if (!material_.empty()) {
    // A region may wind through all of the field: every rank looks at all of it, a byte a cell.
    const std::vector<float> material = material_.toHost();
    const auto own = material.begin() + static_cast<std::ptrdiff_t>(slab_.at(0, slab_.first));
    const auto n = static_cast<std::ptrdiff_t>(slab_.n);
    const auto kindOf = [](float m) { return static_cast<std::uint8_t>(m < 0 ? 0 : m == 0 ? 1 : m > 1 ? 2 : 3); };
    std::transform(own, own + slab_.count * n, kinds.begin() + slab_.first * n, kindOf);
    compute::shareRows(*device_, compute::cutsOf(*device_, slab_.n, 0, slab_.n), kinds.data(),
                       static_cast<std::size_t>(slab_.n));
  }
  const auto cell = [&](double at) {
    return compute::wholeWithin(std::floor(at / p_.spacing + 0.5 * p_.grid_points), -1, p_.grid_points);
  };
  for (const CellBlock& block : regionAround(p_.grid_points, p_.grid_points, kinds, cell(brush.x), cell(brush.y))) {
    paintShape(
        {block.left - 0.5, block.top - 0.5, block.right - 0.5, block.bottom - 0.5, 0, compute::Outline::Rectangle},
        tool, brush.strength);
  }
}

void Heat::paintShape(const compute::Capsule& cells, Paint tool, double strength) {
  const bool for_material = tool != Paint::Heat && tool != Paint::Cold;
  if (for_material && material_.empty()) {
    material_ = compute::Buffer<float>(device_, u_.size());
    fillConstant(*device_, material_.data(), slab_, kPlain);
  }
  const Dab stroke{cells, tool, static_cast<float>(p_.spot_temperature * strength)};
  const PaintEffect effect =
      paint(*device_, u_.data(), material_.empty() ? nullptr : material_.data(), slab_, p_.boundary, stroke);
  material_halo_ = false;
  thin_.reset();
  if (effect.cells > 0) untouched_ = false;
  heat_reference_ += effect.heat;
  material_count_.held += effect.material.held;
  material_count_.insulators += effect.material.insulators;
  material_count_.conductors += effect.material.conductors;
  if (!material_.empty() && !hasMaterial()) material_ = {};  // back on the fast path
}

}  // namespace simscope::heat
