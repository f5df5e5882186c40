#include "sims/histograms/counting.h"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "sims/compute/loops/parallel.h"
#include "sims/histograms/batch.h"

namespace simscope::histograms {
namespace {

// The leptons of an event in registers, and in memory.
template <int kLeptons>
struct Measured {
  const Event<kLeptons>& event;
  SIMSCOPE_HD const Lepton& operator()(int i) const { return event.measured[i]; }
};
struct Columns {
  const Recorded& recorded;
  std::uint32_t first;
  SIMSCOPE_HD Lepton operator()(int i) const {
    const std::size_t at = first + static_cast<std::uint32_t>(i);
    return {recorded.pt[at], recorded.eta[at], recorded.phi[at], recorded.charge[at]};
  }
};

// Each kind of source makes an event from its number: it passes the truth to `add`, and returns the pair.
template <Process kProcess, int kLeptons>
struct Look {
  Source source;
  Selection selection;

  template <class Add>
  SIMSCOPE_HD Pair operator()(std::uint64_t number, const Add& add) const {
    if constexpr (kProcess == Process::File) {
      const std::uint32_t begin = source.recorded.first[number];
      const int count = static_cast<int>(source.recorded.first[number + 1] - begin);
      return heaviestPair(Columns{source.recorded, begin}, count, selection.cuts);
    } else {
      Event<kLeptons> event;
      if constexpr (kProcess == Process::Higgs) {
        event = higgsEvent(source.generator, number);
      } else {
        event = resonanceEvent<kLeptons>(source.generator, number);
      }
      if (event.mass > 0) add(place::kMadeMass, selection.mass(event.mass));
      for (int i = 0; i < kLeptons; ++i) {
        if (event.made[i].charge == 0) continue;
        add(place::kMadePt, selection.pt(event.made[i].pt));
        add(place::kMadeEta, selection.eta(event.made[i].eta));
      }
      return heaviestPair(Measured<kLeptons>{event}, kLeptons, selection.cuts);
    }
  }
};

template <class Add>
SIMSCOPE_HD inline void countPair(const Pair& pair, const Selection& s, const Add& add) {
  if (pair.leptons > 2) add(place::kWithMore, 0);
  if (pair.mass < 0) return;
  const int bin = s.mass(pair.mass);
  add(pair.opposite ? place::kMass : place::kSameSign, bin);
  add(pair.opposite ? place::kOpposite : place::kEqual, 0);
  if (!pair.opposite) return;
  if (bin < 0 && pair.mass < s.mass.low) add(place::kBelow, 0);
  add(place::kPt, s.pt(pair.a.pt));
  add(place::kPt, s.pt(pair.b.pt));
  add(place::kEta, s.eta(pair.a.eta));
  add(place::kEta, s.eta(pair.b.eta));
  add(place::kPhi, s.phi(pair.a.phi));
  add(place::kPhi, s.phi(pair.b.phi));
  const auto cell = [&](int plane, int x, int y) { add(plane, x >= 0 && y >= 0 ? y * place::kCells + x : -1); };
  cell(place::kMomenta, s.pt_cell(pair.a.pt), s.pt_cell(pair.b.pt));
  cell(place::kMap, s.eta_cell(pair.a.eta), s.phi_cell(pair.a.phi));
  cell(place::kMap, s.eta_cell(pair.b.eta), s.phi_cell(pair.b.phi));
}

constexpr std::uint64_t kGrain = 8192;  // events that one thread counts on the CPU

struct AddToOwn {
  std::uint32_t* own;
  SIMSCOPE_HD void operator()(int from, int bin) const {
    if (bin >= 0) ++own[from + bin];
  }
};
// Adds a thread's own counts.
void merge(const std::vector<std::uint32_t>& own, std::uint64_t* counts) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != 0) std::atomic_ref(counts[i]).fetch_add(own[i], std::memory_order_relaxed);
  }
}

template <class LookAt>
struct CountOnCpu {
  LookAt look;
  std::uint64_t first, count;
  std::uint64_t* counts;
  void operator()(std::size_t block) const {
    std::vector<std::uint32_t> own(place::kPlaces);
    const AddToOwn add{own.data()};
    const std::uint64_t end = first + std::min(count, (block + 1) * kGrain);
    for (std::uint64_t i = first + block * kGrain; i < end; ++i) countPair(look(i, add), look.selection, add);
    merge(own, counts);
  }
};

// Pairs of a resonance, made by the processor's vectors.
struct CountPairsOnCpu {
  void (*make)(const Generator& g, std::uint64_t first, PairBatch& batch);
  Look<Process::Resonance, 2> look;
  std::uint64_t first, count;
  std::uint64_t* counts;

