// One cell of the exact solutions' factors X and Y (see exact.h), for host and device.
//
// Mirror images of the start satisfy the edges' conditions. All kinds of start are even about the middle, so that the
// image beyond an insulated edge is the start itself, shifted by the length of the field, as with joined edges; beyond
// a cold wall it has the opposite sign.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

struct ExactLine {
  Initial initial = Initial::Blank;
  int n = 0;
  double spacing = 1, temperature = 1;
  double half = 0;  // spot_size/2: half the edge of the square, σ of a Gaussian
  double tau = 0;
  double wave_number = 0;  // of the stripes
  double period = 0;       // from image to image
  int images = 0;          // on either side that are not yet negligible
  double image_sign = 1;   // of the first ones: -1 with cold walls

  // ∫ erf
  SIMSCOPE_HD static double erfIntegral(double z) { return z * std::erf(z) + std::exp(-z * z) * 0.56418958354775629; }

  // Σ of f and its images at `at`.
  template <class F>
  SIMSCOPE_HD double withImages(double at, const F& f) const {
    double sum = f(at), sign = image_sign;
    for (int k = 1; k <= images; ++k, sign *= image_sign) sum += sign * (f(at - k * period) + f(at + k * period));
    return sum;
  }

  // The mean over the cell around `at` of a box of half-width `half` after τ.
  SIMSCOPE_HD double boxMean(double at) const {
    const double low = at - spacing / 2, high = at + spacing / 2, width = 2 * std::sqrt(tau);
    if (width < 1e-6 * spacing) {
      const double from = low > -half ? low : -half, to = high < half ? high : half;
      return to > from ? (to - from) / spacing : 0;
    }
    const double right = erfIntegral((high + half) / width) - erfIntegral((low + half) / width);
    const double left = erfIntegral((high - half) / width) - erfIntegral((low - half) / width);
    return 0.5 * width / spacing * (right - left);
  }
  SIMSCOPE_HD double box(double at) const {
    const double width = 2 * std::sqrt(tau), distance = std::fabs(at);
    if (!(width > 0)) return distance < half ? 1 : distance > half ? 0 : 0.5;
    return 0.5 * (std::erf((at + half) / width) - std::erf((at - half) / width));
  }
  SIMSCOPE_HD double gaussian(double at) const {
    const double s2 = half * half + 2 * tau;
    return half / std::sqrt(s2) * std::exp(-at * at / (2 * s2));
  }

  // X and Y at a place, without the temperature.
  SIMSCOPE_HD double xAt(double at) const { return withImages(at, XAlone{*this}); }
  SIMSCOPE_HD double yAt(double at) const { return withImages(at, YAlone{*this}); }
  // X·temperature and Y of cell i.
  SIMSCOPE_HD double x(int i) const {
    const double at = (i - 0.5 * (n - 1)) * spacing;
    return temperature * (initial == Initial::Square ? withImages(at, BoxMean{*this}) : xAt(at));
  }
  SIMSCOPE_HD double y(int i) const {
    const double at = (i - 0.5 * (n - 1)) * spacing;
    return initial == Initial::Square ? withImages(at, BoxMean{*this}) : yAt(at);
  }

 private:
  struct XAlone {
    const ExactLine& line;
    SIMSCOPE_HD double operator()(double at) const { return line.xAlone(at); }
  };
  struct YAlone {
    const ExactLine& line;
    SIMSCOPE_HD double operator()(double at) const { return line.yAlone(at); }
  };
  struct BoxMean {
    const ExactLine& line;
    SIMSCOPE_HD double operator()(double at) const { return line.boxMean(at); }
  };

  SIMSCOPE_HD double xAlone(double at) const {
    switch (initial) {
      case Initial::Square:
        return box(at);
      case Initial::Gaussian:
        return gaussian(at);
      case Initial::TwoSpots:
        return gaussian(at - 2 * half) + gaussian(at + 2 * half);
      case Initial::Stripes:
        return 0.5 * (1 + std::exp(-wave_number * wave_number * tau) * std::cos(wave_number * at));
      default:
        return 0;
    }
  }
  SIMSCOPE_HD double yAlone(double at) const {
    switch (initial) {
      case Initial::Square:
        return box(at);
      case Initial::Gaussian:
      case Initial::TwoSpots:
        return gaussian(at);
      case Initial::Stripes:
        return 1;
      default:
        return 0;
    }
  }
};

}  // namespace simscope::heat
