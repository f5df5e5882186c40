#include "app/cli/bench/devices_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/cli/bench/batches.h"
#include "sims/compute/buffer.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::cli {
namespace {

using compute::RankMessage;
using compute::Ranks;

// The slowest rank's value, on all ranks, so that all take the same decisions.
double ofSlowest(Ranks& ranks, double value) {
  ranks.maximum({&value, 1});
  return value;
}

// timed(n): the same value on all ranks.
StepCost costOf(
    std::int64_t at_once, const TimedSteps& timed, const std::function<void()>& begun = [] {}) {
  const std::int64_t batch = fullBatch(0.05, at_once, 1'000'000, timed);
  begun();
  return costOfBatches(batch, 0.6, timed);
}

ScalingPoint pointOf(const Scene& scene, int ranks) {
  ScalingPoint point;
  point.simulation = scene.description->id;
  point.size = scene.parameters.integer(scene.description->size_key);
  point.ranks = ranks;
  if (const auto most = scene.description->decomposition.most_ranks) point.most_ranks = most(scene.parameters);
  point.series = scene.preset;
  const ParameterSet preset = scene.description->preset(scene.preset);
  for (std::size_t i = 0; i < preset.size(); ++i) {
    const std::string& key = preset.infos()[i].key;
    if (key == scene.description->size_key || preset[i] == scene.parameters[i]) continue;
    point.series += (point.series.empty() ? "" : ", ") + key + "=" + toText(scene.parameters[i]);
  }
  return point;
}

}  // namespace

double LinkMeasurement::bandwidth() const {
  if (points.empty() || points.back().seconds <= 0) return 0;
  return points.back().bytes / points.back().seconds;
}

LinkMeasurement measureLink(compute::Device& device, const Team& team) {
  Ranks& ranks = *team.ranks();
  LinkMeasurement link;
  link.name = device.link();
  constexpr std::size_t kMost = 256u << 20, kMostOfHost = 32u << 20;
  double room = -static_cast<double>(device.memoryFree()) / 16;
  room = -ofSlowest(ranks, room);
  const auto most = std::min(static_cast<std::size_t>(room), device.isCuda() ? kMost : kMostOfHost);
  const compute::Buffer<unsigned char> from(device.shared_from_this(), most), to(device.shared_from_this(), most);
  const int size = ranks.size(), before = (ranks.rank() + size - 1) % size, after = (ranks.rank() + 1) % size;
  for (std::size_t bytes = 8; bytes <= most; bytes *= 8) {
    const std::array sent{RankMessage{after, const_cast<unsigned char*>(from.data()), bytes}};
    const std::array received{RankMessage{before, const_cast<unsigned char*>(to.data()), bytes}};
    const auto timed = [&](std::int64_t n) {
      team.beat();
      ranks.barrier();
      return ofSlowest(ranks, 1e-3 * device.timed([&] {
        for (std::int64_t i = 0; i < n; ++i) device.exchange(sent, received);
      }));
    };
    link.points.push_back({static_cast<double>(bytes), costOf(4, timed).seconds});
    if (bytes < most && bytes * 8 > most) bytes = most / 8;
  }
  return link;
}

ScalingPoint measureTogether(const Scene& scene, const compute::DevicePtr& device, const Team& team) {
  Ranks& ranks = *team.ranks();
  ScalingPoint point = pointOf(scene, ranks.size());
  Ranks::Traffic sent;
  StepCost cost;
  device->run([&] {
    Stepper stepper(*scene.description, device, scene.parameters, 1);
    const Throughput told = stepper.simulation().throughput();
    point.work = told.work_per_step;
    point.work_unit = told.unit;
    const auto timed = [&](std::int64_t n) {
      team.beat();
      ranks.barrier();
      const Ranks::Traffic before = ranks.traffic();
      const double ms = device->timed([&] { stepper.step(static_cast<int>(n)); });
      const Ranks::Traffic& after = ranks.traffic();
      sent.exchanges += after.exchanges - before.exchanges;
      sent.messages += after.messages - before.messages;
      sent.bytes += after.bytes - before.bytes;
      sent.collectives += after.collectives - before.collectives;
      return ofSlowest(ranks, 1e-3 * ms);
    };
    cost = costOf(std::max(1, told.at_once), timed, [&] { sent = {}; });
  });
  const auto ofStep = [&](std::uint64_t count) {
    return ofSlowest(ranks, static_cast<double>(count) / static_cast<double>(cost.steps));
  };
  point.seconds = cost.seconds;
  point.exchanges = ofStep(sent.exchanges);
  point.messages = ofStep(sent.messages);
  point.bytes = ofStep(sent.bytes);
  point.collectives = ofStep(sent.collectives);
  return point;
}

ScalingPoint measureAlone(const Scene& scene, const DeviceChoice& choice, const Team& team, std::string& refused) {
  Ranks& ranks = *team.ranks();
  ScalingPoint point = pointOf(scene, 1);
  refused.clear();
  if (ranks.first()) {
    try {
      const compute::DevicePtr device = openDevice(choice);
      device->run([&] {
        Stepper stepper(*scene.description, device, scene.parameters, 1);
        const Throughput throughput = stepper.simulation().throughput();
        const auto timed = [&](std::int64_t n) {
          team.beat();
          return 1e-3 * device->timed([&] { stepper.step(static_cast<int>(n)); });
        };
        point.seconds = costOf(std::max(1, throughput.at_once), timed).seconds;
        point.work = throughput.work_per_step;
        point.work_unit = throughput.unit;
      });
    } catch (const UsageError& error) {
      refused = error.what();
    } catch (const OutOfMemory& error) {
      refused = error.what();
    }
  }
  ranks.broadcast(refused);
  ranks.broadcast(point.work_unit);
  ranks.broadcast(std::as_writable_bytes(std::span(&point.seconds, 1)));
  ranks.broadcast(std::as_writable_bytes(std::span(&point.work, 1)));
  return point;
}

}  // namespace simscope::cli
