// Scenes: what is written reads back the same, and what cannot be used is refused with its place in the document.
#include "app/scene/scene.h"
#include "app/export/png.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/export/files.h"
#include "sims/core/registry.h"
#include "sims/core/testing/folder.h"
#include "sims/core/testing/refusal.h"
#include "tests/cli/scene_testing.h"

namespace simscope {
namespace {

using scene_test::message;
using scene_test::tunneling;
using scene_test::with;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

Scene sample() {
  Scene scene = Scene::fromPreset(tunneling(), "tunnelling");
  scene.parameters.setText("grid_points", "1024");
  scene.parameters.setText("barrier_height", "0.1");
  scene.parameters.setText("potential", "double_barrier");
  scene.parameters.setText("absorbing_edges", "on");
  scene.seed = 18446744073709551615u;
  scene.figure.width = 641;
  scene.figure.height = 359;
  scene.figure.scale = 1.25;
  scene.figure.theme = render::Theme::Light;
  scene.figure.view = tunneling().views.front().key;
  scene.figure.shown = {{tunneling().views.front().as<CurveView>()->traces.front().channel, false}};
  scene.figure.x = render::Limits{-12.5, 40};
  scene.figure.y = render::Limits{0, 0.1};
  scene.figure.colormap = "viridis";
  scene.figure.reversed = true;
  scene.figure.range = render::Limits{-0.5, 1e-3};
  scene.figure.isolines = true;
  scene.figure.arrows = true;
  scene.figure.camera = Camera{-400.5, -90, 2.5, 1, -2, 3e-7};
  scene.figure.follow = kLastPoint;
  scene.figure.exposure = -1.5;
  scene.figure.point_size = 0.3;
  scene.figure.value_scale = FieldScale::Log;
  scene.figure.symmetric = false;
  scene.figure.supersampling = 3;
  scene.first_frame = 5;
  scene.frames = 77;
  scene.steps_per_frame = 13;
  scene.fps = 100.0 / 3;
  scene.loop = 65535;
  scene.max_bytes = 1'000'000'000'000'000;
  const auto event = [](std::int64_t step, double x, double dx, double radius, double strength, bool begins) {
    return Stroke::Event{step, {"kick", x, 0.1, dx, -0.3, radius, strength, -3e7, 1.0 / 3, begins}};
  };
  scene.timeline.strokes = {{"kick", {event(0, 1, 0, 2.5, 1, true), event(12, 1.1, 0.1, 2.5, 1, false)}},
                            {"kick", {event(12, -7, 0, 0, -3, true), event(12, -7, 2, 1, 0, false)}}};
  scene.timeline.tracks = {{"barrier_height", {{-1, 0.5}, {0.1, 2, Easing::Smooth}, {100, 0.25}}},
                           {"barrier_width", {{0, 1}}}};
  scene.timeline.track_interval = 13;
  return scene;
}

void expectEqual(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.preset, b.preset);
  EXPECT_TRUE(a.parameters == b.parameters);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.figure.width, b.figure.width);
  EXPECT_EQ(a.figure.height, b.figure.height);
  EXPECT_EQ(a.figure.scale, b.figure.scale);
  EXPECT_EQ(a.figure.theme, b.figure.theme);
  EXPECT_EQ(a.figure.view, b.figure.view);
  EXPECT_EQ(a.figure.shown, b.figure.shown);
  EXPECT_EQ(a.figure.x, b.figure.x);
  EXPECT_EQ(a.figure.y, b.figure.y);
  EXPECT_EQ(a.figure.colormap, b.figure.colormap);
  EXPECT_EQ(a.figure.reversed, b.figure.reversed);
  EXPECT_EQ(a.figure.range, b.figure.range);
  EXPECT_EQ(a.figure.isolines, b.figure.isolines);
  EXPECT_EQ(a.figure.arrows, b.figure.arrows);
  EXPECT_EQ(a.figure.camera, b.figure.camera);
  EXPECT_EQ(a.figure.follow, b.figure.follow);
  EXPECT_EQ(a.figure.exposure, b.figure.exposure);
  EXPECT_EQ(a.figure.point_size, b.figure.point_size);
  EXPECT_EQ(a.figure.value_scale, b.figure.value_scale);
  EXPECT_EQ(a.figure.symmetric, b.figure.symmetric);
  EXPECT_EQ(a.figure.supersampling, b.figure.supersampling);
  EXPECT_EQ(a.timeline, b.timeline);
  EXPECT_EQ(a.first_step, b.first_step);
  EXPECT_EQ(a.first_frame, b.first_frame);
  EXPECT_EQ(a.loop, b.loop);
  EXPECT_EQ(a.max_bytes, b.max_bytes);
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.steps_per_frame, b.steps_per_frame);
  EXPECT_EQ(a.fps, b.fps);
}

