// Advances ψ by split-operator steps: half a potential step, a kinetic step, half a potential step. n steps equal n
// single steps to the bit: between two steps both halves are made in one pass, but one after the other.
//
//   half               exp(-(iV + W)Δt/2), N × N, at the points
//   along_x, along_y   exp(-ik²Δt/2), N each in FFT order; the kinetic factor of (k_x, k_y) is their product, which
//                      also contains the 1/N² that normalises a pair of transforms
//
// Owner: the simulation; ψ and half belong to the caller. Thread: as Device. Work is enqueued on the device's
// stream; no round trip to the host, no allocation, in advance(). Errors: as Device.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::schrodinger2d {

using compute::Complex;

template <class T>
class Propagator {
 public:
  Propagator() = default;
  virtual ~Propagator() = default;
  Propagator(const Propagator&) = delete;
  Propagator& operator=(const Propagator&) = delete;

  // On the host. Must be called before advance().
  virtual void setKinetic(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) = 0;
  // n ≥ 1 steps of psi (N × N, row-major, or the rows of a slab) in place; both in device memory.
  virtual void advance(Complex<T>* psi, const Complex<T>* half, int n) = 0;
  virtual std::string method() const = 0;
};

// Library: whole transforms and separate multiplications, the reference. Slabs: the ranks' way, always used with ranks.
enum class Route { Fastest, Library, Slabs };

template <class T>
std::unique_ptr<Propagator<T>> makePropagator(const compute::DevicePtr& device, const compute::Slab& slab,
                                              Route route = Route::Fastest);

}  // namespace simscope::schrodinger2d
