"""simscope.show: arrays of a script in the window. The script is a separate process that executes lines of Python."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from drive.display import LIMIT, Skip, check, environment
from drive.files import Recorder
from drive.sample import middle
from drive.window import Window, frames_of

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Each incoming line is executed, and answered with the value of `answer`.
SCRIPT = """
import json, sys, traceback
import numpy as np, simscope
names = {"np": np, "simscope": simscope}
for line in sys.stdin:
    names["answer"] = None
    try:
        exec(json.loads(line), names)
        print(json.dumps(["done", names["answer"]]), flush=True)
    except BaseException as fault:
        traceback.print_exc()
        print(json.dumps([type(fault).__name__, str(fault)]), flush=True)
"""


class Script:
    def __init__(self, program, folder, display):
        try:
            import numpy  # noqa: F401
        except ImportError as error:
            raise Skip("NumPy is not installed (python3-numpy)") from error
        variables = dict(environment(display.name), PYTHONPATH=str(ROOT / "app/python"), SIMSCOPE=program,
                         SIMSCOPE_STATE_DIR=str(folder / "state"), PYTHONDONTWRITEBYTECODE="1")
        self.log = open(folder / "script.log", "ab")
        self.process = subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=folder, env=variables, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.log, text=True)

    def tried(self, lines):
        """The result of the lines: "done" and the answer, or the exception and its text."""
        self.process.stdin.write(json.dumps(lines) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def do(self, lines):
        how, answer = self.tried(lines)
        check(how == "done", f"the script failed: {how}: {answer}")
        return answer

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.stdin.close()
        check(self.process.wait(LIMIT) == 0, f"the script ended with {self.process.returncode}")


class Child:
    """The window's process, started by the script: the test cannot wait for it."""

    returncode = 0

    def __init__(self, number):
        self.number = number

    def poll(self):
        try:
            stat = pathlib.Path(f"/proc/{self.number}/stat").read_text()
            return 0 if stat.rsplit(")", 1)[1].split()[0] == "Z" else None
        except OSError:
            return 0

    def kill(self):
        os.kill(self.number, signal.SIGKILL)

    def send_signal(self, number):
        os.kill(self.number, number)

    def wait(self):
        end = time.monotonic() + LIMIT
        while self.poll() is None and time.monotonic() < end:
            time.sleep(0.02)


class Shown(Window):
    """The window of simscope.show(ARRAY, ...) in a script, as `view` there."""

    def __init__(self, script, folder, display, call):
        self.folder, self.display, self.script = folder, display, script
        self.file = folder / "state.json"
        self.file.unlink(missing_ok=True)
        self.environment = environment(display.name)
        self.errors = folder / "script.log"
        script.do(f"view = simscope.show({call}, options={{'state_file': {str(self.file)!r}}})")
        self.process = Child(script.do("answer = view._child.pid"))
        self.wait(lambda s: s["frames_drawn"] > 0 and "play" in s["controls"], "the first frame")
        self.focus()
        self.picture("the first array")

    def at_update(self, number):
        return self.reach(lambda s: s["diagnostics"].get("update") == number and s["frame"] == s["drawn_sequence"],
                          f"update {number}")


COLOURS = 200  # entries of a field's table: app/render/figure/colormap.h


def colours_of(name):
    """The colour table of a field: the map's file at equal steps, neighbours interpolated."""
    lines = [tuple(bytes.fromhex(word)) for word in (ROOT / "assets/colormaps" / f"{name}.txt").read_text().split()
             if len(word) == 6 and not set(word) - set("0123456789abcdef")]
    table = []
    for entry in range(COLOURS):
        place = 255 * entry / (COLOURS - 1)
        before = min(int(place), 254)
        table.append(tuple(int(a + (b - a) * (place - before) + 0.5) for a, b in zip(lines[before], lines[before + 1])))
    return table


def colour_of(value, low, high, colours):
    return colours[max(0, min(COLOURS - 1, int((value - low) / (high - low) * COLOURS)))]


def check_field(pixel, plot, rows, columns, value_of, low, high, what, colormap="inferno"):
    """The centre of every cell has its value's colour; row 0 is at the bottom."""
    colours = colours_of(colormap)
    x, y, width, height = plot
    for row in range(rows):
        for column in range(columns):
            at = (int(x + (column + 0.5) * width / columns), int(y + height - (row + 0.5) * height / rows))
            seen = pixel(at)
            wanted = colour_of(value_of(row, column), low, high, colours)
            check(seen == wanted, f"{what}: row {row}, column {column} at {at} is {seen}, not {wanted}")


