// Products and transposes of complex arrays on the CPU, by the widest instructions that this processor has for them.
// Arrays do not overlap. T: float or double.
#pragma once

#include <cstddef>

#include "sims/compute/complex.h"

namespace simscope::compute::detail {

// values[i] *= factor[i] for i in [0, count).
template <class T>
void multiply(Complex<T>* values, const Complex<T>* factor, std::size_t count);
// values[i] *= scale · factor[i]
template <class T>
void multiply(Complex<T>* values, Complex<T> scale, const Complex<T>* factor, std::size_t count);
// values[i] = v + v·factor_less_1[i], v = scale · values[i]: a factor next to 1 is rounded far finer if 1 is left out.
template <class T>
void multiplyLess1(Complex<T>* values, T scale, const Complex<T>* factor_less_1, std::size_t count);

// to(j, i) = from(i, j) for `rows` rows i of `columns` values, which lie from_pitch and to_pitch apart.
template <class T>
void transpose(const Complex<T>* from, std::size_t from_pitch, Complex<T>* to, std::size_t to_pitch, std::size_t rows,
               std::size_t columns);

}  // namespace simscope::compute::detail
