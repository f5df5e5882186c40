"""What a scenario stands on: its checks, the program's environment, and an X server of its own."""

import os
import struct
import subprocess

LIMIT = 120  # seconds for any one condition; software OpenGL on a loaded machine draws a few frames a second
SCREEN = (1280, 860)


class Skip(Exception):
    pass


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def environment(display=None):
    result = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", SIMSCOPE_DEVICE="cpu", SIMSCOPE_HINTS="off")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "SIMSCOPE_SCALE"):
        result.pop(variable, None)
    if display:
        result["DISPLAY"] = display
    # Where a vendor's driver is installed, too: window and `render` shall use the same software rasteriser.
    result["__GLX_VENDOR_LIBRARY_NAME"] = "mesa"
    mesa = "/usr/share/glvnd/egl_vendor.d/50_mesa.json"
    if os.path.exists(mesa):
        result["__EGL_VENDOR_LIBRARY_FILENAMES"] = mesa
    # Drivers leave memory to the end of the process; the leak check belongs to the tests without them.
    result["ASAN_OPTIONS"] = ":".join(filter(None, [result.get("ASAN_OPTIONS"), "detect_leaks=0"]))
    return result


class Display:
    """An Xvfb of our own, on a number that it chooses itself; its screen is a file that can be read."""

    def __init__(self, folder, size):
        read_end, write_end = os.pipe()
        self.folder = folder
        log = open(folder / "xvfb.log", "wb")
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp",
             "-noreset", "-fbdir", str(folder)],
            pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        log.close()
        os.close(write_end)
        text = b""
        while not text.endswith(b"\n"):
            part = os.read(read_end, 64)
            if not part:
                break
            text += part
        os.close(read_end)
        if not text.strip().isdigit():
            self.close()
            raise Skip("Xvfb does not start: " + (folder / "xvfb.log").read_text(errors="replace").strip())
        self.name = ":" + text.decode().strip()

    def screenshot(self):
        """The screen as a Pillow picture, from the X window dump that Xvfb keeps."""
        from PIL import Image
        data = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", data[:100])
        header_size, width, height, bits, stride, colours = (header[i] for i in (0, 4, 5, 11, 12, 19))
        check(bits == 32, f"the screen has {bits} bits a pixel, not 32")
        order = "BGRX" if header[7] == 0 else "XRGB"
        pixels = data[header_size + 12 * colours:]
        return Image.frombuffer("RGB", (width, height), pixels, "raw", order, stride, 1)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
