"""simscope.sweep: many runs over one or two parameters."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._arrays import column
from ._describe import Program
from ._program import call, changes, find, note, option, text_of


class Sweep:
    """The numbers of many runs: sweep["transmission"], sweep["transmission_exact"], sweep["packet_momentum"]: a value for
    each run, NaN if it has none. columns: the names. shape: (runs,), or for two parameters (second, first), for
    sweep[...].reshape(sweep.shape). failures: runs that did not stay finite, and why. report: the program's report."""

    def __init__(self, report: dict[str, Any]) -> None:
        self.report = report
        self.columns: tuple[str, ...] = tuple(report["columns"])
        self.shape: tuple[int, ...] = tuple(each["count"] for each in reversed(report["sweep"]))
        self.failures: list[dict[str, Any]] = report["failures"]
        self.warnings: list[dict[str, Any]] = report["warnings"]
        self.parameters: dict[str, Any] = report["parameters"]
        rows = [[float("nan") if value is None else value for value in row] for row in report["runs"]]
        self._table = {name: column(list(values)) for name, values in zip(self.columns, zip(*rows))}

    def __getitem__(self, key: str) -> Any:
        try:
            return self._table[key]
        except KeyError:
            raise KeyError(f"{key!r} was not measured; columns: {', '.join(self.columns)}") from None

    def keys(self) -> tuple[str, ...]:
        """With keys() and [], dict(sweep) and pandas.DataFrame(dict(sweep)) work."""
        return self.columns

    def __len__(self) -> int:
        return len(self.report["runs"])

    def __repr__(self) -> str:
        return f"{self.report['simulation']}: {len(self)} runs of {self.report['steps']} steps: {', '.join(self.columns)}"


def _values(key: str, given: Iterable[Any] | str) -> str:
    if isinstance(given, str):
        return f"{key}={given}"
    if isinstance(given, tuple):
        if len(given) not in (3, 4) or (len(given) == 4 and given[3] != "log"):
            raise ValueError(f"{key} = {given}: a tuple is a range, (from, to, count) or (from, to, count, 'log'); "
                             "give single values as a list")
        return f"{key}=" + ":".join(_one(key, text_of(each)) for each in given)
    try:
        if isinstance(given, (bytes, bytearray, memoryview, Mapping)):
            raise TypeError("its items are bytes or keys, not values")
        values = [text_of(each) for each in given]
    except (TypeError, ValueError) as fault:
        raise TypeError(f"{key}: {given!r} is neither a range (from, to, count) nor a list of numbers") from fault
    if len(values) < 2:
        raise ValueError(f"{key} = {values}: a sweep needs two values or more; give a single one as a parameter")
    return f"{key}=" + ",".join(_one(key, each) for each in values)


# The program takes a comma and a colon for the end of a value.
def _one(key: str, text: str) -> str:
    if "," in text or ":" in text:
        raise ValueError(f"{key}: {text!r} is one item, and no single value; write decimals with a point (1.5), several values "
                         "as several items ([1, 2]), and a range as a tuple, (from, to, count)")
    return text


def sweep(simulation: str | os.PathLike[str], over: Mapping[str, Iterable[Any] | str], measure: str | Sequence[str], /, *,
          steps: int | None = None, preset: str | None = None, seed: int | None = None, device: str | None = None,
          threads: int | None = None, parameters: Mapping[str, Any] | None = None, program: Program = None,
          **more: Any) -> Sweep:
    """Many runs over one or two parameters: sweep("tunneling", {"packet_momentum": (0.5, 3, 40)}, "transmission").

    over: of each parameter its values: a list, an array, a range, or any other iterable of numbers. A tuple is a range:
    (from, to, count), evenly spaced; with "log" as a fourth item, by equal factors.
    measure: diagnostics at the end of each run; known exact values are in KEY_exact.
    steps: of each run; by default to the preset's end. All other arguments and errors are as in run().
    """
    if not isinstance(over, Mapping):
        raise TypeError(f"{over!r}: give the values of each parameter as {{'barrier_height': [1, 2, 3]}}")
    path = find(program)
    arguments = ["sweep", *option("steps", steps), *option("preset", preset), *option("seed", seed),
                 *option("device", device), *option("threads", threads)]
    for key, given in over.items():
        arguments.append(f"--param={_values(key, given)}")
    for key in [measure] if isinstance(measure, str) else measure:
        arguments.append(f"--measure={key}")
    arguments += [*changes({**(parameters or {}), **more}), "--report=-", "--", os.fspath(simulation)]
    result = Sweep(json.loads(call(path, arguments)))
    for each in result.warnings:
        note(f"{len(each['runs'])} of {len(result)} runs: {each['message']}")
    return result
