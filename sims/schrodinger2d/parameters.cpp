#include "sims/schrodinger2d/parameters.h"
#include "sims/formula/formula.h"

namespace simscope::schrodinger2d {
namespace {

void bindPotential(Binding<Parameters>& b) {
  using P = Parameters;
  b.choice(static_cast<Potential P::*>(&P::potential), "potential",
           {.title = "Potential",
            .group = "Potential",
            .help = "The potential V(x, y). Walls drawn with the mouse are added to it; 'Drawn walls' has only those."},
           {{"none", "None"},
            {"barrier", "Barrier"},
            {"single_slit", "Single slit"},
            {"double_slit", "Double slit"},
            {"step", "Step"},
            {"circular_well", "Circular well"},
            {"harmonic", "Oscillator"},
            {"double_well", "Double well"},
            {"coulomb", "Coulomb"},
            {"image", "Image"},
            {"drawn", "Drawn walls"},
            {"formula", "Formula"}});
  // Whatever the potential, drawn walls are as high.
  b.real(&P::barrier_height, "barrier_height",
         {.title = "Barrier height V₀",
          .unit = kEnergyUnit,
          .minimum = 0,
          .maximum = 1000,
          .group = "Potential",
          .help = "Height of the barrier, slit walls, step, drawn walls, and the double well's hump, or depth of the "
                  "circular well. The packet's kinetic energy is k₀²/2."});
  b.real(&P::barrier_width, "barrier_width",
         {.title = "Barrier width a",
          .unit = "length",
          .minimum = 0.01,
          .maximum = 100,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Thickness along x of the barrier, and of the wall with the slits.",
          .relevant = when("potential", {"barrier", "single_slit", "double_slit"})});
  b.real(&P::slit_width, "slit_width",
         {.title = "Slit width w",
          .unit = "length",
          .minimum = 0.01,
          .maximum = 100,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Opening of each slit along y.",
          .relevant = when("potential", {"single_slit", "double_slit"})});
  b.real(&P::slit_separation, "slit_separation",
         {.title = "Slit separation d",
          .unit = "length",
          .minimum = 0,
          .maximum = 500,
          .group = "Potential",
          .help = "Distance between the centres of the two slits. At a distance D behind them, the fringes are λD/d "
                  "apart, λ = 2π/k₀.",
          .relevant = when("potential", {"double_slit"})});
  b.real(&P::well_radius, "well_radius",
         {.title = "Well radius R",
          .unit = "length",
          .minimum = 0.01,
          .maximum = 500,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Radius of the circular well.",
          .relevant = when("potential", {"circular_well"})});
  b.real(&P::well_separation, "well_separation",
         {.title = "Well separation 2b",
          .unit = "length",
          .minimum = 0.1,
          .maximum = 500,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Distance between the minima of the double well, V = V₀((x/b)² - 1)² + ½ω²y².",
          .relevant = when("potential", {"double_well"})});
  b.real(&P::omega, "omega",
         {.title = "Frequency ω",
          .unit = "ħ/(m·length²)",
          .minimum = 0.001,
          .maximum = 100,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Frequency of the oscillator ½ω²(x² + y²), and across the double well. At ω = 1/(2σ²) the packet "
                  "keeps its width.",
          .relevant = when("potential", {"harmonic", "double_well"})});
  b.real(&P::charge, "charge",
         {.title = "Charge Z",
          .unit = "ħ²/(m·length)",
          .minimum = -1000,
          .maximum = 1000,
          .group = "Potential",
          .help = "Charge of the Coulomb potential -Z/√(r² + s²); a negative charge repels.",
          .relevant = when("potential", {"coulomb"})});
  b.real(&P::softening, "softening",
         {.title = "Softening s",
          .unit = "length",
          .minimum = 0.001,
          .maximum = 10,
          .scale = Scale::Log,
          .group = "Potential",
          .help = "Length over which the Coulomb potential is rounded off at its centre.",
          .relevant = when("potential", {"coulomb"})});
  b.text(&P::formula, "formula",
         {.title = "Formula V(x, y)",
          .group = "Potential",
          .help = "V as a function of x and y, for potential = formula, with hbar = 1 and m = 1. " + formula::grammar(),
          .text_use = TextUse::Formula,
          .relevant = when("potential", {"formula"})});
  b.text(&P::image_file, "image_file",
         {.title = "Image file",
          .group = "Potential",
          .help = "For potential = image: a picture. Its longer side is as long as the domain; black is a wall, white "
                  "is free.",
          .text_use = TextUse::ImageFile,
          .relevant = when("potential", {"image"})});
  b.real(&P::image_height, "image_height",
         {.title = "Image height",
          .unit = kEnergyUnit,
          .minimum = -1000,
          .maximum = 1000,
          .group = "Potential",
          .help = "V where the image is black; grey gives a proportional part.",
          .relevant = when("potential", {"image"})});
}

void bindPacket(Binding<Parameters>& b) {
  using P = Parameters;
  const auto place = [&](double P::*member, const char* key, const char* title, const char* help) {
    b.real(member, key,
           {.title = title,
            .unit = "length",
            .minimum = -1000,
            .maximum = 1000,
            .applies = Applies::OnReset,
            .group = "Packet",
            .help = help});
  };
  place(&P::packet_x, "packet_x", "Packet centre x₀",
        "Where the packet starts. The domain is periodic: a centre beyond one edge enters at the other.");
  place(&P::packet_y, "packet_y", "Packet centre y₀", "Where the packet starts.");
  b.real(&P::packet_width, "packet_width",
         {.title = "Packet width σ",
          .unit = "length",
          .minimum = 0.05,
          .maximum = 200,
          .applies = Applies::OnReset,
          .scale = Scale::Log,
          .group = "Packet",
          .help = "Standard deviation of |ψ|² along x, and along y; the spread of momenta is 1/(2σ)."});
  const auto momentum = [&](double P::*member, const char* key, const char* title) {
    b.real(member, key,
           {.title = title,
            .unit = "1/length",
            .minimum = -200,
            .maximum = 200,
            .applies = Applies::OnReset,
            .group = "Packet",
            .help = "Mean momentum (wave number) at the start."});
  };
  momentum(&P::momentum_x, "momentum_x", "Packet momentum k₀, x");
  momentum(&P::momentum_y, "momentum_y", "Packet momentum k₀, y");
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
                          .group = "Second packet",
                          .help = help,
                          .relevant = when("second_packet", {"on"})};
  };
  b.flag(&P::second_packet, "second_packet",
         {.title = "Second packet",
          .applies = Applies::OnReset,
          .group = "Second packet",
          .help = "Adds another packet, ψ ∝ G + A·exp(iφ)·G₂, each with norm 1; both are then normalised together."});
  b.real(&P::second_x, "second_x", notes("Second centre x₂", "length", -1000, 1000, "Where the second packet starts."));
  b.real(&P::second_y, "second_y", notes("Second centre y₂", "length", -1000, 1000, "Where the second packet starts."));
  b.real(
      &P::second_width, "second_width",
      notes("Second width σ₂", "length", 0.05, 200, "Standard deviation of the second packet's |ψ|² along x and y."));
  const char* const momentum = "Mean momentum (wave number) of the second packet at the start.";
  b.real(&P::second_momentum_x, "second_momentum_x", notes("Second momentum k₂, x", "1/length", -200, 200, momentum));
  b.real(&P::second_momentum_y, "second_momentum_y", notes("Second momentum k₂, y", "1/length", -200, 200, momentum));
  b.real(&P::second_amplitude, "second_amplitude",
         notes("Relative amplitude A", "", 0.01, 100, "The second packet has A² times the probability of the first."));
  b.real(&P::second_phase, "second_phase",
         notes("Relative phase φ", "rad", -6.2831853, 6.2831853,
               "Phase of the second packet: it starts as exp(i(k₂·r + φ)), the first one as exp(ik₀·r)."));
}

