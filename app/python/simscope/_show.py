"""simscope.show: an array of your own loop, live in the window."""

from __future__ import annotations

import atexit
import os
import subprocess
import time as clock
from collections.abc import Mapping
from typing import Any

from ._arrays import numpy
from ._cuda import CudaError
from ._form import axis_of, described, labelled, range_of, source, time_of
from ._host import check_kind, check_shape, form_of, numbers, on_gpu, plain
from ._line import Line, Memory, pair
from ._located import Elsewhere, locate
from ._precision import Loss
from ._program import find, note, options as option_arguments
from ._route import Route
from .errors import ProgramError, SimscopeError

SHARE = 0.008  # of the loop's time for copies: less than a hundredth
RATE = 60  # a second at most
# Limits for arrays on a GPU. While the window copies and draws an array, the loop does not have the GPU: turns of about 2 ms,
# whatever the size, if the loop leaves no gap (H100: 13 a second slowed it by 2.8 %), and less if it does. The window reports
# how long it took to read the last array, which shows whether the loop was busy: 0.2 ms (0.1 ms for 64 MiB) alone, 1.2 ms and
# more between the loop's turns.
BUSY_RATE = 6  # a second
DEVICE_BYTES = 768 << 20  # a second
READING_SECONDS, READING_BYTES = 0.4e-3, 150e9  # to read one alone, on a GPU that is slow; bytes a second
FLUSH_SECONDS, PART_SECONDS = 10, 1
MOST_UNANSWERED = 32  # messages; a description is one, and its update another
_views: dict[str, View] = {}


