// The parameters of the diffraction simulation, and the numbers that follow from them.
//
// A plane wave meets an aperture in the plane z = 0; the pattern is the intensity at z = distance. The aperture's plane
// is N × N cells over a window of ±half_width [m]; cell (i, j) is centred at ((i - N/2) dx, (j - N/2) dx). Sizes of the
// aperture are shares of the half-width. Plain data; any thread.
#pragma once

#include <string>

#include "sims/core/describe.h"

namespace simscope::diffraction {

enum class Aperture {
  Circle,
  Square,
  Slit,
  DoubleSlit,
  Grating,
  Hexagon,
  Annulus,
  Telescope,
  ZonePlate,
  Letter,
  Image
};
enum class Propagation { Fraunhofer, AngularSpectrum, Fresnel };
enum class Spectrum { Monochromatic, Rgb, White };
enum class Display { Linear, Log, Gamma };

struct Parameters {
  int grid_points = 4096;    // N, along each side
  double half_width = 5e-4;  // of the aperture's window [m]
  Aperture aperture = Aperture::Circle;
  double aperture_radius = 0.25;  // of the half-width, like all sizes of the aperture
  double slit_width = 0.04;
  double slit_separation = 0.2;
  int slits = 5;
  double obstruction = 0.4;  // of the aperture's radius
  int zones = 16;
  std::string image_file;
  Propagation propagation = Propagation::Fraunhofer;
  double wavelength = 633e-9;  // [m]
  double distance = 1;         // [m]
  Spectrum spectrum = Spectrum::Monochromatic;
  Display display = Display::Log;
  int zoom = 16;

  double cell() const { return 2 * half_width / grid_points; }
  double metres(double share) const { return share * half_width; }
};

const Binding<Parameters>& binding();

// Time counts sweeps: the presets' keyframes return to their beginning after this many steps.
inline constexpr int kSweep = 120;

// Throws ParameterError where the combination cannot run: an image aperture without a file.
void requireUsable(const Parameters& parameters);

// How far the aperture reaches from the middle, as shares of the half-width.
struct Reach {
  double x, y;
};
Reach reachOf(const Parameters& parameters);

// Up to this distance the window of the near field is as large as the aperture's, and its whole band is kept: the
// steepest waves that the cells resolve, λ/(2 dx), shift by the half-width.
double criticalDistance(const Parameters& parameters);
// Whether the pattern lies in the aperture's window: the angular spectrum, and Fresnel up to the critical distance.
bool keepsWindow(const Parameters& parameters);
// The side of the plane in which the near field is computed, in windows. With 2, waves from anywhere in the window
// reach everywhere in it, and none wraps around; beyond kMostPadded that takes too much memory.
inline constexpr int kMostPadded = 4096;  // grid points
int paddingOf(const Parameters& parameters);
// Spacing of the pattern's samples [m]: the cells' in the aperture's window, else λz/(2 half_width).
double patternPitch(const Parameters& parameters);

}  // namespace simscope::diffraction
