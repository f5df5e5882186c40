#include "sims/live/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <mutex>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "sims/core/archive.h"
#include "sims/core/describe.h"
#include "sims/core/simulation.h"
#include "sims/live/device_values.h"

namespace simscope::live {

namespace {

// Beyond these, differences and squares of single precision overflow, or lose their digits.
constexpr double kMostDifference = 1e38, kMostToSquare = 1e19, kLeastToSquare = 1e-18;

// So long a step waits for something new: commands come in between.
constexpr std::chrono::milliseconds kPatience(100);

enum class Range { Seen, Each };
struct Parameters {
  Range range = Range::Seen;
};

Binding<Parameters> makeBinding() {
  Binding<Parameters> binding;
  binding.choice(&Parameters::range, "range",
                 {.title = "Range",
                  .applies = Applies::Live,
                  .help = "Range of axis and colours, if the script gives none: the widest since the start (R resets "
                          "it), or the range of each array"},
                 {{"seen", "All seen"}, {"each", "Each array's"}});
  return binding;
}

// A description, and what its simulations read.
struct Entry {
  Entry(const LiveArray& of, std::shared_ptr<Mailbox> by) : array(of), mailbox(std::move(by)) {}

  LiveArray array;
  std::shared_ptr<Mailbox> mailbox;
  Binding<Parameters> binding = makeBinding();
  Description description;
};

std::string kindOf(const LiveArray& array) {
  return array.complex ? "complex numbers" : "numbers";
}

std::string extent(const LiveArray& array) {
  return array.plane ? fmt::format("{} × {} {}", array.height, array.width, kindOf(array))
                     : fmt::format("{} {}", array.width, kindOf(array));
}

class Entries {
 public:
  Entry& add(const LiveArray& array, std::shared_ptr<Mailbox> mailbox) {
    const std::lock_guard lock(mutex_);
    return entries_.emplace_back(array, std::move(mailbox));
  }
  // A set of parameters belongs to one description, by the table that they share.
  const Entry& of(const ParameterSet& parameters) {
    const std::lock_guard lock(mutex_);
    for (const Entry& each : entries_) {
      if (each.description.parameters->data() == parameters.infos().data()) return each;
    }
    throw Error("live_array: these parameters belong to no announced array");
  }

 private:
  std::mutex mutex_;
  std::deque<Entry> entries_;  // references stay
};

Entries& entries() {
  static Entries all;
  return all;
}

class Live final : public Simulation {
 public:
  Live(const Entry& entry, compute::DevicePtr device, const ParameterSet& parameters)
      : Simulation(entry.description, std::move(device), parameters),
        array_(entry.array),
        mailbox_(*entry.mailbox),
        binding_(entry.binding),
        p_(binding_.read(parameters)) {
    mailbox_.usedOn(this->device()->info());
    reset(1);
  }

  double time() const override {
    if (!picture_) return 0;
    return array_.time_unit ? picture_->time : static_cast<double>(picture_->number);
  }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    low_ = std::numeric_limits<double>::infinity();
    high_ = -low_;
    take(std::chrono::milliseconds(0));
  }
  void step(int n) override {
    if (n <= 0) return;
    steps_ += n;
    take(kPatience);
  }
  bool waits() const override { return true; }
  bool stands() const override { return presented_ && presented_ == picture_ && presented_as_ == method(); }
  void present(Frame& frame) override {
    presented_ = picture_;
    presented_as_ = method();
    if (array_.plane) {
      values(frame, "u", form().height, array_.components());
    } else if (!array_.complex) {
      values(frame, "u", 1, 1);
    } else {
      presentWave(frame);
    }
  }
  void diagnostics(std::span<double> values) override {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool any = picture_ && std::isfinite(picture_->mean);
    const double all[] = {any ? picture_->low : none, any ? picture_->high : none, any ? picture_->mean : none,
                          picture_ ? static_cast<double>(picture_->not_finite) : none,
                          picture_ ? static_cast<double>(picture_->number) : none};
    std::copy(std::begin(all), std::end(all), values.begin());
  }
  std::vector<Finding> check(std::span<const double>) const override {
    std::vector<Finding> found;
    if (!picture_) return found;
    const auto add = [&](Finding::Level level, const char* code, const std::string& message) {
      found.push_back({level, code, message, "", ""});
    };
    const std::uint64_t beyond = picture_->lost.beyond,
                        none = picture_->not_finite - std::min(beyond, picture_->not_finite);
    const double difference = picture_->high - picture_->low, spread = picture_->lost.spread;
    const double magnitude = std::max(std::abs(picture_->low), std::abs(picture_->high));
    const std::string& u = array_.symbol;
    const std::string scaled = fmt::format(" Show {0} / abs({0}).max().", u);
    if (none > 0) {
      add(Finding::Level::Note, "not_finite",
          fmt::format("{} of {} elements are NaN or infinite.", none, form().elements()));
    }
    if (beyond > 0) {
      add(Finding::Level::Warning, "beyond_single",
          fmt::format("{} of {} elements exceed 3.4e38. Single precision shows them as infinite.{}", beyond,
                      form().elements(), scaled));
    } else if (difference > kMostDifference) {
      add(Finding::Level::Warning, "beyond_single",
          fmt::format("The elements differ by {:.2g}. Single precision, in which they are shown, ends at 3.4e38.{}",
                      difference, scaled));
    }
    if (array_.complex && magnitude > 0 && !(magnitude > kLeastToSquare && magnitude < kMostToSquare)) {
      add(Finding::Level::Warning, "squares_beyond_single",
          fmt::format("Magnitudes of {:.2g} have squares beyond single precision, in which they are shown.{}",
                      magnitude, scaled));
    }
    if (spread > 0) {
      const double step = stepOfSingle(magnitude);
      const bool small = isNarrow(magnitude, 0);
      add(Finding::Level::Warning, "digits_lost",
          fmt::format("The elements differ by {:.3g}. Single precision, in which they are shown, has steps of {:.2g} "
                      "there.{}",
                      spread, step, small ? scaled : fmt::format(" Show {0} - {0}.mean().", u)));
    }
    return found;
  }
  // What a script computes is shown as it is, NaN as well.
  bool finite() override { return true; }
  std::string likelyCauseOfNaN() const override { return "The script computed this value."; }

