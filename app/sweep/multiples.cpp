#include "app/sweep/multiples.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/recording/scene_run.h"
#include "app/render/figure/limits.h"
#include "app/sweep/threads.h"
#include "sims/core/memory.h"
#include "sims/core/words.h"

namespace simscope::sweep {

namespace {

constexpr auto kGlance = std::chrono::milliseconds(20);
constexpr double kWide = 16.0 / 9;  // the aspect ratio that figures are designed for
// Of a title's letters, on the average, and of the time beside it with what is between [pixels at scale 1].
constexpr double kLetter = 10, kBesideTitle = 150;

struct MultiplesEnded {};

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // UTF-8
  }));
}

// The titles of all figures: with names where all have room for them, else with symbols.
std::vector<std::string> titlesOf(const Plan& plan, const render::FigureOptions& look) {
  std::vector<std::string> titles, brief;
  std::size_t longest = 0;
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    titles.push_back(plan.label(run));
    brief.push_back(plan.shortLabel(run));
    longest = std::max(longest, letters(titles.back()));
  }
  const double room = look.width / look.scale - kBesideTitle;
  return kLetter * static_cast<double>(longest) > room ? brief : titles;
}

void requireRoom(const Plan& plan, const compute::Device& device) {
  if (!plan.description().memory) return;
  double needed = 0;
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    needed += plan.description().memory(plan.parametersOf(run), device.info().backend);
  }
  const double free = 0.8 * static_cast<double>(device.memoryFree());
  if (needed <= free) return;
  const double each = needed / static_cast<double>(plan.runs());
  throw UsageError(fmt::format("{} side by side take {} of memory, but {} has only {} free; nearest: {} runs",
                               counted(static_cast<std::int64_t>(plan.runs()), "run"), memoryText(needed),
                               device.info().id, memoryText(free), static_cast<std::int64_t>(free / each)));
}

}  // namespace

int Tiles::top(std::size_t run) const noexcept {
  const int row = static_cast<int>(run) / columns;
  return (upwards ? rows - 1 - row : row) * height;
}

std::optional<std::size_t> Tiles::runAt(double x, double y, std::size_t runs) const noexcept {
  for (std::size_t run = 0; run < runs; ++run) {
    if (x >= left(run) && x < left(run) + width && y >= top(run) && y < top(run) + height) return run;
  }
  return std::nullopt;
}

Tiles tilesFor(const Plan& plan, int width, int height) {
  const auto runs = static_cast<int>(plan.runs());
  Tiles best;
  const auto arranged = [&](int columns) {
    const int rows = (runs + columns - 1) / columns;
    return Tiles{columns, rows, width / columns, height / rows, false};
  };
  const auto size = [](const Tiles& tiles) { return std::min(tiles.width / kWide, static_cast<double>(tiles.height)); };
  if (plan.axes.size() == 2) {
    best = arranged(static_cast<int>(plan.values[0].size()));
    best.upwards = true;
  } else {
    best = arranged(1);
    for (int columns = 2; columns <= runs; ++columns) {
      const Tiles tiles = arranged(columns);
      if (size(tiles) > size(best)) best = tiles;
    }
  }
  if (best.width >= kSmallestTileWidth && best.height >= kSmallestTileHeight) return best;
  const int wide = std::max(width, best.columns * kSmallestTileWidth);
  const int high = std::max(height, best.rows * kSmallestTileHeight);
  const std::string cure = std::max(wide, high) <= kLargestSide
                               ? fmt::format("nearest size: {}x{}, or sweep fewer values", wide, high)
                               : fmt::format("sweep fewer values: at most {} x {} figures fit in the largest picture",
                                             kLargestSide / kSmallestTileWidth, kLargestSide / kSmallestTileHeight);
  throw UsageError(fmt::format("{} in {}x{} pixels have {}x{} each, less than the minimum of {}x{}; {}",
                               counted(runs, "figure"), width, height, best.width, best.height, kSmallestTileWidth,
                               kSmallestTileHeight, cure));
}

Room roomFor(const Plan& plan, int width, int height) {
  const auto runs = static_cast<int>(plan.runs());
  const bool diagram = plan.axes.size() == 2;
  const int columns =
      diagram ? static_cast<int>(plan.values[0].size()) : std::clamp(width / kSmallestTileWidth, 1, runs);
  const int rows = (runs + columns - 1) / columns;
  const Room room{std::max(width, columns * kSmallestTileWidth), std::max(height, rows * kSmallestTileHeight)};
  // An arrangement that is wider than high is no worse.
  tilesFor(plan, room.width, room.height);
  return room;
}

struct Multiples::Run {
  std::size_t index = 0;
  compute::DevicePtr device;
  Description description;  // the plan's, with the run's label as its title
  std::optional<Stepper> stepper;
  Frame frame;
  std::string failure;
};

