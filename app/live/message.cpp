#include "app/live/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "app/render/figure/colormap.h"
#include "sims/core/words.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope::live {

static_assert(std::endian::native == std::endian::little, "messages and arrays are little-endian");

namespace {

using Json = nlohmann::json;

constexpr std::string_view kMagic = "SIMS";
constexpr std::size_t kHeader = 8, kPage = 4096, kLongestWord = 120, kLongestReason = 2000;
constexpr int kDeepest = 4;
constexpr double kLargest = 1e300;  // of limits: their difference is a number, too
constexpr std::uint16_t kArray = 1, kUpdate = 2, kFree = 3, kRefused = 4, kDevice = 5, kSlots = 6, kOpened = 7,
                        kDeviceUpdate = 8;
constexpr std::size_t kUpdateBytes = 40, kDeviceUpdateBytes = kUpdateBytes + 32, kHandle = 64;
constexpr std::size_t kSlotsBytes = 16 + 8 + 4 + kHandle;  // without the events

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("show: " + why);
}

template <class T>
T numberAt(std::string_view bytes, std::size_t at) {
  T number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

template <class T>
void append(std::string& bytes, T number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string begun(std::uint16_t kind) {
  std::string bytes(kMagic);
  append(bytes, kVersion);
  append(bytes, kind);
  return bytes;
}

std::string textOf(const Json& object, const char* key, const std::string& usual) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return usual;
  if (!found->is_string()) refuse(fmt::format("{} is not a text", key));
  return foreign::shown(found->get_ref<const std::string&>(), kLongestWord);
}

bool flagOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return false;
  if (!found->is_boolean()) refuse(fmt::format("{} must be true or false", key));
  return found->get<bool>();
}

double limitOf(const Json& value, const char* what, double largest = kLargest) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(std::abs(number) <= largest))
    refuse(fmt::format("{} needs numbers between -{:.2g} and {:.2g}", what, largest, largest));
  return number;
}

void requireOrder(double low, double high, const char* what) {
  if (!(low < high)) refuse(fmt::format("{} begins at {:g} and must end above it, not at {:g}", what, low, high));
}

void readAxis(const Json& document, const char* key, LiveAxis& axis) {
  const auto found = document.find(key);
  if (found == document.end()) return;
  if (!found->is_object()) refuse(fmt::format("{} is not an axis", key));
  axis.title = textOf(*found, "title", axis.title);
  axis.unit = textOf(*found, "unit", "");
  if (found->contains("low")) axis.low = limitOf((*found)["low"], key);
  if (found->contains("high")) axis.high = limitOf((*found)["high"], key);
  requireOrder(axis.low, axis.high, key);
}

int wholeOf(const Json& value, std::int64_t most, const char* what) {
  const bool whole = value.is_number_unsigned();
  const std::uint64_t number = whole ? value.get<std::uint64_t>() : 0;
  if (number < 1 || number > static_cast<std::uint64_t>(most)) {
    refuse(fmt::format("{} must be a whole number from 1 to {}", what, most));
  }
  return static_cast<int>(number);
}

void readShape(const Json& document, LiveArray& array) {
  const auto found = document.find("shape");
  if (found == document.end() || !found->is_array() || found->empty() || found->size() > 2) {
    refuse("an array has one or two dimensions: shape is [points], or [rows, columns]");
  }
  array.plane = found->size() == 2;
  array.width = wholeOf(found->back(), kLongestSide, "the number of columns or points");
  if (array.plane) array.height = wholeOf(found->front(), kLongestSide, "the number of rows");
  if (array.elements() > kMostElements) {
    refuse(fmt::format("{} × {} elements are more than {} (8192 × 8192): show every second one, u[::2, ::2]",
                       array.height, array.width, kMostElements));
  }
}

