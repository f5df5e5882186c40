"""Animations and pictures that the window writes."""

import json

from drive.display import check
from drive.window import Window, command, frames_of


class Recorder:
    """The recorder's dialog: fields by name, then the button; returns when the file exists."""

    def __init__(self, window):
        self.w = window

    def open(self, kind=None, part=None, **fields):
        w = self.w
        w.key("ctrl+r", lambda s: "record" in s["dialogs"], "the recorder's dialog")
        if kind:
            w.click("record_format", lambda s: "record_format:" + kind in s["controls"], "the list of formats")
            w.click("record_format:" + kind, lambda s: "record_format:" + kind not in s["controls"], "the format")
        if part:
            w.click("record_" + part, lambda s: "record_first" not in s["controls"], "another part of the run", 0.1)
        for field, text in fields.items():
            w.click("record_" + field, lambda s: s["typing_anywhere"], "a caret", along=0.25, again=3)
            w.write(text)
            w.settle()

    def begin(self, name):
        self.w.click("record_start", lambda s: s["recording"] is not None or s["last_file"].endswith(name),
                     "the recording to begin")

    def end(self, name):
        return self.w.wait(lambda s: s["recording"] is None and s["last_file"] == str(self.w.folder / name),
                           "the recording to end")


def record(program, folder, display):
    """Files from the window equal those of `simscope render`; questions, stopping, and cancelling."""
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "animation")
    recorder = Recorder(w)
    w.key("s", lambda s: s["steps"] > 0, "a step")  # the recording still begins at the start

    recorder.open(file="window.gif", frames="7", steps="25", width="400", height="260")
    recorder.begin("window.gif")
    recorder.end("window.gif")
    pictures, size = frames_of(folder / "window.gif")
    check(size == (400, 260), f"the animation is {size}")
    check(len(pictures) == 7, f"the animation has {len(pictures)} frames")
    check(all(duration == 40 for _, duration in pictures), f"delays: {[d for _, d in pictures]}")
    check(w.idle()["steps"] == 6 * 25, f"the run stands at step {w.state()['steps']} after the recording")
    options = ("--preset", "animation", "--frames", 7, "--steps-per-frame", 25, "--size", "400x260")
    command(program, folder, "render", "tunneling", *options, "--out", "file.gif")
    same(folder, "window.gif", "file.gif")
    # Its scene reproduces it.
    command(program, folder, "render", "window.gif", "--out", "again.gif")
    same(folder, "window.gif", "again.gif")

    # Numbers and numbered pictures of the same run, from frame 2 on.
    command(program, folder, "render", "window.gif", "--first-frame", 2, "--frames", 3, "--sequence", "--out",
            "file.png", "--out", "file.csv", "--out", "file.npy")
    for kind in ("png", "csv", "npy"):
        recorder.open(kind=kind, file=f"window.{kind}", first="2", frames="3", steps="25")
        recorder.begin(f"window.{kind}")
        recorder.end(f"window.{kind}")
    for name in ("0001.png", "0002.png", "0003.png", ".csv", ".npy"):
        same(folder, "window" + name, "file" + name)

    # A size out of range stays as typed, and is refused with the range.
    recorder.open(file="wide.gif", width="99999")
    w.click("record_start", lambda s: any("99999" in r and "64 to 16384" in r for r in s["refused"]), "the refusal")
    check(w.state()["recording"] is None, "a picture of 99999 pixels is being recorded")
    w.key("Escape", lambda s: "record" not in s["dialogs"], "the dialog to close")
    check(not (folder / "wide.gif").exists(), "a picture of 99999 pixels was recorded")

    # Escape first closes only the list, then the dialog.
    recorder.open(kind="gif")
    for control in ("record_format", "record_for", "record_sizes"):
        w.click(control, lambda s: "dropdown" in s["dialogs"], f"the list of {control}", 0.9)
        state = w.key("Escape", lambda s: "dropdown" not in s["dialogs"], "the list to close")
        check("record" in state["dialogs"], "Escape closed the dialog along with its list")
    w.key("Escape", lambda s: "record" not in s["dialogs"], "the dialog to close")

    # An existing file is kept until the user agrees.
    before = (folder / "window.gif").read_bytes()
    recorder.open(file="window.gif")
    w.click("record_start", lambda s: s["asking"], "the question whether to replace the file")
    state = w.state()
    check(state["recording"] is None and "record" in state["dialogs"], "the file was replaced without a question")
    w.key("Escape", lambda s: "record" not in s["dialogs"], "the dialog to close")
    check((folder / "window.gif").read_bytes() == before, "the file has changed")

    # From now until stopped, by the same key.
    recorder.open(file="stopped.gif", part="until_stopped", width="200", height="130")
    recorder.begin("stopped.gif")
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 3, "some of its frames")
    w.key("ctrl+r", lambda s: s["recording"] is None, "the recording to end")
    recorder.end("stopped.gif")
    check(len(frames_of(folder / "stopped.gif")[0]) > 3, "frames are missing")
    command(program, folder, "render", "stopped.gif", "--out", "until.gif")
    same(folder, "stopped.gif", "until.gif")

    # Cancelled: no file, and the run is released.
    recorder.open(file="cancelled.gif", frames="100000")
    w.click("record_start", lambda s: s["recording"] is not None, "the long recording to begin")
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 2, "some of its frames")
    w.click("cancel_recording", lambda s: s["recording"] is None, "the recording to be cancelled")
    check(not [f for f in folder.iterdir() if "cancelled" in f.name], "the cancelled recording left a file")
    steps = w.idle()["steps"]
    w.key("s", lambda s: s["steps"] > steps, "a step after the recording")
    w.quit()

    # Changes of the run by mouse and keyframes are part of its scene.
    (folder / "played.json").write_text(json.dumps(PLAYED))
    w = Window(program, folder, display, "played.json")
    w.key("s", lambda s: s["steps"] > 0, "a step")
    recorder = Recorder(w)
    recorder.open(file="played.gif")
    recorder.begin("played.gif")
    recorder.end("played.gif")
    w.quit()
    command(program, folder, "render", "played.json", "--out", "rendered.gif")
    same(folder, "played.gif", "rendered.gif")
    for part in ("strokes", "keyframes"):
        (folder / "other.json").write_text(json.dumps({k: v for k, v in PLAYED.items() if k != part}))
        command(program, folder, "render", "other.json", "--out", "other.gif", "--force")
        check(frames_of(folder / "other.gif") != frames_of(folder / "played.gif"), f"the {part} do nothing")

    # From now, during a frame: the scene begins there, too.
    command(program, folder, "run", "played.json", "--steps", 53, "--save-snapshot", "middle.npz")
    w = Window(program, folder, display, "middle.npz")
    w.wait(lambda s: s["steps"] == 53, "the snapshot's step")
    recorder = Recorder(w)
    recorder.open(file="now.gif", part="from_now", frames="4")
    recorder.begin("now.gif")
    recorder.end("now.gif")
    check(w.idle()["steps"] == 53 + 3 * 20, f"the run stands at step {w.state()['steps']} after the recording")
    command(program, folder, "render", "now.gif", "--out", "later.gif")
    same(folder, "now.gif", "later.gif")
    # And the window's recording of that scene, from its start.
    w.key("ctrl+o", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.write("now.gif")
    w.settle()
    w.xdotool("key", "Return")
    w.wait(lambda s: s["file"].endswith("now.gif") and s["steps"] == 0, "the scene of the recording")
    recorder.open(file="again.gif")
    w.click("record_start", lambda s: s["asking"], "the question")
    recorder.begin("again.gif")
    recorder.end("again.gif")
    same(folder, "now.gif", "again.gif")
    # Its size belongs to that scene only, not to other simulations.
    w.click("simulation:heat", lambda s: s["simulation"] == "heat", "another simulation")
    recorder.open(file="heat.gif", frames="1")
    recorder.begin("heat.gif")
    recorder.end("heat.gif")
    check(frames_of(folder / "heat.gif")[1] == (960, 540), "the size of the other simulation's recording stays")
    w.quit()


PLAYED = {
    "simscope": 1, "simulation": "tunneling", "preset": "animation",
    "strokes": [{"tool": "kick", "events": [{"step": 30, "x": -65, "dx": 4, "radius": 20},
                                            {"step": 47, "x": -60, "dx": 4, "radius": 20}]}],
    "keyframes": [{"parameter": "barrier_height", "points": [[0, 1.5], [3, 8, "smooth"], [5, 2]]}],
    "view": {"scale": 0.5},
    "recorder": {"frames": 6, "steps_per_frame": 20, "width": 200, "height": 130},
}


def same(folder, one, other):
    check((folder / one).read_bytes() == (folder / other).read_bytes(), f"{one} and {other} differ")


def picture(program, folder, display):
    """A PNG from the window equals the screen and the output of `simscope render`."""
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

    # It disappears by itself, too: perhaps before the click.
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
            per_frame, "--size", f"{mine.size[0]}x{mine.size[1]}", "--scale", 1, "--out", "file.png")
    different = ImageChops.difference(mine, Image.open(folder / "file.png").convert("RGB")).getbbox()
    check(different is None, f"window and simscope render differ in {different}")
    # The scene in the picture reproduces the picture.
    command(program, folder, "render", state["last_file"], "--out", "again.png")
    different = ImageChops.difference(mine, Image.open(folder / "again.png").convert("RGB")).getbbox()
    check(different is None, f"the embedded scene draws something else in {different}")
    w.quit()
