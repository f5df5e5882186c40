#include "app/lab/lessons/fourier_filters/field_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/lab/lessons/fourier_filters/field_filter_waves.h"
#include "sims/compute/buffer.h"
#include "sims/compute/device_several.h"
#include "sims/compute/fourier/fft.h"
#include "sims/formula/formula.h"

namespace simscope::lab::fourier_filters {
namespace {

constexpr double kSeenDecades = 6;  // of the spectrum, below the field's range

double cyclesOf(int i, int n) {
  return static_cast<double>(i <= n / 2 ? i : i - n) / n;
}

int componentsOf(FieldStyle style) {
  if (style == FieldStyle::Complex) return 2;
  return style == FieldStyle::Colour ? 3 : 1;
}

FieldShape shapeOf(const View& view, const Frame& frame) {
  const auto* const field = view.as<FieldView>();
  const Channel* const channel = field ? frame.find(field->channel) : nullptr;
  if (!channel || channel->components != componentsOf(field->style) || channel->width < 2 || channel->height < 2) {
    throw UsageError(fmt::format("{} shows no field to filter", view.title));
  }
  const FieldShape shape{channel->width, channel->height, channel->components};
  if (shape.cells() > kMostCells) {
    throw UsageError(fmt::format("the field has {} × {} cells; a running field can be filtered up to {} cells",
                                 shape.width, shape.height, kMostCells));
  }
  return shape;
}

// The wave without a period is the mean: a filter that removes it leaves a field around 0.
bool keepsMean(const std::vector<float>& factors) {
  return std::abs(factors.front()) >= 0.5f;
}

FieldView filteredView(const FieldView& original, bool keeps_mean) {
  FieldView view = original;
  view.channel = kFiltered;
  if (original.style == FieldStyle::Colour) {
    view.style = FieldStyle::Scalar;
    view.colormap = "gray";
    view.value = {.title = "luminance"};
  }
  if (!keeps_mean && view.style == FieldStyle::Scalar) {
    view.symmetric = true;
    view.scale = FieldScale::Linear;
  }
  return view;
}

}  // namespace

std::vector<float> factorsOf(const FilterFormula& filter, int width, int height) {
  formula::Formula f(filter.formula, {"k", "kx", "ky", "c"});
  f.requireSound();
  std::vector<float> factors;
  factors.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double kx = cyclesOf(x, width), ky = cyclesOf(y, height);
      const double factor = f.at({std::hypot(kx, ky), kx, ky, filter.c});
      // 10¹⁵: larger sums would exceed single precision.
      if (!(std::abs(factor) < 1e15)) {
        throw UsageError(fmt::format("kernel = {}: its value at kx = {:.3g}, ky = {:.3g} cannot be used ({})",
                                     formula::shown(filter.formula), kx, ky, factor));
      }
      factors.push_back(static_cast<float>(factor));
    }
  }
  return factors;
}

const View* shownField(const Description& description, const std::string& key) {
  for (const ShownPanel& panel : description.panelsOf(description.view(key))) {
    if (panel.view->as<FieldView>()) return panel.view;
  }
  return nullptr;
}

struct FieldFilter::Impl {
  int threads = 0;
  compute::DevicePtr device;
  std::string spec;  // of the frames that the device can read
  FieldShape shape{0, 0, 0};
  std::optional<compute::Fft<float>> fft;
  compute::Buffer<compute::Complex<float>> waves;
  compute::Buffer<float> factors;
  bool keeps_mean = true;
  FilterFormula filter;
  Description description;
  Frame frame;
  std::uint64_t transforms = 0;

  // The last filtered frame.
  struct Source {
    const Description* of;
    std::string view;
    std::uint64_t sequence;
    std::int64_t steps;
    double time;
    int form;
    bool operator==(const Source&) const = default;
  };
  std::optional<Source> source;

  void prepare(const Frame& from, const FieldShape& wanted, const FilterFormula& with);
  void describe(const Description& of, const View& view);
  Channel& channelLike(const char* key, const Channel& from, int components);
  void filterField(const Channel& from, const compute::Fence& ready);
};

// Everything that may fail comes first, so that a failure keeps the last picture.
void FieldFilter::Impl::prepare(const Frame& from, const FieldShape& wanted, const FilterFormula& with) {
  const bool another = from.device->info().id != spec;
  const bool reshaped = another || wanted.width != shape.width || wanted.height != shape.height;
  if (!reshaped && with == filter) {
    shape = wanted;
    return;
  }
  const std::vector<float> all = factorsOf(with, wanted.width, wanted.height);
  if (reshaped) {
    source.reset();
    const compute::DevicePtr on =
        another ? compute::Device::open(compute::firstOfSeveral(from.device->info().id), threads) : device;
    on->run([&] {
      compute::Fft<float> plan(on, {{wanted.height, wanted.width}, 1});
      waves = compute::Buffer<compute::Complex<float>>(on, wanted.cells());
      factors = compute::Buffer<float>(on, wanted.cells());
      fft.emplace(std::move(plan));
    });
    if (another) {
      frame.channels.clear();
      frame.ready = compute::Fence();
    }
    device = on;
    spec = from.device->info().id;
  }
  factors.upload(all);
  keeps_mean = keepsMean(all);
  filter = with;
  shape = wanted;
}

