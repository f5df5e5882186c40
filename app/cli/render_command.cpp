// render: animations, pictures, tables, and arrays of one run, without a display.
#include "app/cli/render_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/recording/recording_job.h"
#include "app/recording/recording_presets.h"
#include "app/recording/scene_run.h"
#include "app/render/gl/gl_context.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

void beginWhereAsked(const RenderArguments& arguments, const std::optional<State>& state, Scene& scene) {
  const Text& frame = arguments.first_frame;
  const Text& step = arguments.first_step;
  if (frame && step) throw UsageError("--first-step and --first-frame both say where to begin; leave one of them out");
  if (state) {
    if (frame || step) {
      throw UsageError(fmt::format("--first-{}: the recording of a snapshot starts where the snapshot was taken",
                                   frame ? "frame" : "step"));
    }
    scene.beginAt(state->steps);
  } else if (frame) {
    scene.first_frame = static_cast<int>(readInteger("--first-frame", *frame, 0, kMostFrames));
    scene.first_step = 0;
  } else if (step) {
    scene.beginAt(readInteger("--first-step", *step, 0, Timeline::kLastStep));
  }
}

Scene sceneOfRender(const RenderArguments& arguments, std::vector<std::string>& notes, std::optional<State>& state,
                    const compute::Ranks* ranks) {
  Scene scene = sceneOf(arguments, notes, &state, ranks);
  const auto look = [&] {
    if (arguments.purpose) apply(recordingPreset(*arguments.purpose), scene);
    applyFigure(arguments, scene);
  };
  look();
  for (ViewChange& each : scene.view_changes) {  // options override the whole scene
    std::swap(scene.figure, each.figure);
    look();
    std::swap(scene.figure, each.figure);
  }
  const auto whole = [](const char* option, const Text& text, std::int64_t low, std::int64_t high, int& value) {
    if (text) value = static_cast<int>(readInteger(option, *text, low, high));
  };
  whole("--frames", arguments.frames, 1, kMostFrames, scene.frames);
  whole("--steps-per-frame", arguments.steps_per_frame, 1, kMostStepsPerFrame, scene.steps_per_frame);
  whole("--loop", arguments.loop, 0, kMostLoops, scene.loop);
  beginWhereAsked(arguments, state, scene);
  if (arguments.fps) scene.fps = readReal("--fps", *arguments.fps, 0.01, 1000);
  if (arguments.max_bytes) scene.max_bytes = readBytes("--max-bytes", *arguments.max_bytes);
  return scene;
}

// Refuses options that apply to none of the files.
OutputRequest requestOf(const RenderArguments& arguments) {
  OutputRequest request;
  request.files.assign(arguments.out.begin(), arguments.out.end());
  request.numbered = arguments.sequence;
  request.channel = arguments.channel.value_or("");
  request.scene_file = arguments.scene_file;
  request.overwrite = arguments.force;
  if (arguments.frame) request.frame = static_cast<int>(readInteger("--frame", *arguments.frame, 0, kMostFrames));
  std::vector<OutputKind> kinds;
  for (const auto& file : request.files) {
    try {
      kinds.push_back(outputKind(file, request.numbered));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--out: {}", error.what()));
    }
  }
  const auto any = [&](auto takes) { return std::any_of(kinds.begin(), kinds.end(), takes); };
  const auto need = [&](bool given, const char* option, auto takes, const char* endings) {
    if (given && !any(takes)) throw UsageError(fmt::format("{} is for {} files: name one with --out", option, endings));
  };
  using enum OutputKind;
  need(
      arguments.frame.has_value(), "--frame", [](OutputKind k) { return k == Picture || k == Npy; }, ".png or .npy");
  need(
      arguments.channel.has_value(), "--channel", [](OutputKind k) { return k == Npy; }, ".npy");
  need(
      arguments.max_bytes.has_value(), "--max-bytes", [](OutputKind k) { return k == Gif; }, ".gif");
  need(arguments.loop.has_value(), "--loop", repeats, ".gif, .apng, or .webp");
  need(
      arguments.sequence, "--sequence", [](OutputKind k) { return k == Pictures; }, ".png");
  need(arguments.scene_file, "--scene-file", isVideo, "video");
  return request;
}

