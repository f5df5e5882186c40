// Elastic hard discs of equal mass in a square box, on the device: they fly straight and collide two at a time.
//
// A step is a window of time in which each disc's flight is a straight line from its last collision on. In each round,
// every disc finds the first disc or wall that it will meet. Pairs that are each other's first collide at the exact
// time and place of contact, unless an earlier event happens to a disc near them, which might then come between: that
// event goes first. The next round is for the discs near a change. No time is rounded to a grid: trajectories are those
// of an event-driven simulation. The scheme fails only where, in one window, a chain of collisions comes from farther
// than it looks, or has more collisions than there are rounds. Discs may then overlap when they are found; they collide
// at once, late. Such collisions are counted (Totals::late) as the measure of the error, which falls with the step.
// Energy and momentum are conserved to rounding in any order.
//
// Everything is double precision and not fused, both partners compute a collision's time to the same bits, and ties go
// by number: the result depends on neither the order of the discs in a cell nor that of the threads. Sums of the
// collisions' momentum are whole numbers, for the same reason.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/capsule.h"
#include "sims/maxwell_boltzmann/counts.h"

namespace simscope::maxwell_boltzmann {

struct alignas(16) Disc {
  double x = 0, y = 0;    // nm, within ± half the box's length
  double vx = 0, vy = 0;  // nm/ps
};

// Since the reset. A momentum's unit is m·kImpulse nm/ps; 64 bits that wrap around: differences stay correct.
inline constexpr int kPartialSums = 256;  // that threads add to in turn
inline constexpr double kImpulse = 1.0 / (1 << 24);
struct Totals {
  std::uint64_t virial = 0;      // of pairs: Σ |Δv·d|/σ, d from centre to centre where they touch
  std::uint64_t walls = 0;       // Σ 2|v| across the wall
  std::uint64_t collisions = 0;  // of pairs
  std::uint64_t late = 0;        // pairs that already overlapped when they were found
  double time = 0;               // ps
};

// Samples of totals and logs, kRecords of them in a ring.
inline constexpr int kRecords = 240;
struct Record {
  Totals totals = {};
  double logs = 0;  // Σ c ln c of the squares of velocities (VelocityGrid)
};

// Of all discs.
struct Motion {
  double square = 0;      // Σ v²
  double speed = 0;       // Σ v
  double px = 0, py = 0;  // Σ v
  double touched = 0;     // by the brush
  double not_finite = 0;
};

// Owner: the simulation. Thread: as Device; calls that return a value wait, all others are enqueued.
class DiscBox {
 public:
  DiscBox(compute::DevicePtr device, const Parameters& parameters);

  // Time step, temperature, and mass may change; the box may not.
  void take(const Parameters& parameters);
  void put(const std::vector<Disc>& discs);  // in the order of their numbers; forgets all records
  void step();
  // Records sample `index` of the ring, with its time.
  void record(int index, double time, double sigma);

  const compute::Buffer<Disc>& discs() const { return discs_; }
  compute::Buffer<Disc>& discs() { return discs_; }
  compute::Buffer<Record>& records() { return records_; }
  Totals totals(double time);  // waits
  // Notes the present totals, from which averages are taken; the previous note is kept, too.
  void note(double time);
  compute::Buffer<Totals>& notes() { return notes_; }  // the previous and the last one
  void putTotals(const Totals& totals);                // of a state that was loaded
  double logs(double sigma);                           // waits
  Motion motion();                                     // waits
  void scale(double factor);                           // all velocities
  void move(double dvx, double dvy);                   // adds to all velocities
  // The effect of a brush on the discs under it: velocities times `factor`, plus (dvx, dvy), plus `outward` away from
  // the middle of the brush; limited to `fastest`. Waits; Motion::touched is the number of discs.
  struct Push {
    compute::Capsule under;
    double factor = 1, dvx = 0, dvy = 0, outward = 0, fastest = 1;
  };
  Motion push(const Push& push);
  // Counts of components and speeds; sigma [nm/ps] is the unit of Bins.
  void count(const Bins& bins, double sigma, Counts& counts);

 private:
  compute::DevicePtr device_;
  std::size_t n_;
  double length_, diameter_, dt_ = 0;
  bool walls_;
  int most_cells_, cells_ = 0;            // along a side
  compute::Buffer<Disc> discs_;           // by number
  compute::Buffer<Disc> flights_;         // by cell: where each would have been at the window's start, and its velocity
  compute::Buffer<double> since_, when_;  // by cell: last collision, next one; of the window [ps]
  compute::Buffer<int> partner_;          // by cell
  compute::Buffer<std::uint32_t> number_, cell_of_;  // by cell
  compute::Buffer<std::uint32_t> own_cell_, rank_;   // by number
  compute::Buffer<std::uint32_t> begins_, changed_;  // of each cell: its first disc; the last round that changed it
  compute::Buffer<std::uint32_t> happened_;          // of each round: whether anything did
  compute::Buffer<Totals> sums_;                     // kPartialSums of them
  compute::Buffer<Totals> notes_;                    // two
  compute::Buffer<Record> records_;
  compute::Buffer<std::uint32_t> squares_;  // of VelocityGrid
  compute::Buffer<std::byte> scratch_;
  std::uint32_t serial_ = 0;  // of rounds, over all windows
};

// Bytes that a box of these parameters takes on the device.
double discBytes(const Parameters& parameters, compute::Backend backend);

}  // namespace simscope::maxwell_boltzmann
