#include "sims/core/archive.h"

#include <fmt/format.h>

#include <cmath>

namespace simscope {
namespace {

constexpr const char* kNumbers = "run";

std::size_t elementBytes(std::string_view dtype) {
  return static_cast<std::size_t>(dtype[2] - '0') * (dtype.size() > 3 ? 10 : 1) +
         (dtype.size() > 3 ? static_cast<std::size_t>(dtype[3] - '0') : 0);
}

}  // namespace

void Archive::refuse(const char* array, const std::string& why) const {
  throw UsageError(fmt::format("the state's array '{}' {}", array, why));
}

std::span<const std::byte> Archive::rowsOf(const StateArray& array, StateRows rows) {
  const std::span<const std::byte> bytes = array.bytes;
  if (array.part) return bytes;
  const std::size_t row = bytes.size() / array.shape.front();
  return bytes.subspan(rows.first * row, rows.count * row);
}

void SaveArchive::array(Array entry, const Getting& get, const Staging&) {
  state_.arrays.push_back({entry.name, entry.dtype, std::move(entry.shape), get()});
  if (in_parts_) state_.arrays.back().part = entry.rows;
}

double SaveArchive::exchange(const Number&, double present) {
  numbers_.push_back(present);
  return present;
}

void SaveArchive::finish() {
  if (!numbers_.empty()) {
    state_.arrays.push_back(arrayOf(kNumbers, kDtypeOf<double>, {numbers_.size()}, numbers_));
  }
}

void ListArchive::array(Array entry, const Getting&, const Staging&) {
  arrays_.push_back(std::move(entry));
}

double ListArchive::exchange(const Number& number, double present) {
  numbers_.push_back(number);
  return present;
}

std::size_t ListArchive::bytes() const noexcept {
  std::size_t sum = numbers_.size() * sizeof(double);
  for (const Array& each : arrays_) {
    std::size_t bytes = elementBytes(each.dtype);
    for (const std::size_t extent : each.shape) bytes *= extent;
    sum += bytes;
  }
  return sum;
}

LoadArchive::LoadArchive(std::string simulation, const State& state, std::size_t numbers)
    : reader_(std::move(simulation), state), steps_(state.steps), has_numbers_(numbers > 0 && reader_.has(kNumbers)) {
  if (has_numbers_) numbers_ = reader_.numbers(kNumbers, numbers);
}

std::size_t LoadArchive::extent(const char* array, std::size_t axis, std::size_t present, std::size_t most) {
  if (!reader_.has(array)) return present;
  const Shape& shape = reader_.array(array).shape;
  if (axis >= shape.size() || shape[axis] < 1 || shape[axis] > most) {
    refuse(array, fmt::format("must have 1 to {} values along its axis {}", most, axis));
  }
  return shape[axis];
}

void LoadArchive::array(Array entry, const Getting&, const Staging& stage) {
  const StateArray* found = nullptr;
  if (entry.when_missing == WhenMissing::Refuse || reader_.has(entry.name)) {
    found = &reader_.array(entry.name, entry.dtype, entry.shape, entry.range, entry.rows);
  }
  if (Taking taking = stage(found)) taking_.push_back(std::move(taking));
}

double LoadArchive::exchange(const Number& number, double present) {
  if (!has_numbers_) return present;
  const double value = numbers_.at(next_);
  reader_.require(kNumbers, next_++, {number.name, number.range, number.whole}, value);
  return value;
}

void LoadArchive::take() {
  for (const Taking& each : taking_) each();
}

}  // namespace simscope
