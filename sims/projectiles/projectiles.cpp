#include "sims/projectiles/projectiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/core/archive.h"
#include "sims/core/words.h"
#include "sims/projectiles/present.h"

namespace simscope::projectiles {
namespace {

constexpr double kMostMeanDensities = 8;  // that the histogram's axis reaches
constexpr double kRoom = 1.02;            // beyond the longest range, so that rounding leaves nothing out

}  // namespace

Projectiles::Projectiles(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(projectiles::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  const std::size_t numbers = static_cast<std::size_t>(p_.launches) * FlightRows<float>::kRows;
  if (drags() && single()) single_flights_ = Flights<float>(device_, numbers);
  if (drags() && !single()) double_flights_ = Flights<double>(device_, numbers);
  landings_ = Landings(device_, p_.bins);
  edges_ = compute::Buffer<double>(device_, kExactPoints + 1);
  setScales();
  reset(0);
}

void Projectiles::setScales() {
  extremes_ = extremes(p_);
  means_ = exactMeans(p_);
  // Where nothing flies there is still a picture.
  extent_ = {std::max(kRoom * extremes_.range, 1e-3), std::max(kRoom * extremes_.duration, 1e-3)};
  height_ = std::max(1.06 * extremes_.height, 1e-3);
  // A few high bins, such as those of slow launches beside the origin, are cut off rather than all others flat.
  const double largest = largestDensity(p_, extent_.range, std::min(p_.bins, kExactPoints));
  density_ = std::min(1.08 * largest, kMostMeanDensities / extent_.range);
  if (!(density_ > 0)) density_ = 1 / extent_.range;
  envelope_ = envelope(p_, p_.speed_max, kEnvelopePoints);
}

void Projectiles::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  clock_ = {};
  if (drags()) withFlights([&](auto& flights) { launchAll(law(), p_.height, flights); });
  landings_current_ = false;
}

void Projectiles::change(const ParameterSet& parameters) {
  const Parameters changed = binding().read(parameters);
  if (changed.bins != p_.bins) {
    Landings other(device_, changed.bins);
    landings_ = std::move(other);
  }
  if (changed.time_step != p_.time_step) clock_ = {time(), steps_};
  p_ = changed;
  setScales();
  landings_current_ = false;
}

void Projectiles::step(int n) {
  if (n <= 0) return;
  if (drags()) {
    const DragLaw<double> drag{p_.gravity, p_.linear(), p_.quadratic()};
    withFlights([&](auto& flights) { advance(flights, drag, clock_, steps_, n, p_.time_step); });
  }
  steps_ += n;
  landings_current_ = false;
}

void Projectiles::completeStep() {
  if (!drags()) ensureLandings();
}

void Projectiles::ensureLandings() {
  if (landings_current_) return;
  if (drags()) {
    withFlights([&](auto& flights) { countLandings(flights, extent_, landings_); });
  } else {
    evaluate(*device_, question(p_, seed_, time(), extent_), landings_);
  }
  landings_current_ = true;
}

Presented Projectiles::presented() {
  Presented what;
  what.law = law();
  what.flight = freeFlight(p_);
  if (drags() && single()) what.single_flights = &single_flights_;
  if (drags() && !single()) what.double_flights = &double_flights_;
  what.time = time();
  what.launches = static_cast<std::uint64_t>(p_.launches);
  what.most_drawn = static_cast<std::uint64_t>(p_.drawn);
  what.speed_min = p_.speed_min;
  what.speed_max = p_.speed_max;
  what.angle_min = p_.angle_min;
  what.angle_max = p_.angle_max;
  what.width = extent_.range;
  what.height = height_;
  what.density = density_;
  return what;
}

void Projectiles::present(Frame& frame) {
  const Presented what = presented();
  presentPoints(frame, what);
  if (frame.wants("landings")) {
    ensureLandings();
    presentLandings(frame, what, landings_);
  }
  if (frame.wants("landings_exact")) {
    const double until = std::min(time(), extent_.duration);  // when all have landed
    presentExact(frame, what, landingLaw(p_), until, edges_, until == edges_time_);
    edges_time_ = until;
  }
  if (!frame.wants("envelope")) return;
  std::vector<float> path = envelope_;
  path.resize(2 * kEnvelopePoints, std::numeric_limits<float>::quiet_NaN());
  Channel& channel = frame.channel("envelope", kEnvelopePoints, 1, 2);
  channel.x_max = what.width;
  channel.y_max = what.height;
  channel.data.upload(path);
}

void Projectiles::diagnostics(std::span<double> values) {
  const double n = p_.launches;
  std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  if (drags()) {
    const Statistics now = withFlights([&](auto& flights) { return statistics(flights, law(), p_, time()); });
    values[kLanded] = now.landed;
    if (now.landed > 0) {
      values[kMeanRange] = now.range / now.landed;
      values[kMeanDuration] = now.duration / now.landed;
      values[kLargestRange] = now.most_range;
    }
    values[kLargestHeight] = now.highest;
    if (now.energy_at_launch > 0) values[kEnergyLost] = 100 * (1 - now.energy / now.energy_at_launch);
    if (p_.drag == Drag::Linear) values[kRk4Error] = now.off_exact;
    values[kTerminalSpeed] =
        p_.drag == Drag::Linear ? p_.gravity / p_.linear_drag : std::sqrt(p_.gravity / p_.quadratic_drag);
  } else {
    ensureLandings();
    const Tally tally = landings_.tally();
    values[kLanded] = static_cast<double>(tally.landed);
    if (tally.landed > 0) {
      values[kMeanRange] = tally.meanRange(extent_);
      values[kMeanDuration] = tally.meanDuration(extent_);
      values[kLargestRange] = tally.mostRange(extent_);
    }
    values[kLargestHeight] = tally.highest();
  }
  values[kInFlight] = n - values[kLanded];
  if (p_.drag != Drag::Quadratic) values[kLandedExact] = n * landingLaw(p_).share(LandingLaw::kBeyond, time());
  if (values[kInFlight] == 0) values[kMeanRangeError] = 100 * (values[kMeanRange] / means_.range - 1);
  values[kMeanRangeExact] = means_.range;
  values[kMeanDurationExact] = means_.duration;
  if (extremes_.exact_range) values[kLargestRangeExact] = extremes_.range;
  if (extremes_.exact_height) values[kLargestHeightExact] = extremes_.height;
}

std::vector<Finding> Projectiles::check(std::span<const double>) const {
  return findingsFor(p_, extremes_.duration);
}

bool Projectiles::finite() {
  if (!drags()) return std::isfinite(time());
  return withFlights([&](auto& flights) { return statistics(flights, law(), p_, time()); }).not_finite == 0;
}

std::string Projectiles::likelyCauseOfNaN() const {
  return fmt::format("Steps of {:g} s are too long for this drag; steps up to {:.3g} s are stable.", p_.time_step,
                     longestStep(p_));
}

Throughput Projectiles::throughput() const {
  const double n = p_.launches;
  if (!drags()) {
    // Philox's ten rounds, of two wide products (two instructions' time each) and two others, are shared by two
    // launches; then what each takes until it is counted.
    constexpr double kOperations = 30 + 65;
    return {.unit = "launches/s",
            .work_per_step = n,
            .flops_per_step = 60 * n,
            .lane_operations_per_step = kOperations * n,
            .only_last_step_costs = true};
  }
  // Four slopes and their sums; quadratic drag has a root in each. Many steps are made in one pass over memory, so that
  // it is the arithmetic that a step cannot do without, of launches in flight.
  const bool quadratic = p_.drag == Drag::Quadratic;
  return {.unit = "launches/s",
          .work_per_step = n,
          .flops_per_step = (quadratic ? 92.0 : 68.0) * n,
          .lane_operations_per_step = single() ? (quadratic ? 110.0 : 68.0) * n : 0,
          .comes_to_rest = true};
}

std::string Projectiles::method() const {
  const std::string where = device_->isCuda() ? "1 pass in registers" : counted(device_->info().threads, "thread");
  if (!drags()) return "closed form, " + where;
  return fmt::format("Runge-Kutta 4, {}, {}", single() ? "float32" : "float64", where);
}

void Projectiles::visit(Archive& archive) {
  const auto n = static_cast<std::size_t>(p_.launches);
  const auto bins = static_cast<std::size_t>(p_.bins);
  archive.values<int>(
      "landings", "launches that have landed, by bins of their range; recomputed when loaded", {bins},
      [this] {
        ensureLandings();
        return landings_.histogram();
      },
      [](const std::vector<int>&) {}, {0, static_cast<double>(p_.launches)});
  if (drags()) {
    constexpr std::size_t kRows = FlightRows<float>::kRows;
    const char* const what = "x, y [m], v_x, v_y [m/s], flight time [s] (-1: in flight), and apex [m] of each launch";
    withFlights([&](auto& flights) { archive.buffer("flights", what, {kRows, n}, flights, device_, {-1e30, 1e30}); });
  }
  archive.constant("launches", p_.launches);
  archive.number("clock_time", clock_.time, {0, 1e12});
  archive.number("clock_step", clock_.step, {0, static_cast<double>(archive.steps(steps_))});
}

void Projectiles::loaded(const State& state) {
  if (!state.find("run")) clock_ = {state.time, state.steps};
  landings_current_ = false;
}

}  // namespace simscope::projectiles