// A line that overwrites itself; silent where standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine() : shown_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // On the way to the first frame.
  void show(std::int64_t step, std::int64_t first_step) {
    if (!due()) return;
    note(fmt::format("\rcomputing step {} of {} before the recording\x1b[K", step, first_step));
    drawn_ = true;
  }

  // `done` of `total` frames have been computed.
  void show(int done, int total, const exporting::EncodingProgress& files) {
    if (!due()) return;
    const double seconds = Seconds(Clock::now() - start_).count();
    const double rate = seconds > 0 ? done / seconds : 0;
    constexpr int kCells = 30;
    const auto filled = static_cast<std::size_t>(static_cast<double>(done) / total * kCells);
    std::string line = fmt::format("\r[{}{}] {}/{}", std::string(filled, '#'), std::string(kCells - filled, '.'), done,
                                   counted(total, "frame"));
    if (rate > 0) line += fmt::format(", {:.3g}/s", rate);
    if (files.bytes > 0) line += ", " + bytesText(static_cast<double>(files.bytes));
    if (files.estimated_bytes > files.bytes) {
      line += " of about " + bytesText(static_cast<double>(files.estimated_bytes));
    }
    if (rate > 0) line += fmt::format(", {} left", secondsText(std::max((total - done) / rate, files.seconds_left)));
    note(line + "\x1b[K");
    drawn_ = true;
  }

  void clear() noexcept {
    if (drawn_) note("\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool due() {
    if (!shown_ || Clock::now() < next_) return false;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    return true;
  }

  bool shown_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

// The data that rank 0 requests at a frame if all ranks read the state together: channels only if each rank holds a
// part.
struct Asked {
  bool row = false;  // all diagnostics
  std::optional<std::vector<std::string>> channels = {};
};

void answer(Stepper& stepper, const Asked& asked, Frame& frame) {
  if (asked.channels) {
    frame.wanted = asked.channels;
    stepper.present(frame);
  }
  if (asked.row) stepper.diagnostics();
}

void tell(const Team& team, const Asked& asked) {
  std::string text = asked.row ? "row\n" : "\n";
  if (asked.channels) {
    text += "channels\n";
    for (const std::string& each : *asked.channels) text += each + "\n";
  }
  team.ranks()->broadcast(text);
}

Asked told(const Team& team) {
  std::string text;
  team.ranks()->broadcast(text);
  std::istringstream lines(text);
  Asked asked;
  std::string line;
  std::getline(lines, line);
  asked.row = line == "row";
  if (!std::getline(lines, line)) return asked;
  asked.channels.emplace();
  while (std::getline(lines, line)) asked.channels->push_back(line);
  return asked;
}

// One pass over the run, which shows frame `first`.
void drawFrames(Stepper& stepper, int first, render::Figure* figure, RecordingJob& job, ProgressLine& line,
                const Team& team) {
  // When a picture has been taken, OpenGL no longer reads its frame. With one frame more than pictures in flight, a
  // frame is therefore never written while OpenGL still reads it.
  std::array<Frame, render::Figure::kReadsInFlight + 1> frames;
  std::deque<int> under_way;
  const auto takePicture = [&] {
    const int index = under_way.front();
    under_way.pop_front();
    job.picture(index, figure->take());
  };
  const Scene& scene = job.scene();
  const auto beat = [&] { team.beat(); };
  stepToFirst(stepper, scene, [&] {
    beat();
    line.show(stepper.simulation().steps(), scene.first_step);
  });
  for (int i = first; i <= job.lastFrame(); ++i) {
    beat();
    if (i > first)
      stepWatched(
          stepper, scene.steps_per_frame, [&](int n) { stepper.step(n); }, beat);
    Asked asked{job.wantsRow(i), {}};
    if (job.wantsPicture(i) || job.wantsArray(i)) asked.channels = job.neededChannels(stepper.simulation().steps());
    if (team.looksTogether(scene)) tell(team, team.sharesState(scene) ? asked : Asked{asked.row, {}});
    if (asked.channels) {
      Frame& frame = frames[static_cast<std::size_t>(i) % frames.size()];
      frame.sequence = static_cast<std::uint64_t>(i) + 1;
      frame.wanted = std::move(asked.channels);
      stepper.present(frame);
      if (job.wantsArray(i)) job.array(i, frame);
      if (job.wantsPicture(i)) {
        if (figure->readsInFlight() == render::Figure::kReadsInFlight) takePicture();
        figure->draw(*scene.description, frame.parameters, frame, scene.figureAt(frame.steps));
        figure->startRead();
        under_way.push_back(i);
      }
    }
    if (asked.row) {
      job.row(stepper.simulation().steps(), stepper.simulation().time(), stepper.diagnostics());
    }
    line.show(i + 1 - first, job.lastFrame() + 1 - first, job.progress());
  }
  while (!under_way.empty()) takePicture();
}

// A pass over the run, as rank 0 makes it.
struct Pass {
  bool again = false;  // from the beginning of the run
  int last = 0;        // frame
  int frames = 0, first_frame = 0, steps_per_frame = 0;
  std::int64_t first_step = 0;
};

// Rank 0 broadcasts the next pass; nullopt: no further pass.
std::optional<Pass> nextPass(const Team& team, std::optional<Pass> pass) {
  if (!team.ranks()) return pass;
  std::array<std::int64_t, 7> told{};
  if (pass) {
    told = {1, pass->again, pass->last, pass->frames, pass->first_frame, pass->steps_per_frame, pass->first_step};
  }
  team.ranks()->broadcast(std::as_writable_bytes(std::span(told)));
  if (told[0] == 0) return std::nullopt;
  return Pass{told[1] != 0,
              static_cast<int>(told[2]),
              static_cast<int>(told[3]),
              static_cast<int>(told[4]),
              static_cast<int>(told[5]),
              told[6]};
}

Pass passOf(const RecordingJob& job, bool again) {
  const Scene& scene = job.scene();
  return {again, job.lastFrame(), scene.frames, scene.first_frame, scene.steps_per_frame, scene.first_step};
}

// The work of ranks other than 0: the same steps and no pictures, and their part of the data that rank 0 draws.
void followPasses(Scene scene, const compute::DevicePtr& device, const std::optional<State>& state, const Team& team) {
  const auto beat = [&] { team.beat(); };
  const bool together = team.looksTogether(scene);
  std::unique_ptr<Stepper> stepper;
  Frame frame;
  while (const std::optional<Pass> pass = nextPass(team, {})) {
    scene.frames = pass->frames;
    scene.first_frame = pass->first_frame;
    scene.steps_per_frame = pass->steps_per_frame;
    scene.first_step = pass->first_step;
    if (stepper && pass->again) beginAgain(*stepper, scene, state, beat);
    if (!stepper) stepper.reset(new Stepper(begin(scene, device, state, beat)));
    stepToFirst(*stepper, scene, beat);
    const int first = state ? scene.first_frame : 0;
    for (int i = first; i <= pass->last; ++i) {
      if (i > first)
        stepWatched(
            *stepper, scene.steps_per_frame, [&](int n) { stepper->step(n); }, beat);
      if (together) answer(*stepper, told(team), frame);
    }
  }
  if (together && stepper) stepper->findings();
}

// Encoders still work after the last frame is drawn. Ctrl+C cancels them and removes their files.
bool finish(RecordingJob& job, ProgressLine& line, const Team& team) {
  const int frames = job.scene().frames;
  std::future<bool> finished = std::async(std::launch::async, [&, frames] { return job.finish(frames); });
  while (finished.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (stopRequested()) {
      job.cancel();
      break;
    }
    if (team.ranks()) team.ranks()->alive();
    line.show(frames, frames, job.progress());
  }
  try {
    return finished.get();
  } catch (...) {
    throwIfStopped();
    throw;
  }
}

}  // namespace

