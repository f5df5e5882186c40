// What the window shows and controls, without any drawing: the run, the scene that the user asked for, messages, and
// the recording.
//
// Owner: the Session owns the Runner, the history of the diagnostics, and the recording under way. Thread: the UI's.
// Errors: an invalid request throws UsageError; errors of the run become messages.
// `scene` is what the user asked for; `status` is what the run reported last. Every change is a command to the run,
// which answers with the command's id. Values that the description refuses never reach the scene. If the run refuses a
// command, for want of memory, a device, or a file, the scene returns to what it was before that change. A refused
// parameter keeps its reason in `refusals`; any other refusal becomes a message. The scene's strokes are the run's. The
// scene's parameters are the user's: keyframes change only the run's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "app/session/changes/history.h"
#include "app/session/changes/undo.h"
#include "app/session/session_options.h"
#include "sims/core/run/runner.h"

namespace simscope {

class Recording;
struct RecordSettings;

struct Message {
  enum class Level { Info, Warning, Error };
  Level level = Level::Info;
  std::string text;
  double until = 0;  // disappears at this time; 0: stays until dismissed
};

// What a run does at its preset's end. Like the pace, it is a setting of the window: it stays when another scene opens,
// and is no part of a scene.
enum class AtEnd { AsPreset, Loop, Pause, GoOn };

// A recording that has ended, and whose files exist.
struct Recorded {
  std::filesystem::path file;   // absolute; of numbered pictures the name as given
  std::filesystem::path scene;  // a file that can be opened again; empty: none
  std::string summary;          // "120 frames, 1.2 MB"
};

// A value that the run refused, and why.
struct Refusal {
  Value value;
  std::string why;
};

class Session {
 public:
  explicit Session(const SessionOptions& options);
  ~Session();

  // Applies what the run has done since the last call. True where the picture or the panels may have changed.
  bool poll(double now);
  // Called after a figure of a new frame has been drawn.
  void countDrawn() { ++frames_drawn; }

  bool playing() const noexcept { return status.playing; }
  bool recording() const noexcept { return recording_ != nullptr; }
  // A preset that names a tool (Preset::tool) waits until the user draws with the mouse, plays, or steps.
  bool awaitsStroke() const noexcept { return awaits_stroke_; }
  // The preset's tool, once after such a preset was opened.
  std::optional<std::string> takeTool() { return std::exchange(tool_in_hand_, std::nullopt); }
  // A stroke of the mouse has ended: a run that waited for it plays.
  void finishStroke();
  const Recording* recorder() const noexcept { return recording_.get(); }
  Recording* recorder() noexcept { return recording_.get(); }

  // takesInput(): whether the mouse acts on the run. takes(): whether this parameter can be changed. Both are always
  // true except while recording, when the recording decides (Recording::takes).
  bool takesInput() const noexcept;
  bool takes(std::size_t parameter) const;

  void togglePlay();
  void step();
  void reset();

  // The past (session_past.cpp). In the past, the scene's parameters are those that the run had there. Any change to
  // the run, and playing on, starts a branch: the steps ahead are dropped, and undo() restores them. undo() in the past
  // returns to the present.
  void stepBack();
  // To this step, or the nearest available one. `glance`: the user is still dragging.
  void scrub(std::int64_t step, bool glance);
  void returnToPresent();
  bool inPast() const noexcept { return past_.has_value(); }
  // False for a live array: its past cannot be recomputed, and no scene reproduces it (sims/live/live.h).
  bool hasPast() const noexcept;
  // The run's step, or the step that it is going to.
  std::int64_t pastStep() const noexcept;
  // The most bytes that copies of the run's states may take; 0: the run decides from the free memory.
  void setPastMemory(std::size_t bytes);
  std::size_t pastMemory() const noexcept { return past_memory_; }

  // Speed (session_speed.cpp): simulated time per second of wall time. It stays when a parameter changes the time step;
  // the steps per frame are adapted, so that recordings keep the speed, too. 0: the run has no time step.
  double speed() const noexcept;
  void setSpeed(double time_per_second);
  double usualSpeed() const;  // the preset's

