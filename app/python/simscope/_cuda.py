"""The functions of NVIDIA's driver that pass an array from one process to another, by ctypes. Nothing is compiled. The
driver is loaded only for scripts with arrays on a GPU, which have loaded it already."""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator

LIBRARY = "libcuda.so.1"
HANDLE_BYTES = 64
LEGACY_STREAM = 1
# Values of cuda.h.
_EVENT_DISABLE_TIMING, _EVENT_INTERPROCESS = 2, 4
_POINTER_DEVICE_ORDINAL = 9
_MEMORY_DEVICE = 2
_BLOCK = 1 << 21  # the driver's unit of allocation: smaller pieces may share one, and a handle opens the whole unit

_Pointer, _Address = ctypes.c_void_p, ctypes.c_uint64


class CudaError(Exception):
    """An error that the driver returned."""


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * HANDLE_BYTES)]


class Uuid(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 16)]


class _Copy2D(ctypes.Structure):  # CUDA_MEMCPY2D
    _fields_ = [(name, kind) for side in ("src", "dst") for name, kind in (
        (f"{side}_x", ctypes.c_size_t), (f"{side}_y", ctypes.c_size_t), (f"{side}_type", ctypes.c_uint),
        (f"{side}_host", _Pointer), (f"{side}_device", _Address), (f"{side}_array", _Pointer),
        (f"{side}_pitch", ctypes.c_size_t))] + [("width", ctypes.c_size_t), ("height", ctypes.c_size_t)]


_INT = ctypes.POINTER(ctypes.c_int)
_FUNCTIONS = {
    "cuInit": (ctypes.c_uint,),
    "cuGetErrorString": (ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)),
    "cuDeviceGet": (_INT, ctypes.c_int),
    "cuDeviceGetUuid_v2": (ctypes.POINTER(Uuid), ctypes.c_int),
    "cuDevicePrimaryCtxRetain": (ctypes.POINTER(_Pointer), ctypes.c_int),
    "cuCtxPushCurrent_v2": (_Pointer,),
    "cuCtxPopCurrent_v2": (ctypes.POINTER(_Pointer),),
    "cuPointerGetAttribute": (_Pointer, ctypes.c_int, _Address),
    "cuMemAlloc_v2": (ctypes.POINTER(_Address), ctypes.c_size_t),
    "cuMemFree_v2": (_Address,),
    "cuMemcpyDtoDAsync_v2": (_Address, _Address, ctypes.c_size_t, _Pointer),
    "cuMemcpy2DAsync_v2": (ctypes.POINTER(_Copy2D), _Pointer),
    "cuEventCreate": (ctypes.POINTER(_Pointer), ctypes.c_uint),
    "cuEventRecord": (_Pointer, _Pointer),
    "cuEventDestroy_v2": (_Pointer,),
    "cuStreamSynchronize": (_Pointer,),
    "cuStreamIsCapturing": (_Pointer, _INT),
    "cuIpcGetMemHandle": (ctypes.POINTER(Handle), _Address),
    "cuIpcGetEventHandle": (ctypes.POINTER(Handle), _Pointer),
}


