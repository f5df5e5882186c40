#include "sims/diffraction/parameters.h"

#include "sims/core/parameters.h"

namespace simscope::diffraction {

void requireUsable(const Parameters& parameters) {
  if (parameters.aperture == Aperture::Image && parameters.image_file.empty()) {
    throw ParameterError("image_file",
                         "aperture = image needs a picture: first set image_file to a PNG, JPEG, BMP, PBM, PGM, or PPM "
                         "file, or choose another aperture, for example circle");
  }
}

Reach reachOf(const Parameters& p) {
  const double r = p.aperture_radius;
  switch (p.aperture) {
    case Aperture::Slit:
      return {p.slit_width / 2, r};
    case Aperture::DoubleSlit:
      return {(p.slit_separation + p.slit_width) / 2, r};
    case Aperture::Grating:
      return {((p.slits - 1) * p.slit_separation + p.slit_width) / 2, r};
    default:
      return {r, r};
  }
}

double criticalDistance(const Parameters& p) {
  return 2 * p.half_width * p.cell() / p.wavelength;
}

bool keepsWindow(const Parameters& p) {
  return p.propagation == Propagation::AngularSpectrum ||
         (p.propagation == Propagation::Fresnel && p.distance <= criticalDistance(p));
}

int paddingOf(const Parameters& p) {
  return p.propagation == Propagation::AngularSpectrum && p.grid_points <= kMostPadded ? 2 : 1;
}

double patternPitch(const Parameters& p) {
  return keepsWindow(p) ? p.cell() : p.wavelength * p.distance / (2 * p.half_width);
}

}  // namespace simscope::diffraction
