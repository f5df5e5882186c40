#include "sims/pinn/pinn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/compute/random/random.h"
#include "sims/pinn/train.h"

namespace simscope::pinn {
namespace {

template <class T>
compute::Buffer<T> bufferOf(const compute::DevicePtr& device, const std::vector<T>& values) {
  return compute::Buffer<T>(device, values);
}

std::vector<int> mapOf(const Architecture& net, int& width) {
  width = net.inputs + 2 + (net.layers - 1) * (net.units + 2) + 2;
  std::vector<int> map(static_cast<std::size_t>(width * net.units), -1);
  const auto cell = [&](int row, int column) -> int& { return map[static_cast<std::size_t>(row * width + column)]; };
  int column = 0;
  for (int l = 0; l < net.layers; ++l) {
    const int inputs = net.inputsOf(l), begin = net.begin(l);
    for (int i = 0; i < net.units; ++i) {
      for (int j = 0; j < inputs; ++j) cell(i, column + j) = begin + i * inputs + j;
      cell(i, column + inputs) = begin + net.units * inputs + i;
    }
    column += inputs + 2;
  }
  for (int i = 0; i < net.units; ++i) cell(i, column) = net.begin(net.layers) + i;
  cell(0, column + 1) = net.begin(net.layers) + net.units;
  return map;
}

}  // namespace

double Parameters::rateOf(int network) const {
  if (!sweeps()) return learning_rate;
  const double low = std::min(learning_rate, highest_rate), high = std::max(learning_rate, highest_rate);
  return low * std::pow(high / low, static_cast<double>(network) / (networks - 1));
}

std::int64_t iterationOf(int record) {
  return std::llround(std::pow(10.0, static_cast<double>(record) / kPerDecade));
}
int recordsUpTo(std::int64_t iteration) {
  static const std::array<std::int64_t, kRecords> at = [] {
    std::array<std::int64_t, kRecords> all{};
    for (int r = 0; r < kRecords; ++r) all[static_cast<std::size_t>(r)] = iterationOf(r);
    return all;
  }();
  return static_cast<int>(std::upper_bound(at.begin(), at.end(), iteration) - at.begin());
}

std::vector<float> initialWeights(const Architecture& net, double scale, std::uint64_t seed, std::uint32_t network) {
  std::vector<float> weights;
  compute::Uniform4 drawn{};
  std::uint64_t count = 0;
  const auto within = [&](double bound) {
    if (count % 4 == 0) drawn = compute::uniform4(seed, network, count / 4);
    weights.push_back(static_cast<float>(scale * bound * (2 * drawn.u[count % 4] - 1)));
    ++count;
  };
  for (int l = 0; l < net.layers; ++l) {
    const int inputs = net.inputsOf(l);
    for (int i = 0; i < net.units * inputs; ++i) within(std::sqrt(6.0 / (inputs + net.units)));
    for (int i = 0; i < net.units; ++i) within(1 / std::sqrt(static_cast<double>(inputs)));
  }
  for (int i = 0; i < net.units; ++i) within(std::sqrt(6.0 / (net.units + 1)));
  weights.push_back(0);
  return weights;
}

Pinn::Pinn(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(pinn::description(), std::move(device), parameters),
      p_(binding().read(parameters)),
      physics_(p_.physics()),
      net_(p_.net()),
      components_(physics_.components()) {
  const auto count = static_cast<std::size_t>(net_.weights()), all = networks() * count;
  for (compute::Buffer<float>* each : {&weights_, &mean_, &variance_, &gradient_})
    *each = compute::Buffer<float>(device_, all);
  parts_ = {device_, networks() * kParts};
  rates_ = {device_, networks()};
  conditions_ = bufferOf(device_, conditionsFor<float>(physics_));
  if (p_.sampling == Sampling::Grid) {
    places_ = bufferOf(device_, gridFor(physics_, p_.points));
  } else {
    places_ = {device_, static_cast<std::size_t>(kStepsOfALaunch * p_.points)};
  }
  const std::vector<Place<float>> grid = measuringGrid(physics_);
  std::vector<float> exact;
  double norm = 0;
  for (const Place<float>& at : grid) {
    exact.push_back(static_cast<float>(
        exactAt(physics_, xOf(physics_, static_cast<double>(at.xi)), timeOf(static_cast<double>(at.tau)))));
    norm += static_cast<double>(exact.back()) * static_cast<double>(exact.back());
  }
  exact_norm_ = static_cast<float>(norm);
  measured_at_ = bufferOf(device_, grid);
  measured_exact_ = bufferOf(device_, exact);
  measured_values_ = {device_, networks() * grid.size()};
  curve_at_ = {device_, kCurve + 1};
  curve_exact_ = {device_, kCurve};
  curve_ = {device_, (kCurve + 1) * kJet};
  scores_ = {device_, networks()};
  start_ = {device_, networks()};
  history_ = {device_, networks() * kRecords};
  best_ = {device_, 2};
  counts_ = {device_, kBins};
  map_ = bufferOf(device_, mapOf(net_, map_width_));
  takeLive();
  reset(0);
}

void Pinn::takeLive() {
  const int points = p_.sampling == Sampling::Grid ? static_cast<int>(places_.size()) : p_.points;
  loss_ = lossFor<float>(physics_, p_.condition_weight, points);
  std::vector<float> rates;
  for (int k = 0; k < p_.networks; ++k) rates.push_back(static_cast<float>(p_.rateOf(k)));
  rates_.upload(rates);
  // Places of the curve, cell by cell, and behind them the probe.
  std::vector<Place<float>> places;
  std::vector<float> exact;
  const auto tau = static_cast<float>(physics_.partial() ? 2 * p_.slice - 1 : 0);
  for (int i = 0; i < kCurve; ++i) {
    const double xi = 2.0 * i / (kCurve - 1) - 1;
    places.push_back({static_cast<float>(xi), tau});
    exact.push_back(static_cast<float>(exactAt(physics_, xOf(physics_, xi), p_.slice)));
  }
  const double probe = p_.problem == Problem::Heat ? 0 : p_.problem == Problem::Burgers ? -0.5 : 1;
  places.push_back({static_cast<float>(probe), tau});
  value_exact_ = exactAt(physics_, xOf(physics_, probe), p_.slice);
  curve_at_.upload(places);
  curve_exact_.upload(exact);
  scored_ = curve_done_ = false;
}

void Pinn::reset(std::uint64_t seed) {
  seed_ = seed, steps_ = 0;
  std::vector<float> all;
  all.reserve(weights_.size());
  for (int k = 0; k < p_.networks; ++k) {
    const auto stream = p_.varies == Varies::Weights ? static_cast<std::uint32_t>(k) : 0u;
    const std::vector<float> one = initialWeights(net_, p_.initial_scale, seed, stream);
    all.insert(all.end(), one.begin(), one.end());
  }
  weights_.upload(all);
  mean_.zero();
  variance_.zero();
  history_.zero();
  scored_ = curve_done_ = false;
  measure();
  device_->copy(start_.data(), scores_.data(), scores_.bytes());
}

void Pinn::change(const ParameterSet& parameters) {
  p_ = binding().read(parameters);
  takeLive();
}

Training<float> Pinn::job(int steps) {
  Training<float> job{};
  job.net = net_;
  job.loss = loss_;
  job.optimizer = p_.optimizer;
  job.places = places_.data();
  if (p_.sampling == Sampling::Random) {
    job.stride = static_cast<std::size_t>(p_.points);
    drawPlaces(seed_, steps_, std::max(steps, 1), p_.points, physics_.partial(), places_);
  }
  job.conditions = conditions_.data();
  job.rates = rates_.data();
  job.weights = weights_.data(), job.mean = mean_.data(), job.variance = variance_.data();
  job.steps = steps;
  job.gradient = gradient_.data(), job.parts = parts_.data();
  for (int i = 0; i < steps; ++i) {
    const double n = static_cast<double>(steps_ + i);
    job.iterations[i] = {static_cast<float>(std::exp(-p_.decay * n / 1000)),
                         static_cast<float>(1 / (1 - std::pow(kBeta1, n + 1))),
                         static_cast<float>(1 / (1 - std::pow(kBeta2, n + 1)))};
  }
  return job;
}

void Pinn::step(int count) {
  for (int left = count; left > 0;) {
    const int records = recordsUpTo(steps_);
    const std::int64_t next =
        records < kRecords ? iterationOf(records) - steps_ : std::numeric_limits<std::int64_t>::max();
    const int now = static_cast<int>(std::min<std::int64_t>({left, kStepsOfALaunch, next}));
    train(*device_, job(now), components_, networks());
    steps_ += now, left -= now;
    scored_ = curve_done_ = false;
    if (now < next) continue;
    measure();
    recordScores(scores_, records, recordsUpTo(steps_), history_);
  }
}

void Pinn::measure() {
  if (scored_) return;
  train(*device_, job(0), components_, networks());
  evaluate(*device_,
           {net_, loss_.xi_x, loss_.tau_t, measured_at_.data(), static_cast<int>(measured_at_.size()), weights_.data(),
            nullptr, 1, measured_values_.data()},
           networks());
  Scoring scoring{parts_.data(),
                  measured_values_.data(),
                  measured_exact_.data(),
                  static_cast<int>(measured_at_.size()),
                  exact_norm_,
                  {}};
  std::copy(std::begin(loss_.weight), std::end(loss_.weight), scoring.weight);
  scoreAll(scoring, scores_);
  findBest(scores_, best_);
  scored_ = true;
}

void Pinn::evaluateCurve() {
  measure();
  if (curve_done_) return;
  evaluate(*device_,
           {net_, loss_.xi_x, loss_.tau_t, curve_at_.data(), kCurve + 1, weights_.data(), best_.data() + 1, kJet,
            curve_.data()},
           1);
  curve_done_ = true;
}

std::vector<float> Pinn::gradientOf(int network) {
  measure();
  const auto count = static_cast<std::size_t>(net_.weights());
  std::vector<float> gradient(count);
  device_->download(gradient.data(), gradient_.data() + static_cast<std::size_t>(network) * count,
                    count * sizeof(float));
  return gradient;
}

bool Pinn::finite() {
  return allFinite(weights_) && allFinite(mean_) && allFinite(variance_);
}

std::string Pinn::likelyCauseOfNaN() const {
  return fmt::format("The learning rate {:g} is too large: choose {:g}.", p_.learning_rate, p_.learning_rate / 10);
}

Throughput Pinn::throughput() const {
  // Fused operations of a point: forwards once, backwards once for what is below, and once for the gradient.
  const double units = net_.units, across = (net_.layers - 1) * units * units;
  const double each = components_ * (3 * across + 2 * units * net_.inputs + 3 * units) + 25 * units * net_.layers;
  const double points = loss_.points + loss_.conditions;
  const double operations = p_.networks * (points * each + 12.0 * net_.weights());
  return {"points/s", p_.networks * points, 0, 2 * operations, operations};
}

std::string Pinn::method() const {
  return fmt::format("{}, {} weights, {}", p_.optimizer == Optimizer::Adam ? "Adam" : "gradient descent",
                     net_.weights(), device_->isCuda() ? "one block per network" : supportedKernels().widest().name);
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Pinn>(std::move(device), parameters);
}

}  // namespace simscope::pinn
