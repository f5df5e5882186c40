#include "sims/core/description.h"

#include "sims/formula/formula.h"
#include "sims/tunneling/batch.h"
#include "sims/tunneling/parameters.h"
#include "sims/tunneling/simulation.h"

namespace simscope::tunneling {
namespace {

const char* const kEnergyUnit = "ħ²/(m·length²)";
const char* const kTimeUnit = "m·length²/ħ";

// What has a height, and a width.
Relevance obstacle() {
  return when("potential", {"barrier", "double_barrier", "step", "well"});
}
Relevance obstacleWithWidth() {
  return when("potential", {"barrier", "double_barrier", "well"});
}
// What can be passed or reflected, and where one can be inside.
Relevance scatterer() {
  return obstacle() || when("potential", {"formula"});
}
Relevance scattererWithInside() {
  return obstacleWithWidth() || when("potential", {"formula"});
}

// Packets that stay Gaussians.
Relevance exactKnown() {
  return when("potential", {"none", "harmonic"});
}

void bindSecondPacket(Binding<Parameters>& b) {
  using P = Parameters;
  const auto notes = [](const char* title, const char* unit, double minimum, double maximum, const char* help) {
    return ParameterNotes{.title = title,
                          .unit = unit,
                          .minimum = minimum,
                          .maximum = maximum,
                          .applies = Applies::OnReset,
                          .scale = minimum > 0 ? Scale::Log : Scale::Linear,
                          .group = "Packet",
                          .help = help,
                          .relevant = when("second_packet", {"on"})};
  };
  b.flag(&P::second_packet, "second_packet",
         {.title = "Second packet",
          .applies = Applies::OnReset,
          .group = "Packet",
          .help = "Adds another packet, ψ ∝ G + A·exp(iφ)·G₂, each with norm 1; both are then normalised together."});
  b.real(&P::second_center, "second_center",
         notes("Second centre x₂", "length", -1000, 1000, "Where the second packet starts."));
  b.real(&P::second_width, "second_width",
         notes("Second width σ₂", "length", 0.2, 50, "Standard deviation of the second packet's |ψ|² at the start."));
  b.real(&P::second_momentum, "second_momentum",
         notes("Second momentum k₂", "1/length", -50, 50,
               "Mean momentum (wave number) of the second packet at the start, positive to the right."));
  b.real(&P::second_amplitude, "second_amplitude",
         notes("Relative amplitude A", "", 0.01, 100, "The second packet has A² times the probability of the first."));
  b.real(&P::second_phase, "second_phase",
         notes("Relative phase φ", "rad", -6.2831853, 6.2831853,
               "Phase of the second packet: it starts as exp(i(k₂x + φ)), the first one as exp(ik₀x)."));
}

Binding<Parameters> makeBinding() {
  using P = Parameters;
  Binding<Parameters> b;
  b.choice(&P::potential, "potential",
           {.title = "Potential",
            .group = "Potential",
            .help = "The potential V(x): a barrier or a well of width a around 0, two barriers, a step at 0, an "
                    "oscillator whose ground state is as wide as the packet, none, or a formula."},
           {{"barrier", "Barrier"},
            {"double_barrier", "Double barrier"},
            {"step", "Step"},
            {"well", "Well"},
            {"harmonic", "Oscillator"},
            {"none", "None"},
            {"formula", "Formula"}});
  b.text(&P::formula, "formula",
         {.title = "Formula V(x)",
          .group = "Potential",
          .help = "V as a function of x, for potential = formula, with hbar = 1 and m = 1. " + formula::grammar(),
          .text_use = TextUse::Formula,
          .relevant = when("potential", {"formula"})});
  b.real(&P::barrier_height, "barrier_height",
         {.title = "Barrier height V₀",
          .unit = kEnergyUnit,
          .minimum = 0,
          .maximum = 20,
          .group = "Potential",
          .help = "Height of the barriers or the step, or depth of the well. The packet's kinetic energy is k₀²/2.",
          .relevant = obstacle(),
          .aliases = {{when("potential", {"step"}), "Step height V₀", kEnergyUnit},
                      {when("potential", {"well"}), "Well depth V₀", kEnergyUnit}}});
  b.real(
      &P::barrier_width, "barrier_width",
      {.title = "Barrier width a",
       .unit = "length",
       .minimum = 0.1,
       .maximum = 100,
       .scale = Scale::Log,
       .group = "Potential",
       .help =
           "Width of each barrier or of the well. The transmission by tunnelling falls as exp(-2κa), κ = √(2(V₀-E)).",
       .relevant = obstacleWithWidth(),
       .aliases = {{when("potential", {"well"}), "Well width a", "length"}}});
  b.real(
      &P::barrier_gap, "barrier_gap",
      {.title = "Barrier gap",
       .unit = "length",
       .minimum = 0,
       .maximum = 100,
       .group = "Potential",
       .help = "Distance between the inner edges of the double barrier. Packets at a resonant energy of this gap pass.",
       .relevant = when("potential", {"double_barrier"})});
  b.real(&P::packet_width, "packet_width",
         {.title = "Packet width σ",
          .unit = "length",
          .minimum = 0.2,
          .maximum = 50,
          .applies = Applies::OnReset,
          .scale = Scale::Log,
          .group = "Packet",
          .help = "Standard deviation of |ψ|² at the start; the spread of momenta is 1/(2σ). For the oscillator, σ "
                  "also sets the frequency ω = 1/(2σ²)."});
  b.real(&P::packet_center, "packet_center",
         {.title = "Packet centre x₀",
          .unit = "length",
          .minimum = -1000,
          .maximum = 1000,
          .applies = Applies::OnReset,
          .group = "Packet",
          .help = "Where the packet starts. The domain is periodic: a centre beyond one edge enters at the other."});
  b.real(&P::packet_momentum, "packet_momentum",
         {.title = "Packet momentum k₀",
          .unit = "1/length",
          .minimum = -50,
          .maximum = 50,
          .applies = Applies::OnReset,
          .group = "Packet",
          .help = "Mean momentum (wave number) at the start, positive to the right."});
  bindSecondPacket(b);
  b.real(&P::time_step, "time_step",
         {.title = "Time step Δt",
          .unit = kTimeUnit,
          .minimum = 1e-5,
          .maximum = 1,
          .scale = Scale::Log,
          .group = "Numerics",
          .help = "The splitting error falls as Δt². Energy is conserved while Δt·k_max²/2 stays under 2π."});
  b.integer(&P::grid_points, "grid_points",
            {.title = "Grid points N",
             .minimum = 64,
             .maximum = 65536,
             .applies = Applies::OnReset,
             .scale = Scale::Log,
             .group = "Numerics",
             .help = "Samples of ψ, a power of two. Momenta up to πN/L are resolved. Up to 4096 points fit on one "
                     "multiprocessor of a GPU.",
             .power_of_two = true});
  b.real(&P::domain_length, "domain_length",
         {.title = "Domain length L",
          .unit = "length",
          .minimum = 20,
          .maximum = 2000,
          .applies = Applies::OnReset,
          .scale = Scale::Log,
          .group = "Numerics",
          .help = "x runs from -L/2 to L/2. Without absorbing edges, the domain is periodic."});
  b.flag(&P::absorbing_edges, "absorbing_edges",
         {.title = "Absorbing edges",
          .group = "Numerics",
          .help = "ψ decays in the outer eighth on each side, in layers fitted to the packet's wave, instead of "
                  "re-entering on the other. Probability absorbed on the left counts as reflected, on the right as "
                  "transmitted."});
  b.choice(
      &P::precision, "precision",
      {.title = "Precision",
       .applies = Applies::OnReset,
       .group = "Numerics",
       .help = "Precision of ψ: complex64 or complex128. Phases and sums are always computed in double precision."},
      {{"single", "Single"}, {"double", "Double"}});
  return b;
}

// The documents' own programs: no absorbing edges, and a time step that feeds the highest momenta. Their barrier of 10
// fills the cells of all samples within: 205 of 200/4096, 103 of 200/2048.
std::vector<Preset> documentPresets() {
  return {
      {.key = "document",
       .title = "As in the document",
       .summary = "The values of the document that this simulation is based on: 4096 points, 800 steps of 0.05.",
       .changes = {{"grid_points", "4096"},
                   {"packet_center", "-60"},
                   {"barrier_width", "10.009765625"},
                   {"time_step", "0.05"},
                   {"absorbing_edges", "off"}},
       .steps_per_frame = 8,
       .frames = 100,
       .ending = Ending::Pause,
       .flaw = "The time step is too long for the grid: the barrier's jumps excite the highest momenta, and the energy "
               "rises from 2.0 to 3.5."},
      {.key = "document_animation",
       .title = "As in the document, animated",
       .summary = "The values of the document's animation: 2048 points, 10 steps of 0.05 per picture.",
       .changes = {{"packet_center", "-70"},
                   {"barrier_width", "10.05859375"},
                   {"time_step", "0.05"},
                   {"absorbing_edges", "off"}},
       .steps_per_frame = 10,
       .frames = 141,
       .ending = Ending::Pause,
       .flaw = "The time step is too long for the grid, so the energy rises. At the end the packets reach the edges "
               "and re-enter on the other side."},
  };
}

std::vector<Preset> makePresets() {
  std::vector<Preset> all = {
      {.key = "over_barrier",
       .title = "Over the barrier",
       .summary = "A packet of energy 2 meets a barrier of height 1.5: most of it passes, some is reflected, some "
                  "stays inside for a while.",
       .changes = {},
       .steps_per_frame = 30,
       .frames = 240},
      {.key = "tunnelling",
       .title = "Tunnelling",
       .summary = "The barrier is higher than the packet's energy, but thin: a few per cent tunnel through.",
       .changes = {{"barrier_height", "2.5"}, {"barrier_width", "2"}},
       .steps_per_frame = 28,
       .frames = 200},
      {.key = "resonant_double_barrier",
       .title = "Resonant double barrier",
       .summary = "One such barrier transmits a quarter. Two in a row transmit half, at the energy that is resonant "
                  "between them.",
       .changes = {{"potential", "double_barrier"},
                   {"barrier_height", "2"},
                   {"barrier_width", "0.9765625"},
                   {"barrier_gap", "2.9296875"},
                   {"packet_width", "10"},
                   {"packet_center", "-80"},
                   {"packet_momentum", "1.52"},
                   {"domain_length", "400"},
                   {"time_step", "0.02"}},
       .steps_per_frame = 35,
       .frames = 240},
      {.key = "free_spreading",
       .title = "Free spreading",
       .summary = "No potential: σ(t) = σ√(1 + (t/2σ²)²). The phase shows that the fast components are in front.",
       .changes = {{"potential", "none"},
                   {"packet_width", "2"},
                   {"packet_center", "-40"},
                   {"packet_momentum", "1"},
                   {"time_step", "0.05"}},
       .steps_per_frame = 6,
       .frames = 188},
      {.key = "step",
       .title = "Potential step",
       .summary = "Part of the packet passes the step and moves on more slowly. Part is reflected, although its energy "
                  "is above the step.",
       .changes = {{"potential", "step"}, {"barrier_height", "1.8"}},
       .steps_per_frame = 30,
       .frames = 240},
      {.key = "coherent_state",
       .title = "Coherent state",
       .summary =
           "In an oscillator of matching width the packet swings without changing its shape, with the period 2π/ω.",
       .changes = {{"potential", "harmonic"},
                   {"packet_width", "2.5"},
                   {"packet_center", "-40"},
                   {"packet_momentum", "0"},
                   {"time_step", "0.0497"}},
       .steps_per_frame = 5,
       .frames = 316},
      {.key = "no_reflection",
       .title = "A well without reflection",
       .summary = "A typed well, V = -3/cosh²(x): a packet of any energy passes completely, and comes out ahead of a "
                  "free one.",
       .changes = {{"potential", "formula"}, {"packet_width", "4"}, {"packet_momentum", "1.5"}},
       .steps_per_frame = 38,
       .frames = 240},
      {.key = "bragg_mirror",
       .title = "A mirror of ripples",
       .summary = "Typed ripples half a wavelength apart, all below the packet's energy, reflect nearly all of it.",
       .changes = {{"potential", "formula"}, {"formula", "exp(-(x/12)^2)*cos(4*x)"}},
       .steps_per_frame = 30,
       .frames = 240},
      {.key = "two_packets",
       .title = "Two packets meet",
       .summary = "Two free packets pass through each other. Where they overlap, stripes appear half a wavelength "
                  "apart; afterwards both move on unchanged.",
       .changes = {{"potential", "none"},
                   {"packet_width", "4"},
                   {"packet_center", "-30"},
                   {"packet_momentum", "1.2"},
                   {"second_packet", "on"},
                   {"second_center", "30"},
                   {"second_width", "4"},
                   {"second_momentum", "-1.2"},
                   {"time_step", "0.02"}},
       .steps_per_frame = 10,
       .frames = 200},
      {.key = "beam_splitter",
       .title = "Which way out",
       .summary = "Two packets meet at a barrier that splits each into halves. A phase difference of a quarter wave "
                  "sends both out on one side.",
       .changes = {{"barrier_height", "2.7"},
                   {"barrier_width", "0.9"},
                   {"packet_width", "6"},
                   {"second_packet", "on"},
                   {"second_width", "6"},
                   {"second_phase", "1.5707963"}},
       .steps_per_frame = 25,
       .frames = 200},
      {.key = "animation",
       .title = "Animation",
       .summary = "The whole scattering in a wider domain, from the approach to two separate packets.",
       .changes = {{"domain_length", "300"}, {"packet_center", "-70"}, {"time_step", "0.0125"}},
       .steps_per_frame = 28,
       .frames = 240},
  };
  for (Preset& each : documentPresets()) all.push_back(std::move(each));
  return all;
}

std::vector<DiagnosticInfo> makeDiagnostics() {
  return {
      {"norm", "Norm ∫|ψ|²dx", "", "Probability within the domain: 1 until the edges absorb some."},
      {"energy", "Energy ⟨H⟩", kEnergyUnit,
       "Mean kinetic plus potential energy, divided by the probability left in the domain.", kPlotted},
      {"reflection", "Reflection R", "",
       "Probability left of the potential's left edge (of 0 for a step), plus the probability absorbed there.",
       kPlotted, scatterer()},
      {"transmission", "Transmission T", "",
       "Probability right of the potential's right edge (of 0 for a step), plus the probability absorbed there.",
       kPlotted, scatterer()},
      {"inside", "Inside", "", "Probability between the potential's edges.", kPlotted, scattererWithInside()},
      {"mean_position", "Mean position ⟨x⟩", "length", "∫x|ψ|²dx, divided by the probability in the domain."},
      {"mean_momentum", "Mean momentum ⟨k⟩", "1/length", "Computed from the Fourier transform of ψ."},
      {"spread", "Spread Δx", "length", "Standard deviation of the position."},
      {"transmission_exact", "Exact transmission", "",
       "The potential's plane-wave T(E), averaged over the packet's momenta with every resonance, to 1e-9 of its "
       "value or 1e-12 (1e-6 for a typed V with slopes): the final transmission. No value for a typed V that "
       "is not flat at both ends, nor after a kick.",
       kPlotted, exactOf("transmission", 0.006, scatterer())},
      {"norm_drift", "Norm drift", "", "Norm plus absorbed probability minus 1: the rounding error.", kListed,
       within(5e-4)},
      {"absorbed", "Absorbed", "", "Probability absorbed by the edges.", kListed, when("absorbing_edges", {"on"})},
      {"energy_drift", "Energy drift", kEnergyUnit,
       "⟨H⟩ minus its value at the start. No value after the edges have absorbed 1e-4 of the packet, after a "
       "kick, or after a change of the potential.",
       kListed, within(2e-3)},
      {"error", "Error", "",
       "‖ψ - exact‖/‖exact‖, phase included, for free packets and packets in the oscillator, until one comes "
       "near an edge or is kicked.",
       kListed, within(2e-3, exactKnown())},
  };
}

View makeView() {
  return {"wave", "Wave function",
          CurveView{.x = {.title = "x", .unit = "length"},
                    .y = {.title = "|ψ|²", .unit = "1/length"},
                    .right = {.title = "V", .unit = kEnergyUnit},
                    .traces = {
                        {.channel = "density",
                         .title = "|ψ|²",
                         .unit = "1/length",
                         .style = TraceStyle::PhaseFilled,
                         .phase_channel = "phase"},
                        {.channel = "re", .title = "Re ψ", .unit = "1/√length", .shown = false, .colour = 1},
                        {.channel = "im", .title = "Im ψ", .unit = "1/√length", .shown = false, .colour = 2},
                        {.channel = "potential",
                         .title = "V(x)",
                         .unit = kEnergyUnit,
                         .style = TraceStyle::OwnAxis,
                         .colour = 3,
                         .relevant = unless("potential", {"none"})},
                        {.channel = "energy", .title = "⟨H⟩", .unit = kEnergyUnit, .colour = 3},
                        {.channel = "exact_density",
                         .title = "|ψ|² exact",
                         .unit = "1/length",
                         .style = TraceStyle::Ghost,
                         .colour = 1,
                         .forms = {{"|ψ|² exact", "1/length"}, {"|ψ|² no longer known", "1/length"}},
                         .relevant = exactKnown()},
                        {.channel = "initial_density",
                         .title = "|ψ(x,0)|²",
                         .unit = "1/length",
                         .style = TraceStyle::Ghost,
                         .colour = 4},
                    }}};
}

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points, complex = p.precision == Precision::Float64 ? 16 : 8;
  // ψ, its transform, three tables of factors, V, what the edges took, and room for the transforms: the libraries' or
  // the tables of the one on chip. On the host: factors and packet while they are made, what save() makes, and the
  // state that the watch keeps.
  const double arrays = backend == compute::Backend::Cuda ? 6 + 4 : 6 + 4 + 4 + 2;
  const double packet = 16, potential = 2 * 8, frames = 3 * 8 * sizeof(float), initial = sizeof(float);
  return n * (arrays * complex + packet + potential + frames + initial);
}

// W(x), by which the edges absorb, is 0 but for the outer eighths.
std::string equationOf(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  const bool free = p.potential == Potential::None, harmonic = p.potential == Potential::Harmonic;
  std::string text = "iħ ∂ψ/∂t = -(ħ²/2m) ∂²ψ/∂x²";
  if (harmonic) text += " + ½mω²x² ψ";
  if (!free && !harmonic) text += " + V(x) ψ";
  if (p.absorbing_edges) text += " - iW(x) ψ";
  return text + (harmonic ? ",  ω = ħ/(2mσ²),  ħ = m = 1" : ",  ħ = m = 1");
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> b = makeBinding();
  return b;
}

const Description& description() {
  static const Description d = [] {
    Description made;
    made.id = "tunneling";
    made.title = "Tunnelling wavepacket";
    made.summary =
        "A quantum wave packet meets a barrier. Reflection and transmission are compared with the exact result.";
    made.equation = "iħ ∂ψ/∂t = -(ħ²/2m) ∂²ψ/∂x² + V(x) ψ,  ħ = m = 1";
    made.equation_of = equationOf;
    made.parameters = binding().infos();
    made.presets = makePresets();
    made.diagnostics = makeDiagnostics();
    made.views = {makeView()};
    made.tools = {{"kick", "Kick"}};
    made.state_array = "psi";
    made.random = never();
    made.time_step = [](const ParameterSet& parameters) { return parameters.real("time_step"); };
    made.parity_tolerance = 1e-4;
    made.parity_steps = 100;
    made.memory = memory;
    made.size_key = "grid_points";
    made.validate = [](const ParameterSet& parameters) {
      const Parameters p = binding().read(parameters);
      if (p.potential != Potential::Formula) return;
      forParameter("formula", [&] { formula::requireSound(p.formula, {"x"}); });
    };
    made.create = [](compute::DevicePtr device, const ParameterSet& parameters) {
      return tunneling::create(std::move(device), parameters);
    };
    made.batch = {.shape = {"grid_points", "precision", "absorbing_edges"}, .create = createBatch};
    return made;
  }();
  return d;
}

}  // namespace simscope::tunneling
