#include "sims/compute/ranks/transport_memory.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>

namespace simscope::compute {

namespace {

constexpr int kTags = 8;
constexpr std::int64_t kKept = 4096;  // bytes of a message that its sender need not wait for

template <class T>
void combine(std::vector<std::byte>& into, const void* more, Reduction reduction) {
  for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
    T a{}, b{};
    std::memcpy(&a, into.data() + at, sizeof a);
    std::memcpy(&b, static_cast<const std::byte*>(more) + at, sizeof b);
    switch (reduction) {
      case Reduction::SumUnsigned:
      case Reduction::SumSigned:
        a = static_cast<T>(a + b);
        break;
      case Reduction::Minimum:
        a = std::min(a, b);
        break;
      case Reduction::Maximum:
        a = std::max(a, b);
        break;
    }
    std::memcpy(into.data() + at, &a, sizeof a);
  }
}

}  // namespace

// A message on its way. Its memory is the sender's, until it is done or withdrawn, or its own.
struct SharedMemory::Sent {
  const void* data = nullptr;
  std::int64_t bytes = 0;
  std::vector<std::byte> kept;
  bool withdrawn = false;  // with the channel's lock
  std::atomic<bool> done = false;
};

// Messages from one rank to another with one tag, numbered from 0.
struct SharedMemory::Channel {
  std::mutex mutex;
  std::deque<std::shared_ptr<Sent>> sent;  // null: taken
  std::uint64_t first = 0;                 // number of the first of them
  std::uint64_t received = 0;              // how many have been asked for
};

// An operation of all ranks.
struct SharedMemory::Round {
  enum class Kind { Broadcast, Barrier, Reduce };
  Kind kind = Kind::Barrier;
  std::int64_t bytes = 0;
  int from = 0;
  Reduction reduction = Reduction::SumUnsigned;
  int arrived = 0, left = 0;
  bool root_arrived = false;
  const void* data = nullptr;          // of a broadcast: the root's, or what is kept of it
  std::vector<std::byte> values = {};  // the reduction so far, or what is kept
};

struct SharedMemory::Rooms {
  std::vector<std::string> names;
  std::vector<Channel> channels;  // [from][to][tag]

  std::mutex round_mutex;
  std::deque<Round> rounds;
  std::uint64_t first_round = 0;
  std::vector<std::uint64_t> next_round;  // of each rank

  std::atomic<bool> stopped = false;
  mutable std::mutex reason_mutex;
  std::string reason;

  explicit Rooms(std::vector<std::string> all)
      : names(std::move(all)), channels(names.size() * names.size() * kTags), next_round(names.size()) {}
  int size() const { return static_cast<int>(names.size()); }
  Channel& channel(int from, int to, int tag) {
    return channels[static_cast<std::size_t>((from * size() + to) * kTags + tag)];
  }
};

class SharedMemory::End final : public Transport {
  using Kind = Round::Kind;

 public:
  End(std::shared_ptr<SharedMemory> memory, int rank)
      : memory_(std::move(memory)), rooms_(*memory_->rooms_), rank_(rank) {}

  const char* library() override { return "threads"; }

  int start(TransportPlace* place) override {
    place->rank = place->local_rank = rank_;
    place->size = place->local_size = rooms_.size();
    place->machine = 0;
    std::snprintf(place->name, sizeof place->name, "%s", rooms_.names[static_cast<std::size_t>(rank_)].c_str());
    return 0;
  }

  void* send(const void* data, std::int64_t bytes, int to, int tag) override {
    if (refused(to, tag)) return nullptr;
    auto sent = std::make_shared<Sent>();
    sent->bytes = bytes;
    if (bytes <= kKept) {
      const auto* const first = static_cast<const std::byte*>(data);
      sent->kept.assign(first, first + bytes);
      sent->data = sent->kept.data();
      sent->done = true;
    } else {
      sent->data = data;
    }
    Channel& channel = rooms_.channel(rank_, to, tag);
    auto* const request = new Request{.channel = &channel, .sent = sent};
    const std::lock_guard lock(channel.mutex);
    channel.sent.push_back(std::move(sent));
    return request;
  }

