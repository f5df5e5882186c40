#include "sims/tunneling/simulation.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/transform_gain.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/core/archive.h"
#include "sims/tunneling/absorbed.h"
#include "sims/tunneling/display.h"
#include "sims/tunneling/measured.h"
#include "sims/tunneling/validity.h"

namespace simscope::tunneling {

inline constexpr double kMost = 1e6;  // the most that a column of a loaded state may have taken

template <class T>
struct DensityAt {
  const Complex<T>* psi;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t i) const { density[i] = static_cast<float>(norm2(psi[i])); }
};

template <class T>
struct PresentAt {
  const Complex<T>* psi;
  const float* initial;
  const double* v;
  Grid grid;
  ExactWave wave;
  float mean_energy;
  // Null: not wanted.
  float *density = nullptr, *phase = nullptr, *re = nullptr, *im = nullptr, *potential = nullptr, *energy = nullptr,
        *initial_density = nullptr, *exact_density = nullptr;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float a = static_cast<float>(psi[i].re), b = static_cast<float>(psi[i].im);
    if (density) density[i] = a * a + b * b;
    if (phase) phase[i] = std::atan2(b, a);
    if (re) re[i] = a;
    if (im) im[i] = b;
    if (potential) potential[i] = static_cast<float>(v[i]);
    if (energy) energy[i] = mean_energy;
    if (initial_density) initial_density[i] = initial[i];
    if (exact_density) exact_density[i] = static_cast<float>(norm2(wave.at(grid.x(static_cast<int>(i)))));
  }
};

template <class T>
struct KickAt {
  Complex<T>* psi;
  Kick kick;
  Grid grid;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double theta = kick.phaseAt(grid.x(static_cast<int>(i)));
    psi[i] = psi[i] * Complex<T>{static_cast<T>(std::cos(theta)), static_cast<T>(std::sin(theta))};
  }
};

template <class T>
class TunnelingSimulation final : public Simulation {
 public:
  TunnelingSimulation(compute::DevicePtr device, const ParameterSet& parameters, Route route)
      : Simulation(tunneling::description(), std::move(device), parameters),
        p_(binding().read(parameters)),
        typed_(readTyped(p_, nullptr)),
        packets_(packetsOf(p_)),
        grid_(gridOf(p_)),
        psi_(device_, points()),
        phi_(device_, points()),
        tallies_(device_, kTallies * points() / kRows),
        initial_density_(device_, points()),
        potential_(device_, points()),
        fft_(device_, {.dimensions = {grid_.points}}),
        propagator_(makePropagator<T>(device_, grid_.points, route)),
        gain_(measuredGain()),
        exact_(exactOf(p_, typed_.get())) {
    const std::vector<double> table = potentialTable(p_, typed_.get());
    potential_.upload(table);
    propagator_->setFactors(makeFactors<T>(p_, table, gain_));
    start();
  }

  double time() const override { return time_; }

  void reset(std::uint64_t seed) override {
    seed_ = seed;  // nothing is drawn at random
    start();
  }

  void change(const ParameterSet& parameters) override {
    const Parameters p = binding().read(parameters);
    const std::shared_ptr<const TypedPotential> typed = readTyped(p, typed_);  // throws before anything has changed
    const std::vector<double> table = potentialTable(p, typed.get());
    const Factors<T> factors = makeFactors<T>(p, table, gain_);
    const PacketTransmission exact = typed && typed == typed_ ? exact_ : exactOf(p, typed.get());
    propagator_->setFactors(factors);
    potential_.upload(table);
    const auto differs = [&](const char* key) {
      const std::size_t index = parameters.find(key);
      return parameters[index] != parameters_[index] && parameters.matters(index);
    };
    const bool another = differs("potential") || differs("barrier_height") || differs("barrier_width") ||
                         differs("barrier_gap") || differs("formula");
    if (another) {
      if (steps_ > 0 && !hasMetNothing(measured())) met_another_ = true;
      first_energy_.reset();  // its energy is meant to change
    }
    p_ = p;
    typed_ = typed;
    exact_ = exact;
    measured_.reset();
    edges_.reset();
  }

