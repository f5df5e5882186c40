// Those that make one run together: ranks 0 to size - 1. They are processes, on one machine or on several, each of
// which has the whole program, its own memory, and its own share of the work; or threads of one process, each with a
// device of its own (crew.h). What they tell each other goes through here.
//
// Every operation but alive(), tell(), and abort() is made by all ranks, in the same order. Results of sums do not
// depend on how many ranks there are, as each says. Memory is the host's; it is the caller's, and may be used again
// when the operation returns. What lies on CUDA devices goes by Device::exchange.
//
// Waits are bounded: an operation that hears nothing for `patience` fails on all ranks, and names those that are
// missing. Ranks that work on for long while others wait say so by alive(). Ranks are ended by mpirun or srun where one
// of them dies.
//
// Owner: whoever holds the pointer; the process stays one of the ranks until it ends. Thread: one at a time. Errors:
// RankFailed (another rank has said why it cannot go on), Error (the transport fails, the patience is at its end), and
// what Options::between throws, which is asked first where the transport fails; the ranks are then out of step, and
// only tell() and abort() are left.
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

// On rank 0: what another rank has told. what(): "rank 2 on node7: out of memory".
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
    std::function<void()> between = {};  // called again and again while waiting; what it throws ends the wait
    double patience = 600;               // seconds without a sign of any rank
  };
  // Starts the transport. All ranks do.
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
  std::string name(int rank) const;  // "rank 2 on node7"
  std::string library() const { return transport_->library(); }

  // Of `count` things the first and the number of those that are this rank's: blocks in the order of the ranks, as
  // equal as can be.
  std::pair<std::uint64_t, std::uint64_t> share(std::uint64_t count) const { return shareOf(count, rank(), size()); }
  static std::pair<std::uint64_t, std::uint64_t> shareOf(std::uint64_t count, int rank, int size);

  void barrier();
  void broadcast(std::span<std::byte> data, int from = 0);  // of one length on all ranks
  void broadcast(std::string& text, int from = 0);          // of that rank's length
  // On rank 0 the texts of all, in their order; elsewhere nothing. Bytes of any kind.
  std::vector<std::string> gather(const std::string& own);
  std::vector<std::string> gatherToAll(const std::string& own);
  // Element by element over all ranks, on all of them. Whole numbers: exact, modulo 2^64.
  void sum(std::span<std::uint64_t> values);
  void sum(std::span<std::int64_t> values);
  // No NaN among them.
  void minimum(std::span<double> values);
  void maximum(std::span<double> values);
  // Sums of pieces that are cut alike for any number of ranks, each rank's own in order: added one after the other,
  // from rank 0's first to the last rank's last, so that the result has the same bits for any number. On all ranks.
  double sumInOrder(std::span<const double> pieces);

  // Messages to and from single ranks, all at the same time; a pair of ranks matches them in order. None to itself.
  using Message = RankMessage;
  void exchange(std::span<const Message> sent, std::span<const Message> received);

  // What this rank has sent to others so far, by exchange() here and between devices, and the operations in which all
  // take part.
  struct Traffic {
    std::uint64_t exchanges = 0, messages = 0, bytes = 0, collectives = 0;
  };
  const Traffic& traffic() const noexcept { return traffic_; }
  void countExchange(std::span<const Message> sent) noexcept;  // of a link that goes by another way

  // Until done(), with the same patience and the same ear for the others: for what does not go through this transport.
  // Not counted as an operation. `what`: for messages.
  // Soon: it looks again within tens of microseconds, for what others make by threads on this core.
  enum class Look { Seldom, Soon };
  void waitFor(const std::function<bool()>& done, const char* what, Look look = Look::Seldom);

  // This rank is at work, however long others have waited for it. Cheap: sends something every few seconds.
  void alive() noexcept;
  // Tells rank 0 why this rank ends, and gives it some time to end all of them: where that happens, it does not return.
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
  Clock::time_point sign_ = {};       // when another rank was heard of
  Clock::time_point alive_at_ = {};   // when this one has said something
  std::vector<void*> signs_;          // requests of alive(), one for each rank; null: none is open
  std::vector<std::string> waiting_;  // on rank 0: what each rank waits in, as it has told
  std::string report_;
  void* report_request_ = nullptr;
};

}  // namespace simscope::compute
