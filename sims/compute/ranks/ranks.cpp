#include "sims/compute/ranks/ranks.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace simscope::compute {

namespace {

enum Tag { kData = 1, kAlive, kWaiting, kFailure };

constexpr int kTurnsAwake = 2000;           // polls of a wait before it sleeps
constexpr double kMeetingSeconds = 10;      // the patience of the first operation: all have just left MPI_Init
constexpr double kSecondsBetweenSigns = 5;  // of alive(), or a tenth of the patience
constexpr double kGraceSeconds = 2;         // in which rank 0 speaks first, where all of them give up
constexpr auto kTold = std::chrono::seconds(3);
constexpr std::chrono::microseconds kSoon{20}, kSeldom{1000};  // of sleep, at most
char sign_of_life = 1;

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

// Those of one operation. Where it ends otherwise, those that are open are given up, for their memory goes.
class Ranks::Requests {
 public:
  explicit Requests(Transport& transport) : transport_(transport) {}
  ~Requests() {
    for (void* const each : all) {
      if (each) transport_.cancel(each);
    }
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  std::vector<void*> all;

 private:
  Transport& transport_;
};

Ranks::Ranks(std::unique_ptr<Transport> transport, Options options)
    : transport_(std::move(transport)), options_(std::move(options)) {
  if (transport_->start(&place_) != 0) throw Error(fmt::format("MPI does not start: {}", transport_->why()));
  signs_.resize(static_cast<std::size_t>(size()));
  waiting_.resize(static_cast<std::size_t>(size()));
  machines_.resize(static_cast<std::size_t>(size()));
  const double patience = std::exchange(options_.patience, std::min(options_.patience, kMeetingSeconds));
  machines_ = gatherToAll(place_.name);
  options_.patience = patience;
}

// Signs of life, and notes about waiting, may not have been received yet.
Ranks::~Ranks() {
  if (report_request_) transport_->cancel(report_request_);
  for (void* const each : signs_) {
    if (each) transport_->cancel(each);
  }
}

std::string Ranks::name(int rank) const {
  const std::string& machine = machineName(rank);
  return machine.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} on {}", rank, machine);
}

std::pair<std::uint64_t, std::uint64_t> Ranks::shareOf(std::uint64_t count, int rank, int size) {
  const auto n = static_cast<std::uint64_t>(size), r = static_cast<std::uint64_t>(rank);
  const std::uint64_t each = count / n, more = count % n;
  return {r * each + std::min(r, more), each + (r < more ? 1 : 0)};
}

void Ranks::fail(const char* what) const {
  if (options_.between) options_.between();
  throw Error(fmt::format("{}: {}", what, transport_->why()));
}

void* Ranks::checked(void* request, const char* what) const {
  if (!request) fail(what);
  return request;
}

void Ranks::await(Requests& requests, const char* what) {
  ++operation_;
  waitFor(
      [&] {
        bool all = true;
        for (void*& each : requests.all) {
          if (!each) continue;
          const int state = transport_->test(&each);
          if (state < 0) fail(what);
          all = all && state == 1;
        }
        return all;
      },
      what);
}

void Ranks::await(void* request, const char* what) {
  Requests requests(*transport_);
  requests.all.push_back(checked(request, what));
  await(requests, what);
}

// Meanwhile it hears of others.
void Ranks::waitFor(const std::function<bool()>& done, const char* what, Look look) {
  const bool soon = look == Look::Soon;
  const Clock::time_point start = Clock::now();
  sign_ = start;
  bool reported = false;
  auto nap = std::chrono::microseconds(20);
  for (int turn = 0;; ++turn) {
    if (done()) return;
    if (turn < kTurnsAwake) {
      if (soon || turn % 16 == 15) sched_yield();
      continue;
    }
    if (options_.between) options_.between();
    listen();
    const double waited = secondsSince(sign_);
    if (waited > options_.patience / 2 && !reported) report(what), reported = true;
    if (waited > options_.patience + (first() ? 0 : kGraceSeconds)) giveUp(what, waited);
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, soon ? kSoon : kSeldom);
  }
}

