// render: animations, pictures, tables, and arrays of one run, without a display.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
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

struct RenderRequest : SceneRequest {
  std::vector<std::string> out;
  Look look;
  Text purpose, channel;
  std::optional<int> frames, first_frame, frame, steps_per_frame, loop;
  std::optional<std::int64_t> first_step;
  std::optional<double> fps;
  std::optional<std::uint64_t> max_bytes;
  bool sequence = false, scene_file = false, force = false;
};

void beginWhereAsked(const RenderRequest& request, const std::optional<State>& state, Scene& scene) {
  const bool frame = request.first_frame.has_value(), step = request.first_step.has_value();
  if (frame && step) throw UsageError("--first-step and --first-frame both say where to begin; leave one of them out");
  if (state) {
    if (frame || step) {
      throw UsageError(fmt::format("--first-{}: the recording of a snapshot starts where the snapshot was taken",
                                   frame ? "frame" : "step"));
    }
    scene.beginAt(state->steps);
  } else if (frame) {
    scene.first_frame = *request.first_frame;
    scene.first_step = 0;
  } else if (step) {
    scene.beginAt(*request.first_step);
  }
}

Scene sceneOfRender(const RenderRequest& request, std::vector<std::string>& notes, std::optional<State>& state,
                    const compute::Ranks* ranks) {
  Scene scene = sceneOf(request, notes, &state, ranks);
  const auto look = [&] {
    if (request.purpose) apply(recordingPreset(*request.purpose), scene);
    applyLook(request.look, scene);
  };
  look();
  for (ViewChange& each : scene.view_changes) {  // options override the whole scene
    std::swap(scene.figure, each.figure);
    look();
    std::swap(scene.figure, each.figure);
  }
  scene.frames = request.frames.value_or(scene.frames);
  scene.steps_per_frame = request.steps_per_frame.value_or(scene.steps_per_frame);
  scene.loop = request.loop.value_or(scene.loop);
  beginWhereAsked(request, state, scene);
  scene.fps = request.fps.value_or(scene.fps);
  scene.max_bytes = request.max_bytes.value_or(scene.max_bytes);
  return scene;
}

// The help of --for: the keys with their meanings.
std::string purposes() {
  std::string text;
  for (const RecordingPreset& each : recordingPresets()) text += std::string(text.empty() ? "" : ", ") + each.key;
  return "Sets size, scale, theme, and rate for a purpose: " + text + "; other options override them";
}

// Refuses options that apply to none of the files.
OutputRequest outputOf(const RenderRequest& request) {
  OutputRequest output;
  output.files.assign(request.out.begin(), request.out.end());
  output.numbered = request.sequence;
  output.channel = request.channel.value_or("");
  output.scene_file = request.scene_file;
  output.overwrite = request.force;
  output.frame = request.frame;
  std::vector<OutputKind> kinds;
  for (const auto& file : output.files) {
    kinds.push_back(naming("--out", [&] { return outputKind(file, output.numbered); }));
  }
  const auto any = [&](auto takes) { return std::any_of(kinds.begin(), kinds.end(), takes); };
  const auto need = [&](bool given, const char* option, auto takes, const char* endings) {
    if (given && !any(takes)) throw UsageError(fmt::format("{} is for {} files: name one with --out", option, endings));
  };
  using enum OutputKind;
  need(
      request.frame.has_value(), "--frame", [](OutputKind k) { return k == Picture || k == Npy; }, ".png or .npy");
  need(
      request.channel.has_value(), "--channel", [](OutputKind k) { return k == Npy; }, ".npy");
  need(
      request.max_bytes.has_value(), "--max-bytes", [](OutputKind k) { return k == Gif; }, ".gif");
  need(request.loop.has_value(), "--loop", repeats, ".gif, .apng, or .webp");
  need(
      request.sequence, "--sequence", [](OutputKind k) { return k == Pictures; }, ".png");
  need(request.scene_file, "--scene-file", isVideo, "video");
  return output;
}

// Of `done` frames that have been computed, and of the files.
std::string progressText(int done, int total, double seconds, const exporting::EncodingProgress& files) {
  const double rate = seconds > 0 ? done / seconds : 0;
  std::string line = fmt::format("{} {}/{}", barText(static_cast<double>(done) / total), done, counted(total, "frame"));
  if (rate > 0) line += fmt::format(", {:.3g}/s", rate);
  if (files.bytes > 0) line += ", " + bytesText(static_cast<double>(files.bytes));
  if (files.estimated_bytes > files.bytes) {
    line += " of about " + bytesText(static_cast<double>(files.estimated_bytes));
  }
  if (rate > 0) line += fmt::format(", {} left", secondsText(std::max((total - done) / rate, files.seconds_left)));
  return line;
}

