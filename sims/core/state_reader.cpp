#include "sims/core/state_reader.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sims/core/timeline/timeline.h"

namespace simscope {
namespace {

std::string shapeText(const StateReader::Shape& shape) {
  std::string text;
  for (const std::size_t extent : shape) text += (text.empty() ? "" : " × ") + std::to_string(extent);
  return text.empty() ? "1" : text;
}

// The place of an element as NumPy counts: [row, column].
std::string placeText(const StateReader::Shape& shape, std::size_t at) {
  std::string text;
  for (std::size_t k = shape.size(); k-- > 0; at /= shape[k]) {
    text = std::to_string(at % shape[k]) + (text.empty() ? "" : ", ") + text;
  }
  return "[" + text + "]";
}

std::string rangeText(StateRange range, bool whole) {
  constexpr StateRange kAny{};
  const std::string kind = whole ? "a whole number" : "a finite number";
  if (range.low <= kAny.low && range.high >= kAny.high) return kind;
  if (range.high >= kAny.high) return fmt::format("{}, {} or more", kind, range.low);
  return fmt::format("{} from {} to {}", kind, range.low, range.high);
}

// The first component that is not in the range; their number where all are.
template <class T>
std::size_t firstOutside(const std::vector<std::byte>& bytes, StateRange range) {
  constexpr std::size_t kBlock = 4096;
  const std::size_t count = bytes.size() / sizeof(T);
  T block[kBlock];
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t length = count - begin < kBlock ? count - begin : kBlock;
    std::memcpy(block, bytes.data() + begin * sizeof(T), length * sizeof(T));
    const auto inside = [&](std::size_t i) {
      const auto value = static_cast<double>(block[i]);
      return value >= range.low && value <= range.high;
    };
    bool all = true;
    for (std::size_t i = 0; i < length; ++i) all &= inside(i);
    if (all) continue;
    std::size_t i = 0;
    while (inside(i)) ++i;
    return begin + i;
  }
  return count;
}

template <class T>
std::string valueText(const std::vector<std::byte>& bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return fmt::format("{}", value);
}

}  // namespace

StateReader::StateReader(std::string simulation, const State& state)
    : simulation_(std::move(simulation)), state_(state) {
  if (state.simulation != simulation_) {
    throw UsageError(fmt::format("{}: the state belongs to another simulation", simulation_));
  }
  if (state.steps < 0 || state.steps > Timeline::kLastStep) {
    throw UsageError(fmt::format("{}: the state's number of steps is {}; it must be from 0 to {}", simulation_,
                                 state.steps, Timeline::kLastStep));
  }
  if (!std::isfinite(state.time)) {
    throw UsageError(fmt::format("{}: the state's time is {}; it must be a finite number", simulation_, state.time));
  }
}

void StateReader::refuse(std::string_view array, const std::string& why) const {
  throw UsageError(fmt::format("{}: the state's array '{}' {}", simulation_, array, why));
}

const StateArray& StateReader::array(std::string_view name) const {
  if (const StateArray* const found = state_.find(name)) return *found;
  throw UsageError(fmt::format("{}: the state has no array '{}'", simulation_, name));
}

const StateArray& StateReader::inMemory(const StateArray& found, std::optional<StateRows> rows) const {
  if (found.part && !(rows && rows->first == found.part->first && rows->count == found.part->count)) {
    refuse(found.name, "contains the rows of another rank");
  }
  if (!found.source) return found;
  StateArray& read = read_.emplace_back(StateArray{found.name, found.dtype, found.shape, {}});
  const StateRows all{0, found.shape.empty() ? 1 : found.shape.front()};
  read.bytes = found.source->read(rows.value_or(all));
  if (rows) read.part = rows;
  return read;
}

const StateArray& StateReader::array(std::string_view name, const char* dtype, const Shape& shape, StateRange range,
                                     std::optional<StateRows> rows) const {
  const StateArray& there = array(name);
  const std::string_view type = dtype;
  const bool doubles = type == "<f8" || type == "<c16";
  const std::size_t components = type[1] == 'c' ? 2 : 1, component = doubles ? sizeof(double) : sizeof(float);
  std::size_t bytes = components * component;
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) refuse(name, "has a shape that overflows");
  }
  const std::size_t has = there.source ? there.source->bytes() : there.part ? bytes : there.bytes.size();
  if (there.dtype != type || there.shape != shape || has != bytes) {
    refuse(name, fmt::format("must have {} values of type {}; it has {} of {}, {} bytes", shapeText(shape), type,
                             shapeText(there.shape), type == there.dtype ? "the same type" : "another type", has));
  }
  const StateArray& found = inMemory(there, rows);
  const std::size_t row = shape.empty() || shape.front() == 0 ? 0 : bytes / shape.front();
  if (found.part && found.bytes.size() != found.part->count * row) {
    refuse(name, fmt::format("has {} bytes in {} rows", found.bytes.size(), found.part->count));
  }
  const bool integers = type[1] == 'i';
  const std::size_t count = found.bytes.size() / component;
  const std::size_t outside = doubles    ? firstOutside<double>(found.bytes, range)
                              : integers ? firstOutside<std::int32_t>(found.bytes, range)
                                         : firstOutside<float>(found.bytes, range);
  if (outside == count) return found;
  const std::string value = doubles    ? valueText<double>(found.bytes, outside)
                            : integers ? valueText<std::int32_t>(found.bytes, outside)
                                       : valueText<float>(found.bytes, outside);
  const std::size_t before = found.part ? found.part->first * row / (components * component) : 0;
  refuse(name, fmt::format("is {} at {}; it must be {}", value, placeText(shape, before + outside / components),
                           rangeText(range, integers)));
}

std::vector<double> StateReader::numbers(std::string_view name, std::size_t count) const {
  const StateArray& found = inMemory(array(name), {});
  const bool typed = found.dtype == kDtypeOf<double>;
  if (!typed || found.shape != Shape{count} || found.bytes.size() != count * sizeof(double)) {
    refuse(name, fmt::format("must have {} values of type {}; it has {} of {}, {} bytes", count, kDtypeOf<double>,
                             shapeText(found.shape), typed ? "the same type" : "another type", found.bytes.size()));
  }
  return valuesOf<double>(found);
}

void StateReader::require(std::string_view array, std::size_t at, const StateField& field, double value) const {
  const bool inside = value >= field.range.low && value <= field.range.high;
  if (inside && (!field.whole || value == std::trunc(value))) return;
  refuse(array,
         fmt::format("is {} at [{}], {}; it must be {}", value, at, field.name, rangeText(field.range, field.whole)));
}

}  // namespace simscope
