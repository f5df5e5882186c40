#include "sims/descent/descent.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace simscope::descent {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kLayoutStream = 0xffffffffu;  // of random numbers: no iteration's

// Roberts' sequence: multiples of 1/φ and 1/φ², φ³ = φ + 1, as parts of 1.
double spreadEvenly(int k, double step) {
  const double at = 0.5 + step * (k + 1);
  return at - std::floor(at);
}

}  // namespace

Descent::Descent(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(descent::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  surface_ = p_.surfaceData();
  minima_ = minimaOf(p_, surface_);
  top_ = topLoss(p_, surface_, minima_);
  if (!minima_.empty()) {
    curvature_ = curvatureAt(surface_, minima_.all[0].x, minima_.all[0].y);
    const double lowest = minima_.all[0].value, same = 1e-9 * (1 + std::fabs(lowest));
    lowest_count_ = static_cast<int>(std::count_if(minima_.all.begin(), minima_.all.end(),
                                                   [&](const Minimum& m) { return m.value <= lowest + same; }));
  }
  const std::vector<int> table = nearestTable(p_, minima_, nearest_);
  table_ = {device_, table.size()};
  table_.upload(table);
  std::vector<double> places;
  for (const Minimum& each : minima_.all) places.insert(places.end(), {each.x, each.y});
  if (places.empty()) places.assign(2, 0.0);
  minimum_places_ = {device_, places.size()};
  minimum_places_.upload(places);
  nearest_.table = table_.data();
  nearest_.places = minimum_places_.data();

  x_ = {device_, all()};
  y_ = {device_, all()};
  memory_ = {device_, kMemories * all()};
  since_ = {device_, all()};
  losses_ = {device_, std::size_t{kSamples} * kWitnesses};
  places_ = {device_, std::size_t{2} * kTracers * kSamples};
  summary_ = {device_, std::size_t{kCurves} * kSamples};
  reset(0);
}

// Made on the host, so that both backends begin with the same bits.
std::vector<double> Descent::startPlaces() const {
  const std::size_t n = all(), side = static_cast<std::size_t>(p_.starts);
  std::vector<double> places(2 * n);
  const double edge = 2 * p_.half_edge;
  for (std::size_t i = 0; i < p_.count(); ++i) {
    double dx = 0.5, dy = 0.5;
    if (p_.layout == Layout::Jittered) {
      const compute::Uniform4 drawn = compute::uniform4(seed_, kLayoutStream, i);
      dx = drawn.u[0], dy = drawn.u[1];
    }
    places[i] = p_.left() + edge * (static_cast<double>(i % side) + dx) / p_.starts;
    places[n + i] = p_.bottom() + edge * (static_cast<double>(i / side) + dy) / p_.starts;
  }
  for (int k = 0; k < kWitnesses; ++k) {
    const std::size_t i = p_.count() + static_cast<std::size_t>(k);
    places[i] = p_.left() + edge * spreadEvenly(k, 0.7548776662466927);
    places[n + i] = p_.bottom() + edge * spreadEvenly(k, 0.5698402909980532);
  }
  return places;
}

// Mean squares of the bowl's modes, of the grid and of the witnesses.
void Descent::takeModes(const std::vector<double>& places) {
  if (!p_.is(Surface::Bowl)) return;
  const Bowl& bowl = surface_.bowl;
  const auto over = [&](std::size_t begin, std::size_t end) {
    double u2 = 0, v2 = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = places[i], y = places[all() + i];
      u2 += squareOf(bowl.cosine * x + bowl.sine * y);
      v2 += squareOf(bowl.cosine * y - bowl.sine * x);
    }
    const auto count = static_cast<double>(end - begin);
    return Modes{{1, p_.condition}, {u2 / count, v2 / count}};
  };
  modes_ = over(0, p_.count());
  witness_modes_ = over(p_.count(), all());
}

void Descent::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  began_ = 0;
  stride_ = 1;
  exact_ = true;
  summarised_ = 0;
  placeWatched(p_.first_x, p_.first_y);
  const std::vector<double> places = startPlaces();
  const std::span<const double> both(places);
  x_.upload(both.first(all()));
  y_.upload(both.last(all()));
  takeModes(places);
  memory_.zero();
  losses_.zero();
  places_.zero();
  begin(*device_, work(), true);
}

