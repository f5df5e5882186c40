// Computes the content of the gallery's pictures on its own thread: reads the cache, or runs the scene for a moment and
// hands out its frame, to be drawn on the OpenGL thread.
//
// Owner: the maker owns the thread, its device, and the frames until they are handed out and after they are given back.
// Thread: public members from one controlling thread; only the destructor waits, for at most a batch of steps. The
// thread has a low priority and, on the CPU, one core: the window and its run have priority.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/gallery/thumbnail_cache.h"
#include "sims/core/frame.h"

namespace simscope::gallery {

// A result: a picture from the cache, a frame to be drawn, or the reason why there is neither.
struct Made {
  Subject subject;
  Look look;
  bool draft = false;
  std::shared_ptr<const Resolved> resolved;  // null if it could not be read
  std::optional<Picture> picture;
  std::unique_ptr<Frame> frame;
  std::filesystem::path file;  // where the drawn picture is stored
  std::string failure;
};

class ThumbnailMaker {
 public:
  struct Order {
    Subject subject;
    bool draft = false;
    bool operator==(const Order&) const = default;
  };
  static constexpr std::size_t kAhead = 2;  // made and not given back; at this number it waits
  static constexpr double kDraftSeconds = 0.03, kRunSeconds = 2.5;

  ThumbnailMaker(std::string device, int threads, ThumbnailCache cache);
  ~ThumbnailMaker();
  ThumbnailMaker(const ThumbnailMaker&) = delete;
  ThumbnailMaker& operator=(const ThumbnailMaker&) = delete;

  // The pictures to be made from now on, the most urgent first; replaces earlier orders. Work that is no longer wanted
  // ends soon. If the look changes, nothing of the former look is delivered.
  void want(std::vector<Order> orders, const Look& look);
  // The next result; the caller must give it back, with its picture if there was a frame.
  std::optional<Made> take();
  void giveBack(Made made, std::optional<Picture> drawn = std::nullopt);

 private:
  struct Worker;  // the thread's side
  void main();
  bool wantedNow(const Order& order, const Look& look);

  const std::string device_;
  const int threads_;
  const ThumbnailCache cache_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable wake_;
  std::deque<Order> orders_;
  Look look_;
  std::deque<Made> made_;
  std::deque<std::pair<Made, std::optional<Picture>>> returned_;
  std::size_t out_ = 0;  // taken and not given back
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace simscope::gallery
