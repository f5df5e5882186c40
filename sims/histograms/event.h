// An event as the generator makes it and the detector measures it: a pure function of the seed and the event's number,
// the same to the bit on both backends. Leptons are massless. Any thread.
//
// Kinematics (E. Byckling, K. Kajantie, Particle Kinematics): in the frame where a boson of mass m and transverse
// momentum p does not move along the beam, its leptons ±(m/2) n have k_x = ±m_T n_x/2 + p/2 along that momentum, m_T =
// √(m² + p²); its rapidity then adds to both of their pseudorapidities.
#pragma once

#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>

#include "sims/histograms/arithmetic.h"

namespace simscope::histograms {

struct Lepton {
  float pt = 0, eta = 0, phi = 0;
  int charge = 0;  // 0: not found
};

// Truth and measurement of up to kLeptons leptons.
template <int kLeptons>
struct Event {
  Lepton made[kLeptons], measured[kLeptons];
  float mass = 0;  // of the boson from which the first two come; 0: none
};

struct Words {
  std::uint32_t w[4];
};
// Streams of random words, from which each event draws.
enum Stream : std::uint32_t { kBoson, kDecay, kMeasure, kAngles, kSoft, kSecond = 8, kHiggs = 16 };
SIMSCOPE_HD inline Words wordsOf(std::uint64_t seed, std::uint32_t stream, std::uint64_t event) {
  r123::Philox4x32 generator;
  const r123::Philox4x32::ctr_type counter = {
      {static_cast<std::uint32_t>(event), static_cast<std::uint32_t>(event >> 32), stream, 0x6c6cu}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type r = generator(counter, key);
  return {{r.v[0], r.v[1], r.v[2], r.v[3]}};
}
// Whether an event of this probability happens; `chance` is in units of 2⁻³¹.
SIMSCOPE_HD inline bool happens(std::uint32_t word, std::uint32_t chance) {
  return (word >> 1) < chance;
}

// Masses of the two Z of H → ZZ: quantiles of the heavier one, and for each of kRows ranges of it quantiles of the
// other.
struct HiggsTable {
  static constexpr int kHeavier = 1024, kRows = 128, kLighter = 256;
  static constexpr int kSize = kHeavier + 1 + kRows * (kLighter + 1);
  const float* values = nullptr;  // on the device
};

// The constants of generator and detector, for kernels; made by generatorOf().
struct Generator {
  std::uint64_t seed = 0;
  float pole = 0, pole_width = 0;                                       // M², MΓ
  float angle_low = 0, angle_span = 0;                                  // of atan((m² - M²)/MΓ) over the window
  float background_low = 0, background_scale = 0, background_span = 0;  // the last: 1 - exp(-window/λ)
  std::uint32_t background = 0;                                         // probabilities in units of 2⁻³¹
  std::uint32_t found = 0, flipped = 0, extra = 0;
  bool uncorrelated = false, polarised = false, angles = false;
  float boson_pt = 0, rapidity = 0, soft_pt = 0, extra_pt = 0;
  float pt_resolution = 0, angular_resolution = 0;
  float higgs_mass = 0;
  HiggsTable higgs = {};
};

// Breit and Wigner's relativistic resonance, dN/dm² ∝ 1/((m² - M²)² + M²Γ²), by the inverse of its integral.
SIMSCOPE_HD inline float resonanceMass(const Generator& g, float u) {
  return std::sqrt(g.pole + g.pole_width * tanOf(g.angle_low + u * g.angle_span));
}
SIMSCOPE_HD inline float backgroundMass(const Generator& g, float u) {
  return g.background_low - g.background_scale * logOf(1.0f - u * g.background_span);
}

struct Direction {
  float x, y, z;
};
// Uniform over the sphere, or ∝ 1 + cos²θ to the beam: c³ + 3c = 8u - 4 (Cardano).
SIMSCOPE_HD inline Direction directionOf(float u, std::uint32_t turn_word, bool polarised) {
  float c = 2.0f * u - 1.0f;
  if (polarised) {
    const float b = c < 0 ? -2.0f * c : 2.0f * c;
    const float root = expOf(logOf(b + std::sqrt(b * b + 1.0f)) * (1.0f / 3.0f)), size = root - 1.0f / root;
    c = c < 0 ? -size : size;
  }
  const float square = 1.0f - c * c, s = square > 0 ? std::sqrt(square) : 0.0f;
  const Turn turn = turnOf(turn_word);
  return {s * turn.cos, s * turn.sin, c};
}

// A momentum in the laboratory, given in a frame that moves along the beam at `rapidity` and whose x-axis is at
// `azimuth`.
SIMSCOPE_HD inline Lepton leptonOf(float x, float y, float z, float rapidity, float azimuth, int charge) {
  const float square = x * x + y * y, pt = std::sqrt(square > 1e-12f ? square : 1e-12f);
  return {pt, asinhOf(z / pt) + rapidity, wrapped(angleOf(x, y) + azimuth), charge};
}

SIMSCOPE_HD inline float transverseOf(const Generator& g, float u) {
  return g.boson_pt * std::sqrt(u / (1.0f - u));
}

// How a boson moves: transverse momentum, rapidity, azimuth.
struct Boost {
  float pt, rapidity, azimuth;
};
SIMSCOPE_HD inline Boost boostOf(const Generator& g, float u, float v, float w) {
  return {transverseOf(g, u), g.rapidity * (2.0f * v - 1.0f), kPi * (2.0f * w - 1.0f)};
}
// The lepton of a boson of mass m, emitted along n in the boson's rest frame.
SIMSCOPE_HD inline Lepton decayed(float m, const Boost& boost, const Direction& n, int charge) {
  const float across = 0.5f * (std::sqrt(m * m + boost.pt * boost.pt) * n.x), half = 0.5f * boost.pt;
  return leptonOf(half + across, 0.5f * (m * n.y), 0.5f * (m * n.z), boost.rapidity, boost.azimuth, charge);
}
SIMSCOPE_HD inline void decay(const Generator& g, float m, const Words& boson, const Words& how, Lepton* made) {
  const Direction n = directionOf(unitOf(how.w[0]), how.w[1], g.polarised);
  const Boost boost = boostOf(g, unitOf(boson.w[2]), unitOf(boson.w[3]), unitOf(how.w[2]));
  made[0] = decayed(m, boost, n, -1);
  made[1] = decayed(m, boost, {-n.x, -n.y, -n.z}, 1);
}

// A lepton of no boson; it exists with probability `chance`.
SIMSCOPE_HD inline Lepton softLepton(const Generator& g, std::uint32_t stream, std::uint64_t event, float mean_pt,
                                     std::uint32_t chance) {
  const Words w = wordsOf(g.seed, stream, event);
  const int charge = happens(w.w[3], chance / 2) ? 1 : happens(w.w[3], chance) ? -1 : 0;
  return {-mean_pt * logOf(unitOf(w.w[0])) + 1e-6f, 4.0f * (2.0f * unitOf(w.w[1]) - 1.0f),
          kPi * (2.0f * unitOf(w.w[2]) - 1.0f), charge};
}

// The four leptons of H → ZZ → 4ℓ; a Z that decays to the other kind of leptons gives none.
SIMSCOPE_HD inline void decayHiggs(const Generator& g, std::uint64_t event, Lepton* made) {
  using Table = HiggsTable;
  const Words boson = wordsOf(g.seed, kBoson, event), how = wordsOf(g.seed, kDecay, event);
  const Words each = wordsOf(g.seed, kHiggs, event), more = wordsOf(g.seed, kHiggs + 1, event);
  const auto between = [&](const float* table, float place) {
    const auto i = static_cast<std::int32_t>(place);
    return table[i] + (place - static_cast<float>(i)) * (table[i + 1] - table[i]);
  };
  const float u = unitOf(boson.w[0]), v = unitOf(boson.w[1]), h = g.higgs_mass;
  const auto row = static_cast<std::int32_t>(u * static_cast<float>(Table::kRows));
  const float a = between(g.higgs.values, u * static_cast<float>(Table::kHeavier));
  const float* const lighter = g.higgs.values + Table::kHeavier + 1 + row * (Table::kLighter + 1);
  const float rest = 0.9999f * (h - a), most = rest < a ? rest : a,
              drawn = between(lighter, v * static_cast<float>(Table::kLighter));
  const float b = drawn < most ? drawn : most;
  const float sum = a + b, difference = a - b;
  const float square = (h * h - sum * sum) * (h * h - difference * difference);
  const float p = std::sqrt(square > 0 ? square : 0.0f) / (2.0f * h);
  const Direction axis = directionOf(unitOf(how.w[0]), how.w[1], false);
  const float azimuth = kPi * (2.0f * unitOf(how.w[2]) - 1.0f);
  const float transverse = transverseOf(g, unitOf(boson.w[2])), y = g.rapidity * (2.0f * unitOf(boson.w[3]) - 1.0f);
  const float across = std::sqrt(h * h + transverse * transverse) / h, drag = transverse / h;
  const std::uint32_t kinds = how.w[3] >> 30;  // leptons of our kind: 4, none, 2 of the first Z, 2 of the other
  for (int z = 0; z < 2; ++z) {
    const float m = z == 0 ? a : b, sign = z == 0 ? 1.0f : -1.0f, energy = std::sqrt(m * m + p * p);
    const float px = sign * p * axis.x, py = sign * p * axis.y, pz = sign * p * axis.z;
    const Direction n = directionOf(unitOf(z == 0 ? each.w[0] : more.w[0]), z == 0 ? each.w[1] : more.w[1], false);
    const bool ours = kinds == 0 || kinds == 2u + static_cast<std::uint32_t>(z);
    const float along = 0.5f * (px * n.x + py * n.y + pz * n.z);  // of the boost: P·k/m for k = (m/2) n
    for (int k = 0; k < 2; ++k) {
      const float s = k == 0 ? 1.0f : -1.0f, pull = s * along / (energy + m) + 0.5f;
      const float kx = s * 0.5f * m * n.x + px * pull, ky = s * 0.5f * m * n.y + py * pull;
      const float kz = s * 0.5f * m * n.z + pz * pull, e = 0.5f * energy + s * along;
      made[2 * z + k] = leptonOf(across * kx + drag * e, ky, kz, y, azimuth, ours ? 2 * k - 1 : 0);
    }
  }
}

// The detector: ln pt, η, and φ with normal errors; found or not, sometimes with the wrong charge.
SIMSCOPE_HD inline Lepton measuredOf(const Generator& g, const Lepton& made, float z_pt, float z_eta, float z_phi,
                                     std::uint32_t word) {
  const int charge = happens(word, g.flipped) ? -made.charge : happens(word, g.found) ? made.charge : 0;
  return {made.pt * expOf(g.pt_resolution * z_pt), made.eta + g.angular_resolution * z_eta,
          wrapped(made.phi + g.angular_resolution * z_phi), charge};
}
SIMSCOPE_HD inline void measurePair(const Generator& g, std::uint64_t event, std::uint32_t streams, const Lepton* made,
                                    Lepton* measured) {
  const Words w = wordsOf(g.seed, streams + kMeasure, event);
  const Turn momenta = normalsOf(w.w[0], w.w[1]);
  Turn first{0, 0}, second{0, 0};
  if (g.angles) {
    const Words a = wordsOf(g.seed, streams + kAngles, event);
    first = normalsOf(a.w[0], a.w[1]);
    second = normalsOf(a.w[2], a.w[3]);
  }
  measured[0] = measuredOf(g, made[0], momenta.cos, first.cos, first.sin, w.w[2]);
  measured[1] = measuredOf(g, made[1], momenta.sin, second.cos, second.sin, w.w[3]);
}

// Event `number` of a resonance and its background, with up to two more leptons where kLeptons is 4.
template <int kLeptons>
SIMSCOPE_HD inline Event<kLeptons> resonanceEvent(const Generator& g, std::uint64_t number) {
  Event<kLeptons> event;
  const Words boson = wordsOf(g.seed, kBoson, number), how = wordsOf(g.seed, kDecay, number);
  const float u = unitOf(boson.w[0]);
  const bool background = happens(boson.w[1], g.background);
  if (background && g.uncorrelated) {
    constexpr std::uint32_t kAlways = 1u << 31;
    event.made[0] = softLepton(g, kSoft, number, g.soft_pt, kAlways);
    event.made[1] = softLepton(g, kSoft + 1, number, g.soft_pt, kAlways);
  } else {
    event.mass = background ? backgroundMass(g, u) : resonanceMass(g, u);
    decay(g, event.mass, boson, how, event.made);
  }
  measurePair(g, number, 0, event.made, event.measured);
  if constexpr (kLeptons == 4) {
    event.made[2] = softLepton(g, kSecond + kSoft, number, g.extra_pt, g.extra);
    event.made[3] = softLepton(g, kSecond + kSoft + 1, number, g.extra_pt, g.extra);
    measurePair(g, number, kSecond, event.made + 2, event.measured + 2);
  }
  return event;
}
SIMSCOPE_HD inline Event<4> higgsEvent(const Generator& g, std::uint64_t number) {
  Event<4> event;
  decayHiggs(g, number, event.made);
  measurePair(g, number, 0, event.made, event.measured);
  measurePair(g, number, kSecond, event.made + 2, event.measured + 2);
  return event;
}

}  // namespace simscope::histograms
