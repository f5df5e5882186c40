// What a soak test does to the window, one thing after the other: through the session, as panels do, and by mouse and
// keyboard where a control is. Thread: the window's.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"
#include "tests/soak/hand.h"
#include "tests/soak/random_values.h"

namespace simscope::soak {

// Steps of an action that take a picture each: a press and its release.
using Script = std::deque<std::function<void()>>;

struct World {
  Session& session;
  const gui::Ui& ui;
  Hand& hand;
  Random& random;
  Script& script;
  const std::filesystem::path& folder;  // for files
};

// Something that must not be happens: an answer to the test, not to the user.
class Fault : public Error {
 public:
  using Error::Error;
};

struct Action {
  const char* name;
  int weight;
  // What was chosen, for the log. UsageError: refused, as it may be.
  std::function<std::string(World&)> act;
};

const std::vector<Action>& actions();
const Action& anyAction(Random& random);

}  // namespace simscope::soak
