#include "app/session/device_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/session/device_comparison.h"

namespace simscope {

void DeviceCosts::note(const RunnerStatus& status) {
  if (!status.description || status.device.id.empty()) return;
  const bool same = status.description == description_ &&
                    status.parameters.infos().data() == parameters_.infos().data() &&
                    !status.parameters.needsReset(parameters_);
  if (!same) {
    description_ = status.description;
    costs_.clear();
  }
  parameters_ = status.parameters;
  // Just after a change of the device, the status has no cost for the new device yet.
  if (!(status.step_us > 0)) return;
  const auto known =
      std::find_if(costs_.begin(), costs_.end(), [&](const Cost& each) { return each.device.id == status.device.id; });
  if (known == costs_.end()) {
    costs_.push_back({status.device, status.method, status.step_us});
  } else {
    known->method = status.method;
    known->step_us = status.step_us;
  }
}

const DeviceCosts::Cost* DeviceCosts::find(const std::string& device) const noexcept {
  for (const Cost& each : costs_) {
    if (each.device.id == device) return &each;
  }
  return nullptr;
}

std::optional<double> DeviceCosts::ratio(const std::string& slower, const std::string& faster) const {
  const Cost *one = find(slower), *other = find(faster);
  if (!one || !other) return std::nullopt;
  return one->step_us / other->step_us;
}

std::string DeviceCosts::sentence() const {
  if (costs_.size() < 2) return {};
  const auto by_cost = [](const Cost& a, const Cost& b) { return a.step_us < b.step_us; };
  const auto [fast, slow] = std::minmax_element(costs_.begin(), costs_.end(), by_cost);
  return comparisonText(slow->device.id, slow->step_us, fast->device.id, fast->step_us);
}

void TransferCosts::note(const render::TransferReport& report, std::uint64_t sequence) {
  constexpr double kWeight = 0.1;
  if (sequence == seen_ || report.path == render::TransferPath::None) return;
  seen_ = sequence;
  Cost& cost = costs_[static_cast<std::size_t>(report.path)];
  const double weight = cost.frames == 0 ? 1 : std::max(kWeight, 1.0 / (cost.frames + 1));
  cost.milliseconds += weight * (report.milliseconds - cost.milliseconds);
  cost.host_bytes += weight * (static_cast<double>(report.host_bytes) - cost.host_bytes);
  ++cost.frames;
}

std::string microsecondsText(double microseconds) {
  if (!(microseconds > 0)) return "not measured yet";
  if (microseconds >= 1e6) return fmt::format("{:.3g} s", microseconds / 1e6);
  if (microseconds >= 1e3) return fmt::format("{:.3g} ms", microseconds / 1e3);
  return fmt::format("{:.3g} µs", microseconds);
}

}  // namespace simscope