void FieldFilter::Impl::describe(const Description& of, const View& view) {
  FieldView original = *view.as<FieldView>();
  original.channel = kOriginal;
  original.overlay_channel.clear();
  original.arrow_channel.clear();
  original.paths.clear();
  FieldView spectrum;
  spectrum.x = {.title = "kx", .unit = "1/cell"};
  spectrum.y = {.title = "ky", .unit = "1/cell"};
  spectrum.value = {.title = "log₁₀ amplitude"};
  spectrum.channel = kSpectrum;
  spectrum.equal_lengths = true;
  description.id = of.id;
  description.title = of.title + ", filtered";
  description.summary = of.summary;
  description.equation = of.equation;
  description.parameters = of.parameters;
  description.clock = of.clock;
  const double third = 1.0 / 3;
  const LinkedView all{
      {{kOriginal, 0, 0, third, 1}, {kFiltered, third, 0, third, 1}, {kSpectrum, 2 * third, 0, third, 1}}};
  FieldView filtered = filteredView(original, keeps_mean);
  description.views = {{.key = "all", .title = "The field, filtered, and its waves", .kind = all},
                       {.key = kOriginal, .title = view.title, .kind = original},
                       {.key = kFiltered, .title = "The filtered field", .kind = std::move(filtered)},
                       {.key = kSpectrum, .title = "Its waves", .kind = std::move(spectrum)}};
}

Channel& FieldFilter::Impl::channelLike(const char* key, const Channel& from, int components) {
  Channel& channel = frame.channel(key, shape.width, shape.height, components);
  channel.x_min = from.x_min;
  channel.x_max = from.x_max;
  channel.y_min = from.y_min;
  channel.y_max = from.y_max;
  channel.low = from.low;
  channel.high = from.high;
  channel.form = from.form;
  return channel;
}

void FieldFilter::Impl::filterField(const Channel& from, const compute::Fence& ready) {
  Channel& original = channelLike(kOriginal, from, shape.components);
  original.kinds = from.kinds;
  original.kind_names = from.kind_names;
  Channel& filtered = channelLike(kFiltered, from, shape.components == 2 ? 2 : 1);
  const double most = std::max({std::abs(from.low), std::abs(from.high), 1e-30});
  if (!keeps_mean && shape.components != 2) {
    const double range = from.high > from.low ? from.high - from.low : most;
    filtered.low = -0.5 * range;
    filtered.high = 0.5 * range;
  }
  Channel& spectrum = channelLike(kSpectrum, from, 1);
  spectrum.x_min = spectrum.y_min = -0.5;
  spectrum.x_max = spectrum.y_max = 0.5;
  spectrum.form = 0;
  spectrum.high = std::log10(most);
  spectrum.low = spectrum.high - kSeenDecades;
  device->run([&] {
    if (device->isCuda()) {
      ready.enqueueWait(device->stream());
    } else {
      ready.wait();
    }
    device->copy(original.data.data(), from.data.data(), original.data.bytes());
    takeField(*device, shape, original.data.data(), waves.data());
    fft->forward(waves.data());
    weighWaves(*device, shape.cells(), factors.data(), waves.data());
    putSpectrum(*device, shape, waves.data(), spectrum.data.data());
    fft->inverse(waves.data());
    putField(*device, shape, waves.data(), original.data.data(), filtered.data.data());
    device->synchronize();  // the frame goes back to the run
  });
  ++transforms;
}

FieldFilter::FieldFilter(int threads) : impl_(std::make_unique<Impl>()) {
  impl_->threads = threads;
}
FieldFilter::~FieldFilter() = default;

bool FieldFilter::follow(const Description& of, const View& view, const Frame& frame, const FilterFormula& filter) {
  const FieldShape shape = shapeOf(view, frame);
  const Channel& channel = *frame.find(view.as<FieldView>()->channel);
  const Impl::Source now{&of, view.key, frame.sequence, frame.steps, frame.time, channel.form};
  const bool known = impl_->source && *impl_->source == now && impl_->filter == filter;
  if (known && impl_->spec == frame.device->info().id) return false;
  impl_->prepare(frame, shape, filter);
  impl_->describe(of, view);
  impl_->source.reset();
  Frame& to = impl_->frame;
  to.device = impl_->device;
  to.parameters = frame.parameters;
  to.followed = frame.followed;
  to.time = frame.time;
  to.time_step = frame.time_step;
  to.steps = frame.steps;
  impl_->filterField(channel, frame.ready);
  ++to.sequence;
  to.ready.record(*impl_->device);
  impl_->source = now;
  return true;
}

const Description& FieldFilter::description() const noexcept {
  return impl_->description;
}
const Frame& FieldFilter::frame() const noexcept {
  return impl_->frame;
}
std::uint64_t FieldFilter::transforms() const noexcept {
  return impl_->transforms;
}
const compute::DevicePtr& FieldFilter::device() const noexcept {
  return impl_->device;
}

}  // namespace simscope::lab::fourier_filters
