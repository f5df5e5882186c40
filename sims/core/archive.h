// A simulation's state, described once: Simulation::visit() names its arrays and numbers to an Archive, and from that
// one table follow saving, loading with every check, the size of a state, a move to another device, and what `simscope
// list SIMULATION` says of snapshots.
//
// Arrays come from device memory (buffer) or from what the simulation makes of them (values). Numbers together make the
// array "run", doubles in the order in which they are named. A visit() may ask what the archive will give (extent(),
// number()) and refuse() it; it changes nothing itself but through what it hands over: loading checks and stages
// everything first, and takes it in the order of the table once all of it has passed.
// Thread: the simulation's, inside Device::run. Errors: UsageError naming the simulation, the array, the index, and
// what is allowed; OutOfMemory; the state is unchanged then.
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
  // What the table says of an array; `what` is for people, a noun phrase with its unit and the order of its axes.
  struct Array {
    const char* name;
    const char* what;
    const char* dtype;  // NumPy's
    Shape shape;
    StateRange range;
    WhenMissing when_missing;
    std::optional<StateRows> rows = {};  // that this rank holds, where they are not all
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
  // Where buffers stay on the device: in copies that the run makes of itself, to go back to. Such a state is
  // trusted and needs no check. Null otherwise.
  virtual KeptState* onDevice() noexcept { return nullptr; }
  // Saving: of arrays that ranks hold in parts, each rank's own rows alone.
  virtual bool inParts() const noexcept { return false; }
  // Of a state that is being loaded; true otherwise.
  virtual bool has(const char*) const { return true; }
  // The steps of the state that is being loaded; otherwise `present`.
  virtual std::int64_t steps(std::int64_t present) const noexcept { return present; }
  // The extent of an array's axis: of the one that is being loaded, from 1 to `most`, otherwise `present`.
  virtual std::size_t extent(const char* array, std::size_t axis, std::size_t present, std::size_t most) {
    (void)array, (void)axis, (void)most;
    return present;
  }
  [[noreturn]] virtual void refuse(const char* array, const std::string& why) const;

  // Device memory. Element: what the array holds, where T has several of them (the shape then has those last). An empty
  // buffer is not saved where it may be missing; loading makes it as large as the shape says.
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

  // What `get` makes when saving, and `set` takes when all has passed. Missing: `set` is not called.
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

  // Likewise an array of which each rank holds some rows: `own` are this one's. `get` makes those, or, where asked for
  // all, on rank 0 all of them; `set` takes its own.
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

  // A number, an index, or yes and no. Returns what it will be. In a state without "run" it stays.
  template <class T>
  T number(const char* name, T& value, StateRange range = {}, bool whole = std::is_integral_v<T>) {
    static_assert(std::is_arithmetic_v<T>);
    const double kept = exchange({name, within<T>(range), whole}, static_cast<double>(value));
    if (!loading()) return value;
    const T taken = static_cast<T>(kept);
    then([&value, taken] { value = taken; });
    return taken;
  }
  // A number that every state has the same.
  void constant(const char* name, double value) { exchange({name, {value, value}, true}, value); }

  // Done when all has passed, in its place among the rest.
  virtual void then(std::function<void()> action) { (void)action; }

 protected:
  using Taking = std::function<void()>;
  using Getting = std::function<std::vector<std::byte>()>;
  using Staging = std::function<Taking(const StateArray*)>;

  Archive() = default;
  virtual void array(Array entry, const Getting& get, const Staging& stage) = 0;
  // Hands `present` over, and returns what counts.
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
    // The largest of a wide type is no double: the next one below is.
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
    // Made beside the old one: where there is no memory, nothing has changed.
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

// Lists what a state would hold, and costs nothing.
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

// Both of a copy whose buffers stay on the device.
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
