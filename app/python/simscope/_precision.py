"""What single precision, in which arrays are shown, loses of their numbers."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

from ._arrays import numpy

LEVELS = 256  # so many steps of single precision from the smallest value to the largest: all colours of a field
DIGITS, LEAST = 24, 2.0**-126  # binary digits; the smallest number that has them all
SAMPLE = 4096  # elements
# Types whose numbers all are numbers in single precision.
EXACT = frozenset("b1 i1 u1 i2 u2 f2 f4 c8".split())


class Loss:
    """spread: the difference of the largest and the smallest value, if single precision has fewer than LEVELS steps for it;
    else 0. beyond: finite elements that single precision makes infinite."""

    def __init__(self) -> None:
        self.spread = 0.0
        self.beyond = 0
        self._overflows = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """The conversion happens within."""
        def overflow(*_: Any) -> None:
            self._overflows = True

        with numpy().errstate(over="call", invalid="ignore", call=overflow):
            yield

    def measure(self, data: Any, shown: Any) -> None:
        """data: what was given. shown: the same in single precision, contiguous."""
        np = numpy()
        if data.dtype.kind == "V" or data.dtype.str[1:] in EXACT:
            return
        pairs = [(data, shown)] if data.dtype.kind != "c" else [(data.real, shown.real), (data.imag, shown.imag)]
        if self._overflows:
            lost = [np.isinf(single) & np.isfinite(given) for given, single in pairs]
            self.beyond = int(np.count_nonzero(lost[0] if len(lost) == 1 else lost[0] | lost[1]))
        flat = shown.reshape(-1)
        sample = flat[::max(1, flat.size // SAMPLE)]
        # What is twice as wide in a sample cannot be narrow as a whole.
        if _narrow(*_extent(sample), 2) and _narrow(*_extent(flat), 1):
            parts = [_spread(given, single) for given, single in pairs]
            widest = max(spread for spread, _ in parts)
            if any(spread > 0 and _narrow(widest, magnitude, 1) for spread, magnitude in parts):
                self.spread = widest


def _extent(single: Any) -> tuple[float, float]:
    """Largest difference, and largest magnitude, of finite numbers; of complex ones, of their parts."""
    np = numpy()
    difference = magnitude = 0.0
    for part in (single.real, single.imag) if single.dtype.kind == "c" else (single,):
        low, high = float(np.fmin.reduce(part)), float(np.fmax.reduce(part))
        if not (abs(low) < np.inf and abs(high) < np.inf):  # also NaN
            finite = part[np.isfinite(part)]
            low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
        difference, magnitude = max(difference, high - low), max(magnitude, abs(low), abs(high))
    return difference, magnitude


def _narrow(difference: float, magnitude: float, factor: float) -> bool:
    step = math.ldexp(1, math.frexp(magnitude)[1] - DIGITS)  # the distance of neighbours
    return difference < factor * LEVELS * max(step, LEAST)


def _spread(given: Any, single: Any) -> tuple[float, float]:
    """Largest difference, exact, and largest magnitude of the elements that are shown as finite numbers."""
    finite = given[numpy().isfinite(single)]
    if finite.size == 0:
        return 0.0, 0.0
    low, high = finite.min(), finite.max()
    difference = int(high) - int(low) if given.dtype.kind in "iu" else high - low
    return float(difference), max(abs(float(low)), abs(float(high)))
