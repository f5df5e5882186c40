// What the window shows and controls, without any drawing: the run, what the user asked it for, messages, the
// recording.
//
// Owner: the Session owns the Runner, the history of the diagnostics, and a recording while there is one. Thread: the
// UI's. What cannot be asked for is thrown as UsageError; errors of the run become messages.
// `scene` is what the user asked for; `status` is what the run last told. Every change is a command of the run's, which
// answers by the command's id: where it refuses, the scene goes back to what it was before that change. A refused
// parameter keeps its reason in `refusals`, anything else becomes a message. The scene has the
// strokes that the run has had, and its parameters are the user's: keyframes move the run's alone.
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
#include "app/session/changes/pending_changes.h"
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
  double until = 0;  // goes by itself at this time; 0: stays until dismissed
};

// What a run does when it comes to its preset's end. A way to watch, like the pace: it stays when other scenes open,
// and belongs to none.
enum class AtEnd { AsPreset, Loop, Pause, GoOn };

// A recording that has ended, and whose files are there.
struct Recorded {
  std::filesystem::path file;   // absolute; of numbered pictures as it was named
  std::filesystem::path scene;  // that can be opened again; empty: none
  std::string summary;          // "120 frames, 1.2 MB"
};

// A value that the run did not take, and why.
struct Refusal {
  Value value;
  std::string why;
  CommandId heard = 0;  // the newest parameters that the run was asked for by then
};

class Session {
 public:
  explicit Session(const SessionOptions& options);
  ~Session();

  // Takes over what the run has done since. True where the picture or the panels may have changed.
  bool poll(double now);
  // Called after a figure of a new frame has been drawn.
  void countDrawn() { ++frames_drawn; }

  bool playing() const noexcept { return status.playing; }
  bool recording() const noexcept { return recording_ != nullptr; }
  // A preset that names a tool (Preset::tool) waits until something is drawn with the mouse, or somebody plays or
  // steps.
  bool awaitsStroke() const noexcept { return awaits_stroke_; }
  // That tool, once after such a preset was opened.
  std::optional<std::string> takeTool() { return std::exchange(tool_in_hand_, std::nullopt); }
  // A stroke of the mouse has ended: what waited for it plays.
  void finishStroke();
  const Recording* recorder() const noexcept { return recording_.get(); }
  Recording* recorder() noexcept { return recording_.get(); }

  // Whether the mouse acts on the run, and this parameter can be changed: always but while recording, where the
  // recording says (Recording::takes).
  bool takesInput() const noexcept;
  bool takes(std::size_t parameter) const;

  void togglePlay();
  void step();
  void reset();

  // The past (session_past.cpp). In it the scene's parameters are those that the run had there; whatever changes the
  // run or plays on begins a branch: what lies ahead is left, and undo() brings it back. undo() in the past returns to
  // the present.
  void stepBack();
  // To this step, or the nearest that there is. `glance`: the hand still moves.
  void scrub(std::int64_t step, bool glance);
  void returnToPresent();
  bool inPast() const noexcept { return past_.has_value(); }
  // Of a live array there is only the present: no way back, and no scene that makes it again (sims/live/live.h).
  bool hasPast() const noexcept;
  // Where the run stands, or goes.
  std::int64_t pastStep() const noexcept;
  // Bytes that copies of the run's states may take; 0: the run decides by what is free.
  void setPastMemory(std::size_t bytes);
  std::size_t pastMemory() const noexcept { return past_memory_; }

  // Speed (session_speed.cpp): simulated time per second of the clock. It stays when a parameter changes the time step,
  // and the steps of a frame follow, so that recordings keep it, too. 0: the run has no time step.
  double speed() const noexcept;
  void setSpeed(double time_per_second);
  double usualSpeed() const;  // of the preset

