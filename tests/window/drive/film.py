"""Recordings of the user's input, and the actions on them; pictures on the clipboard."""

import io
import os
import shutil

from drive.display import check
from drive.files import Recorder, same
from drive.sample import drag
from drive.selection import Requestor
from drive.window import Window, command, frames_of


def bare(folder):
    """A PATH with only the programs that drive the window."""
    path = folder / "bare"
    path.mkdir(exist_ok=True)
    if not (path / "xdotool").exists():
        (path / "xdotool").symlink_to(shutil.which("xdotool"))
    return str(path)


def film(program, folder, display):
    """From now until stopped: the mouse, parameters, and the view act, and the scene reproduces the same file."""
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "animation", "--play")
    w.wait(lambda s: s["steps"] > 0, "the run to play")
    w.key("ctrl+shift+r", lambda s: s["recording"] and s["recording"]["drawn"] > 1, "the recording to begin")
    w.key("1", lambda s: s["tool"]["taken"] == "kick", "the simulation's tool")
    x, y, width, height = w.state()["plot"]
    drag(w, (x + width // 3, y + height // 2), (width // 10, 0))
    w.wait(lambda s: s["strokes"] > 0, "a stroke")
    w.set_parameter("barrier_height", "3", lambda s: float(s["parameters"]["barrier_height"]) == 3, "the other barrier")
    w.set_parameter("barrier_height", "4.5", lambda s: float(s["parameters"]["barrier_height"]) == 4.5, "and another")
    w.key("0", lambda s: s["tool"]["taken"] == "", "no tool")
    w.xdotool("mousemove", x + width // 2, y + height // 2)
    w.settle()
    w.xdotool("click", 4)
    w.wait(lambda s: s["x"] is not None, "the zoom")
    drawn = w.state()["recording"]["drawn"]
    w.wait(lambda s: s["recording"]["drawn"] > drawn + 2, "some more frames")
    w.key("ctrl+r", lambda s: s["recording"] is None, "the recording to end")
    Recorder(w).end("tunneling.gif")
    check(w.state()["refused"] == [], f"refused: {w.state()['refused']}")
    command(program, folder, "render", "tunneling.gif", "--out", "again.gif")
    same(folder, "tunneling.gif", "again.gif")
    check(len({pixels for pixels, _ in frames_of(folder / "tunneling.gif")[0]}) > 3, "the pictures are all alike")

    # The folder, with the program that opens it; if that is missing, as text.
    requestor = Requestor(display)
    w.wait(lambda s: "recorded" in s["dialogs"], "the card")
    w.click("recorded_copy", lambda s: any("Copied tunneling.gif" in m for m in s["messages"]), "a copy of the file")
    check(requestor.paste("image/gif")[0] == (folder / "tunneling.gif").read_bytes(), "another file was copied")
    check(requestor.paste("UTF8_STRING")[0].decode() == str(folder / "tunneling.gif"), "another path was copied")
    check(requestor.paste("text/uri-list")[0].decode() == (folder / "tunneling.gif").as_uri() + "\r\n", "another URI")
    w.click("recorded_open", lambda s: s["file"].endswith("tunneling.gif") and s["steps"] == 0, "the scene of it")
    state = w.wait(lambda s: s["strokes"] > 0 and s["tracks"] == 1, "what was done")
    check(state["x"] is None, "the recording began with the zoom that came later")
    requestor.close()
    w.quit()

    tools = folder / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text('#!/bin/sh\nprintf "%s" "$1" > "$0.told"\n')
    (tools / "xdg-open").chmod(0o755)
    for path, told in ((f"{tools}:{os.environ['PATH']}", True), (bare(folder), False)):
        w = Window(program, folder, display, "gui", "tunneling", "--preset", "animation", PATH=path)
        # Chooses its place by browsing.
        name = f"placed-{told}.apng"
        w.key("ctrl+r", lambda s: "record" in s["dialogs"], "the recorder's dialog")
        w.click("record_format", lambda s: "record_format:apng" in s["controls"], "the list of formats")
        w.click("record_format:apng", lambda s: "record_format:apng" not in s["controls"], "the format")
        w.click("record_browse", lambda s: "files" in s["dialogs"], "the dialog of files")
        w.wait(lambda s: s["typing_anywhere"], "a caret in it")
        w.write(str(tools / name))
        w.settle()
        w.xdotool("key", "Return")
        w.wait(lambda s: "files" not in s["dialogs"] and "record" in s["dialogs"], "the recorder's dialog again")
        for field, text in {"frames": "4", "steps": "25", "width": "400", "height": "260"}.items():
            w.click("record_" + field, lambda s: s["typing_anywhere"], "a caret", along=0.25, again=3)
            w.write(text)
            w.settle()
        w.click("record_start", lambda s: s["last_file"] == str(tools / name), "the recording")
        w.wait(lambda s: s["recording"] is None and "recorded" in s["dialogs"], "the card")
        if told:
            command(program, folder, "render", "tunneling", "--preset", "animation", "--frames", 4, "--steps-per-frame",
                    25, "--size", "400x260", "--out", "film.apng")
            check((tools / name).read_bytes() == (folder / "film.apng").read_bytes(), "simscope render makes another file")
            check(len(frames_of(tools / name)[0]) == 4, "the animated PNG has other frames")
            w.click("recorded_folder", lambda s: (tools / "xdg-open.told").exists(), "the folder")
            w.wait(lambda s: (tools / "xdg-open.told").read_text() == str(tools), "its name")
        else:
            w.click("recorded_folder", lambda s: any("xdg-open" in m for m in s["messages"]), "what came instead")
            requestor = Requestor(display)
            check(requestor.paste("UTF8_STRING")[0].decode() == str(tools), "another text was copied")
            requestor.close()
        w.quit()


def copy(program, folder, display):
    """Ctrl+C: the figure as a PNG on the clipboard, and a plot; without a clipboard a file, and its path as text."""
    from PIL import Image, ImageChops
    w = Window(program, folder, display, "gui", "heat", "--preset", "random_insulated")
    w.key("s", lambda s: s["steps"] > 0, "a step")
    w.point("help")
    w.idle()
    requestor = Requestor(display)
    w.key("ctrl+c", lambda s: any("Copied the figure" in m for m in s["messages"]), "the copy")
    check({"TARGETS", "image/png"} <= requestor.targets(), f"the clipboard offers {requestor.targets()}")
    check(requestor.paste("text/html")[0] is None, "a picture is no page")
    data, in_parts = requestor.paste("image/png")
    check(in_parts == (len(data) > 256 << 10), f"{len(data)} bytes in parts: {in_parts}")
    check(requestor.paste("image/png")[0] == data, "the second paste has something else")
    copied = Image.open(io.BytesIO(data)).convert("RGB")
    state = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture as a file")
    saved = Image.open(state["last_file"]).convert("RGB")
    check(ImageChops.difference(copied, saved).getbbox() is None, "the copy and the file differ")
    (folder / "pasted.png").write_bytes(data)
    command(program, folder, "render", "pasted.png", "--out", "again.png")
    drawn = Image.open(folder / "again.png").convert("RGB")
    check(ImageChops.difference(copied, drawn).getbbox() is None, "the copy's scene draws something else")

    # A larger one, sent in parts: a recording of noise.
    recorder = Recorder(w)
    recorder.open(kind="apng", file="noise.apng", frames="6", width="1600", height="1000")
    recorder.begin("noise.apng")
    recorder.end("noise.apng")
    w.click("recorded_copy", lambda s: any("Copied noise.apng" in m for m in s["messages"]), "a copy of the file")
    data, in_parts = requestor.paste("image/png")
    check(in_parts and len(data) > 300_000, f"{len(data)} bytes came at once")
    check(data == (folder / "noise.apng").read_bytes(), "another file was copied")
    requestor.close()
    w.quit()

    w = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_FAULT="clipboard:1+", PATH=bare(folder))
    w.idle()
    state = w.key("ctrl+c", lambda s: s["last_file"].endswith(".png"), "a file instead")
    check(any("copied its path" in m for m in state["messages"]), f"messages: {state['messages']}")
    requestor = Requestor(display)
    check(requestor.paste("UTF8_STRING")[0].decode() == state["last_file"], "another text was copied")
    Image.open(state["last_file"]).verify()
    requestor.close()
    w.quit()
