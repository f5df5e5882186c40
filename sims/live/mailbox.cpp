#include "sims/live/mailbox.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

#include "sims/live/device_values.h"

namespace simscope::live {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How often is looked whether a device has written what it lends; and how long after the end of a script that was
// killed at it: its device's work goes with it.
constexpr std::chrono::microseconds kLook(200);
constexpr milliseconds kGrace(1000);
constexpr std::size_t kPool = 3;  // shown, being written, and one that a run still holds

// Copies and measures in one pass: the memory is read once. Blocks, so that the sum keeps its digits and the loops are
// free of branches.
class Measure {
 public:
  explicit Measure(Picture& picture) : picture_(picture) {}

  void real(std::span<const float> from) {
    copy(from, 1, [&](std::size_t i) { return from[i]; });
  }
  void complex(std::span<const float> from) {
    // In double precision no square is too large or too small.
    copy(from, 2, [&](std::size_t i) {
      const double re = from[2 * i], im = from[2 * i + 1];
      return static_cast<float>(std::sqrt(re * re + im * im));
    });
  }
  void finish() {
    const auto count = static_cast<double>(elements_ - picture_.not_finite);
    picture_.mean = count > 0 ? sum_ / count : std::numeric_limits<double>::quiet_NaN();
    picture_.low = count > 0 ? low_ : 0;
    picture_.high = count > 0 ? high_ : 1;
  }

 private:
  template <class Value>
  void copy(std::span<const float> from, std::size_t components, Value value) {
    elements_ = from.size() / components;
    for (std::size_t begin = 0; begin < elements_; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, elements_);
      const auto first = static_cast<std::ptrdiff_t>(begin * components);
      const auto last = static_cast<std::ptrdiff_t>(end * components);
      measure(begin, end, value);
      std::copy(from.begin() + first, from.begin() + last, picture_.values.begin() + first);
    }
  }

  // In lanes, which vector instructions take side by side.
  template <class Value>
  void measure(std::size_t begin, std::size_t end, Value value) {
    std::array<float, kLanes> low, high, faults{};
    std::array<double, kLanes> sum{};
    low.fill(kLargest);
    high.fill(-kLargest);
    const auto add = [&](std::size_t lane, float v) {
      const bool good = std::abs(v) <= kLargest;  // false for NaN
      low[lane] = std::min(low[lane], good ? v : kLargest);
      high[lane] = std::max(high[lane], good ? v : -kLargest);
      sum[lane] += good ? v : 0;
      faults[lane] += good ? 0.0f : 1.0f;
    };
    const std::size_t whole = begin + (end - begin) / kLanes * kLanes;
    for (std::size_t i = begin; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, value(i + lane));
    }
    for (std::size_t i = whole; i < end; ++i) add(i - whole, value(i));
    low_ = std::min(low_, *std::min_element(low.begin(), low.end()));
    high_ = std::max(high_, *std::max_element(high.begin(), high.end()));
    sum_ += std::accumulate(sum.begin(), sum.end(), 0.0);
    picture_.not_finite += static_cast<std::uint64_t>(std::accumulate(faults.begin(), faults.end(), 0.0));
  }

  static constexpr std::size_t kBlock = 4096, kLanes = 16;
  static constexpr float kLargest = std::numeric_limits<float>::max();
  Picture& picture_;
  std::size_t elements_ = 0;
  float low_ = kLargest, high_ = -kLargest;
  double sum_ = 0;
};

// Gives a loan back, whatever happens.
class Returned {
 public:
  explicit Returned(Loan& loan) : loan_(loan) {}
  ~Returned() {
    if (loan_.end) loan_.end(reading);
  }
  Returned(const Returned&) = delete;
  Returned& operator=(const Returned&) = delete;

  std::chrono::microseconds reading{0};

 private:
  Loan& loan_;
};

}  // namespace

Mailbox::~Mailbox() {
  if (offered_) Returned unread(*offered_);
}

void Mailbox::offer(Loan loan) {
  std::optional<Loan> former;
  {
    const std::lock_guard lock(mutex_);
    former = std::exchange(offered_, std::move(loan));
  }
  news_.notify_all();
  if (former) Returned unread(*former);
}

void Mailbox::finish(std::string why) {
  {
    const std::lock_guard lock(mutex_);
    if (finished_.empty()) {
      finished_ = std::move(why);
      finished_at_ = steady_clock::now();
    }
  }
  news_.notify_all();
}

void Mailbox::retire() {
  finish("another array has replaced it");
  std::optional<Loan> former;
  {
    const std::lock_guard lock(mutex_);
    former = std::exchange(offered_, std::nullopt);
    latest_.reset();
    pool_.clear();
  }
  if (former) Returned unread(*former);
}

void Mailbox::resume() {
  const std::lock_guard lock(mutex_);
  finished_.clear();
}

