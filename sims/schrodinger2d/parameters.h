// The parameters of the wave packet in the plane, as plain data; bound to keys in parameters.cpp.
//
// Units: ħ = m = 1, so energies are in ħ²/(m·length²), momenta (wave numbers) in 1/length, times in m·length²/ħ.
#pragma once

#include <string>

#include "sims/core/describe.h"

namespace simscope::schrodinger2d {

inline constexpr const char* kEnergyUnit = "ħ²/(m·length²)";

enum class Potential {
  None,
  Barrier,
  SingleSlit,
  DoubleSlit,
  Step,
  CircularWell,
  Harmonic,
  DoubleWell,
  Coulomb,
  Image,
  Drawn,
  Formula
};
enum class Precision { Single, Double };

// Those that the host makes a table of.
inline bool isTable(Potential potential) {
  return potential == Potential::Image || potential == Potential::Formula;
}

// All except texts; kernels take it by value.
struct Numbers {
  int grid_points = 512;                  // N along each side, a power of two
  double domain_length = 48;              // L: x and y run from -L/2 to L/2, periodically
  double packet_x = -11, packet_y = 0;    // centre
  double packet_width = 2.2;              // σ: standard deviation of |ψ|² along x, and along y
  double momentum_x = 5, momentum_y = 0;  // k₀
  bool second_packet = false;             // added to the first, and both normalised together
  double second_x = 11, second_y = 0, second_width = 2.2;
  double second_momentum_x = -5, second_momentum_y = 0;
  double second_amplitude = 1;  // A: relative to the first packet's, each of norm 1
  double second_phase = 0;      // φ [rad]
  Potential potential = Potential::DoubleSlit;
  double barrier_height = 50;  // V₀, of drawn walls, too
  double barrier_width = 0.6;  // a, along x
  double slit_width = 1;       // w, along y
  double slit_separation = 4;  // d, between the middles of two slits
  double well_radius = 3;      // R
  double well_separation = 4;  // 2b, between the minima of the double well
  double omega = 0.5;          // ω of the oscillator, and across the double well
  double charge = 40;          // Z of -Z/√(r² + s²)
  double softening = 0.5;      // s
  double image_height = 50;    // V of black
  double time_step = 0.0025;   // Δt
  bool absorbing_edges = true;
  Precision precision = Precision::Single;
  double screen_x = 14;  // of the line whose density a view shows

  bool operator==(const Numbers&) const = default;
};

// The keys of a packet's start.
struct PacketKeys {
  using Member = double Numbers::*;
  const char* name;
  const char *x_key, *y_key, *width_key, *momentum_x_key, *momentum_y_key;
  Member x, y, width, momentum_x, momentum_y;
};
inline constexpr PacketKeys kFirstPacket{"packet",
                                         "packet_x",
                                         "packet_y",
                                         "packet_width",
                                         "momentum_x",
                                         "momentum_y",
                                         &Numbers::packet_x,
                                         &Numbers::packet_y,
                                         &Numbers::packet_width,
                                         &Numbers::momentum_x,
                                         &Numbers::momentum_y};
inline constexpr PacketKeys kSecondPacket{"second packet",
                                          "second_x",
                                          "second_y",
                                          "second_width",
                                          "second_momentum_x",
                                          "second_momentum_y",
                                          &Numbers::second_x,
                                          &Numbers::second_y,
                                          &Numbers::second_width,
                                          &Numbers::second_momentum_x,
                                          &Numbers::second_momentum_y};

struct Parameters : Numbers {
  std::string formula = "x^2 + y^2 < 49 ? 2*(cos(4*x) + cos(2*x + 3.464*y) + cos(2*x - 3.464*y)) : 0";  // V(x, y)
  std::string image_file;

  bool operator==(const Parameters&) const = default;
};

const Binding<Parameters>& binding();

}  // namespace simscope::schrodinger2d