  void step(int n) override {
    if (n <= 0) return;
    propagator_->advance(psi_.data(), tallies_.data(), n);
    measured_.reset();
    steps_ += n;
    for (int i = 0; i < n; ++i) time_ += p_.time_step;  // the same bits for any division of a run into batches
  }

  void present(Frame& frame) override {
    const auto curve = [&](const char* key, DisplayRange range) -> float* {
      if (!frame.wants(key)) return nullptr;
      Channel& channel = frame.channel(key, grid_.points);
      channel.x_min = -0.5 * grid_.length;
      channel.x_max = 0.5 * grid_.length;
      channel.low = range.low;
      channel.high = range.high;
      return channel.data.data();
    };
    const DisplayRange density = densityRange(p_, exact_.value);
    const DisplayRange amplitude = amplitudeRange(p_, exact_.value);
    PresentAt<T> at{psi_.data(),       initial_density_.data(),
                    potential_.data(), grid_,
                    exactNow(),        frame.wants("energy") ? static_cast<float>(measured().energy) : 0.0f};
    at.density = curve("density", density);
    at.phase = curve("phase", {-kPi, kPi});
    at.re = curve("re", amplitude);
    at.im = curve("im", amplitude);
    at.potential = curve("potential", potentialRange(p_, typed_.get()));
    at.energy = curve("energy", potentialRange(p_, typed_.get()));
    at.initial_density = curve("initial_density", density);
    at.exact_density = curve("exact_density", density);
    if (at.exact_density) frame.channel("exact_density", grid_.points).form = at.wave.count > 0 ? 0 : 1;
    compute::parallelFor(*device_, points(), at);
  }

  void diagnostics(std::span<double> values) override {
    const Measured& m = measured();
    fillDiagnostics(m, grid_, kicked_ ? kNaN : exact_.value, first_energy_, values);
    if (kicked_ && !kick_) kick_ = kickNow();
    if (!edges_) edges_ = edgeAdvice(p_, kick_ ? &*kick_ : nullptr, typed_.get());
    seen_ = {.edge_probability = m.position.edge * grid_.dx,
             .energy_drift = values[kEnergyDrift],
             .norm_drift = values[kNormDrift],
             .next_to_nyquist = std::fmax(kicked_beyond_, m.momentum.next_to_nyquist / m.momentum.norm),
             .kicked = kick_,
             .edges = edges_,
             .met_another_potential = met_another_ && !kicked_,
             .exact_excess = exact_.excess};
    const double off = values[kTransmission] - values[kTransmissionExact];
    const bool settled = !met_another_ && std::fabs(off) > values[kInside] + kTransmissionError;
    if (settled && haveMet(p_, time_, typed_.get())) seen_.transmission_off = off;
  }

  std::vector<Finding> check(std::span<const double>) const override { return findingsFor(p_, seen_, typed_.get()); }

  bool finite() override {
    return compute::reduce(*device_, points(), 0, NotFiniteAt<T>{psi_.data()}, compute::Plus{}) == 0;
  }

  std::string likelyCauseOfNaN() const override {
    return "A step only multiplies ψ by phases and cannot produce a NaN. The loaded state contained one, or the "
           "device's memory failed. Reset the run, or try --device cpu.";
  }

