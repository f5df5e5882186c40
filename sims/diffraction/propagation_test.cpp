// The transforms behind the patterns, on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "sims/compute/test_devices.h"
#include "sims/diffraction/far_field.h"
#include "sims/diffraction/near_field.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using Kind = Transfer::Kind;
using Complexf = compute::Complex<float>;

class Propagate : public compute::OnEveryDevice {
 protected:
  compute::Buffer<float> upload(const std::vector<float>& plane) {
    return compute::Buffer<float>(device_, std::span<const float>(plane));
  }
  std::vector<float> farField(FarField& far, const std::vector<float>& aperture, const CellRange& box) {
    const compute::Buffer<float> from = upload(aperture);
    compute::Buffer<float> to = upload(std::vector<float>(aperture.size(), NAN));  // what is not written shows
    far.intensity(from.data(), box, to.data());
    return to.toHost();
  }
  std::vector<Complexf> fieldOf(NearField& near) {
    std::vector<Complexf> field(static_cast<std::size_t>(kN) * kN);
    device_->download(field.data(), near.field(), field.size() * sizeof(Complexf));
    return field;
  }
  static std::vector<float> intensityOf(const std::vector<Complexf>& field) {
    std::vector<float> intensity(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) intensity[i] = norm2(field[i]);
    return intensity;
  }
  static double sum(const std::vector<float>& values) {
    double total = 0;
    for (const float each : values) total += static_cast<double>(each);
    return total;
  }
  static std::vector<float> aperture(const tests::Changes& changes) {
    const Shape shape = shapeOf(tests::parametersWith(changes.with({{"grid_points", std::to_string(kN)}})));
    std::vector<float> plane(static_cast<std::size_t>(kN) * kN);
    for (int i = 0; i < kN * kN; ++i) plane[static_cast<std::size_t>(i)] = shape.at(i % kN, i / kN);
    return plane;
  }
  std::vector<Complexf> propagated(const std::vector<float>& plane, const Transfer& transfer) {
    NearField near(device_, kN);
    near.propagate(upload(plane).data(), transfer);
    return fieldOf(near);
  }
  static double difference(const std::vector<Complexf>& a, const std::vector<Complexf>& b) {
    double off = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      off += static_cast<double>(norm2(a[i] - b[i]));
      size += static_cast<double>(norm2(b[i]));
    }
    return std::sqrt(off / size);
  }

  static constexpr int kN = 256;
  static constexpr double kCell = 4e-6, kLambda = 500e-9, kHalf = kN * kCell / 2;
  static constexpr double kCritical = 2 * kHalf * kCell / kLambda;
  static Transfer over(Kind kind, double distance) { return {kind, kN, kCell, kLambda, distance}; }
};
SIMSCOPE_ON_EVERY_DEVICE(Propagate);

TEST_P(Propagate, FarFieldIsThatOfTheWholeTransform) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> even;
  const struct {
    int n;
    CellRange box;
  } cases[] = {{64, {0, 64, 0, 64}},    {64, {5, 6, 63, 64}},       {64, {20, 41, 17, 18}},
               {128, {0, 128, 31, 64}}, {256, {90, 150, 100, 161}}, {256, {0, 256, 0, 255}},
               {256, {3, 9, 250, 256}}, {512, {200, 301, 190, 320}}};
  device_->run([&] {
    for (const auto& each : cases) {
      std::vector<float> plane(static_cast<std::size_t>(each.n) * static_cast<std::size_t>(each.n));
      for (int y = each.box.y_first; y < each.box.y_last; ++y) {
        for (int x = each.box.x_first; x < each.box.x_last; ++x) {
          plane[static_cast<std::size_t>(y * each.n + x)] = even(generator);
        }
      }
      const std::vector<float> expected = farField(*makeReferenceFarField(device_, each.n), plane, each.box);
      const auto fast = makeFarField(device_, each.n);
      EXPECT_LT(tests::relativeDifference(farField(*fast, plane, each.box), expected), 1e-6) << each.n;
      EXPECT_LT(tests::relativeDifference(farField(*fast, plane, each.box), expected), 1e-6) << "a second time";
    }
  });
}

