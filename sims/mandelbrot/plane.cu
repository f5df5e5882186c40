#include "sims/mandelbrot/plane.h"

#include "sims/compute/loops/parallel.h"
#include "sims/mandelbrot/pixel.h"

namespace simscope::mandelbrot {

struct TotalOf {
  const int *count, *glitches;
  int done;
  SIMSCOPE_HD Totals operator()(std::size_t i) const {
    const int n = count[i], met = glitches[i];
    const bool late = n > done - done / 10;
    return {n <= 0 ? 1.0 : 0.0,
            n > 0    ? static_cast<double>(n)
            : n == 0 ? static_cast<double>(done)
                     : 0.0,
            n > 0 ? static_cast<double>(n) : 0.0,
            late ? 1.0 : 0.0,
            met > 0 ? 1.0 : 0.0,
            static_cast<double>(met)};
  }
};
struct AddTotals {
  SIMSCOPE_HD Totals operator()(const Totals& a, const Totals& b) const {
    return {a.inside + b.inside, a.iterations + b.iterations, a.deepest > b.deepest ? a.deepest : b.deepest,
            a.late + b.late,     a.glitched + b.glitched,     a.glitches + b.glitches};
  }
};

void iterateByPixel(compute::Device& device, const Iteration& t) {
  constexpr std::size_t kGrain = 256;
  if (t.numbers == Numbers::Float32) {
    compute::parallelFor2d(device, t.width, t.height, DirectPixel<float>{t}, kGrain);
  } else if (t.numbers == Numbers::Float64) {
    compute::parallelFor2d(device, t.width, t.height, DirectPixel<double>{t}, kGrain);
  } else {
    compute::parallelFor2d(device, t.width, t.height, PerturbedPixel{t}, kGrain);
  }
}

Totals totalsOf(Plane& plane, int done) {
  const TotalOf each{plane.count.data(), plane.glitches.data(), done};
  return compute::reduce(plane.count.device(), plane.pixels(), Totals{}, each, AddTotals{});
}

}  // namespace simscope::mandelbrot
