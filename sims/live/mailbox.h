// An array that somebody else computes, on its way into a simulation: newest wins, and neither side waits for the
// other.
//
// The side that receives offers arrays in memory that it lends, of the host or of a CUDA device; the side that shows
// copies the newest one out when it is ready for it and gives the memory back. What was offered and not taken goes back
// when something newer comes. What was taken last stays, for whoever asks again: a run that begins anew, or on another
// device. Thread: any; one taker at a time, inside Device::run where it gives its device. Owner: a loan is whose `end`
// has not been called; it is called exactly once, on whichever thread, without the mailbox's lock. Errors:
// std::bad_alloc, OutOfMemory, and the device's errors in take(): the loan is given back then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/foreign_slots.h"
#include "sims/live/elements.h"

namespace simscope::live {

// In a slot of a CUDA device, of which `layout` says where the elements lie. They may still be on their way into it.
struct DeviceLoan {
  std::shared_ptr<const compute::ForeignSlots> slots;
  std::size_t slot = 0;
  std::string device;  // DeviceInfo::id: others cannot read it
  ElementType type = ElementType::Float32;
  Layout layout;
  int width = 0, height = 1;
};

struct Loan {
  std::span<const float> values;  // row by row; of complex numbers re, im
  std::uint64_t number = 0;       // of the update, counted by the script from 1
  double time = 0;                // the script's
  // The memory is the lender's again. What reading it took by the clock, on a CUDA device: long where the device is
  // busy with others' work; else 0.
  std::function<void(std::chrono::microseconds)> end;
  std::optional<DeviceLoan> on_device = {};  // instead of `values`
};

// A copy, and what was found in it on the way. Extremes and mean are of the finite elements: of complex numbers, of
// their magnitudes. Without one, low = 0, high = 1, and the mean is NaN.
struct Picture {
  std::vector<float> values;         // on the host, or
  compute::Buffer<float> on_device;  // on the taker's device
  std::uint64_t number = 0;
  double time = 0;
  double low = 0, high = 1, mean = 0;
  std::uint64_t not_finite = 0;  // elements
};
using PicturePtr = std::shared_ptr<const Picture>;

class Mailbox {
 public:
  // `components`: numbers of an element, 1 or 2.
  explicit Mailbox(int components) : components_(components) {}
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  void offer(Loan loan);
  // No more will come, and why: "the script has ended". What was offered can still be taken.
  void finish(std::string why);
  // Another mailbox replaces this one: unused memory is freed.
  void retire();

  // The newest, copied; waits so long where none has come since the last one and more may come. The one before where
  // nothing comes; null where there never was any. Arrays of a CUDA device are for who gives that device.
  PicturePtr take(std::chrono::milliseconds patience, const compute::DevicePtr& device = nullptr);
  bool waiting() const;  // something is offered and not taken
  // Why nothing more comes; empty: it may.
  std::string finished() const;

  // Where what comes is used, for the side that receives: a run says it when it begins; the last one counts.
  void usedOn(const compute::DeviceInfo& device);
  void watchUse(std::function<void(const compute::DeviceInfo&)> watcher);

 private:
  std::optional<Loan> claim(std::chrono::milliseconds patience);
  std::optional<Loan> claimNow(bool& pending);
  std::shared_ptr<Picture> blank();

  const int components_;
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::optional<Loan> offered_;
  std::string finished_;
  std::chrono::steady_clock::time_point finished_at_;
  std::function<void(const compute::DeviceInfo&)> watcher_;
  PicturePtr latest_;
  std::vector<std::shared_ptr<Picture>>
      pool_;  // their memory is used again: a large one costs more to get than to fill
};

}  // namespace simscope::live
