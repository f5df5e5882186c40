#include "sims/maxwell_boltzmann/disc_gas.h"

#include <algorithm>

#include <fmt/format.h>

#include "sims/core/archive.h"
#include "sims/core/clock.h"
#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"
#include "sims/maxwell_boltzmann/present.h"
#include "sims/maxwell_boltzmann/start.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr int kEvery = 5;     // steps from one record to the next
constexpr int kSettle = 200;  // steps after a start or a stroke that averages leave out
constexpr double kMostLate = 0.01;
constexpr double kRange = 1e9;  // nm and nm/ps, of a state that is read

class DiscGas final : public Gas {
 public:
  DiscGas(compute::DevicePtr device, const ParameterSet& parameters)
      : Gas(std::move(device), parameters), box_(device_, p_) {}

  double time() const override { return clock_.at(steps_, p_.step()); }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    clock_ = {};
    kelvin_ = p_.temperature;
    box_.put(startingDiscs(p_, seed));
    disturbed();
    box_.record(0, 0, sigma());
    h_start_ = VelocityGrid::hOf(box_.logs(sigma()), p_.molecules);
  }
  void step(int n) override {
    for (int i = 0; i < n; ++i) {
      box_.step();
      ++steps_;
      if (steps_ % kEvery == 0) box_.record(recordOf(steps_), time(), sigma());
      // Averages begin at the last but one of these steps: half of the time since the disturbance is in them at least.
      const std::int64_t since = steps_ - disturbed_;
      if (since == kSettle) box_.note(time());
      if (since >= kSettle && since % kSettle == 0 && ((since / kSettle) & (since / kSettle - 1)) == 0)
        box_.note(time());
    }
  }
  void present(Frame& frame) override {
    if (frame.wants("speeds") || frame.wants("velocity_x") || frame.wants("velocity_y") || frame.wants("velocity_z")) {
      box_.count(binsOf(p_, p_.sigmaAt(kelvin_)), sigma(), counts_);
    }
    presentHistograms(frame, p_, kelvin_, counts_, p_.molecules);
    presentDiscs(*device_, box_, pointChannels(frame, p_, kelvin_));
    presentRecords(
        frame, p_, kelvin_,
        {box_.records().data(), recordOf(steps_),
         static_cast<int>(std::min<std::int64_t>(steps_ / kEvery + 1, kRecords)), kEvery * p_.step(), h_start_});
  }
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override {
    std::vector<Finding> findings = axisFindings();
    if (values[kLateShare] > kMostLate) {
      findings.push_back(
          {Finding::Level::Warning, "late_collisions",
           fmt::format("{:.1f} % of the collisions are found late: a disc collides too often within a step.",
                       100 * values[kLateShare]),
           "time_step", fmt::format("{:.2g}", std::max(0.001, p_.time_step / 2))});
    }
    return findings;
  }
  bool finite() override { return box_.motion().not_finite == 0; }
  std::string likelyCauseOfNaN() const override {
    return "The loaded state contained a velocity that is not finite. Reset the run.";
  }
  Throughput throughput() const override {
    // Nine cells of so many discs, of which half approach, and what becomes of a disc itself.
    const double n = p_.molecules, edge = std::max(p_.reach(), 0.8 * p_.spacing()) / p_.spacing();
    return {"discs/s", n, 250 * n, n * (9 * edge * edge * 24 + 160)};
  }
  std::string method() const override { return "exact collisions within a step, discs sorted into cells"; }

 private:
  double sigma() const { return p_.sigmaAt(kelvin_) / kMetresPerSecond; }  // nm/ps
  static int recordOf(std::int64_t steps) { return static_cast<int>(steps / kEvery % kRecords); }
  double kelvinOf(const Motion& motion) const {
    return 0.5 * p_.mass * motion.square * 1e6 / (p_.molecules * kBoltzmann);
  }
  // From here on averages count anew.
  void disturbed() {
    disturbed_ = steps_;
    for (int i = 0; i < 2; ++i) box_.note(time());
  }

  void change(const ParameterSet& parameters) override {
    const Parameters changed = binding().read(parameters);
    const double now = time(), target = changed.temperature != p_.temperature ? changed.temperature : kelvin_;
    const double factor = changed.sigmaAt(target) / p_.sigmaAt(kelvin_);
    if (changed.step() != p_.step()) clock_ = {now, steps_};
    p_ = changed;
    kelvin_ = target;
    box_.take(p_);
    if (factor == 1) return;
    box_.scale(factor);
    disturbed();
  }

  bool stroke(const Brush& brush) override {
    DiscBox::Push push;
    push.under = brush.cells(1);
    push.fastest = 8 * p_.sigma() / kMetresPerSecond;
    const double strength = std::clamp(brush.strength, 0.0, 10.0), far = std::hypot(brush.dx, brush.dy);
    const double kick = 0.3 * strength * p_.sigma() / kMetresPerSecond;
    if (brush.tool == "heat") {
      push.factor = 1 + 0.15 * strength;
    } else if (brush.tool == "cool") {
      push.factor = 1 / (1 + 0.2 * strength);
    } else if (brush.tool == "kick" && far > 0) {
      push.dvx = kick * brush.dx / far;
      push.dvy = kick * brush.dy / far;
    } else if (brush.tool == "kick") {
      push.outward = kick;
    } else {
      return false;
    }
    if (box_.push(push).touched == 0) return false;
    const Motion pushed = box_.motion();
    // Without walls the momentum would stay constant: the box moves with the gas.
    if (!p_.walls()) box_.move(-pushed.px / p_.molecules, -pushed.py / p_.molecules);
    kelvin_ = std::max(kelvinOf(p_.walls() ? pushed : box_.motion()), 1e-6);
    disturbed();
    return true;
  }

  void visit(Archive& archive) override;
  void loaded(const State& state) override;

  DiscBox box_;
  Clock clock_;
  std::int64_t disturbed_ = 0;  // the step
  double h_start_ = 0;
};

