#include "sims/core/simulation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/core/archive.h"

namespace simscope {

compute::Capsule Brush::cells(double edge, double middle) const {
  constexpr double kLeast = 0.75;
  const auto cell = [&](double at) { return at / edge + middle; };
  return {cell(x - dx), cell(y - dy), cell(x), cell(y), std::max(std::abs(radius) / edge, kLeast)};
}

void Simulation::apply(const ParameterSet& parameters) {
  if (const ParameterInfo* const first = parameters.firstOnReset(parameters_)) {
    throw ParameterError(first->key, fmt::format("{}: {} takes effect with a reset, not between two steps",
                                                 description().id, first->key));
  }
  change(parameters);
  parameters_ = parameters;
}

State Simulation::save() {
  beforeSave();
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  SaveArchive archive(state);
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
  return stroke(brush);
}

}  // namespace simscope
