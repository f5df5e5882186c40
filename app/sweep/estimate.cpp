#include "app/sweep/estimate.h"

#include <algorithm>
#include <cmath>

#include "app/sweep/pool.h"

namespace simscope::sweep {

namespace {

constexpr std::size_t kSampled = 64;  // runs whose memory is estimated

// Bytes of a run: the mean and the largest; 0 if the description does not say.
struct RunBytes {
  double mean = 0, largest = 0;
};

RunBytes bytesOf(const Plan& plan, compute::Backend backend) {
  RunBytes bytes;
  const auto memory = plan.description().memory;
  if (!memory) return bytes;
  const std::size_t runs = plan.runs(), sampled = std::min(runs, kSampled);
  for (std::size_t i = 0; i < sampled; ++i) {
    // Both ends are among them.
    const std::size_t run = sampled > 1 ? i * (runs - 1) / (sampled - 1) : 0;
    const double own = memory(plan.parametersOf(run), backend);
    bytes.mean += own / static_cast<double>(sampled);
    bytes.largest = std::max(bytes.largest, own);
  }
  return bytes;
}

}  // namespace

FormerSweep formerOf(const Plan& plan, const Result& result, bool figures) {
  const double all = static_cast<double>(plan.runs()) * static_cast<double>(plan.steps);
  return {&plan.description(), result.device.id, figures, result.seconds / all,
          bytesOf(plan, result.device.backend).mean};
}

Estimate estimateOf(const Plan& plan, const KnownCost& known, const std::optional<FormerSweep>& former, bool figures) {
  Estimate estimate;
  const bool cuda = known.device.backend == compute::Backend::Cuda;
  const RunBytes bytes = bytesOf(plan, known.device.backend);
  const auto room = static_cast<double>(known.device.memory);
  const bool side_by_side = !figures && plan.description().batch.create && plan.scene.timeline.empty();
  if (figures) {
    estimate.at_a_time = plan.runs();
  } else if (side_by_side) {
    const double fit = bytes.largest > 0 ? 0.5 * room / bytes.largest : static_cast<double>(kMostSideBySide);
    const auto most = static_cast<std::size_t>(std::clamp<double>(fit, 1, static_cast<double>(kMostSideBySide)));
    estimate.at_a_time = std::min(plan.runs(), most);
  } else if (!cuda) {
    estimate.at_a_time = static_cast<std::size_t>(sharesOf(plan, plan.runs(), known.device.threads, room).workers);
  }
  estimate.bytes = bytes.largest * static_cast<double>(estimate.at_a_time);

  const double steps = static_cast<double>(plan.runs()) * static_cast<double>(plan.steps);
  // Larger runs take longer, about as their memory grows.
  const auto larger = [&](double than) { return bytes.mean > 0 && than > 0 ? bytes.mean / than : 1.0; };
  if (former && former->description == &plan.description() && former->device == known.device.id &&
      former->figures == figures) {
    estimate.seconds = steps * former->seconds_per_step * larger(former->size);
  } else if (known.step_seconds > 0) {
    const auto memory = plan.description().memory;
    const double own = memory ? memory(known.parameters, known.device.backend) : 0;
    estimate.seconds = steps * known.step_seconds * larger(own);
    estimate.at_most = estimate.at_a_time > 1;
  }
  return estimate;
}

}  // namespace simscope::sweep
