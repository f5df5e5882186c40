"""Arrays of other libraries as NumPy's: in place if they are in the host's memory, copied if they are on a GPU."""

from __future__ import annotations

import math
from typing import Any

from ._arrays import numpy
from ._located import Elsewhere, locate

CPU = 1  # DLPack's number of the device; page-locked host memory is 3, managed memory 13
HOST_DEVICES = (CPU, 3)
LARGEST_SIDE, MOST_ELEMENTS = 1 << 24, 1 << 26


def on_gpu(array: Any) -> bool:
    """Whether it is in a GPU's memory: by DLPack, else by __cuda_array_interface__."""
    if hasattr(array, "__dlpack_device__"):
        return int(array.__dlpack_device__()[0]) not in HOST_DEVICES
    return hasattr(array, "__cuda_array_interface__")


def plain(array: Any) -> Any:
    """A PyTorch array without gradients, and with pending negation or conjugation applied."""
    for name in ("detach", "resolve_conj", "resolve_neg"):
        if hasattr(array, name):
            array = getattr(array, name)()
    return array


def host(array: Any) -> Any:
    """As a NumPy array, for reading. TypeError: it cannot become one."""
    np = numpy()
    if isinstance(array, np.ndarray):
        return array
    array = plain(array)
    if on_gpu(array):
        for name in ("get", "copy_to_host", "cpu"):  # CuPy, Numba, PyTorch
            if hasattr(array, name):
                return np.asarray(getattr(array, name)())
        return np.asarray(array)  # JAX
    if hasattr(array, "__dlpack__"):
        try:
            return np.from_dlpack(array)
        except (BufferError, TypeError, RuntimeError, AttributeError):
            pass  # an older protocol, or a type without DLPack: bfloat16
    try:
        return np.asarray(array)
    except Exception as fault:
        raise TypeError(f"{type(array).__name__} is not an array that NumPy can read: {fault}") from fault


def form_of(array: Any) -> tuple[tuple[int, ...], bool]:
    """Shape, and whether it is complex. ValueError, TypeError: it cannot be shown; the message says what to do."""
    array = plain(array)
    if on_gpu(array):
        try:
            found = locate(array)
            check_shape(found.shape)
            return found.shape, found.complex
        except Elsewhere:
            pass  # read it on the host
    array = host(array)
    check_kind(array.dtype)
    check_shape(array.shape)
    return array.shape, array.dtype.kind == "c"


def check_kind(dtype: Any) -> None:
    if dtype.kind not in "biufc":
        raise TypeError(f"an array of {dtype} has no numbers to show; give real or complex numbers")


def check_shape(shape: tuple[int, ...]) -> None:
    size = math.prod(shape)
    if len(shape) not in (1, 2):
        what = "no dimension" if not shape else f"{len(shape)} dimensions"
        cure = "u[0] is one of its planes" if shape else "numpy.atleast_1d makes one of it"
        raise ValueError(f"show takes arrays of one dimension (a curve) or two (a field), not of {what}; {cure}")
    if size == 0:
        raise ValueError(f"the array of shape {shape} is empty")
    if max(shape) > LARGEST_SIDE or size > MOST_ELEMENTS:
        raise ValueError(f"{size} elements are more than {MOST_ELEMENTS} (8192 x 8192); show every second one: u[::2, ::2]")
