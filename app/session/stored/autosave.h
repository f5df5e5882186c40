// Writes the present scene to the state folder at intervals and at the end, so that a crash loses little.
//
// Each window has its own file, autosave-<pid>.json, and a lock file beside it (autosave-<pid>.lock), on which it holds
// an flock. The kernel releases the lock however the program ends, so an unlocked lock file belongs to a window that
// crashed. Its scene becomes last_session.json, as does that of a window that was closed; the one before becomes an
// earlier_session-*.json, of which the newest kMostEarlier are kept. Of several windows that crashed, the one that
// wrote last is the last session. Owner: holds the lock until its destruction, which marks an orderly end. Thread: one
// at a time. Errors: none; if the folder cannot be written, nothing is stored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/scene/scene.h"

namespace simscope {

class Autosave {
 public:
  static constexpr double kInterval = 20;  // seconds
  static constexpr std::size_t kMostEarlier = 9;

  // Looks for windows that crashed, then takes a lock. Empty folder: nothing is stored.
  explicit Autosave(const std::filesystem::path& folder);
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  // True if a window has crashed since the last start; lastSession() is then its scene.
  bool crashed() const noexcept { return crashed_; }
  // The scene of the last window that ended before this one began; empty: there is none.
  const std::filesystem::path& lastSession() const noexcept { return last_session_; }
  // Those before it, the newest first.
  const std::vector<std::filesystem::path>& earlierSessions() const noexcept { return earlier_; }

  // Writes the scene if it changed since the first call and the last write is kInterval ago (seconds). `state`: a
  // number that identifies the scene, as Undo::state().
  void keep(const Scene& scene, std::uint64_t state, double now);
  // At the end: writes all changes, including the camera's.
  void keepAtEnd(const Scene& scene);

 private:
  void collect();
  void findEarlier();
  void takeLock();
  void write(const Scene& scene);

  std::filesystem::path folder_, file_, lock_, last_session_;
  std::vector<std::filesystem::path> earlier_;
  int descriptor_ = -1;
  bool crashed_ = false;
  double kept_at_ = -kInterval;
  std::uint64_t kept_state_ = 0;
  std::string kept_;  // the last scene written, or the one that the window opened with
};

}  // namespace simscope