  // Of a run that makes steps again since the past was changed (undo); null: it does not, or is soon there. endReplay()
  // ends that where the run is, which is a step of the scene as it is now.
  const RunnerStatus::Replay* replaying() const noexcept;
  void endReplay();
  void setSeed(std::uint64_t seed);
  void setPace(const Pace& pace);
  // The user's own choice counts over the preset's. No loop takes away what was drawn or loaded (RunEnd): only who
  // chooses Loop once there are strokes has them come again.
  void setAtEnd(AtEnd wanted);
  AtEnd atEnd() const noexcept { return at_end_; }
  // Where the run ends, and how; nothing: it goes on. A preset lasts as long if its time step is another.
  std::optional<RunEnd> runEnd() const;
  void setDevice(const std::string& id);
  // What the run can go on on: the single devices, and several together where the run is divided among them: all CUDA
  // devices, where there are more than one, and those that the session was started with.
  std::vector<compute::DeviceInfo> offeredDevices() const;
  int threads() const noexcept { return threads_; }  // of the CPU, as it was opened; 0: all cores
  // UsageError: no value of the parameter's. A refused value that this parameter alone is needed for comes along.
  void setParameter(std::size_t index, const Value& value);
  // All that differs as one change: the run restarts once, if at all, and undo() takes all of it back. Where the run
  // refuses it, all of it goes back.
  void setTogether(const ParameterSet& wanted);
  // The mouse moves the window of the plane that the parameters say (Description::navigate). False: there is none in
  // that view, or not now. What follows each other soon is one step of undo().
  bool navigate(const Navigation& way);
  // Gives it the preset's place; nothing where there is none.
  void fitWindow();
  bool navigating() const noexcept { return now_ - navigated_at_ < kGestureSeconds; }
  void forgetRefusal(std::size_t index) { refusals.erase(index); }
  void poke(Brush brush);  // nothing while a recording does not take it; while the run goes back, it comes at the end
  // Strokes and keyframes from here on; `what` names the change in the list of what can be undone. UsageError: they do
  // not fit the simulation.
  void setTimeline(Timeline timeline, const std::string& what);
  void clearStrokes();
  void selectPreset(const std::string& key);
  void selectSimulation(const Description& description);
  // Another simulation with one of its presets, in one change.
  void start(const Description& description, const std::string& preset);
  // A scene of the simulation at hand, or of another, that somebody has put together (an experiment of a page): plays
  // it from its start, in the look that the window has. One step of undo, called `what`.
  void setUp(Scene wanted, const std::string& what);

  // What the user has changed becomes a step of undo(), unless a change is still in the hand or not answered yet.
  // Called after each picture of the window.
  void commitEdits(bool in_hand);
  void undo();  // nothing while recording
  void redo();
  // What they would do ("Barrier height V₀"); null: nothing.
  const std::string* undoLabel() const noexcept { return undo_->undoLabel(); }
  const std::string* redoLabel() const noexcept { return undo_->redoLabel(); }
  std::size_t undoDepth() const noexcept { return undo_->depth(); }

  // Files. UsageError, Error: nothing has changed, in the session or on the disk.
  // A scene file, a GIF or PNG with a scene in it, or a snapshot.
  void open(const std::filesystem::path& file);
  // The scene that was kept when the program ended; it belongs to no file.
  void restore(const std::filesystem::path& file);
  void save(const std::filesystem::path& file, bool overwrite);
  // The scene with the run's state. Written between two steps; a message tells the end.
  void saveSnapshot(const std::filesystem::path& file, bool overwrite);
  const std::filesystem::path& file() const noexcept { return origin_.file; }
  bool unsaved() const noexcept { return origin_.saved_state != 0 && origin_.saved_state != undo_->state(); }
  std::uint64_t state() const noexcept { return undo_->state(); }
  // Scenes opened or saved since the last call.
  std::vector<std::filesystem::path> takeUsedFiles();
  // A file that was dropped on the window: a picture without a scene goes to the simulation that takes one, everything
  // else is opened. UsageError.
  void drop(const std::filesystem::path& file);

