// Layers at the edges of a periodic domain that absorb a quantum wave: a complex potential -iW, W ≥ 0, by which ψ
// decays at the rate W [1/time]. ħ = m = 1. The two layers at either end of an axis touch, because the domain is
// periodic: a wave crosses one from its beginning to the edge, then the other one the opposite way.
//
// A layer is fitted to a wave number k: with u = k·width its profile at the depth x, as a share of the width, is
//   W = k/(2·width)·[A·start(x) + B·7x⁶],  A = 2.8 for u ≤ 6, then u - 3.2, at most 10;  B = 2u, at most 20,
// start = 2x for u ≤ 6, 3x² for u = 10, 4x³ from u = 14 on, and a blend between: a wave of k keeps exp(-A - B) of its
// density. A short layer must begin at once, a long one may begin gently. A and B are the least reflection's, by a
// search over profiles of two powers; what they leave of waves of k·(0.8, 1, 1.25), reflected or let through, is 5e-2
// of the density at u = 3, 1e-2 at 4, 1e-3 at 6, 1e-4 at 10, and 1e-6 at 20.
//
// Plain functions without state, any thread. Source of the method: D. E. Manolopoulos, J. Chem. Phys. 117 (2002) 9552;
// J. G. Muga et al., Phys. Rep. 395 (2004) 357.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/host_device.h"

namespace simscope::absorbing {

struct Layer {
  double width = 1;        // [length], > 0
  double wave_number = 0;  // k that it is fitted to [1/length]; absorbs nothing for 0

  // W [1/time] at this depth below the layer's beginning, from 0 to `width`; 0 before it.
  SIMSCOPE_HD double rateAt(double depth) const {
    if (!(depth > 0.0)) return 0.0;
    const double u = wave_number * width, x = depth < width ? depth / width : 1.0;
    const double a = u <= 6.0 ? 2.8 : (u < 13.2 ? u - 3.2 : 10.0), b = u < 10.0 ? 2.0 * u : 20.0;
    const double blend = u <= 6.0 ? 0.0 : (u < 14.0 ? 0.25 * (u - 6.0) : 2.0);
    const double start = blend < 1.0 ? (1.0 - blend) * 2.0 * x + blend * 3.0 * x * x
                                     : (2.0 - blend) * 3.0 * x * x + (blend - 1.0) * 4.0 * x * x * x;
    const double x3 = x * x * x;
    return 0.5 * wave_number / width * (a * start + b * 7.0 * x3 * x3);
  }
};

// What of a wave's density a layer does not take, by one integration of the stationary equation through both layers.
struct Missed {
  double reflected = 1;  // R: comes back
  double passed = 0;     // crosses the edge, and is absorbed or comes out on the other side
  double sum() const { return reflected + passed; }
};
// `k`: the wave number across the layer; everything is reflected for k ≤ 0. To 0.5 % of its value.
Missed missedBy(const Layer& layer, double k);

// Waves of a Gaussian packet with this mean wave number and standard deviation: eight, evenly spaced to 2.8 deviations
// to either side. The shares' sum is 1. Wave numbers may be negative.
struct Wave {
  double k, share;
};
std::vector<Wave> wavesOf(double mean, double deviation);
// What of these waves is missed, each by its |k|; shares of 0 are left out.
double missedBy(const Layer& layer, std::span<const Wave> waves);

}  // namespace simscope::absorbing