void render(const RenderArguments& arguments, Team& team) {
  const Clock::time_point start = Clock::now();
  std::vector<std::string> notes;
  std::optional<State> state;
  std::optional<Scene> wanted;
  std::optional<RecordingJob> recording;
  DeviceChoice choice;
  team.prepare("render", [&] {
    OutputRequest request = requestOf(arguments);
    wanted = sceneOfRender(arguments, notes, state, team.ranks());
    if (state && request.frame && *request.frame < wanted->first_frame) {
      throw UsageError(
          fmt::format("--frame: the snapshot starts at frame {}, after frame {}", wanted->first_frame, *request.frame));
    }
    for (const auto& file : request.files) {
      const std::string slow = slowedInBrowsers(outputKind(file, request.numbered), wanted->fps);
      if (!slow.empty()) notes.push_back(fmt::format("{}: {}", foreign::shownFile(file), slow));
    }
    team.requireDivided(*wanted);
    choice = team.choice(deviceOf(arguments.device, arguments.threads), *wanted);
    const std::string alike = team.ranks() ? toJson(*wanted) + digest(state) + Team::kindOf(choice) : std::string();
    if (team.first()) recording.emplace(*wanted, std::move(request));
    return alike;
  });
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));

  const compute::DevicePtr device = openDevice(choice);
  requireDivided(*wanted, *device);
  device->join(team.sharedRanks());
  if (!team.first()) return device->run([&] { followPasses(*wanted, device, state, team); });
  RecordingJob& job = *recording;
  std::vector<Finding> findings;
  std::int64_t last_step = 0;
  device->run([&] {
    nextPass(team, passOf(job, false));
    Stepper stepper = begin(job.scene(), device, state, [&] { team.beat(); });
    std::optional<render::HeadlessContext> context;
    std::unique_ptr<render::Figure> figure;
    ProgressLine line;
    bool again = false;
    do {
      throwIfStopped();
      if (again) {
        job.startNextPass();
        nextPass(team, passOf(job, true));
        beginAgain(stepper, job.scene(), state, [&] { team.beat(); });
      }
      if (job.hasPictures()) {
        if (!context) context.emplace();
        figure = std::make_unique<render::Figure>();
      }
      drawFrames(stepper, state ? job.scene().first_frame : 0, figure.get(), job, line, team);
      again = !finish(job, line, team);
    } while (again);
    nextPass(team, {});
    findings = stepper.findings();
    last_step = stepper.simulation().steps();
  });

  note(foreign::harmless(text(findings, last_step)));
  if (!job.fitted().empty()) note("to stay within --max-bytes: " + job.fitted() + "\n");
  const std::string took = secondsText(Seconds(Clock::now() - start).count());
  for (const std::string& each : job.summary()) note(foreign::harmless(fmt::format("{}, in {}\n", each, took)));
}

}  // namespace simscope::cli
