// Hands the newest frame from the simulation's thread to one reader without either waiting for the other.
//
// Three frames circulate: one being written, one published, one held by the reader. The writer overwrites a published
// frame that was not taken. Thread: write side and read side, one thread each.
#pragma once

#include <array>
#include <functional>
#include <mutex>

#include "sims/core/frame.h"

namespace simscope {

class Publisher {
 public:
  // Writer: the frame to fill. Its channels keep their memory between uses.
  Frame& writing();
  // Writer: makes the filled frame the newest.
  void publish();
  // Reader: the newest frame (the same one again where nothing newer came), or null before the first. It is unchanged
  // until the next call of newest().
  const Frame* newest();

 private:
  std::mutex mutex_;
  std::array<Frame, 3> frames_;
  int writing_ = 0, published_ = 1, reading_ = 2;
  bool fresh_ = false, any_ = false;
  std::uint64_t sequence_ = 0;
};

}  // namespace simscope