void readColours(const Json& document, LiveArray& array) {
  array.symmetric = flagOf(document, "symmetric");
  array.colormap = textOf(document, "colormap", "");
  const std::vector<std::string> known = render::colormapNames();
  if (!array.colormap.empty() && std::find(known.begin(), known.end(), array.colormap) == known.end()) {
    std::string names;
    for (const std::string& each : known) names += (names.empty() ? "" : ", ") + each;
    refuse(fmt::format("there is no colormap {}{} Colormaps: {}.", foreign::quoted(array.colormap),
                       didYouMean(array.colormap, known, "."), names));
  }
  const auto range = document.find("range");
  if (range == document.end() || range->is_null()) return;
  if (!range->is_array() || range->size() != 2) refuse("range is [low, high]");
  constexpr double kLargestValue = std::numeric_limits<float>::max();
  array.range = {limitOf((*range)[0], "range", kLargestValue), limitOf((*range)[1], "range", kLargestValue)};
  requireOrder(array.range->first, array.range->second, "range");
}

void requireSize(std::string_view payload, std::size_t bytes, const char* what) {
  if (payload.size() != bytes) refuse(fmt::format("{} has {} bytes, not {}", what, bytes, payload.size()));
}

UpdateMessage updateOf(std::string_view payload) {
  requireSize(payload, kUpdateBytes, "an update");
  UpdateMessage update{numberAt<std::uint32_t>(payload, 0),
                       numberAt<std::uint32_t>(payload, 4),
                       numberAt<std::uint64_t>(payload, 8),
                       numberAt<double>(payload, 16),
                       {numberAt<double>(payload, 24), numberAt<std::uint64_t>(payload, 32)}};
  if (update.slot >= static_cast<std::uint32_t>(kMostSlots)) refuse(fmt::format("there is no slot {}", update.slot));
  if (update.number == 0) refuse("updates are counted from 1");
  if (!std::isfinite(update.time)) refuse("the time of an update must be a number");
  if (!(update.lost.spread >= 0 && std::isfinite(update.lost.spread)))
    refuse("a difference must be a number from 0 on");
  return update;
}

template <std::size_t size>
std::array<unsigned char, size> bytesAt(std::string_view payload, std::size_t at) {
  std::array<unsigned char, size> bytes;
  std::memcpy(bytes.data(), payload.data() + at, size);
  return bytes;
}

SlotsMessage slotsOf(std::string_view payload) {
  if (payload.size() < kSlotsBytes) refuse("the message of slots on a device is too short");
  const auto slots = numberAt<std::uint32_t>(payload, 24);
  if (slots < 1 || slots > static_cast<std::uint32_t>(kMostSlots)) {
    refuse(fmt::format("slots on a device must be 1 to {}", kMostSlots));
  }
  requireSize(payload, kSlotsBytes + slots * kHandle, "the message of slots on a device");
  SlotsMessage read;
  read.device = bytesAt<16>(payload, 0);
  const auto bytes = numberAt<std::uint64_t>(payload, 16);
  if (bytes < 1 || bytes > kMostSlotBytes) refuse(fmt::format("a slot has 1 to {} bytes", kMostSlotBytes));
  read.offer.slot_bytes = bytes;
  read.offer.memory = bytesAt<kHandle>(payload, 28);
  for (std::size_t i = 0; i < slots; ++i) {
    read.offer.written.push_back(bytesAt<kHandle>(payload, kSlotsBytes + i * kHandle));
  }
  return read;
}

DeviceUpdateMessage deviceUpdateOf(std::string_view payload) {
  requireSize(payload, kDeviceUpdateBytes, "an update on a device");
  DeviceUpdateMessage read;
  read.update = updateOf(payload.substr(0, kUpdateBytes));
  read.slots = numberAt<std::uint32_t>(payload, kUpdateBytes);
  const auto type = numberAt<std::uint32_t>(payload, kUpdateBytes + 4);
  constexpr auto kFirst = static_cast<std::uint32_t>(ElementType::Float16);
  constexpr auto kLast = static_cast<std::uint32_t>(ElementType::BFloat16);
  if (type < kFirst || type > kLast) refuse(fmt::format("there is no type of element {}", type));
  read.type = static_cast<ElementType>(type);
  read.layout = {numberAt<std::int64_t>(payload, kUpdateBytes + 8), numberAt<std::int64_t>(payload, kUpdateBytes + 16),
                 numberAt<std::int64_t>(payload, kUpdateBytes + 24)};
  return read;
}

}  // namespace

