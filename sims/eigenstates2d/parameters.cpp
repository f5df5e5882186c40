#include "sims/eigenstates2d/parameters.h"

#include <fmt/format.h>

namespace simscope::eigenstates2d {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;
const char* const kEnergyOf = "ħ²/(m·length²)";
using P = Parameters;

Relevance in(std::vector<std::string> potentials) {
  return when("potential", std::move(potentials));
}
Alias called(const char* potential, const char* title, const char* unit) {
  return {in({potential}), title, unit};
}

void addWells(Binding<P>& b) {
  b.choice(
      &P::potential, "potential",
      {"Potential", "", 0, 0, kLive, kLinear, "Potential",
       "Where the particle is: wells and billiards with exact levels, chaotic ones, a formula, or nothing, to draw"},
      {{"harmonic", "Oscillator"},
       {"box", "Square box"},
       {"circle", "Circular billiard"},
       {"annulus", "Annular billiard"},
       {"stadium", "Stadium billiard"},
       {"henon_heiles", "Hénon-Heiles"},
       {"double_well", "Double well"},
       {"corral", "Quantum corral"},
       {"hydrogen", "Hydrogen, soft"},
       {"formula", "Formula"},
       {"blank", "Blank, to draw on"}});
  b.real(&P::omega_x, "omega_x",
         {"Frequency ω₁", "ħ/(m·length²)", 0.05, 20, kLive, kLog, "Potential",
          "V = (ω₁²x² + ω₂²y²)/2; the levels are ω₁(n + ½) + ω₂(m + ½)"})
      .relevant(in({"harmonic"}));
  b.real(&P::omega_y, "omega_y", {"Frequency ω₂", "ħ/(m·length²)", 0.05, 20, kLive, kLog, "Potential", "Along y"})
      .relevant(in({"harmonic", "double_well"}));
  b.real(&P::coupling, "coupling",
         {"Coupling λ", "ħ²/(m·length⁵)", 0, 0.5, kLive, kLinear, "Potential",
          "V = (x² + y²)/2 + λ(x²y - y³/3); it lets go above 1/(6λ²). 1/√80 = 0.1118 is the classic"})
      .relevant(in({"henon_heiles"}));
  ParameterNotes depth{"Barrier V₀", kEnergyOf, 0.1, 1000, kLive, kLog, "Potential", "Between the wells; of each atom"};
  depth.relevant = in({"double_well", "corral"});
  depth.aliases = {called("corral", "Atom's height V₀", kEnergyOf)};
  b.real(&P::depth, "depth", depth);
  b.real(&P::width, "width",
         {"Distance of the minima a", "length", 0.2, 100, kLive, kLog, "Potential", "V = V₀(4x²/a² - 1)² + ω₂²y²/2"})
      .relevant(in({"double_well"}));
}

void addBilliards(Binding<P>& b) {
  b.real(&P::radius, "radius",
         {"Radius R", "length", 0.1, 250, kLive, kLog, "Potential",
          "Of the circle, of the stadium's ends, of the ring of atoms; what does not fit between the walls is shrunk"})
      .relevant(in({"circle", "annulus", "stadium", "corral"}));
  b.real(&P::hole, "hole",
         {"Hole r/R", "", 0.02, 0.95, kLive, kLinear, "Potential", "Of the annulus: its inner radius in outer ones"})
      .relevant(in({"annulus"}));
  b.real(&P::straight, "straight",
         {"Straight part a/R", "", 0, 4, kLive, kLinear, "Potential",
          "Half its length; 0 is the circle, and any other makes Bunimovich's chaotic billiard"})
      .relevant(in({"stadium"}));
  b.integer(&P::atoms, "atoms", {"Atoms", "", 3, 128, kLive, kLinear, "Potential", "Evenly around the ring"})
      .relevant(in({"corral"}));
  b.real(&P::atom_width, "atom_width",
         {"Atom's width σ", "length", 0.02, 5, kLive, kLog, "Potential", "Each is V₀ exp(-r²/2σ²)"})
      .relevant(in({"corral"}));
  b.real(&P::charge, "charge", {"Charge Z", "", 0.1, 20, kLive, kLog, "Potential", "V = -Z/√(r² + s²)"})
      .relevant(in({"hydrogen"}));
  b.real(&P::softening, "softening",
         {"Softening s", "length", 0.02, 5, kLive, kLog, "Potential",
          "Takes the pole away; towards 0 the levels fall to -Z²/2(n - ½)²"})
      .relevant(in({"hydrogen"}));
  ParameterNotes formula{"Formula V(x, y)",
                         kEnergyOf,
                         0,
                         0,
                         kLive,
                         kLinear,
                         "Potential",
                         "Of x and y, with pi, hbar = 1, m = 1, + - * / ^, comparisons, a ? b : c, and functions such "
                         "as sin, exp, sqrt, abs, min, max"};
  formula.text_use = TextUse::Formula;
  formula.relevant = in({"formula"});
  b.text(&P::formula, "formula", formula);
  b.real(&P::length, "length",
         {"Length L", "length", 1, 500, kLive, kLog, "Potential",
          "Of the square's sides, where ψ = 0: the box itself, or so far out that bound states do not feel them"});
  b.real(&P::drawn_height, "drawn_height",
         {"Height of drawings", kEnergyOf, -1000, 1000, kLive, kLinear, "Potential",
          "What the mouse adds to V at strength 1; below 0 it digs a well"});
}

void addMotion(Binding<P>& b) {
  superposition::describe(b, "That which is shown, which the numbers tell of", [&b] {
    const Relevance packet = when("superposition", {"packet"});
    const auto place = [&](double P::*member, const char* key, const char* title, const char* help) {
      b.real(member, key, {title, "length", -250, 250, kLive, kLinear, "Superposition", help}).relevant(packet);
    };
    place(&P::packet_x, "packet_x", "Packet centre x₀", "⟨x⟩ at t = 0");
    place(&P::packet_y, "packet_y", "Packet centre y₀", "⟨y⟩ at t = 0");
    const auto push = [&](double P::*member, const char* key, const char* title, const char* help) {
      b.real(member, key, {title, "ħ/length", -50, 50, kLive, kLinear, "Superposition", help}).relevant(packet);
    };
    push(&P::packet_kx, "packet_kx", "Packet momentum k₁", "Along x at t = 0");
    push(&P::packet_ky, "packet_ky", "Packet momentum k₂", "Along y at t = 0");
    b.real(&P::packet_width, "packet_width",
           {"Packet width σ", "length", 0.02, 50, kLive, kLog, "Superposition",
            "Of |ψ|² along x and y; in the oscillator 1/√(2ω) makes a coherent state"})
        .relevant(packet);
  });
}

void addScheme(Binding<P>& b) {
  b.integer(&P::states, "states",
            {"States K", "", 2, kMostStates, kReset, kLinear, "Numerics", "The lowest ones, which are solved for"});
  b.integer(&P::grid_points, "grid_points",
            {"Grid points N", "", 32, 4096, kReset, kLog, "Numerics", "On each side, between the walls: N² in all"});
  b.choice(&P::stencil, "stencil",
           {"Stencil", "", 0, 0, kReset, kLinear, "Numerics",
            "Of the kinetic energy: errors as h⁴ or as h²; billiards have five points, fitted to their walls"},
           {{"nine", "Nine points"}, {"five", "Five points"}})
      .relevant(unless("potential", {"circle", "annulus", "stadium"}));
  b.integer(
      &P::degree, "degree",
      {"Filter's degree", "", 0, 1000, kLive, kLinear, "Numerics",
       "Of Chebyshev's polynomial, the products with H of one step; 0 chooses it by the spectrum. A low one shows "
       "the states converge slowly"});
  b.real(&P::tolerance, "tolerance",
         {"Tolerance", kEnergyOf, 1e-12, 0.01, kLive, kLog, "Numerics",
          "Of ‖Hφ - Eφ‖: when all K states are below it the iteration rests (never below what rounding leaves)"});
  b.real(&P::time_step, "time_step",
         {"Time step dt", "m·length²/ħ", 1e-6, 100, kReset, kLog, "Numerics",
          "Of the superposition, of any length: each state turns by its own phase exactly"});
  b.integer(&P::shown_states, "shown_states",
            {"States in the gallery", "", 1, kMostStates, kLive, kLinear, "Picture", "The lowest ones, at most K"});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<P> bound = [] {
    Binding<P> b;
    addWells(b);
    addBilliards(b);
    addMotion(b);
    addScheme(b);
    return b;
  }();
  return bound;
}

Grid gridOf(const Parameters& p) {
  return {p.grid_points, p.length, p.length / (p.grid_points + 1)};
}

}  // namespace simscope::eigenstates2d
