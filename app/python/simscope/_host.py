"""Arrays of other libraries as NumPy's: in place if they are in the host's memory, copied if they are on a GPU."""

from __future__ import annotations

import contextlib
import math
from typing import Any, NamedTuple

from ._arrays import numpy
from ._labels import unit_of, within
from ._located import Elsewhere, locate

CPU = 1  # DLPack's number of the device; page-locked host memory is 3, managed memory 13
HOST_DEVICES = (CPU, 3)
LARGEST_SIDE, MOST_ELEMENTS = 1 << 24, 1 << 26
COLOURS = (3, 4)  # components of a picture


class Numbers(NamedTuple):
    """data: of NumPy's own class. mask: True where there is no value; None: everywhere is one."""

    data: Any
    mask: Any


def on_gpu(array: Any) -> bool:
    """Whether it is in a GPU's memory: by DLPack, else by __cuda_array_interface__."""
    if hasattr(array, "__dlpack_device__"):
        try:
            return int(array.__dlpack_device__()[0]) not in HOST_DEVICES
        except Exception:  # of a tensor without memory: numbers() says why it cannot be read
            return False
    return hasattr(array, "__cuda_array_interface__")


def plain(array: Any) -> Any:
    """Without labels, unit, and gradients; dense; with pending negation or conjugation applied."""
    array = within(array)
    if hasattr(array, "toarray"):  # SciPy's sparse matrices
        check_shape(tuple(array.shape))
        return array.toarray()
    if getattr(getattr(array, "device", None), "type", "") == "meta":
        raise TypeError("a tensor on the device meta has no values; give one on another device")
    if hasattr(array, "to_dense") and str(getattr(array, "layout", "torch.strided")) != "torch.strided":
        check_shape(tuple(array.shape))
        array = array.to_dense()
    for name in ("detach", "resolve_conj", "resolve_neg"):  # PyTorch
        if hasattr(array, name):
            array = getattr(array, name)()
    return array


def numbers(array: Any) -> Numbers:
    """For reading. TypeError: NumPy cannot read it."""
    np = numpy()
    if _has_arrays(array):
        return _stacked(array)
    read = array if isinstance(array, np.ndarray) else _read(plain(array))
    mask = getattr(read, "mask", None)
    masked = isinstance(mask, np.ndarray) and mask.dtype == bool and mask.shape == read.shape
    return Numbers(np.asarray(read), mask if masked else None)


def _has_arrays(given: Any) -> bool:
    """Whether a list has items that NumPy would strip of a mask or a unit, or cannot read within a list."""
    np = numpy()
    return isinstance(given, (list, tuple)) and any(
        _has_arrays(each) or hasattr(each, "magnitude")
        or (hasattr(each, "shape") and type(each) is not np.ndarray and not isinstance(each, np.generic)) for each in given)


def _stacked(given: Any) -> Numbers:
    np = numpy()
    for each in given:
        if unit := unit_of(each):
            raise TypeError(f"a {type(given).__name__} has no unit for all of its items, and one is in {unit}; give one quantity "
                            "for all of them, or plain numbers")
    items = [numbers(each) for each in given]
    shapes = {each.data.shape for each in items}
    if len(shapes) > 1:
        raise ValueError(f"the items of a {type(given).__name__} have different shapes: "
                         f"{', '.join(map(str, sorted(shapes)[:3]))}")
    data = np.stack([each.data for each in items])
    if all(each.mask is None for each in items):
        return Numbers(data, None)
    return Numbers(data, np.stack([np.zeros(each.data.shape, bool) if each.mask is None else each.mask for each in items]))


def _read(array: Any) -> Any:
    np = numpy()
    if on_gpu(array):
        if (getattr(array, "__cuda_array_interface__", None) or {}).get("mask") is not None:
            raise TypeError(f"the mask of a {type(array).__name__} cannot be read; fill its missing values with NaN")
        for name in ("get", "copy_to_host", "cpu"):  # CuPy, Numba, PyTorch
            if hasattr(array, name):
                return _converted(getattr(array, name)())
        return _converted(array)  # JAX
    if hasattr(array, "__dlpack__"):
        # Fails for an older protocol, and for a type without DLPack.
        with contextlib.suppress(BufferError, TypeError, RuntimeError, AttributeError, ValueError):
            return np.from_dlpack(array)
    return _converted(array)


