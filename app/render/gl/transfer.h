// Brings a frame's channels from the simulation's device into OpenGL buffers.
//
// CUDA device = GL device: cudaGraphicsGLRegisterBuffer, then a copy device to device behind the frame's fence.
// CUDA without interop (GL runs elsewhere, or a registration fails, be it later): through pinned host memory, with the
// cause in the report.
// CPU: straight from the channel's memory into the GL buffer; nothing crosses a bus that the figure could avoid.
// Owner: the GL buffers and CUDA registrations. Thread: the one whose GL context is current.
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
  double milliseconds = 0;       // that bringing the last frame took
  std::size_t buffer_bytes = 0;  // of OpenGL's buffers that hold channels
};

class Transfer {
 public:
  Transfer();
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Brings the named channel up to date (once per frame.sequence) and returns its GL buffer name (floats, as in
  // the channel). Error where the frame has no such channel.
  unsigned buffer(const Frame& frame, const std::string& key);
  // The named channel where it lies in the host's memory, ready to be read; null: it lies elsewhere. Error likewise.
  const float* host(const Frame& frame, const std::string& key);
  const TransferReport& report() const noexcept;
  // Sends frames of CUDA devices through the host's memory though there is a shorter way, to see what that costs.
  void sendThroughHost(bool wanted);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// OpenGL buffers that CUDA knows now, of all Transfers in the process; 0 in builds without CUDA. Any thread.
std::size_t liveRegistrations() noexcept;

}  // namespace simscope::render
