// A transport between the threads of one process: messages are copied from one's memory to the other's by whoever
// receives; short ones are kept until then, so that their senders need not wait.
//
// Owner: the threads share a SharedMemory, and each has an end of it. Thread: an end is its own thread's; stop(),
// stopped(), and reason() are for any. Errors: as Transport; where ranks do not call the same operations in the same
// order, or send more than is received, both fail and say so.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/ranks/transport.h"

namespace simscope::compute {

class SharedMemory {
 public:
  // One name a rank: of its device, for messages.
  explicit SharedMemory(std::vector<std::string> names);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Rank `rank`'s end of it. Once for each.
  static std::unique_ptr<Transport> end(std::shared_ptr<SharedMemory> memory, int rank);

  // From now on everything fails, on all ranks, that they begin or wait for. The first one's reason stays.
  void stop(const std::string& why) noexcept;
  bool stopped() const noexcept;
  std::string reason() const;
  // Whether all that was sent has been received, and all ranks have made the same operations to their ends. When no
  // rank is at work.
  bool atRest() const;
  // After stop(), when it is at rest: as if it had not been.
  void goOn() noexcept;

 private:
  class End;
  struct Sent;
  struct Channel;
  struct Round;
  struct Rooms;

  std::unique_ptr<Rooms> rooms_;
};

}  // namespace simscope::compute
