#include "sims/compute/buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <utility>

#include "sims/compute/complex.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class BufferTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(BufferTest);

TEST_P(BufferTest, DownloadReturnsWhatWasUploaded) {
  std::vector<double> host(100001);
  std::iota(host.begin(), host.end(), 0.5);
  const Buffer<double> buffer(device_, host);
  EXPECT_EQ(buffer.size(), host.size());
  EXPECT_EQ(buffer.bytes(), host.size() * sizeof(double));
  EXPECT_EQ(buffer.device(), device_);
  EXPECT_EQ(buffer.toHost(), host);
}

TEST_P(BufferTest, HostArrayOfAnotherSizeIsAUsageErrorThatNamesBoth) {
  Buffer<float> buffer(device_, 10);
  buffer.zero();
  std::vector<float> nine(9, 1.0f);
  std::vector<float> eleven(11, 1.0f);
  EXPECT_THAT([&] { buffer.upload(nine); }, ThrowsMessage<UsageError>(AllOf(HasSubstr("9"), HasSubstr("10"))));
  EXPECT_THROW(buffer.download(eleven), UsageError);
  EXPECT_EQ(buffer.toHost(), std::vector<float>(10, 0.0f)) << "a refused upload must change nothing";
}

TEST_P(BufferTest, EmptyBufferTakesPartInEverything) {
  Buffer<int> buffer(device_, 0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.data(), nullptr);
  buffer.zero();
  buffer.upload({});
  EXPECT_TRUE(buffer.toHost().empty());
  EXPECT_TRUE(Buffer<int>().empty());
}

TEST_P(BufferTest, MovingHandsTheMemoryOver) {
  Buffer<int> a(device_, std::vector<int>{1, 2, 3});
  const int* const memory = a.data();
  Buffer<int> b = std::move(a);
  EXPECT_EQ(b.data(), memory);
  Buffer<int> c(device_, 1);
  c = std::move(b);
  EXPECT_EQ(c.data(), memory);
  EXPECT_EQ(c.toHost(), (std::vector<int>{1, 2, 3}));
}

TEST_P(BufferTest, OutlivesTheLastHandleOfItsDevice) {
  Buffer<int> buffer(device_, std::vector<int>{4, 5});
  device_.reset();
  EXPECT_EQ(buffer.toHost(), (std::vector<int>{4, 5}));
}

TEST_P(BufferTest, OutOfMemoryLeavesOtherBuffersAsTheyWere) {
  const Buffer<int> before(device_, std::vector<int>{6, 7, 8});
  EXPECT_THROW(Buffer<double>(device_, std::size_t{1} << 48), OutOfMemory);
  EXPECT_THROW(Buffer<double>(device_, std::numeric_limits<std::size_t>::max() / sizeof(double) + 2), OutOfMemory)
      << "the number of bytes must not wrap around";
  EXPECT_EQ(before.toHost(), (std::vector<int>{6, 7, 8}));
  const Buffer<int> after(device_, std::vector<int>{9});
  EXPECT_EQ(after.toHost(), std::vector<int>{9});
}

TEST(ComplexTest, ArithmeticFollowsTheDefinition) {
  const Complex<double> a{1.0, 2.0};
  const Complex<double> b{-3.0, 0.5};
  const Complex<double> product = a * b;
  EXPECT_DOUBLE_EQ(product.re, -4.0);
  EXPECT_DOUBLE_EQ(product.im, -5.5);
  EXPECT_DOUBLE_EQ(norm2(a), 5.0);
  EXPECT_DOUBLE_EQ((a * conj(a)).re, norm2(a));
  EXPECT_DOUBLE_EQ((a * conj(a)).im, 0.0);
  EXPECT_DOUBLE_EQ((2.0 * (a - b)).re, 8.0);
  EXPECT_DOUBLE_EQ((a + b).im, 2.5);
}

}  // namespace
}  // namespace simscope::compute
