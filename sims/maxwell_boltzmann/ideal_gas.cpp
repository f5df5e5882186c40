#include "sims/maxwell_boltzmann/ideal_gas.h"

#include <fmt/format.h>

#include "sims/compute/ranks/counting.h"
#include "sims/core/archive.h"
#include "sims/core/words.h"
#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"
#include "sims/maxwell_boltzmann/present.h"

namespace simscope::maxwell_boltzmann {
namespace {

class IdealGas final : public Gas {
 public:
  IdealGas(compute::DevicePtr device, const ParameterSet& parameters)
      : Gas(std::move(device), parameters), sums_(device_, 1) {}

  double time() const override { return static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override {
    seed_ = seed;
    steps_ = 0;
    heated_ = 0;
    kelvin_ = p_.temperature;
    countAnew();
  }
  void step(int n) override {
    for (int i = 0; i < n; ++i) {
      ++steps_;
      if (p_.gather && molecules() * static_cast<double>(gathered_ + 1) <= kMostSummed) {
        add();
      } else {
        countAnew();
      }
    }
  }
  void present(Frame& frame) override {
    presentHistograms(frame, p_, kelvin_, counts_, counted());
    presentIdeal(*device_, draw(), p_, kelvin_, pointChannels(frame, p_, kelvin_));
    presentRecords(frame, p_, kelvin_, {});
  }
  void diagnostics(std::span<double> values) override {
    std::fill(values.begin(), values.end(), kNone);
    const Sums sums = sums_.toHost()[0];
    const double n = counted(), sigma = p_.sigmaAt(kelvin_), parts = kParts * n;
    const double mean = sigma * static_cast<double>(sums.speed) / parts;
    const double square = sigma * sigma * static_cast<double>(sums.square) / parts;
    describeSpeeds(values, mean, square);
    const SpeedDistribution exact = speeds();
    // Of n speeds drawn from the exact distribution the mean is so far off, and the mean of their squares, in the mean.
    values[kDistanceScaled] = values[kDistance] * std::sqrt(n);
    values[kSpeedError] = (mean - exact.mean()) / exact.deviation() * std::sqrt(n);
    values[kEnergyError] = (square / (3 * sigma * sigma) - 1) * std::sqrt(1.5 * n);
  }
  std::vector<Finding> check(std::span<const double>) const override { return axisFindings(); }
  bool finite() override { return true; }  // whole numbers
  std::string likelyCauseOfNaN() const override { return "Counts of molecules are whole numbers and always finite."; }
  Throughput throughput() const override {
    // Of 4 molecules: 3 calls of Philox, of 10 rounds of 2 wide products (2 instructions each) and 2 exclusive ors; 6
    // pairs of normal numbers of about 42; 16 places of 4, 4 speeds of 12, and the sums.
    constexpr double kInstructions = (3 * 60.0 + 6 * 42 + 16 * 4 + 4 * 12 + 12) / 4;
    return {"molecules/s", molecules(), 0, kInstructions * molecules(), kInstructions * molecules()};
  }
  std::string method() const override {
    return device_->isCuda() ? "drawn and counted on chip, 1 launch"
                             : fmt::format("drawn and counted in the cache, {}, {}",
                                           simscope::counted(device_->info().threads, "thread"), drawInstructions());
  }

 private:
  double molecules() const { return p_.molecules; }
  double counted() const { return molecules() * static_cast<double>(gathered_); }
  Draw draw() const {
    return {seed_, static_cast<std::uint64_t>(steps_), static_cast<std::uint64_t>(p_.molecules),
            binsOf(p_, p_.sigmaAt(kelvin_))};
  }
  void add() {
    if (device_->ranks()) {
      addOverRanks();
    } else {
      addDraw(*device_, draw(), counts_.data(), sums_.data());
    }
    ++gathered_;
  }
  // Each rank draws some of the groups; counts and sums are added together.
  void addOverRanks() {
    const std::size_t places = counts_.size();
    const Draw whole = draw();
    Counts drawn(device_, places + 2);
    drawn.zero();
    compute::countOverRanks(drawn, 0, whole.groups(), [&](Counts& own, std::uint64_t first, std::uint64_t groups) {
      Draw part = whole;
      part.first_group = first;
      part.molecules = std::min(whole.molecules - kInGroup * first, kInGroup * groups);
      addDraw(*device_, part, own.data(), reinterpret_cast<Sums*>(own.data() + places));
    });
    const std::vector<std::uint64_t> all = drawn.toHost();
    std::vector<std::uint64_t> counts = counts_.toHost();
    for (std::size_t i = 0; i < places; ++i) counts[i] += all[i];
    counts_.upload(counts);
    const Sums before = sums_.toHost()[0];
    sums_.upload(std::vector<Sums>{{before.speed + all[places], before.square + all[places + 1]}});
  }
  // The molecules of this step alone.
  void countAnew() {
    counts_.zero();
    sums_.zero();
    gathered_ = 0;
    add();
  }

  // Velocities are normal numbers times σ_v: at another σ_v the same numbers fall into other bins.
  void change(const ParameterSet& parameters) override {
    const Parameters before = p_;
    p_ = binding().read(parameters);
    if (p_.temperature != before.temperature) heated_ = 0;
    kelvin_ = p_.temperature + heated_;
    const bool other_bins = p_.speed_axis != before.speed_axis || p_.mass != before.mass;
    if (other_bins || p_.temperature != before.temperature) countAnew();
  }

  // What a tool does to the molecules under it is shared by all of them at once.
  bool stroke(const Brush& brush) override {
    const double length = p_.boxLength(), area = std::numbers::pi * brush.radius * brush.radius;
    const double share = std::clamp(area / (length * length), 1e-6, 1.0),
                 strength = std::clamp(brush.strength, 0.0, 10.0);
    double factor = 1;  // of the mean energy
    if (brush.tool == "heat") factor += 0.2 * share * strength;
    if (brush.tool == "cool") factor -= 0.2 * share * std::min(strength, 4.0);
    if (brush.tool == "kick") factor += 0.1 * share * strength;
    if (factor == 1) return false;
    heated_ = std::clamp(kelvin_ * factor, 1e-3, 1e6) - p_.temperature;
    kelvin_ = p_.temperature + heated_;
    countAnew();
    return true;
  }

  void visit(Archive& archive) override {
    archive.constant("molecules", p_.molecules);
    archive.values<double>(
        "counts", "molecules by velocity: for v_x, v_y, v_z, and v: below the bins, in each bin, and above the bins",
        {kHistograms, kPlaces}, [this] { return asDoubles(); }, [this](const std::vector<double>& all) { take(all); },
        {0, kMostSummed});
    // Halves of 64 bits, which a double holds exactly.
    archive.values<double>(
        "moments",
        "sums of v and v² in units of the component's standard deviation, in 1024ths, as 32 upper and 32 lower bits",
        {2, 2},
        [this] {
          const Sums s = sums_.toHost()[0];
          const auto upper = [](std::uint64_t v) { return static_cast<double>(v >> 32); };
          const auto lower = [](std::uint64_t v) { return static_cast<double>(v & 0xffffffffu); };
          return std::vector<double>{upper(s.speed), lower(s.speed), upper(s.square), lower(s.square)};
        },
        [this](const std::vector<double>& m) {
          const auto whole = [&](std::size_t i) {
            return static_cast<std::uint64_t>(m[i]) << 32 | static_cast<std::uint64_t>(m[i + 1]);
          };
          sums_.upload(std::vector<Sums>{{whole(0), whole(2)}});
        },
        {0, 4294967295.0});
    archive.number("gathered", gathered_, {1, 1e9});
    archive.number("heated", heated_, {-1e6, 1e6});
  }
  void loaded(const State& state) override {
    if (!state.find("run")) {
      heated_ = 0;
      const std::vector<std::uint64_t> counts = counts_.toHost();
      const double total = Histogram(counts, kSpeeds, binsFor(p_.molecules), 0, p_.speed_axis).total();
      gathered_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::round(total / molecules())));
    }
    kelvin_ = std::max(p_.temperature + heated_, 1e-3);
  }
  std::vector<double> asDoubles() const {
    const std::vector<std::uint64_t> counts = counts_.toHost();
    return {counts.begin(), counts.end()};
  }
  void take(const std::vector<double>& all) {
    std::vector<std::uint64_t> counts;
    for (const double count : all) counts.push_back(static_cast<std::uint64_t>(count));
    counts_.upload(counts);
  }

  compute::Buffer<Sums> sums_;  // one
  std::int64_t gathered_ = 0;   // draws that are counted
  double heated_ = 0;           // by tools [K]
};

}  // namespace

std::unique_ptr<Simulation> makeIdealGas(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<IdealGas>(std::move(device), parameters);
}

}  // namespace simscope::maxwell_boltzmann
