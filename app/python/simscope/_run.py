"""simscope.run: a run without graphics; its numbers and its state."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._arrays import read_snapshot
from ._describe import Array, Program, describe
from ._program import call, changes, find, note, option
from ._text import html_table, number, table


@dataclass(frozen=True)
class Info:
    """A diagnostic of a result. exact: the exact value at this time, None if there is none; exact_key: its diagnostic.
    bound: the largest absolute value in presets without a flaw, None if no bound is known."""

    title: str
    unit: str
    help: str
    exact: float | None
    exact_key: str | None
    bound: float | None


class Result:
    """The result of a run.

    diagnostics: numbers by key, None for those without a value.   info: title, unit, exact, bound of each.
    parameters: the values in force at the end, all of them.            time, steps, seed, device, preset.
    arrays: the state, by name (empty with arrays=False); array: its main one.
    warnings: problems that the program found (dicts: level, code, message; key and value of a parameter cure it).
    report: the program's whole report.
    """

    def __init__(self, report: dict[str, Any], arrays: dict[str, Any], program: str) -> None:
        self.report = report
        self.arrays = arrays
        self.simulation: str = report["simulation"]
        self.preset: str | None = report["preset"]
        self.device: str = report["device"]
        self.steps: int = report["steps"]
        self.time: float = report["time"]
        self.seed: int = report["seed"]
        self.parameters: dict[str, Any] = report["parameters"]
        self.diagnostics: dict[str, float | None] = report["diagnostics"]
        self.warnings: list[dict[str, Any]] = report["warnings"]
        self._program = program

    @functools.cached_property
    def info(self) -> dict[str, Info]:
        """Title, unit, and exact value of each diagnostic."""
        known = describe(self.simulation, program=self._program).diagnostics
        return {key: Info(each.title, each.unit, each.help, self.diagnostics.get(each.exact_key or ""), each.exact_key,
                          each.bound) for key, each in known.items()}

    @property
    def array_info(self) -> dict[str, Array]:
        """Description of each array of the state; shapes are those of the first preset."""
        return describe(self.simulation, program=self._program).arrays

    @property
    def array(self) -> Any:
        """The main array of the state: ψ, the temperature, the bodies' positions."""
        if not self.arrays:
            raise AttributeError("this run was made with arrays=False")
        return next(iter(self.arrays.values()))

    def _title(self) -> str:
        return f"{self.simulation}: {self.steps} steps to t = {number(self.time)} on {self.device}"

    def _rows(self) -> list[tuple]:
        return [(key, value, self.info[key].unit, self.info[key].title, self.info[key].exact)
                for key, value in self.diagnostics.items() if value is not None]

    def __repr__(self) -> str:
        arrays = "".join(f"  {name} {'×'.join(map(str, each.shape))}\n" for name, each in self.arrays.items())
        found = "".join(f"{each['level']}: {each['message']}\n" for each in self.warnings)
        return f"{self._title()}\n{table([row[:4] for row in self._rows()])}{arrays}{found}".rstrip("\n")

    def _repr_html_(self) -> str:
        rows = [(title, value, unit, "" if exact is None else exact) for _, value, unit, title, exact in self._rows()]
        return html_table(("", "value", "unit", "exact"), rows, self._title())


def steps_of(simulation: str | os.PathLike[str], preset: str | None, program: str) -> int:
    """Steps to the end of a simulation's preset. ValueError for a file: its end is unknown."""
    what = os.fspath(simulation)
    if os.path.isfile(what) or os.sep in what or "." in what:
        raise ValueError(f"steps: give the number of steps for {what!r}; only presets of a simulation have a length")
    presets = describe(what, program=program).presets
    chosen = next(iter(presets)) if preset is None else preset
    return presets[chosen].steps if chosen in presets else 1  # the program refuses an unknown preset


def run(simulation: str | os.PathLike[str], /, *, steps: int | None = None, preset: str | None = None,
        seed: int | None = None, device: str | None = None, threads: int | None = None, arrays: bool = True,
        snapshot: str | os.PathLike[str] | None = None, overwrite: bool = False,
        parameters: Mapping[str, Any] | None = None, program: Program = None, **more: Any) -> Result:
    """Runs a simulation without graphics: run("tunneling", barrier_height=2, steps=400).

    simulation: its name (simscope.list()), a scene file, or a snapshot to continue from.
    steps: number of time steps; by default to the end of the simulation's preset.
    preset: parameters to start from; all others are given by their keys (describe(...).parameters), as numbers, texts
        ("1/3", "633nm"), True or False; or as a dict, parameters={...}.
    device: "auto", "cpu", "cuda", or "cuda:1"; by default the environment variable SIMSCOPE_DEVICE, else "auto".
    arrays: False does not read the state; .arrays is then empty.
    snapshot: a file (.npz) for the state, to continue with run(snapshot, steps=...); it must not exist without overwrite.
    program: the program's path, if it is not on PATH.

    ParameterError: an argument is refused; nothing was computed. ProgramError: the run failed. The program's warnings
    (a time step too long, a parameter without effect) become warnings of SimscopeWarning.
    """
    path = find(program)
    if steps is None:
        steps = steps_of(simulation, preset, path)
    arguments = ["run", *option("steps", steps), *option("preset", preset), *option("seed", seed),
                 *option("device", device), *option("threads", threads), *changes({**(parameters or {}), **more}),
                 "--report=-"]
    if overwrite:
        arguments.append("--force")
    what = ["--", os.fspath(simulation)]
    if snapshot is None and not arrays:
        return _result(call(path, [*arguments, *what]), None, path)
    with tempfile.TemporaryDirectory(prefix="simscope-") if snapshot is None else contextlib.nullcontext() as folder:
        file = snapshot if folder is None else Path(folder, "state.npz")
        said = call(path, [*arguments, f"--save-snapshot={os.fspath(file)}", *what])
        return _result(said, file if arrays else None, path)


def _result(said: str, file: str | os.PathLike[str] | None, program: str) -> Result:
    report = json.loads(said)
    for each in report["warnings"]:
        if each["level"] == "warning":
            cure = f" Cure: {each['key']}={each['value']}" if each["key"] and each["value"] else ""
            note(each["message"] + cure)
    arrays = {}
    if file is not None:
        arrays = read_snapshot(file, describe(report["simulation"], program=program).state_array)
    return Result(report, arrays, program)
