// What the mouse does: it launches bodies, and sets velocities and masses of those that are there.
#include <cmath>

#include "sims/compute/loops/whole.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {

// Dragging over half the edge of the cube gives the speed that the colours end at.
double NBody::launchRate() const {
  return scales_.speed / scales_.half_edge;
}

std::vector<LaunchReading> launchReadings(const ParameterSet&, const Brush& brush, const Frame& frame) {
  if (!(frame.launch_rate > 0)) return {};
  const double speed = frame.launch_rate * std::hypot(brush.dx, brush.dy, brush.dz);
  return {{.symbol = "v", .value = speed, .unit = "length/time"}};
}

bool NBody::stroke(const Brush& brush) {
  if (brush.tool == "velocity") return setVelocity(brush.object, {brush.dx, brush.dy, brush.dz});
  if (brush.tool == "mass") return setMass(brush.object, brush.strength);
  // A body like the others, or a heavy one.
  double mass;
  if (brush.tool == "launch") {
    mass = scales_.usual_mass;
  } else if (brush.tool == "star" || brush.tool == "charge") {
    constexpr double kShare = 0.1;
    mass = kShare * total_mass_;
  } else {
    return false;
  }
  const double per_length = launchRate();
  const double x[3] = {brush.x, brush.y, brush.z};
  const double v[3] = {per_length * brush.dx, per_length * brush.dy, per_length * brush.dz};
  // The strength is the mass, or with charges the charge, which may be negative.
  const bool charged = p_.force == Force::Coulomb;
  launch(x, v, charged ? mass : mass * std::abs(brush.strength), mass * brush.strength);
  return true;
}

// What an edit does to energy and momentum is no drift, and nobody knows an exact course from there on. Trails keep
// what has been: places do not change.
bool NBody::setVelocity(std::int64_t body, const std::array<double, 3>& v) {
  if (body < 0 || body >= bodies()) return false;
  const Conserved former = lost();
  device_->upload(bodies_.v.data() + 3 * body, v.data(), sizeof v);
  untouched_ = false;
  loseAsBefore(former);
  return true;
}

bool NBody::setMass(std::int64_t body, double mass) {
  if (body < 0 || body >= bodies() || !(mass > 0)) return false;
  const Conserved former = lost();
  device_->upload(bodies_.mass.data() + body, &mass, sizeof mass);
  compareStrengths(bodies_);
  // Charges are the sources of their field, whatever they weigh.
  if (bodies_.charge.empty()) solve(bodies_);
  potential_known_ = true;
  untouched_ = false;
  total_mass_ = measure(*device_, system()).mass;
  loseAsBefore(former);
  return true;
}

void NBody::launch(const double (&x)[3], const double (&v)[3], double mass, double charge) {
  const Conserved former = lost();
  Bodies grown(device_, bodies() + 1, !bodies_.charge.empty());
  const auto append = [this](auto& to, const auto& from, const auto* last, std::size_t components) {
    device_->copy(to.data(), from.data(), from.bytes());
    device_->upload(to.data() + from.size(), last, components * sizeof(*last));
  };
  const int group = compute::wholeWithin(scales_.groups, 1, 1 << 30);
  append(grown.x, bodies_.x, x, 3);
  append(grown.v, bodies_.v, v, 3);
  append(grown.mass, bodies_.mass, &mass, 1);
  if (!grown.charge.empty()) append(grown.charge, bodies_.charge, &charge, 1);
  append(grown.group, bodies_.group, &group, 1);
  compareStrengths(grown);
  solve(grown);

  // The new body has always been here, as far as the trails know.
  std::vector<float> trails;
  if (grown.few()) {
    trails = trailsInOrder();
    for (int k = 0; k < trail_.samples; ++k) {
      for (const double each : x) trails.push_back(static_cast<float>(each));
    }
  }
  bodies_ = std::move(grown);
  potential_known_ = true;
  if (bodies_.few()) putTrails(trails, trail_.samples);
  untouched_ = false;
  total_mass_ += mass;
  loseAsBefore(former);
}

}  // namespace simscope::nbody
