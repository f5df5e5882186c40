// Typed potentials against closed forms and against the potentials that have names, on the CPU backend.
#include "sims/tunneling/typed_potential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sims/tunneling/batch.h"
#include "sims/tunneling/testing.h"
#include "sims/tunneling/validity.h"

namespace simscope::tunneling {
namespace {

using ::testing::HasSubstr;
using tests::Changes;
using tests::psiOf;
using tests::relativeDifference;
using tests::start;

Changes typedAs(const std::string& formula, Changes changes = {}) {
  changes.insert(changes.begin(), {{"potential", "formula"}, {"formula", formula}});
  return changes;
}
std::shared_ptr<const TypedPotential> typed(const std::string& formula, const Changes& changes = {}) {
  return typedOf(tests::parametersWith(typedAs(formula, changes)));
}
std::string refusalOf(const std::string& formula) {
  try {
    typed(formula);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

struct NamedPotential {
  const char* formula;
  Changes changes;
};
// Edges on samples, between them, and at thirds of a cell.
const std::vector<NamedPotential>& namedPotentials() {
  static const std::vector<NamedPotential> all = {
      {"abs(x) < 5 ? 1.5 : 0", {}},
      {"abs(x) < 1.0123 ? 2.5 : 0", {{"barrier_width", "2.0246"}, {"barrier_height", "2.5"}}},
      {"-1.5*(abs(x) <= 5)", {{"potential", "well"}}},
      {"x >= 0 ? 1.5 : 0", {{"potential", "step"}}},
      {"abs(x) > 5 && abs(x) < 7.71 ? 1.5 : 0", {{"potential", "double_barrier"}, {"barrier_width", "2.71"}}},
      {"0.5*(x/50)^2", {{"potential", "harmonic"}}},
      {"0", {{"potential", "none"}}},
  };
  return all;
}

TEST(TypedPotential, SaidAsAFormulaANamedPotentialHasTheSameSamplesEdgesAndTransmission) {
  for (const auto& [formula, changes] : namedPotentials()) {
    const Parameters p = tests::parametersWith(changes),
                     q = tests::parametersWith(typedAs(formula, {{"barrier_width", "3"}}));
    const auto made = typedOf(q);
    for (int i = 1; i < made->grid.points; ++i) {  // a step's first cell reaches round the edge
      ASSERT_NEAR(made->samples[static_cast<std::size_t>(i)], potentialAt(p, made->grid.x(i)), 1e-6)
          << formula << ", " << i;
    }
    EXPECT_NEAR(made->edges.left, edgesOf(p).left, 1e-6) << formula;
    EXPECT_NEAR(made->edges.right, edgesOf(p).right, 1e-6) << formula;
    EXPECT_EQ(made->jumps, p.potential != Potential::Harmonic && p.potential != Potential::None) << formula;
    const double exact = packetTransmission(p), found = packetTransmission(q, made.get());
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(found)) << formula;
    } else {
      EXPECT_NEAR(found, exact, 1e-6) << formula;
    }
    for (const char* const from_right : {"", "yes"}) {
      if (p.potential == Potential::Harmonic) break;
      EXPECT_NEAR(planeWaveTransmission(q, 2, *from_right, made.get()), planeWaveTransmission(p, 2, *from_right), 1e-6)
          << formula;
    }
  }
}

// V = -λ(λ+1)/2 sech²x reflects nothing for a whole λ; of a barrier V₀ sech²(x/a), of 1/(1 + exp(-x/a)) and others L.
// D. Landau and E. M. Lifshitz, Quantum Mechanics, §25, have T.
TEST(TypedPotential, PlaneWavesCrossSmoothPotentialsAsTheClosedFormsSayTo1e6) {
  for (const double k : {0.2, 0.7, 1.5, 3.0}) {
    const auto crossing = [&](const std::string& formula) {
      const Parameters p = tests::parametersWith(typedAs(formula));
      const auto made = typedOf(p);
      EXPECT_TRUE(made->flat) << formula;
      EXPECT_FALSE(made->jumps) << formula;
      return planeWaveTransmission(p, k, false, made.get());
    };
    EXPECT_NEAR(crossing("-1/cosh(x)^2"), 1, 1e-6) << k;
    EXPECT_NEAR(crossing("-3/cosh(x)^2"), 1, 1e-6) << k;
    const auto poschlTeller = [&](double v, double a) {
      const double s = std::pow(std::sinh(kPi * k * a), 2), u = 8 * v * a * a - 1;
      const double c = u > 0 ? std::cosh(0.5 * kPi * std::sqrt(u)) : std::cos(0.5 * kPi * std::sqrt(-u));
      return s / (s + c * c);
    };
    EXPECT_NEAR(crossing("1.2/cosh(x/1.5)^2"), poschlTeller(1.2, 1.5), 1e-6) << k;
    EXPECT_NEAR(crossing("-0.7/cosh(x)^2"), poschlTeller(-0.7, 1), 1e-6) << k;
    EXPECT_NEAR(crossing("2 + 1.2/cosh((x - 3)/1.5)^2"), poschlTeller(1.2, 1.5), 1e-6) << k << ", lifted and moved";
    const double up = std::sqrt(k * k + 2 * 0.8), a = 0.6;  // down a smooth step of 0.8
    const double reflected = std::pow(std::sinh(kPi * a * (up - k)) / std::sinh(kPi * a * (up + k)), 2);
    EXPECT_NEAR(crossing("-0.8/(1 + exp(-x/0.6))"), 1 - reflected, 1e-6) << k;
  }
}

// Rectangular barriers' closed form, averaged over the packet's momenta.
TEST(TypedPotential, WallsThinnerThanACellAreFoundWhereverTheyStand) {
  struct Thin {
    const char* formula;
    const char* length;
    double width, transmission;
  };
  for (const auto& [formula, length, width, transmission] :
       {Thin{"abs(x-3.05)<0.04 ? 5 : 0", "200", 0.08, NAN}, Thin{"abs(x-3.05)<0.02 ? 5 : 0", "200", 0.04, 0.98999},
        Thin{"abs(x-3.05)<0.01 ? 5 : 0", "200", 0.02, 0.99749}, Thin{"abs(x)<0.03 ? 5 : 0", "800", 0.06, 0.97768},
        Thin{"abs(x-3.05)<0.03 ? 5 : 0", "800", 0.06, 0.97768}, Thin{"x>3.04 && x<3.06 ? 5 : 0", "200", 0.02, 0.99749},
        Thin{"5*(heaviside(x-3.04) - heaviside(x-3.06))", "200", 0.02, 0.99749},
        Thin{"floor(50*x) == 152 ? 5 : 0", "200", 0.02, 0.99749}}) {
    const Parameters p = tests::parametersWith(
        typedAs(formula, {{"packet_momentum", "2"}, {"packet_width", "5"}, {"domain_length", length}}));
    const auto typed = typedOf(p);
    EXPECT_TRUE(typed->jumps) << formula;
    EXPECT_NEAR(typed->narrowest, width, 1e-6) << formula;
    EXPECT_NEAR(typed->edges.right - typed->edges.left, width, 1e-6) << formula;
    double area = 0;
    for (const double v : typed->samples) area += v * typed->grid.dx;
    EXPECT_NEAR(area, 5 * width, 1e-5) << formula;
    if (!std::isnan(transmission)) {
      EXPECT_NEAR(packetTransmission(p, typed.get()), transmission, 1e-5) << formula;
    }
  }
  const Parameters tall = tests::parametersWith(typedAs("abs(x-3.05)<0.001 ? 1e60 : 0"));
  EXPECT_THROW(typedOf(tall), UsageError) << "a figure cannot show it";
}

TEST(TypedPotential, SharpResonancesBetweenTypedWallsAreInTheTransmission) {
  const auto transmission = [](const char* formula, const char* momentum, const char* width) {
    const Parameters p =
        tests::parametersWith(typedAs(formula, {{"packet_momentum", momentum}, {"packet_width", width}}));
    return packetTransmission(p, typedOf(p).get());
  };
  EXPECT_NEAR(transmission("abs(x)>2&&abs(x)<3.6 ? 4 : 0", "1.2", "2"), 4.58997793e-4, 1e-9);
  // Two wells between three walls, whose resonances are pairs; the value by the poles and graded sums about them.
  EXPECT_NEAR(transmission("abs(x)<0.6 || (abs(x)>2.6 && abs(x)<3.8) ? 4 : 0", "1.4", "2"), 2.66020656948e-3, 1e-9);
  // Smooth walls: the named double barrier, rounded.
  EXPECT_NEAR(
      transmission("3/(1+exp(-(x+4)/0.05))-3/(1+exp(-(x+3)/0.05))+3/(1+exp(-(x-3)/0.05))-3/(1+exp(-(x-4)/0.05))", "1.3",
                   "3"),
      packetTransmission(tests::parametersWith({{"potential", "double_barrier"},
                                                {"barrier_height", "3"},
                                                {"barrier_width", "1"},
                                                {"barrier_gap", "6"},
                                                {"packet_momentum", "1.3"},
                                                {"packet_width", "3"}})),
      2e-3);
}

TEST(TypedPotential, ItsTransmissionIsWhatCrossesIt) {
  for (const char* const formula : {"1.9*exp(-x^2/4)", "-0.8/(1 + exp(-x/0.6))", "exp(-(x/12)^2)*cos(4*x)"}) {
    for (const bool from_right : {false, true}) {
      Stepper run = start(tests::with(typedAs(formula, {{"precision", "double"},
                                                        {"time_step", "0.02"},
                                                        {"packet_center", from_right ? "50" : "-50"},
                                                        {"packet_momentum", from_right ? "-2" : "2"}})));
      run.step(6500);
      const auto d = run.diagnostics();
      EXPECT_LT(d[kInside], 1e-3) << formula;
      EXPECT_NEAR(d[kTransmission], d[kTransmissionExact], 1e-3) << formula << (from_right ? " from the right" : "");
      EXPECT_NEAR(d[kReflection] + d[kTransmission] + d[kInside], 1, 1e-9);
    }
  }
}

TEST(TypedPotential, ARunIsTheRunOfTheNamedPotential) {
  for (const auto& [formula, changes] : namedPotentials()) {
    if (std::string(formula) == "0.5*(x/50)^2") continue;  // its ends absorb alike, but it is no scattering
    Changes both = {{"precision", "double"}, {"grid_points", "512"}, {"packet_center", "-20"}};
    Changes other = both;
    other.insert(other.end(), changes.begin(), changes.end());
    Stepper run = start(tests::with(typedAs(formula, both))), named = start(tests::with(other));
    run.step(400);
    named.step(400);
    EXPECT_LT(relativeDifference(psiOf(run.save()), psiOf(named.save())), 1e-5) << formula;
    for (const Diagnostic d : {kReflection, kTransmission, kInside, kEnergy}) {
      EXPECT_NEAR(run.diagnostics()[d], named.diagnostics()[d], 1e-5) << formula << ", " << d;
    }
  }
}

TEST(TypedPotential, WhatIsNotFlatAtItsEndsHasNoTransmissionOfItsOwn) {
  for (const char* const formula : {"0.001*x", "0.5*(x/20)^2", "-1/sqrt(x^2 + 1)", "sin(x)"}) {
    const auto made = typed(formula);
    EXPECT_FALSE(made->flat) << formula;
    EXPECT_EQ(made->edges.left, 0) << formula;
    EXPECT_EQ(made->edges.right, 0) << formula;
    Stepper run = start(tests::with(typedAs(formula)));
    EXPECT_TRUE(std::isnan(run.diagnostics()[kTransmissionExact])) << formula;
    EXPECT_NEAR(run.diagnostics()[kReflection], 1, 1e-6) << formula << ": left of 0";
  }
}

TEST(TypedPotential, AFaultIsNamedWithItsColumnOrItsPlace) {
  EXPECT_THAT(refusalOf("x^^2"), HasSubstr("column 3: unexpected '^'; expected a number, x, a function"));
  EXPECT_THAT(refusalOf("2*y"), HasSubstr("one of x, pi"));
  EXPECT_THAT(refusalOf("1/x"), HasSubstr("the value at x = 0"));
  EXPECT_THAT(refusalOf("sqrt(x)"), HasSubstr("the value at x = -100"));
  EXPECT_THAT(refusalOf("1e39*(x > 3)"), HasSubstr("the value at x = 3.")) << "more than a figure can show";
  EXPECT_EQ(refusalOf("1/sqrt(x^2 + 0.01)"), "");
}

TEST(TypedPotential, AFaultyFormulaLeavesTheRunAsItWas) {
  const ParameterSet sound = tests::with(typedAs("exp(-x^2)", {{"grid_points", "256"}}));
  Stepper run = start(sound), untouched = start(sound);
  run.step(5);
  for (const char* bad : {"x^", "1/x", "foo"}) {
    EXPECT_EQ(simscope::tests::refusedParameter([&] {
                run.configure(tests::with({{"formula", bad}}, sound));
              }),
              "formula");
    EXPECT_EQ(run.simulation().parameters(), sound);
  }
  run.step(5);
  untouched.step(10);
  EXPECT_EQ(run.save().find("psi")->bytes, untouched.save().find("psi")->bytes);
  // One that is not in use may be anything.
  Stepper other = start(tests::with({{"formula", "nonsense"}, {"grid_points", "256"}}));
  EXPECT_EQ(simscope::tests::refusedParameter([&] {
              other.configure(tests::with({{"potential", "formula"}}, other.simulation().parameters()));
            }),
            "formula");
}

TEST(TypedPotential, ALiveChangeOfTheFormulaIsTheNextStepsPotential) {
  const ParameterSet first = tests::with(typedAs("exp(-x^2)", {{"grid_points", "256"}, {"packet_center", "-8"}}));
  Stepper run = start(first);
  run.step(50);
  EXPECT_FALSE(std::isnan(run.diagnostics()[kEnergyDrift]));
  run.configure(tests::with({{"formula", "2*exp(-x^2)"}}, first));
  EXPECT_TRUE(std::isnan(run.diagnostics()[kEnergyDrift])) << "another potential, another energy";
  EXPECT_NEAR(run.diagnostics()[kTransmissionExact],
              packetTransmission(binding().read(run.simulation().parameters()), typed("2*exp(-x^2)").get()), 1e-4);
  Frame frame;
  run.present(frame);
  EXPECT_NEAR(frame.find("potential")->data.toHost()[128], 2, 1e-6);
}

TEST(TypedPotential, RunsOfABatchThatTypeDifferentlyAreTheSingleRuns) {
  std::vector<ParameterSet> runs;
  for (const char* const formula : {"exp(-x^2)", "exp(-x^2)", "x > 0 ? 1 : 0"}) {
    runs.push_back(tests::with(typedAs(formula, {{"grid_points", "256"}, {"packet_center", "-20"}})));
  }
  const auto batch = createBatch(tests::cpu(), runs, 1);
  batch->step(200);
  std::vector<double> values(runs.size() * kDiagnosticCount);
  batch->diagnostics(values);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Stepper single = start(runs[i]);
    single.step(200);
    EXPECT_EQ(single.save().find("psi")->bytes, batch->stateArray(i)) << i;
    for (std::size_t d = 0; d < kDiagnosticCount; ++d) {
      const double expected = single.diagnostics()[d], got = values[i * kDiagnosticCount + d];
      EXPECT_TRUE(got == expected || (std::isnan(got) && std::isnan(expected))) << description().diagnostics[d].key;
    }
  }
  runs.back().setText("formula", "1/x");
  EXPECT_EQ(simscope::tests::refusedParameter([&] { createBatch(tests::cpu(), runs, 1); }), "formula");
}

struct TypedAilment {
  const char* code;
  const char* formula;
  Changes changes;
};

TEST(TypedPotential, EveryFindingAppearsAndItsCureRemovesIt) {
  for (const TypedAilment& each :
       {TypedAilment{"packet_touches_potential", "exp(-((x + 40)/5)^2)", {}},
        {"packet_touches_potential", "x > -30 && x < 10 ? 1 : 0", {{"packet_center", "-45"}}},
        {"momentum_beyond_nyquist", "-2000/cosh(x)^2", {}},
        {"potential_unresolved", "exp(-(x/0.1)^2)", {}},
        {"potential_unresolved", "cos(20*x)", {}},
        {"potential_unresolved", "abs(x) < 0.1 ? 3 : 0", {}},
        {"time_step_potential", "abs(x) < 1 ? 400 : 0", {}},
        {"time_step_kinetic", "exp(-x^2)", {{"packet_momentum", "30"}, {"time_step", "0.01"}}},
        {"splitting_feeds_high_momenta", "x > 0 ? 1 : 0", {{"time_step", "0.05"}}}}) {
    const ParameterSet ill = tests::with(typedAs(each.formula, each.changes));
    const auto found = [&](const ParameterSet& set) {
      const Parameters p = binding().read(set);
      for (const Finding& finding : findingsFor(p, {}, typedOf(p).get())) {
        if (finding.code == each.code) return finding;
      }
      return Finding{};
    };
    const Finding finding = found(ill);
    ASSERT_EQ(finding.code, each.code) << each.formula;
    ASSERT_FALSE(finding.key.empty()) << each.formula;
    ParameterSet cured = ill;
    ASSERT_NO_THROW(cured.setText(finding.key, finding.value)) << each.code;
    EXPECT_EQ(found(cured).code, "") << each.formula << ": " << finding.key << "=" << finding.value;
  }
  // A wall far above what the packet reaches, and a slope that it never climbs, ask for nothing.
  const Parameters calm =
      tests::parametersWith(typedAs("0.5*(x/20)^2", {{"packet_momentum", "0.5"}, {"packet_center", "-10"}}));
  EXPECT_TRUE(findingsFor(calm, {}, typedOf(calm).get()).empty());
}

}  // namespace
}  // namespace simscope::tunneling
