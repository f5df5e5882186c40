#include "sims/descent/measure.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"

namespace simscope::descent {
namespace functors {

struct AddTotals {
  SIMSCOPE_HD Totals operator()(const Totals& a, const Totals& b) const {
    return {a.excess + b.excess,
            a.best < b.best ? a.best : b.best,
            a.arrived + b.arrived,
            a.lowest + b.lowest,
            a.diverged + b.diverged,
            a.last_arrival > b.last_arrival ? a.last_arrival : b.last_arrival,
            a.bad + b.bad};
  }
};

template <class F>
struct TotalsOf {
  F f;
  Starts all;
  Nearest nearest;
  double lowest;
  int same;

  SIMSCOPE_HD Totals operator()(std::size_t i) const {
    Totals t{0, 1e300, 0, 0, 0, -1, 0};
    const double x = all.x[i], y = all.y[i];
    double sum = x + y;
    for (int k = 0; k < kMemories; ++k) sum += all.memory[k * all.n + static_cast<std::int64_t>(i)];
    t.bad = std::isfinite(sum) ? 0 : 1;
    if (static_cast<std::int64_t>(i) >= all.n - kWitnesses) return t;
    t.diverged = all.since[i] == kDiverged ? 1 : 0;
    if (t.diverged > 0) return t;
    const double excess = f(x, y) - lowest;
    if (std::isfinite(excess)) t.excess = t.best = excess;
    const int which = nearest.at(x, y);
    t.arrived = which >= 0 ? 1 : 0;
    t.lowest = which >= 0 && which < same ? 1 : 0;
    t.last_arrival = all.since[i];
    return t;
  }
};

}  // namespace functors

Totals measure(compute::Device& device, const Advance& what, int same) {
  Totals totals{};
  withSurface(what.surface, [&](const auto& f) {
    using F = std::decay_t<decltype(f)>;
    totals =
        compute::reduce(device, static_cast<std::size_t>(what.starts.n), Totals{0, 1e300, 0, 0, 0, -1, 0},
                        functors::TotalsOf<F>{f, what.starts, what.nearest, what.lowest, same}, functors::AddTotals{});
  });
  return totals;
}

}  // namespace simscope::descent
