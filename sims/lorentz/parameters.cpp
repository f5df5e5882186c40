#include "sims/lorentz/parameters.h"

#include <cmath>

namespace simscope::lorentz {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;
constexpr const char* kTesla = "mass/(charge·time)";

Relevance in(std::vector<std::string> configurations) {
  return when("configuration", std::move(configurations));
}

}  // namespace

double Parameters::wall() const {
  return length * std::sqrt(mirror_ratio - 1);
}

double Parameters::halfEdge() const {
  switch (configuration) {
    case Configuration::Bottle:
      return 1.05 * wall();
    case Configuration::Dipole:
      return 1.4 * shell;
    case Configuration::Tokamak:
      return 1.05 * (major_radius + minorRadius());
    default:
      return extent;
  }
}

double Parameters::typicalSpeed() const {
  return (velocities == Velocities::Maxwell ? 3.5 : 1.1) * speed;
}

Setup Parameters::setup() const {
  const auto single = [](double value) { return static_cast<float>(value); };
  Setup s{};
  s.configuration = configuration;
  s.pusher = pusher;
  s.relativistic = relativistic;
  s.both = charges == Charges::Both;
  s.time_step = single(time_step);
  s.inverse_c2 = relativistic ? single(1 / c2()) : 0;
  s.field = single(field);
  s.electric = in(Configuration::Uniform) ? single(electric_field) : 0;
  s.length = single(length);
  s.wall = single(wall());
  s.major_radius = single(major_radius);
  s.minor_radius = single(minorRadius());
  s.safety_factor = single(safety_factor);
  return s;
}

const Binding<Parameters>& binding() {
  using P = Parameters;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.choice(&P::configuration, "configuration",
             {"Fields", kReset, "Fields", "Electric and magnetic fields in which the charges move"},
             {{"uniform", "Uniform B, and E across"},
              {"gradient", "B that grows sideways"},
              {"bottle", "Magnetic bottle"},
              {"dipole", "Planet's dipole"},
              {"tokamak", "Tokamak"}});
    b.real(&P::field, "field",
           {"Magnetic field B₀", kTesla, 1e-3, 1e4, kLive, kLog, "Fields",
            "B in the middle, on the planet's equator, or on the tokamak's axis. qB/m is the cyclotron frequency"});
    b.real(&P::electric_field, "electric_field",
           {"Electric field E", "mass·length/(charge·time²)", -100, 100, kLive, kLinear, "Fields",
            "E along x, across B: all charges drift with E×B/B²"})
        .relevant(in({"uniform"}));
    b.real(&P::length, "length",
           {"Length L", "length", 0.1, 1e4, kReset, kLog, "Fields",
            "Length over which B changes: B₀(1 + x/L) sideways, B₀(1 + z²/L²) along a bottle"})
        .relevant(in({"gradient", "bottle"}));
    b.real(&P::mirror_ratio, "mirror_ratio",
           {"Mirror ratio", "", 1.01, 100, kReset, kLog, "Fields", "B at the throats divided by B in the middle"})
        .relevant(in({"bottle"}));
    b.real(&P::shell, "shell",
           {"Shell", "radii", 1.2, 20, kReset, kLog, "Fields", "Distance of the start from the planet's centre"})
        .relevant(in({"dipole"}));
    b.real(&P::major_radius, "major_radius",
           {"Major radius R₀", "length", 0.5, 100, kReset, kLog, "Fields",
            "Distance from the torus's centre to its axis"})
        .relevant(in({"tokamak"}));
    b.real(&P::aspect_ratio, "aspect_ratio",
           {"Aspect ratio R₀/a", "", 1.2, 50, kReset, kLog, "Fields",
            "Major radius divided by minor radius a; the wall is at a"})
        .relevant(in({"tokamak"}));
    b.real(&P::safety_factor, "safety_factor",
           {"Safety factor q₀", "", 0.5, 20, kReset, kLog, "Fields",
            "Turns around the torus per turn around its axis, close to the axis; twice as large at the wall"})
        .relevant(in({"tokamak"}));
    b.integer(
        &P::particles, "particles",
        {"Particles N", "", 64, 16777216, kReset, kLog, "Particles", "Number of particles; they do not interact"});
    b.choice(&P::charges, "charges", {"Charges", kReset, "Particles", "All positive, or half of each sign"},
             {{"positive", "Positive"}, {"both", "Both signs"}});
    b.choice(&P::velocities, "velocities",
             {"Velocities", kReset, "Particles",
              "Thermal; one speed in all directions; or one speed along B and a disc of velocities across it"},
             {{"maxwell", "Maxwellian"}, {"isotropic", "One speed"}, {"beam", "Beam"}});
    b.real(
        &P::speed, "speed",
        {"Speed", "length/time", 1e-3, 100, kReset, kLog, "Particles",
         "Standard deviation along each direction (Maxwellian), or the speed of all particles; of γv if relativistic"});
    b.real(&P::pitch, "pitch",
           {"Pitch angle", "degrees", 0, 180, kReset, kLinear, "Particles",
            "Angle between v and B for the first particle, or for the outermost particles of a beam"});
    b.real(&P::cloud, "cloud",
           {"Width of the start", "length", 0, 20, kReset, kLinear, "Particles",
            "Standard deviation of the guiding centres at the start, or of the positions in a beam"});
    b.real(&P::extent, "extent",
           {"Extent", "length", 0.1, 1e3, kReset, kLog, "Particles", "Half the edge length of the region shown"})
        .relevant(in({"uniform", "gradient"}));
    b.choice(&P::pusher, "pusher",
             {"Pusher", kReset, "Numerics",
              "Boris conserves the energy, explicit Euler gains energy, Runge-Kutta loses a little"},
             {{"boris", "Boris"}, {"euler", "Explicit Euler"}, {"runge_kutta", "Runge-Kutta, order 4"}});
    b.flag(&P::relativistic, "relativistic", {"Relativistic", kReset, "Numerics", "γ slows the gyration down"});
    b.real(&P::light_speed, "light_speed",
           {"Speed of light c", "length/time", 0.1, 1e3, kReset, kLog, "Numerics", "Largest speed of a particle"})
        .relevant(when("relativistic", {"on"}));
    b.real(&P::time_step, "time_step",
           {"Time step dt", "time", 1e-6, 1, kReset, kLog, "Numerics", "A small part of a turn: dt qB/m below 0.3"});
    return b;
  }();
  return bound;
}

}  // namespace simscope::lorentz
