// The parameters of a simulation, with key, unit, range, and help, described once.
//
// ParameterInfo describes one parameter for panels, command line, scenes, and tests. ParameterSet holds one checked
// value per parameter. Both are plain host data: any thread, copy freely.
// Errors: UsageError for an unknown key or a value out of range. The message names the key, the allowed range, and
// the nearest valid choice; the set is unchanged. Where one parameter is the cause it is a ParameterError, which has
// its key, so that no caller parses the message.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sims/compute/error.h"
#include "sims/core/relevance.h"

namespace simscope {

enum class Kind { Flag, Integer, Real, Choice, Text };
enum class Applies { Live, OnReset };  // between two steps, or with the next reset
enum class Scale { Linear, Log };
enum class TextUse { Plain, Formula, ImageFile, DataFile };  // how a panel offers a text

// bool for Flag, int64 for Integer, double for Real, string for Choice (one of the keys) and Text.
using Value = std::variant<bool, std::int64_t, double, std::string>;

// A parameter's value cannot be used as it is. Simulations also throw it for values that conflict, with the key that
// the message asks to change.
class ParameterError : public UsageError {
 public:
  ParameterError(std::string key, const std::string& message) : UsageError(message), key_(std::move(key)) {}
  const std::string& key() const noexcept { return key_; }

 private:
  std::string key_;
};

// Calls `work`, which uses a parameter's value; rethrows its UsageError as ParameterError.
template <class Work>
decltype(auto) forParameter(const char* key, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const UsageError& error) {
    throw ParameterError(key, error.what());
  }
}

// One of the values of a choice: the key in scripts and scenes, and the title for people.
struct Choice {
  std::string key = {};    // "angular_spectrum"
  std::string title = {};  // "Angular spectrum"
  bool operator==(const Choice&) const = default;
};

// The name of a parameter under a condition: "Coulomb constant k" among charges.
struct Alias {
  Relevance when = {};
  std::string title = {}, unit = {};
};

struct ParameterInfo {
  std::string key = {};    // "barrier_height"
  std::string title = {};  // "Barrier height V₀"
  std::string unit = {};   // "ħ²/(m·length²)"; empty for pure numbers
  std::string help = {};   // a sentence for the tooltip
  Kind kind = Kind::Real;
  Applies applies = Applies::Live;
  Scale scale = Scale::Linear;
  Value initial = {};  // the default
  double minimum = 0;  // Integer and Real, inclusive
  double maximum = 0;
  bool power_of_two = false;          // Integer: only powers of two between minimum and maximum
  std::vector<Choice> choices = {};   // Choice
  TextUse text_use = TextUse::Plain;  // Text
  std::string group = {};             // a heading in the panel: "Packet", "Potential", "Numerics"
  // When it matters. Where it does not, the run is the same to the bit for any value (the contract test checks that);
  // the value is kept.
  Relevance relevant = {};
  std::vector<Alias> aliases = {};  // the first whose condition holds replaces title and unit
};

// The value as users write it: on/off, 4096, 0.05, barrier. Reals print the shortest text that reads back the same.
std::string toText(const Value& value);
// The allowed range as a message states it: "16 to 65536, powers of two", "one of: barrier, step", "on or off".
std::string rangeText(const ParameterInfo& info);
// The value for people: a choice by its title, all others as above.
std::string shownText(const ParameterInfo& info, const Value& value);
// The title of the choice with this key; the key where there is none.
std::string choiceTitle(const ParameterInfo& info, const std::string& key);
// Reads `text` as a value of `info`, checked. Real takes 0.05 and 5e-2; Integer refuses 4.5; Flag takes
// on/off/true/false/1/0.
Value parseValue(const ParameterInfo& info, std::string_view text);
// Returns `value`, with integers widened where `info` is Real; throws if it is not valid.
Value checkedValue(const ParameterInfo& info, const Value& value);
// The nearest name in `names` by edit distance, or an empty text where none is near (for "did you mean").
std::string closestName(std::string_view name, std::span<const std::string> names);

class ParameterSet {
 public:
  ParameterSet() = default;
  // All defaults. `infos` is shared with the description.
  explicit ParameterSet(std::shared_ptr<const std::vector<ParameterInfo>> infos);

  std::span<const ParameterInfo> infos() const noexcept;
  std::size_t size() const noexcept { return values_.size(); }
  // Position of a key; UsageError with the closest key where there is none.
  std::size_t find(std::string_view key) const;

  const Value& operator[](std::size_t index) const { return values_.at(index); }
  const Value& get(std::string_view key) const { return values_.at(find(key)); }
  double real(std::string_view key) const;  // Integer and Real
  std::int64_t integer(std::string_view key) const;
  bool flag(std::string_view key) const;
  const std::string& text(std::string_view key) const;  // Choice and Text

  // ParameterInfo::relevant, for these values.
  bool matters(std::size_t index) const;
  // The parameter's name under these values: that of an alias, or its own title and unit.
  const std::string& title(std::size_t index) const;
  const std::string& unit(std::size_t index) const;

  void set(std::size_t index, const Value& value);
  void set(std::string_view key, const Value& value) { set(find(key), value); }
  void setText(std::string_view key, std::string_view text);  // as typed: parseValue

  // Indices whose values differ from the defaults, or from `other`'s (a set of the same description).
  std::vector<std::size_t> changed() const;
  std::vector<std::size_t> changed(const ParameterSet& other) const;
  // The first that applies on reset and differs from `other`'s; null: none does.
  const ParameterInfo* firstOnReset(const ParameterSet& other) const;
  bool needsReset(const ParameterSet& other) const { return firstOnReset(other) != nullptr; }
  bool operator==(const ParameterSet& other) const { return values_ == other.values_; }

 private:
  const Alias* alias(std::size_t index) const;

  std::shared_ptr<const std::vector<ParameterInfo>> infos_;
  std::vector<Value> values_;
};

}  // namespace simscope
