#!/usr/bin/env python3
"""Drives the real window under a virtual display, as a user would: window_drive.py PROGRAM SCENARIO.

The program is started with --state-file, which tells what it shows and where its controls lie on the screen; xdotool
clicks and types there. Nothing is timed: every step waits for the state that it should lead to. Exit status 77: this
machine lacks what the test needs (Xvfb, xdotool, Pillow, or software OpenGL 4.5), said on standard output.
"""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
LIMIT = 120  # seconds for any one condition; software OpenGL on a loaded machine draws a few frames a second
SCREEN = (1280, 860)


class Skip(Exception):
    pass


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def environment(display=None):
    result = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", SIMSCOPE_DEVICE="cpu")
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


class Window:
    """The running program and what its state file tells."""

    def __init__(self, program, folder, display, *arguments, **variables):
        self.folder, self.display = folder, display
        self.file = folder / "state.json"
        self.file.unlink(missing_ok=True)
        self.environment = dict(environment(display.name), **variables)
        self.errors = folder / "program.log"
        with open(self.errors, "wb") as log:
            self.process = subprocess.Popen([program, *arguments, "--state-file", str(self.file)], cwd=folder,
                                            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait(lambda s: s["frames_drawn"] > 0 and "play" in s["controls"], "the first frame")
        self.focus()

    def log(self):
        return self.errors.read_text(errors="replace").strip()

    def state(self):
        try:
            return json.loads(self.file.read_text())
        except (FileNotFoundError, ValueError):
            return None

    def holds(self, condition):
        state = self.state()
        return state is not None and condition(state)

    def wait(self, condition, what, limit=LIMIT):
        end = time.monotonic() + limit
        while True:
            if self.holds(condition):
                return self.state()
            status = self.process.poll()
            if status is not None:
                if "OpenGL 4.5" in self.log():
                    raise Skip("no software OpenGL 4.5 here: " + self.log())
                raise AssertionError(f"the program ended with {status} while waiting for {what}: {self.log()}")
            if time.monotonic() > end:
                raise AssertionError(f"{what} did not come in {limit} s; the state: {json.dumps(self.state())}")
            time.sleep(0.03)

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)

    def focus(self):
        """Without a window manager nobody gives the window the keyboard."""
        end = time.monotonic() + LIMIT
        while not self.holds(lambda s: s["focused"]):
            check(time.monotonic() < end, "the window does not take the focus")
            found = self.xdotool("search", "--name", "^simscope$").stdout.split()
            if found:
                self.xdotool("windowfocus", found[-1])
            time.sleep(0.1)

    def place(self, control):
        """The rectangle of a control, once two reports agree on it."""
        last = None

        def settled(state):
            nonlocal last
            now = (state["controls"].get(control), state["written"])
            if last and now[0] and last[0] == now[0] and last[1] != now[1]:
                return True
            if not last or last[0] != now[0]:
                last = now
            return False

        return self.wait(settled, f"the control {control}")["controls"][control]

    def point(self, control, along=0.5):
        x, y, width, height = self.place(control)
        self.xdotool("mousemove", round(x + along * width), y + height // 2)

    def settle(self):
        """Two more reports: what came in has been drawn."""
        for _ in range(2):
            written = self.state()["written"]
            self.wait(lambda s, before=written: s["written"] != before, "another report")

    def click(self, control, condition, what, along=0.5):
        """Clicks until the condition holds (a click may be lost while the window takes the focus)."""
        for _ in range(4):
            self.point(control, along)
            self.settle()
            self.xdotool("click", 1)
            try:
                return self.wait(condition, what, LIMIT / 4)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
        return self.wait(condition, what, 1)

    def key(self, keys, condition, what):
        for _ in range(4):
            self.xdotool("key", keys)
            try:
                return self.wait(condition, what, LIMIT / 4)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
                self.focus()
        return self.wait(condition, what, 1)

    def write(self, text):
        """Over what a field holds."""
        self.xdotool("key", "ctrl+a")
        self.settle()
        self.xdotool("type", "--delay", 30, text)

    def set_parameter(self, key, text, condition, what):
        self.click("value:" + key, lambda s: s["typing"] == key, f"the field of {key}")
        self.write(text)
        self.xdotool("key", "Return")
        self.wait(lambda s: s["typing"] == "", f"the end of typing into {key}")
        return self.wait(condition, what)

    def idle(self):
        """Waits until nothing changes any more in a paused run, and the picture shows the newest frame."""
        last = None

        def same(state):
            nonlocal last
            now = {k: state[k] for k in ("frame", "steps", "drawn_sequence", "frames_drawn", "figure_size")}
            if not state["playing"] and now["frame"] == now["drawn_sequence"] and last and last[0] == now:
                return state["written"] != last[1]
            if not last or last[0] != now:
                last = (now, state["written"])
            return False

        return self.wait(same, "rest")

    def quit(self):
        self.xdotool("key", "ctrl+q")
        end = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
            if time.monotonic() > end - LIMIT / 2 and self.process.poll() is None:
                self.focus()
                self.xdotool("key", "ctrl+q")
        check(self.process.poll() is not None, "Ctrl+Q does not end the program")
        check(self.process.returncode == 0, f"the program ended with {self.process.returncode}: {self.log()}")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def command(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    check(done.returncode == 0, f"simscope {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stdout}")


def frames_of(file):
    from PIL import Image, ImageSequence
    with Image.open(file) as picture:
        return [(frame.convert("RGB").tobytes(), frame.info.get("duration")) for frame in
                ImageSequence.Iterator(picture)], picture.size


def run(program, folder, display):
    """Play, pause, step, reset, presets, help, and quit, by buttons and by keys."""
    w = Window(program, folder, display, "gui", "tunneling")
    start = w.state()
    check(start["steps"] == 0 and not start["playing"], "the window does not open paused at the start")
    per_frame = start["steps_per_frame"]

    w.click("play", lambda s: s["playing"] and s["steps"] > 0, "the run to play")
    seen = w.state()["frames_drawn"]
    w.wait(lambda s: s["frames_drawn"] >= seen + 2, "two more pictures")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    before = w.idle()["steps"]
    w.key("s", lambda s: s["steps"] == before + per_frame, "one frame's steps by key")
    w.click("step", lambda s: s["steps"] == before + 2 * per_frame, "one frame's steps by button")
    w.key("r", lambda s: s["steps"] == 0 and s["epoch"] > start["epoch"], "the start again, by key")
    w.key("s", lambda s: s["steps"] == per_frame, "a step")
    epoch = w.state()["epoch"]
    w.click("reset", lambda s: s["steps"] == 0 and s["epoch"] > epoch, "the start again, by button")

    w.click("preset:tunnelling", lambda s: s["parameters"]["barrier_height"] == "2.5" and s["steps"] == 0, "the preset")
    w.key("F1", lambda s: "help" in s["dialogs"], "the list of keys")
    w.key("Escape", lambda s: "help" not in s["dialogs"], "the list of keys to close")
    w.click("theme", lambda s: s["theme"] == "light", "the light theme")

    # On a machine with another device the run goes on there from the same step.
    for device in [d for d in w.state()["devices"] if d != "cpu"][:1]:
        steps = w.key("s", lambda s: s["steps"] > 0, "a step")["steps"]
        w.click("device", lambda s: "device:" + device in s["controls"], "the list of devices")
        state = w.click("device:" + device, lambda s: s["device"] == device, "the other device")
        check(state["steps"] == steps, "the switch of the device lost the run's place")

    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def parameters(program, folder, display):
    """Typed values, refused ones, sliders, restarts, defaults, and the cure of a finding."""
    w = Window(program, folder, display, "gui", "tunneling")
    epoch = w.state()["epoch"]
    w.key("s", lambda s: s["steps"] > 0, "a step")
    steps = w.state()["steps"]

    # Live: at once, the run goes on.
    state = w.set_parameter("barrier_height", "2.25", lambda s: s["parameters"]["barrier_height"] == "2.25", "V0")
    check(state["epoch"] == epoch and state["steps"] == steps, "a live parameter restarted the run")
    # Out of range: said, and nothing changes.
    state = w.set_parameter("time_step", "7", lambda s: len(s["refused"]) == 1, "the refusal")
    check("time_step" in state["refused"][0], f"the refusal does not name the key: {state['refused']}")
    check(state["parameters"]["time_step"] == "0.05", "a refused value was taken")
    w.set_parameter("time_step", "0.04", lambda s: s["parameters"]["time_step"] == "0.04" and not s["refused"], "dt")
    # Letters and spaces belong to the field while somebody types in it.
    w.set_parameter("time_step", "7 rspf", lambda s: len(s["refused"]) == 1, "the refusal of a text")
    state = w.state()
    check(state["steps"] == steps and state["epoch"] == epoch and not state["playing"], "typing moved the run")
    check(state["last_file"] == "", "typing saved a picture")
    w.set_parameter("time_step", "0.03", lambda s: s["parameters"]["time_step"] == "0.03" and not s["refused"], "dt")
    # On reset: restarts once.
    state = w.set_parameter("packet_momentum", "2.5", lambda s: s["parameters"]["packet_momentum"] == "2.5", "k0")
    w.wait(lambda s: s["epoch"] == epoch + 1 and s["steps"] == 0, "one restart")

    # A slider of a live parameter acts while it moves, one of the others when it is let go.
    w.point("slider:barrier_height", 0.3)
    w.settle()
    w.xdotool("mousedown", 1)
    w.settle()
    w.point("slider:barrier_height", 0.8)
    w.wait(lambda s: float(s["parameters"]["barrier_height"]) > 10, "the live slider")
    w.xdotool("mouseup", 1)
    w.settle()
    w.point("slider:packet_width", 0.3)
    w.settle()
    w.xdotool("mousedown", 1)
    w.settle()
    w.point("slider:packet_width", 0.8)
    w.settle()
    state = w.state()
    check(state["parameters"]["packet_width"] == "5" and state["epoch"] == epoch + 1, "a slider in the hand restarted")
    w.xdotool("mouseup", 1)
    w.wait(lambda s: float(s["parameters"]["packet_width"]) > 5 and s["epoch"] == epoch + 2, "one restart at the end")

    w.click("default:packet_width", lambda s: s["parameters"]["packet_width"] == "5", "the default")
    w.click("preset:over_barrier", lambda s: s["parameters"]["time_step"] == "0.05", "the preset")
    state = w.wait(lambda s: any(c.startswith("cure:") for c in s["controls"]), "a finding with its cure")
    cure = next(c for c in state["controls"] if c.startswith("cure:"))
    w.click(cure, lambda s: s["parameters"]["time_step"] != "0.05", "the cured time step")
    w.wait(lambda s: cure[5:] not in s["findings"], "the finding to go")

    # A combo.
    w.click("value:potential", lambda s: "value:potential:step" in s["controls"], "the list of potentials")
    w.click("value:potential:step", lambda s: s["parameters"]["potential"] == "step", "the step")
    w.quit()


def figure(program, folder, display):
    """The figure on the screen, and the mouse on it."""
    w = Window(program, folder, display, "gui", "tunneling", "--play")
    w.wait(lambda s: s["steps"] > 0 and s["frames_drawn"] > 1, "a picture of a playing run")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    # Away from the figure, where the mouse would draw its marker.
    w.point("help")
    state = w.idle()
    w.settle()
    screen = display.screenshot()
    check(screen.size == SCREEN, f"the screenshot is {screen.size}")
    x, y, width, height = state["figure"]
    area = screen.crop((x, y, x + width, y + height))
    colours = {colour: count for count, colour in area.getcolors(width * height)}
    check(len(colours) > 50, f"the figure has {len(colours)} colours only")
    share = colours.get(tuple(state["background"]), 0) / (width * height)
    check(share > 0.1, f"only {share:.1%} of the figure have its background's colour")
    check(len(screen.getcolors(SCREEN[0] * SCREEN[1])) > 200, "the window is nearly blank")

    left, top, plot_width, plot_height = state["plot"]
    middle = (left + plot_width // 2, top + plot_height // 2)
    w.xdotool("mousemove", *middle)
    w.settle()
    w.xdotool("click", 4)
    x = w.wait(lambda s: s["x"] is not None, "the zoom of x")["x"]
    check(abs((x[1] - x[0]) / 200 - 1 / 1.2) < 0.01, f"a notch of the wheel gives {x}")
    check(abs(x[0] + x[1]) < 4, f"the zoom is not about the mouse: {x}")
    check(w.state()["y"] is None, "the wheel zoomed y, too")
    w.xdotool("keydown", "ctrl")
    w.settle()
    w.xdotool("click", 4)
    w.wait(lambda s: s["y"] is not None, "the zoom of y")
    w.xdotool("keyup", "ctrl")
    w.xdotool("mousedown", 1)
    w.settle()
    w.xdotool("mousemove", middle[0] + 60, middle[1])
    w.wait(lambda s: s["x"][0] < x[0] - 1, "the figure to follow the drag")
    w.xdotool("mouseup", 1)
    w.key("f", lambda s: s["x"] is None and s["y"] is None, "the axes to fit")
    w.quit()


def tools(program, folder, display):
    """The simulation's tool for the mouse acts on a paused run; without it, or with another button, the axes move."""
    w = Window(program, folder, display, "gui", "tunneling")
    start = w.idle()
    check(start["tool"]["taken"] == "" and start["pokes"] == 0, f"the window opens with a tool: {start['tool']}")
    left, top, width, height = start["plot"]
    centre, length = (float(start["parameters"][key]) for key in ("packet_center", "domain_length"))
    packet = (left + round((centre / length + 0.5) * width), top + height // 2)
    momentum = start["diagnostics"]["mean_momentum"]

    def hold(button, begun, what):
        """Presses at the packet until that is seen (a press may be lost while the window takes the focus)."""
        for _ in range(4):
            w.xdotool("mousemove", *packet)
            w.settle()
            w.xdotool("mousedown", button)
            try:
                return w.wait(begun, what, LIMIT / 4)
            except AssertionError:
                if w.process.poll() is not None:
                    raise
                w.xdotool("mouseup", button)
                w.focus()
        raise AssertionError(what)

    def drag(button, by, condition, what):
        """Presses at the packet, and goes on in the direction until the condition holds."""
        def moved(state):
            nonlocal by, written
            if condition(state):
                return True
            if state["written"] != written and abs(by) < 140:
                by, written = by + (8 if by > 0 else -8), state["written"]
                w.xdotool("mousemove", packet[0] + by, packet[1])
            return False

        w.xdotool("mousemove", *packet)
        w.settle()
        w.xdotool("mousedown", button)
        w.settle()
        written = w.state()["written"]
        w.xdotool("mousemove", packet[0] + by, packet[1])
        state = w.wait(moved, what)
        w.xdotool("mouseup", button)
        w.settle()
        return state

    # A drag to the right throws the packet to the right, at once though the run is paused, and leaves the axes.
    w.click("tool:kick", lambda s: s["tool"]["taken"] == "kick", "the tool")
    hold(1, lambda s: s["tool"]["stroking"], "the stroke to begin")
    w.xdotool("mousemove", packet[0] + 50, packet[1])
    state = w.wait(lambda s: s["diagnostics"]["mean_momentum"] > momentum + 0.1, "the kicked packet")
    w.xdotool("mouseup", 1)
    w.wait(lambda s: not s["tool"]["stroking"], "the stroke to end")
    check(state["steps"] == 0 and not state["playing"], "the stroke moved the run")
    check(state["x"] is None and state["y"] is None, "the stroke moved the axes")
    check(state["pokes"] > 1, f"a drag of 50 pixels made {state['pokes']} events")
    kicked = w.idle()
    check(kicked["drawn_sequence"] > start["drawn_sequence"], "the figure does not show the stroke")

    # A picture says that its scene does not lead to this state.
    w.key("p", lambda s: any("Wrote" in m and "mouse" in m for m in s["messages"]), "the picture and its note")

    # Shift and wheel: the radius; the wheel alone zooms.
    w.xdotool("mousemove", *packet)
    w.settle()
    w.xdotool("keydown", "shift")
    w.settle()
    w.xdotool("click", 4)
    radius = w.wait(lambda s: s["tool"]["radius"] > start["tool"]["radius"], "a larger radius")["tool"]["radius"]
    w.xdotool("keyup", "shift")
    w.settle()
    check(w.state()["x"] is None, "Shift and wheel zoomed")
    w.xdotool("click", 4)
    x = w.wait(lambda s: s["x"] is not None, "the zoom of x")["x"]
    check(w.state()["tool"]["radius"] == radius, "the wheel alone changed the radius")

    # The right button moves the axes whatever the tool, the left one without a tool.
    pokes = w.state()["pokes"]
    drag(3, 40, lambda s: s["x"] and s["x"][0] < x[0] - 1, "the axes to follow the right button")
    w.key("Escape", lambda s: s["tool"]["taken"] == "", "Pan, by key")
    x = w.state()["x"]
    drag(1, -40, lambda s: s["x"] and s["x"][0] > x[0] + 1, "the axes to follow the drag")
    state = w.idle()
    check(state["pokes"] == pokes, "the run was poked without a tool")
    for key in ("mean_momentum", "norm"):
        check(state["diagnostics"][key] == kicked["diagnostics"][key], f"{key} has changed without a tool")
    w.key("1", lambda s: s["tool"]["taken"] == "kick", "the tool, by key")
    w.key("0", lambda s: s["tool"]["taken"] == "", "Pan, by the key 0")
    w.key("1", lambda s: s["tool"]["taken"] == "kick", "the tool again")

    # While a recording is under way nobody pokes the run, and its start is the scene's again.
    w.key("ctrl+r", lambda s: "record" in s["dialogs"], "the recorder's dialog")
    w.click("record_frames", lambda s: s["typing_anywhere"], "a caret", along=0.25)
    w.write("100000")
    w.settle()
    w.click("record_start", lambda s: s["recording"] is not None, "the recording to begin")
    x = w.state()["x"]
    drag(1, 40, lambda s: s["x"] and s["x"][0] < x[0] - 1, "the axes to follow the drag")
    state = w.state()
    check(state["recording"] is not None and state["pokes"] == pokes, "a recorded run was poked")
    w.click("cancel_recording", lambda s: s["recording"] is None, "the recording to be cancelled")
    w.quit()


def record(program, folder, display):
    """A GIF from the window: as asked, and the same pictures as `simscope render` makes."""
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "animation")
    w.key("s", lambda s: s["steps"] > 0, "a step")  # the recording begins at the start all the same

    def dialog(**fields):
        w.key("ctrl+r", lambda s: "record" in s["dialogs"], "the recorder's dialog")
        for field, text in fields.items():
            w.click("record_" + field, lambda s: s["typing_anywhere"], "a caret", along=0.25)
            w.write(text)
            w.settle()

    dialog(file="window.gif", frames="7", steps="25", width="400", height="260")
    w.click("record_start", lambda s: s["recording"] is not None or s["last_file"].endswith("window.gif"),
            "the recording to begin")
    w.wait(lambda s: s["recording"] is None and s["last_file"] == str(folder / "window.gif"), "the recording to end")
    pictures, size = frames_of(folder / "window.gif")
    check(size == (400, 260), f"the animation is {size}")
    check(len(pictures) == 7, f"the animation has {len(pictures)} frames")
    check(all(duration == 40 for _, duration in pictures), f"delays: {[d for _, d in pictures]}")
    check(w.idle()["steps"] == 6 * 25, f"the run stands at step {w.state()['steps']} after the recording")

    command(program, folder, "render", "tunneling", "--preset", "animation", "--frames", 7, "--steps-per-frame", 25,
            "--size", "400x260", "--out", "file.gif")
    others, _ = frames_of(folder / "file.gif")
    for i, (mine, other) in enumerate(zip(pictures, others)):
        check(mine[0] == other[0], f"frame {i} differs from simscope render's")

    # An existing file is kept until the user agrees.
    before = (folder / "window.gif").read_bytes()
    dialog(file="window.gif")
    w.click("record_start", lambda s: s["asking"], "the question whether to replace the file")
    check(w.state()["recording"] is None and "record" in w.state()["dialogs"], "the file was replaced without a question")
    w.key("Escape", lambda s: "record" not in s["dialogs"], "the dialog to close")
    check((folder / "window.gif").read_bytes() == before, "the file has changed")

    # Cancelled: no file, and the run is free again.
    dialog(file="cancelled.gif", frames="100000")
    w.click("record_start", lambda s: s["recording"] is not None, "the long recording to begin")
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 2, "some of its frames")
    w.click("cancel_recording", lambda s: s["recording"] is None, "the recording to be cancelled")
    check(not [f for f in folder.iterdir() if "cancelled" in f.name], "the cancelled recording left a file")
    steps = w.idle()["steps"]
    w.key("s", lambda s: s["steps"] > steps, "a step after the recording")
    w.quit()


def picture(program, folder, display):
    """A PNG from the window shows what the screen shows and what `simscope render` draws."""
    from PIL import Image, ImageChops
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "tunnelling")
    per_frame = w.state()["steps_per_frame"]
    for i in range(1, 5):
        w.key("s", lambda s, n=i: s["steps"] == n * per_frame, f"step {i}")
    w.point("help")
    w.idle()
    state = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")
    mine = Image.open(state["last_file"]).convert("RGB")
    check(list(mine.size) == state["figure_size"], f"the picture is {mine.size}")

    # It goes by itself, too: perhaps before the click.
    if place := w.state()["controls"].get("dismiss"):
        w.xdotool("mousemove", place[0] + place[2] // 2, place[1] + place[3] // 2)
        w.settle()
        w.xdotool("click", 1)
    w.wait(lambda s: not s["messages"], "the message to go")
    w.point("help")
    w.idle()
    w.settle()
    x, y, width, height = state["figure"]
    shown = display.screenshot().crop((x, y, x + width, y + height))
    different = ImageChops.difference(mine, shown).getbbox()
    check(different is None, f"screen and file differ in {different}")

    command(program, folder, "render", "tunneling", "--preset", "tunnelling", "--frames", 5, "--steps-per-frame",
            per_frame, "--size", f"{mine.size[0]}x{mine.size[1]}", "--out", "file.png")
    different = ImageChops.difference(mine, Image.open(folder / "file.png").convert("RGB")).getbbox()
    check(different is None, f"window and simscope render differ in {different}")
    # The scene in the picture makes the picture again.
    command(program, folder, "render", state["last_file"], "--out", "again.png")
    different = ImageChops.difference(mine, Image.open(folder / "again.png").convert("RGB")).getbbox()
    check(different is None, f"the embedded scene draws something else in {different}")
    w.quit()


def scale(program, folder, display):
    """Text and controls at 200 % take twice the room; what does not fit any more scrolls."""
    one = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_SCALE="1")
    small = one.place("play")
    one.quit()
    two = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_SCALE="2")
    check(two.state()["scale"] == 2, f"the scale is {two.state()['scale']}")
    large = two.place("play")
    for i in (2, 3):
        check(abs(large[i] / small[i] - 2) < 0.1, f"the button is {small} at 100 % and {large} at 200 %")
    two.click("play", lambda s: s["playing"] and s["steps"] > 0, "the run to play")
    two.quit()


