#include <fmt/format.h>

#include <cmath>

#include "sims/core/timeline/stepper.h"
#include "sims/monte_carlo_pi/monte_carlo_pi.h"

namespace simscope::monte_carlo_pi {
namespace {

Relevance ofMany() {
  return whenAbove("chains", 1);
}
Relevance ofKnownSpread() {
  return unless("method", {"sobol"});
}
Relevance ofStrata() {
  return unless("method", {"independent"});
}

void validate(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  if (p.inAStep() > kMostInAStep) {
    throw ParameterError("darts_per_step",
                         fmt::format("darts_per_step: {} chains throw at most 2^31 darts per step, that is {:.0f} each",
                                     p.chains, std::floor(kMostInAStep / p.chains)));
  }
}

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const double chains = parameters.real("chains") * sizeof(double);
  // Three frames of darts and curves; on the host save() makes two more arrays, and the watch keeps one.
  const double pictures = 3 * (5.0 * kMostShown + 16 * kRecords) * sizeof(float);
  const double records = kRecords * (sizeof(Sums) + sizeof(Expected) + 4 * sizeof(double));
  const double host = 2 * chains + std::min(chains, static_cast<double>(Stepper::kWatchedBytes));
  return 2 * chains + pictures + 2 * records + (backend == compute::Backend::Cpu ? host : 0);
}

// As many darts that each step adds a share of those that there are: the curves over decades grow evenly.
Track growing(double first, double share, double until) {
  return {"darts_per_step", {{0, first}, {until, first + share * until}}};
}

std::vector<Preset> presets() {
  using Tracks = std::vector<Track>;
  return {{"first_darts",
           "From the first dart",
           "Each step throws a twentieth more darts: decade after decade",
           {},
           Tracks{growing(4, 0.05, 1e7)},
           1,
           240,
           "overview"},
          {"quarter_circle",
           "A million a frame",
           "The error falls as 1/√n: each further digit takes a hundred times as many darts",
           {{"darts_per_step", "1000000"}},
           {},
           1,
           141,
           "overview"},
          {"two_hundred_million",
           "200 million a frame",
           "For a graphics card: 120 billion darts in ten seconds",
           {{"darts_per_step", "200000000"}},
           {},
           1,
           600,
           "overview"},
          {"many_chains",
           "Many chains",
           "The estimates of 4096 runs, and the binomial distribution",
           {{"chains", "4096"}, {"darts_per_step", "1000"}},
           {},
           1,
           141,
           "ensemble"},
          {"antithetic",
           "Antithetic pairs",
           "Each dart is paired with its mirror image: 15 % less spread",
           {{"method", "antithetic"}, {"chains", "1024"}, {"darts_per_step", "1000"}},
           Tracks{growing(8, 0.05, 1e6)},
           1,
           160,
           "ensemble"},
          {"stratified",
           "Stratified",
           "One dart in each cell of a grid that becomes finer: the error falls as n^(−3/4)",
           {{"method", "stratified"}, {"chains", "128"}, {"darts_per_step", "100"}},
           Tracks{growing(4, 0.05, 1e5)},
           1,
           140,
           "strata"},
          {"low_discrepancy",
           "Low discrepancy",
           "Sobol's sequence: also n^(−3/4), because the edge is a circle",
           {{"method", "sobol"}, {"chains", "128"}, {"darts_per_step", "100"}},
           Tracks{growing(4, 0.05, 1e5)},
           1,
           140,
           "strata"}};
}

std::vector<DiagnosticInfo> diagnostics() {
  const Relevance known = ofKnownSpread(), many = ofMany();
  const Relevance binomial = whenAbove("chains", 99) && when("method", {"independent", "antithetic"});
  return {
      {"darts", "Darts", "", "Of all chains"},
      {"hits", "Hits", "", "Sum over all chains, exact"},
      {"estimate", "Estimate of π", "", "4 hits/darts, over all chains", kPlotted},
      {"pi", "π", "", "Exact", kPlotted, exactOf("estimate")},
      {"error", "Error", "", "Estimate minus π"},
      {"sigma", "Expected error σ", "", "Standard deviation of the estimate, exact", kListed, known},
      {"z", "Error in σ", "", "Exceeds 3 in one of 370 runs", kPlotted, within(5, known)},
      {"digits", "Digits", "", "Number of correct digits: −log₁₀ of the relative error", kPlotted},
      {"rms", "Error of a chain", "", "Root mean square over the chains", kListed, many},
      {"rms_exact", "Error of a chain, exact", "", "Standard deviation σₙ", kListed, exactOf("rms", 0, many && known)},
      {"rms_z", "Error of a chain, deviation", "", "Difference from the exact value, in its standard deviations",
       kListed, within(6, many && known)},
      {"chi_square", "χ² of the chains", "",
       "χ² of the histogram against the binomial distribution, minus its mean, divided by its standard deviation",
       kListed, within(6, binomial)}};
}

std::vector<View> views() {
  const AxisInfo darts{.title = "darts n", .decades = true}, error{.title = "error", .decades = true};
  ScatterView square{.x = {"x"},
                     .y = {"y"},
                     .value = {"dart"},
                     .channel = "darts",
                     .value_channel = "hit",
                     .colormap = "coolwarm",
                     .equal_lengths = true};
  square.paths = {{.channel = "arc", .title = "x² + y² = 1", .colour = 1}};
  const TraceInfo estimate{"estimate", "estimate", "", TraceStyle::Line};
  const TraceInfo pi{"pi", "π", "", TraceStyle::Line, "", true, 1};
  const TraceInfo above{"above", "π + band", "", TraceStyle::Ghost, "", true, 2};
  const TraceInfo below{"below", "π − band", "", TraceStyle::Ghost, "", true, 2};
  const TraceInfo first{"error", "one chain", "", TraceStyle::Line};
  const TraceInfo rms{"rms", "rms of all", "", TraceStyle::Line, "", true, 1, {}, ofMany()};
  const TraceInfo law{"law", "law", "", TraceStyle::Line, "", true, 2, {{"σₙ"}, {"n^(−3/4)"}}};
  const TraceInfo plain{"independent", "independent", "", TraceStyle::Ghost, "", true, 3, {}, ofStrata()};
  const TraceInfo bars{"chains", "chains", "", TraceStyle::Bars};
  const TraceInfo expected{"expected", "expected", "", TraceStyle::Line, "", true, 1, {{"binomial"}, {"Gauss"}}};
  const CurveView histogram{{"(estimate − π)/σₙ"}, {"chains"}, {}, {bars, expected}};
  return {
      {"overview", "Darts, estimate, and error",
       LinkedView{{{"darts", 0, 0, 0.52, 1}, {"estimate", 0.52, 0, 0.48, 0.5}, {"convergence", 0.52, 0.5, 0.48, 0.5}}}},
      {"strata", "Darts and error", LinkedView{{{"darts", 0, 0, 0.5, 1}, {"convergence", 0.5, 0, 0.5, 1}}}},
      {"ensemble", "Chains and error", LinkedView{{{"chains", 0, 0, 0.5, 1}, {"convergence", 0.5, 0, 0.5, 1}}}},
      {"darts", "Darts", square},
      {"estimate", "Estimate", CurveView{darts, {"estimate of π"}, {}, {estimate, pi, above, below}}},
      {"convergence", "Error", CurveView{darts, error, {}, {first, rms, law, plain}}},
      {"chains", "Histogram of the chains", histogram}};
}

std::string equationOf(const ParameterSet& parameters) {
  const std::string& method = parameters.text("method");
  if (method == "antithetic") return "π ≈ 4 h/n,  σₙ = 4 √((2p−1)(1−p)/n),  p = π/4";
  if (method == "stratified") return "π ≈ 4 h/n,  σₙ = 4 √(Σ p_c(1−p_c))/n ∝ n^(−3/4) over the cells c";
  if (method == "sobol") return "π ≈ 4 h/n,  error ∝ n^(−3/4)";
  return description().equation;
}

}  // namespace