TEST(Scene, ReadsBackAsItWasWritten) {
  const Scene scene = sample();
  for (const bool pretty : {false, true}) {
    std::vector<std::string> ignored;
    expectEqual(sceneFromJson(toJson(scene, pretty), &ignored), scene);
    EXPECT_THAT(ignored, IsEmpty());
  }
  EXPECT_EQ(toJson(sceneFromJson(toJson(scene))), toJson(scene));
}

TEST(Scene, EveryPresetReadsBackAndHoldsNoParameters) {
  for (const Description* description : simulations()) {
    for (const Preset& preset : description->presets) {
      const Scene scene = Scene::fromPreset(*description, preset.key);
      EXPECT_TRUE(scene.parameters == description->preset(preset.key));
      EXPECT_EQ(scene.frames, preset.frames);
      EXPECT_EQ(scene.steps_per_frame, preset.steps_per_frame);
      EXPECT_EQ(scene.figure.view, preset.view);
      EXPECT_EQ(scene.figure.camera, preset.camera);
      expectEqual(sceneFromJson(toJson(scene)), scene);
      EXPECT_TRUE(nlohmann::json::parse(toJson(scene)).at("parameters").empty());
    }
  }
}

TEST(Scene, OnlyMarkerAndSimulationAreNeeded) {
  const Scene scene = sceneFromJson(R"({"simscope": 1, "simulation": "tunneling"})");
  EXPECT_EQ(scene.description, &tunneling());
  EXPECT_TRUE(scene.parameters == tunneling().defaults());
  EXPECT_EQ(scene.seed, 1u);
  EXPECT_EQ(scene.figure.width, 960);
  EXPECT_EQ(scene.fps, 25);
}

TEST(Scene, CameraFieldsThatAreMissingAreTheUsualOnes) {
  const Scene plain = sceneFromJson(with(R"("view": {"camera": {}})"));
  EXPECT_EQ(plain.figure.camera, Camera{});
  const Scene zoomed = sceneFromJson(with(R"("view": {"camera": {"zoom": 4, "target": [0, 1, -1e3]}})"));
  EXPECT_EQ(zoomed.figure.camera, (Camera{.zoom = 4, .y = 1, .z = -1000}));
  EXPECT_FALSE(sceneFromJson(with(R"("view": {})")).figure.camera);
}

// A description that no registry knows: scenes of it can be written, not read.
Description withViews() {
  Description d;
  d.id = "sample";
  d.parameters = std::make_shared<const std::vector<ParameterInfo>>();
  d.views = {{"speed", "Speed", PointView{.channel = "bodies", .trail_channel = "trails"}},
             {"profile", "Profile", CurveView{}}};
  d.presets = {{.key = "plain", .frames = 7},
               {.key = "disc", .steps_per_frame = 3, .view = "profile", .camera = Camera{.elevation = 90, .zoom = 2}}};
  return d;
}

TEST(Scene, PresetBringsItsViewAndCamera) {
  const Description d = withViews();
  const Scene disc = Scene::fromPreset(d, "disc");
  EXPECT_EQ(disc.figure.view, "profile");
  EXPECT_EQ(disc.figure.camera, (Camera{.elevation = 90, .zoom = 2}));
  EXPECT_EQ(disc.steps_per_frame, 3);
  for (const char* preset : {"plain", ""}) {
    const Scene plain = Scene::fromPreset(d, preset);
    EXPECT_EQ(plain.figure.view, "");
    EXPECT_FALSE(plain.figure.camera);
    EXPECT_EQ(plain.frames, 7) << "those of the first preset, without a name";
  }
}

