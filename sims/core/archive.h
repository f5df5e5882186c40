// A simulation's state, described once: Simulation::visit() names its arrays and numbers to an Archive. That one table
// serves saving, loading with every check, the size of a state, a move to another device, and what `simscope list
// SIMULATION` prints of snapshots.
//
// Arrays come from device memory (buffer) or from functions of the simulation (values). All numbers together form the
// array "run", doubles in the order in which they are named. A visit() may ask what the archive will give (extent(),
// number()) and refuse() it. It changes the simulation only through what it hands over: loading checks and stages
// everything first, and takes it in the order of the table once all of it has passed.
// Thread: the simulation's, inside Device::run. Errors: UsageError naming the simulation, the array, the index, and
// what is allowed; OutOfMemory. The state is then unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/state.h"
#include "sims/core/state_reader.h"
#include "sims/core/timeline/kept_state.h"

namespace simscope {

// Loading a state without the array: it is refused, or the buffer is left empty, or filled with zeros, or left to
// Simulation::loaded().
enum class WhenMissing { Refuse, Empty, Zero, Leave };

class Archive {
 public:
  using Shape = StateReader::Shape;
  // The table's entry of an array; `what` is for people, a noun phrase with its unit and the order of its axes.
  struct Array {
    const char* name;
    const char* what;
    const char* dtype;  // NumPy's
    Shape shape;
    StateRange range;
    WhenMissing when_missing;
    std::optional<StateRows> rows = {};  // the rows that this rank holds, if not all
  };
  struct Number {
    const char* name;
    StateRange range;
    bool whole;
  };

  virtual ~Archive() = default;
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  virtual bool loading() const noexcept { return false; }
  // Non-null where buffers stay on the device: in copies that a run keeps to go back to. Such a state is trusted and
  // not checked.
  virtual KeptState* onDevice() noexcept { return nullptr; }
  // Saving: whether only each rank's own rows of divided arrays are saved.
  virtual bool inParts() const noexcept { return false; }
  // Loading: whether the state has this entry; true otherwise.
  virtual bool has(const char*) const { return true; }
  // The steps of the state that is being loaded; otherwise `present`.
  virtual std::int64_t steps(std::int64_t present) const noexcept { return present; }
  // The extent of an array's axis: when loading, that of the state, from 1 to `most`; otherwise `present`.
  virtual std::size_t extent(const char* array, std::size_t axis, std::size_t present, std::size_t most) {
    (void)array, (void)axis, (void)most;
    return present;
  }
  [[noreturn]] virtual void refuse(const char* array, const std::string& why) const;

  // Device memory. Element: the type of the array's elements, where T has several of them (they are then the last
  // axis). An empty buffer is not saved where it may be missing; loading makes it as large as the shape says.
  template <class Element, class T>
  void buffer(const char* name, const char* what, Shape shape, compute::Buffer<T>& buffer,
              const compute::DevicePtr& device, StateRange range = {}, WhenMissing when_missing = WhenMissing::Refuse) {
    static_assert(kDtypeOf<Element> != nullptr && sizeof(T) % sizeof(Element) == 0);
    if (!loading() && buffer.empty() && when_missing != WhenMissing::Refuse) return;
    if (KeptState* const kept = onDevice()) {
      if (!loading()) return kept->add(name, kDtypeOf<Element>, std::move(shape), buffer.data(), buffer.bytes());
      if (Taking taking = stageKept(buffer, device, kept->find(name), when_missing)) then(std::move(taking));
      return;
    }
    array(
        {name, what, kDtypeOf<Element>, std::move(shape), range, when_missing},
        [&buffer] {
          std::vector<std::byte> bytes(buffer.bytes());
          if (!buffer.empty()) buffer.device()->download(bytes.data(), buffer.data(), bytes.size());
          return bytes;
        },
        [&buffer, &device, when_missing](const StateArray* found) {
          return stage(buffer, device, found, when_missing);
        });
  }
  template <class T>
  void buffer(const char* name, const char* what, Shape shape, compute::Buffer<T>& held,
              const compute::DevicePtr& device, StateRange range = {}, WhenMissing when_missing = WhenMissing::Refuse) {
    buffer<T, T>(name, what, std::move(shape), held, device, range, when_missing);
  }