Multiples::Multiples(const Plan& plan, compute::DevicePtr device, const render::FigureOptions& look,
                     const Between& between)
    : plan_(plan), device_(std::move(device)), look_(look), tiles_(tilesFor(plan, look.width, look.height)) {
  requireRoom(plan, *device_);
  tile_look_ = look;
  tile_look_.width = tiles_.width;
  tile_look_.height = tiles_.height;
  tile_look_.scale = render::suitableScale(tiles_.width, tiles_.height);
  if (!device_->isCuda()) {
    workers_ = static_cast<int>(
        std::min<std::size_t>(plan.runs(), static_cast<std::size_t>(std::max(1, device_->info().threads))));
  }
  const int threads_each = std::max(1, device_->info().threads / workers_);
  std::vector<compute::DevicePtr> devices(1, device_);
  // Pictures of all runs are drawn together: of several CUDA devices the first makes them.
  if (device_->isCuda() && device_->crew()) devices = {compute::Device::open(device_->info().members.front().id)};
  if (!device_->isCuda()) {
    devices.clear();
    for (int i = 0; i < workers_; ++i) devices.push_back(compute::Device::open("cpu", threads_each));
  }
  const std::vector<std::string> titles = titlesOf(plan, tile_look_);
  for (std::size_t i = 0; i < plan.runs(); ++i) {
    Run& run = *runs_.emplace_back(std::make_unique<Run>());
    run.index = i;
    run.device = devices[i % devices.size()];
    run.description = plan.description();
    run.description.title = titles[i];
  }
  onAll(
      [&](Run& run, const auto& stop) {
        run.device->run([&] { run.stepper.emplace(begin(sceneOf(plan_, run.index), run.device, std::nullopt, stop)); });
      },
      between);
}

Multiples::~Multiples() = default;

// work(run, stop) for every run; runs of one device by one thread.
template <class Work>
void Multiples::onAll(const Work& work, const Between& between) {
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> ended{false};
  const auto guarded = [&](Run& run, const auto& stop) {
    if (!run.failure.empty()) return;
    try {
      work(run, stop);
    } catch (const Error& error) {
      run.failure = error.what();
    } catch (const UsageError& error) {
      run.failure = error.what();
    }
  };
  if (workers_ == 1) {
    for (const auto& run : runs_) guarded(*run, [&] { between(counter_.progress(plan_)); });
  } else {
    std::mutex mutex;
    std::condition_variable idle;
    std::exception_ptr failed;
    int working = workers_;
    const auto everyNth = [&](int first) {
      const auto stop = [&] {
        if (ended) throw MultiplesEnded();
      };
      try {
        for (std::size_t i = static_cast<std::size_t>(first); i < runs_.size();
             i += static_cast<std::size_t>(workers_)) {
          guarded(*runs_[i], stop);
        }
      } catch (const MultiplesEnded&) {
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      --working;
      idle.notify_all();
    };
    std::vector<std::thread> threads = startedThreads(workers_, ended, everyNth);
    try {
      std::unique_lock lock(mutex);
      while (!idle.wait_for(lock, kGlance, [&] { return working == 0; })) {
        lock.unlock();
        between(counter_.progress(plan_));
        lock.lock();
      }
    } catch (...) {
      ended = true;
      for (std::thread& each : threads) each.join();
      throw;
    }
    for (std::thread& each : threads) each.join();
    if (failed) std::rethrow_exception(failed);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Multiples::step(std::int64_t n, const Between& between) {
  onAll(
      [&](Run& run, const auto& stop) {
        stepWatched(
            *run.stepper, n,
            [&](int some) {
              run.stepper->step(some);
              counter_.steps += some;
            },
            stop);
      },
      between);
}

void Multiples::present() {
  for (const auto& each : runs_) {
    Run& run = *each;
    if (!run.stepper) continue;     // its start failed
    run.frame.sequence = ++drawn_;  // a new frame for every picture
    run.frame.wanted = render::neededChannels(run.description, tile_look_);
    if (run.failure.empty() || run.frame.channels.empty()) run.stepper->present(run.frame);
  }
}

void Multiples::drawFigure(render::Figure& figure, std::size_t index, std::vector<std::uint8_t>& picture) {
  Run& run = *runs_[index];
  if (!run.stepper) return;
  figure.draw(run.description, run.frame.parameters, run.frame, tile_look_);
  const std::vector<std::uint8_t> tile = figure.read();
  const std::size_t row_bytes = static_cast<std::size_t>(look_.width) * 3;
  if (picture.empty()) {
    // The area without tiles has the colour of their corners.
    picture.resize(row_bytes * static_cast<std::size_t>(look_.height));
    for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = tile[i % 3];
  }
  const std::size_t tile_bytes = static_cast<std::size_t>(tiles_.width) * 3;
  for (int row = 0; row < tiles_.height; ++row) {
    std::memcpy(picture.data() + static_cast<std::size_t>(tiles_.top(index) + row) * row_bytes +
                    static_cast<std::size_t>(tiles_.left(index)) * 3,
                tile.data() + static_cast<std::size_t>(row) * tile_bytes, tile_bytes);
  }
}

std::vector<std::uint8_t> Multiples::draw(render::Figure& figure) {
  std::vector<std::uint8_t> picture;
  present();
  for (std::size_t i = 0; i < runs_.size(); ++i) drawFigure(figure, i, picture);
  if (picture.empty())
    picture.resize(static_cast<std::size_t>(look_.width) * 3 * static_cast<std::size_t>(look_.height));
  return picture;
}

Result Multiples::result() {
  Result result;
  result.device = device_->info();
  result.seconds = seconds_;
  for (const auto& run : runs_) {
    result.runs.push_back(run->failure.empty() ? finishedRun(*run->stepper) : failedRun(plan_, run->failure));
    if (run->stepper) result.method = run->stepper->simulation().method();
  }
  return result;
}

}  // namespace simscope::sweep
