// The runner's own thread: commands, pace, batches of steps, publication. Private to runner.cpp, runner_loop.cpp,
// runner_past.cpp, runner_commands.cpp, and runner_devices.cpp.
//
// Members that both threads use come first and are guarded by `mutex`; all others belong to the runner's thread. No
// lock is held during a command or a step, so status() and new commands never wait for one.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sims/core/run/ration.h"
#include "sims/core/run/runner.h"
#include "sims/core/run/step_meter.h"

namespace simscope {

struct Runner::Loop {
  struct Given {
    CommandId id = 0;
    Command command;
  };
  // What a run does by itself. Single steps are made in all but Playing and Stopped.
  enum class Motion {
    Paused,
    Playing,
    AtEnd,    // paused by its RunEnd
    Stopped,  // by NaN: until a reset, or a step of its past
  };
  using Clock = std::chrono::steady_clock;
  static constexpr double kRationed = 0.05;  // of a playing run's time each, for diagnostics and watch

  Loop(Publisher& publisher, const Description& description, const ParameterSet& parameters, std::uint64_t seed,
       std::string device, int threads);
  ~Loop();

  // Controlling thread. A second change of the same parameters, or target step, in a row replaces the first, under its
  // id.
  CommandId give(Command command);
  void acknowledge(std::size_t refusals);
  void frameTaken();
  RunnerStatus statusNow() const;
  void waitUntilIdle();

  // Runner's thread. If one throws, the run is as it was.
  void carryOut(const Play&);
  void carryOut(const Pause&);
  void carryOut(const StepOnce&);
  void carryOut(const Reset& reset);
  void carryOut(const Pace& wanted);
  void carryOut(const SetEnd& wanted);
  void carryOut(const Change& change);
  void carryOut(const SetDevice& wanted);
  void carryOut(const Select& selection);
  void carryOut(const Timeline& timeline);
  void carryOut(const ShowChannels& shown);
  void carryOut(const GoTo& way);
  void carryOut(const StepBack&);
  void carryOut(const Branch& branch);
  void carryOut(const Resume& resume);
  void carryOut(const KeepPast& past);
  void carryOut(const EndReplay&);
  void carryOut(const Load& load);
  void carryOut(const Save& save);
  void carryOut(const Brush& brush);
  void carryOut(const MeasureLimit&);
  void carryOut(const SetLockstep& lockstep);

 private:
  void main();
  void run();
  static std::optional<bool> grantedBy(const Command& command);
  void carryOutNext(std::unique_lock<std::mutex>& lock);
  bool mayAdvance() const;
  bool frameIsDue(Clock::time_point now) const;
  std::optional<Clock::duration> frameInterval() const;

  void build();
  std::unique_ptr<Stepper> begun(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
                                 const Timeline& timeline);
  void restarted();
  void measureAnew();
  const std::shared_ptr<const Timeline>& sharedTimeline();
  bool replaying() const { return stepper_ && stepper_->replay(); }
  bool playing() const { return motion_ == Motion::Playing; }
  void pauseHere();
  bool recording() const { return lockstep_ && playing(); }  // any extra frame would be recorded, too
  void advance();
  bool endCounts() const;
  std::int64_t stepsToEnd() const;
  bool startsAgain() const;
  void advanceReplay();
  void verify();
  int stepsPerFrame();
  int stepsByHand() const;
  int stepsForSpeed();
  bool pictureIsDue(Clock::time_point now) const;
  void tellPast(RunnerStatus& status) const;
  void beginWork(RunnerStatus::Work::Kind kind, int steps);
  using Timer = double (compute::Device::*)(compute::FunctionRef<void()>);
  double timed(Timer by_device, const std::function<void()>& work);  // [ms]
  void measuredStep(int n);
  void publish();
  void measureDiagnostics();
  void measureRate(RunnerStatus& next);
  void tellReplay(RunnerStatus& status) const;
  void say(std::string_view message) noexcept;
  void refuse(const Given& given, std::string_view error, std::string_view parameter = {}) noexcept;
  void requireGoing();
  void showState();
  // Runs `work`; an exception becomes the message. False if there was one.
  bool guarded(const std::function<void()>& work);
  // Carries it out; an exception becomes its refusal.
  void answer(const Given& given);
  void configure(const ParameterSet& parameters);
  ParameterSet asked() const;
  void leaveWay();
  void carryOutWaiting();
  bool deviceIsLost() const noexcept;
  bool canGoElsewhere() const noexcept;
  compute::DevicePtr deviceFor(const Description& description, const ParameterSet& parameters);
  bool goOnElsewhere(const std::string& why) noexcept;
  void measureMemory(const Frame& written, RunnerStatus& next);