  void visit(Archive& archive) override {
    archive.buffer("psi", "ψ at the grid's points [length^-1/2]", {points()}, psi_, device_);
    // States of earlier versions have neither.
    archive.buffer("absorbed", "probability absorbed at the edges, by tally and row of points",
                   {kTallies, points() / kRows}, tallies_, device_, {-kMost, kMost}, WhenMissing::Zero);
    archive.values<double>(
        "first_energy", "whether the energy at the start is still valid, and that energy", {2},
        [this] {
          return std::vector<double>{first_energy_ ? 1.0 : 0.0, first_energy_.value_or(0)};
        },
        [this](std::vector<double> kept) { first_energy_ = kept[0] != 0 ? std::optional(kept[1]) : std::nullopt; }, {},
        WhenMissing::Leave);
    archive.values<double>(
        "kicked", "whether kicks have changed the packet for which the exact transmission holds", {1},
        [this] { return std::vector<double>{kicked_ ? 1.0 : 0.0}; },
        [this](std::vector<double> kept) { kicked_ = kept[0] != 0; }, {}, WhenMissing::Leave);
    archive.values<double>(
        "history",
        "the largest share of the momenta that a kick brought next to pi/dx, and whether the potential changed after "
        "waves had met it",
        {2},
        [this] {
          return std::vector<double>{kicked_beyond_, met_another_ ? 1.0 : 0.0};
        },
        [this](std::vector<double> kept) {
          kicked_beyond_ = kept[0];
          met_another_ = kept[1] != 0;
        },
        {}, WhenMissing::Leave);
  }

  void loaded(const State& state) override {
    if (!state.find("first_energy")) first_energy_.reset();
    if (!state.find("kicked")) kicked_ = !first_energy_;  // the state does not say which has changed the energy
    if (!state.find("history")) {
      kicked_beyond_ = 0;
      met_another_ = false;
    }
    measured_.reset();
    time_ = state.time;
    seen_ = {};
    kick_.reset();
    edges_.reset();
  }

  // "kick": a click adds the momentum `strength` around x, a drag adds it once for every radius of its length; see
  // Kick.
  bool stroke(const Brush& brush) override {
    const double radius = brush.radius > 0.0 ? brush.radius : 0.05 * grid_.length;
    const double momentum = brush.strength * (brush.dx == 0.0 ? 1.0 : brush.dx / radius);
    if (brush.tool != "kick" || !std::isfinite(momentum)) return false;
    const double most = 0.25 * grid_.nyquist();  // beyond, the kicked wave would not be resolved
    const Kick kick{brush.x, radius, std::fmin(std::fmax(momentum, -most), most)};
    compute::parallelFor(*device_, points(), KickAt<T>{psi_.data(), kick, grid_});
    first_energy_.reset();
    kicked_ = true;
    measured_.reset();
    kick_ = kickNow();
    edges_.reset();
    kicked_beyond_ = std::fmax(kicked_beyond_, measured().momentum.next_to_nyquist / measured().momentum.norm);
    seen_.kicked = kick_;
    seen_.next_to_nyquist = kicked_beyond_;
    seen_.edges.reset();
    return true;
  }

  Throughput throughput() const override {
    const double n = grid_.points;
    const double transforms = 2.0 * 5.0 * n * std::log2(n);
    // The least traffic of the library route: each transform and its multiplication read and write ψ once.
    const double bytes = propagator_->onChip() ? 0.0 : 4.0 * n * sizeof(Complex<T>);
    return {.unit = "points/s", .work_per_step = n, .bytes_per_step = bytes, .flops_per_step = transforms + 12.0 * n};
  }

  std::string method() const override { return propagator_->method(); }

 private:
  // Where the packets are, as long as nothing but the present potential has acted on them.
  ExactWave exactNow() const { return first_energy_ ? exactWave(p_, packets_, time_) : ExactWave{}; }
  std::size_t points() const { return static_cast<std::size_t>(grid_.points); }
  // Measured on the packet itself. It depends only on the parameters of a reset, so that a loaded state continues as
  // the saved run.
  double measuredGain() {
    if constexpr (sizeof(T) == sizeof(double)) return 1.0;
    propagator_->setFactors(makeFactors<T>(freeOf(p_)));
    phi_.upload(makePacket<T>(p_));
    const auto norm = [&] {
      return compute::reduce(*device_, points(), MomentumSums{}, MomentumSumsAt<T>{phi_.data(), grid_}, compute::Plus{})
          .norm;
    };
    return compute::transformGain(kGainSteps, norm,
                                  [&](int n) { propagator_->advance(phi_.data(), tallies_.data(), n); });
  }

