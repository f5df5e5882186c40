"""The errors of this package, with the program's messages."""

from __future__ import annotations

from typing import Sequence


class SimscopeError(Exception):
    """Any error of this package."""


class ProgramNotFoundError(SimscopeError, FileNotFoundError):
    """The program simscope was not found; the message says where it was searched and what to do."""


class ProgramError(SimscopeError, RuntimeError):
    """The program ended with an error: unknown device, out of memory, no OpenGL, full disk.

    message: the program's message. status: its exit status, or the negative number of the signal that ended it.
    command: the whole command line.
    """

    def __init__(self, message: str, status: int, command: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = tuple(command)

    def __reduce__(self) -> tuple:  # for pickling between processes
        return type(self), (self.message, self.status, self.command)


class ParameterError(ProgramError, ValueError):
    """The program refuses a value, a key, or a file; nothing was computed or written.

    The message names it, its range, and the nearest valid choice.
    """


class SimscopeWarning(UserWarning):
    """A note of the program about a result, such as a parameter without effect."""
