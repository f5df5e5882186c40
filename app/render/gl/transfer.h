// Brings a frame's channels from the simulation's device into OpenGL buffers.
//
// CUDA device = GL device: cudaGraphicsGLRegisterBuffer, then a copy device to device behind the frame's fence.
// CUDA without interop (GL runs elsewhere): through pinned host memory, said once with its cause.
// CPU: straight from the channel's memory into the GL buffer; nothing crosses a bus that the figure could avoid.
// Owner: the GL buffers and CUDA registrations. Thread: the one whose GL context is current.
#pragma once

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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
