// Every operation of compute::Ranks, checked on all ranks: ranks_probe collectives | blocks | lost | patient |
// start. Exit status 0: all was right.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "sims/compute/ranks/launch.h"
#include "tests/ranks/ranks_probe.h"

using namespace simscope;
using compute::Ranks;

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const bool bounded = what == "lost" || what == "patient";
  const auto ranks =
      compute::joinRanks({.between = {}, .patience = bounded ? 1.0 : 60.0}, what == "start" ? 1.0 : 60.0);
  if (!ranks) return std::puts("alone") < 0 ? 1 : 0;
  int wrong = 0;
  try {
    if (what == "collectives") wrong += ranks_probe::wrongCollectives(*ranks);
    if (what == "blocks") wrong += ranks_probe::wrongBlocks(*ranks);
    if (what == "lost") {
      // Rank 1 never comes.
      if (ranks->rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(60));
      ranks->barrier();
    }
    if (what == "patient") {
      // Rank 1 comes late, and says all the time that it works.
      for (int i = 0; ranks->rank() == 1 && i < 300; ++i) {
        ranks->alive();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      ranks->barrier();
    }
    const std::vector<std::string> all = ranks->gather(std::to_string(wrong));
    ranks->finish();
    if (ranks->first()) fmt::print("{} ranks: fine\n", all.size());
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", ranks->name(ranks->rank()), error.what());
    ranks->abort(3);
  }
}