TEST(Scene, ViewAndCameraThatDifferFromThePresetsAreWrittenEvenWhereTheyAreTheUsualOnes) {
  const Description d = withViews();
  Scene scene = Scene::fromPreset(d, "disc");
  scene.figure.view = "";
  scene.figure.camera.reset();
  const nlohmann::json view = nlohmann::json::parse(toJson(scene)).at("view");
  EXPECT_EQ(view.at("key"), "speed");
  EXPECT_EQ(view.at("camera").at("elevation"), Camera{}.elevation);
  const nlohmann::json plain = nlohmann::json::parse(toJson(Scene::fromPreset(d, "plain"))).at("view");
  for (const char* field : {"key", "camera", "follow", "exposure", "point_size", "arrows"}) {
    EXPECT_FALSE(plain.contains(field)) << field;
  }
}

TEST(Scene, ParametersAreTypedOrTheirTextIs) {
  const Scene scene = sceneFromJson(with(R"("parameters": {"barrier_height": 2, "grid_points": 2048,
    "potential": "well", "absorbing_edges": true, "time_step": 1e-2})"));
  EXPECT_EQ(scene.parameters.real("barrier_height"), 2);
  EXPECT_EQ(scene.parameters.integer("grid_points"), 2048);
  EXPECT_EQ(scene.parameters.text("potential"), "well");
  EXPECT_TRUE(scene.parameters.flag("absorbing_edges"));
  EXPECT_EQ(scene.parameters.real("time_step"), 0.01);
}

