#include "app/export/gif/gif_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/export/gif/dither.h"
#include "app/export/gif/gif_encoder.h"
#include "app/export/gif/solid_colours.h"

namespace simscope::exporting {
namespace {

constexpr double kSafety = 0.95;    // a plan fills so much of what is allowed
constexpr double kSlowestFps = 10;  // below, motion falls apart
constexpr int kSmallestWidth = 64;
constexpr std::size_t kMostPairs = 6;  // encoded of a group

double quality(const GifPlan& plan) {
  return static_cast<double>(plan.width) * plan.height / plan.frame_step;
}

// "640x360 pixels, every 2nd frame"
std::string sizeAndStep(const GifPlan& plan) {
  const std::string step = plan.frame_step == 1 ? "" : ordinal(plan.frame_step) + " ";
  return fmt::format("{}x{} pixels, every {}frame", plan.width, plan.height, step);
}

}  // namespace

std::string byteText(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes < 1000) {
    return fmt::format("{} bytes", bytes);
  }
  return bytes < 1'000'000 ? fmt::format("{:.3g} kB", std::min(value / 1e3, 999.0))
                           : fmt::format("{:.4g} MB", value / 1e6);
}

std::string ordinal(double number) {
  const auto n = static_cast<std::int64_t>(number);
  const bool teen = n % 100 / 10 == 1;
  const char* const ending = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, ending);
}

int evenSide(double pixels) {
  return std::max(2, 2 * static_cast<int>(std::lround(pixels / 2)));
}

std::string toText(const GifPlan& plan) {
  return fmt::format("{} ({} at {:.4g} fps), about {}", sizeAndStep(plan), plan.frames, plan.fps,
                     byteText(plan.estimated_bytes));
}

GifPlanner::GifPlanner(GifOptions wanted) : wanted_(std::move(wanted)), delay_(gifDelay(wanted_.fps)) {
  if (wanted_.width < 1 || wanted_.height < 1 || wanted_.expected_frames < 1) {
    throw UsageError("max-bytes: the size and the number of frames must be known");
  }
  checkExact(wanted_.exact_colours);
}

void GifPlanner::add(std::vector<Picture> consecutive) {
  const std::size_t bytes = static_cast<std::size_t>(wanted_.width) * wanted_.height * 3;
  for (const Picture& picture : consecutive) {
    if (picture.size() != bytes) {
      throw Error(fmt::format("a picture of {}x{} takes {} bytes, but {} were added", wanted_.width, wanted_.height,
                              bytes, picture.size()));
    }
  }
  if (!consecutive.empty()) {
    if (!palette_) {
      palette_.emplace(
          paletteColours(consecutive.front().data(), wanted_.width, wanted_.height, wanted_.exact_colours));
    }
    groups_.push_back(std::move(consecutive));
  }
}

// Pixels picked, not blended: a figure drawn at that size has its colours from the same table.
GifPlanner::Picture GifPlanner::sampled(const Picture& picture, int width, int height) const {
  Picture small(static_cast<std::size_t>(width) * height * 3);
  std::uint8_t* out = small.data();
  for (std::int64_t y = 0; y < height; ++y) {
    const std::int64_t row = (2 * y + 1) * wanted_.height / (2 * height) * wanted_.width;
    for (std::int64_t x = 0; x < width; ++x, out += 3) {
      const std::uint8_t* pixel =
          &picture[static_cast<std::size_t>(row + (2 * x + 1) * wanted_.width / (2 * width)) * 3];
      std::copy(pixel, pixel + 3, out);
    }
  }
  return small;
}