  Pair pairOf(const PairBatch& batch, int i) const {
    const Lepton a{batch.pt[0][i], batch.eta[0][i], batch.phi[0][i], batch.charge[0][i]};
    const Lepton b{batch.pt[1][i], batch.eta[1][i], batch.phi[1][i], batch.charge[1][i]};
    const Cuts& cuts = look.selection.cuts;
    Pair pair;
    const bool kept_a = cuts.keeps(a), kept_b = cuts.keeps(b);
    pair.leptons = static_cast<int>(kept_a) + static_cast<int>(kept_b);
    if (!kept_a || !kept_b || !(a.pt >= cuts.lead_pt || b.pt >= cuts.lead_pt)) return pair;
    pair.mass = batch.pair[i];
    pair.opposite = a.charge * b.charge < 0;
    pair.a = b.pt >= a.pt ? b : a;
    pair.b = b.pt >= a.pt ? a : b;
    return pair;
  }
  void operator()(std::size_t block) const {
    std::vector<std::uint32_t> own(place::kPlaces);
    const AddToOwn add{own.data()};
    const Selection& s = look.selection;
    PairBatch batch;
    const std::uint64_t end = first + std::min(count, (block + 1) * kGrain);
    std::uint64_t at = first + block * kGrain;
    for (; at + PairBatch::kSize <= end; at += PairBatch::kSize) {
      make(look.source.generator, at, batch);
      for (int i = 0; i < PairBatch::kSize; ++i) {
        add(place::kMadeMass, s.mass(batch.mass[i]));
        for (int k = 0; k < 2; ++k) {
          add(place::kMadePt, s.pt(batch.made_pt[k][i]));
          add(place::kMadeEta, s.eta(batch.made_eta[k][i]));
        }
        countPair(pairOf(batch, i), s, add);
      }
    }
    for (; at < end; ++at) countPair(look(at, add), s, add);
    merge(own, counts);
  }
};

#if SIMSCOPE_HAVE_CUDA
constexpr int kThreads = 256;  // of a block; four blocks a multiprocessor, whose counts fill its shared memory

struct AddToBlock {
  std::uint32_t* own;
  __device__ void operator()(int from, int bin) const {
    if (bin >= 0) atomicAdd(own + from + bin, 1u);
  }
};

template <class LookAt>
__global__ void __launch_bounds__(kThreads, 4)
    countEvents(const LookAt look, std::uint64_t first, std::uint64_t count, std::uint64_t* counts) {
  __shared__ std::uint32_t own[place::kPlaces];
  for (int i = threadIdx.x; i < place::kPlaces; i += kThreads) own[i] = 0;
  __syncthreads();
  const AddToBlock add{own};
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * kThreads;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += stride) {
    countPair(look(first + i, add), look.selection, add);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < place::kPlaces; i += kThreads) {
    if (own[i] != 0) atomicAdd(reinterpret_cast<unsigned long long*>(counts) + i, own[i]);
  }
}
#endif

struct Nothing {
  SIMSCOPE_HD void operator()(int, int) const {}
};
template <class LookAt>
struct ShowOne {
  LookAt look;
  std::uint64_t first, every;
  float *points, *values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Pair pair = look(first + i * every, Nothing{});
    const Lepton both[] = {pair.a, pair.b};
    for (std::size_t k = 0; k < 2; ++k) {
      float* const point = points + 4 * (2 * i + k);
      point[0] = both[k].eta;
      point[1] = both[k].phi;
      point[2] = 0;
      point[3] = pair.opposite ? 1.0f : 0.0f;
      values[2 * i + k] = both[k].pt;
    }
  }
};

// Calls work with the Look of the source.
template <class Work>
void withLook(const Source& source, const Selection& selection, const Work& work) {
  if (source.process == Process::File) {
    work(Look<Process::File, 0>{source, selection});
  } else if (source.process == Process::Higgs) {
    work(Look<Process::Higgs, 4>{source, selection});
  } else if (source.more) {
    work(Look<Process::Resonance, 4>{source, selection});
  } else {
    work(Look<Process::Resonance, 2>{source, selection});
  }
}

}  // namespace

void addEvents(Counts& counts, const Source& source, const Selection& selection, std::uint64_t first,
               std::uint64_t count) {
  if (count == 0) return;
  compute::Device& device = *counts.device();
  withLook(source, selection, [&](const auto& look) {
#if SIMSCOPE_HAVE_CUDA
    if (device.isCuda()) {
      // A block that counts few events would write more than it reads; no block counts beyond 32 bits.
      constexpr std::uint64_t kFew = 1024;
      const std::uint64_t most = 4 * static_cast<std::uint64_t>(device.info().threads);
      const std::uint64_t blocks = std::max(std::min((count - 1) / kFew + 1, most), count >> 30);
      const auto stream = static_cast<cudaStream_t>(device.stream());
      countEvents<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(look, first, count, counts.data());
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      device.countLaunches();
      return;
    }
#endif
    using LookAt = std::decay_t<decltype(look)>;
    const std::size_t blocks = (count - 1) / kGrain + 1;
    if constexpr (std::is_same_v<LookAt, Look<Process::Resonance, 2>>) {
      const bool by_chance = look.source.generator.background > 0 && look.source.generator.uncorrelated;
      if (!by_chance) {
        const CountPairsOnCpu loop{pairMakers().widest().make, look, first, count, counts.data()};
        compute::detail::forEachOnCpu(device, blocks, loop, 1);
        return;
      }
    }
    compute::detail::forEachOnCpu(device, blocks, CountOnCpu<LookAt>{look, first, count, counts.data()}, 1);
  });
}

void showEvents(const compute::DevicePtr& device, const Source& source, const Selection& selection, std::uint64_t first,
                std::uint64_t every, std::size_t count, float* points, float* values) {
  if (count == 0) return;
  withLook(source, selection, [&](const auto& look) {
    using LookAt = std::decay_t<decltype(look)>;
    compute::parallelFor(*device, count, ShowOne<LookAt>{look, first, every, points, values}, 4096);
  });
}

}  // namespace simscope::histograms
