// A vector of one number: the portable kernels, and double precision.
#pragma once

#include "sims/pinn/jets.h"

namespace simscope::pinn {

template <class Number>
struct Scalar {
  using Real = Number;
  static constexpr int kLanes = 1;
  Real value = 0;

  Scalar() = default;
  explicit Scalar(Real v) : value(v) {}
  template <class Other>
  explicit Scalar(Other v) : value(static_cast<Real>(v)) {}
  static Scalar load(const Real* from) { return Scalar(*from); }
  void store(Real* to) const { *to = value; }

  friend Scalar operator+(Scalar a, Scalar b) { return Scalar(a.value + b.value); }
  friend Scalar operator-(Scalar a, Scalar b) { return Scalar(a.value - b.value); }
  friend Scalar operator*(Scalar a, Scalar b) { return Scalar(a.value * b.value); }
  friend Scalar operator/(Scalar a, Scalar b) { return Scalar(a.value / b.value); }
  friend Scalar operator-(Scalar a) { return Scalar(-a.value); }
  friend Scalar madd(Scalar a, Scalar b, Scalar c) { return Scalar(madd(a.value, b.value, c.value)); }
  friend Scalar hyperbolicTangent(Scalar x) { return Scalar(hyperbolicTangent(x.value)); }
};

}  // namespace simscope::pinn