TEST(Scene, BrokenJsonIsRefusedWithLineAndColumn) {
  EXPECT_THAT(message("{\"simscope\": 1,\n  \"simulation\" = 3}"), HasSubstr("line 2, column 16"));
  EXPECT_THAT(message(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(message("{\"simscope\": 1,\n"), AllOf(HasSubstr("line 2"), HasSubstr("ends too early")));
  EXPECT_THAT(message("{\"simscope\": \xff}"), HasSubstr("line 1"));
  EXPECT_THAT(message(std::string(100'000, '[')), HasSubstr("nested"));
  EXPECT_THAT(message("{\"simscope\": 1e999}"), HasSubstr("too large"));
  EXPECT_THAT(message("{\"simscope\": NaN}"), HasSubstr("line 1, column 14"));
}

TEST(Scene, WhatIsNoSceneIsRefused) {
  EXPECT_THAT(message("[]"), HasSubstr("must be an object"));
  EXPECT_THAT(message("{}"), HasSubstr("simscope: is missing"));
  EXPECT_THAT(message(R"({"simscope": 0, "simulation": "tunneling"})"), HasSubstr("simscope: 0"));
  EXPECT_THAT(message(R"({"simscope": -1, "simulation": "tunneling"})"), HasSubstr("simscope: -1"));
  EXPECT_THAT(message(R"({"simscope": "1", "simulation": "tunneling"})"), HasSubstr("simscope: \"1\""));
  EXPECT_THAT(message(R"({"simscope": 1})"), HasSubstr("simulation: is missing"));
  EXPECT_THAT(message(R"({"simscope": 1, "simulation": 7})"), HasSubstr("simulation: 7"));
  EXPECT_THAT(message(R"({"simscope": 1, "simulation": "tuneling"})"), HasSubstr("did you mean 'tunneling'?"));
}

TEST(Scene, BadValuesAreRefusedWithTheirPath) {
  const std::pair<const char*, const char*> bad[] = {
      {R"("preset": "nothing_like_it")", "preset: "},
      {R"("preset": 3)", "preset: 3"},
      {R"("parameters": [])", "parameters: "},
      {R"("parameters": {"grid_points": 1000})", "parameters.grid_points: "},
      {R"("parameters": {"grid_points": 4096.5})", "parameters.grid_points: "},
      {R"("parameters": {"grid_points": "many"})", "parameters.grid_points: "},
      {R"("parameters": {"grid_points": 18446744073709551615})", "parameters.grid_points: "},
      {R"("parameters": {"barrier_height": -1e300})", "parameters.barrier_height: "},
      {R"("parameters": {"barrier_height": null})", "parameters.barrier_height: "},
      {R"("parameters": {"barrier_height": [1]})", "parameters.barrier_height: "},
      {R"("parameters": {"potential": "wall"})", "parameters.potential: "},
      {R"("parameters": {"potential": 2})", "parameters.potential: "},
      {R"("parameters": {"absorbing_edges": 0.5})", "parameters.absorbing_edges: "},
      {R"("parameters": {"barrier_hight": 1})", "parameters.barrier_hight: "},
      {R"("seed": -1)", "seed: "},
      {R"("seed": 1.5)", "seed: "},
      {R"("seed": "lucky")", "seed: "},
      {R"("view": 1)", "view: "},
      {R"("view": {"key": "no_such_view"})", "view.key: "},
      {R"("view": {"theme": "pink"})", "view.theme: "},
      {R"("view": {"shown": {"density": 1}})", "view.shown.density: "},
      {R"("view": {"shown": []})", "view.shown: "},
      {R"("view": {"x": [1, 1]})", "view.x: "},
      {R"("view": {"x": [2, 1]})", "view.x: "},
      {R"("view": {"y": [0, null]})", "view.y: "},
      {R"("view": {"y": [0]})", "view.y: "},
      {R"("view": {"range": [0, 0]})", "view.range: "},
      {R"("view": {"reversed": "yes"})", "view.reversed: "},
      {R"("view": {"isolines": 1})", "view.isolines: "},
      {R"("view": {"colormap": 1})", "view.colormap: "},
      {R"("view": {"scale": 0})", "view.scale: "},
      {R"("view": {"arrows": 1})", "view.arrows: "},
      {R"("view": {"camera": [1, 2]})", "view.camera: "},
      {R"("view": {"camera": {"azimuth": "north"}})", "view.camera.azimuth: "},
      {R"("view": {"camera": {"azimuth": 1e300}})", "view.camera.azimuth: "},
      {R"("view": {"camera": {"elevation": 91}})", "view.camera.elevation: "},
      {R"("view": {"camera": {"zoom": 0}})", "view.camera.zoom: "},
      {R"("view": {"camera": {"target": 0}})", "view.camera.target: "},
      {R"("view": {"camera": {"target": [0, 0]}})", "view.camera.target: "},
      {R"("view": {"camera": {"target": [0, 0, null]}})", "view.camera.target: "},
      {R"("view": {"camera": {"target": [0, 0, 1e200]}})", "view.camera.target: "},
      {R"("view": {"follow": -2})", "view.follow: "},
      {R"("view": {"follow": 1.5})", "view.follow: "},
      {R"("view": {"follow": 18446744073709551615})", "view.follow: "},
      {R"("view": {"exposure": 31})", "view.exposure: "},
      {R"("view": {"point_size": 0})", "view.point_size: "},
      {R"("view": {"theme": 1})", "view.theme: "},
      {R"("view": {"value_scale": "logarithmic"})", "view.value_scale: "},
      {R"("view": {"symmetric": 0})", "view.symmetric: "},
      {R"("view": {"supersampling": 5})", "view.supersampling: "},
      {R"("strokes": {})", "strokes: "},
      {R"("strokes": [1])", "strokes[0]: "},
      {R"("strokes": [{}])", "strokes[0].tool: "},
      {R"("strokes": [{"tool": "kik", "events": [{}]}])", "strokes[0].tool: "},
      {R"("strokes": [{"tool": "kick"}])", "strokes[0].events: "},
      {R"("strokes": [{"tool": "kick", "events": {}}])", "strokes[0].events: "},
      {R"("strokes": [{"tool": "kick", "radius": "wide", "events": [{}]}])", "strokes[0].radius: "},
      {R"("strokes": [{"tool": "kick", "events": [{}, {"x": 1e300}]}])", "strokes[0].events[1].x: "},
      {R"("strokes": [{"tool": "kick", "events": [{"shape": "star"}]}])", "strokes[0].events[0].shape: "},
      {R"("strokes": [{"tool": "kick", "events": [{"shape": 2}]}])", "strokes[0].events[0].shape: "},
      {R"("strokes": [{"tool": "kick", "events": [{"shape": "region"}]}])", "strokes[0].events[0].shape: "},
      {R"("strokes": [{"tool": "kick", "events": [{"step": -1}]}])", "strokes[0].events[0].step: "},
      {R"("strokes": [{"tool": "kick", "events": [{"step": 1e30}]}])", "strokes[0].events[0].step: "},
      {R"("strokes": [{"tool": "kick", "events": [{"step": 2}, {"step": 1}]}])", "strokes[0].events[1].step: "},
      {R"("keyframes": 1)", "keyframes: "},
      {R"("keyframes": [{"points": [[0, 1]]}])", "keyframes[0].parameter: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": []}])", "keyframes[0].points: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": [[0]]}])", "keyframes[0].points[0]: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": [[0, 1], [0, 1]]}])", "keyframes[0].points[1]: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": [[0, 1, "soft"]]}])", "keyframes[0].points[0]: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": [[1e99, 1]]}])", "keyframes[0].points[0]: "},
      {R"("keyframes": [{"parameter": "barrier_height", "points": [[0, -1e9]]}])", "keyframes[0].points[0]: "},
      {R"("keyframes": [{"parameter": "grid_points", "points": [[0, 1024]]}])", "keyframes[0]: "},
      {R"("recorder": {"first_frame": -1})", "recorder.first_frame: "},
      {R"("recorder": {"first_step": -1})", "recorder.first_step: "},
      {R"("recorder": {"first_step": 7, "first_frame": 1})", "recorder.first_step: "},
      {R"("recorder": {"loop": 65536})", "recorder.loop: "},
      {R"("recorder": {"max_bytes": 1e3})", "recorder.max_bytes: "},
      {R"("recorder": {"frames": 0})", "recorder.frames: "},
      {R"("recorder": {"frames": 1e20})", "recorder.frames: "},
      {R"("recorder": {"frames": 99999999999})", "recorder.frames: "},
      {R"("recorder": {"steps_per_frame": -1})", "recorder.steps_per_frame: "},
      {R"("recorder": {"fps": 0})", "recorder.fps: "},
      {R"("recorder": {"fps": true})", "recorder.fps: "},
      {R"("recorder": {"width": 63})", "recorder.width: "},
      {R"("recorder": {"height": 16385})", "recorder.height: "},
  };
  for (const auto& [field, path] : bad) {
    EXPECT_THAT(message(with(field)), HasSubstr(std::string("scene: ") + path)) << field;
  }
}