class Driver:
    """CudaError if the driver is missing or lacks a function. Thread: any."""

    def __init__(self, library: str) -> None:
        try:
            loaded = ctypes.CDLL(library)
            self._calls = {}
            for name, kinds in _FUNCTIONS.items():
                call = self._calls[name] = getattr(loaded, name)
                call.argtypes, call.restype = kinds, ctypes.c_int
        except (OSError, AttributeError) as fault:
            raise CudaError(f"NVIDIA's driver cannot be used: {fault}") from fault
        self("cuInit", 0)
        self._contexts: dict[int, int] = {}
        self._uuids: dict[int, bytes] = {}

    def __call__(self, name: str, *arguments: object) -> None:
        status = self._calls[name](*arguments)
        if status != 0:
            words = ctypes.c_char_p()
            self._calls["cuGetErrorString"](status, ctypes.byref(words))
            said = words.value.decode("utf-8", "replace") if words.value else f"status {status}"
            raise CudaError(f"{name.split('_')[0]}: {said}")

    @contextlib.contextmanager
    def on(self, device: int) -> Iterator[None]:
        """Makes the device's primary context, which all libraries use, current for the calls within."""
        if device not in self._contexts:
            number, context = ctypes.c_int(), _Pointer()
            self("cuDeviceGet", ctypes.byref(number), device)
            self("cuDevicePrimaryCtxRetain", ctypes.byref(context), number)
            self._contexts[device] = context.value
        self("cuCtxPushCurrent_v2", self._contexts[device])
        try:
            yield
        finally:
            self("cuCtxPopCurrent_v2", ctypes.byref(_Pointer()))

    def uuid(self, device: int) -> bytes:
        """UUID of the device, or of its part if it is divided (MIG)."""
        if device not in self._uuids:
            number, uuid = ctypes.c_int(), Uuid()
            self("cuDeviceGet", ctypes.byref(number), device)
            self("cuDeviceGetUuid_v2", ctypes.byref(uuid), number)
            self._uuids[device] = bytes(uuid.bytes)
        return self._uuids[device]

    def device_of(self, address: int) -> int:
        ordinal = ctypes.c_int(-1)
        self("cuPointerGetAttribute", ctypes.byref(ordinal), _POINTER_DEVICE_ORDINAL, address)
        return ordinal.value

    def capturing(self, stream: int) -> bool:
        """Whether the stream is being recorded as a graph: our work must not become part of it."""
        state = ctypes.c_int()
        try:
            self("cuStreamIsCapturing", stream, ctypes.byref(state))
        except CudaError:  # another stream is being recorded, and this one must not be used meanwhile
            return True
        return state.value != 0


class Slots:
    """Own memory on a device, in slots, that another process may open: memory pools of other libraries cannot be shared.
    Each call needs the device's context (Driver.on). CudaError: no memory, or a driver that does not share."""

    def __init__(self, driver: Driver, count: int, size: int) -> None:
        self._driver = driver
        self.size = -(-size // 256) * 256
        self._address = _Address()
        self._events: list[_Pointer] = []
        driver("cuMemAlloc_v2", ctypes.byref(self._address), -(-self.size * count // _BLOCK) * _BLOCK)
        try:
            self.memory = self._shared("cuIpcGetMemHandle", self._address)
            self.written = []
            for _ in range(count):
                event = _Pointer()
                driver("cuEventCreate", ctypes.byref(event), _EVENT_DISABLE_TIMING | _EVENT_INTERPROCESS)
                self._events.append(event)
                self.written.append(self._shared("cuIpcGetEventHandle", event))
        except CudaError:
            self.free()
            raise

    def _shared(self, call: str, what: object) -> bytes:
        handle = Handle()
        self._driver(call, ctypes.byref(handle), what)
        return bytes(handle.bytes)

    def copy(self, slot: int, source: int, size: int, stream: int) -> None:
        """Enqueues the copy; the slot's event marks its end."""
        self._driver("cuMemcpyDtoDAsync_v2", self._address.value + slot * self.size, source, size, stream)
        self._driver("cuEventRecord", self._events[slot], stream)

    def copy_rows(self, slot: int, source: int, pitch: int, width: int, rows: int, stream: int) -> None:
        """Enqueues a copy of rows of `width` bytes that lie `pitch` apart; they are contiguous in the slot."""
        what = _Copy2D(src_type=_MEMORY_DEVICE, src_device=source, src_pitch=pitch, dst_type=_MEMORY_DEVICE,
                       dst_device=self._address.value + slot * self.size, dst_pitch=width, width=width, height=rows)
        self._driver("cuMemcpy2DAsync_v2", ctypes.byref(what), stream)
        self._driver("cuEventRecord", self._events[slot], stream)

    def free(self) -> None:
        """Ignores errors: nothing else can be done."""
        for event in self._events:
            with contextlib.suppress(CudaError):
                self._driver("cuEventDestroy_v2", event)
        with contextlib.suppress(CudaError):
            self._driver("cuMemFree_v2", self._address)
        self._events = []


@functools.cache
def driver(library: str | None = None) -> Driver:
    """The driver of this process. CudaError if there is none; the next call tries again."""
    return Driver(library or LIBRARY)
