// What is said over the socket of `simscope show`: small messages of a fixed form, each a packet (SOCK_SEQPACKET).
//
//   bytes 0-3 "SIMS", 4-5 the version, 6-7 the kind (little-endian, as all that follows), then
//   kind 1, Array (from the script; with a memory file beside it): JSON, see arrayOf()
//   kind 2, Update (from the script): u32 slot, u32 of which Array (the first is 1), u64 number from 1, f64 time
//   kind 3, Free (to the script): u32 slot, u32 of which Array
//   kind 4, Refused (to the script): UTF-8, why; the socket is closed then
// The memory file holds `slots` arrays behind one another, each of slotBytes(). A slot belongs to the script until its
// Update, and again from its Free on. Pure; any thread. Errors: UsageError saying what is wrong, fit to be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sims/live/live.h"

namespace simscope::live {

inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::size_t kMostBytes = 16384;  // of a message
inline constexpr int kMostSlots = 4;

struct ArrayMessage {
  LiveArray array;
  int slots = 2;
};
struct UpdateMessage {
  std::uint32_t slot = 0;
  std::uint32_t form = 0;  // which Array message describes it, counted from 1
  std::uint64_t number = 0;
  double time = 0;
};
using ScriptMessage = std::variant<ArrayMessage, UpdateMessage>;

// Of a script. UpdateMessage::slot is only known to be below kMostSlots.
ScriptMessage readMessage(std::string_view bytes);
std::string freeMessage(std::uint32_t slot, std::uint32_t form);
std::string refusedMessage(std::string_view why);  // shortened where it is longer than a message can be

// {"shape": [rows, columns] or [points], "complex": false, "slots": 2, "title": "Temperature", "symbol": "u",
//  "unit": "K", "x": {"low": 0, "high": 1, "title": "x", "unit": "m"}, "y": {…}, "time_unit": "s", "range": [0, 1],
//  "colormap": "inferno", "symmetric": false, "source": "python3, process 1234"}; only the shape must be there.
ArrayMessage arrayOf(std::string_view json);

// Of one array in the memory file: whole pages.
std::size_t slotBytes(const LiveArray& array) noexcept;

}  // namespace simscope::live
