#include "sims/compute/cuda/cuda_shared_memory.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

class CudaSharedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    SIMSCOPE_SKIP_WITHOUT("cuda");
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

// As other ranks map it, in this process and in others; what they have mapped outlives the first.
TEST_F(CudaSharedMemoryTest, IsMappedOnceMore) {
  constexpr std::size_t kBytes = 3'000'000;
  for (const bool by_file : {false, true}) {
    CudaSharedMemory first(0, kBytes);
    ASSERT_NE(first.get(), nullptr);
    const UniqueFile file = first.file();
    ASSERT_TRUE(file);
    const CudaSharedMemory second = by_file ? CudaSharedMemory::ofFile(file.get(), first.size(), 0)
                                            : CudaSharedMemory::ofAddress(first.get(), first.size(), 0);
    ASSERT_NE(second.get(), nullptr) << by_file;
    EXPECT_NE(second.get(), first.get());
    ASSERT_EQ(cudaMemset(second.get(), 5, kBytes), cudaSuccess);
    ASSERT_EQ(cudaMemset(first.get(), 9, kBytes / 2), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    first = CudaSharedMemory();
    std::vector<unsigned char> host(kBytes), expected(kBytes, 5);
    std::fill_n(expected.begin(), kBytes / 2, static_cast<unsigned char>(9));
    ASSERT_EQ(cudaMemcpy(host.data(), second.get(), kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(host, expected) << by_file;
  }
  EXPECT_EQ(CudaSharedMemory::ofFile(-1, kBytes, 0).get(), nullptr);
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
