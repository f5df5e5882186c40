#include "tests/ranks/slab_runs.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <tuple>

#include "sims/core/timeline/stepper.h"
#include "sims/heat/heat.h"
#include "sims/reaction_diffusion/reaction_diffusion.h"

namespace simscope::slab_runs {

namespace {

Look lookAt(Stepper& stepper) {
  Look look;
  look.values = stepper.diagnostics();
  for (const Finding& each : stepper.findings()) look.findings.push_back(each.code + each.message);
  stepper.present(look.frame);
  look.state = stepper.save();
  return look;
}

bool sameBits(const void* a, const void* b, std::size_t bytes) {
  return bytes == 0 || std::memcmp(a, b, bytes) == 0;
}

void compare(const std::string& where, const Case& each, const Look& alone, const Look& shared, Looks& looks) {
  ++looks.count;
  const auto check = [&](bool right, const std::string& what) {
    if (!right) looks.wrong(what);
  };
  for (std::size_t i = 0; i < alone.values.size(); ++i) {
    check(std::bit_cast<std::uint64_t>(alone.values[i]) == std::bit_cast<std::uint64_t>(shared.values[i]),
          fmt::format("{}: {} is {:.17g} alone, {:.17g} of ranks", where, each.description->diagnostics[i].key,
                      alone.values[i], shared.values[i]));
  }
  check(alone.findings == shared.findings, where + ": findings");
  check(alone.frame.channels.size() == shared.frame.channels.size() && !alone.frame.channels.empty(),
        where + ": channels");
  for (const Channel& one : alone.frame.channels) {
    const Channel* const other = shared.frame.find(one.key);
    const auto form = [](const Channel& c) {
      return std::make_tuple(c.width, c.height, c.components, c.x_min, c.x_max, c.y_min, c.y_max, c.low, c.high,
                             c.form);
    };
    check(other && form(one) == form(*other) && one.data.size() == other->data.size() &&
              sameBits(one.data.data(), other->data.data(), one.data.bytes()),
          where + ": channel " + one.key);
  }
  check(alone.state.steps == shared.state.steps && alone.state.time == shared.state.time &&
            alone.state.parameters == shared.state.parameters &&
            alone.state.arrays.size() == shared.state.arrays.size(),
        where + ": state");
  for (const StateArray& one : alone.state.arrays) {
    const StateArray* const other = shared.state.find(one.name);
    check(other && one.dtype == other->dtype && one.shape == other->shape && one.bytes == other->bytes,
          where + ": array " + one.name);
  }
}

}  // namespace

std::vector<Look> play(const Case& each, const compute::DevicePtr& device, const std::vector<Look>* alone,
                       Looks* looks) {
  std::vector<Look> seen;
  Stepper stepper(*each.description, device, each.parameters, 7);
  stepper.setTimeline(each.timeline);
  const auto look = [&] {
    Look now = lookAt(stepper);
    const std::string where = fmt::format("{}, step {}", each.name, stepper.simulation().steps());
    if (alone && looks && seen.size() < alone->size()) compare(where, each, (*alone)[seen.size()], now, *looks);
    seen.push_back(std::move(now));
  };
  look();
  for (std::size_t i = 0; i < each.steps.size(); ++i) {
    stepper.step(each.steps[i]);
    stepper.verify();
    if (i == 1 && !each.later.empty()) {
      ParameterSet changed = stepper.base();
      for (const auto& [key, value] : each.later) changed.setText(key, value);
      stepper.configure(changed);
    }
    look();
  }
  return seen;
}

namespace {

// Strokes of all shapes, across the field: shares of its edge from the middle.
Timeline strokes(const std::vector<std::string>& tools, double edge, bool region) {
  Timeline timeline;
  std::int64_t step = 0;
  const BrushShape shapes[] = {BrushShape::Way, BrushShape::Rectangle, BrushShape::Ellipse, BrushShape::Region};
  int number = 0;
  for (const std::string& tool : tools) {
    for (const BrushShape shape : shapes) {
      if (shape == BrushShape::Region && !region) continue;
      Brush brush;
      brush.tool = tool;
      brush.shape = tool == "thermometer" ? BrushShape::Way : shape;
      brush.x = edge * (0.31 - 0.11 * (number % 5)), brush.y = edge * (0.44 - 0.13 * (number % 7));
      brush.dx = edge * 0.17, brush.dy = edge * (0.07 + 0.06 * (number % 4));
      brush.radius = 0.03 * edge, brush.strength = 0.7, brush.begins = true;
      if (brush.tool == "thermometer") brush.dx = brush.dy = 0;
      timeline.strokes.push_back({tool, {{step, brush}}});
      brush.begins = false;
      brush.x += brush.dx, brush.y -= 0.2 * edge;
      if (brush.shape == BrushShape::Way && tool != "thermometer")
        timeline.strokes.back().events.push_back({step, brush});
      ++number;
      step += number % 3;
    }
  }
  return timeline;
}

}  // namespace

std::vector<Case> cases() {
  std::vector<Case> all;
  const Description& heat = heat::description();
  const Description& reaction = reaction_diffusion::description();
  const auto with = [](const Description& description, const std::string& preset, const Changes& changes) {
    ParameterSet set = preset.empty() ? description.defaults() : description.preset(preset);
    for (const auto& [key, value] : changes) set.setText(key, value);
    return set;
  };
  for (const Preset& each : heat.presets) {
    Changes small{{"grid_points", "131"}};
    if (each.key == "square") small.push_back({"boundary", "periodic"});
    all.push_back({"heat " + each.key, &heat, with(heat, each.key, small)});
  }
  // A painted field, and changes on the way.
  const std::vector<std::string> tools = {"heat", "insulator", "conductor", "source", "cold", "thermometer", "eraser"};
  for (const char* const boundary : {"fixed", "insulated", "periodic"}) {
    const Changes painted{{"grid_points", "149"}, {"boundary", boundary}, {"initial", "random"}, {"spot_size", "11"}};
    all.push_back({fmt::format("heat painted, {}", boundary),
                   &heat,
                   with(heat, "", painted),
                   strokes(tools, 149, true),
                   {{"diffusivity", "3"}, {"time_step_fraction", "0.4"}, {"colour_range", "auto"}}});
    const Changes precise{{"grid_points", "71"},
                          {"boundary", boundary},
                          {"precision", "double"},
                          {"initial", "random"},
                          {"spot_size", "5"}};
    all.push_back({fmt::format("heat in double precision, {}", boundary), &heat, with(heat, "", precise),
                   strokes({"heat", "conductor"}, 71, true)});
    const Changes implicit{
        {"grid_points", "83"}, {"boundary", boundary}, {"scheme", "adi"}, {"time_step_fraction", "7"}};
    all.push_back({fmt::format("heat by ADI, {}", boundary),
                   &heat,
                   with(heat, "", implicit),
                   strokes({"heat"}, 83, true),
                   {{"time_step_fraction", "3"}},
                   {1, 1, 3}});
  }
  // Frames coarser than the field, with boxes across the slabs' edges.
  const Changes coarse{{"grid_points", "2051"}, {"boundary", "periodic"}, {"initial", "stripes"}, {"spot_size", "30"}};
  all.push_back({"heat coarse", &heat, with(heat, "", coarse), strokes({"insulator", "heat"}, 2051, false), {}, {2}});
  for (const Preset& each : reaction.presets) {
    all.push_back({"reaction_diffusion " + each.key, &reaction, with(reaction, each.key, {{"grid_points", "64"}})});
  }
  for (const char* const model : {"gray_scott", "fisher"}) {
    const Changes painted{{"model", model}, {"grid_points", "128"}, {"time_step", "0.2"}};
    Timeline timeline = strokes({"seed", "eraser", "seed"}, 128, false);
    timeline.tracks = {{"diffusion_u", {{1, 0.2}, {7, 0.35, Easing::Smooth}}}};
    timeline.track_interval = 3;
    all.push_back({fmt::format("reaction_diffusion painted, {}", model),
                   &reaction,
                   with(reaction, "", painted),
                   timeline,
                   {{"diffusion_v", "0.12"}}});
  }
  return all;
}

std::vector<Case> badCases() {
  Case growing{"unstable", &reaction_diffusion::description(), reaction_diffusion::description().defaults()};
  growing.parameters.setText("grid_points", "64");
  growing.parameters.setText("time_step", "9");
  growing.steps = {10, 90, 500};
  Case painted{"painted", &heat::description(), heat::description().defaults()};
  painted.parameters.setText("grid_points", "67");
  painted.parameters.setText("spot_temperature", "1000000");
  painted.steps = {10, 90, 3};
  Brush brush{.tool = "heat", .radius = 5, .strength = 1e38, .begins = true};
  painted.timeline.strokes.push_back({"heat", {{37, brush}}});
  return {growing, painted};
}

std::string failureOf(const Case& each, const compute::DevicePtr& device) {
  Stepper stepper(*each.description, device, each.parameters, 7);
  stepper.setTimeline(each.timeline);
  try {
    for (const int steps : each.steps) {
      stepper.step(steps);
      stepper.verify();
    }
  } catch (const NotFinite& error) {
    return fmt::format("{}: {} Stands at {}.", error.step(), error.what(), stepper.simulation().steps());
  }
  return "none";
}

}  // namespace simscope::slab_runs
