#include "sims/histograms/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "sims/core/parameters.h"
#include "sims/foreign/words.h"
#include "sims/histograms/arithmetic.h"
#include "sims/table/table.h"

namespace simscope::histograms {
namespace {

const std::vector<std::string> kByLepton = {"event", "pt", "eta", "phi", "charge"};
const std::vector<std::string> kByPair = {"pt1", "eta1", "phi1", "charge1", "pt2", "eta2", "phi2", "charge2"};
constexpr const char* kWanted =
    "Required are event, pt, eta, phi, and charge, one row per lepton; or pt1, eta1, phi1, charge1, pt2, eta2, phi2, "
    "and charge2, one row per pair";

std::string plain(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.starts_with('q') && lower.size() <= 2) lower = "charge" + lower.substr(1);
  return lower;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + foreign::shown(names[i], 24);
  }
  return text + (names.size() > kShown ? ", …" : "");
}

// Which columns to read: those of a row a pair where pt1 or pt2 is among them.
std::vector<std::size_t> chosenOf(const std::vector<std::string>& names, bool& by_pair) {
  const bool unnamed = std::all_of(names.begin(), names.end(), [](const std::string& each) { return each.empty(); });
  if (unnamed) {
    by_pair = names.size() == kByPair.size();
    if (!by_pair && names.size() != kByLepton.size()) {
      throw UsageError(fmt::format("it has {} columns without names, but needs 5 or 8. {}", names.size(), kWanted));
    }
    std::vector<std::size_t> all(names.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }
  std::vector<std::string> known;
  for (const std::string& each : names) known.push_back(plain(each));
  const auto has = [&](const char* name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  by_pair = has("pt1") || has("pt2");
  std::vector<std::size_t> chosen;
  const std::vector<std::string>& wanted = by_pair ? kByPair : kByLepton;
  for (const std::string& each : wanted) {
    const auto found = std::find(known.begin(), known.end(), each);
    if (found == known.end()) {
      // The nearest one, of those that are not wanted for themselves.
      std::vector<std::string> others;
      for (const std::string& name : known) {
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) others.push_back(name);
      }
      const std::string close = closestName(each, others);
      const auto place = std::find(known.begin(), known.end(), close);
      const std::string nearest =
          close.empty() || place == known.end()
              ? ""
              : "; the nearest is " + foreign::quoted(names[static_cast<std::size_t>(place - known.begin())]);
      throw UsageError(fmt::format("there is no column '{}'{}. It has: {}. {}", each, nearest, listed(names), kWanted));
    }
    chosen.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return chosen;
}

// A column's number in a row, within what it can be.
float checked(const std::vector<double>& column, std::size_t row, const std::string& name, double low, double high) {
  const double value = column[row];
  if (value >= low && value <= high) return static_cast<float>(value);
  throw UsageError(fmt::format("row {}: {} is {}, not between {:g} and {:g}", row + 1, name, value, low, high));
}

void addLepton(Events& events, const table::Table& table, std::size_t row, std::size_t first_column,
               const std::vector<std::string>& names) {
  const auto number = [&](std::size_t k, double low, double high) {
    return checked(table.columns[first_column + k], row, names[first_column + k], low, high);
  };
  constexpr double kLeastPt = 1e-6, kMostPt = 1e6, kMostEta = 20, kMostPhi = 6.3;
  events.pt.push_back(number(0, kLeastPt, kMostPt));
  events.eta.push_back(number(1, -kMostEta, kMostEta));
  events.phi.push_back(wrapped(number(2, -kMostPhi, kMostPhi)));
  const float charge = number(3, -1, 1);
  if (charge != 1 && charge != -1) {
    throw UsageError(fmt::format("row {}: {} is {}, not +1 or -1", row + 1, names[first_column + 3], charge));
  }
  events.charge.push_back(charge > 0 ? 1 : -1);
}

Events eventsOf(const table::Table& table, bool by_pair) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  if (table.rows == 0) throw UsageError("it has no rows");
  if (table.rows > kMost / 2) throw UsageError(fmt::format("it has {} rows, more than {}", table.rows, kMost / 2));
  Events events;
  const auto place = [&] { return static_cast<std::uint32_t>(events.pt.size()); };
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (by_pair) {
      events.first.push_back(place());
      addLepton(events, table, row, 0, kByPair);
      addLepton(events, table, row, 4, kByPair);
      continue;
    }
    const std::vector<double>& number = table.columns[0];
    if (!std::isfinite(number[row])) throw UsageError(fmt::format("row {}: event is not a number", row + 1));
    if (row == 0 || number[row] != number[row - 1]) events.first.push_back(place());
    addLepton(events, table, row, 1, kByLepton);
    if (place() - events.first.back() > kMostLeptons) {
      throw UsageError(fmt::format("row {}: event {:g} has more than {} leptons", row + 1, number[row], kMostLeptons));
    }
  }
  events.first.push_back(place());
  return events;
}

}  // namespace

Events readEvents(const std::filesystem::path& file) {
  bool by_pair = false;
  const table::Table table =
      table::readTable(file, [&](const std::vector<std::string>& names) { return chosenOf(names, by_pair); });
  try {
    return eventsOf(table, by_pair);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("the table {}: {}", foreign::quotedFile(file), error.what()));
  }
}

}  // namespace simscope::histograms
