// Updates a session from a script: when the form of the array changes, and when the script ends.
//
// Thread: the UI's. The receiver must outlive the session.
#pragma once

#include "app/live/receiver.h"
#include "app/session/session.h"

namespace simscope {

class LiveFollower {
 public:
  explicit LiveFollower(live::Receiver& receiver) : receiver_(receiver), shown_(receiver.shown()) {}

  // The options that the session should open with; it plays.
  const Description& description() const noexcept { return *shown_.description; }
  // Call once per turn of the window's loop. Waits during a recording: a film has one scene.
  void follow(Session& session);

 private:
  live::Receiver& receiver_;
  live::Receiver::Shown shown_;
  bool told_ = false;  // the script's end has been reported
};

}  // namespace simscope
