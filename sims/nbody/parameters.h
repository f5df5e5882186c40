// The parameters of the N-body simulation, and the numbers that follow from them. Plain data; any thread.
#pragma once

#include <array>
#include <span>

#include "sims/core/describe.h"

namespace simscope::nbody {

enum class Force { Gravity, Coulomb };
enum class Integrator { Leapfrog, Yoshida4, Radau15 };
enum class Method { Direct, Tree };
enum class Initial { Plummer, TwoGalaxies, ColdSphere, Ring, Kepler, FigureEight, Pythagorean, SolarSystem, Random };

struct Parameters {
  int bodies = 8192;
  Force force = Force::Gravity;
  double gravitational_constant = 1;  // G [length³/(mass·time²)]; of charges: Coulomb's constant k
  double softening = 0.01;            // ε [length]
  double time_step = 0.001;           // dt [time]
  Integrator integrator = Integrator::Leapfrog;
  Method method = Method::Direct;
  double opening_angle = 0.5;  // θ
  Initial initial = Initial::Plummer;

  // The factor from the field g of the strengths to an acceleration: G, or −k (times charge over mass).
  double coupling() const { return force == Force::Gravity ? gravitational_constant : -gravitational_constant; }
};

const Binding<Parameters>& binding();

// Up to this many bodies are summed pair by pair in double precision with any method, and leave trails.
inline constexpr int kFew = 64;
inline constexpr int kTrailSamples = 1024;  // of a trail, at most

// A step is made of kick-drift-kick parts of these shares of dt: one for leapfrog; three for Yoshida's fourth-order
// composition, w₁ = 1/(2 − 2^{1/3}), w₀ = −2^{1/3} w₁, w₁. Many bodies are not integrated by Radau15 but by Yoshida4.
inline std::span<const double> substepsOf(Integrator integrator) {
  static constexpr std::array<double, 1> kLeapfrog{1};
  static constexpr double kOuter = 1.3512071919596578;
  static constexpr std::array<double, 3> kYoshida{kOuter, 1 - 2 * kOuter, kOuter};
  return integrator == Integrator::Leapfrog ? std::span<const double>(kLeapfrog) : kYoshida;
}

}  // namespace simscope::nbody
