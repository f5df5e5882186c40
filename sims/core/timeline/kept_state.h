// A copy of a run's state that stays on the run's device, to go back to: device memory is copied within the device, the
// rest (numbers, small arrays) is kept in host memory. Simulation::keep() makes it, and resume() continues from it bit
// for bit.
//
// Owner: the Stepper. The next copy reuses the memory of one that is no longer needed, if that is given to keep().
// Thread: the simulation's, inside Device::run. Errors: OutOfMemory; the copy is then empty.
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

  // Copies to memory of `device`, which may differ from the device at the time of the copy.
  void copyTo(compute::Device& device, void* memory) const;
};

class KeptState {
 public:
  // Everything except the buffers' bytes; arrays of buffers have only name, type, and shape.
  State state;
  // Of a run on several devices: the copy of each.
  std::vector<KeptState> parts;

  // Begins a copy in the memory of this one. Buffers whose size has changed are reallocated.
  void begin(compute::DevicePtr device);
  void add(const char* name, const char* dtype, std::vector<std::size_t> shape, const void* memory, std::size_t bytes);
  void finish();  // frees memory that was not reused, parts included
  const KeptArray* find(std::string_view name) const noexcept;
  std::size_t bytes() const noexcept;  // in both memories

 private:
  compute::DevicePtr device_;
  std::vector<KeptArray> arrays_;
  std::size_t added_ = 0;
};

}  // namespace simscope