  // The array is the script's and stays in the mailbox: there is nothing of it to go back to.
  void visit(Archive& archive) override {
    archive.number("low", shown_low_);
    archive.number("high", shown_high_);
  }
  void beforeSave() override {
    shown_low_ = range().first;
    shown_high_ = range().second;
  }
  void loaded(const State&) override {}
  void change(const ParameterSet& parameters) override { p_ = binding_.read(parameters); }

  Throughput throughput() const override {
    const auto elements = static_cast<double>(form().elements());
    return {"elements/s", elements, 8 * elements * array_.components()};
  }
  std::string method() const override {
    const std::string why = mailbox_.finished();
    if (!why.empty()) return why + "; the last array remains";
    const bool by_cuda = picture_ && !picture_->on_device.empty();
    return fmt::format("{} by {} from {}", extent(form()), by_cuda ? "CUDA's shared memory" : "shared memory",
                       array_.source);
  }

 private:
  void take(std::chrono::milliseconds patience) {
    const PicturePtr newest = mailbox_.take(patience, device());
    if (!newest) return;
    if (newest != taken_) picture_ = here(newest);
    taken_ = newest;
    if (!picture_) return;
    if (!std::isfinite(picture_->mean)) return;
    low_ = std::min(low_, picture_->low);
    high_ = std::max(high_, picture_->high);
  }

  // What a run on another device has left, by way of the host; nothing where that device does not answer any more.
  PicturePtr here(const PicturePtr& picture) const {
    if (picture->on_device.empty() || picture->on_device.device()->info().id == device()->info().id) return picture;
    try {
      auto copy = std::make_shared<Picture>();
      copy->values = picture->on_device.toHost();
      copy->number = picture->number;
      copy->time = picture->time;
      copy->low = picture->low;
      copy->high = picture->high;
      copy->mean = picture->mean;
      copy->not_finite = picture->not_finite;
      copy->lost = picture->lost;
      copy->form = picture->form;
      return copy;
    } catch (const Error&) {
      return nullptr;
    }
  }

  std::pair<double, double> range() const {
    if (form().range) return *form().range;
    const bool each = p_.range == Range::Each && picture_;
    double low = each ? picture_->low : low_, high = each ? picture_->high : high_;
    if (!(low <= high)) return {0, 1};
    if (array_.complex) low = 0;  // of magnitudes
    if (array_.symmetric && !array_.complex) {
      high = std::max(std::abs(low), std::abs(high));
      low = -high;
    }
    // A field that is the same everywhere has a colour all the same.
    if (low == high) high = low + std::max(1e-6, std::abs(low) * 1e-3);
    return {low, high};
  }

  const LiveArray& form() const noexcept { return picture_ && picture_->form ? *picture_->form : array_; }

