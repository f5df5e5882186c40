#include "sims/diffraction/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simscope::diffraction {
namespace {

// The first zero of the annulus's amplitude lies within that of the full disc.
double annulusZero(const ExactPattern& exact, double within) {
  const auto amplitude = [&](double r) {
    const double k = 2 * 3.14159265358979324 / exact.depth;
    return exact.radius * exact.radius * jinc(k * exact.radius * r) -
           exact.inner * exact.inner * jinc(k * exact.inner * r);
  };
  double low = 0, high = within;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (amplitude(middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// What Fresnel's integrals leave out of the angular spectrum: light of the other slits arrives behind one with a phase
// that is π ρ⁴/4λz³ off. The sum of their amplitudes, each at most w/√(λz) and √(λz)/πρ.
double leftOut(const Parameters& p, const ExactPattern& exact) {
  const double zone = std::sqrt(exact.depth), width = std::min(exact.width, zone);
  double sum = 0;
  for (int k = 1; k < exact.slits; ++k) {
    const double away = k * exact.separation,
                 off = 3.14159265358979324 * std::pow(away, 4) / (4 * p.wavelength * std::pow(p.distance, 3));
    sum += std::min(width / zone, zone / (3.14159265358979324 * away)) * std::min(off, 2.0);
  }
  return sum;
}

}  // namespace

ExactPattern exactPattern(const Parameters& p) {
  ExactPattern exact;
  exact.kind = p.aperture;
  exact.near = p.propagation != Propagation::Fraunhofer;
  exact.depth = p.wavelength * p.distance;
  exact.radius = p.metres(p.aperture_radius);
  exact.width = p.metres(p.slit_width);
  exact.separation = p.metres(p.slit_separation);
  exact.slits = 1;
  const bool round = p.aperture == Aperture::Circle || p.aperture == Aperture::Annulus;
  if (p.aperture == Aperture::Annulus) exact.inner = p.obstruction * exact.radius;
  if (p.aperture == Aperture::Square) exact.width = 2 * exact.radius;
  if (p.aperture == Aperture::DoubleSlit) exact.slits = 2;
  if (p.aperture == Aperture::Grating) exact.slits = p.slits;
  const bool straight = p.aperture == Aperture::Square || p.aperture == Aperture::Slit ||
                        p.aperture == Aperture::DoubleSlit || p.aperture == Aperture::Grating;
  const Reach reach = reachOf(p);
  const bool whole = reach.x <= 1 && reach.y <= 1;
  const bool apart = exact.slits == 1 || exact.width <= exact.separation;
  constexpr double kMostLeftOut = 0.05;
  const bool paraxial = p.propagation != Propagation::AngularSpectrum || leftOut(p, exact) <= kMostLeftOut;
  exact.known = whole && apart && ((straight && paraxial) || (round && !exact.near));
  return exact;
}

double exactDarkRing(const Parameters& p) {
  const ExactPattern exact = exactPattern(p);
  if (!exact.known || exact.near) return std::numeric_limits<double>::quiet_NaN();
  constexpr double kAiryZero = 1.2196698912665045;  // the first zero of J₁, over π
  if (p.aperture == Aperture::Circle) return kAiryZero * exact.depth / (2 * exact.radius);
  if (p.aperture == Aperture::Annulus) return annulusZero(exact, kAiryZero * exact.depth / (2 * exact.radius));
  return exact.slits > 1 ? exact.depth / (exact.slits * exact.separation) : exact.depth / exact.width;
}

}  // namespace simscope::diffraction
