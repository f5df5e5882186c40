// Example kernels: as source texts, and (except the endless one) also compiled with the program.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "sims/compute/host_device.h"

namespace simscope::lab::just_in_time {

struct Example {
  const char* name;
  const char* text;
};
inline constexpr std::array<Example, 4> kExamples = {{
    {"quadratic", "(-b + sqrt(b*b - 4*a*c)) / (2*a)"},
    {"saxpy", "2*a + b"},
    {"mandelbrot",
     "u = 3.5*mod(i, 1000)/1000 - 2.5;\nv = 2.5*mod(floor(i/1000)*377, 1000)/1000 - 1.25;\nx = 0; y = 0; k = 0;\n"
     "while (k < 200 && x*x + y*y < 4) { t = x*x - y*y + u; y = 2*x*y + v; x = t; k = k + 1 }\nout = k"},
    {"endless", "x = a;\nwhile (x > 0) { x = x + 1 }\nout = x"},
}};

struct Arrays {
  const double *a, *b, *c;
  double* out;
};

struct Quadratic {
  Arrays on;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double a = on.a[i], b = on.b[i], c = on.c[i];
    on.out[i] = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  }
};

struct Saxpy {
  Arrays on;
  SIMSCOPE_HD void operator()(std::size_t i) const { on.out[i] = 2 * on.a[i] + on.b[i]; }
};

struct Mandelbrot {
  Arrays on;
  SIMSCOPE_HD void operator()(std::size_t place) const {
    const double i = static_cast<double>(place);
    const double u = 3.5 * std::fmod(i, 1000.0) / 1000 - 2.5;
    const double v = 2.5 * std::fmod(std::floor(i / 1000) * 377, 1000.0) / 1000 - 1.25;
    double x = 0, y = 0;
    int k = 0;
    while (k < 200 && x * x + y * y < 4) {
      const double t = x * x - y * y + u;
      y = 2 * x * y + v;
      x = t;
      ++k;
    }
    on.out[place] = k;
  }
};

}  // namespace simscope::lab::just_in_time
