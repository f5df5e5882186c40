// Threads of this process that make runs together: each is a rank (ranks.h), and has a device of its own, or a share of
// the processor's. What one thread asks of them, all do at the same time.
//
// Owner: the device that stands for all of them (Device::crew); buffers and simulations on the devices of the crew may
// outlive it, but no longer be used. Thread: run() is called by one thread at a time; while it lasts, the devices are
// the crew's, at other times the caller's.
//
// Errors: where one rank fails, the others are ended in whatever they wait for, and its failure is what run() throws,
// with the device's name. What was on its way is given up, and the ranks are linked anew; where that fails, too, all
// later calls throw DeviceLost.
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

  // Every rank carries out `work`, with its number, inside its device (Device::run). Returns when all have.
  void run(const std::function<void(int)>& work);
  struct Failure {
    std::exception_ptr error;
    // All have refused it for the same reason: what they have is as it was before. Otherwise some may have done it, and
    // others not.
    bool alike = false;
  };
  // The same; what run() would throw is returned.
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
  std::uint64_t turn_ = 0;  // how many pieces of work there have been
  int busy_ = 0;            // ranks that are at the present one
  bool quit_ = false;
  int first_failed_ = -1;  // of the present one
};

}  // namespace simscope::compute