void bindNumerics(Binding<Parameters>& b) {
  using P = Parameters;
  b.real(&P::time_step, "time_step",
         {.title = "Time step Δt",
          .unit = "m·length²/ħ",
          .minimum = 1e-6,
          .maximum = 1,
          .scale = Scale::Log,
          .group = "Numerics",
          .help = "The splitting error falls as Δt². Sharp walls need Δt·k_max² below π."});
  b.integer(&P::grid_points, "grid_points",
            {.title = "Grid points N",
             .minimum = 64,
             .maximum = 32768,
             .applies = Applies::OnReset,
             .scale = Scale::Log,
             .group = "Numerics",
             .help = "Samples of ψ along each side, a power of two. Momenta up to πN/L are resolved.",
             .power_of_two = true});
  b.real(&P::domain_length, "domain_length",
         {.title = "Domain length L",
          .unit = "length",
          .minimum = 4,
          .maximum = 2000,
          .applies = Applies::OnReset,
          .scale = Scale::Log,
          .group = "Numerics",
          .help = "x and y run from -L/2 to L/2; the domain is periodic."});
  b.flag(
      &P::absorbing_edges, "absorbing_edges",
      {.title = "Absorbing edges",
       .group = "Numerics",
       .help =
           "ψ decays in a layer along every edge, a tenth of L wide or more, instead of re-entering on the other side. "
           "The norm then falls; the diagnostics show by how much."});
  b.choice(
      static_cast<Precision P::*>(&P::precision), "precision",
      {.title = "Precision",
       .applies = Applies::OnReset,
       .group = "Numerics",
       .help = "Precision of ψ: complex64 or complex128. Phases and sums are always computed in double precision."},
      {{"single", "Single"}, {"double", "Double"}});
  b.real(&P::screen_x, "screen_x",
         {.title = "Screen at x",
          .unit = "length",
          .minimum = -1000,
          .maximum = 1000,
          .group = "View",
          .help = "x of the line along y whose density the view 'screen' shows."});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    bindPotential(b);
    bindPacket(b);
    bindSecondPacket(b);
    bindNumerics(b);
    return b;
  }();
  return bound;
}

}  // namespace simscope::schrodinger2d