// The data that rank 0 requests at a frame if all ranks read the state together: channels only if each rank holds a
// part.
using Names = std::vector<std::string>;
struct Asked {
  bool row = false;  // all diagnostics
  std::optional<Names> channels = {};
};

void answer(Stepper& stepper, const Asked& asked, Frame& frame) {
  if (asked.channels) {
    frame.wanted = asked.channels;
    stepper.present(frame);
  }
  if (asked.row) stepper.diagnostics();
}

// What rank 0 asks for, on all ranks.
Asked broadcast(const Team& team, const Asked& asked) {
  std::string text = Json{asked.row, asked.channels.has_value(), asked.channels.value_or(Names{})}.dump();
  team.ranks()->broadcast(text);
  const Json told = Json::parse(text);
  return {told[0], told[1] ? std::optional(told[2].get<Names>()) : std::nullopt};
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
    if (!line.due()) return;
    line.show(
        fmt::format("computing step {} of {} before the recording", stepper.simulation().steps(), scene.first_step));
  });
  for (int i = first; i <= job.lastFrame(); ++i) {
    beat();
    if (i > first)
      stepWatched(
          stepper, scene.steps_per_frame, [&](int n) { stepper.step(n); }, beat);
    Asked asked{job.wantsRow(i), {}};
    if (job.wantsPicture(i) || job.wantsArray(i)) asked.channels = job.neededChannels(stepper.simulation().steps());
    if (team.looksTogether(scene)) broadcast(team, team.sharesState(scene) ? asked : Asked{asked.row, {}});
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
    if (line.due()) {
      line.show(progressText(i + 1 - first, job.lastFrame() + 1 - first, line.seconds(), job.progress()));
    }
  }
  while (!under_way.empty()) takePicture();
}

// A pass over the run, as rank 0 makes it; the others receive its bytes.
struct Pass {
  bool made = false;   // or: there is no further pass
  bool again = false;  // from the beginning of the run
  int last = 0;        // frame
  int frames = 0, first_frame = 0, steps_per_frame = 0;
  std::int64_t first_step = 0;
};

// The next pass, on all ranks.
Pass broadcast(const Team& team, Pass pass) {
  if (team.ranks()) team.ranks()->broadcast(std::as_writable_bytes(std::span(&pass, 1)));
  return pass;
}

Pass passOf(const RecordingJob& job, bool again) {
  const Scene& scene = job.scene();
  return {true, again, job.lastFrame(), scene.frames, scene.first_frame, scene.steps_per_frame, scene.first_step};
}

