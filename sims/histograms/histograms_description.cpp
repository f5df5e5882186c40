#include <fmt/format.h>

#include <algorithm>

#include "sims/histograms/counting.h"
#include "sims/histograms/histograms.h"

namespace simscope::histograms {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

Relevance ofResonance() {
  return when("process", {"resonance"});
}
Relevance ofFit() {
  return unless("process", {"higgs"});
}
Relevance ofWidth() {
  return ofFit() && when("fit", {"width", "both"});
}
Relevance ofResolution() {
  return ofFit() && when("fit", {"resolution", "both"});
}

void validate(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  if (p.mass_high < 1.01 * p.mass_low) {
    throw ParameterError("mass_high", fmt::format("mass_high: {:g} is not above mass_low = {:g}; choose {:g} or more",
                                                  p.mass_high, p.mass_low, 1.01 * p.mass_low));
  }
  if (p.process == Process::File && p.data_file.empty()) {
    throw ParameterError("data_file",
                         "data_file: process = file needs a table; drop a .npy, .npz, or .csv file on the window, or "
                         "choose another process");
  }
  if (p.process == Process::Higgs && p.higgs_mass < 1.1 * p.mass) {
    throw ParameterError("higgs_mass", fmt::format("higgs_mass: {:g} is too small for mass = {:g}; choose {:g} or more",
                                                   p.higgs_mass, p.mass, 1.1 * p.mass));
  }
}

double memory(const ParameterSet& parameters, compute::Backend) {
  // Three frames, the newest leptons by far the most of them; counts, of each thread, too; and what save() makes of
  // them.
  const double newest = 2 * std::min(parameters.real("events_per_step"), static_cast<double>(kMostShown));
  constexpr double kCurves = 5 * place::kMostBins + 8 * 480 + 9 * place::kBins,
                   kPlanes = 2 * place::kCells * place::kCells;
  constexpr double kThreads = 64;
  return 3 * sizeof(float) * (5 * newest + kCurves + kPlanes) + (6 * 8 + kThreads * 4) * place::kPlaces;
}

Preset preset(const char* key, const char* title, const char* summary, Changes changes, const char* view) {
  return {key, title, summary, std::move(changes), {}, 1, 200, view};
}

std::vector<Preset> presets() {
  const Changes jpsi{{"mass", "3.0969"},       {"width", "9.26e-05"},
                     {"boson_pt", "7"},        {"decay", "isotropic"},
                     {"rapidity", "2.4"},      {"pt_min", "3"},
                     {"lead_pt", "4"},         {"pt_high", "25"},
                     {"mass_low", "2.7"},      {"mass_high", "3.5"},
                     {"fit", "resolution"},    {"angular_resolution", "0.0001"},
                     {"fit_background", "on"}, {"background_fraction", "0.5"},
                     {"background_scale", "1"}};
  const Changes chance{{"background_fraction", "0.4"},
                       {"background", "uncorrelated"},
                       {"background_scale", "25"},
                       {"extra_leptons", "0.3"},
                       {"fit_background", "on"}};
  const Changes higgs{{"process", "higgs"}, {"boson_pt", "20"},   {"pt_min", "7"},  {"lead_pt", "7"},
                      {"mass_low", "10"},   {"mass_high", "130"}, {"pt_high", "80"}};
  std::vector<Preset> all = {
      preset("z_mumu", "Z → μμ", "The peak of the Z: its mass and width from four million events", {}, "overview"),
      preset("z_ee", "Z → ee",
             "Electrons: fewer are detected, with larger errors, and one charge in a hundred is wrong",
             {{"pt_resolution", "0.025"}, {"efficiency", "0.8"}, {"charge_flip", "0.01"}}, "overview"),
      preset("background", "Over a background", "A third of the events are background with a falling mass spectrum",
             {{"background_fraction", "0.35"}, {"fit_background", "on"}}, "overview"),
      preset("bad_resolution", "Bad resolution",
             "The detector's errors determine the width of the peak; the fit measures them",
             {{"pt_resolution", "0.08"}, {"fit", "resolution"}, {"mass_low", "50"}, {"mass_high", "140"}}, "overview"),
      preset("low_statistics", "Few events", "Twenty events per step show how the relative error √n/n decreases",
             {{"events_per_step", "20"}, {"bins", "60"}}, "overview"),
      preset("charge_flip", "Wrong charges", "One charge in twenty is wrong, which gives pairs of equal charges",
             {{"charge_flip", "0.05"}}, "mass_decades"),
      preset("jpsi", "J/ψ → μμ", "A resonance far narrower than the detector's resolution, over a background", jpsi,
             "overview"),
      preset("by_chance", "Pairs by chance", "Unrelated leptons, three or four in an event", chance, "overview"),
      preset("documents", "As in the documents", "The pair of largest mass from H → ZZ → 4ℓ in each event", higgs,
             "shapes"),
      preset("hundred_million", "Hundred million",
             "For large GPUs: a million events per step, hundreds of millions in all",
             {{"events_per_step", "1048576"}, {"bins", "240"}}, "overview")};
  all.back().steps_per_frame = 4;
  all.back().frames = 100;
  return all;
}

// In the order of Diagnostic.
std::vector<DiagnosticInfo> diagnosticInfos() {
  constexpr double kPull = 5, kExcess = 6;
  const Relevance z = ofResonance(), width = ofWidth(), resolution = ofResolution();
  return {
      {"events", "Events", "", "So far; of a file, those that it has"},
      {"pairs", "Pairs", "", "Number of events with a pair of opposite charges"},
      {"same_sign", "Equal charges", "", "Events that have pairs of equal charges only"},
      {"more", "Three or more", "", "Events with at least three leptons within the cuts"},
      {"efficiency", "Efficiency", "", "Share of events with a pair of any charges", kPlotted},
      {"efficiency_exact", "Efficiency, exact", "", "Integrated, without random numbers", kPlotted,
       exactOf("efficiency", 0.05, z)},
      {"efficiency_pull", "Efficiency, pull", "", "Measured minus exact, in standard deviations", kListed,
       within(kPull, z)},
      {"same_sign_share", "Equal charges, share", "", "Share of all pairs"},
      {"same_sign_exact", "Equal charges, exact", "", "2 w (1 - w), where w is the share of wrong charges", kPlotted,
       exactOf("same_sign_share", 0.05, z)},
      {"mass", "Mass", "GeV", "Fitted", kPlotted, ofFit()},
      {"mass_error", "Mass, error", "GeV", "Standard deviation", kListed, ofFit()},
      {"mass_exact", "Mass, exact", "GeV", "Value used to generate the events", kPlotted, exactOf("mass", 1, z)},
      {"mass_pull", "Mass, pull", "", "Fitted minus exact, in standard deviations", kListed, within(kPull, z)},
      {"width", "Width", "GeV", "Fitted", kPlotted, width},
      {"width_error", "Width, error", "GeV", "Standard deviation", kListed, width},
      {"width_exact", "Width, exact", "GeV", "Value used to generate the events", kPlotted,
       exactOf("width", 1, z && width)},
      {"width_pull", "Width, pull", "", "Fitted minus exact, in standard deviations", kListed,
       within(kPull, z && width)},
      {"resolution", "Resolution", "", "Standard deviation of ln pt, fitted", kPlotted, resolution},
      {"resolution_error", "Resolution, error", "", "Standard deviation", kListed, resolution},
      {"resolution_exact", "Resolution, exact", "", "Value used to generate the events", kPlotted,
       exactOf("resolution", 0.02, z && resolution)},
      {"resolution_pull", "Resolution, pull", "", "Fitted minus exact, in standard deviations", kListed,
       within(kPull, z && resolution)},
      {"resonances", "Resonances", "", "Fitted number of all resonances generated, detected or not", kListed, ofFit()},
      {"chi2", "χ²/ndf", "", "Of the fit, over bins with at least five expected events", kListed, ofFit()},
      {"excess", "χ² excess", "", "(χ² - ndf)/√(2 ndf) of the fit", kListed, ofFit()},
      {"made_excess", "χ² excess, made", "", "The same for the generated masses, compared with their closed form",
       kListed, within(kExcess, z)},
      {"below", "Below the axis", "", "Pairs of opposite charges with a mass below mass_low"},
      {"above", "Above the axis", "", "Pairs of opposite charges with a mass of mass_high or more"},
      {"same_sign_off", "Equal charges off the axis", "",
       "Pairs of equal charges with a mass below mass_low, or of mass_high or more"},
      {"pt_above", "Leptons above the pt axis", "",
       "Leptons of pairs of opposite charges with a pt of pt_high or more"},
  };
}

TraceInfo bars(const char* channel, const char* title, int colour = 0) {
  return {.channel = channel, .title = title, .style = TraceStyle::Bars, .colour = colour};
}
TraceInfo line(const char* channel, const char* title, int colour, Relevance relevant = {}) {
  return {.channel = channel, .title = title, .colour = colour, .relevant = std::move(relevant)};
}
TraceInfo ghost(const char* channel, const char* title, int colour, Relevance relevant = {}) {
  TraceInfo trace = line(channel, title, colour, std::move(relevant));
  trace.style = TraceStyle::Ghost;
  return trace;
}
TraceInfo expectedTrace(const char* channel) {
  TraceInfo trace = line(channel, "expected", 1, ofResonance());
  trace.forms = {{"expected"}, {"without pairs by chance"}};
  return trace;
}

std::vector<View> views() {
  const AxisInfo mass{"m", "GeV"}, share{"dN/dm / N", "1/GeV"};
  AxisInfo decades{"dN/dm of 10⁶ events", "1/GeV"};
  decades.decades = true;
  const AxisInfo pt{"pt", "GeV"}, eta{"η", ""}, phi{"φ", ""}, filled{"of the peak", ""};
  const auto field = [&](const AxisInfo& x, const AxisInfo& y, const char* channel, const char* colormap,
                         FieldScale scale) {
    FieldView view{x, y, filled, channel};
    view.scale = scale;
    view.colormap = colormap;
    view.absent = "beyond the cut";
    return view;
  };
  ScatterView newest{eta, phi, pt, "leptons", "lepton_pt"};
  newest.scale = FieldScale::Gamma;
  newest.equal_lengths = true;
  return {
      {"overview", "Mass, pulls, momenta",
       LinkedView{{{"mass", 0, 0, 0.58, 0.7},
                   {"pulls", 0, 0.7, 0.58, 0.3},
                   {"pt", 0.58, 0, 0.42, 0.45},
                   {"momenta", 0.58, 0.45, 0.42, 0.55}}}},
      {"shapes", "Mass, momenta, directions",
       LinkedView{{{"mass", 0, 0, 0.55, 0.5},
                   {"pt", 0, 0.5, 0.55, 0.5},
                   {"momenta", 0.55, 0, 0.45, 0.5},
                   {"map", 0.55, 0.5, 0.45, 0.5}}}},
      {"mass", "Mass of the pair",
       CurveView{mass,
                 share,
                 {},
                 {bars("mass", "opposite charges"), ghost("more", "+ √n", 3, ofFit()),
                  ghost("less", "- √n", 3, ofFit()), expectedTrace("expected"), line("fit", "fit", 2, ofFit())}}},
      {"mass_decades", "Mass, logarithmic",
       CurveView{mass,
                 decades,
                 {},
                 {bars("mass_decades", "opposite charges"), bars("same_sign_decades", "equal charges", 3),
                  expectedTrace("expected_decades"), line("fit_decades", "fit", 2, ofFit())}}},
      {"pulls", "Pulls", CurveView{mass, {"(n - fit)/√fit", ""}, {}, {bars("pulls", "pull")}}},
      {"charges", "Equal charges",
       CurveView{mass, share, {}, {bars("mass", "opposite charges"), bars("same_sign", "equal charges", 3)}}},
      {"made", "Mass as made",
       CurveView{mass, share, {}, {bars("made_mass", "made"), line("made_exact", "closed form", 1, ofResonance())}}},
      {"pt", "Transverse momentum",
       CurveView{pt, {"dN/dpt / N", "1/GeV"}, {}, {bars("pt", "in pairs"), line("made_pt", "made", 1)}}},
      {"eta", "Pseudorapidity",
       CurveView{eta, {"dN/dη / N", ""}, {}, {bars("eta", "in pairs"), line("made_eta", "made", 1)}}},
      {"phi", "Azimuth",
       CurveView{phi, {"dN/dφ / N", ""}, {}, {bars("phi", "in pairs"), line("phi_exact", "even", 1, ofResonance())}}},
      {"momenta", "pt of both", field({"pt₁", "GeV"}, {"pt₂", "GeV"}, "momenta", "inferno", FieldScale::Log)},
      {"map", "Where leptons go", field(eta, phi, "map", "viridis", FieldScale::Linear)},
      {"newest", "Newest leptons", newest}};
}

}  // namespace

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "histograms";
    d.title = "Events and histograms";
    d.summary = "Z → μμ and similar decays in a detector: cut, count, and fit millions of events, or your own data.";
    d.equation = "m² = 2 pt₁ pt₂ (cosh Δη - cos Δφ)";
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnosticInfos();
    d.views = views();
    d.state_array = "counts";
    d.random = unless("process", {"file"});
    d.time_step = [](const ParameterSet& set) { return set.real("events_per_step"); };
    d.clock = {.symbol = "n", .unit = "events", .counts = true};
    d.parity_tolerance = 1e-15;
    d.parity_steps = 8;
    d.memory = memory;
    d.size_key = "events_per_step";
    d.validate = validate;
    d.create = create;
    d.decomposition = {.kind = Decomposition::Samples};
    return d;
  }();
  return described;
}

}  // namespace simscope::histograms
