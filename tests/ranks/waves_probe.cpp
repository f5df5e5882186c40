// Runs whose transforms ranks make together, beside the same runs of rank 0 alone:
//   waves_probe runs | patterns | coarse | refusals | transforms [PICTURE [cpu | cuda]]
// Every diagnostic, every channel of a frame, and the whole state must be the same within rounding. Exit status 0: all
// was right; the largest differences are printed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/ranks/launch.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/core/timeline/stepper.h"
#include "sims/diffraction/diffraction.h"
#include "sims/schrodinger2d/simulation.h"
#include "tests/ranks/waves_cases.h"
#include "tests/ranks/waves_probe.h"

using namespace simscope;
using compute::Ranks;
using ranks_test::Case;
using ranks_test::Changes;
using ranks_test::with;

namespace {

// In single precision. Differences of ψ, relative in the norm of the array; of a channel over its norm, where it is not
// empty but for rounding; of diagnostics, relative to the larger of 1 and the value.
constexpr double kState = 1e-5, kChannel = 5e-5, kValue = 1e-5;

int wrong = 0, looks = 0;
std::map<std::string, double> largest;

void check(bool right, const std::string& what) {
  if (right) return;
  fmt::print(stderr, "wrong: {}\n", what);
  ++wrong;
}
void bounded(const char* kind, double difference, double bound, const std::string& what) {
  largest[kind] = std::max(largest[kind], difference / bound);
  check(difference <= bound, fmt::format("{}: {:.3g} is more than {:.3g}", what, difference, bound));
}

struct Look {
  std::vector<double> values;
  std::vector<std::string> findings;
  Frame frame;
  State state;
};

Look lookAt(Stepper& stepper) {
  Look look;
  look.values = stepper.diagnostics();
  for (const Finding& each : stepper.findings()) look.findings.push_back(each.code);
  stepper.present(look.frame);
  look.state = stepper.save();
  return look;
}

// ‖a - b‖ and ‖a‖ of so many floating-point numbers.
template <class T>
std::pair<double, double> differenceOf(const T* a, const T* b, std::size_t count) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    difference += (x - y) * (x - y);
    norm += x * x;
  }
  return {std::sqrt(difference), std::sqrt(norm)};
}

void compareArrays(const std::string& where, const StateArray& one, const StateArray& other, double looser) {
  if (one.dtype != other.dtype || one.shape != other.shape) return check(false, where + ": form");
  std::pair<double, double> found{0, 0};
  if (one.dtype == "<f4" || one.dtype == "<c8") {
    found = differenceOf(reinterpret_cast<const float*>(one.bytes.data()),
                         reinterpret_cast<const float*>(other.bytes.data()), one.bytes.size() / sizeof(float));
  } else if (one.dtype == "<f8" || one.dtype == "<c16") {
    found = differenceOf(reinterpret_cast<const double*>(one.bytes.data()),
                         reinterpret_cast<const double*>(other.bytes.data()), one.bytes.size() / sizeof(double));
  } else {
    return check(one.bytes == other.bytes, where);
  }
  // What nothing has reached holds rounding alone.
  bounded("states", found.first, looser * kState * (found.second + 1e-3), where);
}

void compareChannels(const std::string& where, const Channel& one, const Channel& other, double looser) {
  const auto form = [](const Channel& c) { return std::make_tuple(c.width, c.height, c.components, c.form); };
  check(form(one) == form(other) && one.data.size() == other.data.size(), where + ": form");
  const std::pair<double, double> ranges[] = {
      {one.x_min, other.x_min}, {one.x_max, other.x_max}, {one.low, other.low}, {one.high, other.high}};
  for (const auto& [from, to] : ranges) {
    bounded("ranges", std::abs(from - to), 1e-6 * (1e-6 + std::abs(from)), where + ": range");
  }
  if (one.data.size() != other.data.size()) return;
  const std::vector<float> a = one.data.toHost(), b = other.data.toHost();
  const auto [difference, norm] = differenceOf(a.data(), b.data(), a.size());
  // What nothing has reached holds rounding alone.
  const double rounding = 1e-2 * (one.high - one.low) * std::sqrt(static_cast<double>(one.data.size()));
  constexpr double kFloats = 1e-6;  // what channels hold, whatever the state does
  bounded("channels", difference, std::max(looser * kChannel, kFloats) * (norm + rounding), where);
}

void compare(const std::string& where, const Case& each, const Look& alone, const Look& shared) {
  ++looks;
  for (std::size_t i = 0; i < alone.values.size(); ++i) {
    const double a = alone.values[i], b = shared.values[i];
    const std::string what = where + ": " + each.description->diagnostics[i].key;
    check(std::isnan(a) == std::isnan(b), what + " is there");
    // Of lengths that are far from 1 nothing would be seen; dark rings are searched to 1e-5 of a cell.
    const bool small = each.small_units && !each.description->diagnostics[i].unit.empty();
    if (!std::isnan(a) && !std::isnan(b)) {
      const double scale = small ? 2 * std::abs(a) : std::max(1.0, std::abs(a));
      bounded("values", std::abs(a - b), each.looser * kValue * scale, what);
    }
  }
  check(alone.findings == shared.findings, where + ": findings");
  check(alone.frame.channels.size() == shared.frame.channels.size() && !alone.frame.channels.empty(),
        where + ": channels");
  for (const Channel& one : alone.frame.channels) {
    const Channel* const other = shared.frame.find(one.key);
    check(other, where + ": channel " + one.key);
    if (other) compareChannels(where + ": channel " + one.key, one, *other, each.looser);
  }
  check(alone.state.steps == shared.state.steps && alone.state.time == shared.state.time &&
            alone.state.parameters == shared.state.parameters &&
            alone.state.arrays.size() == shared.state.arrays.size(),
        where + ": state");
  for (const StateArray& one : alone.state.arrays) {
    const StateArray* const other = shared.state.find(one.name);
    check(other, where + ": array " + one.name);
    if (other) compareArrays(where + ": array " + one.name, one, *other, each.looser);
  }
}

