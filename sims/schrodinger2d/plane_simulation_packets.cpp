// How ψ begins: packets that are set down, launched, and added.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sims/schrodinger2d/plane_simulation.h"

namespace simscope::schrodinger2d {

template <class T>
PacketLines PlaneSimulation<T>::linesOf(const Packets& packets) {
  const auto n = static_cast<std::size_t>(grid_.points);
  std::vector<Complex<double>> lines;
  for (int i = 0; i < packets.count; ++i) {
    const LaunchedPacket& launched = packets.each[static_cast<std::size_t>(i)];
    std::vector<Complex<double>> own = packetLines(launched.start, grid_);
    for (std::size_t x = 0; x < n; ++x) own[x] = launched.weight * own[x];
    lines.insert(lines.end(), own.begin(), own.end());
  }
  device_->upload(lines_.data(), lines.data(), lines.size() * sizeof lines[0]);
  return {lines_.data(), packets.count};
}

template <class T>
PacketLines PlaneSimulation<T>::linesOf(const ExactWave& wave) {
  fillLines(*device_, lines_.data(), wave, grid_);
  return {lines_.data(), wave.count};
}

template <class T>
void PlaneSimulation<T>::fill(Complex<T>* psi, const Packets& packets) {
  superpose<T>(*device_, psi, nullptr, 0.0, linesOf(packets), grid_, slab_);
}

template <class T>
void PlaneSimulation<T>::begin(const Packets& packets) {
  fill(psi_.data(), packets);
  packets_ = packets;
  followed_ = true;
  beginAccounts();
}

// Of a ψ of norm 1.
template <class T>
void PlaneSimulation<T>::beginAccounts() {
  phi_fresh_ = false;
  closed_norm_ = 1;
  taken_.zero();
  measured_.edge_probability = 0;
  measured_.touching = 0;
}

// The drag is the way that the new packet will have gone in one unit of time: with m = 1 that is its momentum, times
// the strength.
namespace {

Packet launchedPacket(const Brush& brush, double width, const Grid& grid) {
  Packet packet{brush.x, brush.y, brush.strength * brush.dx, brush.strength * brush.dy, width};
  const double most = std::max(0.0, grid.nyquist() - 5.0 * packet.momentumWidth());  // what the grid resolves
  if (packet.momentum() > most) {
    const double scale = most / packet.momentum();
    packet.kx *= scale;
    packet.ky *= scale;
  }
  return packet;
}

// Where there is no second packet in the parameters, what is added is like the first.
double addedWidth(const Numbers& p) {
  return p.second_packet ? p.second_width : p.packet_width;
}

}  // namespace

template <class T>
void PlaneSimulation<T>::launch(const Brush& brush) {
  begin(onePacket(launchedPacket(brush, p_.packet_width, grid_), time_));
  past_known_ = true;
  refreshLandscape();
  fitLayer();
  if (layer_is_new_) makeFactors(wholePlane(grid_));
  noteTouching(psi_.data(), wholePlane(grid_));
}

// To ψ as it is, of norm 1. What was known of ψ is still known with one more packet.
template <class T>
bool PlaneSimulation<T>::add(const Brush& brush) {
  LaunchedPacket added{launchedPacket(brush, addedWidth(p_), grid_), time_};
  if (p_.second_packet) {
    added.weight = {p_.second_amplitude * std::cos(p_.second_phase), p_.second_amplitude * std::sin(p_.second_phase)};
  }
  const double before = norm(psi_.data());
  if (!(before > 0.0)) return false;
  Packets alone;
  alone.each[0] = added;
  phi_fresh_ = false;
  superpose<T>(*device_, phi_.data(), psi_.data(), 1.0 / std::sqrt(before), linesOf(alone), grid_, slab_);
  const double after = norm(phi_.data());
  constexpr double kNothing = 1e-9;
  if (!(after > kNothing)) return false;  // it cancels what there was
  const double scale = 1.0 / std::sqrt(after);
  superpose<T>(*device_, psi_.data(), phi_.data(), scale, {}, grid_, slab_);

  const bool just_started = packets_.together() && time_ == packets_.newest();
  followed_ = followed_ && (just_started || exactNow()) && packets_.count < kMostPackets;
  if (followed_) {
    packets_.each[static_cast<std::size_t>(packets_.count++)] = added;
    for (int i = 0; i < packets_.count; ++i) {
      Complex<double>& weight = packets_.each[static_cast<std::size_t>(i)].weight;
      weight = scale * weight;
    }
  }
  const double touched = measured_.touching;
  beginAccounts();
  refreshLandscape();
  fitLayer();
  if (layer_is_new_) makeFactors(wholePlane(grid_));
  measured_.touching = touched;
  superpose<T>(*device_, phi_.data(), nullptr, 0.0, linesOf(alone), grid_, slab_);
  phi_fresh_ = false;
  noteTouching(phi_.data(), wholePlane(grid_));
  return true;
}

std::vector<LaunchReading> launchReadings(const ParameterSet& set, const Brush& brush, const Frame&) {
  const Parameters p = binding().read(set);
  const Packet packet = launchedPacket(brush, brush.tool == "add" ? addedWidth(p) : p.packet_width, gridOf(p));
  const double momentum = packet.momentum(), energy = 0.5 * momentum * momentum;
  LaunchReading of_energy{.symbol = "E", .value = energy, .unit = kEnergyUnit};
  if (set.matters(set.find("barrier_height")) && p.barrier_height > 0) {
    of_energy.share = energy / p.barrier_height;
    of_energy.of = "V₀";
  }
  return {{.symbol = "k", .value = momentum, .unit = "1/length"}, of_energy};
}

template PacketLines PlaneSimulation<float>::linesOf(const Packets&);
template PacketLines PlaneSimulation<double>::linesOf(const Packets&);
template PacketLines PlaneSimulation<float>::linesOf(const ExactWave&);
template PacketLines PlaneSimulation<double>::linesOf(const ExactWave&);
template void PlaneSimulation<float>::fill(Complex<float>*, const Packets&);
template void PlaneSimulation<double>::fill(Complex<double>*, const Packets&);
template void PlaneSimulation<float>::begin(const Packets&);
template void PlaneSimulation<double>::begin(const Packets&);
template void PlaneSimulation<float>::launch(const Brush&);
template void PlaneSimulation<double>::launch(const Brush&);
template bool PlaneSimulation<float>::add(const Brush&);
template bool PlaneSimulation<double>::add(const Brush&);

}  // namespace simscope::schrodinger2d
