// How the threads of a block share out points, shared memory, and banks. The transform itself is tested by its users.
#include "sims/compute/fourier/block_fft.h"

#include <gtest/gtest.h>

#include <set>

namespace simscope::compute {
namespace {

template <int N>
void expectEveryPlaceOnce() {
  using Shape = BlockShape<N>;
  std::set<int> frequencies, naturals, outer, middle, last;
  for (int t = 0; t < Shape::kThreads; ++t) {
    for (int q = 0; q < 16; ++q) {
      frequencies.insert(Shape::frequency(t, q));
      naturals.insert(Shape::natural(t, q));
      outer.insert(Shape::outerBase(t) + Shape::outerOffset(q));
      middle.insert(Shape::middleBase(t) + Shape::middleOffset(q));
      last.insert(Shape::lastBase(t) + Shape::lastOffset(q));
    }
  }
  EXPECT_EQ(frequencies.size(), std::size_t{N});
  EXPECT_EQ(*frequencies.rbegin(), N - 1);
  EXPECT_EQ(naturals.size(), std::size_t{N});
  EXPECT_EQ(outer.size(), std::size_t{N});
  EXPECT_LT(*outer.rbegin(), Shape::kSharedElements);
  EXPECT_EQ(last, outer);
  if constexpr (Shape::kTwoInner) {
    EXPECT_EQ(middle, last);
  }
}

TEST(BlockFft, ThreadsShareOutEveryElementOnceAtEachStage) {
  expectEveryPlaceOnce<64>();
  expectEveryPlaceOnce<128>();
  expectEveryPlaceOnce<256>();
  expectEveryPlaceOnce<512>();
  expectEveryPlaceOnce<1024>();
  expectEveryPlaceOnce<2048>();
  expectEveryPlaceOnce<4096>();
}

// Shared memory has 32 banks of 4 bytes. Accesses of 8 bytes a thread are served by half warps, of 16 bytes by quarter
// warps: within each, all places modulo 16 (or 8) must differ.
template <int N, class Base>
void expectNoBankConflict(const Base& base) {
  for (const int group : {16, 8}) {
    for (int first = 0; first + group <= BlockShape<N>::kThreads; first += group) {
      std::set<int> banks;
      for (int t = first; t < first + group; ++t) banks.insert(base(t) % group);
      ASSERT_EQ(banks.size(), static_cast<std::size_t>(group)) << "N = " << N << ", thread " << first;
    }
  }
}

TEST(BlockFft, NoStageHasABankConflict) {
  expectNoBankConflict<4096>(BlockShape<4096>::outerBase);
  expectNoBankConflict<4096>(BlockShape<4096>::middleBase);
  expectNoBankConflict<4096>(BlockShape<4096>::lastBase);
  expectNoBankConflict<512>(BlockShape<512>::outerBase);
  expectNoBankConflict<512>(BlockShape<512>::middleBase);
}

// The middle and the last stage exchange within 16 threads that hold the same 272 places, so a warp's barrier is
// enough.
TEST(BlockFft, OnlyTheOuterExchangeCrossesWarps) {
  using Shape = BlockShape<4096>;
  for (int t = 0; t < Shape::kThreads; ++t) {
    for (int q = 0; q < 16; ++q) {
      EXPECT_EQ((Shape::middleBase(t) + Shape::middleOffset(q)) / 272, t / 16);
      EXPECT_EQ((Shape::lastBase(t) + Shape::lastOffset(q)) / 272, t / 16);
    }
  }
}

}  // namespace
}  // namespace simscope::compute
