// Threads: the threads of a CPU device do the host's work (packets, factors, exact values; on the CPU the runs
// themselves), each one run at a time. Every such thread has a CPU device of its own with one thread, and calls the
// same code as a single run, so that the bits are a single run's.
#include "sims/tunneling/batch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <future>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/transform_gain.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/core/words.h"
#include "sims/tunneling/measured.h"
#include "sims/tunneling/propagator.h"
#include "sims/tunneling/validity.h"

namespace simscope::tunneling {

// The workspace of one host thread, for runs on the CPU only.
template <class T>
struct BatchSlot {
  compute::DevicePtr device;
  std::unique_ptr<Propagator<T>> propagator;
  std::unique_ptr<compute::Fft<T>> fft;
  compute::Buffer<Complex<T>> phi;
};

template <class T>
class TunnelingBatch final : public Batch {
 public:
  // `on_chip`: of all runs, on a CUDA device; null on the CPU.
  TunnelingBatch(compute::DevicePtr device, std::span<const ParameterSet> runs, std::unique_ptr<Propagator<T>> on_chip)
      : device_(std::move(device)),
        host_(device_->isCuda() ? compute::Device::open("cpu") : device_),
        on_chip_(std::move(on_chip)),
        runs_(runs.size()),
        measured_(runs.size()) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs_[i].p = binding().read(runs[i]);
      runs_[i].packets = packetsOf(runs_[i].p);
      // Usually it is that of the run before.
      runs_[i].typed = readTyped(runs_[i].p, i > 0 ? runs_[i - 1].typed : nullptr);
    }
    points_ = static_cast<std::size_t>(runs_.front().p.grid_points);
    makeSlots();
    // Meanwhile this thread makes the CUDA device's buffers and its plan.
    std::future<Initial> initial =
        std::async(on_chip_ ? std::launch::async : std::launch::deferred, [this] { return makeInitial(); });
    psi_ = compute::Buffer<Complex<T>>(device_, runs_.size() * points_);
    potentials_ = compute::Buffer<double>(device_, samePotentials() ? points_ : psi_.size());
    tallies_ = compute::Buffer<T>(device_, runs_.size() * talliesOfRun());
    if (on_chip_) {
      phi_ = compute::Buffer<Complex<T>>(device_, psi_.size());
      positions_of_ = compute::Buffer<PositionSumsAt<T>>(device_, runs_.size());
      position_ = compute::Buffer<PositionSums>(device_, runs_.size());
      std::vector<MomentumSumsAt<T>> momenta;
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        momenta.push_back({phi_.data() + i * points_, gridOf(runs_[i].p)});
      }
      momenta_of_ = compute::Buffer<MomentumSumsAt<T>>(device_, momenta);
      momentum_ = compute::Buffer<MomentumSums>(device_, runs_.size());
      fft_ = std::make_unique<compute::Fft<T>>(
          device_, compute::FftShape{{static_cast<int>(points_)}, static_cast<int>(runs_.size())});
    }
    begin(initial.get());
  }

  std::size_t runs() const override { return runs_.size(); }

  void step(int n) override {
    if (n <= 0) return;
    if (on_chip_) {
      on_chip_->advance(psi_.data(), tallies_.data(), n);
    } else {
      forEachRun([&](std::size_t i, BatchSlot<T>& slot) {
        slot.propagator->setFactors(runs_[i].factors);
        slot.propagator->advance(psiOf(i), talliesOf(i), n);
      });
    }
    // Summed up as a single run does, so that it has the same bits; a CUDA device is at work meanwhile.
    for (Run& run : runs_) {
      for (int i = 0; i < n; ++i) run.time += run.p.time_step;
    }
    steps_ += n;
  }

  double time(std::size_t run) const override { return runs_[run].time; }

  void diagnostics(std::span<double> values) override {
    measure();
    if (exact_.valid()) exact_.get();
    const std::size_t count = description().diagnostics.size();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      fillDiagnostics(measured_[i], gridOf(runs_[i].p), runs_[i].exact.value, runs_[i].first_energy,
                      values.subspan(i * count, count));
    }
  }

  std::vector<Finding> check(std::size_t run) const override {
    const Run& own = runs_[run];
    const Grid grid = gridOf(own.p);
    std::vector<double> values(description().diagnostics.size());
    const Measured& m = measured_[run];
    fillDiagnostics(m, grid, own.exact.value, own.first_energy, values);
    return findingsFor(own.p,
                       {.edge_probability = m.position.edge * grid.dx,
                        .energy_drift = values[kEnergyDrift],
                        .norm_drift = values[kNormDrift],
                        .next_to_nyquist = m.momentum.next_to_nyquist / m.momentum.norm,
                        .exact_excess = own.exact.excess},
                       own.typed.get());
  }

  // A NaN anywhere makes the sum of densities one, and an Inf makes it infinite; so does a state whose norm overflows.
  std::vector<bool> finite() override {
    measure();
    std::vector<bool> all;
    for (const Measured& m : measured_) all.push_back(std::isfinite(m.position.norm));
    return all;
  }

  std::vector<std::byte> stateArray(std::size_t run) override {
    std::vector<std::byte> bytes(points_ * sizeof(Complex<T>));
    device_->download(bytes.data(), psiOf(run), bytes.size());
    return bytes;
  }

  std::string method() const override {
    return on_chip_ ? on_chip_->method()
                    : "FFTW, " + counted(static_cast<std::int64_t>(slots_.size()), "run") + " at a time";
  }

 private:
  struct Run {
    Parameters p;
    std::shared_ptr<const TypedPotential> typed;
    Packets packets;
    PacketTransmission exact;
    double time = 0, gain = 1, first_energy = 0;
    Factors<T> factors;  // on the CPU only
  };

  struct Initial {
    // Of all runs, one after the other. Its pages are first touched by the threads that fill them.
    std::unique_ptr<Complex<T>[]> packets;
    std::vector<double> potentials;  // likewise, or one that all runs share
  };

  std::size_t talliesOfRun() const { return kTallies * points_ / kRows; }
  Complex<T>* psiOf(std::size_t run) { return psi_.data() + run * points_; }
  T* talliesOf(std::size_t run) { return tallies_.data() + run * talliesOfRun(); }

  void makeSlots() {
    const auto most = static_cast<std::size_t>(std::max(1, host_->info().threads));
    for (std::size_t i = 0; i < std::min(runs_.size(), most); ++i) {
      BatchSlot<T>& slot = slots_.emplace_back();
      if (on_chip_) continue;
      slot.device = compute::Device::open("cpu", 1);
      slot.propagator = makePropagator<T>(slot.device, static_cast<int>(points_));
      slot.fft = std::make_unique<compute::Fft<T>>(slot.device, compute::FftShape{{static_cast<int>(points_)}});
      slot.phi = compute::Buffer<Complex<T>>(slot.device, points_);
    }
  }

  // body(run, slot) for each run, on all threads of a CPU device; waits.
  template <class Body>
  void forEachRunOn(compute::Device& host, const Body& body) {
    struct Work {
      TunnelingBatch& batch;
      const Body& body;
      std::atomic<std::size_t> next{0};
    } work{*this, body};
    compute::detail::runBlocks(
        host, slots_.size(),
        [](const void* context, std::size_t slot) {
          Work& shared = *static_cast<Work*>(const_cast<void*>(context));
          for (std::size_t i; (i = shared.next++) < shared.batch.runs_.size();) {
            shared.body(i, shared.batch.slots_[slot]);
          }
        },
        &work);
  }
  template <class Body>
  void forEachRun(const Body& body) {
    forEachRunOn(*host_, body);
  }

  // Exact values take the host longer than all its other work for a batch, so the runs begin and proceed meanwhile.
  void beginExact() {
    exact_ = std::async(std::launch::async, [this] {
      const compute::DevicePtr own = compute::Device::open("cpu", host_->info().threads);
      forEachRunOn(
          *own, [this](std::size_t i, BatchSlot<T>&) { runs_[i].exact = exactOf(runs_[i].p, runs_[i].typed.get()); });
    });
  }

  // Whether same(run, first) for every run.
  template <class Same>
  bool allAre(const Same& same) const {
    return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) { return same(run, runs_.front()); });
  }
  bool samePotentials() const {
    return allAre([](const Run& run, const Run& first) {
      const Parameters &a = run.p, &b = first.p;
      return run.typed == first.typed && a.potential == b.potential && a.domain_length == b.domain_length &&
             a.barrier_height == b.barrier_height && a.barrier_width == b.barrier_width &&
             a.barrier_gap == b.barrier_gap;
    });
  }
  static std::span<const double> tableOf(const std::vector<double>& tables, std::size_t run, std::size_t points) {
    return std::span(tables).subspan(tables.size() > points ? run * points : 0, points);
  }

  Initial makeInitial() {
    Initial initial{std::make_unique_for_overwrite<Complex<T>[]>(runs_.size() * points_), {}};
    const bool same = samePotentials();
    if (same) {
      initial.potentials = potentialTable(runs_.front().p, runs_.front().typed.get());
    } else {
      initial.potentials.resize(runs_.size() * points_);
    }
    forEachRun([&](std::size_t i, BatchSlot<T>&) {
      const std::vector<Complex<T>> packet = makePacket<T>(runs_[i].p);
      std::memcpy(initial.packets.get() + i * points_, packet.data(), packet.size() * sizeof(Complex<T>));
      if (same) return;
      const std::vector<double> potential = potentialTable(runs_[i].p, runs_[i].typed.get());
      std::copy(potential.begin(), potential.end(), initial.potentials.data() + i * points_);
    });
    return initial;
  }

  void begin(Initial initial) {
    potentials_.upload(initial.potentials);
    tallies_.zero();
    const std::span<Complex<T>> packets(initial.packets.get(), psi_.size());
    psi_.upload(packets);
    if constexpr (sizeof(T) < sizeof(double)) measureGains();
    if (on_chip_) {
      setFactorsOnChip(packets, initial.potentials);
    } else {
      forEachRun([&](std::size_t i, BatchSlot<T>&) {
        runs_[i].factors = makeFactors<T>(runs_[i].p, tableOf(initial.potentials, i, points_), runs_[i].gain);
      });
    }
    beginExact();
    measure();
    for (std::size_t i = 0; i < runs_.size(); ++i) runs_[i].first_energy = measured_[i].energy;
  }

  // `room`: host memory for ψ of all runs, whose content is no longer needed.
  void setFactorsOnChip(std::span<Complex<T>> room, const std::vector<double>& potentials) {
    std::vector<double> gain;
    for (const Run& run : runs_) {
      if (run.p.absorbing_edges != runs_.front().p.absorbing_edges) {
        throw Error(
            "In a batch, either all runs have absorbing edges or none; put runs that differ into separate batches.");
      }
      gain.push_back(run.gain);
    }
    forEachRun([&](std::size_t i, BatchSlot<T>&) {
      makeHalf<T>(runs_[i].p, tableOf(potentials, i, points_), room.subspan(i * points_, points_));
    });
    on_chip_->setFactorsOfEach(
        {room, turnsOfRuns([](const Parameters& p) { return p; }), gain, runs_.front().p.absorbing_edges});
  }

  // As FactorsOfRuns wants them, of the runs' parameters changed so.
  template <class Changed>
  std::vector<Complex<double>> turnsOfRuns(const Changed& changed) {
    const bool same = allAre([&](const Run& run, const Run& first) {
      const Parameters a = changed(run.p), b = changed(first.p);
      return a.domain_length == b.domain_length && a.time_step == b.time_step;
    });
    if (same) return kineticTurns(changed(runs_.front().p));
    std::vector<Complex<double>> turns(runs_.size() * points_);
    forEachRun([&](std::size_t i, BatchSlot<T>&) {
      const std::vector<Complex<double>> own = kineticTurns(changed(runs_[i].p));
      std::copy(own.begin(), own.end(), turns.begin() + static_cast<std::ptrdiff_t>(i * points_));
    });
    return turns;
  }

  // As TunnelingSimulation::measuredGain does for one.
  void measureGains() {
    if (!on_chip_) {
      forEachRun([&](std::size_t i, BatchSlot<T>& slot) {
        slot.propagator->setFactors(makeFactors<T>(freeOf(runs_[i].p)));
        slot.device->copy(slot.phi.data(), psiOf(i), slot.phi.bytes());
        const auto norm = [&] { return momentumOnHost(slot, gridOf(runs_[i].p)).norm; };
        runs_[i].gain = compute::transformGain(
            kGainSteps, norm, [&](int n) { slot.propagator->advance(slot.phi.data(), talliesOf(i), n); });
      });
      return;
    }
    const std::vector<Complex<T>> free_half = makeFactors<T>(freeOf(runs_.front().p)).half;
    const std::vector<double> gain(runs_.size(), 1.0);
    on_chip_->setFactorsOfEach({free_half, turnsOfRuns(freeOf), gain, false});
    device_->copy(phi_.data(), psi_.data(), psi_.bytes());
    const std::vector<MomentumSums> before = momentaOnDevice();
    on_chip_->advance(phi_.data(), tallies_.data(), kGainSteps);
    const std::vector<MomentumSums> after = momentaOnDevice();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      bool advanced = false;
      runs_[i].gain = compute::transformGain(
          kGainSteps, [&] { return advanced ? after[i].norm : before[i].norm; }, [&](int) { advanced = true; });
    }
  }

  MomentumSums momentumOnHost(BatchSlot<T>& slot, const Grid& grid) {
    return compute::reduce(*slot.device, points_, MomentumSums{}, MomentumSumsAt<T>{slot.phi.data(), grid},
                           compute::Plus{});
  }
  // Sums over phi_ as it is; one wait for all.
  std::vector<MomentumSums> momentaOnDevice() {
    compute::reduceEachInto(*device_, runs_.size(), points_, MomentumSums{}, momenta_of_.data(), compute::Plus{},
                            momentum_.data());
    return momentum_.toHost();
  }

  PositionSumsAt<T> positionsOf(std::size_t run) {
    const Run& own = runs_[run];
    return {psiOf(run),
            talliesOf(run),
            potentials_.data() + (potentials_.size() > points_ ? run * points_ : 0),
            gridOf(own.p),
            edgesOf(own.p, own.typed.get()),
            exactWave(own.p, own.packets, time(run))};
  }

  void measure() {
    if (measured_at_ == steps_) return;
    if (on_chip_) {
      std::vector<PositionSumsAt<T>> all;
      for (std::size_t i = 0; i < runs_.size(); ++i) all.push_back(positionsOf(i));
      positions_of_.upload(all);
      compute::reduceEachInto(*device_, runs_.size(), points_, PositionSums{}, positions_of_.data(), compute::Plus{},
                              position_.data());
      const std::vector<PositionSums> positions = position_.toHost();
      device_->copy(phi_.data(), psi_.data(), psi_.bytes());
      fft_->forward(phi_.data());
      const std::vector<MomentumSums> momenta = momentaOnDevice();
      for (std::size_t i = 0; i < runs_.size(); ++i) measured_[i] = {positions[i], momenta[i], 0};
    } else {
      forEachRun([&](std::size_t i, BatchSlot<T>& slot) {
        const PositionSums position =
            compute::reduce(*slot.device, points_, PositionSums{}, positionsOf(i), compute::Plus{});
        slot.device->copy(slot.phi.data(), psiOf(i), slot.phi.bytes());
        slot.fft->forward(slot.phi.data());
        measured_[i] = {position, momentumOnHost(slot, gridOf(runs_[i].p)), 0};
      });
    }
    for (Measured& m : measured_) m.energy = energyOf(m.position, m.momentum);
    measured_at_ = steps_;
  }

  compute::DevicePtr device_, host_;
  std::unique_ptr<Propagator<T>> on_chip_;
  std::vector<Run> runs_;
  std::vector<BatchSlot<T>> slots_;
  std::size_t points_ = 0;
  compute::Buffer<Complex<T>> psi_, phi_;  // phi_ and the following: on CUDA only
  compute::Buffer<T> tallies_;
  compute::Buffer<double> potentials_;
  compute::Buffer<PositionSumsAt<T>> positions_of_;
  compute::Buffer<MomentumSumsAt<T>> momenta_of_;
  compute::Buffer<PositionSums> position_;
  compute::Buffer<MomentumSums> momentum_;
  std::unique_ptr<compute::Fft<T>> fft_;
  std::vector<Measured> measured_;
  std::int64_t steps_ = 0, measured_at_ = -1;
  std::future<void> exact_;  // the last member, so that its destructor waits before the others are destroyed
};

template <class T>
std::unique_ptr<Batch> makeBatch(compute::DevicePtr device, std::span<const ParameterSet> runs) {
  std::unique_ptr<Propagator<T>> on_chip;
  if (device->isCuda()) {
    on_chip = makeOnChipPropagator<T>(device, binding().read(runs.front()).grid_points, runs.size());
    if (!on_chip) return nullptr;
  }
  return std::make_unique<TunnelingBatch<T>>(std::move(device), runs, std::move(on_chip));
}

std::unique_ptr<Batch> createBatch(compute::DevicePtr device, std::span<const ParameterSet> runs, std::uint64_t) {
  if (runs.empty()) throw UsageError("A batch needs at least one run; this one is empty.");
  for (const std::string& key : description().batch.shape) {
    for (const ParameterSet& run : runs) {
      if (run.get(key) == runs.front().get(key)) continue;
      throw ParameterError(key, key + ": all runs of a batch need the same value; " + toText(runs.front().get(key)) +
                                    " and " + toText(run.get(key)) + " need two batches");
    }
  }
  if (binding().read(runs.front()).precision == Precision::Float64) return makeBatch<double>(std::move(device), runs);
  return makeBatch<float>(std::move(device), runs);
}

}  // namespace simscope::tunneling
