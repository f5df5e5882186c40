"""What an array says of itself: its unit, and the name and coordinates of each dimension (astropy, Pint, xarray, pandas)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Dimension(NamedTuple):
    name: str
    coordinates: Any  # None: it has none


def dimensions_of(array: Any) -> tuple[Dimension, ...]:
    """Of a labelled array; empty for others. TypeError: it holds several arrays."""
    if hasattr(array, "data_vars"):
        raise TypeError(f"a {type(array).__name__} holds several arrays; show one of them: ds[{next(iter(array.data_vars), 'name')!r}]")
    dims, coords = getattr(array, "dims", None), getattr(array, "coords", None)
    if isinstance(dims, tuple) and coords is not None:  # xarray
        return tuple(Dimension(str(name), coords[name] if name in coords else None) for name in dims)
    index = getattr(array, "index", None)
    if hasattr(array, "to_numpy") and hasattr(index, "to_numpy"):  # pandas
        axes = [index, *([array.columns] if hasattr(array, "columns") else [])]
        return tuple(Dimension("" if each.name is None else str(each.name), each) for each in axes)
    return ()


def within(array: Any) -> Any:
    """The array without its labels and its unit, if it is a wrapper of another one (xarray, Pint)."""
    array = _unlabelled(array)
    if hasattr(array, "magnitude") and hasattr(array, "units"):
        array = array.magnitude
    return array


def _unlabelled(array: Any) -> Any:
    return array.data if isinstance(getattr(array, "dims", None), tuple) and hasattr(array, "coords") else array


def name_of(array: Any) -> str:
    """Of a labelled array, or of coordinates."""
    name = getattr(array, "name", None) if hasattr(array, "dims") or hasattr(array, "to_numpy") else None
    return name if isinstance(name, str) else ""


def unit_of(array: Any) -> str:
    attributes = getattr(array, "attrs", None)
    if isinstance(attributes, Mapping):
        data = _unlabelled(array)
        unit = attributes.get("units", "" if data is array else unit_of(data))
        return "" if unit is None else str(unit)
    for name in ("unit", "units"):
        unit = getattr(array, name, None)
        method = callable(unit) and not hasattr(unit, "to_string")  # astropy's mag, dB, and dex can be called
        if unit is not None and not method and not hasattr(unit, "shape"):
            return str(unit)
    return ""


def agreed(key: str, given: Any, array: Any) -> str:
    """The unit that was given, else the array's own. ValueError: they differ."""
    own = unit_of(array)
    if given in (None, "") or not own:
        return own if given in (None, "") else str(given)
    if str(given) != own and not _same(given, own, array):
        raise ValueError(f"{key}={str(given)!r}, but the array is in {own}; convert it, or leave {key} out")
    return str(given)


def _same(given: Any, own: str, array: Any) -> bool:
    """Whether another spelling of the unit is meant: Pint's short one, or one that astropy reads."""
    try:
        unit = array.units if hasattr(array, "units") else array.unit
        return bool(str(given) == f"{unit:~}" if hasattr(array, "magnitude") else unit == given)
    except Exception:  # of the array's library
        return False
