// Undo: every change of the scene except the camera, the zoom, the theme, and the recorder's settings, as a list of
// named steps.
//
// Changes are not reported: record() compares the scene with the last known one, so any change by a panel can be
// undone. A step stores what it changed and restores only that: a camera turned since stays turned.
// Each stroke is stored once, as the part of the list that a step replaced. Every new stroke is a step of its own; a
// stroke that only grew (the run takes its events as they come) belongs to its existing step.
// The state of an opened snapshot is stored once with its step, since its file may change or vanish. If all states
// together exceed kStateBytes, those of the oldest steps are dropped (Origin::lost).
// Plain data; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/core/state.h"

namespace simscope {

// Where the scene came from, or was saved last.
struct Origin {
  std::filesystem::path file;                    // empty: from no file
  std::uint64_t saved_state = 0;                 // Undo::state() of the saved scene; 0: the scene at the next record()
  std::shared_ptr<const State> start = nullptr;  // the state that the run began from; null: step 0, or
  bool lost = false;                             // the state was too large to be kept
  std::uint64_t line = 0;                        // of the run (Stepper::branch): grows where it leaves its past
  // Whether both runs begin from the same state.
  bool sameStart(const Origin& other) const noexcept { return start == other.start && lost == other.lost; }
  bool operator==(const Origin&) const = default;
};

class Undo {
 public:
  static constexpr std::size_t kDepth = 200;
  static constexpr std::size_t kStateBytes = 512u << 20;  // of snapshots' states

  struct Restored {
    Scene scene;
    Origin origin;
  };

  Undo(const Scene& scene, const Origin& origin, std::size_t state_bytes = kStateBytes);

  // All changes since the last call become one step (one per stroke, where strokes came), and the undone steps are
  // discarded. `strokes`: whether the list of strokes may have changed. `label`: the step's name; empty: named after
  // what changed.
  void record(const Scene& scene, const Origin& origin, bool strokes, const std::string& label = {});
  // The scene was saved: no undo step.
  void setOrigin(const Origin& origin) { known_.origin = origin; }
  const Origin& origin() const noexcept { return known_.origin; }  // at the last step
  // Changes since the last step were not the user's: no undo step.
  void rebase(const Scene& scene, const Origin& origin);

  // `present` with the newest step undone, or the last undone step repeated; nothing if there is none. The caller must
  // call record() first.
  std::optional<Restored> undo(const Scene& present, const Origin& origin);
  std::optional<Restored> redo(const Scene& present, const Origin& origin);
  // The names of these steps ("Barrier height"); null: there is none.
  const std::string* undoLabel() const noexcept { return done_.empty() ? nullptr : &done_.back().label; }
  const std::string* redoLabel() const noexcept { return undone_.empty() ? nullptr : &undone_.back().label; }
  std::size_t depth() const noexcept { return done_.size(); }

  // Identifies the present scene: the same number again after undo and redo.
  std::uint64_t state() const noexcept { return known_.state; }

 private:
  struct Kept {
    Scene scene;  // without strokes, which are stored below
    Origin origin;
    std::uint64_t state = 1;
  };
  struct Step {
    std::string label;
    Kept before, after;
    // The part of the list of strokes that the step replaced.
    std::size_t at = 0;
    std::vector<Stroke> removed, added;
  };

  void know(const Scene& scene, const Origin& origin);
  void push(const Scene& scene, const Origin& origin, Step step);
  void giveUpStates();
  std::optional<Restored> travel(std::deque<Step>& from, std::deque<Step>& to, bool back, const Scene& present,
                                 const Origin& origin);

  Kept known_;
  std::vector<Stroke> strokes_;  // of the last known scene
  std::deque<Step> done_, undone_;
  std::uint64_t newest_state_ = 1;
  std::size_t state_bytes_;
};

}  // namespace simscope
