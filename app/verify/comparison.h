// Compares two pictures pixel by pixel: where they differ, by how much, and whether rounding can explain it.
//
// A pixel that differs is within the tolerance where each channel lies no further than `tolerance` levels from what the
// expected picture has in the nine pixels around it: rounding moves a colour by a level or two, and an edge (of a line,
// a letter, a dither) by less than a pixel, which gives a colour of the neighbours. A colour that none of them has is
// no rounding. At a tolerance of 0 nothing is. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace simscope::verify {

inline constexpr int kUsualTolerance = 2;  // levels of 255: invisible, as for the golden figures of the tests

enum class Mark : std::uint8_t { Same, Within, Beyond };

struct Comparison {
  std::int64_t within = 0, beyond = 0;  // pixels that differ
  int largest = 0;                      // difference of a channel, in levels of 255
  int x = -1, y = -1;                   // of the first pixel beyond the tolerance, else of the first that differs
  std::int64_t pixels() const noexcept { return within + beyond; }
};

// Pictures are RGB, top row first, of one size. `marks`: a mark for every pixel; null: none are wanted.
Comparison compare(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found, int width, int height,
                   int tolerance, std::vector<Mark>* marks);

}  // namespace simscope::verify
