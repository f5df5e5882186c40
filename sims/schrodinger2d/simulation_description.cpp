#include "sims/core/description.h"

#include <fmt/format.h>

#include "sims/formula/formula.h"
#include "sims/schrodinger2d/packets.h"
#include "sims/schrodinger2d/parameters.h"
#include "sims/schrodinger2d/simulation.h"

namespace simscope::schrodinger2d {
namespace {

// A packet comes to it from one side, and may be found on the other.
Relevance obstacle() {
  return unless("potential", {"none", "harmonic", "coulomb"});
}
// An exact packet, while nobody has drawn a wall.
Relevance exactPacketKnown() {
  return when("potential", {"none", "drawn", "harmonic"});
}
// What slits send to the screen is told of one packet.
Relevance slitsSeenByOne() {
  return when("potential", {"single_slit", "double_slit"}) && when("second_packet", {"off"});
}
Relevance absorbing() {
  return when("absorbing_edges", {"on"});
}
Relevance closed() {
  return when("absorbing_edges", {"off"});
}

void validate(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  if (p.potential == Potential::Formula) {
    forParameter("formula", [&] { formula::requireSound(p.formula, {"x", "y"}); });
  }
  if (p.potential == Potential::Image && p.image_file.empty()) {
    throw ParameterError(
        "image_file", "potential = image needs a picture: set image_file to the path of one (PNG, JPEG, BMP, PGM, …)");
  }
  packetsOf(p);  // refuses two that cancel
}

std::vector<DiagnosticInfo> makeDiagnostics() {
  std::vector<DiagnosticInfo> all = {
      {"norm", "Norm ∫|ψ|²d²r", "", "Total probability: 1 unless the edges absorb."},
      {"energy", "Energy ⟨H⟩", kEnergyUnit,
       "Mean kinetic plus potential energy, divided by the probability. The exact dynamics conserves it.", kPlotted},
      {"transmitted", "Transmitted", "",
       "Probability beyond the potential's far edge, as seen from the start of the (first) packet, plus the "
       "probability absorbed there; beyond x = 0 if the potential has no edges.",
       kPlotted, obstacle()},
      {"reflected", "Reflected", "",
       "Probability before the potential's near edge, on the packet's side, plus the probability absorbed there.",
       kPlotted, obstacle()},
      {"absorbed", "Absorbed", "", "Probability absorbed by the edges; it is included in transmitted and reflected.",
       kPlotted, absorbing()},
  };
  const auto pair = [&](const char* key, const char* title, const char* help, const char* exact) {
    all.push_back({key, title, "length", help});
    all.push_back({std::string(key) + "_exact", std::string(title) + ", exact", "length", exact, kListed,
                   exactOf(key, 1e-3, exactPacketKnown())});
  };
  const char* const centre = "For free packets and packets in the oscillator, until one comes near an edge.";
  const char* const width =
      "σ√(1 + (t/2σ²)²) for one free packet, an oscillating width in the oscillator, or the joint width of two "
      "packets. Valid until one comes near an edge.";
  pair("mean_x", "Mean position ⟨x⟩", "∫x|ψ|²d²r, divided by the probability.", centre);
  pair("mean_y", "Mean position ⟨y⟩", "∫y|ψ|²d²r, divided by the probability.", centre);
  pair("width_x", "Width Δx", "Standard deviation of x.", width);
  pair("width_y", "Width Δy", "Standard deviation of y.", width);
  all.push_back({"error", "Error", "", "‖ψ - exact‖/‖exact‖, phase included, while an exact solution is known.",
                 kListed, within(1e-3, exactPacketKnown())});
  all.push_back({"norm_drift", "Norm drift", "", "Change of the norm by rounding; no value while the edges absorb.",
                 kListed, within(5e-4, closed())});
  all.push_back({"energy_drift", "Energy drift", "",
                 "Change of the energy since the last packet started, divided by its kinetic energy at that "
                 "time. No value while the edges absorb, or after a change of the potential.",
                 kListed, within(1e-3, closed())});
  return all;
}

std::vector<View> makeViews() {
  const AxisInfo x{.title = "x", .unit = "length"}, y{.title = "y", .unit = "length"};
  const AxisInfo current{.title = "probability current", .unit = "1/(length·time)"};
  return {
      {"wave", "Wave function",
       FieldView{.x = x,
                 .y = y,
                 .value = {.title = "|ψ|", .unit = "1/length"},
                 .channel = "wave",
                 .style = FieldStyle::Complex,
                 .overlay_channel = "outline",
                 .arrow_channel = "current",
                 .arrow = current}},
      {"overview", "Wave, momenta, and screen",
       LinkedView{{{.view = "wave", .left = 0, .top = 0, .width = 0.58, .height = 1},
                   {.view = "momentum", .left = 0.58, .top = 0, .width = 0.42, .height = 0.55},
                   {.view = "screen", .left = 0.58, .top = 0.55, .width = 0.42, .height = 0.45}}}},
      {"density", "Probability density",
       FieldView{.x = x,
                 .y = y,
                 .value = {.title = "|ψ|²", .unit = "1/length²"},
                 .channel = "density",
                 .colormap = "inferno",
                 .scale = FieldScale::Gamma,
                 .overlay_channel = "outline",
                 .arrow_channel = "current",
                 .arrow = current}},
      {"momentum", "Momenta",
       FieldView{.x = {.title = "kx", .unit = "1/length"},
                 .y = {.title = "ky", .unit = "1/length"},
                 .value = {.title = "|φ|²", .unit = "length²"},
                 .channel = "momentum",
                 .colormap = "magma",
                 .scale = FieldScale::Log}},
      {"potential", "Potential",
       FieldView{.x = x,
                 .y = y,
                 .value = {.title = "V", .unit = kEnergyUnit},
                 .channel = "potential",
                 .colormap = "viridis"}},
      {"screen", "Density on the screen",
       CurveView{
           .x = {.title = "y", .unit = "length"},
           .y = {.title = "|ψ|²", .unit = "1/length²"},
           .right = {},
           .traces = {{.channel = "screen", .title = "|ψ(x, y)|² at the screen", .unit = "1/length²"},
                      {.channel = "screen_expected",
                       .title = "exact, or from slits",
                       .unit = "1/length²",
                       .style = TraceStyle::Ghost,
                       .colour = 1,
                       .forms = {{"exact", "1/length²"}, {"from slits", "1/length²"}, {"none expected", "1/length²"}},
                       .relevant = exactPacketKnown() || slitsSeenByOne()}}}},
      {"marginal", "Density along x",
       CurveView{.x = {.title = "x", .unit = "length"},
                 .y = {.title = "∫|ψ|²dy", .unit = "1/length"},
                 .right = {.title = "V", .unit = kEnergyUnit},
                 .traces = {{.channel = "marginal", .title = "∫|ψ|²dy", .unit = "1/length"},
                            {.channel = "marginal_expected",
                             .title = "exact, or at the start",
                             .unit = "1/length",
                             .style = TraceStyle::Ghost,
                             .colour = 1,
                             .forms = {{"exact", "1/length"}, {"at the start", "1/length"}}},
                            {.channel = "potential_cut",
                             .title = "V(x, 0)",
                             .unit = kEnergyUnit,
                             .style = TraceStyle::OwnAxis,
                             .colour = 3}}}},
  };
}

// W, by which the edges absorb, is 0 but for layers along the edges. What the mouse draws is part of V.
std::string equationOf(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  const char* v = "V(x, y)";
  if (p.potential == Potential::Harmonic) v = "½mω²(x² + y²)";
  if (p.potential == Potential::Coulomb) v = "Z/√(x² + y² + s²)";
  return fmt::format("iħ ∂ψ/∂t = -(ħ²/2m) ∇²ψ {} {} ψ{},  ħ = m = 1", p.potential == Potential::Coulomb ? "-" : "+", v,
                     p.absorbing_edges ? " - iW(x, y) ψ" : "");
}

Description describe() {
  Description d;
  d.id = "schrodinger2d";
  d.title = "Wavepacket in the plane";
  d.summary = "Quantum wave packets meet slits, wells, charges, drawn walls, and each other.";
  d.equation = "iħ ∂ψ/∂t = -(ħ²/2m) ∇²ψ + V(x, y) ψ,  ħ = m = 1";
  d.equation_of = equationOf;
  d.parameters = binding().infos();
  d.presets = presets();
  d.diagnostics = makeDiagnostics();
  d.views = makeViews();
  d.tools = {{.key = "packet", .title = "Launch a packet", .gesture = Gesture::Launch, .readings = launchReadings},
             {.key = "wall", .title = "Wall", .size = 0.015, .fills = true},
             {.key = "eraser", .title = "Eraser", .size = 0.04, .fills = true},
             {.key = "add", .title = "Add a packet", .gesture = Gesture::Launch, .readings = launchReadings}};
  d.state_array = "psi";
  d.random = never();
  d.time_step = [](const ParameterSet& parameters) { return parameters.real("time_step"); };
  d.parity_tolerance = 1e-4;
  d.parity_steps = 100;
  d.memory = memoryNeeded;
  d.size_key = "grid_points";
  d.validate = validate;
  d.create = [](compute::DevicePtr device, const ParameterSet& parameters) {
    return schrodinger2d::create(std::move(device), parameters);
  };
  d.decomposition = {.kind = Decomposition::Slabs, .most_ranks = mostRanks, .memory = memoryOfRank};
  return d;
}

}  // namespace

const Description& description() {
  static const Description described = describe();
  return described;
}

}  // namespace simscope::schrodinger2d
