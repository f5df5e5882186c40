// The table of the state, what follows from it, and what the mouse does to it.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "sims/compute/loops/whole.h"
#include "sims/core/archive.h"
#include "sims/core/region.h"
#include "sims/core/slab_archive.h"
#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
void Diffraction::visit(Archive& archive) {
  visitPattern(archive);
  const auto n = static_cast<std::size_t>(p_.grid_points);
  slabBuffer<float>(archive, "drawn", "changes by the mouse in each cell: how much of the cell, and whether open",
                    {n, n, 2}, drawn_, slab_, device_, kYesOrNo, WhenMissing::Empty);
  const StateRange cells{0, static_cast<double>(p_.grid_points)};
  archive.number("probe_x", probe_.x);
  archive.number("probe_y", probe_.y);
  archive.number("probed", probe_.placed);
  // Within which the mouse has opened the aperture.
  archive.number("drawn_x_first", drawn_box_.x_first, cells);
  archive.number("drawn_x_last", drawn_box_.x_last, cells);
  archive.number("drawn_y_first", drawn_box_.y_first, cells);
  archive.number("drawn_y_last", drawn_box_.y_last, cells);
}

void Diffraction::visitPattern(Archive& archive) {
  constexpr const char *kName = "pattern",
                       *kWhat = "intensity on the screen, row by row; 1 is the unobstructed or the central intensity";
  const auto n = static_cast<std::size_t>(p_.grid_points);
  // Copies that a rank keeps of its part, as it is.
  if (device_->ranks() && archive.onDevice()) return archive.buffer(kName, kWhat, {n, n}, pattern_, device_, {0});
  archive.rows<float>(
      kName, kWhat, {n, n}, rowsOf(slab_),
      [this](bool all) {
        std::vector<std::byte> pattern = compute::fieldBytes(pattern_, slab_, all);
        if (const auto one = static_cast<float>(unit()); one > 0 && one != 1) {
          for (std::size_t at = 0; at < pattern.size(); at += sizeof(float)) {
            float each;
            std::memcpy(&each, pattern.data() + at, sizeof each);
            // Beside a dark centre the rest may be beyond all numbers; a state holds numbers only.
            each = std::min(each / one, std::numeric_limits<float>::max());
            std::memcpy(pattern.data() + at, &each, sizeof each);
          }
        }
        return pattern;
      },
      [this](std::span<const std::byte> rows) { compute::takeRows(pattern_, slab_, rows); }, {0});
}

void Diffraction::beforeSave() {
  ensurePattern();
}

void Diffraction::loaded(const State& state) {
  if (!state.find("run")) {
    probe_ = {};
    // Without a note of where the drawing opens, it may do so anywhere.
    drawn_box_ = {0, p_.grid_points, 0, p_.grid_points};
  }
  if (!isDrawn() || isEmpty(drawn_box_)) drawn_box_ = {};
  aperture_current_ = field_current_ = false;
  pattern_current_ = true;
}

std::vector<double> Diffraction::observers() const {
  return {probe_.x, probe_.y, probe_.placed ? 1.0 : 0.0};
}

void Diffraction::setObservers(std::span<const double> placed) {
  probe_ = placed.size() == 3 ? Probe{placed[0], placed[1], placed[2] != 0} : Probe{};
}

bool Diffraction::stroke(const Brush& brush) {
  if (brush.tool == "probe") {
    probe_ = {brush.x, brush.y, true};
    return true;
  }
  const bool opens = brush.tool == "draw";
  if (!opens && brush.tool != "erase") return false;
  if (!isDrawn()) {
    compute::Buffer<Cover> drawing(device_, transmission_.size());
    drawing.zero();
    drawn_ = std::move(drawing);
  }
  const float leaves = opens ? 1.0f : 0.0f;
  std::vector<Dab> dabs;
  if (brush.shape == BrushShape::Region) {
    dabs = regionOf(brush, leaves);
  } else {
    dabs.push_back({brush.cells(p_.cell()), leaves});
  }
  for (const Dab& each : dabs) {
    paintDab(*device_, drawn_.data(), slab_, each);
    if (opens) drawn_box_ = joined(drawn_box_, boxOf(p_.grid_points, each));
  }
  aperture_current_ = pattern_current_ = field_current_ = false;
  return true;
}

// What is opened is bounded by what lets half of the light pass; what is closed, by what lets none.
std::vector<Dab> Diffraction::regionOf(const Brush& brush, float leaves) {
  makeAperture();
  const int n = p_.grid_points;
  const auto line = static_cast<std::size_t>(n);
  std::vector<float> light(static_cast<std::size_t>(slab_.count) * line);
  device_->download(light.data(), transmission_.data() + slab_.at(0, slab_.first), light.size() * sizeof(float));
  const float bound = leaves > 0 ? 0.5f : 0.0f;
  // A region may wind through all of the plane: every rank looks at all of it, a byte a cell.
  std::vector<std::uint8_t> kinds(line * line);
  const auto passes = [bound](float each) { return static_cast<std::uint8_t>(each > bound ? 1 : 0); };
  const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(slab_.first) * line);
  std::transform(light.begin(), light.end(), kinds.begin() + first, passes);
  compute::shareRows(*device_, compute::cutsOf(*device_, n, 0, n), kinds.data(), line);
  const auto cell = [&](double at) { return compute::wholeWithin(std::floor(at / p_.cell() + 0.5 + 0.5 * n), -1, n); };
  std::vector<Dab> dabs;
  for (const CellBlock& each : regionAround(n, n, kinds, cell(brush.x), cell(brush.y))) {
    const double middle = 0.5 * n + 0.5;
    dabs.push_back({{each.left - middle, each.top - middle, each.right - middle, each.bottom - middle, 0,
                     compute::Outline::Rectangle},
                    leaves});
  }
  return dabs;
}

}  // namespace simscope::diffraction
