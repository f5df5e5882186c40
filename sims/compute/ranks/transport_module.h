// A transport from a module: the interface of libsimscope_mpi.so, which the program loads when it was started as one of
// several processes; the program itself does not use MPI. Plain functions, so that the two share only this header.
//
// Thread and errors: as Transport. There is one per process.
#pragma once

#include "sims/compute/ranks/transport.h"

namespace simscope::compute {

inline constexpr int kTransportInterface = 1;  // version of this table; others are refused

struct TransportTable {
  int interface;
  const char* (*library)();
  int (*start)(TransportPlace* place);
  void* (*send)(const void* data, std::int64_t bytes, int to, int tag);
  void* (*receive)(void* data, std::int64_t bytes, int from, int tag);
  void* (*broadcast)(void* data, std::int64_t bytes, int from);
  void* (*barrier)();
  void* (*reduce)(void* values, std::int64_t count, Reduction reduction);
  int (*test)(void** request);
  int (*probe)(int tag, int* from, std::int64_t* bytes);
  const char* (*why)();
  void (*finish)();
  void (*abort)(int status);
};

class TransportOfModule final : public Transport {
 public:
  explicit TransportOfModule(const TransportTable& table) : table_(table) {}

  const char* library() override { return table_.library(); }
  int start(TransportPlace* place) override { return table_.start(place); }
  void* send(const void* data, std::int64_t bytes, int to, int tag) override {
    return table_.send(data, bytes, to, tag);
  }
  void* receive(void* data, std::int64_t bytes, int from, int tag) override {
    return table_.receive(data, bytes, from, tag);
  }
  void* broadcast(void* data, std::int64_t bytes, int from) override { return table_.broadcast(data, bytes, from); }
  void* barrier() override { return table_.barrier(); }
  void* reduce(void* values, std::int64_t count, Reduction reduction) override {
    return table_.reduce(values, count, reduction);
  }
  int test(void** request) override { return table_.test(request); }
  // Processes end with all their memory.
  void cancel(void*) override {}
  int probe(int tag, int* from, std::int64_t* bytes) override { return table_.probe(tag, from, bytes); }
  const char* why() override { return table_.why(); }
  void finish() override { table_.finish(); }
  void abort(int status) override { table_.abort(status); }

 private:
  const TransportTable& table_;
};

}  // namespace simscope::compute

// The module's only exported name.
extern "C" const simscope::compute::TransportTable* simscope_transport();
