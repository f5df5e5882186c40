"""The description of an array for a window: axes, titles, units, source."""

from __future__ import annotations

import math
import os
import sys
from typing import Any

from ._arrays import numpy
from ._host import numbers
from ._labels import Dimension, agreed, dimensions_of, name_of, unit_of

LARGEST = 1e300  # of an axis' ends: their difference is a number, too
UNEVEN = 1e-3  # of a step: coordinates that differ by less are evenly spaced


def labelled(given: dict, array: Any) -> tuple[dict, bool]:
    """The description with what a labelled array, or one with a unit, says of itself; and whether to transpose the array,
    because x names its first dimension, or y its second. `given` itself for other arrays."""
    dimensions = dimensions_of(array)
    unit = agreed("unit", given["unit"], array)
    if not dimensions:
        for key in ("x", "y"):
            if "dim" in given[key] and "places" not in given[key]:
                raise ValueError(f"{key}={given[key]['dim']!r} names a dimension, but the array has no names; give coordinates, "
                                 "or (low, high)")
        return (given if unit == given["unit"] else given | {"unit": unit}), False
    names = [each.name for each in dimensions]
    for key in ("x", "y"):
        if (dim := given[key].get("dim")) is not None and any(names) and dim not in names:
            raise ValueError(f"{key} is along {dim!r}; the array has the dimensions {', '.join(map(repr, names))}")
    turned = len(names) == 2 and names[0] != names[1] and (
        given["x"].get("dim") == names[0] or given["y"].get("dim") == names[1])
    if turned:
        dimensions = dimensions[::-1]
    made = given | {"unit": unit, "x": _own("x", given["x"], dimensions[-1])}
    if len(dimensions) == 2:
        made["y"] = _own("y", given["y"], dimensions[0])
    return made | {"symbol": given["symbol"] or name_of(array) or None}, turned


def _own(key: str, axis: dict, own: Dimension) -> dict:
    """The axis, completed by the array's own dimension. Coordinates that are no numbers (names of columns) are left out:
    elements are counted."""
    if "places" in axis:
        return axis
    axis = axis | {"title": own.name or axis["title"]}
    if own.coordinates is None or numbers(own.coordinates).data.dtype.kind not in "iufmM":
        return axis
    places, error = places_of(key, own.coordinates)
    return axis | {"unit": agreed(f"{key}_unit", axis["unit"], own.coordinates), "places": places, "error": error,
                   "own": True, "array": True}


def described(given: dict, shape: tuple[int, ...], complex_: bool) -> dict:
    """The description of an array of this shape; axes given as coordinates must fit it."""
    made = {key: value for key, value in given.items() if key not in ("x", "y") and value is not None}
    made |= {"shape": list(shape), "complex": complex_}
    for key, extent in (("x", shape[-1]), ("y", shape[0] if len(shape) == 2 else None)):
        axis = given[key]
        if extent is None:
            if "places" in axis:
                raise ValueError(f"{key}: a curve has only an x axis; for its values give range=(low, high)")
            continue
        made[key] = {name: axis[name] for name in ("title", "unit")} | ends(key, axis, extent, len(shape) == 2)
    return made


def ends(key: str, axis: dict, extent: int, plane: bool) -> dict:
    """The ends of the axis: of a field the outer edges of its cells, whose centres are the coordinates; of a curve the places
    of the first element and of one past the last."""
    places = axis.get("places")
    if places is None:
        return {}
    pair = len(places) == 2 and not (axis["array"] and extent == 2)
    if pair and "dim" not in axis:  # coordinates of a dimension are no ends
        low, high = map(float, places)
        if not low < high:
            raise ValueError(f"{key} goes from {low:g} to {high:g}; give the smaller one first")
        return {"low": low, "high": high}
    if len(places) == 1 and extent > 1:
        raise ValueError(f"{key} needs (low, high), or the coordinates of all {extent} elements")
    if len(places) != extent:
        edges = f"; for edges of cells give ({key}[0], {key}[-1])" if len(places) == extent + 1 else ""
        raise ValueError(f"{key} has {len(places)} coordinates, but the array has {extent} along it; give {extent}, or "
                         f"(low, high){edges}")
    step = _step(key, axis, plane)
    low = float(places[0]) - (step / 2 if plane else 0)
    return {"low": low, "high": low + extent * step}


