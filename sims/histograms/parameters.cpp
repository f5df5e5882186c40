#include "sims/histograms/parameters.h"

namespace simscope::histograms {
namespace {

Relevance ofResonance() {
  return when("process", {"resonance"});
}
Relevance ofMade() {
  return unless("process", {"file"});
}
Relevance ofFit() {
  return unless("process", {"higgs"});
}
Relevance ofBackground() {
  return ofResonance() && whenAbove("background_fraction", 0);
}

ParameterNotes number(const char* title, const char* unit, double low, double high, Scale scale, const char* group,
                      const char* help, Relevance relevant = {}) {
  return {.title = title,
          .unit = unit,
          .minimum = low,
          .maximum = high,
          .scale = scale,
          .group = group,
          .help = help,
          .relevant = std::move(relevant)};
}

constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;

void bindEvents(Binding<Parameters>& b) {
  using P = Parameters;
  b.choice(&P::process, "process",
           {.title = "Events", .group = "Events", .help = "A resonance decaying into two leptons, H → ZZ, or a file"},
           {{"resonance", "Resonance → ℓℓ"}, {"higgs", "H → ZZ → 4ℓ"}, {"file", "From a file"}});
  b.text(
      &P::data_file, "data_file",
      {.title = "Table",
       .group = "Events",
       .help = ".npy, .npz, or .csv with event, pt, eta, phi, charge; or pt1, eta1, phi1, charge1, pt2, … GeV, radians",
       .text_use = TextUse::DataFile,
       .relevant = when("process", {"file"})});
  b.integer(&P::events_per_step, "events_per_step",
            {.title = "Events a step",
             .minimum = 1,
             .maximum = 1 << 26,
             .applies = Applies::OnReset,
             .scale = kLog,
             .group = "Events",
             .help = "Events generated, or read from the file, per step"});
  b.real(&P::mass, "mass",
         number("Mass M", "GeV", 0.5, 1000, kLog, "Resonance", "Mass of the resonance; Z: 91.1876", ofMade()));
  b.real(&P::width, "width",
         number("Width Γ", "GeV", 1e-5, 50, kLog, "Resonance", "Width of the resonance; Z: 2.4952"));
  b.real(&P::higgs_mass, "higgs_mass",
         number("Higgs mass", "GeV", 60, 1000, kLog, "Resonance", "At least 1.1 times the mass M of the Z",
                when("process", {"higgs"})));
  b.choice(&P::decay, "decay",
           {.title = "Decay",
            .group = "Resonance",
            .help = "Distribution of the angle to the beam, in the rest frame",
            .relevant = ofResonance()},
           {{"isotropic", "Isotropic"}, {"polarised", "1 + cos²θ"}});
  b.real(&P::boson_pt, "boson_pt",
         number("Transverse scale a", "GeV", 0.1, 100, kLog, "Resonance",
                "Transverse momentum of the boson: dN/dp² ∝ (1 + p²/a²)⁻²", ofMade()));
  b.real(&P::rapidity, "rapidity",
         number("Rapidity", "", 0.1, 6, kLinear, "Resonance",
                "The boson's rapidity is uniform from minus this value to this value", ofMade()));
  b.real(&P::background_fraction, "background_fraction",
         number("Background", "", 0, 0.95, kLinear, "Background", "Share of events that do not come from the resonance",
                ofResonance()));
  b.choice(&P::background, "background",
           {.title = "Kind",
            .group = "Background",
            .help = "Pairs with a falling mass spectrum, or two unrelated leptons",
            .relevant = ofBackground()},
           {{"exponential", "Falling masses"}, {"uncorrelated", "Uncorrelated leptons"}});
  ParameterNotes scale =
      number("Scale λ", "GeV", 0.1, 500, kLog, "Background",
             "The mass spectrum falls as exp(-m/λ); for uncorrelated leptons, their mean pt", ofBackground());
  scale.aliases = {{when("background", {"uncorrelated"}), "Mean pt", "GeV"}};
  b.real(&P::background_scale, "background_scale", scale);
  b.real(&P::extra_leptons, "extra_leptons",
         number("More leptons", "", 0, 1, kLinear, "Background",
                "Probability of a third, and likewise of a fourth lepton", ofResonance()));
  b.real(&P::extra_pt, "extra_pt",
         number("Their mean pt", "GeV", 0.5, 100, kLog, "Background", "Mean pt of the third and the fourth lepton",
                ofResonance() && whenAbove("extra_leptons", 0)));
}

void bindDetector(Binding<Parameters>& b) {
  using P = Parameters;
  b.real(&P::pt_resolution, "pt_resolution",
         number("Resolution of pt", "", 0, 0.3, kLinear, "Detector",
                "Standard deviation of ln pt; the fit of the width assumes this value"));
  b.real(&P::angular_resolution, "angular_resolution",
         number("Resolution of η, φ", "", 0, 0.05, kLinear, "Detector", "Standard deviation", ofMade()));
  b.real(&P::efficiency, "efficiency",
         number("Efficiency", "", 0.05, 1, kLinear, "Detector", "Probability that a lepton is detected", ofMade()));
  b.real(&P::charge_flip, "charge_flip",
         number("Wrong charge", "", 0, 0.5, kLinear, "Detector",
                "Probability that a detected lepton has the wrong charge", ofMade()));
  b.real(&P::pt_min, "pt_min", number("Least pt", "GeV", 0, 200, kLinear, "Cuts", "Of each lepton"));
  b.real(&P::lead_pt, "lead_pt",
         number("Least pt of the first", "GeV", 0, 200, kLinear, "Cuts", "Applies to at least one lepton of the pair"));
  b.real(&P::eta_max, "eta_max", number("Largest |η|", "", 0.1, 5, kLinear, "Cuts", "Of each lepton"));
  b.integer(
      &P::bins, "bins",
      {.title = "Bins", .minimum = 20, .maximum = 400, .group = "Histogram", .help = "Number of bins of the mass"});
  b.real(&P::mass_low, "mass_low", number("Masses from", "GeV", 0.1, 900, kLog, "Histogram", "Lower end"));
  b.real(&P::mass_high, "mass_high", number("Masses to", "GeV", 0.2, 2000, kLog, "Histogram", "Upper end"));
  b.real(&P::pt_high, "pt_high", number("pt to", "GeV", 1, 1000, kLog, "Histogram", "Upper end of the pt axes"));
  b.choice(&P::fit, "fit",
           {.title = "Fit",
            .group = "Fit",
            .help = "Fits the mass, and the width (with known resolution), the resolution (with known width), or both",
            .relevant = ofFit()},
           {{"width", "Width"}, {"resolution", "Resolution"}, {"both", "Both"}});
  b.flag(&P::fit_background, "fit_background",
         {.title = "Fit a background",
          .group = "Fit",
          .help = "Also fits exp(-m/λ): its size and slope",
          .relevant = ofFit()});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    bindEvents(b);
    bindDetector(b);
    return b;
  }();
  return bound;
}

}  // namespace simscope::histograms
