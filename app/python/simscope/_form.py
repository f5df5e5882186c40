"""The description of an array for a window: axes, titles, source."""

from __future__ import annotations

import os
import sys
from typing import Any

from ._host import host


def described(given: dict, shape: tuple[int, ...], complex_: bool) -> dict:
    """The description of an array of this shape; axes given as coordinates must fit it."""
    made = {key: value for key, value in given.items() if key not in ("x", "y") and value is not None}
    made |= {"shape": list(shape), "complex": complex_}
    for key, extent in (("x", shape[-1]), ("y", shape[0] if len(shape) == 2 else None)):
        axis = given[key]
        if extent is None:
            if "low" in axis or "places" in axis:
                raise ValueError(f"{key}: a curve has only an x axis; for its values give range=(low, high)")
            continue
        made[key] = limits(key, axis, extent)
    return made


def limits(key: str, axis: dict, extent: int) -> dict:
    """The axis with its ends: the place of the first element, and of one past the last."""
    places = axis.get("places")
    rest = {name: value for name, value in axis.items() if name != "places"}
    if places is None:
        return rest
    if len(places) != extent:
        raise ValueError(f"{key} has {len(places)} coordinates, but the array has {extent} along it; give {extent}, or (low, high)")
    step = (places[-1] - places[0]) / (extent - 1)
    even = all(abs(places[0] + i * step - at) <= 1e-3 * abs(step) for i, at in enumerate(places))
    if not step > 0 or not even:
        raise ValueError(f"the coordinates along {key} must grow by equal steps")
    return rest | {"low": places[0], "high": places[0] + extent * step}


def axis_of(key: str, given: Any, unit: str) -> dict:
    axis: dict[str, Any] = {"title": key, "unit": unit}
    if given is None:
        return axis
    places = [float(each) for each in (host(given).tolist() if hasattr(given, "shape") else given)]
    if len(places) < 2:
        raise ValueError(f"{key} needs (low, high), or the coordinates of all elements")
    if len(places) > 2:
        return axis | {"places": places}
    if not places[0] < places[1]:
        raise ValueError(f"{key} goes from {places[0]:g} to {places[1]:g}; give the smaller one first")
    return axis | {"low": places[0], "high": places[1]}


def source() -> str:
    name = os.path.basename(sys.argv[0]) if sys.argv and sys.argv[0] not in ("", "-c", "-m") else "python"
    return f"{name}, process {os.getpid()}"
