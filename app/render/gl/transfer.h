// Transfers a frame's channels from the simulation's device into OpenGL buffers.
//
// CUDA device = GL device: cudaGraphicsGLRegisterBuffer, then a copy device to device after the frame's fence.
// CUDA without interop (GL runs elsewhere, or a registration fails, even later): through pinned host memory, with the
// cause in the report.
// CPU: directly from the channel's memory into the GL buffer; no avoidable transfer over the bus.
// Owner: of the GL buffers and CUDA registrations. Thread: the one whose GL context is current.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sims/core/frame.h"

namespace simscope::render {

enum class TransferPath { None, HostMemory, DeviceToDevice, PinnedCopy };

struct TransferReport {
  TransferPath path = TransferPath::None;
  std::string text;              // for the status line: "interop: device to device", "interop: off (GL is on llvmpipe)"
  std::uint64_t host_bytes = 0;  // bytes over the bus for the last frame (pinned path only)
  double milliseconds = 0;       // duration of the last frame's transfer
  std::size_t buffer_bytes = 0;  // of OpenGL's buffers that hold channels
};

class Transfer {
 public:
  Transfer();
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Updates the named channel (once per frame.sequence) and returns its GL buffer name (floats, as in the channel).
  // Error if the frame has no such channel.
  unsigned buffer(const Frame& frame, const std::string& key);
  // The named channel in host memory, ready to be read; null: it is not in host memory. Error likewise.
  const float* host(const Frame& frame, const std::string& key);
  const TransferReport& report() const noexcept;
  // Sends frames of CUDA devices through host memory even if there is a shorter way, to measure the cost.
  void sendThroughHost(bool wanted);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// GL buffers now registered with CUDA, of all Transfers in the process; 0 in builds without CUDA. Any thread.
std::size_t liveRegistrations() noexcept;

}  // namespace simscope::render
