// Theoretical values: closed forms and quadratures in double precision. NaN where there is none. Any thread.
//
// Sources: exact motion in uniform fields; T. G. Northrop, The Adiabatic Motion of Charged Particles (mirrors and
// drifts); M. Schulz and L. J. Lanzerotti, Particle Diffusion in the Radiation Belts, chapter I (dipole); J. Wesson,
// Tokamaks, chapter 3 (bananas).
#pragma once

#include <utility>
#include <vector>

#include "sims/lorentz/parameters.h"

namespace simscope::lorentz {

// The first particle at its start.
struct FirstParticle {
  double u, along, across;  // γv, along B and across it
  double gamma;
  double place;   // of its guiding centre: R in the tokamak, the shell in the dipole, else 0
  double moment;  // μ = u⊥²/(2B)
};
FirstParticle firstParticle(const Parameters& parameters);

double strengthAt(const Setup& setup, const double (&x)[3]);  // |B|
// Conserved by the symmetry of the fields: u_y + q A_y, or about the z-axis R u_φ + q ψ.
double canonicalMomentum(const Setup& setup, const double (&x)[3], const double (&u)[3], double charge);

// Whether E ≥ cB across B (relativistic): no frame is without E, and charges are accelerated along it without end.
bool electricWins(const Parameters& parameters);
// The cyclotron frequency [radians/time], and the pusher's relative error of it: measured over exact, less 1.
double cyclotronFrequency(const Parameters& parameters);
double phaseErrorOf(const Parameters& parameters);
// The factor by which a step multiplies the energy of the gyration, less 1: Euler (ω dt)², Runge and Kutta −(ω dt)⁶/72
// + (ω dt)⁸/576.
double growthOfStep(const Parameters& parameters);
// Time from throat to throat and back, or from hemisphere to hemisphere and back.
double bouncePeriod(const Parameters& parameters);
// Drift of the longitude in a dipole, averaged over a bounce [radians/time].
double longitudeRate(const Parameters& parameters);
// The lost share of an isotropic start in the middle of the bottle: 1 − √(1 − B_min/B_max).
double lostShare(const Parameters& parameters);
// B where it is strongest over B at the start: the loss cone has sin²α = 1/that.
double coneRatio(const Parameters& parameters);
// Width in the midplane of the tokamak between the two legs of a trapped particle's orbit.
double bananaWidth(const Parameters& parameters);
// The guiding centre's orbit in the plane of R and z, from μ, energy, and canonical momentum: two curves, out and back,
// of `points` points each; NaN where there is none.
std::vector<std::pair<float, float>> bananaOrbit(const Parameters& parameters, int points);

}  // namespace simscope::lorentz