// What can be read at once. `pending`: something is offered that cannot, yet.
std::optional<Loan> Mailbox::claimNow(bool& pending) {
  std::optional<Loan> claimed, lost;
  {
    const std::lock_guard lock(mutex_);
    pending = false;
    if (!offered_) return std::nullopt;
    using State = compute::ForeignSlots::State;
    const std::optional<DeviceLoan>& there = offered_->on_device;
    const State state = there ? there->slots->state(there->slot) : State::Written;
    const bool in_vain = !finished_.empty() && steady_clock::now() - finished_at_ > kGrace;
    pending = state == State::Pending && !in_vain;
    if (pending) return std::nullopt;
    (state == State::Written ? claimed : lost) = std::exchange(offered_, std::nullopt);
  }
  if (lost) Returned unread(*lost);
  return claimed;
}

std::optional<Loan> Mailbox::claim(milliseconds patience) {
  const auto until = steady_clock::now() + patience;
  while (true) {
    bool pending = false;
    if (std::optional<Loan> claimed = claimNow(pending)) return claimed;
    if (steady_clock::now() >= until) return std::nullopt;
    if (pending) {
      std::this_thread::sleep_for(kLook);
      continue;
    }
    std::unique_lock lock(mutex_);
    news_.wait_until(lock, until, [this] { return offered_ || !finished_.empty(); });
    if (!offered_) return std::nullopt;
  }
}

std::shared_ptr<Picture> Mailbox::blank() {
  const std::lock_guard lock(mutex_);
  for (std::shared_ptr<Picture>& each : pool_) {
    if (each.use_count() == 1) return each;
  }
  auto made = std::make_shared<Picture>();
  if (pool_.size() < kPool) pool_.push_back(made);
  return made;
}

namespace {

void copyFromHost(const Loan& loan, int components, Picture& picture) {
  picture.on_device = {};
  picture.values.resize(loan.values.size());
  Measure measure(picture);
  components == 2 ? measure.complex(loan.values) : measure.real(loan.values);
  measure.finish();
}

// Has read the slot when it returns.
void copyFromDevice(const DeviceLoan& loan, int components, const compute::DevicePtr& device, Picture& picture) {
  const std::int64_t elements = std::int64_t{loan.width} * loan.height;
  const auto numbers = static_cast<std::size_t>(elements * components);
  picture.values = {};
  if (picture.on_device.size() != numbers || picture.on_device.device() != device) {
    picture.on_device = {};
    picture.on_device = compute::Buffer<float>(device, numbers);
  }
  float* const to = picture.on_device.data();
  gather(*device, loan.slots->slot(loan.slot), loan.type, loan.layout, loan.width, loan.height, to);
  const Measured found = measure(*device, to, elements, components);
  picture.low = found.low;
  picture.high = found.high;
  picture.mean = found.mean;
  picture.not_finite = found.not_finite;
  picture.lost = {};
  // The parts of complex numbers can only be narrow where the magnitudes are.
  const double magnitude = std::max(std::abs(found.low), std::abs(found.high));
  const bool narrow = isNarrow((found.high - found.low) / components, magnitude);
  if (isExactInSingle(loan.type) || (!narrow && found.not_finite == 0)) return;
  picture.lost = lost(*device, loan.slots->slot(loan.slot), loan.type, loan.layout, loan.width, loan.height);
}

}  // namespace

PicturePtr Mailbox::take(milliseconds patience, const compute::DevicePtr& device) {
  std::optional<Loan> loan = claim(patience);
  const bool foreign = loan && loan->on_device;
  const bool readable = loan && (!foreign || (device && device->info().id == loan->on_device->device));
  std::optional<Returned> returned;
  if (loan) returned.emplace(*loan);
  if (!readable) {
    const std::lock_guard lock(mutex_);
    return latest_;
  }
  const std::shared_ptr<Picture> picture = blank();
  picture->number = loan->number;
  picture->time = loan->time;
  picture->not_finite = 0;
  picture->form = loan->form;
  picture->lost = loan->lost;
  if (foreign) {
    const auto begin = steady_clock::now();
    copyFromDevice(*loan->on_device, components_, device, *picture);
    returned->reading = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin);
  } else {
    copyFromHost(*loan, components_, *picture);
  }
  const std::lock_guard lock(mutex_);
  latest_ = picture;
  return latest_;
}

void Mailbox::usedOn(const compute::DeviceInfo& device) {
  std::function<void(const compute::DeviceInfo&)> watcher;
  {
    const std::lock_guard lock(mutex_);
    watcher = watcher_;
  }
  if (watcher) watcher(device);
}

void Mailbox::watchUse(std::function<void(const compute::DeviceInfo&)> watcher) {
  const std::lock_guard lock(mutex_);
  watcher_ = std::move(watcher);
}

bool Mailbox::waiting() const {
  const std::lock_guard lock(mutex_);
  return offered_.has_value();
}

std::string Mailbox::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

}  // namespace simscope::live
