// A transport between the threads of one process: the receiver copies messages from the sender's memory to its own;
// short ones are buffered until then, so that their senders need not wait.
//
// Owner: the threads share a SharedMemory, and each has an end of it. Thread: an end belongs to one thread; any thread
// may call stop(), stopped(), and reason(). Errors: as Transport; where ranks do not call the same operations in the
// same order, or send more than is received, both fail and report it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/ranks/transport.h"

namespace simscope::compute {

class SharedMemory {
 public:
  // One name a rank: that of its device, for error messages.
  explicit SharedMemory(std::vector<std::string> names);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  // Rank `rank`'s end of it. To be called once for each rank.
  static std::unique_ptr<Transport> end(std::shared_ptr<SharedMemory> memory, int rank);

  // From now on all operations of all ranks fail, new and waiting ones. The first call's reason is kept.
  void stop(const std::string& why) noexcept;
  bool stopped() const noexcept;
  std::string reason() const;
  // Whether all messages have been received, and all ranks have completed the same operations. To be called when no
  // rank is at work.
  bool atRest() const;
  // Undoes stop(), when at rest.
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
