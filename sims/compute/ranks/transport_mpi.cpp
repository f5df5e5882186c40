// libsimscope_mpi.so: a transport that calls MPI. Nothing of the program is linked into it.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include "sims/compute/ranks/transport_module.h"

namespace {

using simscope::compute::Reduction;
using simscope::compute::TransportPlace;
using simscope::compute::TransportTable;

char failure[MPI_MAX_ERROR_STRING + 1] = "";

bool ok(int code) {
  if (code == MPI_SUCCESS) return true;
  int length = 0;
  if (MPI_Error_string(code, failure, &length) != MPI_SUCCESS) std::snprintf(failure, sizeof failure, "error %d", code);
  return false;
}

// Begins a request; null where that fails.
template <class Begin>
void* begun(const Begin& begin) {
  auto* const request = new (std::nothrow) MPI_Request;
  if (!request) {
    std::snprintf(failure, sizeof failure, "out of memory");
    return nullptr;
  }
  if (ok(begin(request))) return request;
  delete request;
  return nullptr;
}

const char* library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  if (text[0] == 0 && MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "MPI";
  text[std::strcspn(text, ",\n")] = 0;
  return text;
}

int start(TransportPlace* place) {
  int given = 0;
  if (!ok(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given))) return -1;
  if (given < MPI_THREAD_SERIALIZED) {
    std::snprintf(failure, sizeof failure, "this MPI cannot be called from more than one thread");
    return -1;
  }
  if (!ok(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN))) return -1;
  if (!ok(MPI_Comm_rank(MPI_COMM_WORLD, &place->rank)) || !ok(MPI_Comm_size(MPI_COMM_WORLD, &place->size))) return -1;
  MPI_Comm here = MPI_COMM_NULL;
  if (!ok(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place->rank, MPI_INFO_NULL, &here))) return -1;
  place->machine = place->rank;
  const bool counted = ok(MPI_Comm_rank(here, &place->local_rank)) && ok(MPI_Comm_size(here, &place->local_size)) &&
                       ok(MPI_Bcast(&place->machine, 1, MPI_INT, 0, here));
  if (!ok(MPI_Comm_free(&here)) || !counted) return -1;
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  if (!ok(MPI_Get_processor_name(name, &length))) return -1;
  std::snprintf(place->name, sizeof place->name, "%.*s", std::min(length, 200), name);
  return 0;
}

void* send(const void* data, std::int64_t bytes, int to, int tag) {
  return begun([&](MPI_Request* request) {
    return MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, request);
  });
}

void* receive(void* data, std::int64_t bytes, int from, int tag) {
  return begun([&](MPI_Request* request) {
    return MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, request);
  });
}

void* broadcast(void* data, std::int64_t bytes, int from) {
  return begun([&](MPI_Request* request) {
    return MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, from, MPI_COMM_WORLD, request);
  });
}

void* barrier() {
  return begun([](MPI_Request* request) { return MPI_Ibarrier(MPI_COMM_WORLD, request); });
}

void* reduce(void* values, std::int64_t count, Reduction reduction) {
  MPI_Datatype type = MPI_DOUBLE;
  MPI_Op operation = MPI_SUM;
  switch (reduction) {
    case Reduction::SumUnsigned:
      type = MPI_UINT64_T;
      break;
    case Reduction::SumSigned:
      type = MPI_INT64_T;
      break;
    case Reduction::Minimum:
      operation = MPI_MIN;
      break;
    case Reduction::Maximum:
      operation = MPI_MAX;
      break;
  }
  return begun([&](MPI_Request* request) {
    return MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), type, operation, MPI_COMM_WORLD, request);
  });
}

int test(void** request) {
  int done = 0;
  auto* const open = static_cast<MPI_Request*>(*request);
  const bool well = ok(MPI_Test(open, &done, MPI_STATUS_IGNORE));
  if (well && !done) return 0;
  delete open;
  *request = nullptr;
  return well ? 1 : -1;
}

int probe(int tag, int* from, std::int64_t* bytes) {
  int there = 0, count = 0;
  MPI_Status status;
  if (!ok(MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status))) return -1;
  if (!there) return 0;
  if (!ok(MPI_Get_count(&status, MPI_BYTE, &count))) return -1;
  *from = status.MPI_SOURCE;
  *bytes = count;
  return 1;
}

const char* why() {
  return failure;
}

void finish() {
  MPI_Finalize();
}

void abortAll(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const TransportTable* simscope_transport() {
  static const TransportTable table{simscope::compute::kTransportInterface,
                                    library,
                                    start,
                                    send,
                                    receive,
                                    broadcast,
                                    barrier,
                                    reduce,
                                    test,
                                    probe,
                                    why,
                                    finish,
                                    abortAll};
  return &table;
}