// The work of ranks other than 0: the same steps and no pictures, and their part of the data that rank 0 draws.
void followPasses(Scene scene, const compute::DevicePtr& device, const std::optional<State>& state, const Team& team) {
  const auto beat = [&] { team.beat(); };
  const bool together = team.looksTogether(scene);
  std::unique_ptr<Stepper> stepper;
  Frame frame;
  for (Pass pass; (pass = broadcast(team, Pass{})).made;) {
    scene.frames = pass.frames;
    scene.first_frame = pass.first_frame;
    scene.steps_per_frame = pass.steps_per_frame;
    scene.first_step = pass.first_step;
    if (stepper && pass.again) beginAgain(*stepper, scene, state, beat);
    if (!stepper) stepper.reset(new Stepper(begin(scene, device, state, beat)));
    stepToFirst(*stepper, scene, beat);
    const int first = state ? scene.first_frame : 0;
    for (int i = first; i <= pass.last; ++i) {
      if (i > first)
        stepWatched(
            *stepper, scene.steps_per_frame, [&](int n) { stepper->step(n); }, beat);
      if (together) answer(*stepper, broadcast(team, Asked{}), frame);
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
    if (line.due()) line.show(progressText(frames, frames, line.seconds(), job.progress()));
  }
  try {
    return finished.get();
  } catch (...) {
    throwIfStopped();
    throw;
  }
}

void render(const RenderRequest& request, Program& program) {
  requireOwnFiles(request.out, {}, request.force);
  Team& team = program.team;
  team.join("render");
  const Clock::time_point start = Clock::now();
  std::vector<std::string> notes;
  std::optional<State> state;
  std::optional<Scene> wanted;
  std::optional<RecordingJob> recording;
  DeviceChoice choice;
  team.prepare("render", [&] {
    OutputRequest output = outputOf(request);
    wanted = sceneOfRender(request, notes, state, team.ranks());
    if (state && request.frame && *request.frame < wanted->first_frame) {
      throw UsageError(
          fmt::format("--frame: the snapshot starts at frame {}, after frame {}", wanted->first_frame, *request.frame));
    }
    for (const auto& file : output.files) {
      const std::string slow = slowedInBrowsers(outputKind(file, output.numbered), wanted->fps);
      if (!slow.empty()) notes.push_back(fmt::format("{}: {}", foreign::shownFile(file), slow));
    }
    team.requireDivided(*wanted);
    choice = team.choice(program.device, *wanted);
    if (team.first()) recording.emplace(*wanted, std::move(output));
    return team.alike(*wanted, state, choice);
  });
  noteAll(notes);

  const compute::DevicePtr device = openDevice(choice);
  requireDivided(*wanted, *device);
  device->join(team.sharedRanks());
  if (!team.first()) return device->run([&] { followPasses(*wanted, device, state, team); });
  RecordingJob& job = *recording;
  std::vector<Finding> findings;
  std::int64_t last_step = 0;
  device->run([&] {
    broadcast(team, passOf(job, false));
    Stepper stepper = begin(job.scene(), device, state, [&] { team.beat(); });
    std::optional<render::HeadlessContext> context;
    std::unique_ptr<render::Figure> figure;
    ProgressLine line;
    bool again = false;
    do {
      throwIfStopped();
      if (again) {
        job.startNextPass();
        broadcast(team, passOf(job, true));
        beginAgain(stepper, job.scene(), state, [&] { team.beat(); });
      }
      if (job.hasPictures()) {
        if (!context) context.emplace();
        figure = std::make_unique<render::Figure>();
      }
      drawFrames(stepper, state ? job.scene().first_frame : 0, figure.get(), job, line, team);
      again = !finish(job, line, team);
    } while (again);
    broadcast(team, Pass{});
    findings = stepper.findings();
    last_step = stepper.simulation().steps();
  });

  note(foreign::harmless(text(findings, last_step)));
  if (!job.fitted().empty()) note("to stay within --max-bytes: " + job.fitted() + "\n");
  const std::string took = secondsText(Seconds(Clock::now() - start).count());
  for (const std::string& each : job.summary()) note(foreign::harmless(fmt::format("{}, in {}\n", each, took)));
}

}  // namespace

void addRender(Program& program) {
  auto [options, request] = program.add("render", "Writes an animation or a picture; needs no display", render);
  options.word("SIM", request.what, "A simulation (simscope list), a scene file, or a snapshot")->required();
  options
      .repeated("--out", "FILE", request.out, R"(A file of the kind that its ending names: .gif, .apng,
.mp4, .webm, .webp, .mkv (an animation), .png (a

picture), .csv (all diagnostics over time), .npy (the field); may be repeated, for the same frames)")
      ->required();
  options.text("--for", "PURPOSE", request.purpose, purposes());
  options.look("--size", request.look, "Pixels [960x540]");
  options.look("--scale", request.look,
               "Scale of text and lines: a factor, or auto (chosen from the size) [auto with --size, else 1]");
  options.value("--frames", "N", request.frames, whole<int>(1, kMostFrames),
                "Number of frames, including the initial state [the preset's]");
  options.value("--first-frame", "N", request.first_frame, whole<int>(0, kMostFrames),
                "Starts at frame N; earlier frames are computed but not written [0]");
  options.value("--first-step", "N", request.first_step, whole(0, Timeline::kLastStep),
                "Starts after N time steps, also between two frames");
  options.value("--frame", "N", request.frame, whole<int>(0, kMostFrames),
                "For .png and .npy: only this frame, counted from 0");
  options.value("--fps", "F", request.fps, framesPerSecond(),
                "Frames per second; a GIF can have 50, 33.3, 25, 20, and slower [25]");
  options.value("--steps-per-frame", "K", request.steps_per_frame, whole<int>(1, kMostStepsPerFrame),
                "Time steps between two frames [the preset's]");
  options.value("--loop", "N", request.loop, whole<int>(0, kMostLoops),
                "How many times a .gif, .apng, or .webp plays; 0: endlessly [0]");
  options.value("--max-bytes", "SIZE", request.max_bytes, readBytes, R"(For .gif: the largest file (800K, 2.5M);
the picture gets smaller, or has fewer frames, if needed)");
  options.flag("--sequence", request.sequence, "For .png: writes every frame, as NAME0001.png, NAME0002.png, ...");
  options.text("--channel", "KEY", request.channel, "For .npy: the channel to save [the one that the view shows]");
  options.flag("--scene-file", request.scene_file, "Writes NAME.simscope.json beside a video");
  options.scene(request);
  options.device();
  options.look(request.look);
  options.force(request.force);
}

}  // namespace simscope::cli