TEST_P(Propagate, FarFieldOfDarknessIsDark) {
  device_->run([&] {
    const std::vector<float> dark(64 * 64);
    EXPECT_EQ(farField(*makeFarField(device_, 64), dark, {}), dark);
  });
}

TEST_P(Propagate, CentreIsTheSquaredSumAndTheLargest) {
  device_->run([&] {
    const std::vector<float> plane = aperture({{"aperture", "letter"}, {"aperture_radius", "0.4"}});
    const std::vector<float> far = farField(*makeFarField(device_, kN), plane, {0, kN, 0, kN});
    const std::size_t centre = kN / 2 * kN + kN / 2;
    EXPECT_NEAR(far[centre], sum(plane) * sum(plane), 1e-5 * far[centre]);
    EXPECT_EQ(*std::max_element(far.begin(), far.end()), far[centre]);
  });
}

TEST_P(Propagate, PlaneWaveStaysAPlaneWaveOverAnyDistance) {
  device_->run([&] {
    const std::vector<float> open(static_cast<std::size_t>(kN) * kN, 1.0F);
    for (const double distance : {1e-6, kCritical, 30 * kCritical}) {
      for (const Kind kind : {Kind::AngularSpectrum, Kind::FresnelTransfer}) {
        for (const Complexf u : propagated(open, over(kind, distance))) {
          ASSERT_NEAR(u.re, 1, 1e-5);
          ASSERT_NEAR(u.im, 0, 1e-5);
        }
      }
    }
  });
}

TEST_P(Propagate, PowerIsConservedWhileTheWholeBandIsKept) {
  device_->run([&] {
    const std::vector<float> disc = aperture({});
    double power = 0;
    for (const float t : disc) power += static_cast<double>(t) * static_cast<double>(t);
    for (const double distance : {1e-4, 0.5 * kCritical, 0.99 * kCritical}) {
      for (const Kind kind : {Kind::AngularSpectrum, Kind::FresnelTransfer}) {
        EXPECT_NEAR(sum(intensityOf(propagated(disc, over(kind, distance)))) / power, 1, 1e-6);
      }
    }
    // Beyond, steep waves leave the window; nothing is gained.
    const double left = sum(intensityOf(propagated(disc, over(Kind::AngularSpectrum, 20 * kCritical)))) / power;
    EXPECT_LT(left, 1);
    EXPECT_GT(left, 0.85);
    // The transform spreads the same power over its own window.
    const Transfer far = over(Kind::FresnelTransform, 3 * kCritical);
    const double ratio = far.pitch() * far.pitch() / (kCell * kCell);
    EXPECT_NEAR(sum(intensityOf(propagated(disc, far))) * ratio / power, 1, 1e-6);
  });
}

TEST_P(Propagate, TwoHalvesMakeTheWholeDistance) {
  device_->run([&] {
    const std::vector<float> disc = aperture({});
    for (const Kind kind : {Kind::AngularSpectrum, Kind::FresnelTransfer}) {
      const double distance = 0.9 * kCritical;
      NearField near(device_, kN);
      near.propagate(upload(disc).data(), over(kind, distance / 2));
      near.propagateFurther(over(kind, distance / 2));
      EXPECT_LT(difference(fieldOf(near), propagated(disc, over(kind, distance))), 2e-6);
      EXPECT_THROW(near.propagateFurther(over(Kind::FresnelTransform, distance)), UsageError);
    }
  });
}

