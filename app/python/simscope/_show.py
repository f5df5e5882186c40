"""simscope.show: an array of one's own loop, live in the window."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time as clock
from collections.abc import Mapping
from typing import Any

from ._arrays import numpy
from ._host import form_of, host, on_gpu
from ._line import Line, Memory, pair
from ._program import find, note, options as option_arguments
from .errors import ProgramError, SimscopeError

SHARE = 0.008  # of the loop's time, for copies: a hundredth, with some room
RATE = 60  # a second at most
FLUSH_SECONDS = 10
_views: dict[str, View] = {}


class View:
    """A window that shows an array. Made by simscope.show(); one thread at a time.

    open: the window is there; False once it was closed, and updates do nothing then.
    updates: how often an array was given; shown: how many of them were handed over.
    seconds: what handing them over took of the processor's time, all in all.
    transport: how the data cross: "shared memory", or "shared memory, from the GPU through the host".
    refused: why the program closed the window; empty where a person did.
    """

    def __init__(self, title: str, description: dict, every_frame: bool, program: str, arguments: list[str]) -> None:
        self.title = title
        self.every_frame = every_frame
        self.updates = self.shown = 0
        self.seconds = 0.0
        self.transport = "shared memory"
        self._description = description
        self._asked: tuple = (object(),)  # the arguments of show() that it came from
        self._form: tuple | None = None
        self._shape: tuple[int, ...] = ()
        self._last: tuple | None = None  # given, and not handed over
        self._due = 0.0
        self._cost = 0.0  # of the last copy, in seconds; 0 until there was one of this form
        self._process = os.getpid()
        ours, theirs = pair()
        self._line = Line(ours)
        command = [program, "show", f"--socket={theirs.fileno()}", *arguments]
        try:
            # A session of its own: Ctrl+C in the script's terminal is the script's, and the window survives it.
            self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
                                           start_new_session=True)
        except OSError as fault:
            ours.close()
            raise ProgramError(f"{program} cannot be started: {fault.strerror}", -1, command) from fault
        finally:
            theirs.close()

    @property
    def open(self) -> bool:
        if os.getpid() != self._process:  # a fork: the window is the parent's
            return False
        self._line.listen()
        self._reap()
        return self._line.open

    @property
    def refused(self) -> str:
        return self._line.refused

    def update(self, array: Any, time: float | None = None) -> bool:
        """Shows the array's present values; True where they were handed over, False where the window had no need of
        them yet (the newest that it had none of are handed over by flush(), or when the script ends). Never waits for
        the window. The array may have another shape or type than the last one.

        time: what the window calls the time; it needs show(..., time=). Raises ValueError or TypeError for what cannot
        be shown.
        """
        self.updates += 1
        shape = getattr(array, "shape", None)
        if shape is not None and tuple(shape) == self._shape and not self._wants():
            self._last = (array, time)
            return False
        return self._hand_over(array, time)

    def flush(self, timeout: float = FLUSH_SECONDS) -> bool:
        """Hands over the last array that was given, as it is now, unless that was done; waits for the window so many
        seconds at most. After a loop in a notebook. True: the window has the last array."""
        end = clock.monotonic() + timeout
        while self._last is not None and self.open:
            if self._line.free:
                array, time = self._last
                return self._hand_over(array, time)
            if clock.monotonic() > end:
                return False
            clock.sleep(0.002)
        return self._last is None and self.shown > 0 and self.open

    def wait(self) -> None:
        """Until the window is closed, after a flush()."""
        self.flush()
        while self.open:
            clock.sleep(0.05)

    def close(self) -> None:
        """Lets go of the window after a flush(): it stays with the last array until somebody closes it. The title is free
        for another window."""
        self.flush()
        self._line.close()
        self._last = None
        if _views.get(self.title) is self:
            del _views[self.title]

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: Any) -> None:
        self.flush()

    def __repr__(self) -> str:
        return f"<simscope.View {self.title!r}: {'open' if self.open else 'closed'}, {self.updates} updates, {self.shown} shown>"

    def _wants(self) -> bool:
        if self.every_frame:
            self._line.listen()
            return bool(self._line.free)
        if clock.perf_counter() < self._due:
            return False
        self._line.listen()
        return self._line.outstanding() == 0  # the window has taken the one before

    def _hand_over(self, array: Any, time: float | None) -> bool:
        begin, worked = clock.perf_counter(), clock.thread_time()
        if not self.open:
            self._last = None
            return False
        data = host(array)
        self._announce(data)
        if not self._line.open or not self._line.free:
            return False
        slot = self._line.free[0]
        np = numpy()
        with np.errstate(over="ignore", invalid="ignore"):  # beyond single precision: infinite, and shown as such
            np.copyto(self._line.memory.slots[slot], data, casting="unsafe")
        self._line.tell(slot, float(self.updates if time is None else time))
        self._last = None
        self.shown += 1
        if on_gpu(array):
            self.transport = "shared memory, from the GPU through the host"
        self.seconds += clock.thread_time() - worked
        # By the clock, as the loop itself is slowed. The cheaper of the last two counts: the first pays for memory that is
        # touched for the first time, and any may be held up by something else.
        taken = clock.perf_counter() - begin
        before, self._cost = self._cost, taken
        self._due = begin + max(1 / RATE, min(before, taken) / SHARE)
        return True

    # A description where the array has another form than before, or this is the first.
    def _announce(self, data: Any) -> None:
        form = (data.shape, data.dtype.kind == "c")
        if form == self._form and data.dtype.kind in "biufc":
            return
        shape, complex_ = form_of(data)
        self._line.announce(Memory(numpy(), shape, complex_), described(self._description, shape, complex_))
        self._form, self._shape, self._cost = form, shape, 0.0

    def _describe(self, description: dict) -> None:
        if description != self._description:
            self._description, self._form, self._shape = description, None, ()

    def _reap(self) -> None:
        if not self._line.open and self._child.poll() is None:
            return
        if self._child.returncode not in (None, 0) and not self._line.open and self.shown == 0 and not self.refused:
            self._line.refused = f"the program ended with status {self._child.returncode}"

    def _leave(self) -> None:
        if os.getpid() != self._process:
            return
        self.flush()
        self._child.returncode = self._child.poll() or 0  # the window stays: nobody waits for it


def described(given: dict, shape: tuple[int, ...], complex_: bool) -> dict:
    """The description of an array of this shape; axes that were given as coordinates must fit it."""
    made = {key: value for key, value in given.items() if key not in ("x", "y") and value is not None}
    made |= {"shape": list(shape), "complex": complex_}
    for key, extent in (("x", shape[-1]), ("y", shape[0] if len(shape) == 2 else None)):
        axis = given[key]
        if extent is None:
            if "low" in axis or "places" in axis:
                raise ValueError(f"{key}: a curve has no such axis; its values have a range")
            continue
        made[key] = limits(key, axis, extent)
    return made


def limits(key: str, axis: dict, extent: int) -> dict:
    """The axis with its ends: of its first element, and of one past the last."""
    places = axis.get("places")
    rest = {name: value for name, value in axis.items() if name != "places"}
    if places is None:
        return rest
    if len(places) != extent:
        raise ValueError(f"{key} has {len(places)} coordinates, the array {extent} along it; give as many, or (low, high)")
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


def show(array: Any, title: str = "", *, x: Any = None, y: Any = None, unit: str = "", x_unit: str = "",
         y_unit: str = "", symbol: str | None = None, time: float | None = None, time_unit: str = "",
         range: tuple[float, float] | None = None, colormap: str | None = None, symmetric: bool = False,
         every_frame: bool = False, device: str | None = None, options: Mapping[str, Any] | None = None,
         program: str | os.PathLike[str] | None = None) -> View:
    """Shows an array in the window of simscope, and returns at once; from then on view.update(array), or show() again with
    the same title, shows what has become of it.

        view = simscope.show(u, title="Temperature", x=(0, 1), y=(0, 1), unit="K")
        for step in range(n):
            u = advance(u)
            view.update(u)

    array: one dimension (a curve) or two (a field; the first row lies at the bottom), real or complex: NumPy's, or of any
        library whose arrays NumPy can read (PyTorch, JAX, Numba, CuPy; those on a GPU are copied through the host). Shown
        in single precision.
    x, y: (low, high) of the axis, the place of the first element and of one past the last; or the coordinates of all
        elements, evenly spaced. Elements are counted where none are given.
    unit, x_unit, y_unit: of the values and of the axes. symbol: what the values are called ("u", of complex ones "ψ").
    time: of this array, in time_unit; then give it to each update, too. Without it updates are counted.
    range: (low, high) of colours and values; without it what has been seen since the start.
    colormap: of a field; see simscope render --help. symmetric: colours about 0.
    every_frame: hands over each update; otherwise as many as are shown, 60 a second at most, in at most a hundredth of
        the loop's time. The newest wins either way, and the loop never waits.
    device: where the window draws from: "cpu", "cuda", "auto". options: of `simscope show --help`.

    The window survives the script, with the last array; the script survives the window: view.open becomes False, and
    updates do nothing. A window that was closed stays closed for its title, until view.close(). Raises ValueError or
    TypeError (what cannot be shown), ProgramNotFoundError, ProgramError (no display).
    """
    view = _views.get(title)
    asked = (x, y, unit, x_unit, y_unit, symbol, time is None, time_unit, range, colormap, symmetric)
    if view is not None and all(one is other for one, other in zip(asked, view._asked)):  # as every time in a loop
        view.update(array, time)
        return view
    if numpy() is None:
        raise SimscopeError("simscope.show needs NumPy: install python3-numpy, or pip install numpy")
    description = {"title": title, "symbol": symbol, "unit": unit, "x": axis_of("x", x, x_unit),
                   "y": axis_of("y", y, y_unit), "range": None if range is None else [float(each) for each in range],
                   "colormap": colormap, "symmetric": symmetric, "source": source()}
    if time is not None:
        description["time_unit"] = time_unit
    if view is None:
        described(description, *form_of(array))  # before anything opens
        path = find(program)
        if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
            raise ProgramError("there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set)", -1, [path])
        arguments = option_arguments({"device": device, **(options or {})})
        view = _views[title] = View(title, description, every_frame, path, arguments)
    else:
        view._describe(description)
    view._asked = asked
    view.update(array, time)
    return view


@atexit.register
def _leave_all() -> None:
    for view in list(_views.values()):
        view._leave()
