// The parameters of the tunneling simulation, as plain data; bound to keys in simulation_description.cpp.
//
// Units: ħ = m = 1, so energies are in ħ²/(m·length²), momenta (wave numbers) in 1/length, times in m·length²/ħ.
#pragma once

#include <string>

#include "sims/core/describe.h"

namespace simscope::tunneling {

enum class Potential { Barrier, DoubleBarrier, Step, Well, Harmonic, None, Formula };
enum class Precision { Float32, Float64 };

struct Parameters {
  int grid_points = 2048;      // N, a power of two
  double domain_length = 200;  // L: x runs from -L/2 to L/2, periodically
  double packet_width = 5;     // σ: standard deviation of |ψ(x, 0)|²
  double packet_center = -50;  // x₀
  double packet_momentum = 2;  // k₀
  bool second_packet = false;  // added to the first, and both normalised together
  double second_center = 50, second_width = 5, second_momentum = -2;
  double second_amplitude = 1;  // A: relative to the first packet's, each of norm 1
  double second_phase = 0;      // φ [rad]
  Potential potential = Potential::Barrier;
  double barrier_height = 1.5;           // V₀
  double barrier_width = 10;             // a
  double barrier_gap = 10;               // between the inner edges of a double barrier
  std::string formula = "-3/cosh(x)^2";  // V(x), typed
  double time_step = 0.01;               // Δt
  bool absorbing_edges = true;
  Precision precision = Precision::Float32;
};

// The keys of a packet's start.
struct PacketKeys {
  using Member = double Parameters::*;
  const char* name;
  const char *center_key, *width_key, *momentum_key;
  Member center, width, momentum;
};
inline constexpr PacketKeys kFirstPacket{"packet",
                                         "packet_center",
                                         "packet_width",
                                         "packet_momentum",
                                         &Parameters::packet_center,
                                         &Parameters::packet_width,
                                         &Parameters::packet_momentum};
inline constexpr PacketKeys kSecondPacket{"second packet",
                                          "second_center",
                                          "second_width",
                                          "second_momentum",
                                          &Parameters::second_center,
                                          &Parameters::second_width,
                                          &Parameters::second_momentum};

const Binding<Parameters>& binding();

}  // namespace simscope::tunneling
