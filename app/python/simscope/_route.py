"""The way from an array on a CUDA device to a window that computes on the same device: slots on the device, which are
sent once. If this is not possible, the array goes through the host, and `why` says why."""

from __future__ import annotations

from typing import Any

from . import _cuda
from ._line import Line
from ._located import TYPES, Elsewhere, Located, plan

SLOTS = 2  # one that is read, one that is written


class _Set:
    """Slots that were sent."""

    def __init__(self, number: int, device: int, slots: _cuda.Slots) -> None:
        self.number, self.device, self.slots = number, device, slots
        self.closed = False  # the window has closed it
        self.kept: dict[int, Any] = {}  # objects to keep until a slot is returned


class Route:
    """Never blocks. One for each view."""

    def __init__(self, line: Line) -> None:
        self.why = "the window has not reported its device yet"
        self.ready = False  # the next array can use it
        self._line = line
        self._set: _Set | None = None
        self._former: list[_Set] = []  # until the window has closed them
        self._asked: tuple[int, int] | None = None  # device, and bytes of a slot, of the last array
        self._heard = -1  # the last handled message about the window's device
        self._failed = ""

    @property
    def waiting(self) -> bool:
        """Waiting for the window's answer: it may become ready without another array."""
        return self._asked is not None and not self.ready and (
            self._heard in (0, -1) or self._heard != self._line.device_news or self._set is not None)

    def outstanding(self) -> int:
        return len(self._set.kept) if self._set else 0

    def offer(self, array: Located) -> bool:
        """Whether this array can use it now; requests what is needed."""
        try:
            driver = _cuda.driver(_cuda.LIBRARY)
            device = driver.device_of(array.address)
            self._asked = (device, plan(array).size)
        except (_cuda.CudaError, Elsewhere) as fault:
            self.why, self.ready = str(fault), False
            return False
        self.advance()
        return self.ready

    def advance(self) -> None:
        """Goes one step further if there is a new message."""
        line = self._line
        self.release()
        if not line.open or self._asked is None:
            self.ready = False
            return
        if self._heard != line.device_news:  # what failed before may work now
            self._heard, self._failed = line.device_news, ""
            self._retire(closed=True)
            self.release()
        self.why = self._obstacle(*self._asked)
        self.ready = not self.why

    def _obstacle(self, device: int, size: int) -> str:
        if self._heard == 0:
            return "the window has not reported its device yet"
        if not any(self._line.device):
            return self._line.device_why or "the window does not compute on a CUDA device"
        if self._failed:
            return self._failed
        try:
            driver = _cuda.driver(_cuda.LIBRARY)
            if driver.uuid(device) != self._line.device:
                return f"the array is on cuda:{device}, the window computes on another GPU (device=\"cuda:N\" chooses it)"
            if self._set is None or self._set.device != device or self._set.slots.size < size:
                self._retire()
                self._send(driver, device, size)
        except _cuda.CudaError as fault:
            self._failed = str(fault)
            return self._failed
        told = self._line.opened.get(self._set.number) if self._set else "the window is closed"
        if told:
            self._failed = told
            self._retire(closed=True)
            self.release()
        return "the window has not opened the memory yet" if told is None else told

    def _send(self, driver: _cuda.Driver, device: int, size: int) -> None:
        with driver.on(device):
            slots = _cuda.Slots(driver, SLOTS, size)
        number = self._line.offer(driver.uuid(device), slots.size, slots.memory, slots.written)
        self._set = _Set(number, device, slots)

    def copy(self, array: Located, time: float, also: Any) -> bool:
        """Enqueues the copy and tells the window; `also` is kept until the slot is returned. False: no slot is free, or
        the loop is being recorded as a graph. CudaError, Elsewhere: the window was not told."""
        current = self._set
        slot = next((i for i in range(SLOTS) if i not in current.kept), None)
        driver, way = _cuda.driver(_cuda.LIBRARY), plan(array)
        with driver.on(current.device):
            if slot is None or driver.capturing(array.stream):
                return False
            if way.pitch:
                current.slots.copy_rows(slot, way.source, way.pitch, way.width, way.rows, array.stream)
            else:
                current.slots.copy(slot, way.source, way.size, array.stream)
            if not array.ordered:  # a library whose next stream is unknown
                driver("cuStreamSynchronize", array.stream)
        current.kept[slot] = (array.keep, also)
        self._line.tell_device(slot, current.number, time, TYPES[array.type], way.first, way.row_step, way.column_step)
        return True

    def last(self) -> Any:
        """The last slot that was sent and not returned; None: all were returned."""
        return list(self._set.kept.values())[-1][1] if self._set and self._set.kept else None

    def fail(self, why: str) -> None:
        self.why, self._failed, self.ready = why, why, False

    def _retire(self, closed: bool = False) -> None:
        if self._set:
            self._set.closed = closed
            self._former.append(self._set)
        self._set, self.ready = None, False

    def release(self) -> None:
        """Handles returned slots, and frees former slots that the window has closed."""
        for number, slot in self._line.freed():
            for each in (*self._former, *([self._set] if self._set else [])):
                if each.number == number:
                    each.kept.pop(slot, None)
        newest = max(self._line.opened, default=0)
        for each in [each for each in self._former if not each.kept and (each.closed or each.number < newest)]:
            self._former.remove(each)
            self._free(each)

    def _free(self, each: _Set) -> None:
        driver = _cuda.driver(_cuda.LIBRARY)
        with driver.on(each.device):
            each.slots.free()

    def close(self) -> None:
        """The window is closed or released."""
        self._asked = None
        self._retire()
        for each in self._former:
            self._free(each)
        self._former = []
