#include "sims/core/simulation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/core/archive.h"

namespace simscope {

namespace {

// Of a shape's width, at least a cell: it holds the middle of one.
void widen(double& from, double& to, double edge) {
  if (std::abs(to - from) >= edge) return;
  const double middle = 0.5 * (from + to);
  from = middle - 0.5 * edge;
  to = middle + 0.5 * edge;
}

// A tool that is not described, as of test doubles, has all of them.
bool hasShape(const Description& description, const Brush& brush) {
  if (brush.shape == BrushShape::Way) return true;
  for (const ToolInfo& tool : description.tools) {
    if (tool.key == brush.tool) return tool.has(brush.shape);
  }
  return true;
}

// Whether an event of Gesture::Edit names an object and a value that the tool can set.
bool canBeSet(const Description& description, const Brush& brush) {
  for (const ToolInfo& tool : description.tools) {
    if (tool.key == brush.tool) return tool.gesture != Gesture::Edit || (brush.object >= 0 && tool.edit.allows(brush));
  }
  return true;
}

}  // namespace

bool EditInfo::allows(const Brush& brush) const {
  const double value = vector ? std::hypot(brush.dx, brush.dy, brush.dz) : brush.strength;
  return value >= minimum && value <= maximum;
}

const std::vector<std::string>& brushShapeNames() {
  static const std::vector<std::string> names = {"way", "rectangle", "ellipse", "region"};
  return names;
}

bool ToolInfo::has(BrushShape shape) const {
  if (shape == BrushShape::Way) return true;
  return gesture == Gesture::Paint && !observes && (shape != BrushShape::Region || fills);
}

compute::Capsule Brush::cells(double edge, double middle) const {
  constexpr double kLeast = 0.75;
  const compute::Capsule plane = covered(std::max(std::abs(radius), kLeast * edge), edge);
  const auto cell = [&](double at) { return at / edge + middle; };
  const double reach = shape == BrushShape::Way ? std::max(std::abs(radius) / edge, kLeast) : plane.radius / edge;
  return {cell(plane.x0), cell(plane.y0), cell(plane.x1), cell(plane.y1), reach, plane.outline};
}

compute::Capsule Brush::covered(double way_radius, double edge) const {
  compute::Capsule covers{x - dx, y - dy, x, y, way_radius};
  if (shape == BrushShape::Region) covers.x0 = x, covers.y0 = y;
  if (shape != BrushShape::Rectangle && shape != BrushShape::Ellipse) return covers;
  covers.radius = 0;
  covers.outline = shape == BrushShape::Rectangle ? compute::Outline::Rectangle : compute::Outline::Ellipse;
  widen(covers.x0, covers.x1, edge);
  widen(covers.y0, covers.y1, edge);
  return covers;
}

void Simulation::apply(const ParameterSet& parameters) {
  if (const ParameterInfo* const first = parameters.firstOnReset(parameters_)) {
    throw ParameterError(first->key, fmt::format("{}: {} takes effect only with a reset, not between two steps",
                                                 description().id, first->key));
  }
  description().requireValid(parameters);
  change(parameters);
  parameters_ = parameters;
}

State Simulation::save() {
  return saved(false);
}

State Simulation::saved(bool in_parts) {
  beforeSave();
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  SaveArchive archive(state, in_parts);
  visit(archive);
  archive.finish();
  return state;
}

void Simulation::load(const State& state) {
  ListArchive list;
  visit(list);
  LoadArchive archive(description().id, state, list.numbers().size());
  visit(archive);
  archive.take();
  seed_ = state.seed;
  steps_ = state.steps;
  loaded(state);
}

void Simulation::keep(KeptState& former) {
  beforeSave();
  former.begin(device_);
  State& state = former.state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  KeepArchive archive(former);
  visit(archive);
  archive.finish();
  former.finish();
}

void Simulation::resume(const KeptState& kept) {
  ListArchive list;
  visit(list);
  // The archive hands the copy to visit(), which reads from it.
  ResumeArchive archive(description().id, const_cast<KeptState&>(kept), list.numbers().size());
  visit(archive);
  archive.take();
  seed_ = kept.state.seed;
  steps_ = kept.state.steps;
  loaded(kept.state);
}

std::size_t Simulation::stateBytes() {
  ListArchive list;
  visit(list);
  return list.bytes();
}

std::vector<Simulation::StateEntry> Simulation::stateEntries() {
  ListArchive list;
  visit(list);
  std::vector<StateEntry> entries;
  for (const Archive::Array& each : list.arrays()) {
    entries.push_back({each.name, each.dtype, each.what, each.shape, each.when_missing != WhenMissing::Refuse});
  }
  if (list.numbers().empty()) return entries;
  std::string names;
  for (const Archive::Number& each : list.numbers()) names += (names.empty() ? "" : ", ") + std::string(each.name);
  entries.push_back({"run", kDtypeOf<double>, names, {list.numbers().size()}, true});
  return entries;
}

bool Simulation::poke(const Brush& brush) {
  for (const double number : {brush.x, brush.y, brush.z, brush.dx, brush.dy, brush.dz, brush.radius, brush.strength}) {
    if (!std::isfinite(number)) return false;
  }
  return hasShape(description(), brush) && canBeSet(description(), brush) && stroke(brush);
}

}  // namespace simscope
