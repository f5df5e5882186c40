#include "sims/tunneling/packets.h"

#include <algorithm>
#include <vector>

#include "sims/tunneling/factors.h"

namespace simscope::tunneling {

Packets packetsOf(const Parameters& p) {
  Packets packets;
  packets.each[0] = packetOf(p, kFirstPacket);
  packets.weight[0] = {1.0, 0.0};
  if (!p.second_packet) return packets;
  packets.count = 2;
  packets.each[1] = packetOf(p, kSecondPacket);
  packets.weight[1] = {p.second_amplitude * std::cos(p.second_phase), p.second_amplitude * std::sin(p.second_phase)};
  // Where they overlap, the norm of the sum is not the sum of the norms.
  const Grid grid = gridOf(p);
  const std::vector<Complex<double>> first = gaussianOn(grid, packets.each[0]),
                                     second = gaussianOn(grid, packets.each[1]);
  double sum = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) sum += norm2(first[i] + packets.weight[1] * second[i]);
  const double scale = 1.0 / std::sqrt(sum * grid.dx);
  for (Complex<double>& weight : packets.weight) weight = scale * weight;
  return packets;
}

GaussianNow gaussianAt(const Packet& packet, double omega, double time) {
  const double c = std::cos(omega * time), s = std::sin(omega * time);
  const double lag = omega > 0.0 ? s / omega : time;  // sin(ωt)/ω
  const double rate = 0.5 / (packet.width * packet.width);
  const Complex<double> q{c, rate * lag}, derivative{-omega * s, rate * c};  // Q and P
  const Complex<double> ratio = (0.5 / norm2(q)) * (derivative * conj(q));   // P/(2Q)
  // The phase of Q grows steadily: ωt up to less than half a turn.
  const double turn = std::atan2(q.im, q.re);
  const double phase_of_q = turn + 2.0 * kPi * std::round((omega * time - turn) / (2.0 * kPi));

  GaussianNow now;
  now.center = packet.center * c + packet.momentum * lag;
  now.momentum = packet.momentum * c - omega * s * packet.center;
  const double action = omega > 0.0 ? 0.5 * (now.momentum * now.center - packet.momentum * packet.center)
                                    : 0.5 * packet.momentum * packet.momentum * time;
  now.phase = action + packet.momentum * packet.center - 0.5 * phase_of_q;
  now.bend = {-ratio.im, ratio.re};
  now.amplitude = {std::pow(2.0 * kPi * packet.width * packet.width, -0.25) / std::pow(norm2(q), 0.25), 0.0};
  return now;
}

ExactWave exactWave(const Parameters& p, const Packets& packets, double time) {
  const bool harmonic = p.potential == Potential::Harmonic;
  ExactWave wave;
  wave.length = p.domain_length;
  if (!harmonic && p.potential != Potential::None) return wave;
  constexpr double kTail = 5.0;
  for (int i = 0; i < packets.count; ++i) {
    wave.each[i] = gaussianAt(packets.each[i], harmonic ? oscillatorFrequency(p) : 0.0, time);
    const bool fits = std::fabs(wave.each[i].center) + kTail * wave.each[i].width() <= openReach(p);
    if (!fits) return wave;
    wave.each[i].amplitude = packets.weight[i] * wave.each[i].amplitude;
  }
  wave.count = packets.count;
  return wave;
}

}  // namespace simscope::tunneling