std::vector<Look> play(const Case& each, const compute::DevicePtr& device, const std::vector<Look>& alone, bool first) {
  std::vector<Look> seen;
  Stepper stepper(*each.description, device, each.parameters, 7);
  stepper.setTimeline(each.timeline);
  const auto look = [&] {
    Look now = lookAt(stepper);
    const std::string where = fmt::format("{}, step {}", each.name, stepper.simulation().steps());
    if (seen.size() < alone.size() && first) compare(where, each, alone[seen.size()], now);
    seen.push_back(std::move(now));
  };
  look();
  for (std::size_t i = 0; i < each.steps.size(); ++i) {
    stepper.step(each.steps[i]);
    stepper.verify();
    if (i == 1 && !each.later.empty()) {
      ParameterSet changed = stepper.base();
      for (const auto& [key, value] : each.later) changed.setText(key, value);
      stepper.configure(changed);
    }
    look();
  }
  return seen;
}

void compareAll(Ranks& ranks, const std::vector<Case>& cases, const compute::DevicePtr& lone,
                const compute::DevicePtr& shared) {
  for (const Case& each : cases) {
    std::vector<Look> alone;
    if (ranks.first()) lone->run([&] { alone = play(each, lone, {}, false); });
    shared->run([&] { play(each, shared, alone, ranks.first()); });
  }
}

// What one rank alone cannot take all refuse, with the same words: here a point of the last rows.
void refusals(Ranks& ranks, const compute::DevicePtr& shared) {
  const Description &wave = schrodinger2d::description(), &light = diffraction::description();
  const auto refusalOf = [&](const Description& description, const Changes& changes) {
    try {
      Stepper stepper(description, shared, with(description, "", changes), 1);
    } catch (const ParameterError& error) {
      return error.key() + ": " + error.what();
    }
    return std::string("none");
  };
  const std::string formula =
      refusalOf(wave, {{"grid_points", "64"}, {"potential", "formula"}, {"formula", "y > 23 ? 1/0 : 1"}});
  check(formula.find("formula: ") == 0 && formula.find("y = 23.25") != std::string::npos, formula);
  const std::string picture = refusalOf(wave, {{"potential", "image"}, {"image_file", "/no/such/picture.png"}});
  check(picture.find("image_file: ") == 0, picture);
  const std::string aperture = refusalOf(light, {{"aperture", "image"}, {"image_file", "/no/such/picture.png"}});
  check(aperture.find("image_file: ") == 0, aperture);
  const std::string all = formula + picture + aperture;
  for (const std::string& each : ranks.gatherToAll(all)) check(each == all, each);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "", picture = count > 2 ? arguments[2] : "";
  const std::string device = count > 3 ? arguments[3] : "cpu";
  const std::shared_ptr<Ranks> ranks = compute::joinRanks({.between = {}, .patience = 120.0});
  if (!ranks) return std::puts("alone") < 0 ? 1 : 0;
  try {
    const auto open = [&] {
      if (device == "cpu") return compute::Device::open("cpu", 1);
      const auto there = static_cast<int>(compute::Device::available().size()) - 1;
      return compute::Device::open(fmt::format("cuda:{}", ranks->localRank() % std::max(1, there)));
    };
    const compute::DevicePtr lone = open(), shared = open();
    shared->join(ranks);
    if (what == "runs") compareAll(*ranks, ranks_test::wavesOf(picture), lone, shared);
    if (what == "patterns") compareAll(*ranks, ranks_test::patternsOf(picture), lone, shared);
    if (what == "coarse") {
      const Description& wave = schrodinger2d::description();
      const Changes large{{"grid_points", "4096"}, {"time_step", "0.00001"}, {"momentum_x", "30"}};
      compareAll(*ranks, {{"coarse", &wave, with(wave, "", large), {}, {}, 1, {1}}}, lone, shared);
      const Description& light = diffraction::description();
      compareAll(*ranks,
                 {{.name = "coarse pattern",
                   .description = &light,
                   .parameters = with(light, "grating_white", {{"grid_points", "4096"}, {"zoom", "1"}}),
                   .steps = {1}}},
                 lone, shared);
    }
    if (what == "transforms") wrong += ranks_test::wrongTransforms(shared, lone);
    if (what == "refusals") shared->run([&] { refusals(*ranks, shared); });
    const std::vector<std::string> all = ranks->gather(std::to_string(wrong));
    for (const std::string& each : all) wrong = std::max(wrong, std::stoi(each));
    ranks->finish();
    if (ranks->first()) {
      for (const auto& [kind, share] : largest) fmt::print("{}: {:.3f} of what is allowed\n", kind, share);
      fmt::print("{} ranks, {} looks: {}\n", all.size(), looks, wrong ? "wrong" : "fine");
    }
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", ranks->name(ranks->rank()), error.what());
    ranks->abort(3);
  }
}
