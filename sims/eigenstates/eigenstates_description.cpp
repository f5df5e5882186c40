#include <fmt/format.h>

#include "sims/eigenstates/eigenstates.h"
#include "sims/eigenstates/simulation.h"
#include "sims/formula/formula.h"

namespace simscope::eigenstates {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;
const char* const kTimeUnit = "m·length²/ħ";

Preset preset(const char* key, const char* title, const char* summary, Changes changes, int frames,
              const char* view = "", const char* tool = "") {
  return {.key = key,
          .title = title,
          .summary = summary,
          .changes = std::move(changes),
          .frames = frames,
          .view = view,
          .tool = tool};
}

std::vector<Preset> presets() {
  const Changes box{
      {"potential", "box"}, {"length", "10"}, {"method", "dense"}, {"basis", "sine"}, {"grid_points", "255"}};
  const auto inBox = [&](Changes more) {
    more.insert(more.begin(), box.begin(), box.end());
    return more;
  };
  return {
      preset("coherent_state", "Coherent state",
             "A displaced ground state swings in the oscillator without changing its shape: ⟨x⟩ = x₀ cos ωt",
             {{"length", "16"}, {"states", "24"}, {"grid_points", "2048"}, {"time_step", "0.02618"}}, 240),
      preset("squeezed_state", "Squeezed state",
             "A packet that is too wide for the oscillator changes its width twice per period",
             {{"grid_points", "2048"},
              {"packet_width", "1.4"},
              {"packet_x", "-2"},
              {"states", "48"},
              {"time_step", "0.02618"}},
             240),
      preset("beat", "Two states beat",
             "States 0 and 1 of a box: ⟨x⟩ oscillates at the frequency of their energy difference",
             inBox({{"superposition", "two"}, {"drawn_states", "5"}, {"time_step", "0.17684"}}), 240),
      preset("revival", "Revival in the box",
             "A packet breaks up, re-forms mirrored at half the time 4L²/π, and re-forms as it was at 4L²/π",
             inBox({{"packet_x", "-2"},
                    {"packet_width", "0.4"},
                    {"states", "40"},
                    {"drawn_states", "10"},
                    {"time_step", "0.26526"}}),
             480, "carpet_overview"),
      preset("tunnelling", "Tunnelling through the middle",
             "The two lowest energies of a double well are close together; the sum of their states moves from side to "
             "side",
             {{"potential", "double_well"},
              {"depth", "6"},
              {"length", "10"},
              {"superposition", "two"},
              {"drawn_states", "6"},
              {"time_step", "0.2"}},
             300),
      preset("morse", "Morse's molecule",
             "Levels get closer towards dissociation; a vibrating packet loses its shape and regains it",
             {{"potential", "morse"},
              {"length", "25"},
              {"packet_x", "1.2"},
              {"packet_width", "0.47"},
              {"drawn_states", "8"},
              {"time_step", "0.05"}},
             420),
      preset("poschl_teller", "Pöschl and Teller's well",
             "λ = 4: four bound states, and no reflection of passing waves",
             {{"potential", "poschl_teller"},
              {"steepness", "1"},
              {"superposition", "equal"},
              {"length", "24"},
              {"drawn_states", "7"},
              {"time_step", "0.02"}},
             315),
      preset("hydrogen", "Hydrogen, radial",
             "Levels -Z²/2n²: the wave functions r R(r) for l = 0, and the beat of two of them",
             {{"potential", "hydrogen"},
              {"length", "90"},
              {"grid_points", "4096"},
              {"superposition", "two"},
              {"state", "1"},
              {"partner", "2"},
              {"drawn_states", "4"},
              {"time_step", "0.6"}},
             300),
      preset("finite_well", "Finite well",
             "Six levels from a transcendental equation; the wave functions extend beyond the well",
             {{"potential", "finite_well"}, {"superposition", "equal"}, {"drawn_states", "6"}, {"time_step", "0.01"}},
             315),
      preset("bands", "Kronig and Penney's bands",
             "Eight wells in a row: their levels form bands of eight with gaps between",
             {{"potential", "kronig_penney"},
              {"length", "16"},
              {"grid_points", "4096"},
              {"superposition", "packet"},
              {"packet_x", "-5"},
              {"packet_width", "0.5"},
              {"states", "64"},
              {"drawn_states", "24"},
              {"time_step", "0.05"}},
             300),
      preset("stark", "Oscillator in a field", "A field F shifts the oscillator and all of its levels by -F²/2ω²",
             {{"tilt", "2"}, {"packet_x", "0"}, {"grid_points", "2048"}, {"time_step", "0.02618"}}, 240),
      preset("formula", "Typed", "Any V(x) typed as a formula; here an oscillator with a bump in the middle",
             {{"potential", "formula"}, {"drawn_states", "10"}, {"time_step", "0.05"}}, 300),
      preset("blank", "Drawn", "An empty box: draw a potential with the mouse, and click levels to choose states",
             {{"potential", "blank"}, {"superposition", "two"}, {"drawn_states", "8"}, {"time_step", "0.3"}}, 300, "",
             "draw"),
      preset("dense", "Full matrix of 2048²",
             "The coherent state from a dense eigensolver, which takes a thousand times the work",
             {{"method", "dense"}, {"grid_points", "2048"}, {"time_step", "0.02618"}}, 240),
  };
}

std::vector<DiagnosticInfo> diagnostics() {
  const Relevance packet = when("superposition", {"packet"});
  const Relevance known =
      when("potential", {"box", "harmonic", "finite_well", "morse", "poschl_teller", "hydrogen", "kronig_penney"});
  const Relevance shapes = when("potential", {"box", "harmonic", "finite_well", "morse", "poschl_teller", "hydrogen"});
  return {
      {"norm", "Norm ∫|ψ|²dx", "", "1 up to rounding"},
      {"energy", "Energy ⟨H⟩", kEnergyUnit, "Computed from ψ on the grid"},
      {"energy_drift", "Energy drift", kEnergyUnit, "⟨H⟩ minus Σ|c|²E: the rounding error", kListed, within(1e-7)},
      {"mean_position", "Mean position ⟨x⟩", "length", "Computed from ψ on the grid", kPlotted},
      {"mean_position_exact", "Mean position, exact", "length",
       "From the closed forms of states and levels; for a packet in the oscillator x₀ cos ωt + (k₀/ω) sin ωt", kPlotted,
       exactOf("mean_position", 0.05, shapes)},
      {"return", "Return |⟨ψ(0)|ψ(t)⟩|²", "", "1 when ψ is the same as at t = 0", kPlotted},
      {"revival_time", "Revival time 4L²/π", kTimeUnit,
       "After this time the phase of every state of the box has made n² whole turns", kListed,
       when("potential", {"box"})},
      {"level", "Energy of state n", kEnergyUnit, "Energy of the state that the parameter n selects"},
      {"level_exact", "Energy of state n, exact", kEnergyUnit,
       "In closed form, without the influence of the domain's walls; until the mouse draws", kListed,
       exactOf("level", 0.02, known)},
      {"levels_error", "Levels' largest error", kEnergyUnit,
       "Largest error of the levels drawn, compared with the closed form", kListed, within(0.03, known)},
      {"splitting", "Splitting E₁ - E₀", kEnergyUnit,
       "2π divided by it is the time for the way there and back. No value where it is below rounding", kListed,
       when("potential", {"double_well", "formula", "blank"})},
      {"orthonormality", "Orthonormality max|⟨m|n⟩ - δ|", "", "Over all K states", kListed, within(1e-11)},
      {"residual", "Residual max‖Hφ - Eφ‖", kEnergyUnit,
       "Over all K states: the rounding error for matrix elements of 2/h²", kListed, within(1e-6)},
      {"packet_kept", "Packet kept", "", "Share of the packet that the K states represent", kListed, packet},
  };
}

std::vector<View> views() {
  const AxisInfo x{"x", "length"}, energy{"E", kEnergyUnit}, number{"n", ""};
  const CurveView wave{
      .x = x,
      .y = {"|ψ|²", "1/length"},
      .right = {"V", kEnergyUnit},
      .traces = {
          {.channel = "density",
           .title = "|ψ|²",
           .unit = "1/length",
           .style = TraceStyle::PhaseFilled,
           .phase_channel = "phase"},
          {.channel = "re", .title = "Re ψ", .unit = "1/√length", .shown = false, .colour = 1},
          {.channel = "im", .title = "Im ψ", .unit = "1/√length", .shown = false, .colour = 2},
          {.channel = "potential", .title = "V(x)", .unit = kEnergyUnit, .style = TraceStyle::OwnAxis, .colour = 3},
          {.channel = "mean_energy", .title = "⟨H⟩", .unit = kEnergyUnit, .colour = 3},
          {.channel = "density_exact",
           .title = "exact",
           .unit = "1/length",
           .style = TraceStyle::Ghost,
           .colour = 4,
           .forms = {{"exact", "1/length"}, {"at t = 0", "1/length"}}}}};
  const ScatterView levels{.x = x,
                           .y = energy,
                           .value = {"state n"},
                           .channel = "places",
                           .value_channel = "place_states",
                           .colormap = "viridis",
                           .paths = {{.channel = "well", .title = "V(x)", .colour = 3},
                                     {.channel = "waves", .title = "φₙ + Eₙ", .colour = 0, .shown = false}}};
  const ScatterView spectrum{.x = number,
                             .y = energy,
                             .value = {"|cₙ|²"},
                             .channel = "spectrum",
                             .value_channel = "spectrum_shares",
                             .paths = {{.channel = "spectrum_exact", .title = "exact", .ghost = true}}};
  const CurveView errors{
      .x = number,
      .y = {.title = "error",
            .unit = kEnergyUnit,
            .forms = {{"error", kEnergyUnit}, {"estimate", kEnergyUnit}},
            .decades = true},
      .traces = {{.channel = "level_errors",
                  .title = "|E - exact|",
                  .unit = kEnergyUnit,
                  .forms = {{"|E - exact|", kEnergyUnit}, {"estimate", kEnergyUnit}}},
                 {.channel = "level_estimates",
                  .title = "h²/6 ⟨(E-V)²⟩",
                  .unit = kEnergyUnit,
                  .style = TraceStyle::Ghost,
                  .forms = {{"h²/6 ⟨(E-V)²⟩", kEnergyUnit}, {"residual", kEnergyUnit}}},
                 {.channel = "level_residuals", .title = "‖Hφ - Eφ‖", .unit = kEnergyUnit, .colour = 2}}};
  const FieldView carpet{.x = x,
                         .y = {"t", "T/L"},
                         .value = {"|ψ|²", "1/length"},
                         .channel = "carpet",
                         .colormap = "inferno",
                         .scale = FieldScale::Gamma,
                         .paths = {{.channel = "carpet_now", .title = "now", .colour = 1}}};
  return {{"overview", "Levels and motion",
           LinkedView{{{"levels", 0, 0, 0.5, 1}, {"wave", 0.5, 0, 0.5, 0.55}, {"spectrum", 0.5, 0.55, 0.5, 0.45}}}},
          {"carpet_overview", "Motion and carpet",
           LinkedView{{{"carpet", 0, 0, 0.56, 1}, {"wave", 0.56, 0, 0.44, 0.5}, {"levels", 0.56, 0.5, 0.44, 0.5}}}},
          {"levels", "Levels", levels},
          {"wave", "Superposition", wave},
          {"spectrum", "Spectrum", spectrum},
          {"carpet", "Carpet", carpet},
          {"errors", "Errors", errors}};
}

std::string equationOf(const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const char* v = "V(x)";
  switch (p.potential) {
    case Potential::Harmonic:
      v = "½ω²x²";
      break;
    case Potential::Box:
      v = "";
      break;
    case Potential::DoubleWell:
      v = "V₀(4x²/a² - 1)²";
      break;
    case Potential::Morse:
      v = "D(1 - exp(-ax))²";
      break;
    case Potential::PoschlTeller:
      v = "-½α²λ(λ+1)/cosh²(αx)";
      break;
    case Potential::Hydrogen:
      v = "(-Z/r + l(l+1)/2r²)";
      break;
    default:
      break;
  }
  std::string text = p.potential == Potential::Hydrogen ? "-½ d²φ/dr²" : "-½ d²φ/dx²";
  if (*v) text += std::string(*v == '-' ? " - " : " + ") + (*v == '-' ? v + 1 : v) + " φ";
  if (p.tilt != 0) text += " + Fx φ";
  return text + " = Eφ,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
}

void validate(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  if (p.method == Method::Dense && p.grid_points > kLargestDense) {
    throw ParameterError("grid_points", fmt::format("grid_points = {}: a full matrix has at most {} rows; choose "
                                                    "fewer, or method = tridiagonal",
                                                    p.grid_points, kLargestDense));
  }
  if (p.potential == Potential::Formula) {
    forParameter("formula", [&] { formula::requireSound(p.formula, {"x"}); });
  }
}

double memory(const ParameterSet& set, compute::Backend backend) {
  const Parameters p = binding().read(set);
  const double n = p.grid_points, k = p.states, number = sizeof(double);
  // States, exact ones, five arrays of the same size while they are solved for, and the partial sums of their products;
  // ψ and its exact form; carpet and frames.
  const double solving = p.method == Method::Dense ? n * n * 4 : 6 * n * k + k * k * (n / 256 + 1);
  const double frames = 3 * (n * 8 + 32 * 1024 * 7 + 384 * 384 + 10 * k) * sizeof(float);
  const double host = backend == compute::Backend::Cpu ? n * k + 8 * n : 0;
  return number * (2 * n * k + solving + 8 * n + host + 384 * 384) + frames;
}

}  // namespace

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "eigenstates";
    d.title = "Eigenstates";
    d.summary = "Stationary states of any potential, chosen, typed, or drawn; and superpositions of them in motion.";
    d.equation = "-½ d²φ/dx² + V(x) φ = Eφ,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
    d.equation_of = equationOf;
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnostics();
    d.views = views();
    d.tools = {{"take", "Take a level", Gesture::Place, "levels"},
               {"add", "Add a level", Gesture::Place, "levels"},
               {"draw", "Draw V", Gesture::Place, "levels"},
               {"erase", "Erase what is drawn", Gesture::Place, "levels"}};
    d.state_array = "states";
    d.random = never();
    d.time_step = [](const ParameterSet& set) { return set.real("time_step"); };
    d.parity_tolerance = 1e-8;
    d.memory = memory;
    d.size_key = "grid_points";
    d.validate = validate;
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::eigenstates