void DiscGas::diagnostics(std::span<double> values) {
  std::fill(values.begin(), values.end(), kNone);
  const double n = p_.molecules;
  box_.count(binsOf(p_, p_.sigmaAt(kelvin_)), sigma(), counts_);
  const Motion motion = box_.motion();
  describeSpeeds(values, motion.speed / n * kMetresPerSecond, motion.square / n * 1e6);
  values[kH] = VelocityGrid::hOf(box_.logs(sigma()), n);
  values[kHExact] = equilibriumH(n);
  values[kPressureExact] = pressureOf(p_, kelvin_);
  values[kCompressibilityExact] = values[kPressureExact] / idealPressure(p_, kelvin_);
  values[kCollisionRateExact] = collisionRate(p_, kelvin_);
  values[kEnergyDrift] = kelvinOf(motion) / kelvin_ - 1;
  if (!p_.walls()) values[kMomentum] = std::hypot(motion.px, motion.py) / (n * sigma());

  const Totals now = box_.totals(time()), from = box_.notes().toHost()[0];
  const double duration = now.time - from.time;
  if (!(duration > 0)) return;
  const PressureUnits units = pressureUnits(p_, kelvin_);
  const auto gained = [](std::uint64_t a, std::uint64_t b) { return static_cast<double>(a - b); };
  const double collisions = gained(now.collisions, from.collisions);
  values[kPressure] = units.ideal + units.virial * gained(now.virial, from.virial) / duration;
  if (p_.walls()) values[kPressureWalls] = units.walls * gained(now.walls, from.walls) / duration;
  values[kCompressibility] = values[kPressure] / idealPressure(p_, kelvin_);
  values[kCollisionRate] = 2 * collisions / (n * duration);
  if (collisions > 0) values[kLateShare] = gained(now.late, from.late) / collisions;
}

