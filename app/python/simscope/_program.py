"""Finds the installed program and calls it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Rational, Real
from pathlib import Path
from typing import Any

from .errors import ParameterError, ProgramError, ProgramNotFoundError, SimscopeWarning

GRACE_SECONDS = 5  # the program needs at most two to remove unfinished files
BAD_INPUT = 2  # the program's exit status: nothing was computed, nothing written
EXACT = 2.0**53  # below it, each whole number has a number of its own in double precision
HERE = Path(__file__).resolve().parent
PREFIX = "simscope: "
# Lines on standard error beside a result.
NOTES = ("simscope: note: ", "warning: ", "note: ")


def _runnable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _neighbours() -> list[Path]:
    """The program beside this folder: <checkout>/app/python/simscope, <prefix>/share/simscope/python/simscope."""
    found = []
    if len(HERE.parents) > 2 and HERE.parts[-3:-1] == ("app", "python"):
        found.append(HERE.parents[2] / "build/bin/simscope")
    if len(HERE.parents) > 3 and HERE.parts[-4:-1] == ("share", "simscope", "python"):
        found.append(HERE.parents[3] / "bin/simscope")
    return found


def find(program: str | os.PathLike[str] | None = None) -> str:
    """The program's path: `program`, else the environment variable SIMSCOPE, else `simscope` on PATH, else the program
    built in this checkout or installed beside this folder. ProgramNotFoundError says what to do."""
    for given, source in ((program, "program="), (os.environ.get("SIMSCOPE"), "the environment variable SIMSCOPE: ")):
        if not given:
            continue
        path = shutil.which(os.path.expanduser(os.fspath(given)))
        if path is None:
            raise ProgramNotFoundError(f"{source}{os.fspath(given)!r} is not a program that can run here; "
                                       "give the path of simscope, such as /usr/bin/simscope or build/bin/simscope")
        return os.path.abspath(path)
    path = shutil.which("simscope")
    if path is not None:
        return os.path.abspath(path)
    neighbours = _neighbours()
    for each in neighbours:
        if _runnable(each):
            return str(each)
    looked = "".join(f", and no {each}" for each in neighbours)
    raise ProgramNotFoundError(f"the program simscope was not found: it is not on PATH{looked}. Install it, or build "
                               "it by ./dev build, or set the environment variable SIMSCOPE to its path "
                               "(or give program=PATH)")


def _end(child: subprocess.Popen) -> None:
    """Ends an abandoned child, so that it removes unfinished files."""
    try:
        child.send_signal(signal.SIGINT)
        child.wait(GRACE_SECONDS)
    except BaseException:  # did not end in time, or another Ctrl+C
        child.kill()
        child.wait()


def _words(errors: str, status: int) -> str:
    """The error text of the program, without its name and its notes. What the command calls --force is overwrite=True."""
    said = [line for line in errors.strip().splitlines() if not line.startswith(NOTES)]
    if said:
        return "\n".join(line.removeprefix(PREFIX) for line in said).replace("use --force to", "pass overwrite=True to")
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"the program simscope was ended by {name}"
    return f"the program simscope ended with status {status} and no message"


def note(message: str) -> None:
    """A warning at the calling line outside this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(message.replace("Cure: --set ", "Cure: "), SimscopeWarning, stacklevel=level)


def call(program: str | os.PathLike[str] | None, arguments: Sequence[str]) -> str:
    """Runs the program to its end and returns what it printed. Its notes become warnings of SimscopeWarning.
    ParameterError: it refuses an argument; ProgramError: anything else. Ctrl+C, or any other exception here, ends the
    program."""
    command = [find(program), *arguments]
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 encoding="utf-8", errors="replace")
    except OSError as fault:
        raise ProgramError(f"{command[0]} cannot be started: {fault.strerror}", -1, command) from fault
    with child:
        try:
            output, errors = child.communicate()
        except BaseException:
            _end(child)
            raise
    if child.returncode != 0:
        kind = ParameterError if child.returncode == BAD_INPUT else ProgramError
        raise kind(_words(errors, child.returncode), child.returncode, command)
    for line in errors.splitlines():
        if line.startswith(NOTES):
            note(line.removeprefix(NOTES[0]).removeprefix(NOTES[1]).removeprefix(NOTES[2]))
    return output


def text_of(value: Any) -> str:
    """A value as the program reads it: on and off, all digits of a number, text as it is. 2.0 is 2 and goes for a number of
    steps, too."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        if getattr(value, "mask", False):
            raise TypeError("a masked value is no number")  # item() gives the hidden one
        if getattr(getattr(value, "dtype", None), "kind", "") in ("m", "M"):
            raise TypeError(f"{value!r} is a time, not a number")  # item() gives a count of nanoseconds
        value = value.item()  # a NumPy scalar
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (Rational, Decimal)):
        return str(value)  # 1/3, 0.1
    if isinstance(value, Real):  # NumPy's longdouble among them
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < EXACT else repr(value)
    raise TypeError(f"{value!r} is not a number, a text ('1/3', '633nm'), True, or False")


def changes(parameters: Mapping[str, Any]) -> list[str]:
    """--set=KEY=VALUE of each parameter. (A value after "=" is never taken for an option.)"""
    arguments = []
    for key, value in parameters.items():
        if not key.isidentifier():
            raise ValueError(f"{key!r} is not the key of a parameter; simscope.describe(...).parameters lists the keys")
        try:
            arguments.append(f"--set={key}={text_of(value)}")
        except TypeError as fault:
            raise TypeError(f"{key}: {fault}") from None
    return arguments


def option(name: str, value: Any) -> list[str]:
    """--name=value; nothing for None."""
    return [] if value is None else [f"--{name}={text_of(value)}"]


def options(given: Mapping[str, Any]) -> list[str]:
    """Options of a command: True for one without a value, a list for one that may be repeated."""
    arguments: list[str] = []
    for name, value in given.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(flag)
        elif value is None or value is False:
            continue
        elif isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike)) and not hasattr(value, "item"):
            arguments += [f"{flag}={text_of(each)}" for each in value]
        else:
            arguments.append(f"{flag}={text_of(value)}")
    return arguments
