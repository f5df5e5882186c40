#include "sims/histograms/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sims/core/parameters.h"
#include "sims/foreign/words.h"
#include "sims/histograms/arithmetic.h"
#include "sims/histograms/pair.h"
#include "sims/table/table.h"

namespace simscope::histograms {
namespace {

const std::vector<std::string> kByLepton = {"event", "pt", "eta", "phi", "charge"};
constexpr const char* kWanted =
    "Required are event, pt, eta, phi, and charge, one row per lepton; or pt1, eta1, phi1, charge1, pt2, eta2, phi2, "
    "and charge2, one row per event";

std::string plain(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.starts_with('q') && lower.find_first_not_of("0123456789", 1) == std::string::npos) {
    lower = "charge" + lower.substr(1);
  }
  return lower;
}

// The columns of so many leptons in a row.
std::vector<std::string> columnsOf(std::size_t leptons) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= leptons; ++i) {
    for (const char* each : {"pt", "eta", "phi", "charge"}) names.push_back(each + std::to_string(i));
  }
  return names;
}

// How the rows are read: `leptons` in each, an event; 0: one, of the event whose number comes first. `run`: whether the
// number of its run comes last.
struct Layout {
  std::size_t leptons = 0;
  bool run = false;
  std::vector<std::string> names() const { return leptons > 0 ? columnsOf(leptons) : kByLepton; }
};

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + foreign::shown(names[i], 24);
  }
  return text + (names.size() > kShown ? ", …" : "");
}

// Which columns to read: those of an event a row where pt1 or pt2 is among them.
std::vector<std::size_t> chosenOf(const std::vector<std::string>& names, Layout& layout) {
  const bool unnamed = std::all_of(names.begin(), names.end(), [](const std::string& each) { return each.empty(); });
  if (unnamed) {
    const bool by_event = names.size() >= 8 && names.size() % 4 == 0 && names.size() / 4 <= kMostLeptons;
    layout.leptons = by_event ? names.size() / 4 : 0;
    if (!by_event && names.size() != kByLepton.size()) {
      throw UsageError(fmt::format("it has {} columns without names, but needs 5, or 4 for each lepton of an event. {}",
                                   names.size(), kWanted));
    }
    std::vector<std::size_t> all(names.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }
  std::vector<std::string> known;
  for (const std::string& each : names) known.push_back(plain(each));
  const auto has = [&](const std::string& name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  if (has("pt1") || has("pt2")) {
    layout.leptons = 2;
    const std::vector<std::string> possible = columnsOf(2 * kMostLeptons);
    for (std::size_t i = 8; i < possible.size(); ++i) {
      if (has(possible[i])) layout.leptons = i / 4 + 1;
    }
    if (layout.leptons > kMostLeptons) {
      throw UsageError(fmt::format("it has {} leptons in a row, more than {}", layout.leptons, kMostLeptons));
    }
  }
  std::vector<std::string> wanted = layout.names();
  layout.run = layout.leptons == 0 && has("run");
  if (layout.run) wanted.push_back("run");
  std::vector<std::size_t> chosen;
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
    const auto again = std::find(found + 1, known.end(), each);
    if (again != known.end()) {
      throw UsageError(fmt::format("the column '{}' is there twice, as columns {} and {}: keep one of them", each,
                                   found - known.begin() + 1, again - known.begin() + 1));
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

// Where an event begins: its number, that of its run, and its row.
struct Begin {
  double run, event;
  std::size_t row;
  bool operator<(const Begin& b) const { return std::tie(run, event, row) < std::tie(b.run, b.event, b.row); }
};
void refuseRepeated(std::vector<Begin> all) {
  std::sort(all.begin(), all.end());
  const auto again = std::adjacent_find(
      all.begin(), all.end(), [](const Begin& a, const Begin& b) { return a.run == b.run && a.event == b.event; });
  if (again == all.end()) return;
  throw UsageError(
      fmt::format("row {}: event {:.17g} of row {} comes again after another one. The rows of an event "
                  "follow each other: sort the table by event, or name the run in a column 'run'",
                  (again + 1)->row + 1, again->event, again->row + 1));
}

// The number of an event or a run. Two that double precision makes equal would be one event.
void checkNumber(const char* name, double value, std::size_t row) {
  constexpr double kMost = 0x1p53 - 1;
  if (std::floor(value) == value && std::abs(value) <= kMost) return;
  throw UsageError(fmt::format("row {}: {} is {:.17g}, not a whole number from {:.0f} to {:.0f}{}", row + 1, name,
                               value, -kMost, kMost,
                               std::abs(value) > kMost ? ", which are told apart: number the events anew" : ""));
}

Events eventsOf(const table::Table& table, const Layout& layout) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::size_t most = kMost / std::max<std::size_t>(layout.leptons, 1);
  if (table.rows == 0) throw UsageError("it has no rows");
  if (table.rows > most) throw UsageError(fmt::format("it has {} rows, more than {}", table.rows, most));
  Events events;
  std::vector<Begin> begins;
  const std::vector<std::string> names = layout.names();
  const auto place = [&] { return static_cast<std::uint32_t>(events.pt.size()); };
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (layout.leptons > 0) {
      events.first.push_back(place());
      for (std::size_t i = 0; i < layout.leptons; ++i) {
        const double pt = table.columns[4 * i][row];
        if (i < 2 || !(pt == 0 || std::isnan(pt))) addLepton(events, table, row, 4 * i, names);
      }
      continue;
    }
    const Begin here{layout.run ? table.columns.back()[row] : 0, table.columns[0][row], row};
    checkNumber("event", here.event, row);
    checkNumber("run", here.run, row);
    if (row == 0 || here.event != begins.back().event || here.run != begins.back().run) {
      events.first.push_back(place());
      begins.push_back(here);
    }
    addLepton(events, table, row, 1, names);
    if (place() - events.first.back() > kMostLeptons) {
      throw UsageError(
          fmt::format("row {}: event {:.17g} has more than {} leptons", row + 1, here.event, kMostLeptons));
    }
  }
  refuseRepeated(std::move(begins));
  events.first.push_back(place());
  return events;
}

}  // namespace

double typicalMass(const Events& events) {
  constexpr std::size_t kMost = 10000;
  std::vector<double> masses;
  for (std::size_t i = 0; i < std::min(events.count(), kMost); ++i) {
    const auto lepton = [&](int k) {
      const std::size_t at = events.first[i] + static_cast<std::size_t>(k);
      return Lepton{events.pt[at], events.eta[at], events.phi[at], events.charge[at]};
    };
    const auto count = static_cast<int>(events.first[i + 1] - events.first[i]);
    const Pair pair = heaviestPair(lepton, count, {.eta_max = HUGE_VALF});
    if (pair.mass >= 0) masses.push_back(static_cast<double>(pair.mass));
  }
  if (masses.empty()) return NAN;
  const auto middle = masses.begin() + static_cast<std::ptrdiff_t>(masses.size() / 2);
  std::nth_element(masses.begin(), middle, masses.end());
  return *middle;
}

Events readEvents(const std::filesystem::path& file) {
  Layout layout;
  const table::Table table =
      table::readTable(file, [&](const std::vector<std::string>& names) { return chosenOf(names, layout); });
  try {
    return eventsOf(table, layout);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("the table {}: {}", foreign::quotedFile(file), error.what()));
  }
}

}  // namespace simscope::histograms