namespace {

constexpr std::size_t kTotalsWidth = 9;  // four of 64 bits as two halves each, and the time

void unfold(const Totals& totals, std::vector<double>& to) {
  for (const std::uint64_t v : {totals.virial, totals.walls, totals.collisions, totals.late}) {
    to.push_back(static_cast<double>(v >> 32));
    to.push_back(static_cast<double>(v & 0xffffffffu));
  }
  to.push_back(totals.time);
}
Totals folded(const double* v) {
  const auto whole = [&](int i) {
    // Foreign numbers may have a fraction.
    return static_cast<std::uint64_t>(v[2 * i]) << 32 | (static_cast<std::uint64_t>(v[2 * i + 1]) & 0xffffffffu);
  };
  return {whole(0), whole(1), whole(2), whole(3), v[8]};
}

}  // namespace

void DiscGas::visit(Archive& archive) {
  const auto n = static_cast<std::size_t>(p_.molecules);
  archive.constant("molecules", p_.molecules);
  archive.values<double>(
      "counts",
      "molecules by velocity: for v_x, v_y, v_z (empty), and v: below the bins, in each bin, and above the bins",
      {kHistograms, kPlaces},
      [this] {
        box_.count(binsOf(p_, p_.sigmaAt(kelvin_)), sigma(), counts_);
        const std::vector<std::uint64_t> counts = counts_.toHost();
        return std::vector<double>(counts.begin(), counts.end());
      },
      [](const std::vector<double>&) {}, {0, kMostDiscs}, WhenMissing::Leave);
  archive.buffer<double, Disc>("discs", "position [nm] and velocity [nm/ps] of each disc: x, y, v_x, v_y", {n, 4},
                               box_.discs(), device_, {-kRange, kRange});
  archive.values<double>(
      "totals",
      "virial and wall impulses, collisions, and late collisions, as 32 upper and 32 lower bits each, and the time "
      "[ps]: now, and at the two steps where averages begin",
      {3, kTotalsWidth},
      [this] {
        std::vector<double> all;
        unfold(box_.totals(time()), all);
        for (const Totals& note : box_.notes().toHost()) unfold(note, all);
        return all;
      },
      [this](const std::vector<double>& all) {
        box_.putTotals(folded(all.data()));
        box_.notes().upload(std::vector<Totals>{folded(&all[kTotalsWidth]), folded(&all[2 * kTotalsWidth])});
      },
      {0, 1e15}, WhenMissing::Leave);
  archive.values<double>(
      "records", "ring of records over time: totals as above, and Σ c ln c of the counts of velocities",
      {kRecords, kTotalsWidth + 1},
      [this] {
        std::vector<double> all;
        for (const Record& record : box_.records().toHost()) {
          unfold(record.totals, all);
          all.push_back(record.logs);
        }
        return all;
      },
      [this](const std::vector<double>& all) {
        std::vector<Record> records;
        for (std::size_t i = 0; i < kRecords; ++i) {
          const double* const v = &all[i * (kTotalsWidth + 1)];
          records.push_back({folded(v), v[kTotalsWidth]});
        }
        box_.records().upload(records);
      },
      {0, 1e15}, WhenMissing::Leave);
  archive.number("clock_time", clock_.time, {0, 1e15});
  archive.number("clock_step", clock_.step, {0, static_cast<double>(archive.steps(steps_))});
  archive.number("disturbed", disturbed_, {0, static_cast<double>(archive.steps(steps_))});
  archive.number("temperature", kelvin_, {1e-6, 1e12});
  archive.number("h_start", h_start_, {-100, 100});
}

void DiscGas::loaded(const State& state) {
  if (state.find("run")) return;
  clock_ = {};
  kelvin_ = std::max(kelvinOf(box_.motion()), 1e-6);
  box_.put(box_.discs().toHost());
  disturbed();
  h_start_ = VelocityGrid::hOf(box_.logs(sigma()), p_.molecules);
  for (int i = 0; i < kRecords; ++i) box_.record(i, time(), sigma());
}

}  // namespace

std::unique_ptr<Simulation> makeDiscGas(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<DiscGas>(std::move(device), parameters);
}

}  // namespace simscope::maxwell_boltzmann
