// Threads of this process that make runs together: each is a rank (ranks.h), and has a device of its own, or a share of
// the processor. All carry out a request of one thread at the same time.
//
// Owner: the device that stands for all of them (Device::crew); buffers and simulations on the devices of the crew may
// outlive it, but may no longer be used. Thread: run() is called by one thread at a time; while it lasts, the devices
// are the crew's, at other times the caller's.
//
// Errors: where one rank fails, the waits of the others end, and run() throws its failure, with the device's name.
// Messages under way are dropped, and the ranks are linked again; if that fails, too, all later calls throw DeviceLost.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/ranks/transport_memory.h"

namespace simscope::compute {

class Crew {
 public:
  // specs: of Device::open, of one device each; two of them at least. threads: of each CPU device. Errors: as
  // Device::open.
  Crew(std::vector<std::string> specs, int threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const noexcept { return static_cast<int>(members_.size()); }
  const DevicePtr& device(int rank) const { return members_[static_cast<std::size_t>(rank)].device; }
  // What carries messages between the devices: "NCCL 2.27", "host memory".
  std::string link() const;

  // Every rank carries out `work`, with its number, inside its device (Device::run). Returns when all have finished.
  void run(const std::function<void(int)>& work);
  struct Failure {
    std::exception_ptr error;
    // Whether all ranks refused the work for the same reason, so that their state is unchanged. Otherwise some may have
    // done it, and others not.
    bool alike = false;
  };
  // The same; returns the failure that run() would throw.
  std::optional<Failure> tryRun(const std::function<void(int)>& work);

  // Within `work`, for code that does not wait: whether another rank has failed, so that it can stop early.
  bool failing() const noexcept;

  // What all devices have done since they were opened.
  Counters counters() const;

 private:
  struct Member {
    DevicePtr device;
    std::thread thread;
    std::exception_ptr error;
  };

  void main(int rank);
  void carryOut(int rank, const std::function<void(int)>& work) noexcept;
  void all(const std::function<void(int)>& work);
  std::exception_ptr link(bool anew);
  std::optional<Failure> failure();

  std::vector<std::string> specs_;
  std::vector<Member> members_;
  std::shared_ptr<SharedMemory> memory_;
  std::string lost_;  // why nothing can be done any more

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int)>* work_ = nullptr;
  std::uint64_t turn_ = 0;  // the number of pieces of work so far
  int busy_ = 0;            // ranks that work on the present one
  bool quit_ = false;
  int first_failed_ = -1;  // of the present one
};

}  // namespace simscope::compute