std::string Ranks::received(int from, std::int64_t bytes, int tag) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  void* request = checked(transport_->receive(text.data(), bytes, from, tag), "a message");
  while (transport_->test(&request) == 0) sched_yield();  // it is there already
  return text;
}

void Ranks::listen() {
  bool heard = false;
  int from = 0;
  std::int64_t bytes = 0;
  while (transport_->probe(kAlive, &from, &bytes) == 1) {
    received(from, bytes, kAlive);
    sign_ = Clock::now();
    heard = true;
  }
  if (!first()) return;
  // The others hear of each other by rank 0.
  if (heard) alive();
  while (transport_->probe(kWaiting, &from, &bytes) == 1) {
    waiting_[static_cast<std::size_t>(from)] = received(from, bytes, kWaiting);
  }
  if (transport_->probe(kFailure, &from, &bytes) == 1) {
    const std::string told = received(from, bytes, kFailure);
    const int status = told.empty() ? 1 : static_cast<unsigned char>(told[0]);
    throw RankFailed(fmt::format("{}: {}", name(from), told.empty() ? "" : told.substr(1)), status);
  }
}

// In case that rank 0 must say who is missing.
void Ranks::report(const char* what) {
  if (first() || report_request_) return;
  report_ = fmt::format("{} {}", operation_, what);
  report_request_ = transport_->send(report_.data(), static_cast<std::int64_t>(report_.size()), 0, kWaiting);
}

void Ranks::giveUp(const char* what, double waited) {
  std::string missing;
  if (first()) {
    listen();
    for (int each = 1; each < size(); ++each) {
      const std::string& told = waiting_[static_cast<std::size_t>(each)];
      if (told == fmt::format("{} {}", operation_, what)) continue;
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name(each));
    }
  }
  throw Error(fmt::format("no message from {} for {:.0f} s ({}): it hangs, or its machine cannot be reached",
                          missing.empty() ? "other ranks" : missing, waited, what));
}

void Ranks::barrier() {
  ++traffic_.collectives;
  await(transport_->barrier(), "barrier");
}

void Ranks::broadcast(std::span<std::byte> data, int from) {
  ++traffic_.collectives;
  for (std::size_t at = 0; at < data.size();) {
    const auto bytes = std::min(data.size() - at, static_cast<std::size_t>(kMostAtOnce));
    await(transport_->broadcast(data.data() + at, static_cast<std::int64_t>(bytes), from), "broadcast");
    at += bytes;
  }
}

void Ranks::broadcast(std::string& text, int from) {
  std::uint64_t bytes = text.size();
  broadcast(std::as_writable_bytes(std::span(&bytes, 1)), from);
  text.resize(bytes);
  broadcast(std::as_writable_bytes(std::span(text.data(), text.size())), from);
}

std::vector<std::string> Ranks::gather(const std::string& own) {
  std::vector<std::uint64_t> bytes(static_cast<std::size_t>(size()));
  bytes[static_cast<std::size_t>(rank())] = own.size();
  sum(std::span(bytes));
  std::vector<std::string> all;
  std::vector<Message> sent, received;
  if (first()) {
    for (const std::uint64_t each : bytes) all.emplace_back(each, '\0');
    all[0] = own;
    for (int each = 1; each < size(); ++each) {
      std::string& text = all[static_cast<std::size_t>(each)];
      received.push_back({each, text.data(), text.size()});
    }
  } else {
    sent.push_back({0, const_cast<char*>(own.data()), own.size()});
  }
  exchange(sent, received);
  return all;
}

std::vector<std::string> Ranks::gatherToAll(const std::string& own) {
  std::vector<std::string> all = gather(own);
  all.resize(static_cast<std::size_t>(size()));
  for (std::string& each : all) broadcast(each);
  return all;
}

void Ranks::reduce(void* values, std::size_t count, Reduction reduction, const char* what) {
  constexpr std::size_t kMost = static_cast<std::size_t>(kMostAtOnce) / 8;
  ++traffic_.collectives;
  for (std::size_t at = 0; at < count;) {
    const std::size_t now = std::min(count - at, kMost);
    await(transport_->reduce(static_cast<std::byte*>(values) + 8 * at, static_cast<std::int64_t>(now), reduction),
          what);
    at += now;
  }
}

