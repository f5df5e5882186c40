#include "sims/compute/held_memory.h"

#include <map>
#include <mutex>
#include <unordered_map>

namespace simscope::compute {

namespace {

struct Held {
  std::unordered_map<const void*, std::size_t> blocks;
  std::size_t bytes = 0;
};

struct Ledger {
  std::mutex mutex;
  std::map<const Device*, Held> of;
};

// Never destroyed: buffers of static objects return later than anything else.
Ledger& ledger() {
  static Ledger* const only = new Ledger;
  return *only;
}

}  // namespace

std::size_t heldBytes(const Device& device) {
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  const auto held = all.of.find(&device);
  return held == all.of.end() ? 0 : held->second.bytes;
}

void detail::noteHeld(const Device& device, const void* memory, std::size_t bytes) {
  if (!memory) return;
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  Held& held = all.of[&device];
  held.blocks[memory] = bytes;
  held.bytes += bytes;
}

void detail::noteReturned(const Device& device, const void* memory) noexcept {
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  const auto held = all.of.find(&device);
  if (held == all.of.end()) return;
  const auto block = held->second.blocks.find(memory);
  if (block == held->second.blocks.end()) return;
  held->second.bytes -= block->second;
  held->second.blocks.erase(block);
}

void detail::forgetHeld(const Device& device) noexcept {
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  all.of.erase(&device);
}

}  // namespace simscope::compute
