#include "sims/compute/cuda/cuda_shared_memory.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "sims/compute/device.h"

namespace simscope::compute {
namespace {

class CudaSharedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Device::whyNoCuda().empty()) GTEST_SKIP() << Device::whyNoCuda();
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  }
};

TEST_F(CudaSharedMemoryTest, HoldsWhatIsWritten) {
  constexpr std::size_t kBytes = 5'000'001;
  CudaSharedMemory memory(0, kBytes);
  ASSERT_NE(memory.get(), nullptr);
  const CudaSharedMemory moved = std::move(memory);
  ASSERT_EQ(cudaMemset(moved.get(), 7, kBytes), cudaSuccess);
  std::vector<unsigned char> host(kBytes);
  ASSERT_EQ(cudaMemcpy(host.data(), moved.get(), kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host, std::vector<unsigned char>(kBytes, 7));
}

TEST_F(CudaSharedMemoryTest, IsFreed) {
  std::size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  const std::size_t piece = total / 16;
  for (int i = 0; i < 40; ++i) {
    if (free < 2 * piece) GTEST_SKIP() << "others hold the device's memory";
    ASSERT_NE(CudaSharedMemory(0, piece).get(), nullptr) << "the " << i << "th of a sixteenth of the memory";
  }
}

TEST_F(CudaSharedMemoryTest, MoreThanThereIsIsNone) {
  EXPECT_EQ(CudaSharedMemory(0, std::size_t{1} << 46).get(), nullptr);
}

}  // namespace
}  // namespace simscope::compute
