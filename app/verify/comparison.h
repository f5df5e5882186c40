// Compares two pictures pixel by pixel: where they differ, by how much, and whether rounding can explain it.
//
// A pixel that differs is within the tolerance if each channel differs by at most `tolerance` levels from the nine
// pixels around it in the expected picture: rounding changes a colour by a level or two, and moves an edge (of a line,
// a letter, a dither) by less than a pixel, which gives a colour of the neighbours. A colour that no neighbour has is
// not due to rounding. At a tolerance of 0 every differing pixel is beyond it. Pure; any thread.
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

// Pictures are RGB, top row first, of one size. `marks`: a mark for every pixel; null: not needed.
Comparison compare(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found, int width, int height,
                   int tolerance, std::vector<Mark>* marks);

}  // namespace simscope::verify
