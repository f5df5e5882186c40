// The colours of light: wavelengths as linear sRGB through the CIE 1931 colour matching functions.
//
// Sources: C. Wyman, P.-P. Sloan, P. Shirley, Simple analytic approximations to the CIE XYZ color matching functions,
// J. Computer Graphics Techniques 2 (2013) no. 2 (the sums of Gaussians); IEC 61966-2-1 (sRGB's primaries).
// Plain functions; any thread.
#pragma once

#include <array>
#include <vector>

#include "sims/diffraction/parameters.h"

namespace simscope::diffraction {

using Rgb = std::array<double, 3>;

inline constexpr int kWhiteLines = 24;  // of white light, 400 to 700 nm

struct SpectralLine {
  double wavelength;  // [m]
  Rgb weight;         // linear sRGB of its intensity 1; negative for a colour outside sRGB
};

// Tristimulus values of the CIE 1931 2° standard observer.
std::array<double, 3> colourMatching(double wavelength);
// The lines of light of a spectrum. Together, at intensity 1 each, they are white: (1, 1, 1). A single line has its own
// colour, limited to sRGB, at full brightness; invisible ones are grey.
std::vector<SpectralLine> spectralLines(const Parameters& parameters);

}  // namespace simscope::diffraction
