"""Locates an array on a GPU, by DLPack or __cuda_array_interface__, and plans the copy into a slot."""

from __future__ import annotations

import ctypes
import math
import sys
from dataclasses import dataclass
from typing import Any

from ._cuda import LEGACY_STREAM

# Of messages: ElementType of sims/live/elements.h in the sources.
TYPES = {"f2": 1, "f4": 2, "f8": 3, "i1": 4, "i2": 5, "i4": 6, "i8": 7, "u1": 8, "u2": 9, "u4": 10, "u8": 11, "b1": 12,
         "c8": 13, "c16": 14, "bf2": 15}
# A span of memory is copied as one if it is at most SPREAD times as large as its elements, or at most LITTLE bytes.
SPREAD, LITTLE = 4, 1 << 24


class Elsewhere(Exception):
    """Why an array cannot be copied on its device; it is copied through the host."""


@dataclass
class Located:
    """address: of element [0, 0]. steps: in elements, may be negative. stream: for the copy. ordered: the loop's next work
    waits for this stream. keep: holding this object keeps the memory alive."""

    address: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]
    type: str
    stream: int
    ordered: bool
    keep: Any

    @property
    def complex(self) -> bool:
        return self.type[0] == "c"

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """Of an element."""
        return int(self.type.lstrip("bcfiu"))


@dataclass
class Plan:
    """One copy: of `size` bytes from `source`, or of rows. Then, in the slot: where elements lie, in elements."""

    source: int
    size: int
    pitch: int  # of rows; 0: one piece
    width: int
    rows: int
    first: int
    row_step: int
    column_step: int


def plan(array: Located) -> Plan:
    """Elsewhere: the elements lie too far apart for one copy."""
    rows, columns = (1, *array.shape) if len(array.shape) == 1 else array.shape
    down, right = (0, *array.steps) if len(array.steps) == 1 else array.steps
    # The step of a dimension with one element has no meaning.
    down, right = down if rows > 1 else 0, right if columns > 1 else 1
    low = min(0, down * (rows - 1)) + min(0, right * (columns - 1))
    span = max(0, down * (rows - 1)) + max(0, right * (columns - 1)) - low + 1
    size = array.bytes
    if span <= SPREAD * rows * columns or span * size <= LITTLE:
        return Plan(array.address + low * size, span * size, 0, 0, 0, -low, down, right)
    if right == 1 and down >= columns:
        return Plan(array.address, rows * columns * size, down * size, columns * size, rows, 0, columns, 1)
    raise Elsewhere("its elements are far apart in memory")


class _Tensor(ctypes.Structure):  # DLTensor
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("dimensions", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


_KINDS = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "c", 6: "b"}  # of DLPack
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def stream_of(array: Any) -> tuple[int, bool]:
    """The stream on which the loop computes the array; and whether that is known."""
    library = type(array).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].cuda.current_stream(array.device).cuda_stream or LEGACY_STREAM, True
    if library == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream().ptr or LEGACY_STREAM, True
    told = getattr(array, "__cuda_array_interface__", None) or {}
    if told.get("stream"):
        return int(told["stream"]), True
    return LEGACY_STREAM, library == "numba"


def _packed(array: Any) -> Located:
    stream, known = stream_of(array)
    # -1: no wait needed, because our copy is on the loop's stream.
    capsule = array.__dlpack__(stream=-1 if known else stream)
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
    bits = tensor.bits * tensor.lanes
    kind = _KINDS.get(tensor.code)
    if kind is None or tensor.lanes != 1 or bits % 8:
        raise Elsewhere("its element type is not supported")
    shape = tuple(tensor.shape[i] for i in range(tensor.dimensions))
    steps = tuple(tensor.strides[i] for i in range(tensor.dimensions)) if tensor.strides else dense(shape)
    # An immutable array only needs to be kept until it is copied.
    frozen = type(array).__module__.partition(".")[0] in ("jax", "jaxlib")
    return Located((tensor.data or 0) + tensor.offset, shape, steps, f"{kind}{bits // 8}", stream, known or frozen, capsule)


def _told(array: Any) -> Located:
    told = array.__cuda_array_interface__
    stream, known = stream_of(array)
    kind = told["typestr"]
    if kind[0] == ">":
        raise Elsewhere("its numbers are big-endian")
    if told.get("mask") is not None:
        raise Elsewhere("it has a mask")
    shape, size = tuple(told["shape"]), int(kind[2:])
    strides = told.get("strides")
    if strides is not None and any(each % size for each in strides):
        raise Elsewhere("its strides are not multiples of the element size")
    steps = dense(shape) if strides is None else tuple(each // size for each in strides)
    return Located(told["data"][0], shape, steps, kind[1:], stream, known, array)


def dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Steps of a contiguous array."""
    steps, step = [], 1
    for each in reversed(shape):
        steps.append(step)
        step *= each
    return tuple(reversed(steps))


def locate(array: Any) -> Located:
    """Locates an array on a GPU. Elsewhere: its place is unknown, or cannot be used."""
    fault: Exception | None = None
    for attribute, find in (("__dlpack__", _packed), ("__cuda_array_interface__", _told)):
        try:
            if not hasattr(array, attribute):
                continue
            found = find(array)
        except Exception as error:  # of the array's library: try the other interface
            fault = error
            continue
        if found.type not in TYPES:
            raise Elsewhere(f"elements of type {found.type} are not supported")
        return found
    raise Elsewhere(f"{type(array).__name__} does not say where it is in memory: {fault}") from fault