TEST_P(Propagate, FresnelIsTheParaxialLimitOfTheAngularSpectrum) {
  device_->run([&] {
    // The phase left out is about z θ⁴/λ, so it falls with the distance.
    const std::vector<float> disc = aperture({});
    double last = 1;
    for (const double distance : {0.8 * kCritical, 0.2 * kCritical, 0.05 * kCritical}) {
      const double off = difference(propagated(disc, over(Kind::FresnelTransfer, distance)),
                                    propagated(disc, over(Kind::AngularSpectrum, distance)));
      EXPECT_LT(off, last);
      last = off;
    }
    EXPECT_LT(last, 1e-3);
  });
}

TEST_P(Propagate, BothFresnelFormsAgreeAtTheCriticalDistance) {
  device_->run([&] {
    const std::vector<float> disc = aperture({});
    const std::vector<float> transfer = intensityOf(propagated(disc, over(Kind::FresnelTransfer, kCritical)));
    const std::vector<float> transform = intensityOf(propagated(disc, over(Kind::FresnelTransform, kCritical)));
    EXPECT_DOUBLE_EQ(over(Kind::FresnelTransform, kCritical).pitch(), kCell);
    EXPECT_LT(tests::relativeDifference(transfer, transform), 0.02);
  });
}

TEST_P(Propagate, AxisBehindADiscFollowsItsZones) {
  device_->run([&] {
    // |U|² = 4 sin²(πF/2) with Fresnel's number F = a²/(λz).
    const std::vector<float> disc = aperture({});
    const double radius = 0.25 * kHalf;
    for (const double number : {1.0, 1.5, 2.0, 3.0, 4.0}) {
      const double distance = radius * radius / (kLambda * number);
      const std::vector<float> i = intensityOf(propagated(disc, over(Kind::AngularSpectrum, distance)));
      const double expected = 4 * std::pow(std::sin(std::numbers::pi * number / 2), 2);
      EXPECT_NEAR(i[kN / 2 * kN + kN / 2], expected, 0.12) << number;
    }
  });
}

TEST_P(Propagate, GratingIsItsOwnImageAtTalbotsLength) {
  device_->run([&] {
    constexpr int kPeriod = 32;
    std::vector<float> grating(static_cast<std::size_t>(kN) * kN);
    for (int i = 0; i < kN * kN; ++i) grating[static_cast<std::size_t>(i)] = i % kPeriod < kPeriod / 4 ? 1.0F : 0.0F;
    const double period = kPeriod * kCell, talbot = 2 * period * period / kLambda;
    const auto image = [&](double distance) {
      return intensityOf(propagated(grating, over(Kind::FresnelTransfer, distance)));
    };
    EXPECT_LT(tests::relativeDifference(image(talbot), grating), 1e-4);
    std::vector<float> shifted(grating.size());
    for (int i = 0; i < kN * kN; ++i) {
      shifted[static_cast<std::size_t>(i)] = grating[static_cast<std::size_t>(i / kN * kN + (i + kPeriod / 2) % kN)];
    }
    EXPECT_LT(tests::relativeDifference(image(talbot / 2), shifted), 1e-4);
    EXPECT_GT(tests::relativeDifference(image(talbot / 4), grating), 0.3);
  });
}

TEST_P(Propagate, ZonePlateFocusesTheAmplitudeOfAllItsZones) {
  device_->run([&] {
    constexpr int kZones = 6;
    const std::vector<float> plate = aperture({{"aperture", "zone_plate"}, {"aperture_radius", "0.6"}, {"zones", "6"}});
    const double radius = 0.6 * kHalf, focus = radius * radius / (kZones * kLambda);
    const auto axis = [&](double distance) {
      return intensityOf(propagated(plate, over(Kind::AngularSpectrum, distance)))[kN / 2 * kN + kN / 2];
    };
    EXPECT_NEAR(axis(focus), kZones * kZones, 0.1 * kZones * kZones);
    EXPECT_LT(axis(0.7 * focus), 0.5 * axis(focus));
    EXPECT_LT(axis(1.5 * focus), 0.5 * axis(focus));
  });
}

}  // namespace
}  // namespace simscope::diffraction