def _step(key: str, axis: dict, plane: bool) -> float:
    np, places = numpy(), axis["places"]
    if len(places) == 1:
        return 1.0
    step = float(places[-1] - places[0]) / (len(places) - 1)
    distance = np.abs(places[0] + step * np.arange(len(places)) - places)
    if step == 0 or distance.max() > UNEVEN * abs(step) + axis["error"]:
        steps = np.diff(places)
        worst = int(np.abs(steps - step).argmax())
        raise ValueError(f"the coordinates along {key} must grow by equal steps; from {places[worst]:g} to "
                         f"{places[worst + 1]:g} the step is {steps[worst]:g}, on average {step:g}. Interpolate the array, or "
                         f"give {key}=(low, high)")
    if step < 0:
        turned = "[:, ::-1]" if plane and key == "x" else "[::-1]"
        cure = f"show da{turned}" if axis["own"] else f"show u{turned} with {key}={key}[::-1]"
        raise ValueError(f"the coordinates along {key} must grow by equal steps, and descend from {places[0]:g} to "
                         f"{places[-1]:g}; {cure}")
    return step


def places_of(key: str, given: Any) -> tuple[Any, float]:
    """Coordinates in double precision, and by how much each may be rounded."""
    np = numpy()
    try:
        data, mask = numbers(given)
        if data.dtype.kind in "mM":
            raise TypeError(f"it holds {data.dtype}; give numbers: ({key} - {key}[0]) / numpy.timedelta64(1, 's'), with "
                            f"{key}_unit='s'")
        rounding = float(np.finfo(data.dtype).eps) if data.dtype.kind == "f" else 0.0
        if data.dtype.kind == "c" or data.dtype.kind in "SU":
            raise TypeError(f"it holds {data.dtype}")
        places = data.astype("f8")
    except (TypeError, ValueError) as fault:
        raise TypeError(f"{key} needs numbers: {fault}") from fault
    if places.ndim != 1:
        row = {"x": "; give the first row, x[0]", "y": "; give the first column, y[:, 0]"}[key] if places.ndim == 2 else ""
        raise ValueError(f"{key} has {places.ndim} dimensions, and needs one{row}")
    good = np.abs(places) <= LARGEST if mask is None else (np.abs(places) <= LARGEST) & ~mask
    if not good.all():
        worst = int(good.argmin())
        what = "masked" if mask is not None and mask[worst] else f"{places[worst]:g}"
        raise ValueError(f"{key} needs numbers between -{LARGEST:g} and {LARGEST:g}; element {worst} is {what}")
    return places, 2 * rounding * float(np.abs(places).max(initial=0))


def axis_of(key: str, given: Any, unit: Any) -> dict:
    """An axis from an argument of show(): (low, high), coordinates, or the name of a dimension."""
    axis: dict[str, Any] = {"title": key, "unit": "" if unit is None else str(unit)}
    if given is None:
        return axis
    if isinstance(given, str):
        return axis | {"title": given, "dim": given}
    places, error = places_of(key, given)
    if len(places) == 0:
        raise ValueError(f"{key} needs (low, high), or the coordinates of all elements")
    axis |= {"unit": agreed(f"{key}_unit", unit, given), "places": places, "error": error, "own": False,
             "array": hasattr(given, "shape")}
    dims = getattr(given, "dims", None)
    if isinstance(dims, tuple) and len(dims) == 1:
        axis["dim"] = str(dims[0])
    return axis | {"title": axis.get("dim") or name_of(given) or key}


def _number(given: Any) -> float:
    """float() takes a time in nanoseconds, and a percentage, for another number."""
    if unit := unit_of(given):
        raise TypeError(f"{given} is in {unit}; give a plain number")
    if getattr(getattr(given, "dtype", None), "kind", "") in ("m", "M"):
        raise TypeError(f"{given!r} is a time; give a plain number")
    return float(given)


def range_of(given: Any) -> list[float] | None:
    if given is None:
        return None
    largest = float(numpy().finfo("f4").max)
    try:
        if isinstance(given, str):
            raise TypeError(f"{given!r} is a text")
        low, high = (_number(each) for each in given)
    except Exception as fault:
        raise TypeError(f"range needs (low, high), two numbers in the array's unit: {fault}") from fault
    if not -largest <= low < high <= largest:
        raise ValueError(f"range goes from {low:g} to {high:g}; it needs two numbers between -{largest:.2g} and {largest:.2g}, "
                         "the smaller one first")
    return [low, high]


def time_of(given: Any) -> float:
    try:
        time = _number(given)
    except Exception as fault:
        raise TypeError(f"time needs a number, with its unit in time_unit: {fault}") from fault
    if not math.isfinite(time):
        raise ValueError(f"time is {time:g}; it needs a finite number")
    return time


def source() -> str:
    name = os.path.basename(sys.argv[0]) if sys.argv and sys.argv[0] not in ("", "-c", "-m") else "python"
    return f"{name}, process {os.getpid()}"
