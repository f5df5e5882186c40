#include "app/session/live_follower.h"

#include <string>
#include <utility>

namespace simscope {

namespace {

std::string sentence(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

}  // namespace

void LiveFollower::follow(Session& session) {
  if (session.recording()) return;
  if (live::Receiver::Shown now = receiver_.shown(); now.description != shown_.description) {
    shown_ = std::move(now);
    session.start(*shown_.description, "");
    session.runner().play();
  }
  const std::string why = shown_.mailbox->finished();
  if (why.empty()) return;
  const bool plays = session.scene.description == shown_.description && session.playing();
  if (plays && shown_.mailbox->waiting()) return;  // the last array first
  if (plays) session.step();                       // and pause the run
  if (std::exchange(told_, true) && !plays) return;
  session.say(Message::Level::Info, sentence(why) + ". The last array stays visible.");
}

}  // namespace simscope