TEST(Scene, UnknownFieldsAndNewerVersionsAreReported) {
  std::vector<std::string> ignored;
  const Scene scene = sceneFromJson(R"({"simscope": 2, "simulation": "tunneling", "sed": 5, "view": {"teme": "light",
    "shown": {"no_such_curve": true}, "camera": {"azimut": 3}}, "recorder": {"frames": 3, "codec": "av1"}})",
                                    &ignored);
  EXPECT_EQ(scene.frames, 3);
  EXPECT_TRUE(scene.figure.shown.empty());
  EXPECT_THAT(
      ignored,
      testing::UnorderedElementsAre(
          HasSubstr("version 2"), AllOf(HasSubstr("sed"), HasSubstr("did you mean 'seed'?")),
          AllOf(HasSubstr("view.teme"), HasSubstr("did you mean 'theme'?")), HasSubstr("view.shown.no_such_curve"),
          AllOf(HasSubstr("view.camera.azimut"), HasSubstr("did you mean 'azimuth'?")), HasSubstr("recorder.codec")));
}

class SceneFile : public tests::InFolder {
 protected:
  static std::string refusal(const std::filesystem::path& file) {
    return tests::refusal([&] { readScene(file); });
  }
};

TEST_F(SceneFile, ReadsBackFromJsonAndFromAPicture) {
  const Scene scene = sample();
  exporting::writeText(folder_ / "scene.json", toJson(scene, true), false);
  expectEqual(readScene(folder_ / "scene.json"), scene);
  const std::vector<std::uint8_t> rgb(2 * 2 * 3, 128);
  exporting::writePng(folder_ / "picture.PNG", 2, 2, rgb, toJson(scene), false);
  expectEqual(readScene(folder_ / "picture.PNG"), scene);
}

