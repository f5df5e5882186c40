// Elastic hard discs of equal mass in a square box, on the device: they fly straight and collide two at a time.
//
// A step is a window of time in which each disc's flight is a straight line from its last collision on. In rounds,
// every disc finds the first that it will meet, or a wall. Pairs that are each other's first collide, at the very
// moment and place where they touch, unless something happens earlier to a disc near them, which might then come
// between: that goes first. The next round is for those near whom something has changed. No time is rounded to a grid:
// trajectories are those of an event-driven simulation. What the scheme can miss takes a chain of collisions that comes
// from farther than it looks, all in one window, or more of them than there are rounds. Discs may then overlap when
// they are found, and collide late, at once. Such collisions are counted (Totals::late) as the measure of what is
// missed; it falls with the step. Energy and momentum are conserved to rounding in any order.
//
// Everything is double precision and not fused, times are equal from both partners' sides to the bit, and ties go by
// number: the result depends on neither the order of the discs in a cell nor that of the threads. Sums of the
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

// Since the reset. A momentum's unit is m·kImpulse nm/ps; 64 bits that wrap around: differences are right.
inline constexpr int kPartialSums = 256;  // that threads add to by turns
inline constexpr double kImpulse = 1.0 / (1 << 24);
struct Totals {
  std::uint64_t virial = 0;      // of pairs: Σ |Δv·d|/σ, d from centre to centre where they touch
  std::uint64_t walls = 0;       // Σ 2|v| across the wall
  std::uint64_t collisions = 0;  // of pairs
  std::uint64_t late = 0;        // those that overlapped when they were found
  double time = 0;               // ps
};

// Samples of both, kRecords of them in a ring.
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

// Owner: the simulation. Thread: as Device; all is enqueued but for what returns a value.
class DiscBox {
 public:
  DiscBox(compute::DevicePtr device, const Parameters& parameters);

  // Time step, temperature, and mass may change; the box may not.
  void take(const Parameters& parameters);
  void put(const std::vector<Disc>& discs);  // in the order of their numbers; forgets all records
  void step();
  // Sample `index` of the ring, with the time that it is of.
  void record(int index, double time, double sigma);

  const compute::Buffer<Disc>& discs() const { return discs_; }
  compute::Buffer<Disc>& discs() { return discs_; }
  compute::Buffer<Record>& records() { return records_; }
  Totals totals(double time);  // waits
  // Notes the totals of now, from which averages are taken; the note before it is kept, too.
  void note(double time);
  compute::Buffer<Totals>& notes() { return notes_; }  // the one before, and the last
  void putTotals(const Totals& totals);                // of a state that was loaded
  double logs(double sigma);                           // waits
  Motion motion();                                     // waits
  void scale(double factor);                           // all velocities
  void move(double dvx, double dvy);                   // adds to all velocities
  // What a brush does to the discs under it: velocities times `factor`, and (dvx, dvy), and `outward` away from the
  // middle of the brush; no faster than `fastest` then. Waits; touched says how many there were.
  struct Push {
    compute::Capsule under;
    double factor = 1, dvx = 0, dvy = 0, outward = 0, fastest = 1;
  };
  Motion push(const Push& push);
  // Counts of components and speeds; sigma [nm/ps] is what Bins are in.
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
