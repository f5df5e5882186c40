#include "sims/heat/heat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sims/compute/ranks/ranks.h"
#include "sims/core/words.h"
#include "sims/heat/exact.h"
#include "sims/heat/explicit_cpu.h"
#include "sims/heat/explicit_cuda.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double cellsOf(const Parameters& p) {
  return static_cast<double>(p.grid_points) * p.grid_points;
}

}  // namespace

void requireUsable(const Parameters& p) {
  if (p.scheme == Scheme::Explicit && !(p.time_step_fraction <= 1)) {
    throw ParameterError(
        "time_step_fraction",
        fmt::format("time_step_fraction = {} is beyond the explicit scheme's stability limit: dt may be at "
                    "most dx²/(4α) = {:.6g}, which is time_step_fraction = 1; choose 1 or less, or "
                    "scheme = adi, which is stable for any step",
                    p.time_step_fraction, p.spacing * p.spacing / (4 * p.diffusivity)));
  }
}

int haloOf(const Parameters& p, bool cuda) {
  const int windows = cuda && p.scheme == Scheme::Adi ? kAdiReach : 0;
  return std::max({kCpuSteps, presentedReach(p.grid_points), windows});
}

Heat::Heat(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(heat::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  slab_ = compute::slabOf(*device_, p_.grid_points, haloOf(p_, device_->isCuda()));
  u_ = compute::Buffer<float>(device_, slab_.cells());
  next_ = compute::Buffer<float>(device_, slab_.cells());
  if (isDouble()) {
    remainder_ = compute::Buffer<float>(device_, slab_.cells());
    next_remainder_ = compute::Buffer<float>(device_, slab_.cells());
  }
  lines_ = compute::Buffer<double>(device_, 2 * static_cast<std::size_t>(p_.grid_points));
  probed_ = compute::Buffer<float>(device_, kProbes);
  prepareAdi();
  reset(0);
}

void Heat::prepareAdi() {
  if (p_.scheme != Scheme::Adi) return;
  if (device_->isCuda()) {
    adi_windows_ = adiWindows(p_.grid_points, p_.boundary, p_.meshRatio());
    if (slab_.halo > 0) adi_depth_ = adiDepth(adi_windows_, device_->ranks()->size());
  } else {
    adi_factors_ = adiFactors(p_.grid_points, p_.boundary, p_.meshRatio());
  }
}

void Heat::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  clock_ = {};
  clock_tau_ = 0;
  untouched_ = true;
  material_ = {};
  material_count_ = {0, 0, 0};
  rounding_ = {};
  thin_.reset();
  if (isDouble()) remainder_.zero();
  takeThermometersAway();
  if (p_.initial == Initial::Random) {
    fillPatches(*device_, u_.data(), slab_, p_.boundary, seed, std::max(1.0, p_.spot_size / p_.spacing),
                p_.spot_temperature);
  } else {
    // Made on the host, so that both backends start from the same bits.
    lines_.upload(exactLines(p_, 0));
    fillProduct(*device_, u_.data(), slab_, p_.boundary, lines_.data());
  }
  paintMaterial();
  heat_reference_ = measure(*device_, u_.data(), materialOrNull(), slab_, nullptr).sum;
}

void Heat::change(const ParameterSet& parameters) {
  const Parameters changed = binding().read(parameters);
  // Only where something depends on it: a clock that starts anew may differ in its last bit.
  if (changed.timeStep() != p_.timeStep() || changed.meshRatio() != p_.meshRatio()) {
    clock_tau_ = tau();
    clock_ = {time(), steps_};
  }
  p_ = changed;
  prepareAdi();
}

int Heat::substeps() const {
  const double factor = material_count_.conductors > 0 ? static_cast<double>(kConductor) : 1.0;
  return std::max(1, static_cast<int>(std::ceil(p_.time_step_fraction * factor - 1e-9)));
}

void Heat::step(int n) {
  if (n <= 0) return;
  if (hasMaterial() || isDouble()) {
    for (int i = 0; i < n; ++i) advanceInParts();
  } else if (p_.scheme == Scheme::Adi) {
    advanceAdi(n);
  } else {
    advance(n);
  }
  steps_ += n;
}

