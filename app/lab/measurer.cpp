#include "app/lab/measurer.h"

#include <exception>
#include <utility>

namespace simscope::lab {

Bench benchOf(const std::string& device, int threads) {
  Bench bench;
  bench.cpu = compute::Device::open("cpu", threads);
  if (device == "cpu") {
    bench.no_cuda = "--device cpu was chosen";
  } else if (device == "auto") {
    bench.no_cuda = compute::Device::whyNoCuda();
    if (bench.no_cuda.empty()) bench.cuda = compute::Device::open("cuda");
  } else {
    bench.cuda = compute::Device::open(device, threads);
  }
  return bench;
}

Measurer::~Measurer() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

Measurer::State Measurer::state() const {
  const std::lock_guard lock(mutex_);
  State now = state_;
  now.cancelling = now.busy && stop_;
  return now;
}

std::vector<Outcome> Measurer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcomes_, {});
}

void Measurer::start(std::vector<Request> requests, double seconds) {
  if (state().busy || requests.empty()) return;
  if (thread_.joinable()) thread_.join();  // it has come to its end
  stop_ = false;
  {
    const std::lock_guard lock(mutex_);
    state_.busy = true;
    state_.lesson = requests.front().lesson;
    state_.done = 0;
    state_.wanted = requests.size();
    state_.share = 0;
  }
  thread_ = std::thread([this, requests = std::move(requests), seconds] {
    measure(requests, seconds);
    const std::lock_guard lock(mutex_);
    state_.busy = false;
    state_.lesson = nullptr;
  });
}

void Measurer::measure(const std::vector<Request>& requests, double seconds) {
  try {
    Bench bench = benchOf(device_, threads_);
    bench.check = [this] {
      if (stop_) throw Stopped();
    };
    bench.progress = [this](double share) {
      const std::lock_guard lock(mutex_);
      state_.share = share;
    };
    {
      const std::lock_guard lock(mutex_);
      state_.machine = bench.best()->info().name;
    }
    measureAll(
        requests, bench, seconds,
        [this](const Request& request) {
          const std::lock_guard lock(mutex_);
          state_.lesson = request.lesson;
          state_.share = 0;
        },
        [this](Outcome outcome) {
          const std::lock_guard lock(mutex_);
          outcomes_.push_back(std::move(outcome));
          ++state_.done;
        });
  } catch (const Stopped&) {
    // As it was asked to.
  } catch (const std::exception& error) {  // no device
    const std::lock_guard lock(mutex_);
    outcomes_.push_back({requests.front().lesson, requests.front().parameters, std::nullopt, error.what(), 0});
  }
}

}  // namespace simscope::lab
