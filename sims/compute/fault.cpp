#include "sims/compute/fault.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <sstream>

#include "sims/compute/error.h"

namespace simscope::compute {

namespace {

constexpr std::array<const char*, 9> kPlaces = {"device",  "memory",  "interop", "result",     "clipboard",
                                                "picture", "library", "rank",    "rank_memory"};

struct Fault {
  long first = 0;  // 0: never
  bool onwards = false;
  long passed = 0;
};

struct Faults {
  std::mutex mutex;
  std::array<Fault, kPlaces.size()> of;
  std::atomic<bool> any{false};

  Faults() {
    const char* const text = std::getenv("SIMSCOPE_FAULT");
    if (!text) return;
    try {
      read(text);
    } catch (const UsageError&) {
      // An entry that cannot be read requests no failure.
    }
  }

  void read(const std::string& text) {
    std::array<Fault, kPlaces.size()> wanted;
    bool some = false;
    std::istringstream list(text);
    for (std::string each; std::getline(list, each, ',');) {
      const std::size_t colon = each.find(':');
      std::size_t place = 0;
      while (place < kPlaces.size() && each.substr(0, colon) != kPlaces[place]) ++place;
      char* end = nullptr;
      const long first = colon == std::string::npos ? 0 : std::strtol(each.c_str() + colon + 1, &end, 10);
      const std::string rest = end ? end : "";
      if (place == kPlaces.size() || first < 1 || (!rest.empty() && rest != "+")) {
        throw UsageError("SIMSCOPE_FAULT: '" + each + "' is not place:n or place:n+ with a place of device, memory, " +
                         "interop, result and n of 1 or more");
      }
      wanted[place] = {first, rest == "+", 0};
      some = true;
    }
    const std::lock_guard lock(mutex);
    of = wanted;
    any = some;
  }
};

Faults& faults() {
  static Faults only;
  return only;
}

}  // namespace

bool faultAt(FaultPlace place) noexcept {
  Faults& all = faults();
  if (!all.any) return false;
  const std::lock_guard lock(all.mutex);
  Fault& fault = all.of[static_cast<std::size_t>(place)];
  if (fault.first == 0) return false;
  ++fault.passed;
  return fault.onwards ? fault.passed >= fault.first : fault.passed == fault.first;
}

bool anyFault() noexcept {
  return faults().any;
}

void setFaults(std::string_view text) {
  faults().read(std::string(text));
}

}  // namespace simscope::compute
