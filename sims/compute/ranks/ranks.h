// The ranks 0 to size - 1 that make one run together. They are processes, on one machine or on several, each with the
// whole program, its own memory, and its own share of the work; or threads of one process, each with a device of its
// own (crew.h). All their communication goes through this class.
//
// All ranks make every operation except alive(), tell(), and abort(), in the same order. Results of sums do not depend
// on the number of ranks, as each sum states. Memory is host memory that the caller owns and may use again when the
// operation returns. Device::exchange sends data of CUDA devices.
//
// Waits are bounded: an operation that hears nothing for `patience` fails on all ranks, and names the missing ones.
// Ranks that work for long while others wait report it by alive(). If one rank dies, mpirun or srun ends the others.
//
// Owner: the pointer's holder; the process remains a rank until it ends. Thread: one at a time. Errors: RankFailed
// (another rank has reported why it cannot go on), Error (the transport fails, the patience has run out), and what
// Options::between throws, which is called first where the transport fails. After any of them the ranks are out of
// step, and only tell() and abort() may be called.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/error.h"
#include "sims/compute/ranks/message.h"
#include "sims/compute/ranks/transport.h"

namespace simscope::compute {

// On rank 0: the report of another rank. what(): "rank 2 on node7: out of memory".
class RankFailed : public Error {
 public:
  RankFailed(const std::string& message, int status) : Error(message), status_(status) {}
  int status() const noexcept { return status_; }  // of the program's exit

 private:
  int status_;
};

// Thrown on a rank that waited for others while one of them failed, in the same process. It is not reported.
class RanksStopped : public Error {
 public:
  using Error::Error;
};

class Ranks {
 public:
  struct Options {
    std::function<void()> between = {};  // called repeatedly while waiting; an exception ends the wait
    double patience = 600;               // seconds without a sign of any rank
  };
  // Starts the transport. All ranks call it, within ten seconds of each other.
  Ranks(std::unique_ptr<Transport> transport, Options options);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const noexcept { return place_.rank; }
  int size() const noexcept { return place_.size; }
  bool first() const noexcept { return place_.rank == 0; }
  int localRank() const noexcept { return place_.local_rank; }  // among those of this machine
  int localSize() const noexcept { return place_.local_size; }
  int machine() const noexcept { return place_.machine; }  // the number of the first rank on the same machine
  const std::string& machineName(int rank) const { return machines_[static_cast<std::size_t>(rank)]; }
  std::string name(int rank) const;  // "rank 2 on node7"; "rank 2" before they have met
  std::string library() const { return transport_->library(); }

  // The first and the number of this rank's elements out of `count`: blocks in the order of the ranks, as equal as
  // possible.
  std::pair<std::uint64_t, std::uint64_t> share(std::uint64_t count) const { return shareOf(count, rank(), size()); }
  static std::pair<std::uint64_t, std::uint64_t> shareOf(std::uint64_t count, int rank, int size);

  void barrier();
  void broadcast(std::span<std::byte> data, int from = 0);  // the same length on all ranks
  void broadcast(std::string& text, int from = 0);          // of that rank's length
  // On rank 0 the texts of all, in their order; elsewhere nothing. Bytes of any kind.
  std::vector<std::string> gather(const std::string& own);
  std::vector<std::string> gatherToAll(const std::string& own);
  // Element by element over all ranks, on all of them. Whole numbers: exact, modulo 2^64.
  void sum(std::span<std::uint64_t> values);
  void sum(std::span<std::int64_t> values);
  // None of them may be NaN.
  void minimum(std::span<double> values);
  void maximum(std::span<double> values);
  // The sum of pieces whose boundaries do not depend on the number of ranks; each rank gives its own in order. They are
  // added one after the other, from rank 0's first to the last rank's last, so that the result has the same bits for
  // any number of ranks. On all ranks.
  double sumInOrder(std::span<const double> pieces);

  // Messages to and from single ranks, all at the same time; a pair of ranks matches them in order. A rank sends none
  // to itself.
  using Message = RankMessage;
  void exchange(std::span<const Message> sent, std::span<const Message> received);

  // What this rank has sent to others so far, by exchange() here and between devices, and the operations in which all
  // take part.
  struct Traffic {
    std::uint64_t exchanges = 0, messages = 0, bytes = 0, collectives = 0;
  };
  const Traffic& traffic() const noexcept { return traffic_; }
  void countExchange(std::span<const Message> sent) noexcept;  // for a link that uses another transport

  // Waits until done(), with the same patience and while it listens to the others: for operations outside this
  // transport. Not counted as an operation. `what`: for error messages.
  // Soon: it looks again within tens of microseconds, for work of other threads on this core.
  enum class Look { Seldom, Soon };
  void waitFor(const std::function<bool()>& done, const char* what, Look look = Look::Seldom);

  // Tells the others that this rank is still at work. Cheap: sends something every few seconds.
  void alive() noexcept;
  // Tells rank 0 why this rank ends, and gives it some time to end all ranks; in that case it does not return.
  void tell(const std::string& why, int status) noexcept;
  [[noreturn]] void abort(int status) noexcept;
  // The orderly end, on all ranks.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  struct Sent;

  class Requests;
  [[noreturn]] void fail(const char* what) const;
  void* checked(void* request, const char* what) const;
  void await(Requests& requests, const char* what);
  void await(void* request, const char* what);
  void listen();
  void report(const char* what);
  [[noreturn]] void giveUp(const char* what, double waited);
  std::string received(int from, std::int64_t bytes, int tag);
  void reduce(void* values, std::size_t count, Reduction reduction, const char* what);

  std::unique_ptr<Transport> transport_;
  Options options_;
  TransportPlace place_;
  std::vector<std::string> machines_;
  std::uint64_t operation_ = 0;  // how many there have been
  Traffic traffic_;
  Clock::time_point sign_ = {};       // when another rank was last heard from
  Clock::time_point alive_at_ = {};   // when this one last sent a sign
  std::vector<void*> signs_;          // requests of alive(), one for each rank; null: none is open
  std::vector<std::string> waiting_;  // on rank 0: the operation that each rank reported to wait in
  std::string report_;
  void* report_request_ = nullptr;
};

}  // namespace simscope::compute
