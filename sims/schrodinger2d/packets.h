// The packets that ψ is made of: those of the parameters, or those that the mouse has launched and added since. In free
// space or in the oscillator alone each stays a Gaussian (exact.h), and ψ is their superposition.
//
// Plain host functions, any thread, except for the types that kernels take.
#pragma once

#include <array>
#include <vector>

#include "sims/schrodinger2d/exact.h"

namespace simscope::schrodinger2d {

inline constexpr int kMostPackets = 8;  // that are followed

struct LaunchedPacket {
  Packet start{};
  double since = 0;              // the time of its given state
  Complex<double> weight{1, 0};  // of a packet of norm 1
};

// Σ weight·G has the norm 1. The first one is the oldest.
struct Packets {
  std::array<LaunchedPacket, kMostPackets> each{};
  int count = 1;

  const Packet& first() const { return each[0].start; }
  double newest() const;         // when the last one was added
  bool together() const;         // whether all have the same time
  double fastest() const;        // the largest mean momentum, or spread of one
  double momentumWidth() const;  // the largest spread of momenta
  // The largest |ψ|², and |φ|² of the momenta, where all packets overlap in phase.
  double peak() const;
  double momentumPeak() const;
};
Packets onePacket(const Packet& packet, double since);
// Those of the parameters, at the time `since`. They are normalised by the sum on the grid, which includes their
// overlap. ParameterError where they cancel.
Packets packetsOf(const Numbers& p, double since = 0);

// X and Y of a packet at its start, N samples each, of norm 1 each on the grid.
std::vector<Complex<double>> packetLines(const Packet& packet, const Grid& grid);

// ψ at one time, for kernels.
struct ExactWave {
  GaussianPacket each[kMostPackets];
  Complex<double> weight[kMostPackets]{};
  int count = 1;

  SIMSCOPE_HD Complex<double> at(double x, double y) const {
    Complex<double> sum{0, 0};
    for (int i = 0; i < count; ++i) sum = sum + weight[i] * (each[i].x.at(x) * each[i].y.at(y));
    return sum;
  }
  SIMSCOPE_HD double densityAt(double x, double y) const {
    return count == 1 ? norm2(weight[0]) * each[0].x.densityAt(x) * each[0].y.densityAt(y) : norm2(at(x, y));
  }
};
ExactWave exactWave(const Numbers& p, const Packets& packets, double time);
// exactHolds() for each of them.
bool exactHolds(const Numbers& p, const Packets& packets, double time, double open_half);

// ∫|ψ|²dy of it, for kernels: Σ conj(X_i) X_j pair_ij.
struct ExactMarginal {
  GaussianLine each[kMostPackets];
  Complex<double> pair[kMostPackets][kMostPackets]{};
  int count = 1;

  SIMSCOPE_HD double at(double x) const {
    if (count == 1) return pair[0][0].re * each[0].densityAt(x);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const Complex<double> left = conj(each[i].at(x));
      sum += norm2(left) * pair[i][i].re;
      for (int j = 0; j < i; ++j) sum += 2.0 * (left * each[j].at(x) * pair[i][j]).re;
    }
    return sum;
  }
};
ExactMarginal marginalOf(const ExactWave& wave);

// Means over |ψ|² of a superposition, interference included, in closed form.
struct Expectations {
  double x, y, width_x, width_y;  // means and standard deviations
  double kinetic;                 // energy
};
Expectations expectationsOf(const ExactWave& wave);

}  // namespace simscope::schrodinger2d
