"""Animations and pictures that the window writes."""

from drive.display import check
from drive.window import Window, command, frames_of


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
