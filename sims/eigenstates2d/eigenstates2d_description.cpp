#include <algorithm>

#include "sims/eigenstates2d/eigenstates2d.h"
#include "sims/eigenstates2d/eigenstates2d_views.h"
#include "sims/formula/formula.h"

namespace simscope::eigenstates2d {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

// More states, on a finer grid, than the defaults, which are to cost little.
Preset preset(const char* key, const char* title, const char* summary, Changes changes, int frames,
              const char* view = "", const char* tool = "") {
  for (const auto& [usual, value] : Changes{{"states", "25"}, {"shown_states", "25"}, {"grid_points", "96"}}) {
    const auto given = [&, name = usual](const auto& each) { return each.first == name; };
    if (std::none_of(changes.begin(), changes.end(), given)) changes.emplace_back(usual, value);
  }
  return {.key = key,
          .title = title,
          .summary = summary,
          .changes = std::move(changes),
          .frames = frames,
          .view = view,
          .tool = tool};
}

std::vector<Preset> presets() {
  return {
      preset("drum", "Circular billiard",
             "Random states converge to those of a drum: zeros of Bessel functions, pairs for every angular momentum "
             "above 0",
             {}, 60),
      preset("oscillator", "Oscillator, degenerate", "Level n of ω(n + 1) has n + 1 states",
             {{"potential", "harmonic"}, {"length", "12.6"}, {"states", "28"}, {"shown_states", "28"}}, 60),
      preset("anisotropic", "Oscillator, 2 to 1",
             "ω₂ = 2ω₁: other levels coincide, and a packet moves along a Lissajous figure",
             {{"potential", "harmonic"},
              {"omega_y", "2"},
              {"length", "16"},
              {"states", "64"},
              {"superposition", "packet"},
              {"packet_x", "2"},
              {"packet_y", "0"},
              {"packet_ky", "1.5"},
              {"packet_width", "0.6"},
              {"grid_points", "96"},
              {"time_step", "0.05236"}},
             240, "motion_overview"),
      preset("box", "Square box",
             "Levels π²(n² + m²)/2L²: mirror images form pairs, and some levels coincide by chance",
             {{"potential", "box"}, {"length", "10"}, {"grid_points", "96"}}, 60),
      preset(
          "annulus", "Annular billiard", "A ring between two walls: zeros of a combination of J and Y",
          {{"potential", "annulus"}, {"grid_points", "128"}, {"state", "3"}, {"partner", "4"}, {"time_step", "0.05"}},
          120, "overview"),
      preset("stadium", "Stadium billiard",
             "A chaotic billiard: no closed form and no degeneracy. Levels repel each other; Weyl's law gives their "
             "mean number",
             {{"potential", "stadium"},
              {"radius", "3"},
              {"length", "12.4"},
              {"states", "49"},
              {"shown_states", "49"},
              {"state", "40"},
              {"grid_points", "128"}},
             60, "state_overview"),
      preset("henon_heiles", "Hénon-Heiles",
             "The classic λ = 1/√80: singlets and pairs from the symmetry of a triangle, starting at 0.9986",
             {{"potential", "henon_heiles"}, {"length", "14.4"}, {"states", "28"}, {"shown_states", "28"}}, 60),
      preset("tunnelling", "Two wells in the plane",
             "The two lowest energies are close together; the sum of their states moves from one well to the other",
             {{"potential", "double_well"},
              {"length", "10"},
              {"states", "16"},
              {"shown_states", "16"},
              {"state", "0"},
              {"partner", "1"},
              {"time_step", "0.5"},
              {"grid_points", "96"}},
             160, "motion_overview"),
      preset("corral", "Quantum corral", "A ring of atoms holds standing waves, which leak out between the atoms",
             {{"potential", "corral"},
              {"radius", "5.4"},
              {"length", "11.4"},
              {"depth", "30"},
              {"states", "25"},
              {"state", "14"},
              {"drawn_height", "30"}},
             60, "state_overview"),
      preset("hydrogen", "Hydrogen in the plane, soft",
             "Levels -Z²/2(n - ½)², raised by the softened pole; s lies below p",
             {{"potential", "hydrogen"},
              {"length", "90"},
              {"states", "9"},
              {"shown_states", "9"},
              {"state", "4"},
              {"softening", "1"},
              {"grid_points", "144"}},
             60),
      preset("egg_box", "A formula", "A potential typed as a formula: here hills and hollows in a bowl",
             {{"potential", "formula"}, {"length", "14"}}, 60),
      preset(
          "draw", "Blank, to draw on", "Draw walls and see the states move into the free space",
          {{"potential", "blank"}, {"length", "10"}, {"states", "16"}, {"shown_states", "16"}, {"grid_points", "96"}},
          60, "state_overview", "draw"),
  };
}

std::vector<DiagnosticInfo> diagnostics() {
  const Relevance known = when("potential", {"harmonic", "box", "circle", "annulus"});
  const Relevance shaped = when("potential", {"box", "circle", "annulus", "stadium"});
  const Relevance packet = when("superposition", {"packet"});
  const Relevance swings = packet && when("potential", {"harmonic"});
  const char* const energy = kUnitOfEnergy;
  return {
      {"energy", "Energy of state n", energy, "Energy of the state shown"},
      {"energy_exact", "Energy of state n, exact", energy,
       "In closed form, without the influence of the domain's walls; until the mouse draws", kListed,
       exactOf("energy", 0.02, known)},
      {"levels_error", "Levels' largest error", energy, "Largest error of the K levels, compared with the closed form",
       kListed, known},
      {"residual", "Residual max‖Hφ - Eφ‖", energy, "Largest over the K states; it falls to the tolerance"},
      {"converged", "States converged", "", "Number of lowest states within the tolerance"},
      {"iterations", "Iterations", "", "Iterations since the potential was set"},
      {"orthonormality", "Orthonormality max|⟨m|n⟩ - δ|", "", "Over the K states", kListed, within(1e-9)},
      {"gap", "Gap E₁ - E₀", energy,
       "2π divided by it is the time for the way between two wells and back. No value where it is below rounding"},
      {"degeneracy", "Levels at E", "", "Number of the K levels within a thousandth of the level shown"},
      {"weyl", "Weyl's count below E", "", "For the highest of the K levels: AE/2π minus the perimeter term; about K",
       kListed, shaped},
      {"norm", "Norm ∫|ψ|²", "", "1 up to rounding"},
      {"mean_x", "Mean position ⟨x⟩", "length", "Computed from ψ", kPlotted},
      {"mean_x_exact", "Mean position ⟨x⟩, exact", "length", "x₀ cos ω₁t + (k₁/ω₁) sin ω₁t", kPlotted,
       exactOf("mean_x", 0.02, swings)},
      {"mean_y", "Mean position ⟨y⟩", "length", "Computed from ψ", kPlotted},
      {"mean_y_exact", "Mean position ⟨y⟩, exact", "length", "y₀ cos ω₂t + (k₂/ω₂) sin ω₂t", kPlotted,
       exactOf("mean_y", 0.02, swings)},
      {"packet_kept", "Packet kept", "", "Share of the packet that the K states represent", kListed, packet},
  };
}

std::string equationOf(const ParameterSet& set) {
  const char* v = "V(x, y)";
  switch (binding().read(set).potential) {
    case Potential::Harmonic:
      v = "½(ω₁²x² + ω₂²y²)";
      break;
    case Potential::HenonHeiles:
      v = "(½(x² + y²) + λ(x²y - y³/3))";
      break;
    case Potential::DoubleWell:
      v = "(V₀(4x²/a² - 1)² + ½ω₂²y²)";
      break;
    case Potential::Hydrogen:
      return "-½∇²φ - Z/√(r² + s²) φ = Eφ,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
    case Potential::Box:
    case Potential::Circle:
    case Potential::Annulus:
    case Potential::Stadium:
      return "-½∇²φ = Eφ, φ = 0 at the walls,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
    default:
      break;
  }
  return std::string("-½∇²φ + ") + v + " φ = Eφ,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
}

double memory(const ParameterSet& set, compute::Backend backend) {
  const Parameters p = binding().read(set);
  const double n2 = static_cast<double>(p.grid_points) * p.grid_points, block = p.block(), number = sizeof(double);
  const double tiles = (block / kTile + 1) * (block / kTile + 2) / 2;
  const Chunks chunks(static_cast<std::size_t>(n2));
  // Two blocks; V, diagonal, ψ twice; partial sums; frames. A saved state is as large as a block.
  const double frames = 3 * sizeof(float) * (8 * n2 + 1.2e6 + 6.0 * kRemembered * p.states + 4096);
  const double host = backend == compute::Backend::Cpu ? 6 * n2 : 0;
  // The coarser grids that tell whether the levels of a typed potential have settled; its means.
  const double checks = p.potential == Potential::Formula ? 0.6 * block * n2 + 8 * n2 : 0;
  return number * (2 * block * n2 + 6 * n2 + host + checks +
                   static_cast<double>(chunks.count()) * tiles * kTile * kTile + 2.0 * kRemembered * p.states) +
         frames;
}

}  // namespace

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "eigenstates2d";
    d.title = "Eigenstates in the plane";
    d.summary = "Stationary states of wells, billiards, and drawn potentials in the plane, and superpositions of them.";
    d.equation = "-½∇²φ + V(x, y) φ = Eφ,  ψ = Σ cₙ φₙ exp(-iEₙt),  ħ = m = 1";
    d.equation_of = equationOf;
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnostics();
    d.views = views();
    d.tools = {{"take", "Take a level", Gesture::Place, "ladder"},
               {"add", "Add a level", Gesture::Place, "ladder"},
               {"pick", "Pick a state", Gesture::Place, "gallery"},
               {.key = "draw", .title = "Draw V", .size = 0.02, .fills = true},
               {.key = "erase", .title = "Erase what is drawn", .size = 0.04, .fills = true}};
    d.state_array = "states";
    d.time_step = [](const ParameterSet& set) { return set.real("time_step"); };
    d.parity_tolerance = 1e-6;
    d.parity_steps = 40;
    d.memory = memory;
    d.size_key = "grid_points";
    d.validate = [](const ParameterSet& parameters) {
      const Parameters p = binding().read(parameters);
      if (p.potential != Potential::Formula) return;
      forParameter("formula", [&] { formula::requireSound(p.formula, {"x", "y"}); });
    };
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::eigenstates2d
