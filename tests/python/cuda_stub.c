// A driver of one device for device_checks.py: its memory is files of $STUB_FOLDER, whose names are what its handles
// hold, so that another process can open them. Calls to fail at are named by $STUB_FAILS.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAILS(name) \
  if (fails(name)) return 999

enum { kBlocks = 256 };
static struct {
  char* memory;
  size_t size;
  char name[64];
} blocks[kBlocks];
static int made;

static int fails(const char* name) {
  const char* const given = getenv("STUB_FAILS");
  return given && strstr(given, name);
}

static int allocate(char** memory, size_t size, const char* kind) {
  char path[512];
  for (int i = 0; i < kBlocks; ++i) {
    if (blocks[i].memory) continue;
    snprintf(blocks[i].name, sizeof blocks[i].name, "%s%d", kind, made++);
    snprintf(path, sizeof path, "%s/%s", getenv("STUB_FOLDER"), blocks[i].name);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 || ftruncate(file, (off_t)size) != 0) return 2;
    blocks[i].memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    blocks[i].size = size;
    close(file);
    *memory = blocks[i].memory;
    return 0;
  }
  return 2;
}

static int find(const void* memory) {
  for (int i = 0; i < kBlocks; ++i) {
    if (memory && blocks[i].memory == memory) return i;
  }
  return -1;
}

static int forget(const void* memory) {
  char path[512];
  const int i = find(memory);
  if (i < 0) return 1;
  snprintf(path, sizeof path, "%s/%s", getenv("STUB_FOLDER"), blocks[i].name);
  unlink(path);
  munmap(blocks[i].memory, blocks[i].size);
  blocks[i].memory = NULL;
  return 0;
}

static int name(unsigned char* handle, const void* memory) {
  const int i = find(memory);
  if (i < 0) return 1;
  memset(handle, 0, 64);
  memcpy(handle, blocks[i].name, strlen(blocks[i].name));
  return 0;
}

int cuInit(unsigned flags) {
  FAILS("cuInit");
  return (int)flags;
}
int cuGetErrorString(int status, const char** words) {
  *words = status == 2 ? "out of memory" : "the stub fails";
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  memset(uuid, 'a' + device, 16);
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = (void*)(intptr_t)(device + 1);
  return 0;
}
static int depth;
int cuCtxPushCurrent_v2(void* context) {
  ++depth;
  return context == NULL;
}
int cuCtxPopCurrent_v2(void** context) {
  *context = NULL;
  return depth-- <= 0;
}
int cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
  FAILS("cuPointerGetAttribute");
  *(int*)value = getenv("STUB_DEVICE") ? atoi(getenv("STUB_DEVICE")) : 0;
  return attribute != 9 || address == 0;
}
int cuMemAlloc_v2(uint64_t* address, size_t size) {
  FAILS("cuMemAlloc");
  char* memory = NULL;
  if (depth <= 0 || size % (2 << 20)) return 201;
  const int status = allocate(&memory, size, "memory");
  *address = (uint64_t)(uintptr_t)memory;
  return status;
}
int cuMemFree_v2(uint64_t address) {
  return forget((void*)(uintptr_t)address);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
  FAILS("cuMemcpy");
  if (depth <= 0 || stream == NULL) return 201;
  memcpy((void*)(uintptr_t)to, (const void*)(uintptr_t)from, bytes);
  return 0;
}
typedef struct {
  size_t x, y;
  unsigned type;
  void* host;
  uint64_t device;
  void* array;
  size_t pitch;
} Side;
typedef struct {
  Side from, to;
  size_t width, height;
} Copy;
int cuMemcpy2DAsync_v2(const Copy* copy, void* stream) {
  if (depth <= 0 || stream == NULL || copy->from.type != 2 || copy->to.type != 2) return 201;
  for (size_t row = 0; row < copy->height; ++row) {
    memcpy((char*)(uintptr_t)copy->to.device + row * copy->to.pitch,
           (const char*)(uintptr_t)copy->from.device + row * copy->from.pitch, copy->width);
  }
  return 0;
}
// An event is a count of how often it was recorded.
int cuEventCreate(void** event, unsigned flags) {
  char* memory = NULL;
  const int status = allocate(&memory, sizeof(int), "event");
  *event = memory;
  return flags == 6 ? status : 1;
}
int cuEventRecord(void* event, void* stream) {
  if (stream == NULL) return 201;
  ++*(int*)event;
  return 0;
}
int cuEventDestroy_v2(void* event) {
  return forget(event);
}
int cuStreamSynchronize(void* stream) {
  return stream == NULL;
}
int cuStreamIsCapturing(void* stream, int* state) {
  *state = (uintptr_t)stream == 77;
  return 0;
}
int cuIpcGetMemHandle(unsigned char* handle, uint64_t address) {
  FAILS("cuIpcGetMemHandle");
  return name(handle, (void*)(uintptr_t)address);
}
int cuIpcGetEventHandle(unsigned char* handle, void* event) {
  FAILS("cuIpcGetEventHandle");
  return name(handle, event);
}