  void start() {
    psi_.upload(makePacket<T>(p_));
    compute::parallelFor(*device_, points(), DensityAt<T>{psi_.data(), initial_density_.data()});
    tallies_.upload(std::vector<T>(tallies_.size(), T(0)));
    measured_.reset();
    steps_ = 0;
    time_ = 0;
    seen_ = {};
    kicked_ = met_another_ = false;
    kicked_beyond_ = 0;
    kick_.reset();
    edges_.reset();
    first_energy_ = 0;  // nothing has changed it
    first_energy_ = measured().energy;
    first_momenta_ = measured().momentum;
  }

  // Outside a potential that is flat there, the momenta stay as they began.
  bool hasMetNothing(const Measured& m) const {
    constexpr double kSame = 0.01;  // of the spread
    const auto mean = [](const MomentumSums& sums) { return sums.k / sums.norm; };
    const auto square = [](const MomentumSums& sums) { return sums.kk / sums.norm; };
    const double spread = std::sqrt(std::fmax(0.0, square(first_momenta_) - std::pow(mean(first_momenta_), 2.0)));
    return std::fabs(mean(m.momentum) - mean(first_momenta_)) <= kSame * spread &&
           std::fabs(square(m.momentum) - square(first_momenta_)) <=
               kSame * spread * (spread + std::fabs(mean(first_momenta_)));
  }

  // Waits.
  Kicked kickNow() {
    const Measured& m = measured();
    std::vector<double> density;
    for (const Complex<T>& z : phi_.toHost()) density.push_back(norm2(Complex<double>{z.re, z.im}));
    Kicked kicked = kickedOf(density, grid_);
    kicked.position = m.position.x / m.position.norm;
    kicked.height = m.position.v / m.position.norm;
    return kicked;
  }

  // The present state's measured values, cached until it changes, for picture and numbers. Waits.
  const Measured& measured() {
    if (measured_) return *measured_;
    Measured m;
    m.position = compute::reduce(*device_, points(), PositionSums{},
                                 PositionSumsAt<T>{psi_.data(), tallies_.data(), potential_.data(), grid_,
                                                   edgesOf(p_, typed_.get()), exactNow()},
                                 compute::Plus{});
    device_->copy(phi_.data(), psi_.data(), psi_.bytes());
    fft_.forward(phi_.data());
    m.momentum =
        compute::reduce(*device_, points(), MomentumSums{}, MomentumSumsAt<T>{phi_.data(), grid_}, compute::Plus{});
    m.energy = energyOf(m.position, m.momentum);
    return measured_.emplace(m);
  }

  Parameters p_;
  std::shared_ptr<const TypedPotential> typed_;  // null where none is typed
  Packets packets_;
  Grid grid_;
  compute::Buffer<Complex<T>> psi_, phi_;
  compute::Buffer<T> tallies_;  // absorbed.h
  compute::Buffer<float> initial_density_;
  compute::Buffer<double> potential_;  // V at the samples
  compute::Fft<T> fft_;
  std::unique_ptr<Propagator<T>> propagator_;
  double gain_;
  PacketTransmission exact_;
  double time_ = 0;
  Observed seen_;                       // by the last diagnostics()
  std::optional<double> first_energy_;  // at the start; none once potential or kicks have changed it
  MomentumSums first_momenta_;          // at the start
  bool kicked_ = false;                 // the packet is not the one of the exact transmission
  std::optional<Kicked> kick_;          // by the last kick; of a loaded state, as it is
  double kicked_beyond_ = 0;            // the largest share that a kick brought next to π/dx
  bool met_another_ = false;            // waves had met the potential before it changed
  std::optional<EdgeAdvice> edges_;     // for p_ and kick_
  std::optional<Measured> measured_;
};

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters, Route route) {
  if (binding().read(parameters).precision == Precision::Float64) {
    return std::make_unique<TunnelingSimulation<double>>(std::move(device), parameters, route);
  }
  return std::make_unique<TunnelingSimulation<float>>(std::move(device), parameters, route);
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return create(std::move(device), parameters, Route::Fastest);
}

}  // namespace simscope::tunneling