def _converted(array: Any) -> Any:
    np = numpy()
    try:
        read = np.asanyarray(array)  # a subclass may have a mask
    except Exception as fault:
        with contextlib.suppress(Exception):  # PyTorch's types that NumPy lacks: bfloat16
            return np.asanyarray(array.cfloat() if array.is_complex() else array.float())
        raise TypeError(f"{type(array).__name__} is not an array that NumPy can read: {fault}") from fault
    if read.shape == () and read.dtype == object:
        raise TypeError(f"{type(array).__name__} is not an array that NumPy can read")
    if read.dtype == object and hasattr(array, "to_numpy"):
        types = array.dtypes if hasattr(array, "columns") else [array.dtype]
        kinds = {getattr(each, "kind", "O") for each in types}
        with contextlib.suppress(Exception):
            if kinds <= set("biufc"):  # pandas' numbers that may be missing
                return array.to_numpy(dtype="f8", na_value=np.nan)
            if kinds == {"M"}:  # of a time zone
                return array.to_numpy(dtype="M8[ns]")
    return read


def form_of(array: Any) -> tuple[tuple[int, ...], bool]:
    """Shape, and whether it is complex. ValueError, TypeError: it cannot be shown; the message says what to do."""
    array = plain(array)
    if on_gpu(array):
        with contextlib.suppress(Elsewhere):  # read it on the host
            found = locate(array)
            check_shape(found.shape)
            return found.shape, found.complex
    data = numbers(array).data
    check_kind(data.dtype)
    check_shape(data.shape)
    return data.shape, data.dtype.kind == "c"


def check_kind(dtype: Any) -> None:
    """TypeError for an array without real or complex numbers."""
    if dtype.kind in "biufc" or (dtype.kind == "V" and not issubclass(dtype.type, numpy().void)):  # ml_dtypes' bfloat16
        return
    if dtype.kind in "mM":
        raise TypeError(f"an array of {dtype} has no numbers to show; give (u - u.min()) / numpy.timedelta64(1, 's')")
    if dtype.names:
        raise TypeError(f"an array of records has no numbers to show; give one of its fields: u[{dtype.names[0]!r}]")
    raise TypeError(f"an array of {dtype} has no numbers to show; give real or complex numbers: u.astype(float)")


def check_shape(shape: tuple[int, ...]) -> None:
    size = math.prod(shape)
    if len(shape) not in (1, 2):
        what = "no dimension" if not shape else f"{len(shape)} dimensions"
        raise ValueError(f"show takes arrays of one dimension (a curve) or two (a field), not of {what}; {_cure(shape)}")
    if size == 0:
        raise ValueError(f"the array of shape {shape} is empty; give one element or more")
    if max(shape) > LARGEST_SIDE or size > MOST_ELEMENTS:
        less = "u[::2, ::2]" if len(shape) == 2 else "u[::2]"
        many = f"{size} elements are more than {MOST_ELEMENTS} (8192 x 8192)"
        if size <= MOST_ELEMENTS:
            many = f"{max(shape)} elements along a side are more than {LARGEST_SIDE}"
        raise ValueError(f"{many}; show every second one: {less}")


def _cure(shape: tuple[int, ...]) -> str:
    if not shape:
        return "numpy.atleast_1d makes one of it"
    if len([each for each in shape if each != 1]) in (1, 2):
        return "u.squeeze() has no dimensions of one element"
    if len(shape) == 3 and shape[-1] in COLOURS and min(shape[:2]) > max(COLOURS):
        return "u[..., 0] is one of its colours"
    return f"u[{', '.join('0' * (len(shape) - 2))}] is one of its planes"