  Channel& place(Frame& frame, const char* key, int height, int components) const {
    const LiveArray& now = form();
    Channel& made = frame.channel(key, now.width, height, components);
    made.x_min = now.x.low;
    made.x_max = now.x.high;
    if (now.plane) {
      made.y_min = now.y.low;
      made.y_max = now.y.high;
    }
    return made;
  }
  void values(Frame& frame, const char* key, int height, int components) const {
    Channel& made = place(frame, key, height, components);
    std::tie(made.low, made.high) = range();
    if (!frame.wants(key)) return;
    if (!picture_) {
      made.data.zero();
    } else if (picture_->on_device.empty()) {
      made.data.upload(picture_->values);
    } else {
      device()->copy(made.data.data(), picture_->on_device.data(), made.data.bytes());
    }
  }
  // |ψ|² with its phase; real and imaginary part.
  void presentWave(Frame& frame) const {
    const double most = range().second;
    const auto wanted = [&](const char* key, double low, double high) -> float* {
      if (!frame.wants(key)) return nullptr;
      Channel& made = place(frame, key, 1, 1);
      made.low = low;
      made.high = high;
      return made.data.data();
    };
    const WaveParts parts{wanted("density", 0, most * most), wanted("phase", -std::numbers::pi, std::numbers::pi),
                          wanted("real", -most, most), wanted("imaginary", -most, most)};
    compute::Buffer<float> uploaded;
    if (!picture_ || picture_->on_device.empty()) {
      const auto numbers = static_cast<std::size_t>(2 * form().elements());
      uploaded = compute::Buffer<float>(device(), picture_ ? picture_->values : std::vector<float>(numbers));
    }
    wave(*device(), uploaded.empty() ? picture_->on_device.data() : uploaded.data(), form().elements(), parts);
  }

  const LiveArray& array_;  // the first of this description: form() is the present one
  Mailbox& mailbox_;
  const Binding<Parameters>& binding_;
  Parameters p_;
  PicturePtr taken_, picture_;             // what the mailbox gave last; and where this device can read it
  PicturePtr presented_;                   // what the last frame has shown,
  std::string presented_as_;               // and what its status said of it
  double low_ = 0, high_ = 0;              // of all that has been seen
  double shown_low_ = 0, shown_high_ = 1;  // as they are saved
};

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Live>(entries().of(parameters), std::move(device), parameters);
}

std::vector<View> viewsOf(const LiveArray& array) {
  const AxisInfo x{array.x.title, array.x.unit}, y{array.y.title, array.y.unit};
  const std::string& u = array.symbol;
  if (array.plane) {
    FieldView view{x, y, {u, array.unit}, "u", array.complex ? FieldStyle::Complex : FieldStyle::Scalar};
    if (!array.colormap.empty()) view.colormap = array.colormap;
    view.symmetric = array.symmetric;
    view.equal_lengths = array.x.unit == array.y.unit;
    view.absent = "not a number";
    return {{"array", "Field", view}};
  }
  if (!array.complex) {
    return {{"array", "Curve", CurveView{x, {u, array.unit}, {}, {{"u", u, array.unit, TraceStyle::Line}}}}};
  }
  const AxisInfo squared{"|" + u + "|²", array.unit.empty() ? "" : array.unit + "²"};
  const TraceInfo density{"density", squared.title, squared.unit, TraceStyle::PhaseFilled, "phase"};
  const TraceInfo real{"real", "Re " + u, array.unit, TraceStyle::Line, "", true, 0};
  const TraceInfo imaginary{"imaginary", "Im " + u, array.unit, TraceStyle::Line, "", true, 1};
  return {{"density", "Magnitude squared, and phase", CurveView{x, squared, {}, {density}}},
          {"parts", "Real and imaginary part", CurveView{x, {u, array.unit}, {}, {real, imaginary}}}};
}

}  // namespace

bool isDescribedAlike(const LiveArray& a, const LiveArray& b) {
  const auto told = [](const LiveArray& each) {
    return std::tie(each.title, each.symbol, each.unit, each.plane, each.complex, each.x.title, each.x.unit,
                    each.y.title, each.y.unit, each.time_unit, each.colormap, each.symmetric, each.source);
  };
  return told(a) == told(b);
}

const Description& describe(const LiveArray& array, std::shared_ptr<Mailbox> mailbox) {
  Entry& entry = entries().add(array, std::move(mailbox));
  const std::string of = array.complex ? "Over the magnitudes of the finite elements" : "Over the finite elements";
  Description& d = entry.description;
  d.id = kId;
  d.title = array.title.empty() ? "Array" : array.title;
  d.summary = (array.plane ? "Field of " : "Curve of ") + kindOf(array) + " that a script computes";
  d.parameters = entry.binding.infos();
  d.diagnostics = {{"minimum", "Minimum", array.unit, of, kPlotted},
                   {"maximum", "Maximum", array.unit, of, kPlotted},
                   {"mean", "Mean", array.unit, of},
                   {"not_finite", "NaN or infinite", "", "Number of elements"},
                   {"update", "Update", "", "Number of the script's update; the first is 1"}};
  d.views = viewsOf(array);
  d.state_array = array.plane || !array.complex ? "u" : "density";
  d.clock = array.time_unit ? ClockInfo{"t", *array.time_unit} : ClockInfo{"update", "", true};
  d.memory = [](const ParameterSet& parameters, compute::Backend) {
    const LiveArray& of_set = entries().of(parameters).array;
    return 7.0 * static_cast<double>(of_set.elements()) * of_set.components() * sizeof(float);
  };
  d.create = create;
  return d;
}

bool isLive(const Description& description) noexcept {
  return description.id == kId;
}

}  // namespace simscope::live