const Binding<Parameters>& binding() {
  using P = Parameters;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.choice(&P::method, "method",
             {"Method", Applies::OnReset, "Darts",
              "Placement of the darts: at random, in mirrored pairs, one per cell of finer and finer grids, or Sobol's "
              "sequence"},
             {{"independent", "Independent"},
              {"antithetic", "Antithetic"},
              {"stratified", "Stratified"},
              {"sobol", "Sobol"}});
    b.integer(&P::darts_per_step, "darts_per_step",
              {"Darts a step", "", 1, 1e9, Applies::Live, Scale::Log, "Darts",
               "Darts per step of each chain; at most 2^31 in all"});
    b.integer(&P::chains, "chains",
              {"Chains", "", 1, 1 << 20, Applies::OnReset, Scale::Log, "Darts",
               "Independent runs side by side, each with its own darts"});
    b.real(&P::band, "band",
           {"Band", "σ", 0.5, 5, Applies::Live, Scale::Linear, "Picture", "Standard deviations on either side of π"});
    return b;
  }();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "monte_carlo_pi";
    d.title = "π from darts";
    d.summary =
        "Darts at a quarter circle: π from counted hits, the slow decrease of the error, and methods that make it "
        "faster.";
    d.equation = "π ≈ 4 h/n,  σₙ = 4 √(p(1−p)/n),  p = π/4";
    d.equation_of = equationOf;
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnostics();
    d.views = views();
    d.state_array = "hits";
    d.time_step = [](const ParameterSet& set) { return set.real("darts_per_step"); };
    d.clock = {"n", "darts", true};
    d.parity_tolerance = 0;
    d.parity_steps = 20;
    d.memory = memory;
    d.size_key = "chains";
    d.validate = validate;
    d.create = create;
    d.decomposition = {.kind = Decomposition::Samples};
    return d;
  }();
  return described;
}

}  // namespace simscope::monte_carlo_pi
