#include "sims/eigenstates2d/eigenstates2d_views.h"

namespace simscope::eigenstates2d {

std::vector<View> views() {
  const AxisInfo x{"x", "length"}, y{"y", "length"}, number{"n", ""};
  const Relevance known = when("potential", {"harmonic", "box", "circle", "annulus"});
  const FieldView state{.x = x,
                        .y = y,
                        .value = {"φₙ", "1/length"},
                        .channel = "state",
                        .colormap = "coolwarm",
                        .symmetric = true,
                        .overlay_channel = "turning",
                        .overlay_level = 0,
                        .absent = "wall"};
  const FieldView state_density{.x = x,
                                .y = y,
                                .value = {"|φₙ|²", "1/length²"},
                                .channel = "state_density",
                                .colormap = "inferno",
                                .scale = FieldScale::Gamma,
                                .overlay_channel = "turning",
                                .overlay_level = 0,
                                .absent = "wall"};
  const FieldView gallery{.x = {"column", ""},
                          .y = {"row", ""},
                          .value = {"φₙ / max|φₙ|", ""},
                          .channel = "gallery",
                          .colormap = "coolwarm",
                          .symmetric = true,
                          .paths = {{.channel = "gallery_mark", .title = "state n", .colour = 1}},
                          .absent = "wall"};
  const FieldView motion{.x = x,
                         .y = y,
                         .value = {"ψ", "1/length"},
                         .channel = "psi",
                         .style = FieldStyle::Complex,
                         .overlay_channel = "turning_mean",
                         .overlay_level = 0};
  const FieldView density{.x = x,
                          .y = y,
                          .value = {"|ψ|²", "1/length²"},
                          .channel = "density",
                          .colormap = "inferno",
                          .scale = FieldScale::Gamma,
                          .overlay_channel = "turning_mean",
                          .overlay_level = 0,
                          .absent = "wall"};
  const FieldView potential{.x = x,
                            .y = y,
                            .value = {"V", kUnitOfEnergy},
                            .channel = "potential",
                            .colormap = "viridis",
                            .overlay_channel = "turning",
                            .overlay_level = 0,
                            .absent = "wall"};
  const ScatterView ladder{
      .x = number,
      .y = {"E", kUnitOfEnergy},
      .value = {"|cₙ|²"},
      .channel = "ladder",
      .value_channel = "ladder_shares",
      .paths = {{.channel = "ladder_levels", .title = "computed", .colour = 0},
                {.channel = "ladder_exact", .title = "exact", .colour = 2, .ghost = true, .relevant = known},
                {.channel = "ladder_weyl",
                 .title = "Weyl's law",
                 .colour = 3,
                 .relevant = when("potential", {"box", "circle", "annulus", "stadium"})},
                {.channel = "ladder_shown", .title = "state n", .colour = 1, .ghost = true}}};
  const auto trace = [](const char* channel, const char* title, int colour) {
    return TraceInfo{.channel = channel, .title = title, .unit = kUnitOfEnergy, .colour = colour};
  };
  CurveView convergence{.x = {"iteration", ""}, .y = {.title = "error", .decades = true}};
  convergence.traces = {trace("residual_worst", "max‖Hφ - Eφ‖", 0), trace("residual_shown", "of state n", 1),
                        trace("error_worst", "max|E - exact|", 2), trace("error_shown", "|E - exact| of state n", 4),
                        trace("residual_goal", "tolerance", 3)};
  convergence.traces[2].relevant = known;
  convergence.traces[3].relevant = known;
  convergence.traces[3].shown = false;
  convergence.traces[4].style = TraceStyle::Ghost;
  const CurveView errors{.x = number,
                         .y = {.title = "error",
                               .unit = kUnitOfEnergy,
                               .forms = {{"error", kUnitOfEnergy}, {"residual", kUnitOfEnergy}},
                               .decades = true},
                         .traces = {{.channel = "level_errors",
                                     .title = "|E - exact|",
                                     .unit = kUnitOfEnergy,
                                     .forms = {{"|E - exact|", kUnitOfEnergy}, {"residual", kUnitOfEnergy}}},
                                    {.channel = "level_residuals",
                                     .title = "‖Hφ - Eφ‖",
                                     .unit = kUnitOfEnergy,
                                     .style = TraceStyle::Ghost,
                                     .colour = 2}}};
  return {
      {"overview", "Gallery and levels",
       LinkedView{{{"gallery", 0, 0, 0.52, 1}, {"ladder", 0.52, 0, 0.48, 0.5}, {"convergence", 0.52, 0.5, 0.48, 0.5}}}},
      {"state_overview", "A state and its level",
       LinkedView{{{"state", 0, 0, 0.52, 1}, {"ladder", 0.52, 0, 0.48, 0.5}, {"convergence", 0.52, 0.5, 0.48, 0.5}}}},
      {"motion_overview", "Motion and levels",
       LinkedView{{{"motion", 0, 0, 0.52, 1}, {"density", 0.52, 0, 0.48, 0.5}, {"ladder", 0.52, 0.5, 0.48, 0.5}}}},
      {"state", "State", state},
      {"state_density", "State's density", state_density},
      {"gallery", "Gallery", gallery},
      {"ladder", "Levels", ladder},
      {"convergence", "Convergence", convergence},
      {"errors", "Errors", errors},
      {"motion", "Superposition", motion},
      {"density", "Superposition's density", density},
      {"potential", "Potential", potential}};
}

}  // namespace simscope::eigenstates2d
