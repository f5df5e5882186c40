"""Arrays from the program's files: NumPy's if it is installed, else memoryviews of the same shape."""

from __future__ import annotations

import ast
import functools
import importlib
import math
import os
import struct
import sys
import zipfile
from typing import Any

MAGIC = b"\x93NUMPY"
# The types that the program writes, little-endian, and how memoryview calls them; complex numbers are pairs (re, im).
FORMATS = {"f4": ("f", 1), "f8": ("d", 1), "i4": ("i", 1), "i8": ("q", 1), "u1": ("B", 1), "u4": ("I", 1),
           "u8": ("Q", 1), "c8": ("f", 2), "c16": ("d", 2)}


@functools.cache
def numpy() -> Any:
    """The module, or None if it is not installed; loaded with the first array."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


def plain(data: bytes, name: str) -> memoryview:
    """An NPY file's bytes as a read-only memoryview; complex numbers have a last dimension of two more, (re, im).
    ValueError names the file if it is not an NPY file, or not of a kind that the program writes."""
    try:
        if data[:6] != MAGIC:
            raise ValueError("does not begin like an NPY file")
        wide = data[6] > 1
        (length,) = struct.unpack_from("<I" if wide else "<H", data, 8)
        begin = (12 if wide else 10) + length
        header = ast.literal_eval(data[12 if wide else 10:begin].decode("utf-8").strip())
        dtype, shape = header["descr"], tuple(header["shape"])
        if header["fortran_order"]:
            raise ValueError("is in Fortran order (columns first)")
        if sys.byteorder != "little" or dtype[:1] not in "<|" or dtype[1:] not in FORMATS:
            raise ValueError(f"holds numbers of the type {dtype}")
        kind, parts = FORMATS[dtype[1:]]
        shape = (*shape, parts) if parts > 1 else shape or (1,)
        body = memoryview(data)[begin:]
        if math.prod(shape) * struct.calcsize(kind) != len(body):
            raise ValueError(f"does not have the length of its shape {shape}: it is cut off or too long")
        return body.cast(kind) if 0 in shape else body.cast(kind, shape)
    except (KeyError, IndexError, TypeError, SyntaxError, UnicodeDecodeError, struct.error, ValueError) as fault:
        raise ValueError(f"{name}: {fault if isinstance(fault, ValueError) else 'is not a whole NPY file'}") from fault


def _member(archive: zipfile.ZipFile, name: str) -> Any:
    if numpy() is None:
        return plain(archive.read(name), name)
    with archive.open(name) as file:
        return numpy().lib.format.read_array(file, allow_pickle=False)


def read_snapshot(path: str | os.PathLike[str], first: str = "") -> dict[str, Any]:
    """The arrays of a snapshot (.npz) by name; `first` comes first. ValueError: not a snapshot."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [each.removesuffix(".npy") for each in archive.namelist() if each.endswith(".npy")]
            names.sort(key=lambda name: name != first)
            return {name: _member(archive, name + ".npy") for name in names}
    except zipfile.BadZipFile as fault:
        raise ValueError(f"{os.fspath(path)} is not a snapshot: {fault}") from fault


def column(values: list[float]) -> Any:
    """Numbers as an array of NumPy if it is installed, else as a list."""
    return values if numpy() is None else numpy().array(values, dtype=float)