def no_display(program, folder, display):
    """Where no display answers the program says what works without one, and ends with 1."""
    done = subprocess.run([program, "gui", "tunneling"], cwd=folder, env=environment(":31999"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
    check(done.returncode == 1, f"exit status {done.returncode}: {done.stderr}")
    check("simscope render" in done.stderr, f"the message does not tell what to use: {done.stderr}")


SCENARIOS = {f.__name__: f for f in (run, parameters, figure, tools, record, picture, scale, no_display)}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in SCENARIOS:
        print(f"usage: window_drive.py PROGRAM {'|'.join(SCENARIOS)}")
        return 2
    program, scenario = os.path.abspath(sys.argv[1]), SCENARIOS[sys.argv[2]]
    with tempfile.TemporaryDirectory(prefix="simscope-window-") as name:
        folder = pathlib.Path(name).resolve()
        display = None
        windows = []
        make = Window.__init__
        try:
            if scenario is not no_display:
                for tool in ("Xvfb", "xdotool"):
                    if not shutil.which(tool):
                        raise Skip(f"{tool} is not installed")
                try:
                    import PIL.Image  # noqa: F401
                except ImportError as error:
                    raise Skip("Pillow is not installed (python3-pil)") from error
                display = Display(folder, SCREEN)

            def keep(self, *arguments, **variables):
                windows.append(self)
                make(self, *arguments, **variables)

            Window.__init__ = keep
            scenario(program, folder, display)
            print(f"{sys.argv[2]}: passed")
            return 0
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        finally:
            for window in windows:
                if hasattr(window, "process"):
                    window.close()
            if display:
                display.close()


if __name__ == "__main__":
    sys.exit(main())