// Header and first picture as they are, and each of the others as the mean of all pairs of the probe. A group too short
// for the step has nothing to say about it.
GifPlan GifPlanner::measured(int width, int frame_step) const {
  GifPlan plan;
  plan.width = width;
  plan.height = width == wanted_.width
                    ? wanted_.height
                    : evenSide(static_cast<double>(width) * wanted_.height / static_cast<double>(wanted_.width));
  plan.frame_step = frame_step;
  plan.frames = (wanted_.expected_frames + frame_step - 1) / frame_step;
  plan.fps = 100.0 / (delay_ * frame_step);

  Dither dither(*palette_);
  FrameEncoder encoder(plan.width, plan.height, delay_);
  struct Mapped {
    Bytes indices;
    std::shared_ptr<const OwnTable> table;
    Indexed shown() const {
      return table ? Indexed{table->indices.data(), table.get()} : Indexed{indices.data(), nullptr};
    }
  };
  const auto mapped = [&](const Picture& picture) {
    const Picture small = sampled(picture, plan.width, plan.height);
    Mapped result{Bytes(static_cast<std::size_t>(plan.width) * plan.height), nullptr};
    dither.map(small.data(), plan.width, plan.height, result.indices.data());
    result.table = ownTable(*palette_, small.data(), plan.width, plan.height, result.indices.data());
    return result;
  };
  std::size_t first = 0, changes = 0, pairs = 0;
  for (const std::vector<Picture>& group : groups_) {
    Mapped before = mapped(group.front());
    if (first == 0) {
      first = encoder.encode(Indexed{}, before.shown()).size();
    }
    const auto step = static_cast<std::size_t>(frame_step);
    for (std::size_t i = step, count = 0; i < group.size() && count < kMostPairs; i += step, ++count) {
      Mapped now = mapped(group[i]);
      changes += encoder.encode(before.shown(), now.shown()).size();
      ++pairs;
      before = std::move(now);
    }
  }
  const double each =
      pairs > 0 ? static_cast<double>(changes) / static_cast<double>(pairs) : static_cast<double>(first);
  const std::size_t header = gifHeader(plan.width, plan.height, *palette_, wanted_.loop, wanted_.scene).size();
  plan.estimated_bytes = header + first + 1 + static_cast<std::uint64_t>(each * static_cast<double>(plan.frames - 1));
  return plan;
}

GifPlan GifPlanner::plan(std::uint64_t max_bytes, double correction) const {
  std::size_t longest = 0;
  for (const auto& group : groups_) {
    longest = std::max(longest, group.size());
  }
  if (longest < 2 && (groups_.empty() || wanted_.expected_frames > 1)) {
    throw UsageError("max-bytes: at least two consecutive pictures are needed to predict the size");
  }
  const double allowed = kSafety * static_cast<double>(max_bytes) / std::max(correction, 1e-3);
  const auto fits = [&](const GifPlan& plan) { return static_cast<double>(plan.estimated_bytes) <= allowed; };
  const double slowest = std::min(kSlowestFps, 100.0 / delay_) * 0.999;
  const int smallest = std::min(kSmallestWidth, wanted_.width);

  std::optional<GifPlan> best, least;
  for (int step = 1; static_cast<std::size_t>(step) < std::max<std::size_t>(longest, 2); ++step) {
    if (100.0 / (delay_ * step) < slowest) {
      break;
    }
    GifPlan whole = measured(wanted_.width, step);
    if (best && quality(whole) <= quality(*best)) {
      break;  // more steps leave less, at any size
    }
    if (fits(whole)) {
      best = whole;
      break;
    }
    // The largest that fits lies between two widths: nearer and nearer.
    std::optional<GifPlan> good;
    for (int low = smallest, high = wanted_.width; high - low > std::max(2, low / 50);) {
      const int middle = evenSide((low + high) / 2.0);
      if (middle <= low || middle >= high) {
        break;
      }
      const GifPlan plan = measured(middle, step);
      if (fits(plan)) {
        good = plan;
        low = middle;
      } else {
        high = middle;
      }
    }
    if (!good) {
      const GifPlan plan = measured(smallest, step);
      if (fits(plan)) {
        good = plan;
      } else if (!least || plan.estimated_bytes < least->estimated_bytes) {
        least = plan;
      }
    }
    if (good && (!best || quality(*good) > quality(*best))) {
      best = good;
    }
  }
  if (best) {
    return *best;
  }
  const auto needed = static_cast<std::uint64_t>(static_cast<double>(least->estimated_bytes) * correction / kSafety);
  throw UsageError(
      fmt::format("max-bytes: no GIF of {} frames fits in {}: the smallest, {}, takes about {}: allow as many, or "
                  "record fewer frames",
                  wanted_.expected_frames, byteText(max_bytes), sizeAndStep(*least), byteText(needed)));
}

}  // namespace simscope::exporting