  // The recording begins with the next advanceRecording(). UsageError, Error: nothing has begun.
  void startRecording(const RecordSettings& settings);
  void advanceRecording(double budget_seconds);
  void cancelRecording();
  // The last one that ended well since the last call.
  std::optional<Recorded> takeRecorded() { return std::exchange(recorded_, std::nullopt); }

  // Takes the run's status and plots its diagnostics, no more: for a recording, between two polls.
  void observe();
  // The frame of the run that is newest now; null before the first. The last one is invalid after the call.
  const Frame* refreshFrame();
  // What the window's figure needs (render::neededChannels): frames hold no more from now on, but for a recording.
  void showChannels(const std::vector<std::string>& needed);

  void say(Message::Level level, const std::string& text);
  // As one message: what was ignored in a file, say.
  void warn(const std::vector<std::string>& lines);
  void dismiss(std::size_t index);

  Runner& runner() noexcept { return *runner_; }

  // The camera that the preset shows the scene from; nothing: the usual one.
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
  std::uint64_t pokes = 0;  // events of the mouse that the run was to be given
  double frames_per_second = 0;
  std::string last_file;  // written last: a picture or an animation

 private:
  struct Selection {
    CommandId command = 0;
    Scene before;
    Origin origin;
  };
  struct Mailbox;  // session_files.cpp; from the runner's thread

  struct Past {
    ParameterSet present;   // the user's there
    std::int64_t step = 0;  // asked for last; -1: the run decides
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
  ParameterSet runParameters() const;
  bool timelineAnswered() const noexcept { return status.handled >= timeline_command_; }
  bool answered() const noexcept {
    return pending_.empty() && selecting_.empty() && timelineAnswered() && status.handled >= seed_command_;
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
  void hearAccepted(CommandId handled);
  void takeBack(const RefusedCommand& refused);
  void takeBackSelection(CommandId command);
  void restoreStart();
  bool plotNewest();
  void follow();

  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Recording> recording_;
  std::optional<Recorded> recorded_;
  std::optional<Past> past_;
  CommandId branching_ = 0;  // until the run has got to where its branch begins
  std::uint64_t newest_line_ = 0;
  std::map<std::uint64_t, History> histories_;  // of lines that were left
  std::size_t past_memory_ = 0;
  std::int64_t seen_work_ = 0;  // tenths of a second
  int threads_ = 0;
  std::vector<compute::DeviceInfo> several_;  // combinations that are offered
  double now_ = 0;
  static constexpr double kGestureSeconds = 0.6;  // between two notches of the wheel
  double navigated_at_ = -kGestureSeconds;
  double replaying_since_ = 0;
  bool awaits_stroke_ = false;
  std::optional<std::string> tool_in_hand_;
  AtEnd at_end_ = AtEnd::AsPreset;
  bool loop_strokes_ = false;       // chosen with strokes at hand
  std::optional<RunEnd> sent_end_;  // what the run was told last
  std::uint64_t seen_messages_ = 0, seen_epoch_ = 0, seen_frame_ = 0;
  bool follow_run_ = false;  // after a refusal, until the user's next change
  PendingChanges pending_;
  std::vector<Selection> selecting_;  // asked for, not answered yet; oldest first
  // The newest that asked for the scene's timeline, for its seed, for a snapshot's state, and for parameters.
  CommandId timeline_command_ = 0, seed_command_ = 0, load_command_ = 0, parameters_command_ = 0;
  std::vector<Brush> waiting_;  // strokes of the mouse until the timeline is there
  std::shared_ptr<const Timeline> heard_timeline_;
  std::optional<Undo> undo_;
  Origin origin_;
  std::string change_;            // what the next step of undo is called; empty: after what changed
  bool strokes_changed_ = false;  // since the last step
  std::vector<std::filesystem::path> used_files_;
  std::shared_ptr<Mailbox> mailbox_ = openMailbox();
  double rate_since_ = 0;
  std::uint64_t rate_frames_ = 0;
  const Description* shown_of_ = nullptr;  // whose channels the run was told; null: all
  std::optional<std::vector<std::string>> shown_channels_;
};

}  // namespace simscope