  void* receive(void* data, std::int64_t bytes, int from, int tag) override {
    if (refused(from, tag)) return nullptr;
    Channel& channel = rooms_.channel(from, rank_, tag);
    const std::lock_guard lock(channel.mutex);
    return new Request{.channel = &channel, .number = channel.received++, .data = data, .bytes = bytes};
  }

  void* broadcast(void* data, std::int64_t bytes, int from) override {
    return arrive({.kind = Kind::Broadcast, .bytes = bytes, .from = from}, data);
  }
  void* barrier() override { return arrive({.kind = Kind::Barrier}, nullptr); }
  void* reduce(void* values, std::int64_t count, Reduction reduction) override {
    return arrive({.kind = Kind::Reduce, .bytes = 8 * count, .reduction = reduction}, values);
  }

  int test(void** request) override {
    auto* const open = static_cast<Request*>(*request);
    const int state = rooms_.stopped ? failed("the ranks have stopped") : stateOf(*open);
    if (state == 0) return 0;
    if (state < 0) {
      cancel(open);
    } else {
      delete open;
    }
    *request = nullptr;
    return state;
  }

  void cancel(void* request) override {
    const std::unique_ptr<Request> open(static_cast<Request*>(request));
    if (open->sent) {
      const std::lock_guard lock(open->channel->mutex);
      open->sent->withdrawn = !open->sent->done;
    } else if (!open->channel) {
      const std::lock_guard lock(rooms_.round_mutex);
      Round* const round = roundOf(*open);
      // Those that have not got it yet never will: the ranks end.
      if (round && round->kind == Kind::Broadcast && round->from == rank_) round->data = nullptr;
    }
  }

  int probe(int tag, int* from, std::int64_t* bytes) override {
    for (int each = 0; each < rooms_.size(); ++each) {
      Channel& channel = rooms_.channel(each, rank_, tag);
      const std::lock_guard lock(channel.mutex);
      const std::uint64_t at = channel.received - channel.first;
      if (at >= channel.sent.size()) continue;
      *from = each;
      *bytes = channel.sent[at]->bytes;
      return 1;
    }
    return 0;
  }

  const char* why() override { return why_.c_str(); }
  void finish() override {}
  void abort(int status) override { std::_Exit(status); }

 private:
  struct Request {
    Channel* channel = nullptr;       // null: of a round
    std::shared_ptr<Sent> sent = {};  // null: it receives
    std::uint64_t number = 0;         // of the message, or of the round
    void* data = nullptr;
    std::int64_t bytes = 0;
  };

  int failed(std::string why) {
    why_ = std::move(why);
    return -1;
  }

  bool refused(int other, int tag) {
    if (rooms_.stopped) return failed("the ranks have stopped") != 0;
    if (other < 0 || other >= rooms_.size() || other == rank_ || tag < 0 || tag >= kTags) {
      return failed("no such rank, or kind of message") != 0;
    }
    return false;
  }

  int stateOf(const Request& open) {
    if (open.sent) return open.sent->done ? 1 : 0;
    return open.channel ? taken(open) : passed(open);
  }

  // The message that a request to receive waits for, if it is there.
  int taken(const Request& open) {
    Channel& channel = *open.channel;
    const std::lock_guard lock(channel.mutex);  // so that it is not withdrawn meanwhile
    const std::uint64_t at = open.number - channel.first;
    if (at >= channel.sent.size()) return 0;
    Sent& sent = *channel.sent[at];
    if (sent.withdrawn) return failed("a message was withdrawn");
    if (sent.bytes > open.bytes) return failed("a message is longer than its receiver's memory");
    if (sent.bytes > 0) std::memcpy(open.data, sent.data, static_cast<std::size_t>(sent.bytes));
    sent.done = true;
    channel.sent[at] = nullptr;
    while (!channel.sent.empty() && !channel.sent.front()) {
      channel.sent.pop_front();
      ++channel.first;
    }
    return 1;
  }

  Round* roundOf(const Request& open) {
    const std::uint64_t at = open.number - rooms_.first_round;
    return at < rooms_.rounds.size() ? &rooms_.rounds[at] : nullptr;
  }

