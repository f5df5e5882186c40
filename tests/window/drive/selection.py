"""The data that another program gets when it pastes: the X11 clipboard, read through Xlib."""

import ctypes
import time

from drive.display import LIMIT, check

SELECTION_NOTIFY, PROPERTY_NOTIFY, PROPERTY_CHANGES, NEW_VALUE = 31, 28, 1 << 22, 0


class Requestor:
    def __init__(self, display):
        self.x = x = ctypes.CDLL("libX11.so.6")
        pointer, word = ctypes.c_void_p, ctypes.c_ulong
        x.XOpenDisplay.restype = pointer
        x.XOpenDisplay.argtypes = [ctypes.c_char_p]
        x.XDefaultRootWindow.restype = word
        x.XDefaultRootWindow.argtypes = [pointer]
        x.XCreateSimpleWindow.restype = word
        x.XCreateSimpleWindow.argtypes = [pointer, word, *[ctypes.c_int] * 2, *[ctypes.c_uint] * 3, word, word]
        x.XSelectInput.argtypes = [pointer, word, ctypes.c_long]
        x.XInternAtom.restype = word
        x.XInternAtom.argtypes = [pointer, ctypes.c_char_p, ctypes.c_int]
        x.XGetAtomName.restype = ctypes.c_char_p
        x.XGetAtomName.argtypes = [pointer, word]
        x.XConvertSelection.argtypes = [pointer, *[word] * 5]
        x.XPending.argtypes = x.XFlush.argtypes = x.XCloseDisplay.argtypes = [pointer]
        x.XNextEvent.argtypes = [pointer, pointer]
        x.XGetWindowProperty.argtypes = [pointer, word, word, ctypes.c_long, ctypes.c_long, ctypes.c_int, word,
                                         *[pointer] * 5]
        x.XFree.argtypes = [pointer]
        self.display = x.XOpenDisplay(display.name.encode())
        check(self.display, "the display does not answer")
        self.window = x.XCreateSimpleWindow(self.display, x.XDefaultRootWindow(self.display), 0, 0, 1, 1, 0, 0, 0)
        x.XSelectInput(self.display, self.window, PROPERTY_CHANGES)

    def close(self):
        self.x.XCloseDisplay(self.display)

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def event(self, condition, what):
        """The next event that meets the condition, as its words."""
        end = time.monotonic() + LIMIT
        words = (ctypes.c_long * 24)()
        while time.monotonic() < end:
            self.x.XFlush(self.display)
            while self.x.XPending(self.display):
                self.x.XNextEvent(self.display, ctypes.byref(words))
                if condition(words[0] & 0x7fffffff, words):
                    return list(words)
            time.sleep(0.005)
        raise AssertionError(f"{what} did not come")

    def take(self, name):
        """The property's type and bytes (for atoms: words); deletes the property."""
        kind, count, after = (ctypes.c_ulong() for _ in range(3))
        bits, data = ctypes.c_int(), ctypes.c_void_p()
        self.x.XGetWindowProperty(self.display, self.window, name, 0, 1 << 28, 1, 0, ctypes.byref(kind),
                                  ctypes.byref(bits), ctypes.byref(count), ctypes.byref(after), ctypes.byref(data))
        size = count.value * (ctypes.sizeof(ctypes.c_long) if bits.value == 32 else bits.value // 8)
        whole = ctypes.string_at(data, size) if data.value else b""
        if data.value:
            self.x.XFree(data)
        return kind.value, whole

    def paste(self, target):
        """The clipboard in that form, and whether it came in parts; None: it does not have this form."""
        place = self.atom("SIMSCOPE_PASTE")
        self.x.XConvertSelection(self.display, self.atom("CLIPBOARD"), self.atom(target), place, self.window, 0)
        answer = self.event(lambda kind, _: kind == SELECTION_NOTIFY, "an answer of the clipboard's owner")
        if answer[7] == 0:
            return None, False
        kind, whole = self.take(place)
        if kind != self.atom("INCR"):
            return whole, False
        parts = []
        while True:
            self.event(lambda kind, words: kind == PROPERTY_NOTIFY and words[5] == place and
                       words[7] & 0xffffffff == NEW_VALUE, "the next part")
            _, part = self.take(place)
            if not part:
                return b"".join(parts), True
            parts.append(part)

    def targets(self):
        whole, _ = self.paste("TARGETS")
        words = (ctypes.c_ulong * (len(whole) // ctypes.sizeof(ctypes.c_ulong))).from_buffer_copy(whole)
        return {self.x.XGetAtomName(self.display, word).decode() for word in words}