TEST_F(SceneFile, IsNamedWhereItCannotBeUsed) {
  EXPECT_THAT(refusal(folder_ / "missing.json"), AllOf(HasSubstr("missing.json"), HasSubstr("no such file")));
  EXPECT_THAT(refusal(folder_), HasSubstr("folder"));
  EXPECT_THAT(refusal(folder_ / "missing.gif"), HasSubstr("missing.gif"));
  std::ofstream(folder_ / "bad.json") << "{\"simscope\": 1,\n\"simulation\": \"tunneling\", \"seed\": -1}";
  EXPECT_THAT(refusal(folder_ / "bad.json"), AllOf(HasSubstr("bad.json"), HasSubstr("seed: -1")));
  const std::vector<std::uint8_t> rgb(2 * 2 * 3, 128);
  exporting::writePng(folder_ / "plain.png", 2, 2, rgb, "", false);
  EXPECT_THAT(refusal(folder_ / "plain.png"), HasSubstr("plain.png"));
}

TEST(SceneExamples, AreComplete) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SIMSCOPE_SCENES)) {
    std::vector<std::string> ignored;
    const Scene scene = readScene(entry.path(), &ignored);
    EXPECT_NE(scene.description, nullptr);
    EXPECT_THAT(ignored, IsEmpty()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 17);
}

const Description& diffraction() {
  return simulationById("diffraction");
}
std::string pinhole(const std::string& field) {
  return R"({"simscope": 1, "simulation": "diffraction", "preset": "pinhole", )" + field + "}";
}

TEST(Scene, KeyframesOfAPresetAreInItsScene) {
  const std::vector<Track>& usual = diffraction().presetInfo("pinhole").tracks;
  ASSERT_FALSE(usual.empty());
  Scene scene = Scene::fromPreset(diffraction(), "pinhole");
  EXPECT_EQ(scene.timeline.tracks, usual);
  EXPECT_EQ(sceneFromJson(toJson(scene)).timeline, scene.timeline);
  EXPECT_EQ(sceneFromJson(pinhole(R"("seed": 2)")).timeline.tracks, usual);
  // Taken away, or replaced by a value.
  scene.timeline.tracks.clear();
  EXPECT_THAT(sceneFromJson(toJson(scene)).timeline.tracks, IsEmpty());
  EXPECT_THAT(sceneFromJson(pinhole(R"("parameters": {"distance": 0.1})")).timeline.tracks, IsEmpty());
  EXPECT_EQ(sceneFromJson(pinhole(R"("parameters": {"zoom": 1})")).timeline.tracks, usual);
}

TEST(Scene, ScansOfFormerVersionsAreReadAsKeyframes) {
  const Scene scene = sceneFromJson(pinhole(
      R"("parameters": {"scan": "wavelength", "scan_from": 1, "scan_to": 0.5, "scan_frames": 60, "distance": 0.1})"));
  ASSERT_EQ(scene.timeline.tracks.size(), 1u);
  EXPECT_EQ(scene.timeline.tracks[0].key, "wavelength");
  EXPECT_DOUBLE_EQ(scene.timeline.tracks[0].valueAt(0.25), 0.5 * 633e-9) << "half of the 60 steps";
  EXPECT_EQ(scene.parameters.real("distance"), 0.1);
  EXPECT_THAT(message(pinhole(R"("parameters": {"scan": "zoom"})")), HasSubstr("scan"));
  EXPECT_THAT(message(pinhole(R"("parameters": {"scan": "none", "scam": 1})")),
              AllOf(HasSubstr("parameters.scam"), HasSubstr("scam")));
}

}  // namespace
}  // namespace simscope