  void* arrive(const Round& wanted, void* data) {
    if (rooms_.stopped) return failed("the ranks have stopped"), nullptr;
    const std::lock_guard lock(rooms_.round_mutex);
    const std::uint64_t number = rooms_.next_round[static_cast<std::size_t>(rank_)]++;
    auto request = std::make_unique<Request>(Request{.number = number, .data = data, .bytes = wanted.bytes});
    const std::uint64_t at = request->number - rooms_.first_round;
    if (at == rooms_.rounds.size()) rooms_.rounds.push_back(wanted);
    Round& round = rooms_.rounds[at];
    if (round.kind != wanted.kind || round.bytes != wanted.bytes || round.from != wanted.from ||
        round.reduction != wanted.reduction) {
      failed("the ranks are doing different operations");
      return nullptr;
    }
    ++round.arrived;
    const auto* const first = static_cast<const std::byte*>(data);
    if (round.kind == Kind::Reduce) {
      if (round.arrived == 1) {
        round.values.assign(first, first + round.bytes);
      } else if (round.reduction == Reduction::SumUnsigned || round.reduction == Reduction::SumSigned) {
        combine<std::uint64_t>(round.values, data, round.reduction);  // the same bits, signed or not
      } else {
        combine<double>(round.values, data, round.reduction);
      }
    }
    if (round.kind == Kind::Broadcast && round.from == rank_) {
      round.root_arrived = true;
      round.data = data;
      if (round.bytes <= kKept) {
        round.values.assign(first, first + round.bytes);
        round.data = round.values.data();
      }
    }
    return request.release();
  }

  int passed(const Request& open) {
    const std::lock_guard lock(rooms_.round_mutex);
    Round& round = *roundOf(open);
    const auto bytes = static_cast<std::size_t>(round.bytes);
    if (round.kind == Kind::Broadcast) {
      if (!round.root_arrived) return 0;
      if (round.from == rank_) {
        if (round.left + 1 < rooms_.size() && round.values.size() != bytes) return 0;
      } else if (bytes > 0) {
        if (!round.data) return failed("a message was withdrawn");
        std::memcpy(open.data, round.data, bytes);
      }
    } else {
      if (round.arrived < rooms_.size()) return 0;
      if (round.kind == Kind::Reduce && bytes > 0) std::memcpy(open.data, round.values.data(), bytes);
    }
    ++round.left;
    while (!rooms_.rounds.empty() && rooms_.rounds.front().left == rooms_.size()) {
      rooms_.rounds.pop_front();
      ++rooms_.first_round;
    }
    return 1;
  }

  std::shared_ptr<SharedMemory> memory_;
  Rooms& rooms_;
  int rank_;
  std::string why_;
};

SharedMemory::SharedMemory(std::vector<std::string> names) : rooms_(std::make_unique<Rooms>(std::move(names))) {}
SharedMemory::~SharedMemory() = default;

std::unique_ptr<Transport> SharedMemory::end(std::shared_ptr<SharedMemory> memory, int rank) {
  return std::make_unique<End>(std::move(memory), rank);
}

void SharedMemory::stop(const std::string& why) noexcept {
  const std::lock_guard lock(rooms_->reason_mutex);
  if (rooms_->stopped) return;
  try {
    rooms_->reason = why;
  } catch (const std::exception&) {
    rooms_->reason.clear();
  }
  rooms_->stopped = true;
}

bool SharedMemory::stopped() const noexcept {
  return rooms_->stopped;
}

bool SharedMemory::atRest() const {
  for (Channel& each : rooms_->channels) {
    const std::lock_guard lock(each.mutex);
    if (!each.sent.empty() || each.received != each.first) return false;
  }
  const std::lock_guard lock(rooms_->round_mutex);
  return rooms_->rounds.empty() && std::all_of(rooms_->next_round.begin(), rooms_->next_round.end(),
                                               [&](std::uint64_t each) { return each == rooms_->first_round; });
}

void SharedMemory::goOn() noexcept {
  const std::lock_guard lock(rooms_->reason_mutex);
  rooms_->stopped = false;
}

std::string SharedMemory::reason() const {
  const std::lock_guard lock(rooms_->reason_mutex);
  return rooms_->reason;
}

}  // namespace simscope::compute
