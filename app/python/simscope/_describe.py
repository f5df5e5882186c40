"""The simulations with their parameters, presets, diagnostics, and views, as the program describes them."""

from __future__ import annotations

import functools
import json
import os
from dataclasses import dataclass, field
from typing import Any

from ._program import call, find
from ._text import table

Program = str | os.PathLike[str] | None


@dataclass(frozen=True)
class Summary:
    """An entry of simscope.list()."""

    id: str
    title: str
    summary: str
    equation: str
    presets: tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """A parameter of run(..., key=value). kind: real, integer, flag (True or False), choice, or text."""

    key: str
    title: str
    unit: str
    help: str
    kind: str
    default: Any
    range: str  # in words: "0 to 20", "one of: barrier, step"
    minimum: float | None  # of numbers
    maximum: float | None
    choices: tuple[str, ...]
    live: bool  # acts on a run in progress; else it restarts the run
    json: dict = field(repr=False, compare=False)


@dataclass(frozen=True)
class Preset:
    """Parameters to start from, and the length of a run with them."""

    key: str
    title: str
    summary: str
    changes: dict[str, Any]  # parameters that differ from their defaults
    frames: int
    steps_per_frame: int
    flaw: str  # what is wrong with it; empty except for presets that demonstrate an error
    json: dict = field(repr=False, compare=False)

    @property
    def steps(self) -> int:
        """Time steps to its end."""
        return self.frames * self.steps_per_frame


@dataclass(frozen=True)
class Diagnostic:
    """A number that every run reports. bound: its largest absolute value in any preset without a flaw, None if no bound is
    known. exact_key: the diagnostic with its exact value, None if there is none."""

    key: str
    title: str
    unit: str
    help: str
    exact_key: str | None
    bound: float | None
    tolerance: float | None  # the largest distance from the exact value at the end of such a preset
    json: dict = field(repr=False, compare=False)


@dataclass(frozen=True)
class Array:
    """An array of the state, with its shape in the first preset."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    what: str


@dataclass(frozen=True, repr=False)
class Description:
    """The description of one simulation. parameters, presets, and diagnostics are by key, arrays by name; views has the
    title of each key. state_array: the name of run(...).array. json: the program's whole description."""

    id: str
    title: str
    summary: str
    equation: str
    parameters: dict[str, Parameter]
    presets: dict[str, Preset]
    diagnostics: dict[str, Diagnostic]
    views: dict[str, str]
    arrays: dict[str, Array]
    state_array: str
    json: dict

    def __repr__(self) -> str:
        parameters = [(each.key, each.default, each.range, each.unit) for each in self.parameters.values()]
        presets = [(each.key, each.summary) for each in self.presets.values()]
        diagnostics = [(each.key, each.title, each.unit) for each in self.diagnostics.values()]
        return (f"{self.title} ({self.id})\n{self.summary}\n\n  {self.equation}\n\nParameters: key, default, range, unit\n"
                f"{table(parameters)}\nPresets\n{table(presets)}\nDiagnostics\n{table(diagnostics)}")


def _parameter(given: dict) -> Parameter:
    return Parameter(given["key"], given["title"], given["unit"], given["help"], given["kind"], given["default"],
                     given["range"], given.get("minimum"), given.get("maximum"), tuple(given.get("choices", ())),
                     given["applies"] == "live", given)


def _preset(given: dict) -> Preset:
    return Preset(given["key"], given["title"], given["summary"], given["changes"], given["frames"],
                  given["steps_per_frame"], given["flaw"], given)


def _diagnostics(given: list[dict]) -> dict[str, Diagnostic]:
    exact = {each["exact_of"]: each["key"] for each in given if each["exact_of"]}
    tolerances = {each["exact_of"]: each["tolerance"] for each in given if each["exact_of"]}
    return {each["key"]: Diagnostic(each["key"], each["title"], each["unit"], each["help"], exact.get(each["key"]),
                                    each["bound"] or None, tolerances.get(each["key"]) or None, each) for each in given}


def _described(given: dict) -> Description:
    return Description(
        given["id"], given["title"], given["summary"], given["equation"],
        {each["key"]: _parameter(each) for each in given["parameters"]},
        {each["key"]: _preset(each) for each in given["presets"]},
        _diagnostics(given["diagnostics"]),
        {each["key"]: each["title"] for each in given["views"]},
        {each["array"]: Array(each["array"], each["dtype"], tuple(each["shape"]), each["what"])
         for each in given["snapshot"]},
        given["state_array"], given)


@functools.lru_cache(maxsize=64)
def _answer(program: str, changed: int, simulation: str) -> str:
    return call(program, ["describe", "--json", "--", simulation])


def describe(simulation: str, *, program: Program = None) -> Description:
    """Describes one simulation: describe("tunneling").parameters["barrier_height"].range. ParameterError: no simulation has
    this name; the message lists the names."""
    path = find(program)
    return _described(json.loads(_answer(path, os.stat(path).st_mtime_ns, simulation)))


def list_simulations(*, program: Program = None) -> list[Summary]:
    """The simulations of the program."""
    return [Summary(each["id"], each["title"], each["summary"], each["equation"], tuple(each["presets"]))
            for each in json.loads(call(program, ["list", "--json"]))]


def devices(*, program: Program = None) -> list[dict[str, Any]]:
    """The devices that can run simulations: for each a dict with id, backend, name, memory_bytes, ..."""
    return json.loads(call(program, ["devices", "--json"]))


def program_version(*, program: Program = None) -> str:
    """The program's version: "0.2.0"."""
    return call(program, ["--version"]).split()[1]
