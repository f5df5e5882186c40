#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sims/histograms/histograms.h"

namespace simscope::histograms {

void Histograms::diagnostics(std::span<double> values) {
  std::vector<double> all(static_cast<std::size_t>(Diagnostic::Count), NAN);
  const auto set = [&](Diagnostic which, double value) { all[static_cast<std::size_t>(which)] = value; };
  const std::vector<std::uint64_t>& counts = counted();
  const auto n = static_cast<double>(events());
  const auto pairs = static_cast<double>(counts[place::kOpposite]), same = static_cast<double>(counts[place::kEqual]);
  set(Diagnostic::Events, n);
  set(Diagnostic::Pairs, pairs);
  set(Diagnostic::SameSign, same);
  set(Diagnostic::More, static_cast<double>(counts[place::kWithMore]));
  const auto sum = [&](int from, int count) {
    return static_cast<double>(std::accumulate(counts.begin() + from, counts.begin() + from + count, std::uint64_t{0}));
  };
  const auto below = static_cast<double>(counts[place::kBelow]);
  set(Diagnostic::Below, below);
  set(Diagnostic::Above, pairs - sum(place::kMass, p_.bins) - below);
  set(Diagnostic::SameSignOff, same - sum(place::kSameSign, p_.bins));
  set(Diagnostic::PtAbove, 2 * pairs - sum(place::kPt, place::kBins));
  if (n > 0) set(Diagnostic::Efficiency, (pairs + same) / n);
  if (pairs + same > 0) set(Diagnostic::SameSignShare, same / (pairs + same));
  if (p_.pure()) {
    const double found = foundShare(p_, expected().acceptance);
    set(Diagnostic::EfficiencyExact, n > 0 ? found : NAN);
    // The integration's own error counts, too; see README.md.
    constexpr double kIntegration = 3e-4;
    const double error = std::sqrt(found * (1 - found) / n + kIntegration * kIntegration * found * found);
    if (n > 0 && found > 0) set(Diagnostic::EfficiencyPull, ((pairs + same) / n - found) / error);
    if (pairs + same > 0) set(Diagnostic::SameSignExact, 1 - oppositeShare(p_));
  }
  const FitResult& fit = fitted();
  if (fit.good) {
    const auto fittedValue = [&](Diagnostic value, const Fitted& of, double scale, double exact) {
      if (!(of.error > 0)) return;
      const auto at = static_cast<std::size_t>(value);  // value, error, exact, pull follow each other
      all[at] = of.value * scale;
      all[at + 1] = of.error * scale;
      if (!p_.pure() || (p_.background_fraction > 0 && !p_.fit_background)) return;
      all[at + 2] = exact;
      all[at + 3] = (of.value * scale - exact) / (of.error * scale);
    };
    fittedValue(Diagnostic::Mass, fit.mass, 1, p_.mass);
    if (p_.fit != FitOf::Resolution) fittedValue(Diagnostic::Width, fit.width, 1, p_.width);
    if (p_.fit != FitOf::Width) {
      fittedValue(Diagnostic::Resolution, fit.stretch, fitParameters().pt_resolution, p_.pt_resolution);
    }
    set(Diagnostic::Resonances, fit.resonances.value);
    set(Diagnostic::Chi2, fit.chi2 / fit.freedom);
    set(Diagnostic::Excess, (fit.chi2 - fit.freedom) / std::sqrt(2.0 * fit.freedom));
  }
  if (p_.resonance() && n >= kFewest) {
    std::vector<double> made, wanted;
    for (std::size_t i = 0; i < static_cast<std::size_t>(p_.bins); ++i) {
      made.push_back(static_cast<double>(counts[place::kMadeMass + i]));
      wanted.push_back(n * expected().made[i]);
    }
    int bins = 0;
    const double chi2 = pearson(made, wanted, bins);
    if (bins > 0) set(Diagnostic::MadeExcess, (chi2 - bins) / std::sqrt(2.0 * bins));
  }
  std::copy(all.begin(), all.end(), values.begin());
}

// Of a file: pairs that no histogram shows, and a unit of its momenta that would explain it.
void Histograms::addOffAxis(std::span<const double> values, std::vector<Finding>& findings) const {
  const auto value = [&](Diagnostic which) { return values[static_cast<std::size_t>(which)]; };
  const double pairs = value(Diagnostic::Pairs), off = value(Diagnostic::Below) + value(Diagnostic::Above);
  const bool none = pairs + value(Diagnostic::SameSign) == 0;
  if (!(value(Diagnostic::Events) > 0) || !(none || off > 0.5 * pairs)) return;
  std::string unit;
  for (const auto& [name, factor] : {std::pair{"MeV", 1e-3}, {"TeV", 1e3}, {"keV", 1e-6}, {"eV", 1e-9}}) {
    const double mass = data_->mass * factor;
    if (mass >= p_.mass_low && mass < p_.mass_high) {
      unit = fmt::format(" Its momenta may be in {}: multiply pt by {:g}.", name, factor);
    }
  }
  const std::string typical =
      std::isnan(data_->mass) ? "" : fmt::format(" The file's pairs have masses of about {:.3g} GeV.", data_->mass);
  if (none) {
    findings.push_back({Finding::Level::Warning, "no_pairs",
                        "No event so far has two leptons within the cuts." + typical + unit, "", ""});
    return;
  }
  Finding found{off < pairs ? Finding::Level::Note : Finding::Level::Warning,
                off < pairs ? "pairs_off_axis" : "no_pair_in_range",
                fmt::format("{:.0f} of {:.0f} pairs have a mass below {:g} GeV, and {:.0f} one of {:g} GeV or more: no "
                            "histogram of masses shows them.",
                            value(Diagnostic::Below), pairs, p_.mass_low, value(Diagnostic::Above), p_.mass_high) +
                    typical + unit,
                "", ""};
  constexpr double kLeast = 0.1, kMost = 2000;  // of mass_low and mass_high
  if (unit.empty() && data_->mass >= p_.mass_high && 2 * data_->mass <= kMost) {
    found.key = "mass_high", found.value = fmt::format("{:.3g}", 2 * data_->mass);
  } else if (unit.empty() && data_->mass < p_.mass_low && data_->mass / 2 >= kLeast) {
    found.key = "mass_low", found.value = fmt::format("{:.3g}", data_->mass / 2);
  }
  findings.push_back(std::move(found));
}

std::vector<Finding> Histograms::check(std::span<const double> values) const {
  const auto value = [&](Diagnostic which) { return values[static_cast<std::size_t>(which)]; };
  std::vector<Finding> findings;
  const double mass = p_.resonance() ? p_.mass : 0.5 * (p_.mass_low + p_.mass_high);
  const double resolution = mass * p_.pt_resolution / std::sqrt(2.0);
  if (p_.process != Process::Higgs) {
    if (p_.fit != FitOf::Resolution && resolution > 3 * p_.width) {
      findings.push_back({Finding::Level::Warning, "width_hidden",
                          fmt::format("The detector spreads masses by {:.3g} GeV, far more than the width of {:.3g} "
                                      "GeV. Keep the width fixed, and fit the resolution.",
                                      resolution, p_.width),
                          "fit", "resolution"});
    }
    if (!p_.fit_background && (value(Diagnostic::Excess) > 8 || (p_.resonance() && p_.background_fraction > 0))) {
      findings.push_back({Finding::Level::Warning, "background_not_fitted",
                          "The fit does not include the background, so its results are biased.", "fit_background",
                          "on"});
    }
    if (p_.resonance() && expected_) {
      const Response at = expected_->acceptance.at(p_.mass);
      constexpr double kShare = 0.1;  // of the variance
      const bool seen = p_.mass * std::sqrt(at.angles) > 0.05 * std::max(p_.width, p_.binWidth());
      if (seen && at.angles > kShare * at.variance) {
        const double pt = at.variance - at.angles, least = std::max(0.5 * kShare * pt, 1e-10);
        findings.push_back({Finding::Level::Warning, "angles_coarse",
                            "The errors of the angles are not small compared with those of pt. The expected spectrum "
                            "treats their effect on the mass as a normal error, which is inaccurate.",
                            "angular_resolution",
                            fmt::format("{:.2g}", p_.angular_resolution * std::sqrt(least / at.angles))});
      }
    }
    if (p_.resonance() && !p_.pure()) {
      findings.push_back({Finding::Level::Note, "pairs_by_chance",
                          "Pairs of unrelated leptons lie under the peak. The fit's background is only an "
                          "approximation, so no exact values are given.",
                          "", ""});
    }
  }
  if (data_) addOffAxis(values, findings);
  if (data_ && events() == data_->events) {
    findings.push_back({Finding::Level::Note, "file_counted",
                        fmt::format("All events of the file are counted: {}.", data_->events), "", ""});
  }
  return findings;
}

}  // namespace simscope::histograms
