#include "app/judge/submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "sims/foreign/npy.h"
#include "sims/foreign/words.h"

namespace simscope::judge {
namespace {

using Shape = std::vector<std::size_t>;
constexpr std::size_t kMostColumns = 4;  // of one of the state's arrays of bodies

std::size_t countOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

// As NumPy shows it.
std::string shapeTold(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string typeTold(const std::string& dtype) {
  const std::string bits = std::to_string(8 * foreign::npyElementBytes(dtype));
  switch (dtype[1]) {
    case 'c':
      return "complex" + bits;
    case 'f':
      return "float" + bits;
    case 'u':
      return "uint" + bits;
    case 'b':
      return "bool";
    default:
      return "int" + bits;
  }
}

Shape squeezed(Shape shape) {
  std::erase(shape, std::size_t{1});
  return shape;
}

// Elements in C order; of complex ones both components, one behind the other.
std::vector<double> numbersOf(const foreign::NpyHeader& header, const std::vector<std::byte>& bytes) {
  const std::size_t components = header.dtype[1] == 'c' ? 2 : 1;
  const std::size_t each = foreign::npyElementBytes(header.dtype) / components;
  const foreign::NpyNumber read = foreign::npyNumberOf(header.dtype);
  if (!read) {
    throw UsageError(
        fmt::format("holds {}; save it as complex64, complex128, float32, or float64", typeTold(header.dtype)));
  }
  const std::size_t count = countOf(header.shape), axes = header.shape.size();
  std::vector<double> numbers(count * components);
  std::vector<std::size_t> stride(axes, 1), index(axes, 0);
  for (std::size_t a = 1; a < axes; ++a) stride[a] = stride[a - 1] * header.shape[a - 1];
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t from = i;
    if (header.fortran_order) {
      from = 0;
      for (std::size_t a = 0; a < axes; ++a) from += index[a] * stride[a];
      for (std::size_t a = axes; a-- > 0 && ++index[a] == header.shape[a];) index[a] = 0;
    }
    for (std::size_t c = 0; c < components; ++c) {
      numbers[i * components + c] = read(bytes.data() + (from * components + c) * each, header.dtype[0] == '>');
    }
  }
  return numbers;
}

std::string placeTold(const Shape& shape, std::size_t element) {
  Shape index(shape.size());
  for (std::size_t a = shape.size(); a-- > 0;) {
    index[a] = element % shape[a];
    element /= shape[a];
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

void requireFinite(const std::vector<double>& numbers, const Shape& shape) {
  const auto bad = [](double each) { return !std::isfinite(each); };
  const auto first = std::find_if(numbers.begin(), numbers.end(), bad);
  if (first == numbers.end()) return;
  const std::size_t count = countOf(shape), components = count > 0 ? numbers.size() / count : 1;
  throw UsageError(fmt::format("{} of its {} numbers are not finite, the first at {}: the run that made it blew up",
                               std::count_if(numbers.begin(), numbers.end(), bad), numbers.size(),
                               placeTold(shape, static_cast<std::size_t>(first - numbers.begin()) / components)));
}

// Writes a number as the state's array has it.
void put(StateArray& array, std::size_t index, double value) {
  const auto store = [&](auto typed) { std::memcpy(array.bytes.data() + index * sizeof typed, &typed, sizeof typed); };
  const std::string& type = array.dtype;
  if (type == "<f8" || type == "<c16") return store(value);
  if (type == "<f4" || type == "<c8") {
    const auto single = static_cast<float>(value);
    if (!std::isfinite(single)) {
      throw UsageError(fmt::format("{} exceeds the range of single precision, in which this scene computes", value));
    }
    return store(single);
  }
  if (value != std::trunc(value) || std::abs(value) > std::numeric_limits<std::int32_t>::max()) {
    throw UsageError(fmt::format("{} is not a whole number, but {} holds whole numbers", value, array.name));
  }
  store(static_cast<std::int32_t>(value));
}

// An array of bodies in the state: its number of columns, and their layout.
struct BodyArray {
  std::string name;
  std::size_t columns = 1;
  bool bodies_first = true;
};

// The arrays whose rows or columns are the bodies: the main one, and the required ones after it.
std::vector<BodyArray> bodyArrays(const std::vector<Simulation::StateEntry>& entries, const std::string& main,
                                  std::size_t bodies) {
  std::vector<BodyArray> arrays;
  for (const Simulation::StateEntry& each : entries) {
    if (arrays.empty() && each.name != main) continue;
    if (each.may_be_missing || each.dtype[1] != 'f' || each.shape.empty() || each.shape.size() > 2) continue;
    const bool flat = each.shape.size() == 1;
    const std::size_t first = each.shape[0], second = flat ? 1 : each.shape[1];
    if (first == bodies && second <= kMostColumns) {
      arrays.push_back({each.name, second, true});
    } else if (!flat && second == bodies && first <= kMostColumns) {
      arrays.push_back({each.name, first, false});
    } else if (arrays.empty()) {
      return {};
    }
  }
  return arrays;
}

std::size_t bodiesOf(const Shape& main) {
  if (main.size() == 1) return main[0];
  if (main.size() == 2 && main[1] <= kMostColumns) return main[0];
  if (main.size() == 2 && main[0] <= kMostColumns) return main[1];
  return 0;
}

class Placing {
 public:
  Placing(const std::filesystem::path& file, const Description& description, const State& own,
          const std::vector<Simulation::StateEntry>& entries, const compute::DevicePtr& device)
      : source_(file), description_(description), own_(own), device_(device), main_(own.find(description.state_array)) {
    if (!main_) throw UsageError(fmt::format("{} has no array to judge", description.id));
    bodies_ = bodiesOf(main_->shape);
    if (bodies_ > 0) arrays_ = bodyArrays(entries, main_->name, bodies_);
  }

  Submission run() {
    const foreign::NpyHeader& header = source_.header();
    Submission made{own_, {}, typeTold(header.dtype) + " " + shapeTold(header.shape)};
    const bool whole = squeezed(header.shape) == squeezed(main_->shape);
    std::size_t taken = whole ? 1 : columnArrays(arrays_, bodies_, header.shape);
    requireKind(header.dtype);
    if (taken == 0) refuseShape(header.shape);
    const std::vector<double> numbers = numbersOf(header, source_.elements());
    requireFinite(numbers, header.shape);
    if (whole) {
      fill(arrayIn(made.state, main_->name), numbers);
      made.arrays = {main_->name};
      return made;
    }
    std::size_t column = 0;
    for (std::size_t a = 0; a < taken; ++a) {
      const BodyArray& each = arrays_[a];
      StateArray& target = arrayIn(made.state, each.name);
      for (std::size_t c = 0; c < each.columns; ++c, ++column) {
        for (std::size_t i = 0; i < bodies_; ++i) {
          put(target, each.bodies_first ? i * each.columns + c : c * bodies_ + i,
              numbers[i * header.shape[1] + column]);
        }
      }
      made.arrays.push_back(each.name);
    }
    return made;
  }

 private:
  static StateArray& arrayIn(State& state, const std::string& name) {
    return *std::find_if(state.arrays.begin(), state.arrays.end(),
                         [&](const StateArray& each) { return each.name == name; });
  }

  // How many of the bodies' arrays the columns fill; 0: none, or one of them in part.
  static std::size_t columnArrays(const std::vector<BodyArray>& arrays, std::size_t bodies, const Shape& shape) {
    if (shape.size() != 2 || shape[0] != bodies) return 0;
    std::size_t columns = 0;
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      columns += arrays[a].columns;
      if (columns == shape[1]) return a + 1;
    }
    return 0;
  }

  void requireKind(const std::string& dtype) const {
    const bool complex = dtype[1] == 'c', wanted = main_->dtype[1] == 'c';
    if (complex == wanted) return;
    throw UsageError(wanted ? fmt::format("holds {}, but {} is complex: save the wave itself, not its density "
                                          "(np.save(file, psi.astype(np.complex128)))",
                                          typeTold(dtype), main_->name)
                            : fmt::format("holds {}, but {} is real: save its real part (np.save(file, array.real))",
                                          typeTold(dtype), main_->name));
  }

  // Whether the scene of as many cells along a side, or as many bodies, takes this shape. Tried only where it needs
  // about as much memory as the file.
  bool fitsAtItsSize(const Shape& shape) const {
    const std::string& key = description_.size_key;
    if (key.empty() || shape.empty()) return false;
    Shape scaled = main_->shape;
    const auto size = static_cast<std::size_t>(own_.parameters.integer(key));
    std::replace(scaled.begin(), scaled.end(), size, shape[0]);
    const bool rows = shape.size() == 2 && shape[1] <= kMostColumns * arrays_.size();
    if (squeezed(scaled) != squeezed(shape) && !rows) return false;
    try {
      ParameterSet parameters = own_.parameters;
      parameters.set(key, static_cast<std::int64_t>(std::min<std::size_t>(shape[0], INT32_MAX)));
      const auto entries = description_.create(device_, parameters)->stateEntries();
      const auto main =
          std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return each.name == main_->name; });
      if (main == entries.end()) return false;
      const std::size_t bodies = bodiesOf(main->shape);
      return squeezed(main->shape) == squeezed(shape) ||
             columnArrays(bodyArrays(entries, main_->name, bodies), bodies, shape) > 0;
    } catch (const UsageError&) {  // no size that the simulation could have
    } catch (const OutOfMemory&) {
    }
    return false;
  }

