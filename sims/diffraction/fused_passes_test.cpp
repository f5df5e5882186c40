// The fused Fraunhofer passes, played on the host by teams that run every thread of every block.
#include "sims/diffraction/fused_passes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/plane_testing.h"

namespace simscope::diffraction {
namespace {

using compute::Lines;
using compute::testing::onEveryBlock;

std::vector<double> randomAperture(int n, const CellRange& box) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> even;
  std::vector<double> aperture(static_cast<std::size_t>(n) * n, 0.0);
  for (int y = box.y_first; y < box.y_last; ++y) {
    for (int x = box.x_first; x < box.x_last; ++x) aperture[static_cast<std::size_t>(y) * n + x] = even(generator);
  }
  return aperture;
}

template <int N, int kRows, int kColumns>
std::vector<double> fusedIntensity(const std::vector<double>& aperture, const CellRange& box) {
  const auto tables = compute::makeBlockTables<N, double>();
  const auto twiddles = compute::PlaneTwiddles<double>::of<N>(tables.outer.data(), tables.middle.data());
  // What no column writes must not be read: NaN would show.
  std::vector<Complex<double>> spectra(static_cast<std::size_t>(N / 2 + 1) * N, {NAN, NAN});
  std::vector<double> intensity(aperture.size(), NAN);
  const int blocks = (box.x_last - box.x_first + kColumns - 1) / kColumns, pitch = std::min(N, blocks * kColumns);
  const ApertureColumns<double> columns{aperture.data(), box, spectra.data(), pitch, twiddles};
  const IntensityRows<double> rows{spectra.data(), box, pitch, intensity.data(), twiddles};
  onEveryBlock<N, Lines::Columns, kColumns>(
      twiddles, [&](auto& team) { apertureColumnPass<N, double>(team, columns); }, blocks);
  onEveryBlock<N, Lines::Rows, kRows>(
      twiddles, [&](auto& team) { intensityRowPass<N, double>(team, rows); }, (N / 2 + kRows) / kRows);
  return intensity;
}

template <int N, int kRows, int kColumns>
void expectLibraryIntensity(const CellRange& box) {
  const std::vector<double> aperture = randomAperture(N, box);
  const std::vector<double> fused = fusedIntensity<N, kRows, kColumns>(aperture, box);
  std::vector<Complex<double>> plane(aperture.size());
  for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = {aperture[i], 0};
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  cpu->run([&] { compute::Fft<double>(cpu, {.dimensions = {N, N}}).forward(plane.data()); });
  double difference = 0, size = 0;
  for (int y = 0; y < N; ++y) {
    for (int x = 0; x < N; ++x) {
      const double expected = norm2(plane[static_cast<std::size_t>((y + N / 2) % N) * N + (x + N / 2) % N]);
      difference += std::pow(fused[static_cast<std::size_t>(y) * N + x] - expected, 2);
      size += expected * expected;
    }
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-12) << "N = " << N;
}

TEST(FusedFraunhofer, IntensityIsThatOfTheLibraryTransform) {
  expectLibraryIntensity<64, 4, 8>({0, 64, 0, 64});
  expectLibraryIntensity<256, 16, 16>({97, 160, 3, 256});
  expectLibraryIntensity<512, 8, 8>({201, 314, 255, 256});
}

}  // namespace
}  // namespace simscope::diffraction
