// Advances ψ by split-operator steps: half a potential step, a kinetic step, half a potential step. n steps equal n
// single steps to the bit: between two steps both halves are made in one pass, but one after the other. Three ways: a
// block of threads on one CUDA multiprocessor (up to 4096 points), cuFFT in CUDA graphs, and FFTW on the CPU.
//
// Owner: the simulation. Thread: as Device. Work is enqueued on the device's stream; no round trip to the host, no
// allocation, in advance(). Errors: as Device.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sims/compute/device.h"
#include "sims/compute/error.h"
#include "sims/tunneling/factors.h"

namespace simscope::tunneling {

template <class T>
class Propagator {
 public:
  Propagator() = default;
  virtual ~Propagator() = default;
  Propagator(const Propagator&) = delete;
  Propagator& operator=(const Propagator&) = delete;

  // Takes new factors for the number of points that the propagator was made for; must be called before advance().
  // All of its runs share them.
  virtual void setFactors(const Factors<T>& factors) = 0;
  // Separate factors for each of its runs, with the bits of makeFactors(). Only a propagator of makeOnChipPropagator()
  // takes them; the spans are copied.
  virtual void setFactorsOfEach(const FactorsOfRuns<T>&) { throw Error(method() + ": advances one run, not many"); }
  // n ≥ 0 steps of the N values at `psi`, in device memory that stays the propagator's only one; likewise `tallies`, of
  // 4·N/16 values (absorbed.h), to which the probability taken by absorbing edges is added. Several runs lie one after
  // the other.
  virtual void advance(Complex<T>* psi, T* tallies, int n) = 0;
  virtual std::string method() const = 0;
  virtual bool onChip() const { return false; }
};

enum class Route { Fastest, Library };  // Library: FFTW or cuFFT even where the points fit on one multiprocessor

template <class T>
std::unique_ptr<Propagator<T>> makePropagator(const compute::DevicePtr& device, int points,
                                              Route route = Route::Fastest);

// The propagator of block_fft.h, or null where it is not available: no CUDA device, more than 4096 points, or too
// little shared memory on a multiprocessor. `runs`: how many it advances side by side, each by a block of its own.
template <class T>
std::unique_ptr<Propagator<T>> makeOnChipPropagator(const compute::DevicePtr& device, int points, std::size_t runs = 1);

}  // namespace simscope::tunneling
