// The messages on the socket of `simscope show`: small, of a fixed form, one packet each (SOCK_SEQPACKET).
//
//   bytes 0-3 "SIMS", 4-5 the version, 6-7 the kind (little-endian, as all that follows), then
//   kind 1, Array (from the script; with a memory file beside it, or without one: the memory of an Array of the same
//           shape and type goes on): JSON, see arrayOf()
//   kind 2, Update (from the script): u32 slot, u32 of which Array (the first is 1), u64 number from 1, f64 time, f64
//           and u64: what single precision loses, as Lost has it (sims/live/elements.h)
//   kind 3, Free (to the script): u32 slot, u32 of which Array, u32 of which Slots (0: a slot of the memory file), u32
//           microseconds that the window's device took to read it, which are many while it is busy for the script (0:
//           none of a device, or not read)
//   kind 4, Refused (to the script): UTF-8, why; the socket is closed then
// The memory file holds `slots` arrays one after another, each of slotBytes(). A slot belongs to the script until its
// Update, and again after its Free.
//
// Arrays on a CUDA device need not pass the host:
//   kind 5, Device (to the script, when it changes): 16 bytes, the UUID of the CUDA device that the window computes on,
//           or zeros; then UTF-8, why none
//   kind 6, Slots (from the script): 16 bytes UUID, u64 bytes of a slot, u32 slots, then 64 bytes, the handle of their
//           memory, and 64 bytes for each of them, of an event that passes when it is written. Former ones are closed.
//   kind 7, Opened (to the script): u32 which Slots (the first is 1), UTF-8, why not; nothing: they may be used
//   kind 8, DeviceUpdate (from the script): as Update of a slot of these, then u32 of which Slots, u32 ElementType, i64
//           first, i64 row step, i64 column step (sims/live/elements.h), in elements
// An Update that the window cannot use is returned by Free at once. Pure; any thread. Errors: UsageError with a message
// for the user.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "sims/compute/foreign_slots.h"
#include "sims/live/elements.h"
#include "sims/live/live.h"

namespace simscope::live {

inline constexpr std::uint16_t kVersion = 4;
inline constexpr std::size_t kMostBytes = 16384;  // per message
inline constexpr int kMostSlots = 4;
// For a slot on a device: an array of complex numbers in double precision, in a buffer four times as large.
inline constexpr std::uint64_t kMostSlotBytes = std::uint64_t{kMostElements} * 16 * 4;

struct ArrayMessage {
  LiveArray array;
  int slots = 2;
};
struct UpdateMessage {
  std::uint32_t slot = 0;
  std::uint32_t form = 0;  // which Array message describes it, counted from 1
  std::uint64_t number = 0;
  double time = 0;
  Lost lost = {};
};
using Uuid = std::array<unsigned char, 16>;
struct SlotsMessage {
  Uuid device{};
  compute::ForeignSlots::Offer offer;
};
struct DeviceUpdateMessage {
  UpdateMessage update;
  std::uint32_t slots = 0;  // which Slots message, counted from 1
  ElementType type = ElementType::Float32;
  Layout layout;  // unchecked: use fits()
};
using ScriptMessage = std::variant<ArrayMessage, UpdateMessage, SlotsMessage, DeviceUpdateMessage>;

// From a script. UpdateMessage::slot is only known to be below kMostSlots.
ScriptMessage readMessage(std::string_view bytes);
std::string freeMessage(std::uint32_t slot, std::uint32_t form, std::uint32_t slots = 0,
                        std::chrono::microseconds reading = {});
std::string deviceMessage(const Uuid& device, std::string_view why_none);
std::string openedMessage(std::uint32_t slots, std::string_view why_not);
std::string refusedMessage(std::string_view why);  // shortened if it exceeds a message

// {"shape": [rows, columns] or [points], "complex": false, "slots": 2, "title": "Temperature", "symbol": "u",
//  "unit": "K", "x": {"low": 0, "high": 1, "title": "x", "unit": "m"}, "y": {…}, "time_unit": "s", "range": [0, 1],
//  "colormap": "inferno", "symmetric": false, "source": "python3, process 1234"}; only the shape must be there.
ArrayMessage arrayOf(std::string_view json);

// From a name returned by Device::identityOfCuda; zeros for anything else.
Uuid uuidOf(std::string_view identity) noexcept;

// Of one array in the memory file: whole pages.
std::size_t slotBytes(const LiveArray& array) noexcept;

}  // namespace simscope::live
