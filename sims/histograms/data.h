// A user's own events, from a table (sims/table/table.h). Plain host data; any thread.
//
// Columns, by name and in any order, among any others:
//   event, pt, eta, phi, charge                               a row a lepton; the rows of an event follow each other
//   pt1, eta1, phi1, charge1, pt2, eta2, phi2, charge2, pt3 … a row an event of two leptons or more
// Q and q count as charge. With a column `run`, events of different runs differ. A plain array has these columns in
// this order: five, or four for each lepton. From the third lepton on, a pt of 0 or NaN means that the event has none
// there. pt in GeV, φ in radians, charges +1 and -1. A column that is there twice is refused, and an event that comes
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace simscope::histograms {

inline constexpr std::size_t kMostLeptons = 64;  // of an event: all pairs are examined

struct Events {
  std::vector<std::uint32_t> first;  // of each event, and one more
  std::vector<float> pt, eta, phi;
  std::vector<std::int8_t> charge;
  std::size_t count() const { return first.empty() ? 0 : first.size() - 1; }
};
// Of the first ten thousand events, without cuts: the median of the heaviest pairs' masses; NaN where there is no pair.
double typicalMass(const Events& events);

// UsageError naming the file and the row, the missing column and the nearest existing one.
Events readEvents(const std::filesystem::path& file);

}  // namespace simscope::histograms