Advance Descent::work() {
  return {surface_,
          p_.rule(seed_),
          {x_.data(), y_.data(), memory_.data(), since_.data(), static_cast<std::int64_t>(all())},
          {losses_.data(), places_.data(), stride_},
          nearest_,
          minima_.lowest,
          steps_,
          began_};
}

void Descent::placeWatched(double x, double y) {
  watched_x_ = std::clamp(x, -kFar, kFar);
  watched_y_ = std::clamp(y, -kFar, kFar);
  watched_ = {};
}

void Descent::setObservers(std::span<const double> placed) {
  if (placed.size() == 2) {
    placeWatched(placed[0], placed[1]);
  } else {
    placeWatched(p_.first_x, p_.first_y);
  }
}

const Watched& Descent::watched() {
  if (watched_.x.empty()) watched_ = watch(surface_, p_.rule(seed_), watched_x_, watched_y_, kMostWatched);
  return watched_;
}

void Descent::change(const ParameterSet& parameters) {
  const Parameters next = binding().read(parameters);
  const Rule before = p_.rule(seed_), after = next.rule(seed_);
  const bool method = before.method != after.method;
  const auto differs = [&](double Rule::*what, bool counts) { return counts && before.*what != after.*what; };
  const bool momenta = next.uses(Method::Momentum) || next.uses(Method::Nesterov);
  const bool adam = next.uses(Method::Adam);
  if (method || differs(&Rule::rate, !next.bfgs()) || differs(&Rule::noise, true) ||
      differs(&Rule::momentum, momenta) || differs(&Rule::beta1, adam) || differs(&Rule::beta2, adam)) {
    exact_ = false;
    watched_ = {};
  }
  if (next.shown != p_.shown) picture_.reset();
  p_ = next;
  if (!method) return;
  memory_.zero();
  began_ = steps_;
}

void Descent::step(int n) {
  while (n > 0) {
    if (steps_ + 1 == kSamples * stride_) {
      halve(*device_, work().history);
      stride_ *= 2;
      summarised_ = 0;
    }
    // Up to the last iteration whose sample has room.
    const std::int64_t room = kSamples * stride_ - 1 - steps_;
    const int count = static_cast<int>(std::min<std::int64_t>(n, room));
    advance(*device_, work(), count);
    steps_ += count;
    n -= count;
  }
}

void Descent::summariseNew() {
  summarise(*device_, work().history, summarised_, samples(), summary_.data());
  summarised_ = samples();
}

// Of the mean loss over the later half of the samples; of the root, for an error in place.
double Descent::measuredFactor() const {
  constexpr int kFewest = 8;
  const int last = samples() - 1, first = last / 2;
  if (last < kFewest) return kNaN;
  float ends[2];
  device_->download(&ends[0], summary_.data() + kMeanCurve * kSamples + first, sizeof(float));
  device_->download(&ends[1], summary_.data() + kMeanCurve * kSamples + last, sizeof(float));
  constexpr float kUseful = -28;  // below, rounding is what is left
  if (ends[0] < kUseful || ends[1] < kUseful || ends[1] > 17) return kNaN;
  return std::pow(10, 0.5 * static_cast<double>(ends[1] - ends[0]) / (static_cast<double>(last - first) * stride_));
}

