"""The running program: its state file, clicks, keys, and what the command line makes beside it."""

import json
import pathlib
import signal
import subprocess
import time

from drive.display import LIMIT, Skip, check, environment

APART = 0.05  # seconds between two reports that count as two: at least one picture


class Window:
    """The running program and what its state file tells."""

    album = None  # where each step leaves a picture

    def __init__(self, program, folder, display, *arguments, ready=None, **variables):
        self.program, self.folder, self.display = program, folder, display
        self.file = folder / "state.json"
        self.file.unlink(missing_ok=True)
        # What the program remembers is the test's own.
        self.environment = dict(environment(display.name), SIMSCOPE_STATE_DIR=str(folder / "state"), **variables)
        self.errors = folder / "program.log"
        with open(self.errors, "wb") as log:
            self.process = subprocess.Popen([program, *arguments, "--state-file", str(self.file)], cwd=folder,
                                            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.wait(ready or (lambda s: s["frames_drawn"] > 0 and "play" in s["controls"]), "the first frame")
        self.focus()
        self.picture("the first frame")

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
            time.sleep(0.005)

    def picture(self, what):
        if self.album:
            self.album.take(what)

    def reach(self, condition, what, limit=LIMIT):
        """What a click or a key should lead to, and a picture of it."""
        state = self.wait(condition, what, limit)
        self.picture(what)
        return state

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)

    def focus(self):
        """Without a window manager nobody gives the window the keyboard."""
        end = time.monotonic() + LIMIT
        while not self.holds(lambda s: s["focused"]):
            check(time.monotonic() < end, "the window does not take the focus")
            found = self.xdotool("search", "--name", "simscope$").stdout.split()
            if found:
                self.xdotool("windowfocus", found[-1])
            time.sleep(0.02)

    def place(self, control):
        """The rectangle of a control, once two reports agree on it."""
        last = None

        def settled(state):
            nonlocal last
            now = (state["controls"].get(control), state["written"])
            if last and now[0] and last[0] == now[0] and now[1] - last[1] > APART:
                return True
            if not last or last[0] != now[0]:
                last = now
            return False

        return self.wait(settled, f"the control {control}")["controls"][control]

    def point(self, control, along=0.5):
        x, y, width, height = self.place(control)
        self.move(round(x + along * width), y + height // 2)

    def move(self, x, y):
        """The mouse, until a picture was drawn with it there."""
        self.xdotool("mousemove", x, y)
        self.wait(lambda s: s["mouse"] and s["mouse"][:2] == [x, y], f"the mouse at {x}, {y}")

    def settle(self):
        """Two more reports: what came in has been drawn."""
        for _ in range(2):
            written = self.state()["written"]
            self.wait(lambda s, before=written: s["written"] - before > APART, "another report")

    def click(self, control, condition, what, along=0.5, again=LIMIT / 4):
        """Clicks until the condition holds (a click may be lost while the window takes the focus); again: seconds."""
        for _ in range(4):
            self.point(control, along)
            self.settle()  # a dialog that has just opened moves its caret, and loses a click meanwhile
            self.xdotool("click", 1)
            try:
                return self.reach(condition, what, again)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
                print(f"clicked {control} once more for {what}")
        return self.reach(condition, what, 1)

    def key(self, keys, condition, what):
        for _ in range(4):
            self.xdotool("key", keys)
            try:
                return self.reach(condition, what, LIMIT / 4)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
                print(f"pressed {keys} once more for {what}")
                self.focus()
        return self.reach(condition, what, 1)

    def write(self, text):
        """Over what a field holds."""
        self.select_all()
        self.xdotool("type", "--delay", 30, text)

    def enter(self, text, condition, what):
        """write() and Return, until the condition holds (a letter may be lost while a field that refused gets its caret)."""
        for _ in range(4):
            self.write(text)
            self.settle()
            self.xdotool("key", "Return")
            try:
                return self.reach(condition, what, LIMIT / 4)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
        return self.reach(condition, what, 1)

    def write_at_once(self, text, key):
        """As write(), and `key`, all of it while the program draws one picture."""
        self.select_all()
        self.process.send_signal(signal.SIGSTOP)
        try:
            self.xdotool("type", "--delay", 30, text)
            self.xdotool("key", key)
        finally:
            self.process.send_signal(signal.SIGCONT)

    def select_all(self):
        """Ctrl+A in a field. Dear ImGui 1.90 may not hear it where Ctrl and A come in the same frame, as no hand does."""
        for step in (("keydown", "ctrl"), ("key", "a"), ("keyup", "ctrl")):
            self.xdotool(*step)
            self.settle()

    def set_parameter(self, key, text, condition, what):
        self.click("value:" + key, lambda s: s["typing"] == key, f"the field of {key}")
        self.write(text)
        self.xdotool("key", "Return")
        self.wait(lambda s: s["typing"] == "", f"the end of typing into {key}")
        return self.reach(condition, what)

    def idle(self):
        """Waits until nothing changes any more in a paused run, and the picture shows the newest frame."""
        last = None

        def same(state):
            nonlocal last
            now = {k: state[k] for k in ("frame", "steps", "drawn_sequence", "frames_drawn", "figure_size")}
            if not state["playing"] and now["frame"] == now["drawn_sequence"] and last and last[0] == now:
                return state["written"] - last[1] > APART
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


def sanitized(program):
    """Whether the program is built with the address sanitizer: all takes several times as long."""
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def command(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    check(done.returncode == 0, f"simscope {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stdout}")


def frames_of(file):
    from PIL import Image, ImageSequence
    with Image.open(file) as picture:
        return [(frame.convert("RGB").tobytes(), frame.info.get("duration")) for frame in
                ImageSequence.Iterator(picture)], picture.size
