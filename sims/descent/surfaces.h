// The surfaces f(x, y), each for plain numbers and for dual numbers with a gradient. README.md has the sources.
// Any thread, host and device; plain data, copied by value.
#pragma once

#include "sims/descent/program.h"

namespace simscope::descent {

enum class Surface { Bowl, Rosenbrock, Himmelblau, Rastrigin, Beale, Ackley, Formula };

// ½(u² + κ v²); u and v are x and y rotated by an angle of given cosine and sine.
struct Bowl {
  double condition, cosine, sine;
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    const T u = cosine * x + sine * y, v = cosine * y - sine * x;
    return 0.5 * (squareOf(u) + condition * squareOf(v));
  }
};
struct Rosenbrock {
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    return squareOf(1.0 - x) + 100.0 * squareOf(y - squareOf(x));
  }
};
struct Himmelblau {
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    return squareOf(squareOf(x) + y - 11.0) + squareOf(x + squareOf(y) - 7.0);
  }
};
inline constexpr double kTwoPi = 6.283185307179586476925286766559;
struct Rastrigin {
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    return 20.0 + (squareOf(x) - 10.0 * cosOf(kTwoPi * x)) + (squareOf(y) - 10.0 * cosOf(kTwoPi * y));
  }
};
struct Beale {
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    const T y2 = squareOf(y);
    return squareOf(1.5 - x + x * y) + squareOf(2.25 - x + x * y2) + squareOf(2.625 - x + x * (y2 * y));
  }
};
struct Ackley {
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    const T far = expOf(-0.2 * rootOf(0.5 * (squareOf(x) + squareOf(y))));
    const T waves = expOf(0.5 * (cosOf(kTwoPi * x) + cosOf(kTwoPi * y)));
    return (20.0 - 20.0 * far) + (2.718281828459045235 - waves);
  }
};
struct Typed {
  Program program;
  template <class T>
  SIMSCOPE_HD T operator()(const T& x, const T& y) const {
    return evaluate(program, x, y);
  }
};

// f and its gradient at a place.
template <class F>
SIMSCOPE_HD Dual differentiate(const F& f, double x, double y) {
  return f(Dual(x, 1, 0), Dual(y, 0, 1));
}

// One of them with its numbers.
struct SurfaceData {
  Surface kind = Surface::Himmelblau;
  Bowl bowl = {1, 1, 0};
  Program program = {};
};

// Calls work(f) with the surface as its own type.
template <class Work>
void withSurface(const SurfaceData& s, const Work& work) {
  switch (s.kind) {
    case Surface::Bowl:
      return work(s.bowl);
    case Surface::Rosenbrock:
      return work(Rosenbrock{});
    case Surface::Himmelblau:
      return work(Himmelblau{});
    case Surface::Rastrigin:
      return work(Rastrigin{});
    case Surface::Beale:
      return work(Beale{});
    case Surface::Ackley:
      return work(Ackley{});
    case Surface::Formula:
      return work(Typed{s.program});
  }
}

}  // namespace simscope::descent
