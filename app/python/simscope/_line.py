"""The script's end of the socket: messages, and arrays in shared memory. app/live/message.h in the sources has the format.

The socket is one of a pair made here; the program inherits the other. It has no name, so no other process can connect.
The arrays are in a memory file without a name and of sealed size, or on a GPU (_route.py).
"""

from __future__ import annotations

import fcntl
import itertools
import json
import mmap
import os
import socket
import struct
from typing import Any

MAGIC, VERSION = b"SIMS", 4
ARRAY, UPDATE, FREE, REFUSED, DEVICE, OFFER, OPENED, DEVICE_UPDATE = range(1, 9)
HEADER = struct.Struct("<4sHH")
SLOT = struct.Struct("<IIII")  # slot, form, which offer (0: of the memory file), microseconds of reading
NEWS = struct.Struct("<IIQddQ")  # slot, form, number, time; what single precision loses (_precision.Loss)
LENT = struct.Struct("<IIqqq")  # which offer, type; of elements: first, from row to row, from column to column
OFFERED = struct.Struct("<16sQI64s")  # UUID of the device, bytes of a slot, slots, handle of the memory; events follow
MOST_BYTES, PAGE = 16384, 4096
SLOTS = 3  # one that is read, one that waits, one that is written


def pair() -> tuple[socket.socket, socket.socket]:
    """Our socket, which never blocks, and the program's."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    return ours, theirs


class Memory:
    """Slots for arrays of one form. The mapping ends with the last view of it."""

    def __init__(self, np: Any, shape: tuple[int, ...], complex_: bool) -> None:
        dtype = np.dtype("<c8" if complex_ else "<f4")
        size = dtype.itemsize
        for each in shape:
            size *= each
        slot = -(-size // PAGE) * PAGE
        self.file = os.memfd_create("simscope", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.file, slot * SLOTS)
            fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
            mapped = mmap.mmap(self.file, slot * SLOTS)
        except BaseException:
            os.close(self.file)
            raise
        self.slots = [np.ndarray(shape, dtype, mapped, each * slot) for each in range(SLOTS)]

    def close(self) -> None:
        """Call after sending: the other side has its own descriptor."""
        if self.file >= 0:
            os.close(self.file)
            self.file = -1


class Line:
    """Never blocks. `open`: the window is open, as far as known. `refused`: why the program closed it.

    device: the UUID of the CUDA device that the window computes on; zeros if there is none, and device_why says why.
    device_news: number of messages about it. offers: number of offers of slots on a device. opened: for each offer why the
    window did not open it; "": opened. reading: seconds that the window's device took to read the last returned slot.
    """

    def __init__(self, ours: socket.socket) -> None:
        self.socket = ours
        self.open = True
        self.refused = ""
        self.form = 0
        self._oldest = 0  # the first form whose slots lie in the present memory
        self.free: list[int] = []
        self.memory: Memory | None = None
        self.device, self.device_why, self.device_news = bytes(16), "", 0
        self.offers = 0
        self.reading = 0.0
        self.unanswered = 0  # messages since the window's last one
        self.opened: dict[int, str] = {}
        self._freed: list[tuple[int, int]] = []
        self._numbers = itertools.count(1)

    def close(self) -> None:
        self.open = False
        self.socket.close()
        self.memory = None

    def announce(self, memory: Memory | None, description: dict) -> None:
        """Describes the arrays that follow, in this memory; None: in the same as before, where the form is the same.
        ValueError: the description is longer than a message."""
        text = json.dumps(description | {"slots": SLOTS}, ensure_ascii=False, allow_nan=False).encode()
        if HEADER.size + len(text) > MOST_BYTES:
            raise ValueError(f"titles and units have {len(text)} bytes together; at most {MOST_BYTES - HEADER.size}")
        sent = self._send(HEADER.pack(MAGIC, VERSION, ARRAY) + text, *([memory.file] if memory else []))
        if memory:
            memory.close()
        if not sent:
            return
        self.form += 1
        if memory:
            self.memory, self.free, self._oldest = memory, list(range(SLOTS)), self.form

    def tell(self, slot: int, time: float, spread: float, beyond: int) -> None:
        """Says that the slot is written; it belongs to the window until the window returns it."""
        self.free.remove(slot)
        news = NEWS.pack(slot, self.form, next(self._numbers), time, spread, beyond)
        self._send(HEADER.pack(MAGIC, VERSION, UPDATE) + news)

    def offer(self, device: bytes, size: int, memory: bytes, written: list[bytes]) -> int:
        """Offers slots on a device; returns the number of the offer."""
        self.offers += 1
        told = OFFERED.pack(device, size, len(written), memory) + b"".join(written)
        self._send(HEADER.pack(MAGIC, VERSION, OFFER) + told)
        return self.offers

    def tell_device(self, slot: int, offer: int, time: float, type_: int, first: int, row: int, column: int) -> None:
        """Says that a slot on a device will be written; it belongs to the window until the window returns it."""
        news = NEWS.pack(slot, self.form, next(self._numbers), time, 0, 0)  # the window measures the loss
        self._send(HEADER.pack(MAGIC, VERSION, DEVICE_UPDATE) + news + LENT.pack(offer, type_, first, row, column))

    def freed(self) -> list[tuple[int, int]]:
        """Slots on a device that were returned since the last call: offer, slot."""
        told, self._freed = self._freed, []
        return told

    def outstanding(self) -> int:
        return SLOTS - len(self.free)

    def listen(self) -> None:
        """Handles received messages: returned slots, or the end."""
        while self.open:
            try:
                message = self.socket.recv(MOST_BYTES)
            except BlockingIOError:
                return
            except ConnectionResetError:  # the end; earlier messages can still be read
                continue
            except OSError:
                message = b""
            self._hear(message)

    def _hear(self, message: bytes) -> None:
        self.unanswered = 0
        if len(message) < HEADER.size:
            return self.close()  # the window is closed
        magic, version, kind = HEADER.unpack_from(message)
        if magic != MAGIC or version != VERSION:
            self.refused = "the program uses another version of the messages; install both from the same simscope"
            return self.close()
        if kind == REFUSED:
            self.refused = message[HEADER.size:].decode("utf-8", "replace")
            return self.close()
        told = message[HEADER.size:]
        if kind == FREE and len(told) == SLOT.size:
            slot, form, offer, reading = SLOT.unpack(told)
            if offer:
                self._freed.append((offer, slot))
                self.reading = reading * 1e-6
            elif self._oldest <= form <= self.form and slot < SLOTS and slot not in self.free:
                self.free.append(slot)
                self.free.sort()
        elif kind == DEVICE and len(told) >= 16:
            self.device, self.device_why = told[:16], told[16:].decode("utf-8", "replace")
            self.device_news += 1
        elif kind == OPENED and len(told) >= 4 and (number := int.from_bytes(told[:4], "little")) <= self.offers:
            self.opened = {number: told[4:].decode("utf-8", "replace")}

    def _send(self, message: bytes, *files: int) -> bool:
        try:
            if files:
                socket.send_fds(self.socket, [message], list(files))
            else:
                self.socket.send(message)
            self.unanswered += 1
            return True
        except OSError:  # closed, or the program no longer reads
            self.listen()
            if self.open:
                self.refused = "the window no longer reads its messages"
                self.close()
            return False
