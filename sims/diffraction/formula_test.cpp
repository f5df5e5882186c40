// Patterns against their formulas: what the issue of diffraction is.
#include <gtest/gtest.h>

#include <cmath>

#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::Session;

// Apertures that the grid's cells cut, with a formula for the far field. Straight edges lie at thirds of the cells of a
// grid of 128, and so of every finer one: where an edge cuts a cell decides how large the error of second order is.
const std::vector<Changes>& known() {
  static const std::vector<Changes> all = {
      {{"aperture", "circle"}, {"aperture_radius", "0.2371"}},
      {{"aperture", "annulus"}, {"aperture_radius", "0.2371"}, {"obstruction", "0.43"}},
      {{"aperture", "square"}, {"aperture_radius", "0.24479166666666666"}},
      {{"aperture", "slit"}, {"aperture_radius", "0.24479166666666666"}, {"slit_width", "0.11458333333333333"}},
      {{"aperture", "double_slit"},
       {"aperture_radius", "0.24479166666666666"},
       {"slit_separation", "0.265625"},
       {"slit_width", "0.11458333333333333"}},
      {{"aperture", "grating"},
       {"aperture_radius", "0.24479166666666666"},
       {"slits", "4"},
       {"slit_separation", "0.21875"},
       {"slit_width", "0.07291666666666667"}},
  };
  return all;
}

double errorOf(const Changes& changes, int n, Diagnostic which = kProfileError) {
  return Session(changes.with({{"grid_points", std::to_string(n)}})).diagnostic(which);
}

TEST(Formula, ProfilesConvergeToTheExactOnes) {
  // A cell's edge dx takes a share of (k dx)² off frequency k. Intensities that fall as k⁻² (straight edges) are then
  // off by dx² all over the row, so that the norm falls as dx² √N; those that fall as k⁻³ (round ones) as dx².
  for (const Changes& changes : known()) {
    const double coarse = errorOf(changes, 128), middle = errorOf(changes, 256), fine = errorOf(changes, 512);
    EXPECT_LT(fine, 2e-3) << changes[0].second;
    const double order = changes[0].second == "circle" || changes[0].second == "annulus" ? 1.8 : 1.4;
    EXPECT_GT(std::log2(coarse / middle), order) << changes[0].second;
    EXPECT_GT(std::log2(middle / fine), order) << changes[0].second;
  }
}

TEST(Formula, DarkRingsLieWhereTheFormulasPutThem) {
  for (const Changes& changes : known()) {
    Session run(changes.with({{"grid_points", "512"}}));
    const std::vector<double> values = run.diagnostics();
    EXPECT_NEAR(values[kFirstDarkRing] / values[kFirstDarkRingExact], 1, 1e-3) << changes[0].second;
  }
  const Parameters p;
  Session circle({{"grid_points", "512"}});
  EXPECT_NEAR(circle.diagnostic(kFirstDarkRingExact),
              1.21967 * p.wavelength * p.distance / (2 * p.aperture_radius * p.half_width), 1e-7);
}

TEST(Formula, SlitsOfFewCellsAreWarnedOfAndTheCureResolvesThem) {
  int warned = 0;
  for (const char* const aperture : {"slit", "double_slit", "grating"}) {
    for (const char* const width : {"0.02", "0.0313", "0.047", "0.0625", "0.08"}) {
      const Changes narrow{{"aperture", aperture}, {"slit_width", width}, {"slit_separation", "0.13"}, {"slits", "3"}};
      Changes changes = narrow.with({{"grid_points", "128"}});
      for (const Finding& finding : Session(changes).findings()) {
        if (finding.code != "unresolved") continue;
        changes = narrow.with({{finding.key, finding.value}});
        ++warned;
      }
      Session run(changes);
      EXPECT_FALSE(run.hasFinding("unresolved")) << aperture << ' ' << width;
      EXPECT_LT(run.diagnostic(kProfileError), 0.07) << aperture << ' ' << width;
      EXPECT_NEAR(run.diagnostic(kFirstDarkRing) / run.diagnostic(kFirstDarkRingExact), 1, 0.01)
          << aperture << ' ' << width;
    }
  }
  EXPECT_EQ(warned, 9);
}

TEST(Formula, AiryDiscHoldsItsShareOfTheLight) {
  Session run({{"grid_points", "1024"}, {"aperture_radius", "0.2"}});
  EXPECT_NEAR(run.diagnostic(kEncircledEnergy), 0.83778, 5e-4);
}