class View:
    """A window that shows an array. Made by simscope.show(); one thread at a time.

    open: the window is open; False after it was closed; updates then do nothing.
    updates: number of updates; shown: number of arrays that were sent to the window.
    seconds: total processor time of sending them.
    transport: how the last array was sent: "shared memory"; "CUDA IPC", from device to device; or "shared memory, from the
        GPU through the host", and why.
    refused: why the program closed the window (a SimscopeWarning says so, too); empty if a person closed it.
    """

    def __init__(self, title: str, description: dict, every_frame: bool, program: str, arguments: list[str]) -> None:
        self.title = title
        self.every_frame = every_frame
        self.updates = self.shown = 0
        self.seconds = 0.0
        self.transport = "shared memory"
        self._given = description
        self._asked: tuple = (object(),)  # the arguments of show() that it came from
        self._form: tuple | None = None  # shape, and whether complex, of the last description
        self._told: tuple = (None, None)  # the last description, and from what it was made
        self._shape: tuple[int, ...] = ()  # of the array sent last, and
        self._sent: dict | None = None  # the description that was given then
        self._labels: tuple | None = None  # what the last labelled array said of itself
        self._last: tuple | None = None  # given, but not sent
        self._due = self._form_due = 0.0
        self._cost = 0.0  # of the last copy, in seconds; 0 until there was one
        self._warned = False
        self._process = os.getpid()
        ours, theirs = pair()
        self._line = Line(ours)
        self._route = Route(self._line)
        command = [program, "show", f"--socket={theirs.fileno()}", *arguments]
        try:
            # Its own session: Ctrl+C in the script's terminal ends only the script; the window stays open.
            self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
                                           start_new_session=True)
        except OSError as fault:
            ours.close()
            raise ProgramError(f"{program} cannot be started: {fault.strerror}", -1, command) from fault
        finally:
            theirs.close()

    @property
    def open(self) -> bool:
        if os.getpid() != self._process:  # after a fork the window belongs to the parent
            return False
        self._line.listen()
        self._reap()
        if not self._line.open:
            self._route.close()
        return self._line.open

    @property
    def refused(self) -> str:
        return self._line.refused

    def update(self, array: Any, time: float | None = None) -> bool:
        """Shows the array's present values. True: they were sent. False: the window did not need them yet (flush() or
        the end of the script sends the newest values that were not sent). Never waits for the window. Shape and type
        may differ from those of the last array.

        time: the time that the window shows; needs show(..., time=). Raises ValueError or TypeError if the array
        cannot be shown.
        """
        if os.getpid() != self._process:
            return False
        self.updates += 1
        time = None if time is None else time_of(time)
        if self._route.waiting:
            self._line.listen()
            self._route.advance()
            if self._route.ready:  # the cost of copies through the host no longer counts
                self._due = 0.0
        if self._holds(array):
            self._last = (array, time)
            self._warn()
            return False
        return self._hand_over(array, time)

    # Whether the array can wait. Another shape or description is sent at once, but not so often that the loop pays for it.
    def _holds(self, array: Any) -> bool:
        shape = getattr(array, "shape", None)
        if shape is None or self._form is None:
            return False
        if tuple(shape) == self._shape and self._sent is self._given:
            return not self._wants()
        if tuple(shape) != self._shape:
            form_of(array)  # refused now, not when it is sent
        if not self.every_frame and clock.perf_counter() < self._form_due:
            return True
        self._line.listen()
        return self._line.unanswered > MOST_UNANSWERED  # a window that stands must not fill the socket

    def flush(self, timeout: float = FLUSH_SECONDS) -> bool:
        """Sends the last given array, with its present values, if it was not sent yet; waits for the window at most
        `timeout` seconds. For the end of a loop in a notebook. True: the window has the last array."""
        end = clock.monotonic() + timeout
        while self._last is not None and self.open:
            if self._has_room():
                array, time = self._last
                if self._hand_over(array, time):
                    return True
            if clock.monotonic() > end:
                return False
            clock.sleep(0.002)
        return self._last is None and self.shown > 0 and self.open

    def wait(self) -> None:
        """Calls flush(), then waits until the window is closed."""
        self.flush()
        while self.open:
            clock.sleep(0.05)

    def close(self) -> None:
        """Releases the window after a flush(): it stays open with the last array until a person closes it. The title is
        then free for another window."""
        self._part()
        self._line.close()
        self._route.close()
        self._last = None
        if _views.get(self.title) is self:
            del _views[self.title]

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: Any) -> None:
        self.flush()

    def __repr__(self) -> str:
        return f"<simscope.View {self.title!r}: {'open' if self.open else 'closed'}, {self.updates} updates, {self.shown} shown>"

    def _has_room(self) -> bool:
        self._line.listen()
        self._route.release()
        return bool(self._line.free)

    def _wants(self) -> bool:
        if self.every_frame:
            return self._has_room()
        if clock.perf_counter() < self._due:
            return False
        self._has_room()
        # The window has read the previous array.
        return self._line.outstanding() == 0 and self._route.outstanding() == 0

    def _hand_over(self, array: Any, time: float | None) -> bool:
        begin, worked = clock.perf_counter(), clock.thread_time()
        if not self.open:
            self._last = None
            return False
        at = float(self.updates if time is None else time)
        former, given = self._told[0], array
        description, turned = self._labelled(array)
        array = plain(array)
        if turned:
            array = array.T
        least = 1 / RATE
        there = self._by_device(array, at, description)
        if there is None:
            self._last = (given, time)
            return False
        if there:
            busy = self._line.reading > READING_SECONDS + there / READING_BYTES
            least = max(least, there / DEVICE_BYTES, 1 / BUSY_RATE if busy else 0)
        elif not self._by_host(array, at, description):
            self._last = (given, time)  # no slot is free
            return False
        self._last = None
        self.shown += 1
        self.seconds += clock.thread_time() - worked
        # Wall time, because this is what slows the loop. The shorter of the last two counts: the first one touches new
        # memory, and any one may be delayed by something else.
        taken = clock.perf_counter() - begin
        before, self._cost = self._cost, taken
        self._due = begin + max(least, min(before, taken) / SHARE)
        if former is not None and former is not self._told[0]:
            self._form_due = begin + max(least, taken / SHARE)
        self._shape, self._sent = tuple(getattr(given, "shape", ())), self._given
        return True

    # The description with what the array says of itself; and whether to transpose it. An array that says nothing, of the
    # shape of one that did, is taken for another state of that one.
    def _labelled(self, array: Any) -> tuple[dict, bool]:
        shape = tuple(getattr(array, "shape", ()))
        description, turned = labelled(self._given, array)
        if description is not self._given:
            self._labels = (self._given, shape, description, turned)
        elif self._labels is not None and self._labels[0] is self._given and self._labels[1] == shape:
            return self._labels[2:]
        return description, turned

    # The bytes that were sent; 0: send it through the host; None: not now.
    def _by_device(self, array: Any, at: float, description: dict) -> int | None:
        if not on_gpu(array):
            return 0
        try:
            found = locate(array)
            self._announce(found.shape, found.complex, description)
            if not self._route.offer(found):
                return 0
            if not self._route.copy(found, at, (array, at, description)):
                return None
        except Elsewhere as fault:
            self._route.why = str(fault)
            return 0
        except CudaError as fault:
            self._route.fail(str(fault))
            return 0
        self.transport = "CUDA IPC"
        return found.count * found.bytes

    def _by_host(self, array: Any, at: float, description: dict) -> bool:
        data, mask = numbers(array)
        check_kind(data.dtype)
        self._announce(data.shape, data.dtype.kind == "c", description)
        if not self._line.open or not self._line.free:
            return False
        slot = self._line.free[0]
        shown, np, loss = self._line.memory.slots[slot], numpy(), Loss()
        with loss.watching():
            np.copyto(shown, data, casting="unsafe")
        if mask is not None:
            shown[mask] = complex(np.nan, np.nan) if data.dtype.kind == "c" else np.nan
        loss.measure(data, shown)
        self._line.tell(slot, at, loss.spread, loss.beyond)
        self.transport = "shared memory"
        if on_gpu(array):
            self.transport += f", from the GPU through the host: {self._route.why}"
        return True

    # Sends a description if it differs from the last; memory, too, if the form does.
    def _announce(self, shape: tuple[int, ...], complex_: bool, description: dict) -> None:
        form = (shape, complex_)
        if form == self._form and description is self._told[1]:
            return
        check_shape(shape)
        told = described(description, shape, complex_)
        if form == self._form and told == self._told[0]:
            self._told = (self._told[0], description)
            return
        self._line.announce(Memory(numpy(), shape, complex_) if form != self._form else None, told)
        self._form, self._told = form, (told, description)

    def _reap(self) -> None:
        if not self._line.open and self._child.poll() is None:
            self._warn()
            return
        if self._child.returncode not in (None, 0) and not self._line.open and self.shown == 0 and not self.refused:
            self._line.refused = f"the program ended with status {self._child.returncode}"
        self._warn()

    def _warn(self) -> None:
        if self._line.refused and not self._warned:
            self._warned = True
            note(f"the window of {self.title!r} was closed: {self._line.refused}")

    def _leave(self) -> None:
        if os.getpid() != self._process:
            return
        self._part()
        self._child.returncode = self._child.poll() or 0  # the window stays open; do not wait for it

    # Sends the last array in memory that outlives the script: an array on a device that the window has not read yet is sent
    # again through the host.
    def _part(self) -> None:
        self.flush()
        end = clock.monotonic() + PART_SECONDS
        while self._route.outstanding() and self.open:
            self._route.release()
            if clock.monotonic() > end and self._line.free:
                self._by_host(*self._route.last())
                break
            clock.sleep(0.002)


