#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/histograms/histograms.h"
#include "sims/histograms/present.h"

namespace simscope::histograms {
namespace {

constexpr int kFine = 480;  // points of a curve of masses
constexpr float kPerMillion = 1e6f;

// Edges of small bins around the points of such a curve.
std::vector<double> edgesAround(const Parameters& p) {
  const double half = 0.5 * (p.mass_high - p.mass_low) / kFine;
  return equalEdges(p.mass_low - half, p.mass_high - half, kFine);
}

std::vector<float> inSingle(const std::vector<double>& values, double scale = 1) {
  std::vector<float> single;
  for (const double each : values) single.push_back(static_cast<float>(scale * each));
  return single;
}
std::vector<float> inDecades(const std::vector<double>& values) {
  std::vector<float> decades;
  for (const double each : values) decades.push_back(static_cast<float>(std::log10(std::max(1.0, each * kPerMillion))));
  return decades;
}

}  // namespace

std::vector<double> Histograms::expectedCurve() {
  if (!p_.resonance()) return std::vector<double>(kFine, NAN);
  Parameters p = p_;
  double scale = kFine / (p.mass_high - p.mass_low);
  if (p.background == Background::Uncorrelated) {  // without pairs by chance
    scale *= 1 - p.background_fraction;
    p.background_fraction = 0;
  }
  std::vector<double> curve = expectedShares(p, expected().acceptance, edgesAround(p));
  for (double& each : curve) each *= scale;
  return curve;
}

std::vector<double> Histograms::fittedCurve() {
  const FitResult& fit = fitted();
  const auto n = static_cast<double>(events());
  if (!fit.good || !(n > 0)) return std::vector<double>(kFine, NAN);
  const std::vector<double> edges = edgesAround(p_);
  const SpectrumModel model(edges, fitResponse());
  const double step = (p_.mass_high - p_.mass_low) / kFine;
  std::vector<double> curve = model.resonance(fit.mass.value, fit.width.value, fit.stretch.value);
  for (double& each : curve) each *= fit.resonances.value;
  if (p_.fit_background) {
    // The fit norms its background over the bins, these edges over their own range.
    const double slope = fit.slope.value, shift = std::exp(-slope * (edges.front() - p_.mass_low));
    const std::vector<double> wide = model.background(slope, fit.stretch.value);
    for (std::size_t i = 0; i < curve.size(); ++i) curve[i] += fit.background.value * shift * wide[i];
  }
  for (double& each : curve) each /= n * step;
  return curve;
}

void Histograms::presentMasses(Frame& frame) {
  const auto n = static_cast<double>(events());
  const double bin = p_.binWidth(), scale = n > 0 ? 1 / (n * bin) : 0;
  const auto channel = [&](const char* key, int width, double low, double high) -> Channel& {
    Channel& made = frame.channel(key, width);
    made.x_min = p_.mass_low;
    made.x_max = p_.mass_high;
    made.low = low;
    made.high = high;
    return made;
  };
  // The axes reach above what is expected, and what a few events show of it.
  const auto high = [&](int from) { return 1.25 * pilotHigh(from, p_.bins) / bin; };
  const auto decades = [&] { return std::ceil(std::log10(std::max(10.0, kPerMillion * high(place::kMass)))); };
  const auto bars = [&](const char* key, int from, bool in_decades) {
    if (!frame.wants(key)) return;
    Channel& made =
        channel(key, p_.bins, 0, in_decades ? decades() : high(from == place::kSameSign ? place::kMass : from));
    const double unit = in_decades ? kPerMillion : 1;
    copyCounts(*device_, counts_.data() + from, static_cast<float>(unit * scale), in_decades, made.data.data(),
               made.data.size());
  };
  bars("mass", place::kMass, false);
  bars("same_sign", place::kSameSign, false);
  bars("made_mass", place::kMadeMass, false);
  bars("mass_decades", place::kMass, true);
  bars("same_sign_decades", place::kSameSign, true);
  const auto curve = [&](const char* key, const std::vector<float>& values, double top) {
    channel(key, kFine, 0, top).data.upload(values);
  };
  if (frame.wants("expected")) {
    curve("expected", inSingle(expectedCurve()), high(place::kMass));
    frame.channel("expected", kFine).form = p_.pure() ? 0 : 1;
  }
  if (frame.wants("expected_decades")) {
    curve("expected_decades", inDecades(expectedCurve()), decades());
    frame.channel("expected_decades", kFine).form = p_.pure() ? 0 : 1;
  }
  if (frame.wants("fit")) curve("fit", inSingle(fittedCurve()), high(place::kMass));
  if (frame.wants("fit_decades")) curve("fit_decades", inDecades(fittedCurve()), decades());
  for (const auto& [key, sign] : {std::pair{"more", 1.0}, std::pair{"less", -1.0}}) {
    if (!frame.wants(key)) continue;
    // √n of a bin of which so many are expected, and without a closed form are fitted.
    std::vector<double> band = p_.pure() ? expectedCurve() : fittedCurve();
    for (double& each : band) each = n > 0 ? std::max(0.0, each + sign * std::sqrt(each * scale)) : NAN;
    curve(key, inSingle(band), high(place::kMass));
  }
  if (frame.wants("made_exact")) {
    const double step = (p_.mass_high - p_.mass_low) / kFine;
    const std::vector<double> exact =
        p_.resonance() ? madeShares(p_, edgesAround(p_)) : std::vector<double>(kFine, NAN);
    curve("made_exact", inSingle(exact, 1 / step), high(place::kMadeMass));
  }
  if (frame.wants("pulls")) {
    std::vector<float> pulls(static_cast<std::size_t>(p_.bins), NAN);
    const FitResult& fit = fitted();
    for (std::size_t i = 0; fit.good && i < pulls.size(); ++i) {
      const auto count = static_cast<double>(counted()[place::kMass + i]);
      pulls[i] = static_cast<float>((count - fit.expected[i]) / std::sqrt(std::max(fit.expected[i], 1e-3)));
    }
    channel("pulls", p_.bins, -5, 5).data.upload(pulls);
  }
}

void Histograms::presentSpectra(Frame& frame) {
  const auto n = static_cast<double>(events());
  const double eta = p_.etaAxis(), pi = std::numbers::pi;
  const auto spectrum = [&](const char* key, const char* made_key, int from, int made_from, double low, double high) {
    const double bin = (high - low) / place::kBins, scale = n > 0 ? 1 / (n * bin) : 0;
    const auto channel = [&](const char* name, int width) -> Channel& {
      Channel& made = frame.channel(name, width);
      made.x_min = low;
      made.x_max = high;
      made.low = 0;
      const double most = made_from < 0 ? pilotHigh(from, place::kBins)
                                        : std::max(pilotHigh(from, place::kBins), pilotHigh(made_from, place::kBins));
      made.high = 1.25 * most / bin;
      return made;
    };
    if (frame.wants(key)) {
      Channel& bars = channel(key, place::kBins);
      copyCounts(*device_, counts_.data() + from, static_cast<float>(scale), false, bars.data.data(), place::kBins);
    }
    if (!frame.wants(made_key)) return;
    Channel& line = channel(made_key, 2 * place::kBins);
    if (made_from >= 0) {
      copyLine(*device_, counts_.data() + made_from, static_cast<float>(scale), line.data.data(), line.data.size());
      return;
    }
    // φ is even: two leptons of each pair over the whole turn.
    const double share = p_.pure() ? foundShare(p_, expected().acceptance) * oppositeShare(p_) : NAN;
    line.data.upload(std::vector<float>(line.data.size(), static_cast<float>(2 * share / (2 * pi))));
  };
  spectrum("pt", "made_pt", place::kPt, place::kMadePt, 0, p_.pt_high);
  spectrum("eta", "made_eta", place::kEta, place::kMadeEta, -eta, eta);
  spectrum("phi", "phi_exact", place::kPhi, -1, -pi, pi);
}

void Histograms::presentPlanes(Frame& frame) {
  const auto n = static_cast<double>(events());
  constexpr int kCells = place::kCells;
  const auto plane = [&](const char* key, int from, double x_min, double x_max, double y_min, double y_max,
                         int beyond) {
    if (!frame.wants(key)) return;
    Channel& made = frame.channel(key, kCells, kCells);
    made.x_min = x_min;
    made.x_max = x_max;
    made.y_min = y_min;
    made.y_max = y_max;
    made.low = beyond > 0 ? 0 : 1e-3;
    made.high = 1;
    const double scale = n > 0 ? 1 / (n * pilotPeak(from)) : 0;
    copyPlane(*device_, counts_.data() + from, static_cast<float>(scale), kCells, beyond, made.data.data(),
              made.data.size());
  };
  const double pi = std::numbers::pi, eta = p_.etaAxis();
  plane("momenta", place::kMomenta, 0, p_.pt_high, 0, p_.pt_high, 0);
  // Cells that lie wholly beyond the largest |η|.
  const double reach = 0.5 * kCells * (1 - p_.eta_max / eta);
  plane("map", place::kMap, -eta, eta, -pi, pi, static_cast<int>(reach));
}

void Histograms::presentNewest(Frame& frame) {
  if (!frame.wants("leptons") && !frame.wants("lepton_pt")) return;
  const std::uint64_t now = events(), before = eventsAfter(std::max<std::int64_t>(steps_ - 1, 0));
  std::uint64_t first = before, batch = now - before;
  if (batch == 0 && now > 0) {  // the file has ended: its last ones
    batch = std::min<std::uint64_t>(now, static_cast<std::uint64_t>(p_.events_per_step));
    first = now - batch;
  }
  const std::size_t shown = std::min<std::size_t>(std::max<std::uint64_t>(batch, 1), kMostShown);
  const std::uint64_t every = batch == 0 ? 1 : (batch - 1) / shown + 1;
  const std::size_t count = batch == 0 ? 0 : (batch - 1) / every + 1, points = 2 * std::max<std::size_t>(count, 1);
  const auto shape = [&](Channel& made) {
    made.x_min = -p_.etaAxis();
    made.x_max = p_.etaAxis();
    made.y_min = -std::numbers::pi;
    made.y_max = std::numbers::pi;
    made.every = static_cast<int>(every);
    made.of = static_cast<std::int64_t>(2 * batch);
  };
  // One of them alone is made by the same loop: the other goes nowhere.
  compute::Buffer<float> unused_points, unused_values;
  float *at = nullptr, *values = nullptr;
  if (frame.wants("leptons")) {
    Channel& made = frame.channel("leptons", static_cast<int>(points), 1, 4);
    shape(made);
    at = made.data.data();
  } else {
    unused_points = {device_, 4 * points};
    at = unused_points.data();
  }
  if (frame.wants("lepton_pt")) {
    Channel& made = frame.channel("lepton_pt", static_cast<int>(points));
    shape(made);
    made.low = 0;
    made.high = p_.pt_high;
    values = made.data.data();
  } else {
    unused_values = {device_, points};
    values = unused_values.data();
  }
  if (count == 0) return copyNothing(*device_, at, values, points);
  showEvents(device_, sourceOf(), selectionOf(p_), first, every, count, at, values);
}

void Histograms::present(Frame& frame) {
  presentMasses(frame);
  presentSpectra(frame);
  presentPlanes(frame);
  presentNewest(frame);
}

}  // namespace simscope::histograms
