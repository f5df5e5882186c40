// A typed kernel on a CUDA device: its source is compiled by NVRTC at run time, loaded by the driver, and started with
// a watch that ends its loops. Both libraries are loaded when first needed.
//
// Thread: inside Device::run of the device (compileForCuda: any; it needs no device). Errors: Error with NVRTC's own
// message, which names lines of the user's text, or if a library is missing; as Device.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "app/lab/lessons/just_in_time/just_in_time_examples.h"
#include "sims/compute/device.h"

namespace simscope::lab::just_in_time {

struct Image {
  std::string code;
  std::string compiler;  // "NVRTC 13.0"
  bool ptx = false;      // compiled further by the driver, if NVRTC does not know the card
  double seconds = 0;    // compile time
};
// capability: 90 for 9.0.
Image compileForCuda(const std::string& source, int capability);
int capabilityOf(const compute::Device& device);

class Kernel {
 public:
  // seconds: the time limit of its loops.
  Kernel(compute::DevicePtr device, const Image& image, double seconds);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  // Enqueues one run.
  void launch(const Arrays& arrays, std::size_t n);
  // One run; waits and calls `check`, which may throw: then the kernel is stopped, too. Returns the line of the loop
  // that was stopped; 0: none; -1: the host had to stop it.
  int watched(const Arrays& arrays, std::size_t n, const std::function<void()>& check);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace simscope::lab::just_in_time
