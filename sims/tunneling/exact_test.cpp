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

using tests::Changes;
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

// Packets that reach k = 0 or a step's top, where the sum over many places has an error, and hardly any crossing.
TEST(Exact, TheAverageIsTheSumOverManyPlacesAmongMomenta) {
  for (const char* potential : {"barrier", "well", "step"}) {
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
            EXPECT_NEAR(packetTransmission(p), all, (potential[0] == 's' ? 1e-4 : 1e-5) * all + 1e-300)
                << potential << " of " << height << " and " << barrier << ", a packet at " << momentum << " of width "
                << width;
          }
        }
      }
    }
  }
}

// A wave's two amplitudes at the left of plane-wave pieces for the amplitude 1 that leaves at the right: another form
// of the matrices.
std::complex<double> incomingFor(double k, const std::vector<Segment>& segments) {
  using C = std::complex<double>;
  C along = 1, back = 0, q = k;
  const auto enter = [&](C next, double width) {
    const C ratio = q / next, turn = std::exp(C(0, -1) * next * width);
    const C a = 0.5 * ((1.0 + ratio) * along + (1.0 - ratio) * back);
    const C b = 0.5 * ((1.0 - ratio) * along + (1.0 + ratio) * back);
    along = a * turn;
    back = b / turn;
    q = next;
  };
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment) {
    enter(std::sqrt(C(k * k - 2 * segment->height, 1e-30)), segment->width);
  }
  enter(k, 0);
  return along;
}

// The packet's average by a sum that follows the phase of the transmitted wave, which rises by half a turn at every
// resonance: intervals are halved until it changes by less than 0.1, and T by less than a quarter,
// then Gauss's rule of three points.
double averagedAlongThePhase(double momentum, double width, const std::vector<Segment>& segments) {
  const double sigma = 0.5 / width, from = std::fmax(1e-9, momentum - 8 * sigma), to = momentum + 8 * sigma;
  double sum = 0;
  const auto term = [&](double k) {
    const double z = (k - momentum) / sigma;
    return std::exp(-0.5 * z * z) / (sigma * std::sqrt(2 * kPi)) / std::norm(incomingFor(k, segments));
  };
  const auto add = [&](const auto& self, double a, std::complex<double> at_a, double b,
                       std::complex<double> at_b) -> void {
    const bool turns = std::fabs(std::arg(at_b / at_a)) > 0.1 || std::fabs(std::log(std::norm(at_b / at_a))) > 0.25;
    if (turns && b - a > 1e-14) {
      const double middle = 0.5 * (a + b);
      const std::complex<double> at_middle = incomingFor(middle, segments);
      self(self, a, at_a, middle, at_middle);
      self(self, middle, at_middle, b, at_b);
      return;
    }
    const double middle = 0.5 * (a + b), off = std::sqrt(0.15) * (b - a);
    sum += (b - a) / 18 * (5 * term(middle - off) + 8 * term(middle) + 5 * term(middle + off));
  };
  constexpr int kPlaces = 1500;
  std::complex<double> last = incomingFor(from, segments);
  for (int i = 0; i < kPlaces; ++i) {
    const double a = from + i * (to - from) / kPlaces, b = from + (i + 1) * (to - from) / kPlaces;
    const std::complex<double> next = incomingFor(b, segments);
    add(add, a, last, b, next);
    last = next;
  }
  return sum;
}

TEST(Exact, SharpResonancesOfADoubleBarrierAreInTheAverage) {
  EXPECT_NEAR(packetTransmission(parametersWith({{"potential", "double_barrier"},
                                                 {"barrier_height", "6"},
                                                 {"barrier_width", "1.6"},
                                                 {"barrier_gap", "4"},
                                                 {"packet_momentum", "1.5"},
                                                 {"packet_width", "2"}})),
              6.137285567e-5, 1e-12);
  int cases = 0;
  for (const double height : {1.5, 3.0, 6.0}) {
    for (const double barrier : {0.5, 1.6, 2.5}) {
      for (const double gap : {1.0, 4.0, 12.0}) {
        for (const double momentum : {0.6, 1.5, 2.2}) {
          if (++cases % 3) continue;
          const double width = cases % 2 ? 2 : 7;
          const Parameters p = parametersWith({{"potential", "double_barrier"},
                                               {"barrier_height", std::to_string(height)},
                                               {"barrier_width", std::to_string(barrier)},
                                               {"barrier_gap", std::to_string(gap)},
                                               {"packet_momentum", std::to_string(momentum)},
                                               {"packet_width", std::to_string(width)}});
          const double expected =
              averagedAlongThePhase(momentum, width, {{height, barrier}, {0, gap}, {height, barrier}});
          EXPECT_NEAR(packetTransmission(p), expected, 1e-7 * expected + 1e-12)
              << height << ", " << barrier << ", " << gap << ", " << momentum << ", " << width;
        }
      }
    }
  }
}

TEST(Exact, BarriersWithoutAGapAreOneBarrier) {
  EXPECT_NEAR(packetTransmission(
                  parametersWith({{"potential", "double_barrier"}, {"barrier_gap", "0"}, {"barrier_width", "0.5"}})),
              packetTransmission(parametersWith({{"barrier_width", "1"}})), 1e-12);
}

TEST(Exact, APairOfPacketsApartInMomentumCrossesAsEachAlone) {
  const auto resonant = [](const Changes& changes) {
    return packetTransmission(parametersWith(Changes{
        {"potential", "double_barrier"},
        {"barrier_height", "6"},
        {"barrier_width", "1.6"},
        {"barrier_gap", "4"},
        {"packet_momentum", "1.2"},
        {"packet_width", "7"},
        {"second_width", "7"}}.with(changes)));
  };
  const double slow = resonant({}), fast = resonant({{"packet_momentum", "2.5"}});
  EXPECT_GT(slow, 1e-9);
  EXPECT_NEAR(resonant({{"second_packet", "on"}, {"second_center", "-50"}, {"second_momentum", "2.5"}}),
              0.5 * (slow + fast), 1e-9);
  EXPECT_NEAR(resonant({{"second_packet", "on"}, {"second_center", "50"}, {"second_momentum", "-2.5"}}),
              0.5 * (slow + 1 - fast), 1e-9);
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