def show(program, folder, display):
    """An array unchanged, its updates, a probe, recordings, the pause, NaN; the script's end by kill -9."""
    script = Script(program, folder, display)
    script.do("u = np.arange(96.0).reshape(8, 12)")
    w = Shown(script, folder, display, "u, title='Temperature', x=(0, 3), y=(-1, 1), unit='K'")
    state = w.at_update(1)
    check(state["simulation"] == "live_array" and state["playing"], f"{state['simulation']} is shown")
    check(state["diagnostics"]["minimum"] == 0 and state["diagnostics"]["maximum"] == 95, str(state["diagnostics"]))
    w.xdotool("mousemove", 5, 5)
    w.settle()
    screen = display.screenshot()
    check_field(screen.getpixel, state["plot"], 8, 12, lambda i, j: 12 * i + j, 0, 95, "the screen")

    # Another array, and its time.
    script.do("u = u[::-1, ::-1].copy(); view.update(u); view.flush()")
    state = w.at_update(2)
    check(state["time"] == 2, f"the time is {state['time']}")
    w.settle()
    screen = display.screenshot()
    check_field(screen.getpixel, state["plot"], 8, 12, lambda i, j: 95 - 12 * i - j, 0, 95, "after the update")

    # A probe reads the element.
    w.click("measure", lambda s: "measure:probe" in s["controls"], "the menu of marks")
    w.click("measure:probe", lambda s: s["measuring"] == "probe", "the probe")
    x, y = middle(w.state()["plot"])
    w.xdotool("mousemove", x + 30, y - 20)
    w.settle()
    w.xdotool("click", 1)
    mark = w.reach(lambda s: s["marks"].get("P1", {}).get("now") is not None, "a probe with a value")["marks"]["P1"]
    row, column = int((mark["at"][1] + 1) / 2 * 8), int(mark["at"][0] / 3 * 12)
    check(mark["now"] == 95 - 12 * row - column, f"the probe reads {mark['now']} in row {row}, column {column}")

    # An exact GIF of the display, and the numbers themselves.
    recorder = Recorder(w)
    recorder.open(kind="gif", part="until_stopped", file="live.gif", width="400", height="300")
    recorder.begin("live.gif")
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 1, "a frame of it")
    script.do("u = np.full((8, 12), 40.0); view.update(u); view.flush()")
    w.wait(lambda s: s["diagnostics"].get("update") == 3, "the third array in the film")
    drawn = w.state()["recording"]["drawn"]
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > drawn + 1, "another frame")
    w.key("ctrl+r", lambda s: s["recording"] is None, "the recording to end")
    recorder.end("live.gif")
    pictures, size = frames_of(folder / "live.gif")
    check(size == (400, 300) and len(pictures) >= 2, f"the film has {len(pictures)} pictures of {size}")

    def colours_in(pixels):
        return {pixels[i:i + 3] for i in range(0, len(pixels), 3)}

    table = colours_of("inferno")
    first, last = colours_in(pictures[0][0]), colours_in(pictures[-1][0])
    seen = sum(bytes(colour_of(v, 0, 95, table)) in first for v in range(96))
    check(seen == 96, f"{seen} of the 96 values have their colour in the film")
    middle_of_last = pictures[-1][0][3 * (400 * 150 + 200):][:3]
    check(middle_of_last == bytes(colour_of(40, 0, 95, table)), f"the middle of the film's last picture is {tuple(middle_of_last)}")
    check(len(last) < len(first), "the last picture has more colours than the first")
    w.wait(lambda s: not s["playing"], "the run to rest after the film")

    # When paused, the picture is unchanged and the loop copies no more than one array.
    shown = script.do("answer = view.shown")
    script.do("for i in range(200): view.update(np.full((8, 12), float(i)))")
    check(script.do("answer = view.shown") <= shown + 1, "a paused window was given more than one array")
    check(w.state()["diagnostics"]["update"] == 3, "the paused picture has changed")
    w.key("space", lambda s: s["playing"], "play")
    script.do("view.update(np.full((8, 12), 7.0)); view.flush()")
    w.reach(lambda s: s["diagnostics"].get("mean") == 7, "the newest array")

    # NaN is shown as such.
    script.do("u = np.ones((8, 12)); u[4:, :] = np.nan; view.update(u); view.flush()")
    w.reach(lambda s: "not_finite" in s["findings"] and s["diagnostics"]["not_finite"] == 48, "the note of NaN")

    # An array that cannot be shown is refused, and the window goes on.
    for array, kind, words in (("np.zeros((2, 2, 2))", "ValueError", "3 dimensions"), ("np.zeros(0)", "ValueError", "empty"),
                               ("np.array([{}])", "TypeError", "no numbers")):
        how, why = script.tried(f"view.update({array})")
        check(how == kind and words in why, f"{array}: {how}: {why}")

    # Another form in the same window.
    script.do("k = np.linspace(-6, 6, 400, endpoint=False); "
              "view = simscope.show(np.exp(-k**2 / 4 + 3j * k), title='Temperature', x=k, symbol='ψ', "
              "unit='K', time=0.5, time_unit='s'); view.flush()")
    state = w.reach(lambda s: s["view"] == "density" and s["time"] == 0.5, "a wave")
    check(w.process.poll() is None and state["playing"], "another window, or it stands")
    script.do("view.update(np.exp(-k**2 / 4 + 3j * k) * 0.5, time=0.75); view.flush()")
    w.reach(lambda s: s["time"] == 0.75, "the wave later")

    # It cannot be saved as a scene.
    w.key("ctrl+s", lambda s: any("a scene cannot reproduce it" in m for m in s["messages"]) or "files" in s["dialogs"],
          "the refusal")

    # The script is killed: the window stays, with the last array.
    if "files" in w.state()["dialogs"]:
        w.key("Escape", lambda s: "files" not in s["dialogs"], "no dialog")
    script.kill()
    state = w.reach(lambda s: any("The script has ended" in m for m in s["messages"]),
                    "the news that the script has ended")
    w.wait(lambda s: not s["playing"], "the run to rest")
    check(state["time"] == 0.75, "the last array has gone")
    w.settle()
    w.picture("the script has ended")
    w.quit()


