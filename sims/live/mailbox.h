// Passes arrays that another program computes to a simulation: the newest replaces older ones, and neither side waits
// for the other.
//
// The receiving side offers arrays in memory that it lends, of the host or of a CUDA device. The showing side copies
// the newest one out when it is ready and returns the memory. An offered array that was not taken is returned when a
// newer one comes. The array taken last stays, for a run that begins again or on another device. Thread: any; one taker
// at a time, inside Device::run where it gives its device. Owner: a loan's memory stays lent until its `end` is called,
// exactly once, on any thread, without the mailbox's lock. Errors: std::bad_alloc, OutOfMemory, and the device's errors
// in take(); the loan is then returned.
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

struct LiveArray;

// An array in a slot of a CUDA device; `layout` says where its elements lie. Their copy into it may still be under way.
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
  double time = 0;                // script time
  // Returns the memory to the lender. The argument: the wall-clock time of reading it on a CUDA device, which is long
  // where the device is busy with other work; else 0.
  std::function<void(std::chrono::microseconds)> end;
  std::optional<DeviceLoan> on_device = {};  // instead of `values`
  // Its shape, axes, and range; null: those that were described first.
  std::shared_ptr<const LiveArray> form = {};
  Lost lost = {};  // measured here for an array on a device
};

// A copy, with statistics. Extremes and mean are of the finite elements, of complex numbers of their magnitudes.
// Without a finite element, low = 0, high = 1, and the mean is NaN.
struct Picture {
  std::vector<float> values;         // on the host, or
  compute::Buffer<float> on_device;  // on the taker's device
  std::uint64_t number = 0;
  double time = 0;
  double low = 0, high = 1, mean = 0;
  std::uint64_t not_finite = 0;  // elements, those beyond single precision among them
  Lost lost = {};
  std::shared_ptr<const LiveArray> form = {};  // as in Loan
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
  // Ends the stream, with the reason: "the script has ended". An offered array can still be taken.
  void finish(std::string why);
  // Another mailbox replaces this one: unused memory is freed.
  void retire();
  // It replaces the other one again.
  void resume();

  // The newest array, copied. Waits up to `patience` where none has come since the last one and more may come. The
  // previous one where nothing comes; null where there never was any. Arrays of a CUDA device require that device.
  PicturePtr take(std::chrono::milliseconds patience, const compute::DevicePtr& device = nullptr);
  bool waiting() const;  // an array is offered and not taken
  // Why nothing more comes; empty: more may come.
  std::string finished() const;

  // Tells the receiving side on which device arrays are used: a run calls it when it begins; the last call counts.
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
      pool_;  // memory for reuse: to allocate a large array costs more than to fill it
};

}  // namespace simscope::live