void Descent::diagnostics(std::span<double> values) {
  std::fill(values.begin(), values.begin() + kDiagnosticCount, kNaN);
  const auto set = [&](Diagnostic which, double value) { values[which] = std::isfinite(value) ? value : kNaN; };
  const Totals now = measure(*device_, work(), lowest_count_);
  const double n = static_cast<double>(p_.count());
  summariseNew();
  const bool some = now.diverged < n;
  set(kBest, some && now.best < 1e300 ? now.best + minima_.lowest : kNaN);
  if (minima_.known && std::isfinite(values[kBest])) set(kBestExact, minima_.lowest);
  set(kArrived, now.arrived / n);
  set(kArrivedLowest, now.lowest / n);
  set(kDivergedShare, now.diverged / n);
  if (now.last_arrival >= 0 && now.arrived == n) set(kLastArrival, now.last_arrival);

  // Distances of the witnesses to their nearest minimum.
  if (!minima_.empty()) {
    std::vector<double> x(kWitnesses), y(kWitnesses), distance(kWitnesses, HUGE_VAL);
    device_->download(x.data(), x_.data() + p_.count(), kWitnesses * sizeof(double));
    device_->download(y.data(), y_.data() + p_.count(), kWitnesses * sizeof(double));
    for (std::size_t i = 0; i < kWitnesses; ++i) {
      for (const Minimum& m : minima_.all) distance[i] = std::min(distance[i], std::hypot(x[i] - m.x, y[i] - m.y));
    }
    std::nth_element(distance.begin(), distance.begin() + kWitnesses / 2, distance.end());
    set(kDistance, distance[kWitnesses / 2]);
  }
  float median = 0;
  device_->download(&median, summary_.data() + kMedianCurve * kSamples + samples() - 1, sizeof(float));
  set(kMedianLoss, static_cast<double>(median));
  const Watched& path = watched();
  const auto at = static_cast<std::size_t>(std::min<std::int64_t>(steps_, kMostWatched));
  if (steps_ <= kMostWatched && at < path.f.size()) set(kWatchedLoss, path.f[at] - minima_.lowest);
  if (p_.is(Surface::Bowl)) set(kFactorLeast, leastFactor(p_.condition));
  if (p_.is(Surface::Bowl)) set(kMeanLoss, std::log10(std::max(now.excess / n, 1e-300)));
  if (p_.is(Surface::Bowl) && p_.bfgs() && exact_ && now.arrived == n) set(kLastArrivalExact, 2);
  if (!closedFormHolds() || now.diverged > 0) return;
  const Rule rule = p_.rule(seed_);
  const double factor = std::max(factorOf(rule, 1), factorOf(rule, p_.condition));
  set(kMeanLossExact, std::log10(std::max(meanAfter(rule, modes_, steps_), 1e-300)));
  if (p_.noisy()) return;
  set(kFactor, measuredFactor());
  if (std::isfinite(values[kFactor])) set(kFactorExact, factor);
  if (std::isfinite(values[kWatchedLoss])) {
    const Bowl& b = surface_.bowl;
    const double u = b.cosine * watched_x_ + b.sine * watched_y_, v = b.cosine * watched_y_ - b.sine * watched_x_;
    set(kWatchedLossExact, valueAfter(rule, p_.condition, u, v, steps_));
  }
}

std::vector<Finding> Descent::check(std::span<const double> values) const {
  return findingsFor(p_, curvature_, !minima_.empty(), values);
}

bool Descent::finite() {
  return measure(*device_, work(), lowest_count_).bad == 0;
}

std::string Descent::likelyCauseOfNaN() const {
  return fmt::format("Iterations with η = {:g} overflowed. Reset, with a smaller learning_rate.", p_.learning_rate);
}

Throughput Descent::throughput() const {
  // Operations of a gradient by dual numbers, counted in the source, a function as ten; of the rest of an iteration.
  constexpr double kGradient[] = {60, 40, 60, 90, 120, 160, 0};
  const double gradient =
      p_.is(Surface::Formula) ? 20.0 * surface_.program.size : kGradient[static_cast<std::size_t>(p_.surface)];
  constexpr double kSearches = 4;  // gradients that a line search takes
  const double n = static_cast<double>(all());
  const double each = p_.bfgs() ? kSearches * gradient + 80 : gradient + (p_.uses(Method::Adam) ? 80 : 12);
  // Whatever a launch makes of it, the state crosses the memory once in so many iterations.
  return {.unit = "starts/s",
          .work_per_step = n,
          .bytes_per_step = n * 2 * (6 * sizeof(double) + sizeof(int)) / kIterationsOfALaunch,
          .flops_per_step = each * n,
          // A number of double precision takes the room of two.
          .lane_operations_per_step = 2 * each * n};
}

std::string Descent::method() const {
  return p_.bfgs() ? "BFGS, dual numbers, in registers for all iterations of a launch"
                   : "dual numbers, in registers for all iterations of a launch";
}

}  // namespace simscope::descent
