// The mass of two leptons, and which pair of an event counts. Any thread.
//   m² = 2 pt₁ pt₂ (cosh Δη - cos Δφ) = 4 pt₁ pt₂ (sinh² Δη/2 + sin² Δφ/2)
// The second form keeps its precision where the leptons are close to each other.
#pragma once

#include "sims/histograms/event.h"

namespace simscope::histograms {

SIMSCOPE_HD inline float massOf(const Lepton& a, const Lepton& b) {
  const float open = sinhSquaredOf(0.5f * (a.eta - b.eta)) + sinSquaredOf(0.5f * (a.phi - b.phi));
  return 2.0f * std::sqrt((a.pt * b.pt) * open);
}

struct Cuts {
  float pt_min = 0, lead_pt = 0, eta_max = 5;
  SIMSCOPE_HD bool keeps(const Lepton& l) const {
    return l.charge != 0 && l.pt >= pt_min && l.eta <= eta_max && l.eta >= -eta_max;
  }
};

// The heaviest pair of opposite charges; where there is none, the heaviest of equal charges.
struct Pair {
  Lepton a, b;      // a: of the larger pt
  float mass = -1;  // below 0: no pair
  bool opposite = false;
  int leptons = 0;  // number within the cuts
};

// leptons(i): lepton i of `count`.
template <class Leptons>
SIMSCOPE_HD inline Pair heaviestPair(const Leptons& leptons, int count, const Cuts& cuts) {
  Pair best;
#if defined(__CUDA_ARCH__)
#pragma unroll 4  // all leptons of a generated event, so that they stay in registers
#endif
  for (int i = 0; i < count; ++i) {
    const Lepton first = leptons(i);
    if (!cuts.keeps(first)) continue;
    ++best.leptons;
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
    for (int j = 0; j < i; ++j) {
      const Lepton second = leptons(j);
      const bool led = first.pt >= cuts.lead_pt || second.pt >= cuts.lead_pt;
      if (!led || !cuts.keeps(second)) continue;
      const bool opposite = first.charge * second.charge < 0;
      if (best.opposite && !opposite) continue;
      const float mass = massOf(first, second);
      if (opposite == best.opposite && !(mass > best.mass)) continue;
      best.mass = mass;
      best.opposite = opposite;
      best.a = first.pt >= second.pt ? first : second;
      best.b = first.pt >= second.pt ? second : first;
    }
  }
  return best;
}

}  // namespace simscope::histograms