def show_closed(program, folder, display):
    """The script survives the end of its window, during a fast loop and at its own end."""
    script = Script(program, folder, display)
    script.do("u = np.random.default_rng(1).random((64, 64))")
    w = Shown(script, folder, display, "u")
    w.at_update(1)
    check(script.do("answer = view.open"), "the view is not open")
    w.quit()
    w.process.wait()
    check(not script.do("answer = view.open"), "the view is open though its window was closed")
    check(not script.do("answer = view.update(u) or simscope.show(u).open or view.flush()"), "a closed view took an array")
    check(script.do("view.close(); answer = view.update(u)") is False, "a view that was let go took an array")

    # Another window after close(); and a script that ends at once still leaves its last array.
    w = Shown(script, folder, display, "u, title='Again'")
    script.do("for i in range(100): view.update(u * 0 + i)")
    script.end()
    w.reach(lambda s: any("The script has ended" in m for m in s["messages"]), "the end of the script")
    state = w.wait(lambda s: s["diagnostics"].get("mean") == 99, "the last array of a script that is gone")
    check(not state["playing"], "it plays on")
    w.quit()


def show_axes(program, folder, display):
    """A cell has its coordinate in the middle, on the screen and for a probe; what a mask hides has no value; shapes and
    ranges may change thousands of times; what single precision loses is told."""
    script = Script(program, folder, display)
    script.do("p = [0, 1, 2, 3]; u = np.arange(16.0).reshape(4, 4)")
    w = Shown(script, folder, display, "u, title='Axes', x=p, y=p, every_frame=True")
    state = w.at_update(1)
    w.xdotool("mousemove", 5, 5)
    w.settle()
    check_field(display.screenshot().getpixel, state["plot"], 4, 4, lambda i, j: 4 * i + j, 0, 15, "the screen")
    w.click("measure", lambda s: "measure:probe" in s["controls"], "the menu of marks")
    w.click("measure:probe", lambda s: s["measuring"] == "probe", "the probe")
    x, y, width, height = w.state()["plot"]
    w.xdotool("mousemove", int(x + width * 2.5 / 4), int(y + height * (1 - 1.5 / 4)))  # the axes go from -0.5 to 3.5
    w.settle()
    w.xdotool("click", 1)
    mark = w.reach(lambda s: s["marks"].get("P1", {}).get("now") is not None, "a probe with a value")["marks"]["P1"]
    check(mark["now"] == 6 and abs(mark["at"][0] - 2) < 0.05 and abs(mark["at"][1] - 1) < 0.05, f"the probe: {mark}")

    script.do("view.update(np.ma.masked_greater(u, 11)); view.flush()")
    state = w.reach(lambda s: s["diagnostics"].get("not_finite") == 4, "the mask")
    check(state["diagnostics"]["maximum"] == 11, f"the maximum is {state['diagnostics']['maximum']}")

    # A range and a shape that follow the data: one description, however often.
    script.do("simscope.show(np.zeros(2), title='Axes')")
    script.do("for k in range(2000):\n"
              "    while not view.update(np.arange(2.0 + k % 300)): pass\n"
              "    simscope.show(np.full(9, k), title='Axes', range=(0, k + 1), x=(0, k + 1))\n"
              "view.flush(); answer = view.updates")
    state = w.reach(lambda s: s["diagnostics"].get("mean") == 1999, "the last array")
    check(script.do("answer = [view.open, view.refused, view._line.form > 1000]") == [True, "", True], "the view has ended")
    check("9 numbers" in state["method"], state["method"])

    script.do("x = np.linspace(-1, 1, 65); simscope.show(1e9 + 1e-3 * np.add.outer(x, x), title='Axes'); view.flush()")
    w.reach(lambda s: s["findings"] == ["digits_lost"], "the lost digits")
    script.do("view.update(np.array([1.0, 1e300])); view.flush()")
    w.reach(lambda s: s["findings"] == ["beyond_single"], "what exceeds single precision")
    script.end()
    w.quit()


