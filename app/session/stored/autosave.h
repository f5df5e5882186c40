// The scene as it is now, written to the state folder every so often and at the end, so that a crash loses little.
//
// Each window has a file of its own, autosave-<pid>.json, and beside it a lock (autosave-<pid>.lock) on which it holds
// an flock: the kernel lets go of it however the program ends. A lock file that is not locked belongs to a window that
// crashed; its
// scene becomes last_session.json, as the one of a window that was closed does.
// Owner: holds the lock until it is destroyed, which is the end of an orderly run. Thread: one at a time. Errors: none;
// where the folder cannot be written, nothing is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/scene/scene.h"

namespace simscope {

class Autosave {
 public:
  static constexpr double kInterval = 20;  // seconds

  // Looks for windows that crashed, then takes a lock. An empty folder: nothing is kept.
  explicit Autosave(const std::filesystem::path& folder);
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  // True where a window has crashed since the last start, and lastSession() is what it left.
  bool crashed() const noexcept { return crashed_; }
  // The scene of the window that ended last before this one began; empty: there is none.
  const std::filesystem::path& lastSession() const noexcept { return last_session_; }

  // Writes the scene where something has changed since the first call, and the last time is kInterval ago (seconds).
  // `state`: a number for what the scene is, as Undo::state().
  void keep(const Scene& scene, std::uint64_t state, double now);
  // At the end: all that has changed, the camera, too.
  void keepAtEnd(const Scene& scene);

 private:
  void collect();
  void takeLock();
  void write(const Scene& scene);

  std::filesystem::path folder_, file_, lock_, last_session_;
  int descriptor_ = -1;
  bool crashed_ = false;
  double kept_at_ = -kInterval;
  std::uint64_t kept_state_ = 0;
  std::string kept_;  // what was written last, or the window opened with
};

}  // namespace simscope
