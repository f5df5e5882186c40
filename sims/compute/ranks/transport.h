// What carries bytes between ranks: MPI between processes, memory between the threads of one.
//
// A request is an opaque pointer that the transport defines. Memory of a request belongs to the caller, and stays in
// place until test() says that it is done, or cancel() returns. Messages between two ranks with the same tag are
// matched in order; all ranks begin broadcasts, sums, and barriers in the same order.
//
// Thread: one at a time. Errors: nullptr or -1, and why() gives the reason; nothing is thrown.
#pragma once

#include <cstdint>

namespace simscope::compute {

inline constexpr std::int64_t kMostAtOnce = 1 << 30;  // bytes of a request

enum class Reduction { SumUnsigned, SumSigned, Minimum, Maximum };  // of uint64, int64, double, double

struct TransportPlace {
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  // among those of the same machine
  int machine = 0;                     // rank of the first one there
  char name[256] = {};                 // of the machine; of a thread, its device
};

class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual const char* library() = 0;  // "Open MPI v4.1.4"; once started
  // Returns 0 or -1. Starts at most once.
  virtual int start(TransportPlace* place) = 0;
  // Each returns a request.
  virtual void* send(const void* data, std::int64_t bytes, int to, int tag) = 0;
  virtual void* receive(void* data, std::int64_t bytes, int from, int tag) = 0;
  virtual void* broadcast(void* data, std::int64_t bytes, int from) = 0;
  virtual void* barrier() = 0;
  virtual void* reduce(void* values, std::int64_t count, Reduction reduction) = 0;  // in place, on all ranks
  // 1: done, and the request is null; 0: not yet; -1: failed, and null, too.
  virtual int test(void** request) = 0;
  // A request that is no longer waited for, because the ranks end: its memory is not touched from then on.
  virtual void cancel(void* request) = 0;
  // 1: a message has arrived, and its rank and size are set; 0: none; -1: failed.
  virtual int probe(int tag, int* from, std::int64_t* bytes) = 0;
  virtual const char* why() = 0;       // of the latest failure
  virtual void finish() = 0;           // on all ranks, when no request is open
  virtual void abort(int status) = 0;  // ends all ranks; does not return
};

}  // namespace simscope::compute