def show(array: Any, title: str = "", *, x: Any = None, y: Any = None, unit: str = "", x_unit: str = "",
         y_unit: str = "", symbol: str | None = None, time: float | None = None, time_unit: str = "",
         range: tuple[float, float] | None = None, colormap: str | None = None, symmetric: bool = False,
         every_frame: bool = False, device: str | None = None, options: Mapping[str, Any] | None = None,
         program: str | os.PathLike[str] | None = None) -> View:
    """Shows an array in the window of simscope and returns at once. Later view.update(array), or show() again with the same
    title, shows new values.

        view = simscope.show(u, title="Temperature", x=(0, 1), y=(0, 1), unit="K")
        for step in range(n):
            u = advance(u)
            view.update(u)

    array: one dimension (a curve) or two (a field; the first row is at the bottom), real or complex: NumPy's, or of any
        library whose arrays NumPy can read (PyTorch, JAX, Numba, CuPy, SciPy's sparse matrices). Arrays on a GPU go from
        device to device if the window computes on the same device, else through the host: view.transport says which, and
        why. Masked elements are shown as NaN. Shown in single precision; the window says when that loses digits.
    x, y: the coordinates of all elements, evenly spaced: a cell of a field has its coordinate in the middle. Or (low, high):
        of a field its edges, of a curve the place of the first point and of one past the last. By default the index of the
        elements. Or the name of a dimension of an xarray.DataArray.
    unit, x_unit, y_unit: units of the values and of the axes. symbol: symbol of the values ("u", for complex ones "ψ").
        An array that knows its unit, coordinates, or name (astropy, Pint, xarray, pandas) needs none of these.
    time: time of this array, in time_unit; then give a time to each update, too. Without it updates are counted.
    range: (low, high) of colours and values; by default that of all arrays since the start.
    colormap: for a field; see simscope render --help. symmetric: colours symmetric about 0.
    every_frame: sends every update if the window has room. Otherwise at most 60 a second are sent, in at most a hundredth
        of the loop's time; from a GPU at most 768 MiB a second, and at most six arrays a second while the loop keeps the
        GPU busy. The newest array replaces older ones, and the loop never waits.
    device: the device that the window computes on: "cpu", "cuda", "cuda:1", "auto". options: those of
        `simscope show --help`.

    The window stays open after the script ends, with the last array. The script continues after the window is closed:
    view.open becomes False, and updates do nothing. A title stays closed until view.close(). Raises ValueError or
    TypeError (an array that cannot be shown), ProgramNotFoundError, ProgramError (no display).
    """
    view = _views.get(title)
    asked = (x, y, unit, x_unit, y_unit, symbol, time is None, time_unit, range, colormap, symmetric)
    if view is not None and all(one is other for one, other in zip(asked, view._asked)):  # as every time in a loop
        view.update(array, time)
        return view
    if numpy() is None:
        raise SimscopeError("simscope.show needs NumPy: install python3-numpy, or pip install numpy")
    description = {"title": "" if title is None else str(title), "symbol": None if symbol is None else str(symbol),
                   "unit": "" if unit is None else str(unit), "x": axis_of("x", x, x_unit), "y": axis_of("y", y, y_unit),
                   "range": range_of(range), "colormap": colormap, "symmetric": bool(symmetric), "source": source()}
    if time is not None:
        time = time_of(time)
        description["time_unit"] = str(time_unit)
    own, turned = labelled(description, array)
    shape, complex_ = form_of(array)
    told = described(own, shape[::-1] if turned else shape, complex_)  # refused before anything changes
    if view is not None:
        if told == view._told[0] and view._sent is view._given:  # the same, said anew
            view._sent = description
        view._given, view._asked = description, asked
        view.update(array, time)
        return view
    path = find(program)
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise ProgramError("there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set)", -1, [path])
    view = View(title, description, every_frame, path, option_arguments({"device": device, **(options or {})}))
    try:
        view.update(array, time)
    except BaseException:  # the program has no array, and ends
        view._line.close()
        view._child.terminate()
        view._child.wait()
        raise
    view._asked = asked
    _views[title] = view
    return view


@atexit.register
def _leave_all() -> None:
    for view in list(_views.values()):
        view._leave()
