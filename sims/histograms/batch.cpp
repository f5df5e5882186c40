#include "sims/histograms/batch.h"

#include "sims/histograms/pair.h"

namespace simscope::histograms {
namespace {

constexpr int kSize = PairBatch::kSize;

// Random words, a column each.
struct Columns4 {
  std::uint32_t w[4][kSize];
};

// Everything below is inlined into functions that are compiled for one instruction set each.
#define SIMSCOPE_INLINE inline __attribute__((always_inline))

SIMSCOPE_INLINE void draw(Columns4& to, std::uint64_t seed, std::uint32_t stream, std::uint64_t first) {
  for (int i = 0; i < kSize; ++i) {
    const Words words = wordsOf(seed, stream, first + static_cast<std::uint64_t>(i));
    for (int k = 0; k < 4; ++k) to.w[k][i] = words.w[k];
  }
}

struct Normals {
  float a[kSize], b[kSize];
};
SIMSCOPE_INLINE void makeNormal(Normals& to, const std::uint32_t* first, const std::uint32_t* second) {
  for (int i = 0; i < kSize; ++i) {
    const Turn turn = normalsOf(first[i], second[i]);
    to.a[i] = turn.cos;
    to.b[i] = turn.sin;
  }
}

template <bool kPolarised>
SIMSCOPE_INLINE void makeLeptons(const Generator& g, std::uint64_t first, PairBatch& batch) {
  Columns4 boson, how;
  draw(boson, g.seed, kBoson, first);
  draw(how, g.seed, kDecay, first);
  float resonance[kSize], background[kSize];
  for (int i = 0; i < kSize; ++i) resonance[i] = resonanceMass(g, unitOf(boson.w[0][i]));
  for (int i = 0; i < kSize; ++i) background[i] = g.background == 0 ? 0.0f : backgroundMass(g, unitOf(boson.w[0][i]));
  for (int i = 0; i < kSize; ++i) batch.mass[i] = happens(boson.w[1][i], g.background) ? background[i] : resonance[i];
  float nx[kSize], ny[kSize], nz[kSize];
  for (int i = 0; i < kSize; ++i) {
    const Direction n = directionOf(unitOf(how.w[0][i]), how.w[1][i], kPolarised);
    nx[i] = n.x, ny[i] = n.y, nz[i] = n.z;
  }
  for (int i = 0; i < kSize; ++i) {
    const Boost boost = boostOf(g, unitOf(boson.w[2][i]), unitOf(boson.w[3][i]), unitOf(how.w[2][i]));
    const Lepton a = decayed(batch.mass[i], boost, {nx[i], ny[i], nz[i]}, -1);
    batch.made_pt[0][i] = a.pt, batch.made_eta[0][i] = a.eta, batch.phi[0][i] = a.phi;
  }
  for (int i = 0; i < kSize; ++i) {
    const Boost boost = boostOf(g, unitOf(boson.w[2][i]), unitOf(boson.w[3][i]), unitOf(how.w[2][i]));
    const Lepton b = decayed(batch.mass[i], boost, {-nx[i], -ny[i], -nz[i]}, 1);
    batch.made_pt[1][i] = b.pt, batch.made_eta[1][i] = b.eta, batch.phi[1][i] = b.phi;
  }
}

SIMSCOPE_INLINE void measure(const Generator& g, std::uint64_t first, PairBatch& batch) {
  Columns4 w, angles;
  draw(w, g.seed, kMeasure, first);
  Normals momenta, directions[2] = {};
  makeNormal(momenta, w.w[0], w.w[1]);
  if (g.angles) {
    draw(angles, g.seed, kAngles, first);
    makeNormal(directions[0], angles.w[0], angles.w[1]);
    makeNormal(directions[1], angles.w[2], angles.w[3]);
  }
  for (int k = 0; k < 2; ++k) {
    const float* const z = k == 0 ? momenta.a : momenta.b;
    for (int i = 0; i < kSize; ++i) {
      const Lepton made{batch.made_pt[k][i], batch.made_eta[k][i], batch.phi[k][i], 2 * k - 1};
      const Lepton measured = measuredOf(g, made, z[i], directions[k].a[i], directions[k].b[i], w.w[2 + k][i]);
      batch.pt[k][i] = measured.pt, batch.eta[k][i] = measured.eta, batch.phi[k][i] = measured.phi;
      batch.charge[k][i] = measured.charge;
    }
  }
  for (int i = 0; i < kSize; ++i) {
    batch.pair[i] = massOf({batch.pt[1][i], batch.eta[1][i], batch.phi[1][i], 1},
                           {batch.pt[0][i], batch.eta[0][i], batch.phi[0][i], 1});
  }
}

SIMSCOPE_INLINE void make(const Generator& generator, std::uint64_t first, PairBatch& batch) {
  const Generator g = generator;  // a private copy
  if (g.polarised) {
    makeLeptons<true>(g, first, batch);
  } else {
    makeLeptons<false>(g, first, batch);
  }
  measure(g, first, batch);
}

__attribute__((flatten)) void makePortably(const Generator& g, std::uint64_t first, PairBatch& batch) {
  make(g, first, batch);
}
#if defined(__x86_64__)
__attribute__((flatten, target("avx2"))) void makeByAvx2(const Generator& g, std::uint64_t first, PairBatch& batch) {
  make(g, first, batch);
}
__attribute__((flatten, target("avx512f,avx512dq,prefer-vector-width=512"))) void makeByAvx512(const Generator& g,
                                                                                               std::uint64_t first,
                                                                                               PairBatch& batch) {
  make(g, first, batch);
}
#endif

#if defined(__x86_64__)
PairMaker wide(compute::Avx2) {
  return {makeByAvx2, "AVX2"};
}
PairMaker wide(compute::Avx512) {
  return {makeByAvx512, "AVX-512"};
}
#endif

}  // namespace

const compute::KernelList<PairMaker>& pairMakers() {
  static const auto list =
      compute::kernelList(PairMaker{makePortably, "portable"}, SIMSCOPE_ON_X86(wide), SIMSCOPE_ON_X86(wide));
  return list;
}

}  // namespace simscope::histograms
