// A sweep on its own thread and device, for callers that must not wait: the runs, or their figures side by side while
// they run. It can be cancelled at any time, and then leaves no file.
//
// Owner: the job owns thread, device, and files. Thread: public members from one controlling thread; only the
// destructor waits, for at most a batch of steps. draw() draws figures on that thread, too: the runs pause until they
// are drawn. Errors: none are thrown; failure() has the reason why there is no result.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/sweep/multiples.h"
#include "app/sweep/runner.h"

namespace simscope::sweep {

struct Order {
  Plan plan;
  std::string device = "auto";  // as Device::open takes it
  int threads = 0;
  bool figures = false;  // live figures; the scene's figure gives the size of the whole picture
  std::vector<std::filesystem::path> files = {};  // of figures: .gif or .png
  bool overwrite = false;
};

class Job {
 public:
  explicit Job(Order order);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const Order& order() const noexcept { return order_; }
  const Plan& plan() const noexcept { return order_.plan; }
  // It ends soon, without a result.
  void cancel();
  // The thread has ended: with the result, with a failure, or cancelled.
  bool finished() const;
  Progress progress() const;
  double seconds() const;  // from the start to now, or to the end
  // Valid once it has finished.
  const std::optional<Result>& result() const noexcept { return result_; }
  const std::string& failure() const noexcept { return failure_; }
  const std::vector<std::string>& wrote() const noexcept { return wrote_; }  // a line for each file

  // Draws waiting figures, for about this long but at least one. True if a picture is complete: RGB, top row first. The
  // OpenGL context must be current.
  bool draw(render::Figure& figure, double seconds);
  const std::vector<std::uint8_t>& picture() const noexcept { return picture_; }
  int pictures() const noexcept { return pictures_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Cancelled {};
  void main();
  void makeFigures(const compute::DevicePtr& device);
  void awaitPicture(Multiples& multiples);
  void report(const Progress& progress);

  const Order order_;
  const Clock::time_point began_ = Clock::now();
  mutable std::mutex mutex_;  // guards the members from here to `ended_`
  std::condition_variable wake_;
  bool cancelled_ = false, finished_ = false;
  Progress progress_;
  Multiples* waiting_ = nullptr;  // for its figures
  std::size_t drawn_ = 0;         // of them
  std::vector<std::uint8_t> partial_;
  Clock::time_point ended_;
  // Of the job's thread until it has finished.
  std::optional<Result> result_;
  std::string failure_;
  std::vector<std::string> wrote_;
  // Of the controlling thread.
  std::vector<std::uint8_t> picture_;
  int pictures_ = 0;
  std::thread thread_;
};

}  // namespace simscope::sweep
