#include "sims/tunneling/exact.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "sims/tunneling/physics.h"
#include "sims/tunneling/testing.h"

namespace simscope::tunneling {
namespace {

using tests::parametersWith;

// T(E) by integrating ψ'' = 2(V - E)ψ with RK4 from the transmitted wave at the right back to the left, step by step
// within every constant piece: nothing in common with transfer matrices.
double integratedTransmission(double energy, const std::vector<Segment>& segments, double right_height = 0) {
  const double k = std::sqrt(2 * energy), k_right = std::sqrt(2 * (energy - right_height));
  using C = std::complex<double>;
  C psi = 1, slope = C(0, k_right);
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    const int steps = 200 + static_cast<int>(segment->width * 800);
    const double h = -segment->width / steps, c = 2 * (segment->height - energy);
    for (int i = 0; i < steps; ++i) {
      const C a1 = slope, b1 = c * psi;
      const C a2 = slope + 0.5 * h * b1, b2 = c * (psi + 0.5 * h * a1);
      const C a3 = slope + 0.5 * h * b2, b3 = c * (psi + 0.5 * h * a2);
      const C a4 = slope + h * b3, b4 = c * (psi + h * a3);
      psi += h / 6 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
      slope += h / 6 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    }
  }
  const C incoming = 0.5 * (psi + slope / C(0, k));
  return k_right / k / std::norm(incoming);
}

TEST(Exact, BarrierAgreesWithTheClosedFormBelowAtAndAboveItsTop) {
  const double v = 1.5, a = 2;
  for (const double e : {0.1, 0.7, 1.2, 1.499}) {
    const double s = std::sinh(std::sqrt(2 * (v - e)) * a);
    EXPECT_NEAR(planeWaveTransmission(e, std::vector<Segment>{{v, a}}), 1 / (1 + v * v * s * s / (4 * e * (v - e))),
                1e-12)
        << e;
  }
  for (const double e : {1.501, 2.0, 5.0}) {
    const double s = std::sin(std::sqrt(2 * (e - v)) * a);
    EXPECT_NEAR(planeWaveTransmission(e, std::vector<Segment>{{v, a}}), 1 / (1 + v * v * s * s / (4 * e * (e - v))),
                1e-12)
        << e;
  }
  EXPECT_NEAR(planeWaveTransmission(v, std::vector<Segment>{{v, a}}), 1 / (1 + v * a * a / 2), 1e-12);
}

TEST(Exact, StepAgreesWithTheClosedFormAndReflectsAllBelowItsTop) {
  const double k = 2, q = 1;  // E = 2, V = 1.5
  EXPECT_NEAR(planeWaveTransmission(2.0, {}, 1.5), 4 * k * q / ((k + q) * (k + q)), 1e-14);
  EXPECT_EQ(planeWaveTransmission(1.4, {}, 1.5), 0.0);
  EXPECT_EQ(planeWaveTransmission(1.5, {}, 1.5), 0.0);
}

TEST(Exact, EveryPotentialAgreesWithAnIndependentIntegration) {
  const std::vector<std::vector<Segment>> all = {
      {{1.5, 10}}, {{2.5, 2}}, {{-1.5, 10}}, {{-4, 1.3}}, {{2.5, 1}, {0, 5}, {2.5, 1}}, {{1, 3}, {0, 10}, {1, 3}}};
  for (const auto& segments : all) {
    for (const double k : {0.3, 0.9, 1.41, 1.7320508, 2.0, 3.1}) {
      EXPECT_NEAR(planeWaveTransmission(0.5 * k * k, segments), integratedTransmission(0.5 * k * k, segments), 1e-8)
          << "k = " << k << ", V = " << segments[0].height << ", " << segments.size() << " segments";
    }
  }
  EXPECT_NEAR(planeWaveTransmission(2.0, {}, 1.5), integratedTransmission(2.0, {}, 1.5), 1e-12);
  // A barrier before a step: the two sides differ, and the matrix is not symmetric.
  const std::vector<Segment> uneven = {{2.5, 0.7}, {-0.5, 1.1}};
  EXPECT_NEAR(planeWaveTransmission(2.0, uneven, 1.5), integratedTransmission(2.0, uneven, 1.5), 1e-8);
}

TEST(Exact, ATallThickBarrierTransmitsNothingInsteadOfOverflowing) {
  EXPECT_EQ(planeWaveTransmission(0.5, std::vector<Segment>{{20, 100}}), 0.0);
  EXPECT_EQ(planeWaveTransmission(0.5, std::vector<Segment>{{20, 100}, {0, 5}, {20, 100}}), 0.0);
  EXPECT_EQ(planeWaveTransmission(0.0, std::vector<Segment>{{1, 1}}), 0.0);
}

// The packet's average by Gauss and Legendre's rule of three points on many panels instead of the trapezoid rule, the
// plane waves by integration instead of matrices.
double averagedByIntegration(const Parameters& p, const std::vector<Segment>& segments, double right_height,
                             int panels) {
  const double sigma_k = momentumWidth(p), reach = 6.5 * sigma_k, h = 2 * reach / panels;
  const std::array<double, 3> nodes = {-std::sqrt(0.6), 0.0, std::sqrt(0.6)}, shares = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double sum = 0;
  for (int panel = 0; panel < panels; ++panel) {
    for (int i = 0; i < 3; ++i) {
      const double k = p.packet_momentum - reach + (panel + 0.5 + 0.5 * nodes[i]) * h;
      if (k <= 0 || 0.5 * k * k <= right_height) continue;
      const double z = (k - p.packet_momentum) / sigma_k;
      sum += h * shares[i] * std::exp(-0.5 * z * z) / (sigma_k * std::sqrt(2 * kPi)) *
             integratedTransmission(0.5 * k * k, segments, right_height);
    }
  }
  return sum;
}

TEST(Exact, PacketAveragesAgreeWithAnIndependentIntegrationOfEveryPotential) {
  const Parameters barrier = parametersWith({});
  EXPECT_NEAR(packetTransmission(barrier), averagedByIntegration(barrier, {{1.5, 10}}, 0, 150), 1e-6);
  const Parameters thin = parametersWith({{"barrier_height", "2.5"}, {"barrier_width", "2"}});
  EXPECT_NEAR(packetTransmission(thin), averagedByIntegration(thin, {{2.5, 2}}, 0, 150), 1e-8);
  const Parameters well = parametersWith({{"potential", "well"}});
  EXPECT_NEAR(packetTransmission(well), averagedByIntegration(well, {{-1.5, 10}}, 0, 150), 1e-6);
  const Parameters pair = parametersWith(
      {{"potential", "double_barrier"}, {"barrier_width", "1"}, {"barrier_gap", "3"}, {"packet_width", "12"}});
  EXPECT_NEAR(packetTransmission(pair), averagedByIntegration(pair, {{1.5, 1}, {0, 3}, {1.5, 1}}, 0, 150), 1e-5);
  const Parameters step = parametersWith({{"potential", "step"}, {"barrier_height", "0.5"}});
  EXPECT_NEAR(packetTransmission(step), averagedByIntegration(step, {}, 0.5, 150), 1e-8);
}

// Resonances from wide to far narrower than a place among momenta, packets that reach k = 0, and hardly any crossing.
TEST(Exact, AFewPlacesAmongMomentaGiveWhatAllDo) {
  for (const char* potential : {"barrier", "double_barrier", "well", "step"}) {
    for (const double momentum : {0.15, 0.6, 1.1, 1.73, 2.4}) {
      for (const double height : {0.4, 1.5, 6.0}) {
        for (const double width : {0.5, 3.0}) {
          for (const double barrier : {0.3, 2.0, 5.0}) {
            const Parameters p = parametersWith({{"potential", potential},
                                                 {"packet_momentum", std::to_string(momentum)},
                                                 {"packet_width", std::to_string(width)},
                                                 {"barrier_height", std::to_string(height)},
                                                 {"barrier_width", std::to_string(barrier)}});
            constexpr int kPlaces = 16384;
            const double sigma = 0.5 / width, step = 16 * sigma / kPlaces;
            double sum = 0, weights = 0;
            for (int i = 0; i <= kPlaces; ++i) {
              const double offset = -8 * sigma + i * step, k = momentum + offset;
              const double weight = std::exp(-0.5 * offset * offset / (sigma * sigma));
              sum += k > 0 ? weight * planeWaveTransmission(p, k) : 0;
              weights += weight;
            }
            const double all = sum / weights;
            EXPECT_NEAR(packetTransmission(p), all, 1e-9 * all + 1e-300)
                << potential << " of " << height << " and " << barrier << ", a packet at " << momentum << " of width "
                << width;
          }
        }
      }
    }
  }
}

TEST(Exact, ABroadPacketApproachesThePlaneWave) {
  const Parameters p = parametersWith(
      {{"packet_width", "50"}, {"barrier_width", "1"}, {"packet_center", "-1000"}, {"domain_length", "2000"}});
  EXPECT_NEAR(packetTransmission(parametersWith({{"packet_width", "50"}, {"barrier_width", "1"}})),
              planeWaveTransmission(p, 2.0), 1e-4);
}

TEST(Exact, FromTheRightThePacketEndsLeftAsOftenAsItWouldEndRight) {
  const double left = packetTransmission(parametersWith({}));
  const double right = packetTransmission(parametersWith({{"packet_center", "60"}, {"packet_momentum", "-2"}}));
  EXPECT_NEAR(left + right, 1.0, 1e-12);
  // Down a step, every energy has a way.
  const double down =
      packetTransmission(parametersWith({{"potential", "step"}, {"packet_center", "60"}, {"packet_momentum", "-1"}}));
  const double q = std::sqrt(1 + 2 * 1.5);
  EXPECT_NEAR(down, 1 - 4 * q / ((1 + q) * (1 + q)), 0.01);
}

TEST(Exact, PotentialsWithoutScatteringSaySo) {
  EXPECT_EQ(packetTransmission(parametersWith({{"potential", "none"}})), 1.0);
  EXPECT_TRUE(std::isnan(packetTransmission(parametersWith({{"potential", "harmonic"}}))));
  EXPECT_TRUE(std::isnan(packetTransmission(parametersWith({{"packet_center", "0"}}))));
}

}  // namespace
}  // namespace simscope::tunneling
