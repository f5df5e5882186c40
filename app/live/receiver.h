// The program's end of the socket of `simscope show`: takes descriptions and updates from a script, and returns its
// slots.
//
// The starting process passes the socket: it has no name, so no other process can connect to it; its other end must
// belong to the same user. Arrays are in a memory file of the script, sealed against shrinking so that no access here
// can fail; or in slots on the CUDA device that the window computes on (device_side.h). A thread waits for messages;
// the first invalid one ends the connection with the reason, which the script also receives. Owner: of the socket;
// mappings live as long as a loan of them exists. Thread: the constructor and destructor one, the rest any. Errors: the
// constructor throws UsageError (no such socket, another user's, an invalid message, nothing within `patience`); later
// errors are reported by the mailbox's finished().
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/live/device_side.h"
#include "app/live/message.h"
#include "sims/live/live.h"

namespace simscope::live {

class Receiver {
 public:
  // Waits for the first description and its first array.
  explicit Receiver(int socket, std::chrono::milliseconds patience = std::chrono::seconds(20));
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  // The description of the script's newest array, and the mailbox of such arrays.
  struct Shown {
    const Description* description = nullptr;
    std::shared_ptr<Mailbox> mailbox;
  };
  Shown shown() const;

 private:
  class Line;
  class Memory;

  bool hear(std::chrono::milliseconds patience);  // false: the script has ended
  void announce(const ArrayMessage& message, int memory_file);
  Shown describedBy(const LiveArray& array);
  void update(const UpdateMessage& message);
  void update(const DeviceUpdateMessage& message);
  void requireForm(const UpdateMessage& message) const;
  void listen();
  void end(const std::string& why);

  std::shared_ptr<Line> line_;
  std::shared_ptr<DeviceSide> device_side_;
  std::shared_ptr<Memory> memory_;
  std::shared_ptr<const LiveArray> array_;  // the newest form
  std::uint32_t forms_ = 0;                 // so far
  // Those that have a description of their own. Each stays for as long as the program runs.
  struct Known {
    LiveArray array;
    Shown shown;
  };
  std::vector<Known> known_;
  mutable std::mutex mutex_;
  Shown shown_;
  std::thread thread_;
};

}  // namespace simscope::live