  // Saving calls `get`; loading calls `set` once all has passed. Missing: `set` is not called.
  template <class T>
  void values(const char* name, const char* what, Shape shape, std::function<std::vector<T>()> get,
              std::function<void(std::vector<T>)> set, StateRange range = {},
              WhenMissing when_missing = WhenMissing::Refuse) {
    array(
        {name, what, kDtypeOf<T>, std::move(shape), range, when_missing},
        [get = std::move(get)] { return bytesOf(get()); },
        [set = std::move(set)](const StateArray* found) -> Taking {
          if (!found) return {};
          return [set, found] { set(valuesOf<T>(*found)); };
        });
  }

  // Likewise an array of which each rank holds some rows: `own` are this one's. `get` returns those, or on rank 0 all
  // rows if asked for all; `set` takes the rank's own.
  template <class T>
  void rows(const char* name, const char* what, Shape shape, StateRows own,
            std::function<std::vector<std::byte>(bool all)> get, std::function<void(std::span<const std::byte>)> set,
            StateRange range = {}, WhenMissing when_missing = WhenMissing::Refuse) {
    array(
        {name, what, kDtypeOf<T>, std::move(shape), range, when_missing, own},
        [get = std::move(get), all = !inParts()] { return get(all); },
        [set = std::move(set), own](const StateArray* found) -> Taking {
          if (!found) return {};
          return [set, own, found] { set(rowsOf(*found, own)); };
        });
  }

  // A number, an index, or a bool. Returns its value after loading. In a state without "run" it stays.
  template <class T>
  T number(const char* name, T& value, StateRange range = {}, bool whole = std::is_integral_v<T>) {
    static_assert(std::is_arithmetic_v<T>);
    const double kept = exchange({name, within<T>(range), whole}, static_cast<double>(value));
    if (!loading()) return value;
    const T taken = static_cast<T>(kept);
    then([&value, taken] { value = taken; });
    return taken;
  }
  // A number that is the same in every state.
  void constant(const char* name, double value) { exchange({name, {value, value}, true}, value); }

  // Runs `action` when all has passed, at its position in the table.
  virtual void then(std::function<void()> action) { (void)action; }

 protected:
  using Taking = std::function<void()>;
  using Getting = std::function<std::vector<std::byte>()>;
  using Staging = std::function<Taking(const StateArray*)>;

  Archive() = default;
  virtual void array(Array entry, const Getting& get, const Staging& stage) = 0;
  // Hands `present` over, and returns the value to use.
  virtual double exchange(const Number& number, double present) = 0;

 private:
  static std::span<const std::byte> rowsOf(const StateArray& array, StateRows rows);
  template <class T>
  static std::vector<std::byte> bytesOf(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span<const T>(values));
    return {bytes.begin(), bytes.end()};
  }

  template <class T>
  static StateRange within(StateRange range) {
    if constexpr (std::is_same_v<T, bool>) return kYesOrNo;
    // The largest value of a wide type is not a double: the next double below it is used.
    constexpr double kLow = static_cast<double>(std::numeric_limits<T>::lowest());
    constexpr double kHigh = sizeof(T) < sizeof(double) || std::is_floating_point_v<T>
                                 ? static_cast<double>(std::numeric_limits<T>::max())
                                 : 9007199254740992.0;
    return {range.low < kLow ? kLow : range.low, range.high > kHigh ? kHigh : range.high};
  }

