#include "sims/histograms/event.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sims/histograms/higgs.h"
#include "sims/histograms/pair.h"
#include "sims/histograms/testing.h"

namespace simscope::histograms {
namespace {

constexpr double kTau = 2 * std::numbers::pi;

struct FourVector {
  double e = 0, x = 0, y = 0, z = 0;
  FourVector operator+(const FourVector& o) const { return {e + o.e, x + o.x, y + o.y, z + o.z}; }
  double pt() const { return std::hypot(x, y); }
  double mass() const { return std::sqrt(std::max(0.0, e * e - x * x - y * y - z * z)); }
  double rapidity() const { return 0.5 * std::log((e + z) / (e - z)); }
};
FourVector vectorOf(const Lepton& l) {
  const double pt = l.pt, eta = l.eta, phi = l.phi;
  return {pt * std::cosh(eta), pt * std::cos(phi), pt * std::sin(phi), pt * std::sinh(eta)};
}

TEST(Arithmetic, FunctionsAreTheLibrarysToSinglePrecision) {
  const auto near = [](double value, double exact, double scale = 1) {
    return std::abs(value - exact) <= 3e-7 * std::max(scale, std::abs(exact));
  };
  for (int i = 0; i < 200000; ++i) {
    const std::uint32_t word = wordsOf(1, 0, static_cast<std::uint64_t>(i)).w[0];
    const float u = unitOf(word), wide = std::exp(60 * (u - 0.5f)), angle = 3.1415f * (2 * u - 1);
    ASSERT_GT(u, 0.0f);
    ASSERT_LT(u, 1.0f);
    ASSERT_TRUE(near(logOf(wide), std::log(static_cast<double>(wide)))) << wide;
    ASSERT_TRUE(near(expOf(20 * u - 10), std::exp(static_cast<double>(20 * u - 10)), 0)) << u;
    const Turn turn = turnOf(word);
    ASSERT_TRUE(near(turn.cos, std::cos(kTau * word / 4294967296.0)) &&
                near(turn.sin, std::sin(kTau * word / 4294967296.0)));
    const float steep = 0.4995f * angle;
    ASSERT_NEAR(tanOf(steep), std::tan(static_cast<double>(steep)),
                1e-6 * (1 + std::pow(std::tan(static_cast<double>(steep)), 2)));
    const double s = std::sin(static_cast<double>(2 * angle)), h = std::sinh(static_cast<double>(4 * u - 2));
    ASSERT_TRUE(near(sinSquaredOf(2 * angle), s * s)) << angle;
    ASSERT_NEAR(sinhSquaredOf(4 * u - 2), h * h, 2e-6 * h * h) << u;
    ASSERT_TRUE(near(asinhOf(wide), std::asinh(static_cast<double>(wide))));
    ASSERT_TRUE(near(asinhOf(-u), std::asinh(-static_cast<double>(u))));
    const float x = 3 * std::cos(angle), y = 3 * std::sin(angle);
    ASSERT_TRUE(near(angleOf(x, y), std::atan2(static_cast<double>(y), static_cast<double>(x)))) << angle;
  }
}

TEST(Pair, MassIsThatOfTheFourVectors) {
  const Generator g = generatorOf(parametersWith({{"pt_resolution", "0.1"}}), 2, nullptr);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Event<2> event = resonanceEvent<2>(g, i);
    const double made = (vectorOf(event.made[0]) + vectorOf(event.made[1])).mass();
    ASSERT_NEAR(massOf(event.made[0], event.made[1]), made, 3e-6 * made);
    ASSERT_NEAR(event.mass, made, 2e-5 * made) << "the leptons are those of the boson";
    const Lepton *a = event.measured, *b = event.measured + 1;
    const double measured = (vectorOf(*a) + vectorOf(*b)).mass();
    ASSERT_NEAR(massOf(*a, *b), measured, 3e-6 * measured);
    // The documents' formula as it stands.
    const double eta = static_cast<double>(a->eta) - b->eta, phi = static_cast<double>(a->phi) - b->phi;
    ASSERT_NEAR(std::sqrt(2.0 * a->pt * b->pt * (std::cosh(eta) - std::cos(phi))), measured, 3e-6 * measured);
  }
  // Leptons beside each other, where cosh Δη - cos Δφ has lost its digits in single precision.
  const Lepton a{40, 1, 0.5f, 1}, b{30, 1.0005f, 0.4995f, -1};
  const double close = (vectorOf(a) + vectorOf(b)).mass();
  EXPECT_NEAR(massOf(a, b), close, 1e-3 * close);
}

std::vector<double> madeMasses(const Parameters& p, std::uint64_t seed, int count) {
  const Generator g = generatorOf(p, seed, nullptr);
  std::vector<double> masses;
  for (int i = 0; i < count; ++i) masses.push_back(resonanceEvent<2>(g, static_cast<std::uint64_t>(i)).mass);
  return masses;
}

TEST(Generator, MassesAreBreitAndWignersAndNoOthers) {
  for (const Changes& changes : {Changes{}, Changes{{"mass", "9.46"}, {"width", "0.5"}}, Changes{{"width", "10"}}}) {
    const Parameters p = parametersWith(changes);
    const std::vector<double> masses = madeMasses(p, 7, 200000);
    EXPECT_LT(kolmogorov(masses, [&](double m) { return resonanceBelow(m, p.mass, p.width); }), 1.95);
    // Cauchy's distribution, the resonance without relativity, is another one; and so are other widths and places.
    const Window w = resonanceWindow(p.mass, p.width);
    const auto cauchy = [&](double m) { return std::atan(2 * (m - p.mass) / p.width); };
    const auto unrelativistic = [&](double m) {
      return (cauchy(m) - cauchy(w.low)) / (cauchy(w.high) - cauchy(w.low));
    };
    EXPECT_GT(kolmogorov(masses, unrelativistic), 1.95);
    EXPECT_GT(kolmogorov(masses, [&](double m) { return resonanceBelow(m, p.mass, 1.03 * p.width); }), 1.95);
    EXPECT_GT(kolmogorov(masses, [&](double m) { return resonanceBelow(m, p.mass + 0.02 * p.width, p.width); }), 1.95);
  }
}

TEST(Generator, BackgroundFallsExponentially) {
  Parameters p = parametersWith({{"background_fraction", "0.95"}});
  p.background_fraction = 1;
  const std::vector<double> masses = madeMasses(p, 3, 100000);
  EXPECT_LT(kolmogorov(masses, [&](double m) { return backgroundBelow(m, p.mass, p.background_scale); }), 1.95);
  EXPECT_GT(kolmogorov(masses, [&](double m) { return backgroundBelow(m, p.mass, 1.05 * p.background_scale); }), 1.95);
}

TEST(Generator, BosonsAndDecaysAreDistributedAsStated) {
  for (const char* decay : {"isotropic", "polarised"}) {
    const Parameters p = parametersWith({{"decay", decay}});
    const Generator g = generatorOf(p, 11, nullptr);
    std::vector<double> momenta, rapidities, cosines, azimuths;
    for (std::uint64_t i = 0; i < 100000; ++i) {
      const Event<2> event = resonanceEvent<2>(g, i);
      const FourVector a = vectorOf(event.made[0]), boson = a + vectorOf(event.made[1]);
      momenta.push_back(boson.pt());
      rapidities.push_back(boson.rapidity());
      azimuths.push_back(std::atan2(boson.y, boson.x));
      cosines.push_back(2 * a.pt() * std::sinh(static_cast<double>(event.made[0].eta) - boson.rapidity()) / event.mass);
    }
    const double a2 = p.boson_pt * p.boson_pt;
    EXPECT_LT(kolmogorov(momenta, [&](double pt) { return pt * pt / (pt * pt + a2); }), 1.95);
    EXPECT_LT(kolmogorov(rapidities, [&](double y) { return 0.5 + y / (2 * p.rapidity); }), 1.95);
    EXPECT_LT(kolmogorov(azimuths, [&](double phi) { return 0.5 + phi / kTau; }), 1.95);
    const auto isotropic = [](double c) { return 0.5 + 0.5 * c; };
    const auto polarised = [](double c) { return (c * c * c + 3 * c + 4) / 8; };
    const bool is_polarised = p.decay == Decay::Polarised;
    EXPECT_EQ(kolmogorov(cosines, isotropic) < 1.95, !is_polarised);
    EXPECT_EQ(kolmogorov(cosines, polarised) < 1.95, is_polarised);
  }
}

TEST(Detector, ErrorsEfficiencyAndChargesAreAsStated) {
  const Parameters p = parametersWith(
      {{"pt_resolution", "0.05"}, {"angular_resolution", "0.002"}, {"efficiency", "0.8"}, {"charge_flip", "0.1"}});
  const Generator g = generatorOf(p, 5, nullptr);
  std::vector<double> pts, etas, phis;
  double found = 0, flipped = 0, n = 0;
  for (std::uint64_t i = 0; i < 50000; ++i) {
    const Event<2> event = resonanceEvent<2>(g, i);
    for (int k = 0; k < 2; ++k) {
      const Lepton &made = event.made[k], &measured = event.measured[k];
      pts.push_back(std::log(static_cast<double>(measured.pt) / made.pt) / p.pt_resolution);
      etas.push_back((static_cast<double>(measured.eta) - made.eta) / p.angular_resolution);
      phis.push_back(std::remainder(static_cast<double>(measured.phi) - made.phi, kTau) / p.angular_resolution);
      found += measured.charge != 0;
      flipped += measured.charge == -made.charge;
      n += 1;
      ASSERT_LE(std::abs(measured.phi), kPi);
    }
  }
  const auto normal = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  for (const auto& each : {pts, etas, phis}) EXPECT_LT(kolmogorov(each, normal), 1.95);
  EXPECT_NEAR(found / n, 0.8, 5 * std::sqrt(0.16 / n));
  EXPECT_NEAR(flipped / found, 0.1, 5 * std::sqrt(0.09 / found));
}

TEST(Generator, FourLeptonsOfAHiggsHaveItsMassAndThoseOfItsBosons) {
  const Parameters p = parametersWith({{"process", "higgs"}});
  const std::vector<float> table = higgsTable(p.higgs_mass, p.mass, p.width);
  ASSERT_EQ(table.size(), static_cast<std::size_t>(HiggsTable::kSize));
  const Generator g = generatorOf(p, 13, table.data());
  int kinds[3] = {};  // events of 0, 2, 4 leptons of ours
  std::vector<double> heavier, lighter;
  constexpr int kEvents = 40000;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    const Event<4> event = higgsEvent(g, i);
    const FourVector first = vectorOf(event.made[0]) + vectorOf(event.made[1]);
    const FourVector second = vectorOf(event.made[2]) + vectorOf(event.made[3]);
    ASSERT_NEAR((first + second).mass(), p.higgs_mass, 1e-3 * p.higgs_mass) << i;
    ASSERT_GE(first.mass() + 0.01, second.mass());
    heavier.push_back(first.mass());
    lighter.push_back(second.mass());
    int ours = 0;
    for (const Lepton& each : event.made) ours += each.charge != 0;
    ++kinds[ours / 2];
  }
  EXPECT_NEAR(kinds[0], kEvents / 4, 5 * std::sqrt(kEvents));
  EXPECT_NEAR(kinds[1], kEvents / 2, 5 * std::sqrt(kEvents));
  EXPECT_NEAR(kinds[2], kEvents / 4, 5 * std::sqrt(kEvents));
  // The shares of both masses by a plain integral over the plane, in cells of equal angle and of equal mass.
  const auto share = [&](double heavy_below, double light_below) {
    double in = 0, all = 0;
    const double scale = p.mass * p.width, h2 = p.higgs_mass * p.higgs_mass;
    const double low = std::atan((1 - p.mass * p.mass) / scale);
    const double high = std::atan((std::pow(p.higgs_mass - 1, 2) - p.mass * p.mass) / scale);
    for (int i = 0; i < 600; ++i) {
      const double a = std::sqrt(p.mass * p.mass + scale * std::tan(low + (high - low) * (i + 0.5) / 600));
      const double most = std::min(a, p.higgs_mass - a);
      for (int k = 0; k < 600 && most > 1; ++k) {
        const double b = 1 + (most - 1) * (k + 0.5) / 600, x = a * a / h2, y = b * b / h2;
        const double square = (1 - x - y) * (1 - x - y) - 4 * x * y, t = b * b - p.mass * p.mass;
        const double weight =
            std::sqrt(std::max(square, 0.0)) * (square + 12 * x * y) * b / (t * t + scale * scale) * (most - 1);
        all += weight;
        if (a < heavy_below && b < light_below) in += weight;
      }
    }
    return in / all;
  };
  const auto measured = [&](double heavy_below, double light_below) {
    int in = 0;
    for (std::size_t i = 0; i < heavier.size(); ++i) in += heavier[i] < heavy_below && lighter[i] < light_below;
    return in / static_cast<double>(heavier.size());
  };
  for (const auto& [heavy, light] : {std::pair{85.0, 200.0},
                                     {90.0, 200.0},
                                     {92.0, 200.0},
                                     {200.0, 20.0},
                                     {200.0, 28.0},
                                     {200.0, 32.0},
                                     {91.0, 28.0}}) {
    EXPECT_NEAR(measured(heavy, light), share(heavy, light), 0.012) << heavy << ", " << light;
  }
}

}  // namespace
}  // namespace simscope::histograms