void Ranks::sum(std::span<std::uint64_t> values) {
  reduce(values.data(), values.size(), Reduction::SumUnsigned, "sum");
}
void Ranks::sum(std::span<std::int64_t> values) {
  reduce(values.data(), values.size(), Reduction::SumSigned, "sum");
}
void Ranks::minimum(std::span<double> values) {
  reduce(values.data(), values.size(), Reduction::Minimum, "minimum");
}
void Ranks::maximum(std::span<double> values) {
  reduce(values.data(), values.size(), Reduction::Maximum, "maximum");
}

double Ranks::sumInOrder(std::span<const double> pieces) {
  const std::string own(reinterpret_cast<const char*>(pieces.data()), pieces.size_bytes());
  double sum = 0;
  for (const std::string& each : gather(own)) {
    for (std::size_t at = 0; at < each.size(); at += sizeof(double)) {
      double piece = 0;
      std::memcpy(&piece, each.data() + at, sizeof piece);
      sum += piece;
    }
  }
  broadcast(std::as_writable_bytes(std::span(&sum, 1)));
  return sum;
}

void Ranks::countExchange(std::span<const Message> sent) noexcept {
  ++traffic_.exchanges;
  for (const Message& each : sent) {
    if (each.bytes == 0) continue;
    ++traffic_.messages;
    traffic_.bytes += each.bytes;
  }
}

void Ranks::exchange(std::span<const Message> sent, std::span<const Message> received) {
  countExchange(sent);
  Requests requests(*transport_);
  const auto pieces = [&](const Message& message, const auto& begin) {
    for (std::size_t at = 0; at < message.bytes;) {
      const auto bytes = std::min(message.bytes - at, static_cast<std::size_t>(kMostAtOnce));
      requests.all.push_back(
          checked(begin(static_cast<std::byte*>(message.data) + at, static_cast<std::int64_t>(bytes)), "exchange"));
      at += bytes;
    }
  };
  for (const Message& each : received) {
    pieces(each, [&](void* data, std::int64_t bytes) { return transport_->receive(data, bytes, each.rank, kData); });
  }
  for (const Message& each : sent) {
    pieces(each, [&](void* data, std::int64_t bytes) { return transport_->send(data, bytes, each.rank, kData); });
  }
  await(requests, "exchange");
}

void Ranks::alive() noexcept {
  const double pause = std::min(kSecondsBetweenSigns, options_.patience / 10);
  if (alive_at_ == Clock::time_point::max() || secondsSince(alive_at_) < pause) return;
  alive_at_ = Clock::now();
  for (int each = 0; each < size(); ++each) {
    // All hear of rank 0, and rank 0 of all.
    if (each == rank() || (!first() && each != 0)) continue;
    void*& open = signs_[static_cast<std::size_t>(each)];
    if (open && transport_->test(&open) == 0) continue;  // the last one is still on its way
    open = transport_->send(&sign_of_life, 1, each, kAlive);
  }
}

void Ranks::tell(const std::string& why, int status) noexcept {
  if (first()) return;
  // Static: it must outlive this call, which ends with the process.
  static std::string told;
  try {
    told = static_cast<char>(status) + why;
  } catch (const std::exception&) {
    return;
  }
  void* request = transport_->send(told.data(), static_cast<std::int64_t>(told.size()), 0, kFailure);
  const Clock::time_point end = Clock::now() + kTold;
  while (Clock::now() < end) {
    if (request) transport_->test(&request);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void Ranks::abort(int status) noexcept {
  transport_->abort(status);
  std::_Exit(status);
}

// Unread signs of life are received first: MPI must not end with messages in flight.
void Ranks::finish() {
  alive_at_ = Clock::time_point::max();  // nothing more is sent
  barrier();
  listen();
  for (void*& each : signs_) {
    while (each && transport_->test(&each) == 0) sched_yield();
  }
  while (report_request_ && transport_->test(&report_request_) == 0) sched_yield();
  barrier();
  listen();
  transport_->finish();
}

}  // namespace simscope::compute
