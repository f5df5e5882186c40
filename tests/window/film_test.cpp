// What is done while a recording films the run is a part of its scene: rendered, that scene is the same file.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "app/recording/recording_job.h"
#include "app/recording/scene_run.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "app/session/recording.h"
#include "app/session/session.h"
#include "sims/core/registry.h"

namespace simscope::gui {
namespace {

constexpr int kFrames = 10;

std::string contentsOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class AFilm : public ::testing::Test {
 protected:
  AFilm() {
    std::string pattern = (std::filesystem::temp_directory_path() / "simscope-film-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    folder_ = pattern;
  }
  ~AFilm() override { std::filesystem::remove_all(folder_); }

  using Act = std::function<void(Session&, int)>;  // with so many frames recorded

  static SessionOptions optionsFor(const std::string& simulation, const std::string& preset, int steps_per_frame) {
    SessionOptions options;
    options.scene = Scene::fromPreset(simulationById(simulation), preset);
    options.scene.steps_per_frame = steps_per_frame;
    options.device = "cpu";
    options.threads = 1;
    return options;
  }

  RecordSettings settingsFor(const std::string& name, int steps_per_frame) const {
    RecordSettings settings;
    settings.file = folder_ / name;
    settings.extent = RecordSettings::Extent::UntilStopped;
    settings.steps_per_frame = steps_per_frame;
    settings.width = 160;
    settings.height = 120;
    settings.scale = 0.75;
    return settings;
  }

  template <class Condition>
  void until(Session& session, const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
      session.advanceRecording(0);  // a frame at a time
      session.poll(now_ += 0.01);
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the run does not answer";
    }
  }

  // From the second frame of the run on.
  void film(const std::string& simulation, const std::string& preset, const std::string& name, int steps_per_frame,
            const Act& act) {
    Session session(optionsFor(simulation, preset, steps_per_frame));
    until(session, [&] { return session.frame != nullptr; });
    session.step();
    session.runner().waitUntilIdle();
    session.poll(now_);
    session.startRecording(settingsFor(name, steps_per_frame));
    int seen = 0;
    until(session, [&] {
      const Recording* const recorder = session.recorder();
      if (!recorder) return true;
      if (recorder->drawn() == seen) return false;
      seen = recorder->drawn();
      if (recorder->takesInput()) act(session, seen);
      if (seen >= kFrames) session.recorder()->stop();
      return false;
    });
    for (const Message& each : session.messages) messages_ += each.text + "\n";
    ASSERT_TRUE(std::filesystem::exists(folder_ / name)) << simulation << ": " << messages_;
  }

  // As `simscope render` does.
  void render(const Scene& scene, const std::string& name) {
    OutputRequest request;
    request.files = {folder_ / name};
    request.overwrite = true;
    RecordingJob job(scene, request);
    const compute::DevicePtr device = compute::Device::open("cpu", 1);
    render::Figure figure;
    device->run([&] {
      Stepper stepper = begin(scene, device);
      stepToFirst(stepper, scene, [] {});
      Frame frame;
      for (int i = 0; i <= job.lastFrame(); ++i) {
        if (i > 0) {
          stepWatched(
              stepper, scene.steps_per_frame, [&](int n) { stepper.step(n); }, [] {});
        }
        if (!job.wantsPicture(i)) continue;
        frame.sequence = static_cast<std::uint64_t>(i) + 1;
        frame.wanted = job.neededChannels(stepper.simulation().steps());
        stepper.present(frame);
        figure.draw(*scene.description, frame.parameters, frame, scene.figureAt(frame.steps));
        figure.startRead();
        job.picture(i, figure.take());
      }
    });
    ASSERT_TRUE(job.finish(scene.frames));
  }
  void expectRenderedAlike(const std::string& name) {
    const Scene scene = readScene(folder_ / name);
    const std::string again = "again-" + name;
    render(scene, again);
    EXPECT_TRUE(contentsOf(folder_ / name) == contentsOf(folder_ / again)) << name << ": " << messages_;
  }

  render::HeadlessContext context_;
  std::filesystem::path folder_;
  double now_ = 0;
  std::string messages_;
};

void set(Session& session, const char* key, double value) {
  session.setParameter(session.scene.parameters.find(key), value);
}

Brush kick(double x, bool begins) {
  return {.tool = "kick", .x = x, .dx = 4, .radius = 20, .begins = begins};
}

TEST_F(AFilm, OfStrokesParametersAndViewsIsWhatItsSceneRenders) {
  for (const std::string name : {"film.gif", "film.apng"}) {
    film("tunneling", "animation", name, 7, [](Session& session, int frame) {
      if (frame == 2) session.poke(kick(-65, true));
      if (frame == 3) {
        session.poke(kick(-60, false));
        session.poke(kick(-55, false));
        set(session, "barrier_height", 3);
      }
      if (frame == 4) {
        set(session, "barrier_height", 4);
        set(session, "barrier_height", 4.5);  // within a frame the last one counts
        session.poke(kick(-50, true));
      }
      if (frame == 5) session.scene.figure.x = render::Limits{-80, 20};
      if (frame == 6) session.scene.figure.theme = render::Theme::Light;
      if (frame == 7) {
        set(session, "barrier_height", 1);
        session.scene.figure.x.reset();
      }
    });
    const Scene scene = readScene(folder_ / name);
    EXPECT_EQ(scene.frames, kFrames);
    EXPECT_EQ(scene.beginsAt(), 7);
    ASSERT_EQ(scene.timeline.strokes.size(), 2u);
    EXPECT_EQ(scene.timeline.strokes[0].events.size(), 3u);
    ASSERT_EQ(scene.timeline.tracks.size(), 1u);
    EXPECT_EQ(scene.timeline.tracks[0].keyframes.size(), 6u);
    EXPECT_EQ(scene.view_changes.size(), 3u);
    expectRenderedAlike(name);

    // Each of them shows.
    const std::string whole = contentsOf(folder_ / name);
    Scene without = scene;
    for (int i = 0; i < 3; ++i) {
      without = scene;
      if (i == 0) without.timeline.strokes.clear();
      if (i == 1) without.timeline.tracks.clear();
      if (i == 2) without.view_changes.clear();
      const std::string other = std::to_string(i) + name;
      render(without, other);
      Scene told = readScene(folder_ / other);
      EXPECT_EQ(toJson(told), toJson(without));
      EXPECT_NE(contentsOf(folder_ / other).size(), whole.size());
    }
  }
}

TEST_F(AFilm, OfACameraThatTurnsIsWhatItsSceneRenders) {
  film("nbody", "", "turned.gif", 2, [](Session& session, int frame) {
    Camera camera = session.scene.figure.camera.value_or(Camera{});
    camera.azimuth += 10 * frame;
    session.scene.figure.camera = camera;
  });
  EXPECT_GE(readScene(folder_ / "turned.gif").view_changes.size(), static_cast<std::size_t>(kFrames - 2));
  expectRenderedAlike("turned.gif");
}

// Whatever it has: the first number that can be changed, and the first tool, in the middle of the plane.
TEST_F(AFilm, OfAnySimulationIsWhatItsSceneRenders) {
  for (const Description* description : simulations()) {
    if (description->presets.empty()) continue;
    const std::string name = description->id + ".gif";
    messages_.clear();
    bool changed = false;
    film(description->id, description->presets.front().key, name, 1, [&](Session& session, int frame) {
      const ParameterSet& parameters = session.scene.parameters;
      if (frame == 2 && !description->tools.empty()) {
        session.poke({.tool = description->tools.front().key, .radius = 0.1, .begins = true});
      }
      if (frame != 3) return;
      for (std::size_t i = 0; i < parameters.size() && !changed; ++i) {
        if (!session.takes(i) || !parameters.matters(i)) continue;
        const ParameterInfo& info = parameters.infos()[i];
        const double old = parameters.real(info.key);
        const double wanted =
            std::clamp(info.kind == Kind::Integer ? old + 1 : old * 1.03 + 1e-3, info.minimum, info.maximum);
        if (wanted == old) continue;
        changed = true;
        if (info.kind == Kind::Integer) {
          session.setParameter(i, static_cast<std::int64_t>(wanted));
        } else {
          session.setParameter(i, wanted);
        }
      }
    });
    expectRenderedAlike(name);
  }
}

TEST_F(AFilm, ChangesNoParameterThatWouldRestartTheRunOrFollowsKeyframes) {
  Session session(optionsFor("tunneling", "animation", 5));
  until(session, [&] { return session.frame != nullptr; });
  session.startRecording(settingsFor("a.gif", 5));
  until(session, [&] { return session.recorder()->drawn() > 0; });
  const std::size_t points = session.scene.parameters.find("grid_points");
  EXPECT_FALSE(session.takes(points));
  EXPECT_THROW(session.setParameter(points, std::int64_t{256}), UsageError);
  EXPECT_TRUE(session.takes(session.scene.parameters.find("barrier_height")));
  session.cancelRecording();
  EXPECT_TRUE(session.takes(points));

  // From its start a recording is what its scene says, and nothing acts on it.
  RecordSettings whole = settingsFor("b.gif", 5);
  whole.extent = RecordSettings::Extent::FromStart;
  session.startRecording(whole);
  EXPECT_FALSE(session.takesInput());
  EXPECT_FALSE(session.takes(session.scene.parameters.find("barrier_height")));
  const std::uint64_t pokes = session.pokes;
  session.poke(kick(-65, true));
  EXPECT_EQ(session.pokes, pokes);
  session.cancelRecording();
}

// However far the run has gone on before it hears of it.
TEST_F(AFilm, BeginsAtTheStepThatWasShownWhenItWasAskedFor) {
  Session session(optionsFor("tunneling", "animation", 3));
  until(session, [&] { return session.frame != nullptr; });
  session.setPace({.steps_per_frame = 3, .frames_per_second = 200});
  session.togglePlay();
  for (int i = 0; i < 3; ++i) {
    until(session, [&] { return session.frame && session.frame->steps >= 300 * (i + 1); });
    RecordSettings settings = settingsFor("now.gif", 3);
    settings.overwrite = true;
    settings.now = session.frame->steps;
    until(session, [&] { return session.status.steps >= *settings.now + 30; });  // it goes on meanwhile
    session.startRecording(settings);
    until(session, [&] { return session.recorder()->drawn() > 2; });
    EXPECT_EQ(session.recorder()->scene().beginsAt(), *settings.now);
    session.recorder()->stop();
    until(session, [&] { return !session.recording(); });
    EXPECT_EQ(readScene(folder_ / "now.gif").beginsAt(), *settings.now);
    expectRenderedAlike("now.gif");
    const std::optional<Recorded> done = session.takeRecorded();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->file, folder_ / "now.gif");
    EXPECT_EQ(done->scene, done->file);
    EXPECT_FALSE(session.takeRecorded());
    session.togglePlay();
  }
}

}  // namespace
}  // namespace simscope::gui
