// The picture of a simulation: named arrays in device memory (channels), written between two batches of steps.
//
// Owner: the publisher owns frames; a simulation fills the one it is given. Channel data stays on the simulation's
// device and does not cross the bus. Thread: the simulation's thread writes, then records `ready`; a reader waits for
// `ready` (or makes its stream wait) before it touches the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/parameters.h"

namespace simscope {

// width × height elements of `components` floats each, row-major, components interleaved. A curve has height 1.
struct Channel {
  std::string key;
  compute::Buffer<float> data;
  int width = 0;
  int height = 1;
  int components = 1;
  // The simulation coordinates of the first and one past the last element (x), and of the first and one past the
  // last row (y): element i sits at x_min + i·(x_max - x_min)/width.
  double x_min = 0, x_max = 1;
  double y_min = 0, y_max = 1;
  // The default range of the figure's axis or colours. Constant between resets, except for live parameters, so that an
  // animation does not flicker and a window and a file agree.
  double low = 0, high = 1;
  // The present form of the values, one of the description's (AxisInfo, TraceInfo): intensities, or their logarithms.
  int form = 0;
  // Above 0: the values are whole numbers from 0 to kinds - 1, such as groups; a key shows a colour for each.
  int kinds = 0;
  std::vector<std::string> kind_names = {};  // their names, one each: "Sun"; empty: they have numbers only
  // Of points: element i is number i · every of the run's `of` elements (0: as many as here).
  int every = 1;
  std::int64_t of = 0;
};

struct Frame {
  compute::DevicePtr device;
  std::uint64_t sequence = 0;              // counts published frames, from 1
  double time = 0;                         // simulation time
  double time_step = 0;                    // of the next step; 0: not known
  std::int64_t steps = 0;                  // since the last reset
  ParameterSet parameters;                 // those of the run then; keyframes may have changed them since
  std::vector<std::size_t> followed = {};  // which of them follow keyframes, ascending
  // The speed of a launch for a drag of unit length, where it depends on the state; else 0.
  double launch_rate = 0;
  // The channels that will be read, by key; none: all of them. Others need not be computed.
  std::optional<std::vector<std::string>> wanted = {};
  std::vector<Channel> channels;
  compute::Fence ready;

  bool wants(std::string_view key) const noexcept;

  // The channel with this key and shape; it is created where it is missing or has another shape or device. References
  // to other channels stay valid (up to 64 of them). UsageError for an empty shape; OutOfMemory.
  Channel& channel(std::string_view key, int width, int height = 1, int components = 1);
  const Channel* find(std::string_view key) const noexcept;
};

}  // namespace simscope