def plot_in(picture, table):
    """From the middle as far as the colours are the field's."""
    width, height = picture.size

    def ends(at, size):
        low = high = size // 2
        while low > 0 and at(low - 1) in table:
            low -= 1
        while high < size - 1 and at(high + 1) in table:
            high += 1
        return low, high + 1 - low

    left, across = ends(lambda x: picture.getpixel((x, height // 2)), width)
    top, down = ends(lambda y: picture.getpixel((width // 2, y)), height)
    check(across > width // 2 and down > height // 2, f"the field is {across} by {down}")
    return [left, top, across, down]


def show_files(program, folder, display):
    """PNG, NPY, and GIF of an array: each element's exact colour, each number; they contain no scene, and verify
    reports this."""
    from PIL import Image
    script = Script(program, folder, display)
    script.do("u = (np.arange(96.0).reshape(8, 12) * 7) % 96")
    w = Shown(script, folder, display, "u, title='Temperature', unit='K', range=(0, 95), colormap='viridis'")
    w.at_update(1)
    values = [[(12 * row + column) * 7 % 96 for column in range(12)] for row in range(8)]

    def check_cells(pixel, plot, what):
        check_field(pixel, plot, 8, 12, lambda row, column: values[row][column], 0, 95, what, "viridis")

    w.xdotool("mousemove", 5, 5)
    w.settle()
    state = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")
    with Image.open(state["last_file"]) as file:
        shot = file.convert("RGB")
    check(list(shot.size) == state["figure_size"], f"the picture is {shot.size}")
    x, y = state["figure"][:2]
    plot = [state["plot"][0] - x, state["plot"][1] - y, *state["plot"][2:]]
    check_cells(shot.getpixel, plot, "the PNG")

    # Numbers, and pictures drawn for files: their letters have another size.
    recorder = Recorder(w)
    for kind, name in (("npy", "live.npy"), ("png", "live.png"), ("gif", "live.gif")):
        fields = {} if kind == "npy" else {"width": str(shot.size[0]), "height": str(shot.size[1])}
        recorder.open(kind=kind, part="until_stopped", file=name, **fields)
        recorder.begin(name)
        w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 1, "frames of it")
        w.key("ctrl+r", lambda s: s["recording"] is None, "the recording to end")
        w.wait(lambda s: pathlib.Path(s["last_file"]).name.startswith("live"), "the file")
    numbers = script.do("v = np.load('live.npy'); answer = [v.dtype.str, list(v.shape), bool((v == u).all())]")
    check(numbers[0] == "<f4" and numbers[1][1:] == [8, 12] and numbers[1][0] > 1 and numbers[2], f"the NPY holds {numbers}")
    table = set(colours_of("viridis"))
    for name in (min(each.name for each in folder.glob("live*.png")), "live.gif"):
        with Image.open(folder / name) as file:
            check(file.size == shot.size, f"{name} is {file.size}")
            picture = file.convert("RGB")
            check_cells(picture.getpixel, plot_in(picture, table), name)

    # A script's results cannot be recomputed.
    told = subprocess.run([program, "verify", state["last_file"]], capture_output=True, text=True, timeout=LIMIT)
    check(told.returncode != 0 and "scene" in told.stderr + told.stdout, f"verify: {told.returncode}, {told.stderr}")
    script.end()
    w.quit()