  // Progress of a run that recomputes steps because undo changed the past; null: it does not, or has only just begun
  // to. endReplay() stops the recomputation at the step reached, which is a step of the present scene.
  const RunnerStatus::Replay* replaying() const noexcept;
  void endReplay();
  void setSeed(std::uint64_t seed);
  void setPace(const Pace& pace);
  // The user's choice overrides the preset's. A loop never discards what was drawn or loaded (RunEnd): strokes are
  // repeated only if the user chooses Loop while there are strokes.
  void setAtEnd(AtEnd wanted);
  AtEnd atEnd() const noexcept { return at_end_; }
  // Where the run ends, and how; nothing: it goes on. A changed time step leaves the preset's duration unchanged.
  std::optional<RunEnd> runEnd() const;
  void setDevice(const std::string& id);
  // The devices on which the run can continue: every single device and, where the simulation can be divided, groups:
  // all CUDA devices if there are several, and the group that the session was started with.
  std::vector<compute::DeviceInfo> offeredDevices() const;
  int threads() const noexcept { return threads_; }  // CPU threads, as given at the start; 0: all cores
  // UsageError: the value is invalid. If this parameter matters only with another one's refused value, both are set.
  void setParameter(std::size_t index, const Value& value);
  // Sets everything that differs as one change: the run restarts at most once, and undo() reverts all of it. If the run
  // refuses it, all of it is reverted.
  void setTogether(const ParameterSet& wanted);
  // Moves the window of the plane that the parameters describe (Description::navigate). False: the view has no such
  // window, or it cannot move now. Moves in quick succession are one step of undo().
  bool navigate(const Navigation& way);
  // Resets the window to the preset's; does nothing if there is none.
  void fitWindow();
  bool navigating() const noexcept { return now_ - navigated_at_ < kGestureSeconds; }
  void forgetRefusal(std::size_t index) { refusals.erase(index); }
  void poke(Brush brush);  // ignored while a recording does not take it; while the run goes back, applied at the end
  // Replaces the strokes and keyframes; `what` names the change in the list of undo steps. UsageError: they do not fit
  // the simulation.
  void setTimeline(Timeline timeline, const std::string& what);
  void clearStrokes();
  void selectPreset(const std::string& key);
  void selectSimulation(const Description& description);
  // Another simulation with one of its presets, as one change.
  void start(const Description& description, const std::string& preset);
  // Plays a given scene from its start, of this simulation or of another (an experiment of a page), and keeps the
  // window's look. One step of undo, called `what`.
  void setUp(Scene wanted, const std::string& what);

  // Records the user's changes as a step of undo(), unless a change is still being made or is not answered yet. Called
  // after each picture of the window.
  void commitEdits(bool in_hand);
  void undo();  // nothing while recording
  void redo();
  // What undo() and redo() would revert or repeat ("Barrier height V₀"); null: nothing.
  const std::string* undoLabel() const noexcept { return undo_->undoLabel(); }
  const std::string* redoLabel() const noexcept { return undo_->redoLabel(); }
  std::size_t undoDepth() const noexcept { return undo_->depth(); }

  // Files. After UsageError or Error the session and the disk are unchanged.
  // A scene file, a GIF or PNG with a scene in it, or a snapshot.
  void open(const std::filesystem::path& file);
  // Opens the scene kept when the program ended; it belongs to no file.
  void restore(const std::filesystem::path& file);
  void save(const std::filesystem::path& file, bool overwrite);
  // Saves the scene with the run's state. The state is taken between two steps; a message reports the result.
  void saveSnapshot(const std::filesystem::path& file, bool overwrite);
  const std::filesystem::path& file() const noexcept { return origin_.file; }
  bool unsaved() const noexcept { return origin_.saved_state != 0 && origin_.saved_state != undo_->state(); }
  std::uint64_t state() const noexcept { return undo_->state(); }
  // Scenes opened or saved since the last call.
  std::vector<std::filesystem::path> takeUsedFiles();
  // Takes a file dropped on the window: a picture without a scene goes to the simulation that takes one; any other file
  // is opened. UsageError.
  void drop(const std::filesystem::path& file);

  // The recording begins with the next advanceRecording(). After UsageError or Error it has not begun.
  void startRecording(const RecordSettings& settings);
  void advanceRecording(double budget_seconds);
  void cancelRecording();
  // The last recording that ended without an error since the last call.
  std::optional<Recorded> takeRecorded() { return std::exchange(recorded_, std::nullopt); }

  // Only takes the run's status and records its diagnostics: for a recording, between two polls.
  void observe();
  // The newest frame of the run; null before the first. The frame of the previous call becomes invalid.
  const Frame* refreshFrame();
  // The channels that the window's figure needs (render::neededChannels). From now on frames hold only these, except
  // for a recording.
  void showChannels(const std::vector<std::string>& needed);

  void say(Message::Level level, const std::string& text);
  // Shows the lines as one message: for example, what was ignored in a file.
  void warn(const std::vector<std::string>& lines);
  void dismiss(std::size_t index);

  Runner& runner() noexcept { return *runner_; }

  // The preset's camera; nothing: the default one.
  std::optional<Camera> usualCamera() const;

