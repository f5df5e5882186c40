// What the user can take back: every change of the scene but the camera, the zoom, the theme, and the recorder's
// settings, as a list of named steps.
//
// Changes are not reported: record() compares the scene with the last known one, so any change by a panel can be
// undone. A step keeps what it changed and puts back no more than that: a camera turned since stays turned.
// Strokes are kept once each, as the part of the list that a step replaced; every new stroke is a step of its own, and
// one that only grew (the run takes its events as they come) belongs to the step that it already has.
// The state of a snapshot that was opened is kept with its step, once, since its file may change or vanish; where all
// of them together take more than a number of bytes, those of the oldest steps are given up (Origin::lost).
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

// Where the scene came from, or was written to last.
struct Origin {
  std::filesystem::path file;     // empty: from no file
  std::uint64_t saved_state = 0;  // Undo::state() of what stands there; 0: of the scene as it is at the next record()
  std::shared_ptr<const State> start = nullptr;  // that the run went on from; null: it began at step 0, or
  bool lost = false;                             // there was one, too large to be kept
  std::uint64_t line = 0;                        // of the run (Stepper::branch): grows where it left its past's way
  // Whether the run begins alike.
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

  // What has changed since the last call becomes one step (one a stroke, where strokes came), and what was undone is
  // forgotten. `strokes`: whether the list of strokes may have changed. `label`: what the step is called, otherwise it
  // is named after what changed.
  void record(const Scene& scene, const Origin& origin, bool strokes, const std::string& label = {});
  // The scene was saved: no step.
  void setOrigin(const Origin& origin) { known_.origin = origin; }
  const Origin& origin() const noexcept { return known_.origin; }  // at the last step
  // What has changed since was not the user's doing: no step.
  void rebase(const Scene& scene, const Origin& origin);

  // `present` with the newest step taken back, or the last one taken back made again; nothing where there is none.
  // The caller settles first.
  std::optional<Restored> undo(const Scene& present, const Origin& origin);
  std::optional<Restored> redo(const Scene& present, const Origin& origin);
  // Their names ("Barrier height"); null: there is none.
  const std::string* undoLabel() const noexcept { return done_.empty() ? nullptr : &done_.back().label; }
  const std::string* redoLabel() const noexcept { return undone_.empty() ? nullptr : &undone_.back().label; }
  std::size_t depth() const noexcept { return done_.size(); }

  // A number for what the scene is now: the same again after undo and redo.
  std::uint64_t state() const noexcept { return known_.state; }

 private:
  struct Kept {
    Scene scene;  // its strokes stand elsewhere
    Origin origin;
    std::uint64_t state = 1;
  };
  struct Step {
    std::string label;
    Kept before, after;
    // Of the list of strokes: the part that the step replaced.
    std::size_t at = 0;
    std::vector<Stroke> removed, added;
  };

  void know(const Scene& scene, const Origin& origin);
  void push(const Scene& scene, const Origin& origin, Step step);
  void giveUpStates();
  std::optional<Restored> travel(std::deque<Step>& from, std::deque<Step>& to, bool back, const Scene& present,
                                 const Origin& origin);

  Kept known_;
  std::vector<Stroke> strokes_;  // known, too
  std::deque<Step> done_, undone_;
  std::uint64_t newest_state_ = 1;
  std::size_t state_bytes_;
};

}  // namespace simscope
