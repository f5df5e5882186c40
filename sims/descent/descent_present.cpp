// What the views show.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sims/descent/descent.h"

namespace simscope::descent {
namespace {

constexpr int kMostDrawn = 1024;  // starts along a side
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

void spanSquare(Channel& channel, const Parameters& p) {
  channel.x_min = p.left();
  channel.x_max = p.left() + 2 * p.half_edge;
  channel.y_min = p.bottom();
  channel.y_max = p.bottom() + 2 * p.half_edge;
}

std::vector<float> pointsOf(const Watched& path, std::size_t shown) {
  // What is not there yet is the last place: a line without a gap.
  constexpr std::size_t kPoints = kMostWatched + 1;
  std::vector<float> points;
  points.reserve(2 * kPoints);
  const std::size_t last = std::min(shown, path.x.size() - 1);
  for (std::size_t i = 0; i < kPoints; ++i) {
    const std::size_t at = std::min(i, last);
    points.insert(points.end(), {static_cast<float>(path.x[at]), static_cast<float>(path.y[at])});
  }
  return points;
}

float decadesOf(double loss) {
  return !(loss < 1e37) ? 37.0f : static_cast<float>(std::log10(std::max(loss, 1e-37)));
}

}  // namespace

int everyDrawn(int starts) {
  return (starts + kMostDrawn - 1) / kMostDrawn;
}

void Descent::present(Frame& frame) {
  presentSurface(frame);
  presentStarts(frame);
  presentCurves(frame);
}

void Descent::presentSurface(Frame& frame) {
  if (!picture_ && (frame.wants("surface") || frame.wants("contours"))) {
    picture_ = pictureOf(p_, surface_, minima_);
    contours_ = contoursOf(p_, *picture_);
  }
  if (frame.wants("surface")) {
    Channel& channel = frame.channel("surface", kSurfaceCells, kSurfaceCells);
    channel.data.upload(picture_->values);
    spanSquare(channel, p_);
    channel.low = picture_->low;
    channel.high = picture_->high;
    channel.form = p_.shown == Shown::Logarithm ? 0 : 1;
  }
  if (frame.wants("contours")) frame.channel("contours", kMostContourPoints, 1, 2).data.upload(contours_);
  if (frame.wants("minima")) {
    const std::vector<float> crosses = crossesOf(p_, minima_);
    const int count = static_cast<int>(crosses.size()) / (2 * kCrossPoints);
    frame.channel("minima", kCrossPoints, count, 2).data.upload(crosses);
  }
  const auto now = static_cast<std::size_t>(std::min<std::int64_t>(steps_, kMostWatched));
  if (frame.wants("watched")) frame.channel("watched", kMostWatched + 1, 1, 2).data.upload(pointsOf(watched(), now));
  if (frame.wants("watched_ahead")) {
    frame.channel("watched_ahead", kMostWatched + 1, 1, 2).data.upload(pointsOf(watched(), kMostWatched));
  }
}

void Descent::presentStarts(Frame& frame) {
  if (frame.wants("paths")) {
    Channel& channel = frame.channel("paths", kSamples + 1, kTracers, 2);
    tracePaths(*device_, work(), samples(), channel.data.data());
  }
  const int every = everyDrawn(p_.starts), side = (p_.starts + every - 1) / every;
  StartPictures to{p_.starts, every, nullptr, nullptr, nullptr, nullptr, 1};
  if (frame.wants("basins")) {
    Channel& channel = frame.channel("basins", side, side);
    spanSquare(channel, p_);
    channel.low = -0.5;
    channel.high = std::max(0.5, static_cast<double>(minima_.all.size()) - 0.5);
    to.basins = channel.data.data();
  }
  if (frame.wants("iterations")) {
    Channel& channel = frame.channel("iterations", side, side);
    spanSquare(channel, p_);
    channel.low = 0;
    channel.high = p_.horizon;
    to.iterations = channel.data.data();
  }
  if (frame.wants("cloud")) {
    Channel& channel = frame.channel("cloud", side * side, 1, 4);
    spanSquare(channel, p_);
    channel.every = every * every;
    channel.of = static_cast<std::int64_t>(p_.count());
    to.cloud = channel.data.data();
    // By number: a picture of a million would be white.
    to.size = static_cast<float>(std::clamp(std::pow(16384.0 / (side * side), 0.25), 0.3, 1.5));
  }
  if (frame.wants("cloud_loss")) {
    Channel& channel = frame.channel("cloud_loss", side * side);
    channel.low = p_.noisy() ? -4 : -10;
    channel.high = std::max(top_, channel.low + 1);
    to.loss = channel.data.data();
  }
  if (to.basins || to.iterations || to.cloud || to.loss) showStarts(*device_, work(), to);
}

void Descent::presentCurves(Frame& frame) {
  const std::int64_t span =
      steps_ <= p_.horizon ? p_.horizon : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(steps_)));
  const int width = static_cast<int>(std::min<std::int64_t>(kSamples, span / stride_ + 1));
  const Rule rule = p_.rule(seed_);
  const double factor =
      minima_.empty() ? 0 : std::max(factorOf(rule, curvature_.smaller), factorOf(rule, curvature_.larger));
  const bool linear = isLinear(p_.method), grows = p_.is(Surface::Bowl) && linear && factor > 1;
  const auto curve = [&](const char* key) -> Channel* {
    if (!frame.wants(key)) return nullptr;
    Channel& channel = frame.channel(key, width);
    channel.x_min = 0;
    channel.x_max = static_cast<double>(width) * static_cast<double>(stride_);
    channel.low = grows ? -2 : p_.noisy() ? -3 : -16;
    channel.high = grows ? 20 : std::ceil(top_ + 0.2);
    return &channel;
  };
  summariseNew();
  constexpr const char* kKeys[] = {"loss_best", "loss_median", "loss_mean"};
  for (int which = 0; which < kCurves; ++which) {
    if (Channel* const channel = curve(kKeys[which])) {
      copyCurve(*device_, summary_.data() + which * kSamples, std::min(samples(), width), width, channel->data.data());
    }
  }
  std::vector<float> values(static_cast<std::size_t>(width), kNothing);
  if (Channel* const channel = curve("loss_exact")) {
    if (closedFormHolds()) {
      const std::vector<double> means = meanCurve(rule, witness_modes_, stride_, width);
      std::transform(means.begin(), means.end(), values.begin(), decadesOf);
    }
    channel->data.upload(values);
  }
  if (Channel* const channel = curve("loss_watched")) {
    const Watched& path = watched();
    for (int k = 0; k < std::min(samples(), width); ++k) {
      const auto n = static_cast<std::size_t>(k * stride_);
      values[static_cast<std::size_t>(k)] = n < path.f.size() ? decadesOf(path.f[n] - minima_.lowest) : kNothing;
    }
    std::fill(values.begin() + std::min(samples(), width), values.end(), kNothing);
    channel->data.upload(values);
  }
  if (Channel* const channel = curve("loss_rate")) {
    // What the curvature at the lowest minimum lets an error shrink by.
    const bool smooth = linear && !p_.is(Surface::Ackley) && !minima_.empty() && curvature_.smaller > 0;
    const double slope = smooth && factor > 0 ? 2 * std::log10(factor) : std::nan("");
    for (int k = 0; k < width; ++k) {
      const double value = top_ + slope * static_cast<double>(k * stride_);
      values[static_cast<std::size_t>(k)] = value > -40 && value < 40 ? static_cast<float>(value) : kNothing;
    }
    channel->data.upload(values);
  }
}

}  // namespace simscope::descent