  Scene scene;
  Pace pace;
  RunnerStatus status;
  std::map<std::size_t, Refusal> refusals;  // by the parameter's index; until it, or another change, is taken
  const Frame* frame = nullptr;
  History history;
  std::vector<Message> messages;
  std::vector<compute::DeviceInfo> devices;  // single ones, of this machine
  std::uint64_t frames_drawn = 0;
  std::uint64_t pokes = 0;  // mouse events sent to the run
  double frames_per_second = 0;
  std::string last_file;  // the file written last: a picture or an animation

 private:
  struct Selection {
    CommandId command = 0;
    Scene before;
    Origin origin;
  };
  struct Mailbox;  // session_files.cpp; filled by the runner's thread

  struct Past {
    ParameterSet present;   // the user's parameters in the present
    std::int64_t step = 0;  // requested last; -1: the run decides
    CommandId command = 0;
  };
  void enterPast(std::int64_t step, CommandId command);
  void leavePast(const std::string& label = {});
  void forgetPast();
  void keepPast();
  void followPast();
  bool resumeLine(const Undo::Restored& restored, const Scene& former);
  void usePace(int steps_per_frame);
  void keepSpeed(const ParameterSet& before);
  double timeStep() const;

  void select(Scene wanted);
  void awaitStroke();
  void load(Scene wanted, std::shared_ptr<const State> state, Origin origin, const std::string& what);
  void begin(Scene wanted, const Origin& origin);
  void beginAtStepZero() noexcept;
  void refuseWhileReplaying(const std::string& what) const;
  void refuseLive() const;
  void restore(Undo::Restored restored);
  void sendTimeline(Timeline timeline);
  void hearTimeline();
  bool timelineAnswered() const noexcept { return status.handled >= timeline_command_; }
  bool changesAnswered() const noexcept { return status.handled >= change_command_ && !status.changes_wait; }
  bool answered() const noexcept {
    return changesAnswered() && selecting_.empty() && timelineAnswered() && status.handled >= seed_command_;
  }
  void recordUndo();
  bool takeMail();
  void sendEnd();
  static std::shared_ptr<Mailbox> openMailbox();
  bool windowMoves() const;
  void moveWindow(const ParameterSet& wanted);
  void setParameters(ParameterSet wanted, std::vector<std::size_t> changed);
  bool runSpeaksOfScene() const;
  bool takeAnswers();
  void hearRefusal(const RefusedCommand& refused);
  void hearRefusedChange(const RefusedCommand& refused);
  void refuse(const std::string& key, const std::string& why, const ParameterSet& wanted,
              const std::vector<std::size_t>& changed);
  void takeBackSelection(CommandId command);
  void restoreStart();
  bool plotNewest();
  void follow();

  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Recording> recording_;
  std::optional<Recorded> recorded_;
  std::optional<Past> past_;
  CommandId branching_ = 0;  // until the run has reached the step where its branch begins
  std::uint64_t newest_line_ = 0;
  std::map<std::uint64_t, History> histories_;  // of lines that were left, by line
  std::size_t past_memory_ = 0;
  std::int64_t seen_work_ = 0;  // tenths of a second
  int threads_ = 0;
  std::vector<compute::DeviceInfo> several_;  // groups of devices that are offered
  double now_ = 0;
  static constexpr double kGestureSeconds = 0.6;  // between two notches of the wheel
  double navigated_at_ = -kGestureSeconds;
  double replaying_since_ = 0;
  bool awaits_stroke_ = false;
  std::optional<std::string> tool_in_hand_;
  AtEnd at_end_ = AtEnd::AsPreset;
  bool loop_strokes_ = false;       // Loop was chosen while there were strokes
  std::optional<RunEnd> sent_end_;  // what the run was told last
  std::uint64_t seen_messages_ = 0, seen_epoch_ = 0, seen_frame_ = 0;
  bool follow_run_ = false;           // after a refusal, until the user's next change
  std::vector<Selection> selecting_;  // not answered yet; oldest first
  // The newest command that asked for the scene's parameters, its timeline, its seed, and a snapshot's state.
  CommandId change_command_ = 0, timeline_command_ = 0, seed_command_ = 0, load_command_ = 0;
  std::vector<Brush> waiting_;  // strokes of the mouse that wait for the timeline
  std::shared_ptr<const Timeline> heard_timeline_;
  std::optional<Undo> undo_;
  Origin origin_;
  std::string change_;            // name of the next undo step; empty: named after what changed
  bool strokes_changed_ = false;  // since the last undo step
  std::vector<std::filesystem::path> used_files_;
  std::shared_ptr<Mailbox> mailbox_ = openMailbox();
  double rate_since_ = 0;
  std::uint64_t rate_frames_ = 0;
  const Description* shown_of_ = nullptr;  // the description whose channels the run was told; null: all
  std::optional<std::vector<std::string>> shown_channels_;
};

}  // namespace simscope
