// A fit of a resonance over an exponential background to counts, by maximum likelihood: each bin is a Poisson number.
// Host, double precision; a pure function, any thread.
//
// The model is Breit and Wigner's resonance times the detector's efficiency, convolved with its resolution (Voigt's
// profile for a detector that finds everything), and exp(-slope m) likewise. The fit minimises -2 ln(L/L₀)
// (S. Baker, R. D. Cousins, Nucl. Instrum. Methods 221 (1984) 437) by Levenberg and Marquardt's method with Fisher's
// matrix, whose inverse is the errors' covariance.
#pragma once

#include <vector>

#include "sims/histograms/spectrum.h"

namespace simscope::histograms {

struct Fitted {
  double value = 0, error = 0;  // error 0: it was not fitted
};
struct FitResult {
  bool good = false;  // it has converged, and all errors are finite
  Fitted resonances, mass, width, stretch, background, slope;
  double chi2 = 0;  // Pearson's, over bins merged until five events are expected in each
  int freedom = 0;
  std::vector<double> expected;  // per bin
};
// The start values, and which parameter is fixed: the width, or the resolution as `stretch` times that of the model.
struct FitStart {
  double mass, width;
  FitOf of = FitOf::Width;
  bool background = false;
};

inline constexpr double kFewest = 200;  // events that a fit needs

FitResult fitSpectrum(const std::vector<double>& counts, const std::vector<double>& edges, const SpectrumModel& model,
                      const FitStart& start);

// Pearson's χ² over bins merged until five events are expected in each; `bins` becomes their number.
double pearson(const std::vector<double>& counts, const std::vector<double>& expected, int& bins);

}  // namespace simscope::histograms