  [[noreturn]] void refuseShape(const Shape& shape) const {
    std::string fits = fmt::format("{}: {}", shapeTold(main_->shape), main_->name);
    std::string names = main_->name;
    std::size_t columns = 0;
    for (std::size_t a = 0; a < arrays_.size() && arrays_.size() > 1; ++a) {
      columns += arrays_[a].columns;
      if (a > 0) names += ", " + arrays_[a].name;
      if (a > 0 || !arrays_[a].bodies_first) fits += fmt::format("; ({}, {}): {}", bodies_, columns, names);
    }
    const std::string& key = description_.size_key;
    const std::string cure = fitsAtItsSize(shape)
                                 ? fmt::format("; or judge it on its own grid, with --set {}={}", key, shape[0])
                                 : std::string();
    throw UsageError(fmt::format("its shape is {}; this scene takes {}{}", shapeTold(shape), fits, cure));
  }

  foreign::NpySource source_;
  const Description& description_;
  const State& own_;
  const compute::DevicePtr& device_;
  const StateArray* main_;
  std::size_t bodies_ = 0;
  std::vector<BodyArray> arrays_;
};

template <class T, class Each>
void forEach(const StateArray& array, const Each& each) {
  const std::vector<T> values = valuesOf<T>(array);
  for (std::size_t i = 0; i < values.size(); ++i) each(i, static_cast<double>(values[i]));
}

}  // namespace

