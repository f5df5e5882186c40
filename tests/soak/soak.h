// A soak test: the whole window, used at random for as long as one likes. It begins with every simulation once; then
// come rounds of random actions, each round ending at home: the same simulation, size, and look, paused, where nothing
// may have been lost. Every action has a random generator of its own, so that a seed does the same as far as the
// machine's speed allows.
//
// Owner: the caller; settings' folder gets its files. Thread: turn() is called by the window's loop.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/soak/actions.h"
#include "tests/soak/audit.h"
#include "tests/soak/watchdog.h"

namespace simscope::soak {

struct Settings {
  double minutes = 2;
  std::uint64_t seed = 0;
  int actions_per_round = 25;
  double hung_seconds = 90;
  std::filesystem::path folder = ".";
};

class Soak {
 public:
  explicit Soak(const Settings& settings);

  void turn(Session& session, const gui::Ui& ui);
  bool over() const noexcept { return over_; }
  // What went wrong; empty: nothing.
  const std::string& failure() const noexcept { return failure_; }
  std::string summary() const;

 private:
  enum class Stage { Tour, Acting, GoingHome, AtHome };

  void check(Session& session);
  void next(Session& session, const gui::Ui& ui);
  void tour(Session& session);
  void act(Session& session, const gui::Ui& ui);
  void goHome(Session& session, const gui::Ui& ui);
  bool home(Session& session, const gui::Ui& ui);
  std::size_t mostBytes() const;
  void audit(Session& session);
  void fail(const std::string& why);
  double seconds() const;

  Settings settings_;
  Watchdog watchdog_;
  std::unique_ptr<Hand> hand_;
  std::optional<Random> random_;
  Script script_;
  Stage stage_ = Stage::Tour;
  bool over_ = false;
  std::string failure_;
  double began_ = 0;
  int picture_ = -1;       // of Dear ImGui's count: the last one that was seen
  double stepped_at_ = 0;  // the last step of a script
  int rest_ = 0;           // pictures before the next thing
  double home_since_ = 0;
  std::size_t toured_ = 0;
  int done_ = 0, in_round_ = 0, rounds_ = 0, refused_ = 0;
  std::map<std::string, int> counts_;  // of actions
  std::map<std::string, int> said_;    // errors that the window showed
  std::string last_said_;
  struct Held {
    GlObjects gl;
    std::size_t resident = 0, registrations = 0;
    std::size_t run = 0, frames = 0;  // bytes on the device
  };
  std::vector<Held> homes_;
};

}  // namespace simscope::soak
