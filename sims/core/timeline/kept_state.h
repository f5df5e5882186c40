// A copy of a run's state that stays where the run computes, to go back to: what is in the device's memory is copied
// within it, the rest (numbers, small arrays) lies in host memory. Simulation::keep() makes it, and resume() goes on
// from it bit for bit.
//
// Owner: whoever goes back (Stepper). Memory of a copy that is no longer needed is used again by the next one: give it
// to keep(). Thread: the simulation's, inside Device::run. Errors: OutOfMemory; the copy is empty then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/state.h"

namespace simscope {

struct KeptArray {
  std::string name;
  compute::Buffer<std::byte> bytes;

  // To memory of `device`, which may be another one than the run was on when it was copied.
  void copyTo(compute::Device& device, void* memory) const;
};

class KeptState {
 public:
  // Everything but the buffers' bytes, whose arrays have name, type, and shape alone.
  State state;
  // Of a run that several devices make: what each of them has kept.
  std::vector<KeptState> parts;

  // Begins a copy in the memory of this one. Buffers that have changed their size are allocated anew.
  void begin(compute::DevicePtr device);
  void add(const char* name, const char* dtype, std::vector<std::size_t> shape, const void* memory, std::size_t bytes);
  void finish();  // gives up what was not used again, parts included
  const KeptArray* find(std::string_view name) const noexcept;
  std::size_t bytes() const noexcept;  // in both memories

 private:
  compute::DevicePtr device_;
  std::vector<KeptArray> arrays_;
  std::size_t added_ = 0;
};

}  // namespace simscope