  template <class T>
  static Taking stageKept(compute::Buffer<T>& buffer, const compute::DevicePtr& device, const KeptArray* found,
                          WhenMissing when_missing) {
    if (!found) return stage(buffer, device, nullptr, when_missing);
    if (buffer.bytes() == found->bytes.size()) {
      return [&buffer, found] { found->copyTo(*buffer.device(), buffer.data()); };
    }
    auto fresh = std::make_shared<compute::Buffer<T>>(device, found->bytes.size() / sizeof(T));
    found->copyTo(*device, fresh->data());
    return [&buffer, fresh] { buffer = std::move(*fresh); };
  }

  template <class T>
  static Taking stage(compute::Buffer<T>& buffer, const compute::DevicePtr& device, const StateArray* found,
                      WhenMissing when_missing) {
    if (!found) {
      if (when_missing == WhenMissing::Zero) return [&buffer] { buffer.zero(); };
      if (when_missing == WhenMissing::Empty) return [&buffer] { buffer = {}; };
      return {};
    }
    if (buffer.bytes() == found->bytes.size()) {
      return [&buffer, found] {
        if (!buffer.empty()) buffer.device()->upload(buffer.data(), found->bytes.data(), buffer.bytes());
      };
    }
    // Made beside the old one, so that without memory nothing has changed.
    auto fresh = std::make_shared<compute::Buffer<T>>(device, found->bytes.size() / sizeof(T));
    device->upload(fresh->data(), found->bytes.data(), fresh->bytes());
    return [&buffer, fresh] { buffer = std::move(*fresh); };
  }
};

// Adds the arrays to a state.
class SaveArchive : public Archive {
 public:
  explicit SaveArchive(State& state, bool in_parts = false) : state_(state), in_parts_(in_parts) {}
  void finish();  // the numbers
  bool inParts() const noexcept override { return in_parts_; }

 private:
  void array(Array entry, const Getting& get, const Staging& stage) override;
  double exchange(const Number& number, double present) override;

  State& state_;
  bool in_parts_;
  std::vector<double> numbers_;
};

// Lists the content of a state without making it.
class ListArchive final : public Archive {
 public:
  const std::vector<Array>& arrays() const noexcept { return arrays_; }
  const std::vector<Number>& numbers() const noexcept { return numbers_; }
  std::size_t bytes() const noexcept;

 private:
  void array(Array entry, const Getting& get, const Staging& stage) override;
  double exchange(const Number& number, double present) override;

  std::vector<Array> arrays_;
  std::vector<Number> numbers_;
};

// Checks a state against the table, and takes it.
class LoadArchive : public Archive {
 public:
  // `numbers`: how many the table has.
  LoadArchive(std::string simulation, const State& state, std::size_t numbers);
  void take();  // everything staged

  bool loading() const noexcept override { return true; }
  bool has(const char* array) const override { return reader_.has(array); }
  std::int64_t steps(std::int64_t) const noexcept override { return steps_; }
  std::size_t extent(const char* array, std::size_t axis, std::size_t present, std::size_t most) override;
  [[noreturn]] void refuse(const char* array, const std::string& why) const override { reader_.refuse(array, why); }
  void then(std::function<void()> action) override { taking_.push_back(std::move(action)); }

 private:
  void array(Array entry, const Getting& get, const Staging& stage) override;
  double exchange(const Number& number, double present) override;

  StateReader reader_;
  std::int64_t steps_;
  bool has_numbers_ = false;
  std::vector<double> numbers_;
  std::size_t next_ = 0;
  std::vector<Taking> taking_;
};

// Save and load for a copy whose buffers stay on the device.
class KeepArchive final : public SaveArchive {
 public:
  explicit KeepArchive(KeptState& kept) : SaveArchive(kept.state), kept_(kept) {}
  KeptState* onDevice() noexcept override { return &kept_; }

 private:
  KeptState& kept_;
};
class ResumeArchive final : public LoadArchive {
 public:
  ResumeArchive(std::string simulation, KeptState& kept, std::size_t numbers)
      : LoadArchive(std::move(simulation), kept.state, numbers), kept_(kept) {}
  KeptState* onDevice() noexcept override { return &kept_; }

 private:
  KeptState& kept_;
};

}  // namespace simscope
