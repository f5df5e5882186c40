#include "sims/eigenstates2d/parameters.h"
#include "sims/formula/formula.h"

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
      {"Potential", kLive, "Potential",
       "The potential V(x, y): wells and billiards with exact levels, chaotic ones, a formula, or a blank to draw on"},
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
          "V = (x² + y²)/2 + λ(x²y - y³/3). States above the energy 1/(6λ²) are not bound. The classic value is 1/√80 "
          "= 0.1118"})
      .relevant(in({"henon_heiles"}));
  ParameterNotes depth{
      "Barrier V₀", kEnergyOf, 0.1,         1000,
      kLive,        kLog,      "Potential", "Height of the barrier between the wells, or of each atom"};
  depth.relevant = in({"double_well", "corral"});
  depth.aliases = {called("corral", "Atom's height V₀", kEnergyOf)};
  b.real(&P::depth, "depth", depth);
  b.real(&P::width, "width",
         {"Distance of the minima a", "length", 0.2, 100, kLive, kLog, "Potential", "V = V₀(4x²/a² - 1)² + ω₂²y²/2"})
      .relevant(in({"double_well"}));
}

void addBilliards(Binding<P>& b) {
  b.real(
       &P::radius, "radius",
       {"Radius R", "length", 0.1, 250, kLive, kLog, "Potential",
        "Radius of the circle, of the stadium's ends, or of the ring of atoms. It is reduced to fit between the walls"})
      .relevant(in({"circle", "annulus", "stadium", "corral"}));
  b.real(&P::hole, "hole",
         {"Hole r/R", "", 0.02, 0.95, kLive, kLinear, "Potential", "Annulus: inner radius divided by outer radius"})
      .relevant(in({"annulus"}));
  b.real(&P::straight, "straight",
         {"Straight part a/R", "", 0, 4, kLive, kLinear, "Potential",
          "Half the length of the straight part. 0 is a circle; any other value gives Bunimovich's chaotic billiard"})
      .relevant(in({"stadium"}));
  b.integer(&P::atoms, "atoms",
            {"Atoms", "", 3, 128, kLive, kLinear, "Potential", "Number of atoms, evenly spaced around the ring"})
      .relevant(in({"corral"}));
  b.real(&P::atom_width, "atom_width",
         {"Atom's width σ", "length", 0.02, 5, kLive, kLog, "Potential", "Each is V₀ exp(-r²/2σ²)"})
      .relevant(in({"corral"}));
  b.real(&P::charge, "charge", {"Charge Z", "", 0.1, 20, kLive, kLog, "Potential", "V = -Z/√(r² + s²)"})
      .relevant(in({"hydrogen"}));
  b.real(&P::softening, "softening",
         {"Softening s", "length", 0.02, 5, kLive, kLog, "Potential",
          "Removes the pole. Towards 0 the levels approach -Z²/2(n - ½)²"})
      .relevant(in({"hydrogen"}));
  b.text(&P::formula, "formula",
         {"Formula V(x, y)", kLive, "Potential",
          "V as a function of x and y, with hbar = 1 and m = 1. " + formula::grammar(), TextUse::Formula, kEnergyOf,
          in({"formula"})});
  b.real(&P::length, "length",
         {"Length L", "length", 1, 500, kLive, kLog, "Potential",
          "Length of the square's sides, where ψ = 0: the box itself, or so large that the walls do not affect bound "
          "states"});
  b.real(&P::drawn_height, "drawn_height",
         {"Height of drawings", kEnergyOf, -1000, 1000, kLive, kLinear, "Potential",
          "Height that the mouse adds to V at strength 1; a negative value makes a well"});
}

void addMotion(Binding<P>& b) {
  superposition::describe(b, "The state shown, whose values are listed", [&b] {
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
            "Standard deviation of |ψ|² along x and y; in the oscillator 1/√(2ω) gives a coherent state"})
        .relevant(packet);
  });
}

void addScheme(Binding<P>& b) {
  b.integer(&P::states, "states",
            {"States K", "", 2, kMostStates, kReset, kLinear, "Numerics", "Number of lowest states that are computed"});
  b.integer(&P::grid_points, "grid_points",
            {"Grid points N", "", 32, 4096, kReset, kLog, "Numerics",
             "Points along each side, between the walls: N² in all"});
  b.choice(&P::stencil, "stencil",
           {"Stencil", kReset, "Numerics",
            "For the kinetic energy: errors of order h⁴ or h². Billiards use five points, fitted to their walls"},
           {{"nine", "Nine points"}, {"five", "Five points"}})
      .relevant(unless("potential", {"circle", "annulus", "stadium"}));
  b.integer(&P::degree, "degree",
            {"Filter's degree", "", 0, 1000, kLive, kLinear, "Numerics",
             "Degree of the Chebyshev polynomial: products with H per step; 0 chooses it from the spectrum. With a low "
             "degree the states converge slowly"});
  b.real(&P::tolerance, "tolerance",
         {"Tolerance", kEnergyOf, 1e-12, 0.01, kLive, kLog, "Numerics",
          "Limit of ‖Hφ - Eφ‖. The iteration stops when all K states are below it (at least the rounding error is "
          "allowed)"});
  b.real(&P::time_step, "time_step",
         {"Time step dt", "m·length²/ħ", 1e-6, 100, kReset, kLog, "Numerics",
          "Step of the superposition. It may have any length: the phase of each state advances exactly"});
  b.integer(&P::shown_states, "shown_states",
            {"States in the gallery", "", 1, kMostStates, kLive, kLinear, "Picture",
             "Number of lowest states shown, at most K"});
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
