#include "sims/core/registry.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

#include <string>
#include <vector>

#define SIMSCOPE_SIMULATION(folder)             \
  namespace simscope::folder {                  \
  const ::simscope::Description& description(); \
  }
#include "sims/registry.def"
#undef SIMSCOPE_SIMULATION

namespace simscope {

std::span<const Description* const> simulations() {
  static const std::vector<const Description*> all = {
#define SIMSCOPE_SIMULATION(folder) &folder::description(),
#include "sims/registry.def"
#undef SIMSCOPE_SIMULATION
  };
  return all;
}

const Description& simulationById(std::string_view id) {
  std::vector<std::string> ids;
  for (const Description* each : simulations()) {
    if (each->id == id) return *each;
    ids.push_back(each->id);
  }
  std::string known;
  for (const std::string& each : ids) known += (known.empty() ? "" : ", ") + each;
  throw UsageError("there is no simulation " + foreign::quoted(id) + didYouMean(id, ids, ".") +
                   " Simulations: " + known + ".");
}

}  // namespace simscope
