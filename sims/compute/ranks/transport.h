// What carries bytes between ranks, as a table of plain functions: the module libsimscope_mpi.so has one that calls
// MPI, and the program, which knows nothing of MPI, loads it where it was started as one of several processes.
//
// Thread: one at a time. Memory of a request belongs to the caller, and stays in place until test() says that it is
// done. Errors: nullptr or -1, and why() tells; nothing is thrown.
#pragma once

#include <cstdint>

namespace simscope::compute {

inline constexpr int kTransportInterface = 1;         // of this table; another one is refused
inline constexpr std::int64_t kMostAtOnce = 1 << 30;  // bytes of a request

enum class Reduction { SumUnsigned, SumSigned, Minimum, Maximum };  // of uint64, int64, double, double

struct TransportPlace {
  int rank = 0, size = 1;
  int local_rank = 0, local_size = 1;  // among those of the same machine
  int machine = 0;                     // rank of the first one there
  char name[256] = {};                 // of the machine
};

struct Transport {
  int interface;
  const char* (*library)();  // "Open MPI v4.1.4"; once started
  // 0, or -1. Starts at most once in a process.
  int (*start)(TransportPlace* place);
  // A request each.
  void* (*send)(const void* data, std::int64_t bytes, int to, int tag);
  void* (*receive)(void* data, std::int64_t bytes, int from, int tag);
  void* (*broadcast)(void* data, std::int64_t bytes, int from);
  void* (*barrier)();
  void* (*reduce)(void* values, std::int64_t count, Reduction reduction);  // in place, on all ranks
  // 1: done, and the request is null; 0: not yet; -1: failed.
  int (*test)(void** request);
  // 1: a message is there, from that rank and of so many bytes; 0: none; -1: failed.
  int (*probe)(int tag, int* from, std::int64_t* bytes);
  const char* (*why)();       // of the latest failure
  void (*finish)();           // on all ranks, when no request is open
  void (*abort)(int status);  // ends all ranks; does not return
};

}  // namespace simscope::compute

// The module's one name.
extern "C" const simscope::compute::Transport* simscope_transport();