  Publisher& publisher_;

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<Given> queue_;
  CommandId newest_ = 0;         // given
  std::optional<bool> granted_;  // by the command that is not in the status yet: whether the run plays
  bool quit_ = false;
  bool busy_ = true;       // commands or their frames are not done yet
  bool awaiting_ = false;  // lockstep: the newest frame was not taken yet
  RunnerStatus::Work work_;
  Clock::time_point work_since_{};
  RunnerStatus status_;

  const Description* description_;
  ParameterSet parameters_;  // input of build(); the simulation's own once it exists
  std::uint64_t seed_;
  Timeline first_timeline_;  // input of build(), unused after that
  std::string device_spec_;
  std::string why_elsewhere_;  // and not on the device of "auto"; reported once the run has begun
  int threads_;
  compute::DevicePtr chosen_;  // what device_spec_ names
  compute::DevicePtr device_;  // that one, or the first of several that cannot make such a run together
  std::unique_ptr<Stepper> stepper_;
  std::shared_ptr<const Timeline> timeline_;  // the stepper's, for the status; null: it has changed since

  CommandId carried_ = 0;                // the command that is carried out now, or was last
  std::optional<Given> waiting_;         // a change of live parameters, for the replay's end
  std::vector<RefusedCommand> refused_;  // published with the other changes

  Pace pace_;
  std::optional<int> lockstep_;
  std::optional<RunEnd> end_;
  std::optional<std::vector<std::string>> shown_channels_;  // of frames; none: all
  bool loaded_ = false;                                     // the run continues a state that a reset does not restore
  Motion motion_ = Motion::Paused;
  int single_frames_ = 0;     // requested by stepOnce
  int left_ = 0;              // steps to go in the frame that is being made
  int last_frame_steps_ = 0;  // Budget: limits growth
  bool dirty_ = false;        // something changed that the newest frame does not show
  bool whole_ = false;        // the newest frame's diagnostics are of its own step
  std::uint64_t epoch_ = 0;
  std::uint64_t published_ = 0;
  std::uint64_t first_of_selection_ = 1;  // earlier frames belong to another simulation: their channels are removed

  StepMeter meter_;
  Ration diagnostics_ration_{kRationed}, watch_ration_{kRationed};
  std::vector<double> diagnostics_;  // the newest
  std::int64_t diagnostics_steps_ = 0;
  double diagnostics_time_ = 0;
  std::uint64_t diagnostics_epoch_ = 0;
  Clock::time_point next_frame_{};
  Clock::time_point measured_at_{};
  Clock::time_point shown_at_{};  // of a replay
  bool glancing_ = false;         // a slider is being dragged
  std::optional<std::size_t> past_bytes_;
  Clock::time_point owed_at_{};  // Pace::Mode::Speed: when steps were counted last, and the remaining fraction of one
  double owed_ = 0;
  bool behind_ = false;
  Clock::time_point rate_at_{};
  std::int64_t rate_steps_ = 0;
  double rate_ = 0;
  std::uint64_t bus_bytes_ = 0;
  std::optional<double> bus_per_frame_;
  std::uint64_t launches_ = 0;
  std::optional<double> launches_per_frame_;
  std::optional<MachineLimit> limit_;
  // Device and bytes of each circulating frame when it was last written; other threads may be reading it now.
  std::map<const Frame*, std::pair<compute::DevicePtr, std::size_t>> frames_held_;

  std::thread thread_;
};

}  // namespace simscope
