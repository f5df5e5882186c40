"""The program under Wayland: Weston in the X server of the test, which passes on the mouse and the keys.

GLFW 3.4 supports both. Debian 12 has 3.3 for X11, and one for Wayland in a package that conflicts with it
(libglfw3-wayland): SIMSCOPE_WAYLAND_GLFW names the folder where that was unpacked (dpkg -x).
"""

import os
import pathlib
import shutil
import subprocess
import time

from drive.display import SCREEN, Skip, check, environment
from drive.window import Window, command

SOCKET = "simscope-test"
INI = """[core]
idle-time=0
[keyboard]
repeat-rate=0
[shell]
panel-position=none
locking=false
startup-animation=none
animation=none
[output]
name=screen0
mode={width}x{height}
scale={scale}
[output]
name=X1
mode={width}x{height}
scale={scale}
"""


class Weston:
    """One output that fills the X server's screen; `scale`: pixels per unit, as on a high-density monitor."""

    def __init__(self, folder, display, scale):
        self.runtime = folder / f"runtime{scale}"
        self.runtime.mkdir(mode=0o700)
        ini = folder / f"weston{scale}.ini"
        ini.write_text(INI.format(width=SCREEN[0] // scale, height=SCREEN[1] // scale, scale=scale))
        self.log = folder / f"weston{scale}.log"
        self.variables = {"XDG_RUNTIME_DIR": str(self.runtime), "WAYLAND_DISPLAY": SOCKET, "XDG_SESSION_TYPE": "wayland"}
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["weston", "--backend=x11-backend.so", "--use-pixman", f"--socket={SOCKET}", f"--config={ini}"],
                env=dict(environment(display.name), XDG_RUNTIME_DIR=str(self.runtime)), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        end = time.monotonic() + 60
        while not (self.runtime / SOCKET).exists():
            if self.process.poll() is not None or time.monotonic() > end:
                self.close()
                raise Skip("weston does not start: " + self.log.read_text(errors="replace")[-600:])
            time.sleep(0.05)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class WaylandWindow(Window):
    """Its position on the screen is unknown: it is driven while it fills the screen."""

    def focus(self):
        end = time.monotonic() + 60
        while not self.holds(lambda s: s["focused"]):
            check(time.monotonic() < end, "the window does not take the focus")
            for found in self.xdotool("search", "--name", "Weston").stdout.split():
                self.xdotool("windowfocus", found)
            self.xdotool("mousemove", SCREEN[0] // 2, SCREEN[1] // 2)
            time.sleep(0.2)


def speaks_wayland(program, folder, variables):
    """Whether this GLFW supports Wayland: without an X server a window opens, or no display answers."""
    alone = dict(environment(), **variables, SIMSCOPE_STATE_DIR=str(folder / "asked"))
    asked = folder / "asked.json"
    process = subprocess.Popen([program, "gui", "tunneling", "--state-file", str(asked)], cwd=folder, env=alone,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = time.monotonic() + 60
    while process.poll() is None and not asked.exists() and time.monotonic() < end:
        time.sleep(0.05)
    if process.poll() is None:
        process.terminate()
        process.communicate(timeout=60)
        check(asked.exists(), "no window in a minute, and no word")
        return
    said = process.communicate()[0]
    check("no display is available" in said, f"the program ended with {process.returncode}: {said}")
    raise Skip("this GLFW does not speak Wayland (SIMSCOPE_WAYLAND_GLFW names a folder of one that does)")


def wayland(program, folder, display):
    """Mouse, keys, full screen, and exact pixels under Wayland, also on a monitor of two pixels per unit; no
    complaints."""
    from PIL import Image, ImageChops
    if not shutil.which("weston"):
        raise Skip("weston is not installed")
    extra = {}
    if glfw := os.environ.get("SIMSCOPE_WAYLAND_GLFW"):
        check(pathlib.Path(glfw, "libglfw.so.3").exists(), f"there is no libglfw.so.3 in {glfw}")
        extra["LD_LIBRARY_PATH"] = ":".join(filter(None, [glfw, os.environ.get("LD_LIBRARY_PATH")]))
    for scale in (1, 2):
        weston = Weston(folder, display, scale)
        try:
            variables = dict(weston.variables, **extra)
            if scale == 1:
                speaks_wayland(program, folder, variables)
            w = WaylandWindow(program, folder, display, "gui", "tunneling", "--preset", "tunnelling", **variables)
            check(not w.xdotool("search", "--name", "simscope$").stdout, "the window is one of X11")
            units = [side // scale for side in SCREEN]
            w.key("F11", lambda s: s["full_screen"] and s["window"][2:] == units, "the full screen")
            state = w.idle()
            check(state["scale"] == 1, f"the scale is {state['scale']}")
            for i in (0, 1):
                pixels = state["figure_size"][i]
                check(abs(pixels - scale * state["figure"][2 + i]) <= scale, f"{pixels} pixels at {scale} a unit")

            # Places of controls are in units; the screen of the test has pixels.
            def click(control, condition, what):
                x, y, width, height = w.place(control)
                for _ in range(4):
                    # In four of seven starts Weston's own cursor stays in the corner until the mouse has been there.
                    for place in ((2, 2), (round(scale * (x + width / 2)), round(scale * (y + height / 2)))):
                        w.xdotool("mousemove", *place)
                        w.settle()
                    w.xdotool("click", 1)
                    try:
                        return w.reach(condition, what, 30)
                    except AssertionError:
                        if w.process.poll() is not None:
                            raise
                return w.reach(condition, what, 1)

            click("play", lambda s: s["playing"] and s["steps"] > 0, "the run to play, by the mouse")
            w.key("space", lambda s: not s["playing"], "the run to pause, by a key")
            w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
            w.xdotool("type", "--delay", 30, "barrier height 2.25")
            w.wait(lambda s: s["hits"] and s["hits"][0] == "parameter:barrier_height", "the parameter")
            w.xdotool("key", "Return")
            w.wait(lambda s: s["parameters"]["barrier_height"] == "2.25", "the value")

            # The screen equals the saved picture, pixel for pixel. (A change during a run is not in its scene.)
            w.key("r", lambda s: s["steps"] == 0, "the start")
            w.key("s", lambda s: s["steps"] > 0, "a step")
            w.xdotool("mousemove", 2, 2)
            state = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")
            w.wait(lambda s: not s["messages"], "the message to go")
            w.idle()
            w.settle()
            x, y, width, height = (scale * each for each in state["figure"])
            saved = Image.open(state["last_file"]).convert("RGB")
            shown = display.screenshot().crop((x, y, x + saved.width, y + saved.height))
            different = ImageChops.difference(saved, shown).getbbox()
            check(different is None, f"at {scale} pixels a unit screen and file differ in {different}")
            command(program, folder, "render", state["last_file"], "--out", f"again{scale}.png")
            again = Image.open(folder / f"again{scale}.png").convert("RGB")
            different = ImageChops.difference(saved, again).getbbox() if saved.size == again.size else again.size
            check(different is None, f"window and simscope render differ at {scale} pixels a unit: {different}")
            w.key("F11", lambda s: not s["full_screen"], "the window's own size")
            check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
            w.quit()
        finally:
            weston.close()
