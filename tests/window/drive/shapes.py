"""Shapes drawn with a brush, its size, a preset that waits for it, and the fitted view."""

import json

from drive.display import check
from drive.sample import drag, figure_of, press, release
from drive.simulations import described
from drive.window import Window, command


def scene_in(file):
    """The scene embedded in a PNG of simscope's."""
    from PIL import Image
    with Image.open(file) as picture:
        picture.load()  # the chunk follows the pixels
        texts = [text for text in picture.text.values() if '"simscope"' in text]
    check(len(texts) == 1, f"{file} carries {len(texts)} scenes")
    return json.loads(texts[0])


def shapes(program, folder, display):
    """The shape of a drag: one stroke, previewed, cancelled by Esc, undone by one Ctrl+Z, saved and rendered."""
    described(program, "schrodinger2d")
    w = Window(program, folder, display, "gui", "schrodinger2d", "--preset", "drawn", "--set", "grid_points=128")
    start = w.idle()
    check(start["tool"]["taken"] == "wall" and start["tool"]["awaited"], f"the brush is not in hand: {start['tool']}")
    check(start["steps"] == 0 and not start["playing"], "the packet does not wait")
    left, top, width, height = start["plot"]
    side = min(width, height)
    check(2 < start["tool"]["radius"] < 0.03 * side, f"the wall's radius is {start['tool']['radius']} of {side}")

    def at(x, y):
        return left + round(x * width), top + round(y * height)

    def drag_to(begin, end, shift=False):
        press(w, at(*begin), 1, lambda s: s["tool"]["stroking"], "the shape to begin")
        if shift:
            w.xdotool("keydown", "shift")
        for part in (0.5, 1):
            w.xdotool("mousemove", *at(*(b + part * (e - b) for b, e in zip(begin, end))))
            w.settle()
        release(w)
        if shift:
            w.xdotool("keyup", "shift")

    # A filled rectangle: a preview during the drag, and no effect until the release.
    w.click("shape:filled_rectangle", lambda s: s["tool"]["shape"] == "filled_rectangle", "the filled rectangle")
    before = figure_of(w, display)
    press(w, at(0.6, 0.2), 1, lambda s: s["tool"]["stroking"], "the shape to begin")
    w.xdotool("mousemove", *at(0.7, 0.5))
    w.settle()
    x, y, figure_width, figure_height = start["figure"]
    preview = display.screenshot().crop((x, y, x + figure_width, y + figure_height)).tobytes()
    check(preview != before, "the shape is not shown while it is dragged")
    w.xdotool("key", "Escape")
    w.wait(lambda s: not s["tool"]["stroking"], "Esc to drop the shape")
    release(w)
    state = w.idle()
    check(state["pokes"] == 0 and state["tool"]["taken"] == "wall", f"Esc left {state['pokes']} events, {state['tool']}")
    check(state["tool"]["awaited"] and not state["playing"], "a shape that was dropped began the run")

    # Once drawn, it is in the run, and the waiting preset plays.
    drag_to((0.6, 0.2), (0.7, 0.5))
    w.wait(lambda s: s["strokes"] == 1 and s["steps"] > 0 and not s["tool"]["awaited"], "the stroke, and the run")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    check(w.idle()["pokes"] == 1, "a filled rectangle is more than one event")

    # One Ctrl+Z undoes a whole outline.
    w.key("d", lambda s: s["tool"]["shape"] == "ellipse", "the next shape, by key")
    drag_to((0.3, 0.3), (0.42, 0.55), shift=True)
    w.wait(lambda s: s["strokes"] == 2, "the outline")
    drawn = figure_of(w, display)
    w.key("ctrl+z", lambda s: s["strokes"] == 1, "one Ctrl+Z to take the outline back")
    check(figure_of(w, display) != drawn, "the outline is still seen")
    w.key("ctrl+shift+z", lambda s: s["strokes"] == 2, "the outline again")

    # By the palette, and a fill within the outline.
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
    w.xdotool("type", "--delay", 30, "draw fill")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "command:shape:fill", "the fill to be found")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["tool"]["shape"] == "fill" and "palette" not in s["dialogs"], "the fill, by the palette")
    w.xdotool("mousemove", *at(0.36, 0.38))
    w.settle()
    w.xdotool("click", 1)
    w.wait(lambda s: s["strokes"] == 3, "the fill")

    # The picture's scene reproduces the picture.
    from PIL import Image, ImageChops
    w.point("help")
    w.idle()
    written = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")["last_file"]
    strokes = scene_in(written)["strokes"]
    check([stroke["events"][0].get("shape") for stroke in strokes] == ["rectangle", None, "region"], f"{strokes}")
    xs = [event["x"] for event in strokes[1]["events"]]
    ys = [event["y"] for event in strokes[1]["events"]]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    check(abs(wide - high) < 0.02 * wide, f"Shift made an ellipse of {wide} by {high}")
    command(program, folder, "render", written, "--out", "again.png")
    pictures = [Image.open(file).convert("RGB") for file in (written, folder / "again.png")]
    different = ImageChops.difference(*pictures).getbbox()
    check(different is None, f"the embedded scene draws something else in {different}")

    # Sizes are kept for each tool; a launch has none, and no shapes.
    radius = w.state()["tool"]["radius"]
    w.key("d", lambda s: s["tool"]["shape"] == "freehand", "freehand after the last one")
    w.xdotool("mousemove", *at(0.5, 0.5))
    w.settle()
    w.xdotool("keydown", "shift")
    w.settle()
    w.xdotool("click", 4)
    w.wait(lambda s: s["tool"]["radius"] > radius, "a larger radius")
    w.xdotool("keyup", "shift")
    larger = w.state()["tool"]["radius"]
    w.key("3", lambda s: s["tool"]["taken"] == "eraser", "the eraser")
    w.wait(lambda s: s["tool"]["radius"] != larger, "a size of its own")
    w.key("1", lambda s: s["tool"]["taken"] == "packet", "the packet")
    w.wait(lambda s: s["tool"]["radius"] == 0 and "shape:line" not in s["controls"], "no shapes of a launch")
    w.key("2", lambda s: s["tool"]["radius"] == larger, "the wall's own size again")
    w.quit()