Submission placed(const std::filesystem::path& file, const Description& description, const State& own,
                  const std::vector<Simulation::StateEntry>& entries, const compute::DevicePtr& device) {
  try {
    return Placing(file, description, own, entries, device).run();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), error.what()));
  }
}

std::vector<double> doublesOf(const StateArray& array) {
  std::vector<double> values;
  const auto add = [&](std::size_t, double value) { values.push_back(value); };
  if (array.dtype == "<f8" || array.dtype == "<c16") {
    forEach<double>(array, add);
  } else if (array.dtype == "<i4") {
    forEach<std::int32_t>(array, add);
  } else {
    forEach<float>(array, add);
  }
  return values;
}

void fill(StateArray& array, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) put(array, i, numbers[i]);
}

Distance distance(const StateArray& own, const StateArray& theirs) {
  const std::vector<double> a = doublesOf(own), b = doublesOf(theirs);
  double squares = 0, other_squares = 0, apart = 0;
  std::complex<double> overlap = 0;
  const bool complex = own.dtype[1] == 'c';
  for (std::size_t i = 0; i < a.size(); ++i) {
    squares += a[i] * a[i];
    other_squares += b[i] * b[i];
    if (!complex) apart += (b[i] - a[i]) * (b[i] - a[i]);
    if (complex && i % 2 == 0) {
      overlap += std::conj(std::complex(a[i], a[i + 1])) * std::complex(b[i], b[i + 1]);
    }
  }
  if (complex) apart = std::max(0.0, squares + other_squares - 2 * std::abs(overlap));
  const double relative = apart == 0 ? 0 : std::sqrt(apart / squares);
  return {relative, complex ? std::arg(overlap) : std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace simscope::judge
