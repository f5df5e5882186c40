#include "sims/tunneling/absorption.h"

#include <algorithm>
#include <cmath>

#include "sims/tunneling/physics.h"

namespace simscope::tunneling {
namespace {

// The mean |k|; 0 of fewer than a twentieth.
double meanOf(const std::vector<absorbing::Wave>& waves) {
  double sum = 0.0, share = 0.0;
  for (const absorbing::Wave& wave : waves) {
    sum += wave.share * std::fabs(wave.k);
    share += wave.share;
  }
  constexpr double kFew = 0.05;
  return share > kFew ? sum / share : 0.0;
}

double missedOf(const absorbing::Layer& layer, const EdgeWaves& waves) {
  return std::max(absorbing::missedBy(layer, waves[0]), absorbing::missedBy(layer, waves[1]));
}

}  // namespace

std::vector<StartingWaves> startingWaves(const Parameters& p, const PotentialAt& potential) {
  std::vector<StartingWaves> all;
  const double second = p.second_packet ? p.second_amplitude * p.second_amplitude : 0.0;
  const auto add = [&](const PacketKeys& which, double share) {
    const Packet packet = packetOf(p, which);
    StartingWaves starting{absorbing::wavesOf(packet.momentum, packet.momentumWidth()),
                           potential(std::remainder(packet.center, p.domain_length))};
    for (absorbing::Wave& wave : starting.waves) wave.share *= share;
    all.push_back(std::move(starting));
  };
  add(kFirstPacket, 1.0 / (1.0 + second));
  if (p.second_packet) add(kSecondPacket, second / (1.0 + second));
  return all;
}

EdgeWaves edgeWaves(const Parameters& p, const std::vector<StartingWaves>& all, const PotentialAt& potential) {
  const Grid grid = gridOf(p);
  const double heights[] = {potential(grid.x(0)), potential(grid.x(grid.points - 1))};
  EdgeWaves edges;
  for (int side = 0; side < 2; ++side) {
    for (const StartingWaves& starting : all) {
      constexpr double kLate = 0.25;
      const double slowest = kLate * meanOf(starting.waves);
      for (const absorbing::Wave& wave : starting.waves) {
        if (std::fabs(wave.k) < slowest) continue;
        const double k2 = wave.k * wave.k + 2.0 * (starting.height - heights[side]);
        if (k2 > 0.0) edges[side].push_back({std::sqrt(k2), wave.share});
      }
    }
  }
  return edges;
}

absorbing::Layer layerOf(const Parameters& p, const PotentialAt& potential) {
  absorbing::Layer best{kAbsorbingShare * p.domain_length, 0.0};
  if (!p.absorbing_edges) return best;
  const std::vector<StartingWaves> starting = startingWaves(p, potential);
  const EdgeWaves waves = edgeWaves(p, starting, potential);
  std::vector<double> wanted;
  const auto want = [&](double k) {
    constexpr double kAlike = 1.1;
    const auto alike = [&](double other) { return k < kAlike * other && other < kAlike * k; };
    if (k > 0.0 && std::none_of(wanted.begin(), wanted.end(), alike)) wanted.push_back(k);
  };
  for (const auto& side : waves) want(meanOf(side));
  if (p.second_packet) {
    for (const StartingWaves& each : starting) {
      for (const auto& side : edgeWaves(p, {each}, potential)) want(meanOf(side));
    }
  }
  // What comes to no edge is not absorbed, whatever the layer.
  if (wanted.empty()) want(std::max(std::fabs(p.packet_momentum), 2.0 * momentumWidth(p)));
  double least = 0.0;
  for (const double k : wanted) {
    const absorbing::Layer layer{best.width, k};
    const double missed = wanted.size() > 1 ? missedOf(layer, waves) : 0.0;
    if (best.wave_number > 0.0 && !(missed < least)) continue;
    least = missed;
    best = layer;
  }
  return best;
}

double missedAtEdges(const Parameters& p, const absorbing::Layer& layer, const EdgeWaves& waves) {
  return p.absorbing_edges ? missedOf(layer, waves) : 0.0;
}

double absorptionAt(const Parameters& p, const absorbing::Layer& layer, double x) {
  return p.absorbing_edges ? layer.rateAt(std::fabs(x) - (0.5 * p.domain_length - layer.width)) : 0.0;
}

}  // namespace simscope::tunneling
