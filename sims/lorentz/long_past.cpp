#include "sims/lorentz/long_past.h"

#include <algorithm>
#include <utility>

#include "sims/lorentz/measure.h"

namespace simscope::lorentz {

void LongPast::makeRoom(compute::Device& device) {
  const bool thin = every_ < kMostEvery;
  spare_.zero();  // so that the same samples leave the same bits
  copySamples(device, kept_.data(), thin ? 0 : kRoom / 2, thin ? 2 : 1, kRoom, spare_.data(), kRoom / 2);
  std::swap(kept_, spare_);
  count_ = kRoom / 2;
  if (thin) every_ *= 2;
}

void LongPast::add(compute::Device& device, const float* ring, int first, int samples) {
  for (std::int64_t done = 0; done < samples;) {
    // The first of those left that is kept.
    const std::int64_t wait = (every_ - seen_ % every_) % every_;
    if (wait >= samples - done) {
      seen_ += samples - done;
      return;
    }
    if (count_ == kRoom) {
      makeRoom(device);
      continue;
    }
    const std::int64_t due = (samples - done - wait - 1) / every_ + 1, now = std::min(due, kRoom - count_);
    copySamples(device, ring, first + done + wait, every_, kSamples, kept_.data() + 6 * count_, now);
    const std::int64_t passed = wait + (now - 1) * every_ + 1;
    count_ += now, seen_ += passed, done += passed;
  }
}

std::vector<Sample> LongPast::toHost(compute::Device& device, std::int64_t steps, const History& history,
                                     double time_step) const {
  std::vector<float> values(static_cast<std::size_t>(6 * count_));
  if (values.empty()) return {};
  device.download(values.data(), kept_.data(), values.size() * sizeof(float));
  std::vector<Sample> past(static_cast<std::size_t>(count_));
  for (std::int64_t i = 0; i < count_; ++i) {
    const std::int64_t age = seen_ - 1 - lastKept() + (count_ - 1 - i) * every_;  // in samples
    const float* const from = values.data() + 6 * i;
    past[static_cast<std::size_t>(i)] = {
        (static_cast<double>(steps - history.since) - static_cast<double>(age) * history.stride) * time_step,
        {from[0], from[1], from[2]},
        {from[3], from[4], from[5]}};
  }
  return past;
}

void LongPast::visit(Archive& archive, const compute::DevicePtr& device) {
  missing_ = archive.loading() && !(archive.has("long_past") && archive.has("long_run"));
  archive.buffer("long_past", "former positions and γv of the first particle, thinned out",
                 {static_cast<std::size_t>(kRoom), 6}, kept_, device, {}, WhenMissing::Leave);
  archive.values<double>(
      "long_run", "of long_past: how many are kept, how many came by, and one in how many is kept", {3},
      [this] {
        return std::vector<double>{static_cast<double>(count_), static_cast<double>(seen_),
                                   static_cast<double>(every_)};
      },
      [this](const std::vector<double>& values) {
        // Numbers of a foreign state are made to fit each other.
        const auto whole = [&](std::size_t i, double most) {
          return static_cast<std::int64_t>(std::clamp(values[i], 0.0, most));
        };
        every_ = 1;
        while (2 * every_ <= whole(2, kMostEvery)) every_ *= 2;
        seen_ = whole(1, 9e15);
        count_ = seen_ > 0 ? std::min(whole(0, kRoom), (seen_ - 1) / every_ + 1) : 0;
      },
      {0, 9e15}, WhenMissing::Leave);
}

}  // namespace simscope::lorentz