int Heat::stepsPerPass() const {
#if SIMSCOPE_HAVE_CUDA
  // The same for all ranks, which exchange as many rows.
  const int ranks = device_->ranks() ? device_->ranks()->size() : 1;
  if (device_->isCuda()) return blockedOnCuda(p_.grid_points, ranks) ? kCudaSteps : 1;
#endif
  return kCpuSteps;
}

void Heat::advance(int steps) {
  const int most = stepsPerPass();
  const bool cuda = device_->isCuda();
  const auto next = [&] {
    const int now = std::min(steps, most);
    return cuda && now > 1 ? now - now % 2 : now;  // the blocked kernel sweeps to and fro
  };
  int now = next();
  exchange(u_, now);
  while (steps > 0) {
    const ExplicitPass pass{u_.data(), next_.data(), p_.grid_points, p_.boundary, static_cast<float>(p_.meshRatio()),
                            now};
#if SIMSCOPE_HAVE_CUDA
    if (cuda) {
      advanceOnCuda(*device_, pass, slab_, slab_.halo > 0 && steps > now);
    } else {
      advanceOnCpu(*device_, pass, slab_);
    }
#else
    advanceOnCpu(*device_, pass, slab_);
#endif
    std::swap(u_, next_);
    steps -= now;
    now = next();
    if (steps == 0) break;
    // On CUDA it is on its way while the rows far from it are made.
    exchange(u_, now, compute::Device::Order::Aside);
    if (slab_.halo > 0) device_->awaitExchange();
  }
}

// From the neighbours among the ranks, as deep as it will be read.
void Heat::exchange(compute::Buffer<float>& field, int depth, compute::Device::Order order) {
  compute::exchangeHalo(*device_, slab_, field.data(), sizeof(float), depth, p_.boundary == Boundary::Periodic, order);
}

void Heat::exchangeMaterial() {
  if (!hasMaterial() || material_halo_) return;
  exchange(material_, slab_.halo);
  material_halo_ = true;
}

void Heat::advanceInParts() {
  const int parts = substeps();
  const double r = p_.meshRatio() / parts;
  exchangeMaterial();
  for (int i = 0; i < parts; ++i) {
    exchange(u_, 1);
    if (isDouble()) {
      exchange(remainder_, 1);
      stepDouble(*device_, {u_.data(), remainder_.data()}, materialOrNull(), {next_.data(), next_remainder_.data()},
                 slab_, p_.boundary, r);
      std::swap(remainder_, next_remainder_);
    } else {
      stepMaterial(*device_, u_.data(), material_.data(), next_.data(), slab_, p_.boundary, static_cast<float>(r));
    }
    std::swap(u_, next_);
  }
}

void Heat::advanceAdi(int steps) {
#if SIMSCOPE_HAVE_CUDA
  if (device_->isCuda()) {
    if (slab_.halo == 0) return adiStepsOnCuda(*device_, u_.data(), next_.data(), adi_windows_, steps);
    for (int i = 0; i < steps; ++i) {
      // It is on its way while the lines along x are solved that read own rows alone.
      device_->mark();
      exchange(u_, adi_depth_, compute::Device::Order::Aside);
      adiStepOnCuda(*device_, u_.data(), next_.data(), adi_windows_, slab_, [&] { device_->awaitExchange(); });
    }
    return;
  }
#endif
  for (int i = 0; i < steps; ++i) {
    exchange(u_, 1);
    adiStepOnCpu(*device_, u_.data(), next_.data(), slab_, p_.boundary, adi_factors_);
  }
}

bool Heat::exactNow() const {
  return untouched_ && exactHolds(p_);
}

// The exact field's lines, made on the device; null where there are none.
const double* Heat::exactOnDevice() {
  if (!exactNow()) return nullptr;
  fillLines(*device_, lines_.data(), exactLine(p_, tau()));
  return lines_.data();
}

