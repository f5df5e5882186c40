// Updates a session from a script: when the array's form changes, and when the script ends.
//
// Thread: the UI's. The receiver must outlive the session.
#pragma once

#include "app/live/receiver.h"
#include "app/session/session.h"

namespace simscope {

class LiveFollower {
 public:
  explicit LiveFollower(live::Receiver& receiver) : receiver_(receiver), shown_(receiver.shown()) {}

  // What the session should open with; plays.
  const Description& description() const noexcept { return *shown_.description; }
  // Once a turn of the window's loop. While a recording is under way it has to wait: a film has one scene.
  void follow(Session& session);

 private:
  live::Receiver& receiver_;
  live::Receiver::Shown shown_;
  bool told_ = false;  // that the script has ended
};

}  // namespace simscope
