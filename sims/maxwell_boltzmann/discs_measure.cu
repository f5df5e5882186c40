// Measurements of the discs, and operations on all of them.
#include <algorithm>

#include "sims/compute/loops/histogram.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/whole.h"
#include "sims/maxwell_boltzmann/discs.h"

namespace simscope::maxwell_boltzmann {
namespace functors {

struct SumOf {
  const Totals* sums;
  double time;
  SIMSCOPE_HD Totals operator()(std::size_t i) const {
    Totals all = sums[i];
    all.time = time;
    return all;
  }
};
struct AddTotals {
  SIMSCOPE_HD Totals operator()(const Totals& a, const Totals& b) const {
    return {a.virial + b.virial, a.walls + b.walls, a.collisions + b.collisions, a.late + b.late,
            a.time > b.time ? a.time : b.time};
  }
};

struct SquareOf {
  const Disc* discs;
  double per_velocity;
  SIMSCOPE_HD int column(double v) const {
    constexpr int kCells = VelocityGrid::kCells;
    return compute::wholeWithin((v * per_velocity + VelocityGrid::kExtent) / VelocityGrid::kEdge, 0, kCells - 1);
  }
  SIMSCOPE_HD int operator()(std::size_t i) const {
    return column(discs[i].vy) * VelocityGrid::kCells + column(discs[i].vx);
  }
};
struct LogOf {
  const std::uint32_t* counts;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    const double count = counts[i];
    return count > 1 ? count * std::log(count) : 0.0;
  }
};

struct MotionOf {
  const Disc* discs;
  SIMSCOPE_HD Motion operator()(std::size_t i) const {
    const Disc d = discs[i];
    const double sum = d.x + d.y + d.vx + d.vy, square = d.vx * d.vx + d.vy * d.vy;
    return {square, std::sqrt(square), d.vx, d.vy, 0, sum - sum == 0 ? 0.0 : 1.0};
  }
};

struct Change {
  Disc* discs;
  double factor, dvx, dvy;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    discs[i].vx = discs[i].vx * factor + dvx;
    discs[i].vy = discs[i].vy * factor + dvy;
  }
};

struct PushDiscs {
  Disc* discs;
  DiscBox::Push by;
  SIMSCOPE_HD Motion operator()(std::size_t i) const {
    const Disc d = discs[i];
    if (!by.under.holds(d.x, d.y)) return {};
    const double x = d.x - by.under.x1, y = d.y - by.under.y1, from_middle = std::sqrt(x * x + y * y);
    const double outward = from_middle > 0 ? by.outward / from_middle : 0;
    double vx = d.vx * by.factor + by.dvx + outward * x, vy = d.vy * by.factor + by.dvy + outward * y;
    const double speed = std::sqrt(vx * vx + vy * vy), slower = speed > by.fastest ? by.fastest / speed : 1;
    discs[i].vx = vx * slower;
    discs[i].vy = vy * slower;
    return {0, 0, 0, 0, 1, 0};
  }
};

// The place in the counts of component 0 or 1, or of the speed.
struct PlaceOf {
  const Disc* discs;
  Bins bins;
  double per_velocity;
  int histogram;
  SIMSCOPE_HD int operator()(std::size_t i) const {
    const double x = discs[i].vx * per_velocity, y = discs[i].vy * per_velocity;
    const double top = bins.bins + 1.0;
    const double at = histogram == kSpeeds ? std::sqrt(x * x + y * y) * static_cast<double>(bins.per_speed) + 1
                                           : (histogram == 0 ? x : y) * static_cast<double>(bins.per_component) +
                                                 static_cast<double>(bins.middle);
    return static_cast<int>(at > 0 ? (at < top ? at : top) : 0.0);
  }
};

}  // namespace functors

void DiscBox::record(int index, double time, double sigma) {
  Record* const to = records_.data() + index;
  compute::reduceInto(*device_, kPartialSums, Totals{}, functors::SumOf{sums_.data(), time}, functors::AddTotals{},
                      &to->totals);
  compute::histogram(*device_, n_, functors::SquareOf{discs_.data(), 1 / sigma}, squares_.data(),
                     static_cast<int>(squares_.size()));
  compute::reduceInto(*device_, squares_.size(), 0.0, functors::LogOf{squares_.data()}, compute::Plus{}, &to->logs);
}

Totals DiscBox::totals(double time) {
  return compute::reduce(*device_, kPartialSums, Totals{}, functors::SumOf{sums_.data(), time}, functors::AddTotals{});
}

void DiscBox::note(double time) {
  device_->copy(notes_.data(), notes_.data() + 1, sizeof(Totals));
  compute::reduceInto(*device_, kPartialSums, Totals{}, functors::SumOf{sums_.data(), time}, functors::AddTotals{},
                      notes_.data() + 1);
}

void DiscBox::putTotals(const Totals& totals) {
  std::vector<Totals> sums(kPartialSums);
  sums[0] = totals;
  sums_.upload(sums);
}

double DiscBox::logs(double sigma) {
  compute::histogram(*device_, n_, functors::SquareOf{discs_.data(), 1 / sigma}, squares_.data(),
                     static_cast<int>(squares_.size()));
  return compute::reduce(*device_, squares_.size(), 0.0, functors::LogOf{squares_.data()}, compute::Plus{});
}

Motion DiscBox::motion() {
  return compute::reduce(*device_, n_, Motion{}, functors::MotionOf{discs_.data()}, compute::Plus{});
}

void DiscBox::scale(double factor) {
  compute::parallelFor(*device_, n_, functors::Change{discs_.data(), factor, 0, 0});
}
void DiscBox::move(double dvx, double dvy) {
  compute::parallelFor(*device_, n_, functors::Change{discs_.data(), 1, dvx, dvy});
}

Motion DiscBox::push(const Push& push) {
  return compute::reduce(*device_, n_, Motion{}, functors::PushDiscs{discs_.data(), push}, compute::Plus{});
}

void DiscBox::count(const Bins& bins, double sigma, Counts& counts) {
  counts.zero();
  for (const int histogram : {0, 1, kSpeeds}) {
    compute::histogram(*device_, n_, functors::PlaceOf{discs_.data(), bins, 1 / sigma, histogram},
                       counts.data() + histogram * kPlaces, bins.bins + 2);
  }
}

}  // namespace simscope::maxwell_boltzmann
