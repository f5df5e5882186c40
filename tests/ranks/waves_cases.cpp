#include "tests/ranks/waves_cases.h"

#include "sims/core/simulation.h"
#include "sims/diffraction/diffraction.h"
#include "sims/schrodinger2d/simulation.h"

namespace simscope::ranks_test {
namespace {

// Strokes of all tools and shapes, across the slabs' edges.
Timeline strokes(const std::vector<std::string>& tools, double edge) {
  Timeline timeline;
  std::int64_t step = 0;
  const BrushShape shapes[] = {BrushShape::Way, BrushShape::Rectangle, BrushShape::Ellipse, BrushShape::Region};
  int number = 0;
  for (const std::string& tool : tools) {
    const bool paints = tool != "packet" && tool != "add";
    for (const BrushShape shape : shapes) {
      if (!paints && shape != BrushShape::Way) continue;
      Brush brush;
      brush.tool = tool;
      brush.shape = shape;
      brush.x = edge * (0.21 - 0.11 * (number % 4)), brush.y = edge * (0.34 - 0.13 * (number % 5));
      brush.dx = edge * 0.17, brush.dy = edge * (0.07 + 0.06 * (number % 4));
      brush.radius = 0.03 * edge, brush.strength = 0.7, brush.begins = true;
      timeline.strokes.push_back({tool, {{step, brush}}});
      ++number;
      step += number % 3;
    }
  }
  return timeline;
}

}  // namespace

ParameterSet with(const Description& description, const std::string& preset, const Changes& changes) {
  ParameterSet set = preset.empty() ? description.defaults() : description.preset(preset);
  for (const auto& [key, value] : changes) set.setText(key, value);
  return set;
}

std::vector<Case> wavesOf(const std::string& picture) {
  std::vector<Case> all;
  const Description& wave = schrodinger2d::description();
  for (const Preset& each : wave.presets) {
    all.push_back({"schrodinger2d " + each.key, &wave, with(wave, each.key, {{"grid_points", "64"}})});
  }
  const Changes room{
      {"grid_points", "128"}, {"domain_length", "24"}, {"packet_x", "-4"}, {"packet_width", "1"}, {"momentum_x", "3"}};
  const auto more = [&](Changes changes) {
    changes.insert(changes.begin(), room.begin(), room.end());
    return with(wave, "", changes);
  };
  all.push_back({"painted",
                 &wave,
                 more({{"potential", "drawn"}}),
                 strokes({"wall", "packet", "add", "eraser", "wall"}, 24),
                 {{"barrier_height", "20"}, {"absorbing_edges", "off"}, {"screen_x", "2"}}});
  all.push_back({"closed",
                 &wave,
                 more({{"potential", "harmonic"}, {"absorbing_edges", "off"}, {"grid_points", "64"}}),
                 strokes({"add", "add"}, 12),
                 {{"time_step", "0.002"}}});
  all.push_back({"double", &wave, more({{"precision", "double"}, {"grid_points", "64"}}), {}, {}, 1e-6});
  // Boxes of the arrows across the slabs' edges, momenta of several in one.
  all.push_back(
      {"boxes",
       &wave,
       more({{"grid_points", "1024"}, {"momentum_x", "60"}, {"packet_width", "0.3"}, {"time_step", "0.0001"}}),
       {},
       {},
       1,
       {2}});
  all.push_back({"picture",
                 &wave,
                 more({{"potential", "image"}, {"image_file", picture}}),
                 {},
                 {{"potential", "formula"}, {"formula", "x > 2 ? 3*y^2 : sin(x*y)"}}});
  return all;
}

std::vector<Case> patternsOf(const std::string& picture) {
  std::vector<Case> all;
  const Description& light = diffraction::description();
  const auto add = [&](Case each) {
    each.description = &light;
    each.small_units = true;
    all.push_back(std::move(each));
  };
  for (const Preset& each : light.presets) {
    Timeline moving;
    moving.tracks = each.tracks;
    add({.name = "diffraction " + each.key,
         .parameters = with(light, each.key, {{"grid_points", "64"}, {"zoom", "1"}}),
         .timeline = moving,
         .steps = {30}});
  }
  // Live changes from one kind of propagation to another, near and far, as far as a window that grows.
  const Changes near{{"grid_points", "128"}, {"half_width", "0.001"}, {"zoom", "2"}, {"display", "linear"}};
  const auto nearWith = [&](Changes changes) {
    changes.insert(changes.begin(), near.begin(), near.end());
    return with(light, "", changes);
  };
  add({.name = "near, then far",
       .parameters = nearWith({{"propagation", "angular_spectrum"}, {"distance", "0.02"}, {"spectrum", "rgb"}}),
       .later = {{"propagation", "fraunhofer"}, {"distance", "100"}}});
  add({.name = "far, then near",
       .parameters = nearWith({{"aperture", "hexagon"}, {"distance", "100"}, {"display", "gamma"}}),
       .later = {{"propagation", "angular_spectrum"}, {"distance", "0.05"}}});
  add({.name = "window that grows",
       .parameters =
           nearWith({{"propagation", "fresnel"}, {"aperture", "square"}, {"distance", "2"}, {"spectrum", "white"}}),
       .later = {{"distance", "0.01"}},
       .steps = {1, 1, 2}});  // of 25 patterns each
  // On ground that is empty but for what is drawn, to the window's edge, across the slabs'.
  const Changes ground{{"aperture", "slit"}, {"slit_width", "0.05"}, {"aperture_radius", "0.1"}};
  for (const bool far : {true, false}) {
    Changes drawn = ground;
    drawn.insert(drawn.end(),
                 {{"propagation", far ? "fraunhofer" : "angular_spectrum"}, {"distance", far ? "100" : "0.03"}});
    add({.name = far ? "drawn, far" : "drawn, near",
         .parameters = nearWith(drawn),
         .timeline = strokes({"draw", "erase", "draw"}, 0.002),
         .later = {{"aperture_radius", "0.3"}}});
  }
  add({.name = "picture",
       .parameters = with(light, "", {{"grid_points", "256"}, {"aperture", "image"}, {"image_file", picture}}),
       .later = {{"aperture", "telescope"}, {"spectrum", "white"}}});
  // Boxes of the colours, of the wave, and of the aperture across the slabs' edges; steps are long.
  add({.name = "boxes, far",
       .parameters =
           with(light, "letter", {{"grid_points", "1024"}, {"propagation", "fraunhofer"}, {"distance", "500"}}),
       .steps = {1}});
  add({.name = "boxes, near",
       .parameters = nearWith({{"grid_points", "2048"},
                               {"propagation", "fresnel"},
                               {"zoom", "1"},
                               {"spectrum", "rgb"},
                               {"distance", "0.02"}}),
       .steps = {1}});
  // A probe beside the middle, whose row another rank has.
  Timeline probed;
  Brush probe;
  probe.tool = "probe", probe.x = 1e-3, probe.y = 7e-3, probe.begins = true;
  probed.strokes.push_back({"probe", {{0, probe}}});
  add({.name = "probe", .parameters = with(light, "", {{"grid_points", "256"}, {"zoom", "4"}}), .timeline = probed});
  return all;
}

}  // namespace simscope::ranks_test
