#include "app/gui/gallery/thumbnail_maker.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/recording/scene_run.h"
#include "app/render/figure/figure.h"

namespace simscope::gallery {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNice = 5;

// Of the calling thread alone, on Linux. Where it is refused, it works at the usual priority.
void yieldToOthers() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
}

}  // namespace

struct ThumbnailMaker::Worker {
  ThumbnailMaker& maker;
  compute::DevicePtr device = {};

  const compute::DevicePtr& opened() {
    if (!device) {
      device = compute::Device::open(maker.device_, maker.threads_);
      // On the processor the window has the rest.
      if (!device->isCuda() && maker.threads_ != 1) device = compute::Device::open("cpu", 1);
    }
    return device;
  }

  // A frame of the run; null where it is not wanted any more.
  std::unique_ptr<Frame> frameOf(const Order& order, const Look& look, const Resolved& resolved) {
    const Scene& scene = resolved.scene;
    const auto begun = Clock::now();
    const double most = order.draft ? kDraftSeconds : kRunSeconds;
    const auto late = [&] { return std::chrono::duration<double>(Clock::now() - begun).count() > most; };
    Stepper stepper = begin(scene, opened(), resolved.state);
    const std::int64_t last = resolved.state ? 0 : tellingStep(scene);
    const int batch = std::max(1, std::min(stepper.batch(), scene.steps_per_frame));
    while (stepper.simulation().steps() < last && !late()) {
      if (!maker.wantedNow(order, look)) return nullptr;
      const std::int64_t left = last - stepper.simulation().steps();
      stepper.step(static_cast<int>(std::min<std::int64_t>(batch, left)));
      if (device->isCuda()) device->synchronize();  // or the time would be that of enqueueing alone
    }
    stepper.verify();
    auto frame = std::make_unique<Frame>();
    frame->device = device;
    frame->wanted = render::neededChannels(*scene.description, figureOf(scene, look));
    stepper.present(*frame);
    frame->ready.record(*device);
    device->synchronize();  // the run goes now; what it enqueued must be over
    return frame;
  }

  // Empty where it is not wanted any more.
  std::optional<Made> make(const Order& order, const Look& look) {
    Made made{order.subject, look, order.draft, nullptr, {}, nullptr, {}, {}};
    try {
      const auto resolved = std::make_shared<Resolved>(resolve(order.subject));
      made.resolved = resolved;
      made.file = maker.cache_.fileOf(order.subject, *made.resolved, look);
      made.picture = ThumbnailCache::read(made.file, look);
      if (made.picture) {
        made.draft = false;
      } else {
        made.frame = frameOf(order, look, *made.resolved);
        if (!made.frame) return std::nullopt;
      }
      if (resolved->state && resolved->state->bytes() > kMostShownBytes) {
        resolved->state.reset();
        resolved->still = true;
      }
    } catch (const std::exception& error) {
      made.failure = error.what();
    }
    return made;
  }
};

ThumbnailMaker::ThumbnailMaker(std::string device, int threads, ThumbnailCache cache)
    : device_(std::move(device)), threads_(threads), cache_(std::move(cache)), thread_([this] { main(); }) {}

ThumbnailMaker::~ThumbnailMaker() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    orders_.clear();
  }
  wake_.notify_all();
  thread_.join();
}

void ThumbnailMaker::want(std::vector<Order> orders, const Look& look) {
  {
    const std::lock_guard lock(mutex_);
    // What waits to be taken is not made again.
    std::erase_if(orders, [&](const Order& order) {
      return std::any_of(made_.begin(), made_.end(), [&](const Made& each) {
        return each.look == look && each.subject == order.subject && (order.draft || !each.draft);
      });
    });
    orders_.assign(std::make_move_iterator(orders.begin()), std::make_move_iterator(orders.end()));
    look_ = look;
  }
  wake_.notify_all();
}

std::optional<Made> ThumbnailMaker::take() {
  const std::lock_guard lock(mutex_);
  if (made_.empty()) return std::nullopt;
  Made made = std::move(made_.front());
  made_.pop_front();
  ++out_;
  return made;
}

void ThumbnailMaker::giveBack(Made made, std::optional<Picture> drawn) {
  {
    const std::lock_guard lock(mutex_);
    --out_;
    returned_.emplace_back(std::move(made), std::move(drawn));
  }
  wake_.notify_all();
}

bool ThumbnailMaker::wantedNow(const Order& order, const Look& look) {
  const std::lock_guard lock(mutex_);
  const auto same = [&](const Order& each) { return each.subject == order.subject; };
  return !quit_ && look == look_ && std::any_of(orders_.begin(), orders_.end(), same);
}

void ThumbnailMaker::main() {
  yieldToOthers();
  cache_.prune();
  Worker worker{*this};
  std::unique_lock lock(mutex_);
  while (!quit_) {
    if (!returned_.empty()) {
      auto [made, drawn] = std::move(returned_.front());
      returned_.pop_front();
      lock.unlock();
      if (drawn && !made.draft) cache_.write(made.file, *drawn);
      made = {};  // frames end on the thread that their device belongs to
      lock.lock();
    } else if (!orders_.empty() && made_.size() + out_ < kAhead) {
      const Order order = orders_.front();
      const Look look = look_;
      lock.unlock();
      std::optional<Made> made = worker.make(order, look);
      lock.lock();
      // Who wants it again after this says so.
      std::erase(orders_, order);
      if (made && look == look_) made_.push_back(std::move(*made));
    } else {
      wake_.wait(lock);
    }
  }
  made_.clear();
  returned_.clear();
}

}  // namespace simscope::gallery
