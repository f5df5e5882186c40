"""What may go wrong, in the program's own words."""

from __future__ import annotations

from typing import Sequence


class SimscopeError(Exception):
    """Any error of this package."""


class ProgramNotFoundError(SimscopeError, FileNotFoundError):
    """The program simscope is not where it was looked for; the message says where, and what to do."""


class ProgramError(SimscopeError, RuntimeError):
    """The program ended with an error: no such device, no memory left, no OpenGL, a full disk.

    message: what the program said. status: its exit status, or the negative number of the signal that ended it.
    command: the whole command line.
    """

    def __init__(self, message: str, status: int, command: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = tuple(command)

    def __reduce__(self) -> tuple:  # processes of a pool hand exceptions on
        return type(self), (self.message, self.status, self.command)


class ParameterError(ProgramError, ValueError):
    """A value, a key, or a file that the program does not take; nothing was computed, nothing written.

    The message names it, the allowed range, and the nearest valid choice.
    """


class SimscopeWarning(UserWarning):
    """What the program notes beside a result, such as a parameter that does nothing with the others."""