// Over the square of the half-width, of the ideal shape.
struct Area {
  Changes changes;
  double area;
};
const std::vector<Area>& areas() {
  static const std::vector<Area> all = {
      {{{"aperture", "circle"}, {"aperture_radius", "0.3217"}}, M_PI * 0.3217 * 0.3217},
      {{{"aperture", "square"}, {"aperture_radius", "0.2337"}}, 4 * 0.2337 * 0.2337},
      {{{"aperture", "slit"}, {"slit_width", "0.0731"}}, 0.0731 * 0.5},
      {{{"aperture", "double_slit"}, {"slit_width", "0.0731"}}, 2 * 0.0731 * 0.5},
      {{{"aperture", "grating"}, {"slits", "4"}, {"slit_width", "0.031"}}, 4 * 0.031 * 0.5},
      {{{"aperture", "hexagon"}, {"aperture_radius", "0.4"}}, 1.5 * std::sqrt(3.0) * 0.16},
      {{{"aperture", "hexagon"}, {"aperture_radius", "0.137"}}, 1.5 * std::sqrt(3.0) * 0.137 * 0.137},
      {{{"aperture", "annulus"}, {"aperture_radius", "0.4"}, {"obstruction", "0.31"}}, M_PI * 0.16 * (1 - 0.31 * 0.31)},
      // Each vane leaves out a strip of the ring, the second one not where it crosses the first.
      {{{"aperture", "telescope"}, {"aperture_radius", "0.45"}, {"obstruction", "0.4"}},
       M_PI * 0.2025 * (1 - 0.16) - 4 * 0.2025 * 0.04 * (1 - 0.4)},
      {{{"aperture", "zone_plate"}, {"aperture_radius", "0.45"}, {"zones", "8"}}, M_PI * 0.2025 / 2},
      {{{"aperture", "letter"}}, (0.35 * 2 + 0.85 * 0.35 + 0.6 * 0.35) / 16},
  };
  return all;
}

TEST(Formula, TotalPowerIsTheAreaOfTheOpening) {
  const Parameters p;
  for (const Area& each : areas()) {
    Session run(each.changes.with({{"grid_points", "512"}}));
    const double area = each.area * p.half_width * p.half_width;
    EXPECT_NEAR(run.diagnostic(kTotalPower) / area, 1, 2e-4) << each.changes[0].second;
    EXPECT_LT(std::abs(run.diagnostic(kTotalPowerError)), 1e-6) << each.changes[0].second;
    run.change({{"propagation", "fresnel"}, {"distance", "1"}});
    EXPECT_NEAR(run.diagnostic(kTotalPower) / area, 1, 2e-4) << each.changes[0].second;
    // What the finest waves that the cells hold carry; those beyond are left out, 2/(π² w) of a slit of w cells.
    run.change({{"propagation", "angular_spectrum"}, {"distance", "1e-4"}});
    EXPECT_NEAR(run.diagnostic(kTotalPower) / area, 0.985, 0.0145) << each.changes[0].second;
  }
}

TEST(Formula, CentralIntensityIsTheSquareOfTheAreaOverLambdaZ) {
  const Parameters p;
  const double radius = p.metres(0.25), expected = std::pow(M_PI * radius * radius / (p.wavelength * 40), 2);
  for (const char* const propagation : {"fraunhofer", "fresnel"}) {
    Session run({{"grid_points", "256"}, {"distance", "40"}, {"propagation", propagation}});
    EXPECT_NEAR(run.diagnostic(kCentralIntensity) / expected, 1, 2e-3) << propagation;
  }
}

TEST(Formula, FresnelFarAwayIsFraunhofer) {
  Session far({{"grid_points", "256"}, {"distance", "100"}});
  Session fresnel({{"grid_points", "256"}, {"distance", "100"}, {"propagation", "fresnel"}});
  std::vector<float> a = far.pattern(), b = fresnel.pattern();
  const float centre = b[128 * 256 + 128];
  for (float& each : b) each /= centre;
  EXPECT_LT(tests::relativeDifference(b, a), 1e-3);
  EXPECT_NEAR(fresnel.diagnostic(kFirstDarkRing) / far.diagnostic(kFirstDarkRing), 1, 1e-3);
}

TEST(Formula, NearFieldsOfStraightShapesFollowFresnelsIntegrals) {
  for (const Changes& changes :
       {Changes{{"aperture", "square"}}, Changes{{"aperture", "slit"}, {"slit_width", "0.2"}},
        Changes{{"aperture", "double_slit"}, {"slit_separation", "0.3"}, {"slit_width", "0.15"}}}) {
    // From the shadow, through the transfer function, to the transform.
    for (const char* const distance : {"0.002", "0.02", "0.2"}) {
      const Changes near = changes.with({{"propagation", "fresnel"}, {"distance", distance}});
      EXPECT_LT(errorOf(near, 512), 0.02) << changes[0].second << " at " << distance;
    }
    const Changes spectrum = changes.with({{"propagation", "angular_spectrum"}, {"distance", "0.02"}});
    EXPECT_LT(errorOf(spectrum, 512), 0.03) << changes[0].second;
  }
}

TEST(Formula, CutOffTheAxisFollowsTheFormulaThere) {
  for (const Changes& changes : known()) {
    Session run(changes.with({{"grid_points", "512"}}));
    const double ring = run.diagnostic(kFirstDarkRingExact), pitch = patternPitch(tests::parametersWith(changes));
    ASSERT_TRUE(run.poke({.tool = "probe", .x = 0, .y = 0.6 * std::round(ring / pitch) * pitch}));
    EXPECT_LT(run.diagnostic(kProfileError), 5e-3) << changes[0].second;
  }
}

}  // namespace
}  // namespace simscope::diffraction
