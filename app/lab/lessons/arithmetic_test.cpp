// Compares the results of the lessons' kernels with plain loops, on the available devices.
#include <gmock/gmock.h>

#include <cmath>

#include "app/lab/fit.h"
#include "app/lab/lessons/cpu_threads/cpu_threads_kernels.h"
#include "app/lab/lessons/linear_algebra/linear_algebra.h"
#include "app/lab/lessons/matrix_product/matrix_product.h"
#include "app/lab/measurer.h"

namespace simscope::lab {
namespace {

// The sizes are no multiples of tiles: 1 and 31 lie within one, 77 reaches over three.
TEST(MatrixProductTest, EveryWayGivesThePlainLoopsProduct) {
  const Bench bench = benchOf("auto", 0);
  std::vector<std::string> notes;
  for (const matrix_product::Multiplier& way : matrix_product::multipliers(bench, notes)) {
    for (const int n : {1, 31, 64, 77}) {
      const matrix_product::Factors f = matrix_product::factors(n);
      std::vector<double> product;
      way.device->run([&] {
        const matrix_product::Prepared prepared = way.prepare(f);
        prepared.run();
        prepared.run();  // a second product is no sum of two
        product = prepared.product();
      });
      const auto wide = static_cast<std::size_t>(n);
      ASSERT_EQ(product.size(), wide * wide);
      const double bound = 4 * way.tolerance * std::sqrt(n);
      for (std::size_t y = 0; y < wide; ++y) {
        for (std::size_t x = 0; x < wide; ++x) {
          double sum = 0;
          for (std::size_t k = 0; k < wide; ++k) {
            sum += static_cast<double>(f.a[y * wide + k]) * static_cast<double>(f.b[k * wide + x]);
          }
          ASSERT_NEAR(product[y * wide + x], sum, bound) << way.title << ", " << n << ": " << y << ", " << x;
        }
      }
    }
  }
}

TEST(MatrixProductTest, AWrongProductIsSeen) {
  const matrix_product::Factors f = matrix_product::factors(8);
  std::vector<double> product(64);
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t k = 0; k < 8; ++k) {
      product[i] += static_cast<double>(f.a[i / 8 * 8 + k]) * static_cast<double>(f.b[k * 8 + i % 8]);
    }
  }
  EXPECT_LT(matrix_product::relativeError(f, product, 200), 1e-14);
  product[0] += 0.1;
  EXPECT_GT(matrix_product::relativeError(f, product, 200), 1e-3);
}

TEST(CpuThreadsTest, EveryWidthGivesThePlainLoopsBits) {
  constexpr std::size_t kCount = 3 * cpu_threads::kStride;
  std::vector<float> from(kCount), expected(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    from[i] = static_cast<float>(i) / static_cast<float>(kCount);
    float x = from[i];
    for (int round = 0; round < cpu_threads::kRounds; ++round) {
      const volatile float product = 1.9f * x * x;  // nothing is fused with it
      x = 1.0f - product;
    }
    expected[i] = x;
  }
  ASSERT_GE(cpu_threads::widths().size(), 2u);
  for (const cpu_threads::Width& width : cpu_threads::widths()) {
    std::vector<float> to(kCount);
    width.map(from.data(), to.data(), kCount);
    EXPECT_EQ(to, expected) << width.title;
  }
}

TEST(CpuThreadsTest, TheSerialShareIsFoundFromItsSpeedUps) {
  const std::vector<double> threads = {1, 2, 4, 8, 16};
  std::vector<double> faster;
  for (const double each : threads) faster.push_back(1 / (0.07 + 0.93 / each));
  EXPECT_NEAR(serialShare(threads, faster), 0.07, 1e-12);
  EXPECT_EQ(serialShare(threads, threads), 0);
}

TEST(LinearAlgebraTest, AnswersFitTheirQuestions) {
  const Bench bench = benchOf("auto", 0);
  for (const linear_algebra::Question question : linear_algebra::kQuestions) {
    for (const int n : {2, 7, 48}) {
      const linear_algebra::Problem problem = linear_algebra::problem(question, n);
      linear_algebra::Answer answer;
      linear_algebra::makeLapack()->solve(problem, answer);
      EXPECT_LT(linear_algebra::residual(problem, answer), 1e-13) << static_cast<int>(question) << ", " << n;
      if (!bench.cuda) continue;
      linear_algebra::Answer there;
      linear_algebra::makeCusolver(bench.cuda, n)->solve(problem, there);
      EXPECT_LT(linear_algebra::residual(problem, there), 1e-13) << "GPU: " << static_cast<int>(question) << ", " << n;
    }
  }
}

TEST(LinearAlgebraTest, AWrongAnswerIsSeen) {
  for (const linear_algebra::Question question : linear_algebra::kQuestions) {
    const linear_algebra::Problem problem = linear_algebra::problem(question, 12);
    linear_algebra::Answer answer;
    linear_algebra::makeLapack()->solve(problem, answer);
    if (!answer.values.empty()) answer.values[0] += 1e-6;
    if (answer.values.empty() && !answer.first.empty()) answer.first[0] += 1e-6;
    answer.log_determinant += 1e-6;
    EXPECT_GT(linear_algebra::residual(problem, answer), 1e-9) << static_cast<int>(question);
  }
}

}  // namespace
}  // namespace simscope::lab
