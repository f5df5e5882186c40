// Runs that ranks hold in slabs, beside the same runs of rank 0 alone: slabs_probe runs | bad_steps | shares. Every
// diagnostic, every channel of a frame, and the whole state must have the same bits. Exit status 0: all was right.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sims/compute/ranks/launch.h"
#include "sims/compute/ranks/slab.h"
#include "sims/core/memory.h"
#include "sims/core/timeline/stepper.h"
#include "sims/heat/heat.h"
#include "tests/ranks/slab_runs.h"

using namespace simscope;
using compute::Ranks;
using namespace simscope::slab_runs;

namespace {

int wrong = 0;
Looks looks{.count = 0, .wrong = [](const std::string& what) {
              fmt::print(stderr, "wrong: {}\n", what);
              ++wrong;
            }};

void check(bool right, const std::string& what) {
  if (!right) looks.wrong(what);
}

void runs(Ranks& ranks, const compute::DevicePtr& lone, const compute::DevicePtr& shared) {
  for (const Case& each : cases()) {
    std::vector<Look> alone;
    if (ranks.first()) alone = play(each, lone);
    play(each, shared, &alone, ranks.first() ? &looks : nullptr);
  }
}

// The first step that is not finite, found by going back to a copy: from the beginning, and from a stroke.
void badSteps(Ranks& ranks, const compute::DevicePtr& lone, const compute::DevicePtr& shared) {
  for (const Case& each : badCases()) {
    const std::string many = failureOf(each, shared);
    if (!ranks.first()) continue;
    const std::string one = failureOf(each, lone);
    check(one != "none" && one.find("from step") != std::string::npos, each.name + ": " + one);
    check(many == one, fmt::format("{}: '{}' alone, '{}' of ranks", each.name, one, many));
  }
}

// What a rank holds of a field: its rows and the halo, no more.
void shares(Ranks& ranks, const compute::DevicePtr& shared) {
  ParameterSet parameters = heat::description().defaults();
  parameters.setText("grid_points", "515");
  Stepper stepper(heat::description(), shared, parameters, 1);
  KeptState kept;
  stepper.simulation().keep(kept);
  const std::size_t rows = static_cast<std::size_t>(compute::largestSlab(515, ranks.size()) + 2 * 16);
  const KeptArray* const field = kept.find("temperature");
  check(field && field->bytes.size() <= rows * 515 * sizeof(float), "what a rank holds");
  // What fits divided need not fit whole, and the other way round.
  Description large = heat::description();
  large.memory = [](const ParameterSet&, compute::Backend) { return 1e18; };
  requireMemory(large, parameters, *shared);
  large.decomposition.memory = [](const ParameterSet&, int size) { return 1e18 * size; };
  bool fits = true;
  try {
    requireMemory(large, parameters, *shared);
  } catch (const UsageError&) {
    fits = false;
  }
  check(!fits, "memory of a rank");
  // Of the columns all rows come, and go back to where they were.
  const compute::Slab slab = compute::slabOf(*shared, 37, 2);
  std::vector<int> own, columns(static_cast<std::size_t>(slab.count * slab.n)), back(columns.size());
  for (int y = slab.first; y < slab.end(); ++y) {
    for (int x = 0; x < slab.n; ++x) own.push_back(1000 * y + x);
  }
  compute::turnToColumns(*shared, slab, own.data(), columns.data(), sizeof(int));
  for (int y = 0; y < slab.n; ++y) {
    for (int x = 0; x < slab.count; ++x) {
      check(columns[static_cast<std::size_t>(y * slab.count + x)] == 1000 * y + slab.first + x, "turnToColumns");
    }
  }
  compute::turnToRows(*shared, slab, columns.data(), back.data(), sizeof(int));
  check(back == own, "turnToRows");
  const int most = compute::mostSlabs(37, 16);
  std::string refused;
  try {
    compute::slabOf(*shared, 37, 16);
  } catch (const UsageError& error) {
    refused = error.what();
  }
  check(refused.empty() == (ranks.size() <= most), "too many ranks: " + refused);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const std::shared_ptr<Ranks> ranks = compute::joinRanks({.between = {}, .patience = 120.0});
  if (!ranks) return std::puts("alone") < 0 ? 1 : 0;
  try {
    const compute::DevicePtr lone = compute::Device::open("cpu", 1), shared = compute::Device::open("cpu", 1);
    shared->join(ranks);
    if (what == "runs") runs(*ranks, lone, shared);
    if (what == "bad_steps") badSteps(*ranks, lone, shared);
    if (what == "shares") shared->run([&] { shares(*ranks, shared); });
    const std::vector<std::string> all = ranks->gather(std::to_string(wrong));
    for (const std::string& each : all) wrong = std::max(wrong, std::stoi(each));
    ranks->finish();
    if (ranks->first()) fmt::print("{} ranks, {} looks: {}\n", all.size(), looks.count, wrong ? "wrong" : "fine");
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", ranks->name(ranks->rank()), error.what());
    ranks->abort(3);
  }
}