ArrayMessage arrayOf(std::string_view json) {
  if (foreign::nestedOver(json, kDeepest)) refuse("the description is nested too deeply");
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) refuse("the description of the array is not a JSON object");
  ArrayMessage read;
  LiveArray& array = read.array;
  readShape(document, array);
  array.complex = flagOf(document, "complex");
  array.title = textOf(document, "title", "");
  array.symbol = textOf(document, "symbol", array.complex ? "ψ" : "u");
  array.unit = textOf(document, "unit", "");
  array.source = textOf(document, "source", "another program");
  // Where nothing else is said, an element is at its index: of a field the middle of its cell.
  const double edge = array.plane ? 0.5 : 0;
  array.x.low = array.y.low = -edge;
  array.x.high = array.width - edge;
  array.y.high = array.height - edge;
  readAxis(document, "x", array.x);
  readAxis(document, "y", array.y);
  if (document.contains("time_unit")) array.time_unit = textOf(document, "time_unit", "");
  readColours(document, array);
  if (document.contains("slots")) read.slots = wholeOf(document["slots"], kMostSlots, "slots");
  return read;
}

ScriptMessage readMessage(std::string_view bytes) {
  if (bytes.size() > kMostBytes) refuse(fmt::format("a message has at most {} bytes", kMostBytes));
  if (bytes.size() < kHeader || bytes.substr(0, kMagic.size()) != kMagic) {
    refuse("the socket received something that is not a message of simscope");
  }
  const auto version = numberAt<std::uint16_t>(bytes, 4);
  if (version != kVersion) {
    refuse(
        fmt::format("the script's package uses version {} of the messages, this program version {}: install both "
                    "from the same simscope",
                    version, kVersion));
  }
  const auto kind = numberAt<std::uint16_t>(bytes, 6);
  if (kind == kArray) return arrayOf(bytes.substr(kHeader));
  if (kind == kUpdate) return updateOf(bytes.substr(kHeader));
  if (kind == kSlots) return slotsOf(bytes.substr(kHeader));
  if (kind == kDeviceUpdate) return deviceUpdateOf(bytes.substr(kHeader));
  refuse(fmt::format("there is no message of kind {}", kind));
}

std::string freeMessage(std::uint32_t slot, std::uint32_t form, std::uint32_t slots,
                        std::chrono::microseconds reading) {
  std::string bytes = begun(kFree);
  append(bytes, slot);
  append(bytes, form);
  append(bytes, slots);
  constexpr std::chrono::microseconds kMost(std::numeric_limits<std::uint32_t>::max());
  append(bytes, static_cast<std::uint32_t>(std::clamp(reading, std::chrono::microseconds(0), kMost).count()));
  return bytes;
}

std::string deviceMessage(const Uuid& device, std::string_view why_none) {
  std::string bytes = begun(kDevice);
  append(bytes, device);
  return bytes + foreign::shown(why_none, kLongestReason);
}

std::string openedMessage(std::uint32_t slots, std::string_view why_not) {
  std::string bytes = begun(kOpened);
  append(bytes, slots);
  return bytes + foreign::shown(why_not, kLongestReason);
}

Uuid uuidOf(std::string_view identity) noexcept {
  Uuid uuid{};
  if (identity.size() != 2 * uuid.size()) return {};
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    const char* const first = identity.data() + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, uuid[i], 16);
    if (error != std::errc{} || end != first + 2) return {};
  }
  return uuid;
}

std::string refusedMessage(std::string_view why) {
  return begun(kRefused) + foreign::shown(why, kLongestReason);
}

std::size_t slotBytes(const LiveArray& array) noexcept {
  const auto bytes = static_cast<std::size_t>(array.elements()) * array.components() * sizeof(float);
  return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace simscope::live
