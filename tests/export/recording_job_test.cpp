// The files of a recording, given pictures and numbers as a run would give them: formats, bounds, early ends, failures.
#include "app/recording/recording_job.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "app/export/child_process.h"
#include "app/export/embedded.h"
#include "app/recording/recording_presets.h"
#include "app/recording/scene_run.h"
#include "sims/core/registry.h"
#include "sims/core/testing/refusal.h"
#include "tests/export/support.h"

namespace simscope {
namespace {

using exporting::testing::contentOf;
using exporting::testing::Folder;
using exporting::testing::messageOf;
using exporting::testing::Numbers;
using exporting::testing::Picture;
using exporting::testing::store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
namespace fs = std::filesystem;

Scene shortScene(int frames = 6, int width = 96, int height = 64) {
  Scene scene = Scene::fromPreset(simulationById("tunneling"), "animation");
  scene.figure.width = width;
  scene.figure.height = height;
  scene.frames = frames;
  scene.steps_per_frame = 10;
  return scene;
}

OutputRequest requestFor(const Folder& folder, const std::vector<std::string>& names) {
  OutputRequest request;
  for (const std::string& name : names) request.files.push_back(folder / name);
  return request;
}

// Of any size: grows with it, moves with the frame, and does not compress well.
Picture drawn(const Scene& scene, int frame) {
  const auto at = static_cast<double>(frame) * scene.steps_per_frame;
  Picture picture;
  for (int y = 0; y < scene.figure.height; ++y) {
    for (int x = 0; x < scene.figure.width; ++x) {
      const double u = static_cast<double>(x) / scene.figure.width, v = static_cast<double>(y) / scene.figure.height;
      const double wave = std::sin(40 * u + 0.05 * at) * std::cos(30 * v - 0.03 * at);
      for (const int shift : {0, 40, 80}) picture.push_back(static_cast<std::uint8_t>(shift + 80 * (1 + wave)));
    }
  }
  return picture;
}

// What a driver does: all passes, each with the frames that are wanted. Returns how many passes there were.
int record(RecordingJob& job, std::optional<int> stop_after = {}) {
  const std::size_t diagnostics = job.scene().description->diagnostics.size();
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  int passes = 0;
  bool done = false;
  while (!done) {
    ++passes;
    int recorded = 0;
    Frame frame;
    frame.device = device;
    for (int i = 0; i <= job.lastFrame() && recorded != stop_after; ++i) {
      if (job.wantsArray(i)) {
        Channel& channel = frame.channel("density", 5);
        const std::array<float, 5> values{static_cast<float>(i), 1, 2, 3, 4};
        channel.data.upload(values);
        job.array(i, frame);
      }
      if (job.wantsRow(i)) {
        const std::vector<double> values(diagnostics, 0.5 * i);
        job.row(i * job.scene().steps_per_frame, 0.1 * i, values);
      }
      if (job.wantsPicture(i)) job.picture(i, drawn(job.scene(), i));
      if (i >= job.scene().first_frame) ++recorded;
    }
    done = job.finish(recorded);
    if (!done) job.startNextPass();
  }
  return passes;
}

TEST(OutputKind, FollowsTheEnding) {
  EXPECT_EQ(outputKind("a.GIF", false), OutputKind::Gif);
  EXPECT_EQ(outputKind("a.png", false), OutputKind::Picture);
  EXPECT_EQ(outputKind("a.png", true), OutputKind::Pictures);
  EXPECT_EQ(outputKind("a.b.csv", true), OutputKind::Csv);
  EXPECT_THAT(messageOf<UsageError>([] { outputKind("a.avi", false); }), HasSubstr(".mkv"));
}

TEST(Presets, FitAGifAndTheirOwnFormat) {
  for (const RecordingPreset& preset : recordingPresets()) {
    Scene scene = shortScene();
    apply(preset, scene);
    EXPECT_NO_THROW(exporting::gifDelay(scene.fps)) << preset.key;
    EXPECT_EQ(scene.figure.width, preset.width);
    EXPECT_EQ(&recordingPreset(preset.key), &preset);
    EXPECT_NO_THROW(outputKind("a." + std::string(preset.ending), true));
    EXPECT_EQ(preset.width % 2 + preset.height % 2, 0) << "videos have even sides";
  }
  EXPECT_THAT(messageOf<UsageError>([] { recordingPreset("slide"); }), HasSubstr("did you mean 'slides'"));
}

TEST(RecordingJob, MakesFilesOfAllFormatsFromTheSameFrames) {
  const Folder folder;
  OutputRequest request = requestFor(folder, {"a.gif", "b.csv", "c.npy", "d.png"});
  const bool video = exporting::findProgram("ffmpeg").has_value();
  if (video) request.files.push_back(folder / "e.mkv");
  request.scene_file = true;
  RecordingJob job(shortScene(), request);
  EXPECT_EQ(record(job), 1);
  std::vector<std::string> names{"a.gif", "b.csv", "c.npy", "d.png"};
  if (video) names.insert(names.end(), {"e.mkv", "e.simscope.json"});
  EXPECT_EQ(folder.names(), names);
  EXPECT_THAT(job.summary(), SizeIs(names.size()));
  EXPECT_EQ(sceneFromJson(exporting::readEmbeddedScene(folder / "a.gif")).frames, 6);
  EXPECT_EQ(exporting::readEmbeddedScene(folder / "a.gif"), exporting::readEmbeddedScene(folder / "d.png"));
  if (video) {
    EXPECT_EQ(sceneFromJson(contentOf(folder / "e.simscope.json")).frames, 6);
  }

  std::ifstream table(folder / "b.csv");
  std::string line;
  std::getline(table, line);
  EXPECT_THAT(line, ::testing::StartsWith("step,time,"));
  for (int i = 0; i < 6; ++i) {
    std::getline(table, line);
    EXPECT_THAT(line, ::testing::StartsWith(fmt::format("{},{},", 10 * i, 0.1 * i)));
  }
  EXPECT_FALSE(std::getline(table, line));
  EXPECT_THAT(contentOf(folder / "c.npy"), HasSubstr("'shape': (6, 5)"));
}

TEST(RecordingJob, LeavesOutWhatComesBeforeTheFirstFrame) {
  const Folder folder;
  Scene scene = shortScene(3);
  scene.first_frame = 4;
  RecordingJob job(scene, requestFor(folder, {"a.csv", "b.npy", "c.gif"}));
  EXPECT_FALSE(job.wantsPicture(3));
  EXPECT_TRUE(job.wantsPicture(4));
  EXPECT_EQ(job.lastFrame(), 6);
  record(job);
  EXPECT_THAT(contentOf(folder / "a.csv"), HasSubstr("\n40,"));
  EXPECT_THAT(contentOf(folder / "a.csv"), ::testing::Not(HasSubstr("\n30,")));
  EXPECT_THAT(contentOf(folder / "b.npy"), HasSubstr("'shape': (3, 5)"));
  EXPECT_EQ(sceneFromJson(exporting::readEmbeddedScene(folder / "c.gif")).first_frame, 4);
}

TEST(Scene, BeginsAtAFrameWhereWholeOnesLeadThere) {
  Scene scene = shortScene();
  scene.beginAt(40);
  EXPECT_EQ(scene.first_frame, 4);
  EXPECT_EQ(scene.first_step, 0);
  for (const std::int64_t step : {std::int64_t{37}, std::int64_t{10} * (kMostFrames + 1)}) {
    scene.beginAt(step);
    EXPECT_EQ(scene.first_frame, 0);
    EXPECT_EQ(scene.beginsAt(), step);
  }
  scene.beginAt(37);
  EXPECT_EQ(sceneFromJson(toJson(scene)).beginsAt(), 37);
  EXPECT_EQ(scene.stepsToNextFrame(20), 10);
  EXPECT_EQ(scene.stepsToNextFrame(30), 7);
  EXPECT_EQ(scene.stepsToNextFrame(37), 10);
}

// The frames of a run that shows the job's first one.
void recordRun(Stepper& stepper, RecordingJob& job) {
  Frame frame;
  for (int i = job.scene().first_frame; i <= job.lastFrame(); ++i) {
    if (i > job.scene().first_frame) stepper.step(job.scene().steps_per_frame);
    stepper.present(frame);
    job.array(i, frame);
    job.row(stepper.simulation().steps(), stepper.simulation().time(), stepper.diagnostics());
  }
  ASSERT_TRUE(job.finish(job.scene().frames));
}

TEST(Scene, ShowsEachStepAsTheViewWasMovedByThen) {
  Scene scene = shortScene();
  scene.figure.x = render::Limits{-50, 50};
  scene.figure.scale = 0.5;
  ViewChange zoomed{20, scene.figure}, fitted{35, scene.figure};
  zoomed.figure.x = render::Limits{-10.1, 10};
  zoomed.figure.theme = render::Theme::Light;
  fitted.figure.x.reset();
  fitted.figure.camera = Camera{30, 60, 1.5, 0, 1, 2};
  scene.view_changes = {zoomed, fitted};
  const Scene again = sceneFromJson(toJson(scene));
  EXPECT_EQ(again.view_changes, scene.view_changes);
  EXPECT_EQ(again.figureAt(19), scene.figure);
  EXPECT_EQ(again.figureAt(20), zoomed.figure);
  EXPECT_EQ(again.figureAt(34), zoomed.figure);
  EXPECT_EQ(again.figureAt(1000), fitted.figure);
  Scene larger = again;
  larger.figure.width = 640;
  EXPECT_EQ(larger.figureAt(20).width, 640) << "a scene has one size";
  const std::string twice = R"({"simscope": 1, "simulation": "tunneling", "view_changes": [{"step": 5}, {"step": 5}]})";
  EXPECT_THAT(messageOf<UsageError>([&] { sceneFromJson(twice); }), HasSubstr("view_changes[1].step"));
  const std::string other =
      R"({"simscope": 1, "simulation": "tunneling", "view_changes": [{"step": 5, "view": {"key": "denstiy"}}]})";
  EXPECT_THAT(messageOf<UsageError>([&] { sceneFromJson(other); }), HasSubstr("view_changes[0].view.key"));
}

TEST(RecordingJob, EmbedsWhatWasDoneMeanwhile) {
  const Folder folder;
  Scene scene = shortScene(4);
  OutputRequest request = requestFor(folder, {"a.gif", "a.apng"});
  request.open_ended = true;
  RecordingJob job(scene, request);
  for (int i = 0; i < 3; ++i) job.picture(i, drawn(scene, i));
  Scene done = scene;
  done.frames = 3;
  done.timeline.strokes = {{"kick", {{10, {.tool = "kick", .x = -65, .dx = 4, .radius = 20, .begins = true}}}}};
  done.timeline.tracks = {{"barrier_height", {{0.5, 1.5}, {1, 8}}}};
  done.view_changes = {{20, scene.figure}};
  job.amend(done.timeline, done.view_changes);
  ASSERT_TRUE(job.finish(3));
  for (const char* const name : {"a.gif", "a.apng"}) {
    EXPECT_EQ(exporting::readEmbeddedScene(folder / name), toJson(done)) << name;
    EXPECT_EQ(toJson(readScene(folder / name)), toJson(done)) << name;
  }
}

TEST(RecordingJob, FromTheMiddleOfAFrameIsMadeAgainFromItsScene) {
  const Folder folder;
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  const auto kick = [](std::int64_t step) {
    return Stroke{"kick", {{step, {.tool = "kick", .x = -65, .dx = 4, .radius = 20, .begins = true}}}};
  };
  Scene scene = shortScene(5);
  scene.timeline.strokes = {kick(12), kick(60)};
  scene.timeline.tracks = {{"barrier_height", {{0, 1.5}, {5, 8}}}};
  Stepper live = begin(scene, device);
  for (const int steps : {10, 10, 10, 3}) live.step(steps);
  live.poke(kick(33).events[0].brush);
  live.step(4);
  scene.timeline = live.timeline();
  scene.beginAt(live.simulation().steps());
  RecordingJob now(scene, requestFor(folder, {"now.csv", "now.npy"}));
  recordRun(live, now);

  scene = sceneFromJson(toJson(scene));
  Stepper again = begin(scene, device);
  stepToFirst(again, scene, [] {});
  EXPECT_EQ(again.simulation().steps(), 37);
  RecordingJob later(scene, requestFor(folder, {"later.csv", "later.npy"}));
  recordRun(again, later);
  EXPECT_THAT(contentOf(folder / "now.csv"), HasSubstr("\n37,"));
  EXPECT_EQ(contentOf(folder / "now.csv"), contentOf(folder / "later.csv"));
  EXPECT_TRUE(contentOf(folder / "now.npy") == contentOf(folder / "later.npy"));
}

TEST(RecordingJob, PicksOneFrameForPictureAndArray) {
  const Folder folder;
  OutputRequest request = requestFor(folder, {"a.png", "b.npy"});
  request.frame = 2;
  RecordingJob job(shortScene(), request);
  EXPECT_EQ(job.lastFrame(), 2) << "the rest of the run is not needed";
  record(job);
  EXPECT_EQ(sceneFromJson(exporting::readEmbeddedScene(folder / "a.png")).frames, 3)
      << "its scene ends with this picture";
  EXPECT_THAT(contentOf(folder / "b.npy"), HasSubstr("'shape': (5,)"));
}

TEST(RecordingJob, RefusesBeforeAnythingIsMade) {
  const Folder folder;
  const auto refused = [&](const std::vector<std::string>& names, const std::function<void(OutputRequest&)>& change) {
    OutputRequest request = requestFor(folder, names);
    change(request);
    return messageOf<UsageError>([&] { RecordingJob(shortScene(), request); });
  };
  const auto nothing = [](OutputRequest&) {};
  EXPECT_THAT(refused({}, nothing), HasSubstr("no file"));
  EXPECT_THAT(refused({"a.gif", "./a.gif"}, nothing), HasSubstr("written twice"));
  EXPECT_THAT(refused({"a.mp4", "b.csv", "a.webm"}, [](OutputRequest& r) { r.scene_file = true; }),
              HasSubstr("a.simscope.json"));
  EXPECT_THAT(refused({"a.gif", "missing/b.csv"}, nothing), HasSubstr("missing"));
  EXPECT_THAT(refused({"a.npy"}, [](OutputRequest& r) { r.channel = "densty"; }), HasSubstr("did you mean 'density'"));
  store(folder / "old.csv", "old");
  EXPECT_THAT(refused({"a.gif", "old.csv"}, nothing), HasSubstr("already exists"));
  EXPECT_THAT(folder.names(), ElementsAre("old.csv"));
}

TEST(RecordingJob, FindsASizeThatFitsAndTheSameOneEachTime) {
  const Folder folder;
  Scene scene = shortScene(40, 240, 160);
  {
    RecordingJob free(scene, requestFor(folder, {"free.gif"}));
    EXPECT_EQ(record(free), 1);
  }
  scene.max_bytes = fs::file_size(folder / "free.gif") / 4;
  for (const char* name : {"a.gif", "b.gif"}) {
    RecordingJob job(scene, requestFor(folder, {name}));
    EXPECT_GE(record(job), 2);
    EXPECT_THAT(job.fitted(), HasSubstr("pixels"));
    EXPECT_LE(fs::file_size(folder / name), scene.max_bytes);
    EXPECT_GE(fs::file_size(folder / name), scene.max_bytes / 3) << "much smaller than it might be";
    const Scene made = sceneFromJson(exporting::readEmbeddedScene(folder / name));
    EXPECT_EQ(made.figure.width, job.scene().figure.width);
    EXPECT_EQ(made.frames, job.scene().frames);
    EXPECT_NEAR(made.frames / made.fps, scene.frames / scene.fps, 0.1) << "it lasts as long";
  }
  EXPECT_TRUE(contentOf(folder / "a.gif") == contentOf(folder / "b.gif"));

  // Where it fits as it is, nothing is changed.
  scene.max_bytes = fs::file_size(folder / "free.gif") * 2;
  RecordingJob roomy(scene, requestFor(folder, {"roomy.gif"}));
  EXPECT_EQ(record(roomy), 1);
  EXPECT_EQ(roomy.fitted(), "");
  scene.max_bytes = 1000;
  RecordingJob impossible(scene, requestFor(folder, {"none.gif"}));
  EXPECT_THAT(messageOf<UsageError>([&] { record(impossible); }), HasSubstr("no GIF of 40 frames fits"));
  EXPECT_THAT(folder.names(), ElementsAre("a.gif", "b.gif", "free.gif", "roomy.gif"));
}

// The window reads these in each of its frames. ThreadSanitizer (./dev test --thread) sees what equal numbers hide.
TEST(RecordingJob, IsReadWhileItPlansTheNextPass) {
  const Folder folder;
  Scene scene = shortScene(40, 240, 160);
  scene.max_bytes = 100'000;
  RecordingJob job(scene, requestFor(folder, {"a.gif", "b.csv"}));
  const std::vector<double> values(scene.description->diagnostics.size());
  for (int i = 0; i <= job.lastFrame(); ++i) {
    if (job.wantsPicture(i)) job.picture(i, drawn(job.scene(), i));
    if (job.wantsRow(i)) job.row(i, i, values);
  }
  std::atomic<bool> done = false;
  bool complete = true;
  std::thread other([&] {
    complete = job.finish(scene.frames);
    done = true;
  });
  while (!done) {
    EXPECT_EQ(job.scene().figure.width, 240) << "the next pass begins when it is told to";
    EXPECT_EQ(job.fitted(), "");
    EXPECT_EQ(job.progress().expected, 40);
  }
  other.join();
  ASSERT_FALSE(complete);
  job.startNextPass();
  EXPECT_LT(job.scene().figure.width, 240);
  EXPECT_THAT(job.fitted(), HasSubstr("pixels"));
}

// Likewise while the files of fewer frames than were announced are completed.
TEST(RecordingJob, IsReadWhileItCompletesTheFiles) {
  const Folder folder;
  RecordingJob job(shortScene(50), requestFor(folder, {"a.gif", "c.png"}));
  for (int i = 0; i < 9; ++i) job.picture(i, drawn(job.scene(), i));
  job.picture(49, drawn(job.scene(), 49));
  std::atomic<bool> done = false;
  std::thread other([&] {
    EXPECT_TRUE(job.finish(10));
    done = true;
  });
  while (!done) EXPECT_EQ(job.progress().expected, 50);
  other.join();
  EXPECT_THAT(job.summary().front(), HasSubstr("10 frames"));
}

TEST(RecordingJob, CountsTheBytesOfEveryFormat) {
  const Folder folder;
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"a.npy"}, {"b.csv"}, {"c.png"}, {"d.npy", "d.csv", "d.gif", "d.png"}}) {
    RecordingJob job(shortScene(20), requestFor(folder, names));
    record(job);
    std::uint64_t bytes = 0;
    for (const std::string& name : names) bytes += fs::file_size(folder / name);
    EXPECT_EQ(job.progress().bytes, bytes) << names.front();
    EXPECT_EQ(job.progress().estimated_bytes, bytes) << names.front();
  }
}