void Heat::present(Frame& frame) {
  exchange(u_, slab_.halo);
  exchangeMaterial();
  Presented what{};
  what.slab = slab_;
  what.u = u_.data();
  what.material = materialOrNull();
  what.exact = exactOnDevice();
  // Without an exact solution, the curve of what is expected shows where the field is heading; with material, the mean
  // that it keeps.
  const bool closed = p_.boundary != Boundary::Fixed && material_count_.held == 0;
  what.expected = closed ? heat_reference_ / cellsOf(p_) : hasMaterial() ? kNaN : 0;
  what.low = p_.colour_range == ColourRange::Symmetric ? -p_.spot_temperature : 0;
  what.high = p_.spot_temperature;
  if (p_.colour_range == ColourRange::Auto) {
    const FieldStats now = measure(*device_, u_.data(), materialOrNull(), slab_, nullptr);
    if (now.maximum > now.minimum) {
      what.low = now.minimum;
      what.high = now.maximum;
    }
  }
  std::copy_n(thermometer_x_, kThermometers, what.thermometer_x);
  std::copy_n(thermometer_y_, kThermometers, what.thermometer_y);
  presentField(frame, p_, what);
}

void Heat::diagnostics(std::span<double> values) {
  const int n = p_.grid_points;
  const double* const exact = exactOnDevice();
  const FieldStats now = measure(*device_, u_.data(), materialOrNull(), slab_, exact);
  const double cell = p_.spacing * p_.spacing;

  // The middle lies between cells where N is even: cubic interpolation from the sixteen around it.
  Probes probes;
  const int reach = n % 2 ? 1 : 4, first = n % 2 ? n / 2 : n / 2 - 2;
  for (int j = 0; j < reach; ++j) {
    for (int i = 0; i < reach; ++i) {
      probes.cell[probes.count++] = static_cast<std::int64_t>(first + j) * n + first + i;
    }
  }
  const int middle = probes.count;
  for (int k = 0; k < kThermometers; ++k) {
    const bool placed = thermometer_x_[k] >= 0;
    probes.cell[probes.count++] =
        placed ? static_cast<std::int64_t>(thermometer_y_[k]) * n + static_cast<std::int64_t>(thermometer_x_[k]) : 0;
  }
  float read[kProbes];
  readCells(*device_, u_.data(), slab_, probes, probed_.data(), read);
  if (hasMaterial()) {
    // There is no temperature in an insulator.
    float factor[kProbes];
    readCells(*device_, material_.data(), slab_, probes, probed_.data(), factor);
    for (int k = 0; k < probes.count; ++k) {
      if (factor[k] == kInsulator) read[k] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  constexpr double kCubic[4] = {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16};
  double center = middle == 1 ? static_cast<double>(read[0]) : 0;
  for (int i = 0; i < middle && middle > 1; ++i) center += kCubic[i / 4] * kCubic[i % 4] * static_cast<double>(read[i]);

  exchangeMaterial();
  if (!hasMaterial()) {
    thin_.reset();
  } else if (!thin_) {
    thin_ = countThin(*device_, material_.data(), slab_, p_.boundary);
  }
  if (!isDouble()) {
    exchange(u_, 1);
    const double parts = hasMaterial() ? substeps() : 1;
    rounding_ = measureRounding(*device_, u_.data(), materialOrNull(), slab_, p_.boundary,
                                static_cast<float>(p_.meshRatio() / parts));
  }

  values[kTotalHeat] = now.sum * cell;
  const bool any = now.maximum >= now.minimum;
  values[kMaximum] = any ? now.maximum : kNaN;
  values[kMinimum] = any ? now.minimum : kNaN;
  values[kMean] = now.sum / (static_cast<double>(n) * n);
  values[kCenter] = center;
  values[kCenterExact] = untouched_ ? exactCentre(p_, tau(), seed_) : kNaN;
  values[kErrorL2] = exact && now.exact2 > 0 ? std::sqrt(now.error2 / now.exact2) : kNaN;
  const bool meaningful = material_count_.held == 0 && std::abs(heat_reference_) > 0;
  values[kHeatDrift] = meaningful ? (now.sum - heat_reference_) / std::abs(heat_reference_) : kNaN;
  for (int k = 0; k < kThermometers; ++k) {
    values[static_cast<std::size_t>(kThermometer1 + k)] =
        thermometer_x_[k] >= 0 ? static_cast<double>(read[middle + k]) : kNaN;
  }
}

bool Heat::finite() {
  return allFinite(*device_, u_.data(), slab_);
}

std::string Heat::likelyCauseOfNaN() const {
  return fmt::format(
      "Painted or loaded temperatures exceed the range of single precision (spot_temperature = {:g}). Reset, and paint "
      "with lower temperatures.",
      p_.spot_temperature);
}

std::vector<Finding> Heat::check(std::span<const double> values) const {
  // Of the steps as they are made.
  Parameters made = p_;
  if (hasMaterial() || isDouble()) {
    made.scheme = Scheme::Explicit;
    made.time_step_fraction = p_.time_step_fraction / substeps();
  }
  std::vector<Finding> findings = findingsFor(made);
  constexpr double kThin = 0.2;
  if (thin_ && *thin_ > kThin * (material_count_.insulators + material_count_.conductors)) {
    const ParameterInfo& points = description().parameters->at(description().defaults().find("grid_points"));
    const bool possible = 2 * p_.grid_points <= points.maximum;
    findings.push_back({Finding::Level::Note, "material_unresolved",
                        fmt::format("Walls, bars, or gaps of the material are one cell wide ({:g}), however thin they "
                                    "were painted. The grid does not resolve them.",
                                    p_.spacing),
                        possible ? "grid_points" : "", possible ? std::to_string(2 * p_.grid_points) : ""});
  }
  if (hasMaterial() && p_.scheme == Scheme::Adi) {
    findings.push_back(
        {Finding::Level::Note, "material_explicit",
         fmt::format("The alternating direction scheme supports one diffusivity only. With painted material, each step "
                     "consists of {} explicit parts. Erase the material, or choose smaller steps.",
                     substeps()),
         "time_step_fraction", "1"});
  } else if (isDouble() && p_.scheme == Scheme::Adi) {
    findings.push_back({Finding::Level::Note, "double_explicit",
                        fmt::format("The alternating direction scheme computes in single precision only. In double "
                                    "precision each step consists of {} explicit parts.",
                                    substeps()),
                        "scheme", "explicit"});
  }
  const std::optional<Finding> rounded = roundingFinding(
      p_, rounding_, p_.meshRatio() / (hasMaterial() ? substeps() : 1), values[kMaximum], values[kMinimum]);
  const std::optional<Finding> coarse =
      rounded ? rounded : coarseFinding(made, values[kCenter] - values[kCenterExact], values[kErrorL2]);
  if (coarse) findings.push_back(*coarse);
  return findings;
}

Throughput Heat::throughput() const {
  const double cells = cellsOf(p_);
  Throughput t{.unit = "cells/s", .work_per_step = cells};
  if (isDouble()) {
    t.bytes_per_step = cells * (hasMaterial() ? 20 : 16) * substeps();
    t.flops_per_step = cells * (hasMaterial() ? 33 : 18) * substeps();
  } else if (hasMaterial()) {
    t.bytes_per_step = cells * 12 * substeps();
    t.flops_per_step = cells * 27 * substeps();
  } else if (p_.scheme == Scheme::Adi) {
    // A half-step reads every cell once and writes it once.
    t.bytes_per_step = cells * 16;
    t.flops_per_step = cells * 22;
  } else {
    // A pass reads and writes every cell once, and makes so many steps.
    t.bytes_per_step = cells * 8 / stepsPerPass();
    t.flops_per_step = cells * 7;
    t.at_once = (device_->isCuda() ? 4 : 1) * stepsPerPass();
  }
  return t;
}

std::string Heat::method() const {
  const std::string where =
      device_->isCuda() ? "CUDA" : fmt::format("{}, {}", counted(device_->info().threads, "thread"), rowInstructions());
  if (hasMaterial() || isDouble()) {
    const std::string parts = counted(substeps(), "part");
    return fmt::format("explicit{}{}, {} per step, {}", hasMaterial() ? " with a map" : "",
                       isDouble() ? " in double precision" : "", parts, where);
  }
  if (p_.scheme == Scheme::Adi)
    return std::string("ADI, lines ") + (device_->isCuda() ? "in windows, " : "whole, ") + where;
  const int steps = stepsPerPass();
  return fmt::format("explicit, {} step{} per pass, {}", steps, steps == 1 ? "" : "s", where);
}

}  // namespace simscope::heat
