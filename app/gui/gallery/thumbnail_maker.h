// Computes what the gallery's pictures show, on a thread of its own: reads the cache, or runs the scene for a moment
// and hands out its frame, to be drawn where OpenGL is.
//
// Owner: the maker owns the thread, its device, and the frames until they are handed out and after they are given back.
// Thread: public members from one controlling thread; none waits but the destructor, for at most a batch of steps.
// The thread has a low priority and, on the CPU, one core: the window and the run in it come first.
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

// What has been made: a picture out of the cache, a frame to be drawn, or why there is neither.
struct Made {
  Subject subject;
  Look look;
  bool draft = false;
  std::shared_ptr<const Resolved> resolved;  // null where it failed to be read
  std::optional<Picture> picture;
  std::unique_ptr<Frame> frame;
  std::filesystem::path file;  // where a drawn picture is to be kept
  std::string failure;
};

class ThumbnailMaker {
 public:
  struct Order {
    Subject subject;
    bool draft = false;
    bool operator==(const Order&) const = default;
  };
  static constexpr std::size_t kAhead = 2;  // made, and not given back: then it waits
  static constexpr double kDraftSeconds = 0.03, kRunSeconds = 2.5;

  ThumbnailMaker(std::string device, int threads, ThumbnailCache cache);
  ~ThumbnailMaker();
  ThumbnailMaker(const ThumbnailMaker&) = delete;
  ThumbnailMaker& operator=(const ThumbnailMaker&) = delete;

  // What is to be made from now on, the most urgent first; replaces what was wanted before. What is under way and not
  // among it any more ends soon. Of another look: nothing of the former one comes.
  void want(std::vector<Order> orders, const Look& look);
  // The next that is there; what is taken is to be given back, with its picture where there was a frame.
  std::optional<Made> take();
  void giveBack(Made made, std::optional<Picture> drawn = std::nullopt);

 private:
  struct Worker;  // the thread's side
  void main();
  bool wantedNow(const Order& order, const Look& look);

  const std::string device_;
  const int threads_;
  const ThumbnailCache cache_;
  std::mutex mutex_;  // what follows
  std::condition_variable wake_;
  std::deque<Order> orders_;
  Look look_;
  std::deque<Made> made_;
  std::deque<std::pair<Made, std::optional<Picture>>> returned_;
  std::size_t out_ = 0;  // made and taken, not given back
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace simscope::gallery