TEST(RecordingJob, ForeseesTheSizeOfTablesAndArrays) {
  const Folder folder;
  RecordingJob job(shortScene(20), requestFor(folder, {"a.npy", "a.csv"}));
  EXPECT_EQ(job.progress().bytes, 0u);
  Frame frame;
  frame.device = compute::Device::open("cpu", 1);
  const std::vector<float> values(10'000);
  for (int i = 0; i < 10; ++i) {
    frame.channel("density", 10'000).data.upload(values);
    job.array(i, frame);
    job.row(i, i, std::vector<double>(job.scene().description->diagnostics.size(), 0.5));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const exporting::EncodingProgress half = job.progress();
  EXPECT_EQ(half.frames, 10);
  EXPECT_NEAR(static_cast<double>(half.bytes), 10 * 40'000, 4000);
  EXPECT_NEAR(static_cast<double>(half.estimated_bytes), 20 * 40'000, 8000);
  EXPECT_GT(half.frames_per_second, 0);
  EXPECT_LT(half.frames_per_second, 600);
  EXPECT_NEAR(half.seconds_left, 10 / half.frames_per_second, 1e-9);
}

TEST(RecordingJob, SeveralFilesAppearTogetherOrNotAtAll) {
  const Folder folder;
  for (const bool blocked : {true, false}) {
    store(folder / "b.csv", "old");
    OutputRequest request = requestFor(folder, {"a.gif", "b.csv", "c.npy", "d.png"});
    request.overwrite = true;
    RecordingJob job(shortScene(), request);
    if (blocked) fs::create_directory(folder / "d.png");
    const std::string said = tests::refusal<Error>([&] { record(job); });
    if (!blocked) continue;
    EXPECT_THAT(said, HasSubstr("d.png"));
    EXPECT_THAT(folder.names(), ElementsAre("b.csv", "d.png"));
    EXPECT_EQ(contentOf(folder / "b.csv"), "old");
    fs::remove(folder / "d.png");
  }
  EXPECT_THAT(folder.names(), ElementsAre("a.gif", "b.csv", "c.npy", "d.png"));
  EXPECT_NE(contentOf(folder / "b.csv"), "old");
}

TEST(RecordingJob, OfAnUnknownLengthEndsWhenItIsTold) {
  const Folder folder;
  OutputRequest request = requestFor(folder, {"a.gif", "b.csv", "c.npy"});
  request.open_ended = true;
  RecordingJob job(shortScene(141), request);
  record(job, 9);
  EXPECT_EQ(sceneFromJson(exporting::readEmbeddedScene(folder / "a.gif")).frames, 9);
  EXPECT_THAT(contentOf(folder / "c.npy"), HasSubstr("'shape': (9, 5)"));

  // One that ends early tells how long it is, too.
  RecordingJob early(shortScene(141), requestFor(folder, {"d.gif"}));
  record(early, 7);
  EXPECT_EQ(sceneFromJson(exporting::readEmbeddedScene(folder / "d.gif")).frames, 7);
}

TEST(RecordingJob, CancelledAtAnyStageLeavesNothing) {
  const Folder folder;
  for (const int frames : {0, 1, 5}) {
    OutputRequest request = requestFor(folder, {"a.gif", "b.csv", "c.npy", "d.png", "e.png"});
    request.numbered = true;
    RecordingJob job(shortScene(), request);
    const std::vector<double> values(job.scene().description->diagnostics.size());
    for (int i = 0; i < frames; ++i) {
      job.picture(i, drawn(job.scene(), i));
      job.row(i, i, values);
    }
    job.cancel();
    EXPECT_THROW(job.finish(frames), Error);
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RecordingJob, AFolderThatVanishesIsAnErrorAndTheRestIsCleanedUp) {
  const Folder folder;
  fs::create_directory(folder / "sub");
  RecordingJob job(shortScene(), requestFor(folder, {"sub/a.gif"}));
  for (int i = 0; i < 6; ++i) job.picture(i, drawn(job.scene(), i));
  fs::remove_all(folder / "sub");
  EXPECT_THAT(messageOf<Error>([&] { job.finish(6); }), HasSubstr("a.gif"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(RecordingJob, ADiskThatFillsUpIsAnErrorForEachFormat) {
  const Folder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{600, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::map<std::string, std::string> said;
  for (const char* name : {"a.gif", "a.png", "a.csv", "a.npy"}) {
    said[name] = tests::refusal<Error>([&] {
      RecordingJob job(shortScene(60), requestFor(folder, {name}));
      record(job);
    });
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  for (const char* name : {"a.gif", "a.png", "a.csv", "a.npy"}) EXPECT_THAT(said[name], HasSubstr(name));
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(ExistingFile, IsFoundAlsoAmongNumberedPictures) {
  const Folder folder;
  EXPECT_EQ(existingFile(folder / "a.gif", OutputKind::Gif), "");
  EXPECT_EQ(existingFile(folder / "a.png", OutputKind::Pictures), "");
  for (const char* name : {"a.png", "a1b.png", "ab0001.png", "a.gif"}) store(folder / name, "");
  EXPECT_EQ(existingFile(folder / "a.gif", OutputKind::Gif), folder / "a.gif");
  EXPECT_EQ(existingFile(folder / "a.png", OutputKind::Pictures), "");
  store(folder / "a0012.png", "");
  EXPECT_EQ(existingFile(folder / "a.png", OutputKind::Pictures), folder / "a0012.png");
}

double residentMegabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST(RecordingJob, TenThousandFramesTakeNoMoreMemoryThanOneThousand) {
  if (SIMSCOPE_SANITIZE) GTEST_SKIP() << "the sanitizer keeps what is freed";
  const Folder folder;
  Scene scene = shortScene(10'000);
  scene.max_bytes = 1'000'000'000;  // pictures are kept for a plan, too
  RecordingJob job(scene, requestFor(folder, {"a.gif", "b.csv"}));
  const std::vector<double> values(scene.description->diagnostics.size(), 1.0 / 3);
  std::vector<Picture> pictures;
  for (int i = 0; i < 8; ++i) pictures.push_back(drawn(scene, i));
  double before = 0;
  for (int i = 0; i < scene.frames; ++i) {
    if (i == scene.frames / 10) before = residentMegabytes();
    job.picture(i, pictures[static_cast<std::size_t>(i) % pictures.size()]);
    job.row(i, i, values);
  }
  ASSERT_TRUE(job.finish(scene.frames));
  // The queue holds 256 pictures at most: 4.7 MB, a part of which may come later.
  EXPECT_LT(residentMegabytes() - before, 16);
}

}  // namespace
}  // namespace simscope
