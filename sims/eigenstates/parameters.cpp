#include "sims/eigenstates/parameters.h"
#include "sims/formula/formula.h"

#include <fmt/format.h>

namespace simscope::eigenstates {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;
using P = Parameters;

Relevance of(std::vector<std::string> potentials) {
  return when("potential", std::move(potentials));
}
Alias named(const char* potential, const char* title, const char* unit) {
  return {of({potential}), title, unit};
}

void addPotential(Binding<P>& b) {
  b.choice(&P::potential, "potential",
           {"Potential", kLive, "Potential",
            "The potential V(x): classic ones with exact levels, a formula, or a blank to draw on"},
           {{"harmonic", "Oscillator"},
            {"box", "Box"},
            {"finite_well", "Finite well"},
            {"double_well", "Double well"},
            {"morse", "Morse"},
            {"poschl_teller", "Pöschl-Teller"},
            {"hydrogen", "Hydrogen, radial"},
            {"kronig_penney", "Kronig-Penney"},
            {"formula", "Formula"},
            {"blank", "Blank, to draw on"}});
  b.real(&P::omega, "omega",
         {"Frequency ω", "ħ/(m·length²)", 0.05, 20, kLive, kLog, "Potential", "V = ω²x²/2; the levels are ω(n + ½)"})
      .relevant(of({"harmonic"}));
  ParameterNotes depth{
      "Depth", kEnergyUnit, 0.1,         500,
      kLive,   kLog,        "Potential", "Depth of the well or of the molecule's potential, or height of the barriers"};
  depth.relevant = of({"finite_well", "double_well", "morse", "kronig_penney"});
  depth.aliases = {named("finite_well", "Depth V₀", kEnergyUnit), named("double_well", "Barrier V₀", kEnergyUnit),
                   named("morse", "Dissociation energy D", kEnergyUnit),
                   named("kronig_penney", "Barriers V₀", kEnergyUnit)};
  b.real(&P::depth, "depth", depth);
  ParameterNotes width{
      "Width a", "length", 0.1,         100,
      kLive,     kLog,     "Potential", "Width of the finite well, or distance between the minima of the double well"};
  width.relevant = of({"finite_well", "double_well"});
  width.aliases = {named("double_well", "Distance of the minima", "length")};
  b.real(&P::width, "width", width);
  ParameterNotes steepness{"Steepness a", "1/length",
                           0.05,          5,
                           kLive,         kLog,
                           "Potential",   "Morse: V = D(1 - exp(-ax))²;  Pöschl and Teller: V = -α²λ(λ+1)/(2 cosh²αx)"};
  steepness.relevant = of({"morse", "poschl_teller"});
  steepness.aliases = {named("poschl_teller", "Steepness α", "1/length")};
  b.real(&P::steepness, "steepness", steepness);
  b.real(&P::lambda, "lambda",
         {"Strength λ", "", 0.1, 30, kLive, kLog, "Potential",
          "Levels -α²(λ-n)²/2 for n < λ. With a whole number λ no wave is reflected"})
      .relevant(of({"poschl_teller"}));
  b.real(&P::charge, "charge", {"Charge Z", "", 0.1, 20, kLive, kLog, "Potential", "V = -Z/r + l(l+1)/(2r²)"})
      .relevant(of({"hydrogen"}));
  b.integer(&P::angular_momentum, "angular_momentum",
            {"Angular momentum l", "ħ", 0, 10, kLive, kLinear, "Potential",
             "State n has the principal quantum number n + l + 1"})
      .relevant(of({"hydrogen"}));
  b.integer(&P::wells, "wells",
            {"Wells", "", 1, 32, kLive, kLinear, "Potential",
             "Number of wells within the length; each band has as many levels"})
      .relevant(of({"kronig_penney"}));
  b.real(&P::barrier, "barrier",
         {"Barrier thickness", "length", 0.02, 20, kLive, kLog, "Potential",
          "Thickness of the barriers between wells, at most nine tenths of a period. Each wall has half a barrier"})
      .relevant(of({"kronig_penney"}));
  b.text(&P::formula, "formula",
         {"Formula V(x)", kLive, "Potential", "V as a function of x, with hbar = 1 and m = 1. " + formula::grammar(),
          TextUse::Formula, kEnergyUnit, of({"formula"})});
  b.real(
      &P::tilt, "tilt",
      {"Tilt F", "ħ²/(m·length³)", -10, 10, kLive, kLinear, "Potential",
       "Adds F x to V, like an electric field acting on a charge (Stark effect). The exact levels do not include it"});
  b.real(&P::length, "length",
         {"Length L", "length", 1, kLongest, kLive, kLog, "Potential",
          "Distance between the walls, where ψ = 0: the box itself, or so large that the walls do not affect bound "
          "states"});
}

void addSuperposition(Binding<P>& b) {
  superposition::describe(b, "The state whose values are listed", [&b] {
    const Relevance packet = when("superposition", {"packet"});
    b.real(&P::packet_x, "packet_x",
           {"Packet centre x₀", "length", -250, 500, kLive, kLinear, "Superposition", "⟨x⟩ at t = 0"})
        .relevant(packet);
    b.real(&P::packet_k, "packet_k",
           {"Packet momentum k₀", "ħ/length", -50, 50, kLive, kLinear, "Superposition", "⟨p⟩ at t = 0"})
        .relevant(packet);
    b.real(&P::packet_width, "packet_width",
           {"Packet width σ", "length", 0.02, 50, kLive, kLog, "Superposition",
            "Standard deviation of |ψ|²; in the oscillator 1/√(2ω) gives a coherent state"})
        .relevant(packet);
  });
}

void addNumerics(Binding<P>& b) {
  b.integer(&P::states, "states",
            {"States K", "", 2, kMostStates, kReset, kLinear, "Numerics", "Number of lowest states that are computed"});
  b.choice(&P::method, "method",
           {"Method", kReset, "Numerics",
            "Bisection and inverse iteration for K states in O(K N), or all N by LAPACK or cuSOLVER in O(N³)"},
           {{"tridiagonal", "Tridiagonal"}, {"dense", "Dense"}});
  b.choice(&P::basis, "basis",
           {"Basis", kReset, "Numerics",
            "Finite differences with errors of order h² or h⁴, or sine waves, whose errors fall faster than any power "
            "of h"},
           {{"three_point", "Three points"}, {"five_point", "Five points"}, {"sine", "Sine waves"}})
      .relevant(when("method", {"dense"}));
  b.integer(&P::grid_points, "grid_points",
            {"Grid points N", "", 64, 65536, kReset, kLog, "Numerics",
             "Points between the walls, h = L/(N+1) apart; at most 8192 for method = dense"});
  b.real(&P::time_step, "time_step",
         {"Time step dt", "m·length²/ħ", 1e-6, 100, kReset, kLog, "Numerics",
          "May have any length: the phase of each state advances exactly"});
}

void addPicture(Binding<P>& b) {
  b.integer(&P::drawn_states, "drawn_states",
            {"Levels drawn", "", 1, 32, kLive, kLinear, "Picture",
             "Number of lowest levels drawn, at most K. Warnings concern these levels"});
  b.choice(&P::curves, "curves", {"Curves", kLive, "Picture", "What is drawn at each level"},
           {{"wave_functions", "Wave functions"}, {"densities", "Probability densities"}});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<P> bound = [] {
    Binding<P> b;
    addPotential(b);
    addSuperposition(b);
    addNumerics(b);
    addPicture(b);
    return b;
  }();
  return bound;
}

Grid gridOf(const Parameters& p) {
  // Hydrogen's r begins at 0; Morse's wall rises so steeply that less room is needed there.
  const double left = p.potential == Potential::Hydrogen ? 0.0
                      : p.potential == Potential::Morse  ? -0.2 * p.length
                                                         : -0.5 * p.length;
  return {p.grid_points, left, p.length, p.length / (p.grid_points + 1)};
}

}  // namespace simscope::eigenstates
