"""A body's velocity and mass, edited on the figure, and filmed."""

import json

from drive.display import check
from drive.files import Recorder, same
from drive.sample import drag
from drive.window import Window, command, frames_of


def place_of(w, name):
    """The control's rectangle, once it is constant."""
    x, y, _, _ = w.place(name)
    return x, y


def near(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(1, abs(b))


def body(program, folder, display):
    """Selects a body, drags its velocity, types its mass, undoes, and renders the displayed scene."""
    from PIL import Image, ImageChops
    w = Window(program, folder, display, "gui", "nbody", "--preset", "kepler")
    start = w.idle()
    kinetic, momentum = start["diagnostics"]["kinetic_energy"], start["diagnostics"]["momentum"]
    check(momentum < 1e-12, f"the momentum is {momentum}")

    # By keys, and by a click on the drawn body; Esc deselects, then puts the tool down.
    w.key("3", lambda s: s["tool"]["taken"] == "velocity", "the tool Body")
    w.key("b", lambda s: s["edited"]["object"] == 0, "the first body, by key")
    w.key("b", lambda s: s["edited"]["object"] == 1, "the second body")
    state = w.wait(lambda s: "mass" in s["edited"]["values"] and "object" in s["controls"], "its values")
    check(near(state["edited"]["values"]["mass"][0], 0.25), f"the values are {state['edited']['values']}")
    first = state["edited"]["values"]["velocity"]
    at = place_of(w, "object")
    w.key("Escape", lambda s: s["edited"]["object"] == -1, "no body")
    w.xdotool("mousemove", *at)
    w.wait(lambda s: s["body"] == 1, "the body under the mouse")
    w.picture("a body is marked")
    w.xdotool("click", 1)
    w.reach(lambda s: s["edited"]["object"] == 1 and "object:tip" in s["controls"], "the body, by a click")

    # The arrow: its tip is where the mouse is released, and the view has not turned.
    camera = w.state()["camera"]
    tip = place_of(w, "object:tip")
    drag(w, tip, (-60, -50))
    state = w.reach(lambda s: s["strokes"] == 1 and s["edited"]["values"]["velocity"] != first, "the velocity")
    check(state["camera"] == camera, "the drag has turned the view")
    there = place_of(w, "object:tip")
    check(abs(there[0] - tip[0] + 60) <= 2 and abs(there[1] - tip[1] + 50) <= 2, f"the tip is at {there}, not {tip} less 60, 50")
    w.wait(lambda s: s["undo"] == "Velocity of a body", "the step of undo")
    thrown = w.wait(lambda s: s["diagnostics"]["momentum"] > 0.01, "the momentum of the throw")["edited"]["values"]["velocity"]
    check(w.idle()["diagnostics"]["orbit_error"] is None, "the exact ellipse is still compared")
    # Cancelled: nothing changes.
    w.xdotool("mousemove", *there)
    w.settle()
    w.xdotool("mousedown", 1)
    w.wait(lambda s: s["edited"]["dragging"], "the tip in the hand")
    w.xdotool("mousemove", there[0] + 40, there[1])
    w.settle()
    w.xdotool("key", "Escape")
    w.wait(lambda s: not s["edited"]["dragging"], "the drag called off")
    w.xdotool("mouseup", 1)
    w.settle()
    check(w.state()["strokes"] == 1 and w.state()["edited"]["values"]["velocity"] == thrown, "called off, and yet thrown")

    # A mass, typed with arithmetic; an invalid value is refused with the nearest valid one.
    def enter(field, text):
        w.click(field, lambda s: s["typing_anywhere"], f"the field {field}")
        w.write(text)
        w.xdotool("key", "Return")
        w.wait(lambda s: not s["typing_anywhere"], f"the end of typing into {field}")

    enter("object:m", "1/3")
    w.reach(lambda s: s["strokes"] == 2 and near(s["edited"]["values"]["mass"][0], 1 / 3), "a third")
    enter("object:m", "0 - 1")
    w.reach(lambda s: "out of range" in s["edited"]["refused"], "the refusal")
    check(w.state()["strokes"] == 2, "a refused mass was set")
    w.click("object:nearest", lambda s: s["strokes"] == 3 and s["edited"]["values"]["mass"][0] == 1e-12, "the nearest mass")
    check(w.state()["edited"]["refused"] == "", "the refusal stays")
    enter("object:vz", "0.5")
    w.reach(lambda s: s["strokes"] == 4 and s["edited"]["values"]["velocity"][2] == 0.5, "a component")

    # Undone one by one, and redone.
    w.key("ctrl+z", lambda s: s["strokes"] == 3 and s["edited"]["values"]["velocity"][2] == thrown[2], "vz back")
    w.key("ctrl+z", lambda s: s["strokes"] == 2 and near(s["edited"]["values"]["mass"][0], 1 / 3, 1e-7), "a third again")
    w.key("ctrl+z", lambda s: s["strokes"] == 1 and near(s["edited"]["values"]["mass"][0], 0.25), "the first mass")
    w.key("ctrl+z", lambda s: s["strokes"] == 0 and s["diagnostics"]["kinetic_energy"] == kinetic, "the start")
    w.key("ctrl+shift+z", lambda s: s["strokes"] == 1 and s["diagnostics"]["kinetic_energy"] != kinetic, "the throw again")

    # A few notches of the wheel over the body are one stroke.
    w.xdotool("mousemove", *place_of(w, "object"))
    w.settle()
    w.xdotool("click", "--repeat", 3, "--delay", 40, 4)
    w.reach(lambda s: s["strokes"] == 2 and s["edited"]["values"]["mass"][0] > 0.29, "a heavier body, by the wheel")
    check(w.state()["camera"] == camera, "the wheel has moved the view")

    # Played, edited, and back to before the edit.
    w.key("space", lambda s: s["steps"] > 100, "the run to play")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    steps = w.idle()["steps"]
    enter("object:vx", "0.2")
    w.reach(lambda s: s["edited"]["values"]["velocity"][0] == 0.2, "a velocity in the middle of the run")
    now = w.idle()["diagnostics"]
    w.key("Home", lambda s: s["past"]["in"] and s["steps"] == 0, "the start of what has been")
    w.key("End", lambda s: not s["past"]["in"] and s["steps"] == steps, "the present")
    check(w.idle()["diagnostics"] == now, "the present is another than it was")

    # In a small plot, or after a click on its button, the card shows only the values.
    w.click("object:fold", lambda s: "object:m" not in s["controls"], "the values alone")
    w.click("object:fold", lambda s: "object:m" in s["controls"], "the fields again")

    # The scene in the picture gives the displayed picture.
    w.key("Escape", lambda s: s["edited"]["object"] == -1, "no body")
    w.key("Escape", lambda s: s["tool"]["taken"] == "", "no tool")
    w.point("help")
    w.idle()
    picture = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")["last_file"]
    command(program, folder, "render", picture, "--out", "again.png")
    different = ImageChops.difference(Image.open(picture).convert("RGB"), Image.open(folder / "again.png").convert("RGB"))
    check(different.getbbox() is None, f"window and simscope render differ in {different.getbbox()}")
    check(not [m for m in w.state()["messages"] if "Wrote" not in m], f"messages: {w.state()['messages']}")
    w.quit()


# The view follows the body, so that its arrow and its card stay in place while it moves.
FOLLOWED = {"simscope": 1, "simulation": "nbody", "preset": "kepler", "view": {"follow": 1},
            "recorder": {"steps_per_frame": 2, "width": 320, "height": 240}}


def body_film(program, folder, display):
    """Edits of a body are filmed as they are made and belong to the scene, from which `render` makes the identical
    file."""
    (folder / "followed.json").write_text(json.dumps(FOLLOWED))
    w = Window(program, folder, display, "followed.json")
    w.key("3", lambda s: s["tool"]["taken"] == "velocity", "the tool Body")
    w.key("b", lambda s: s["edited"]["object"] == 0, "the first body")
    w.key("b", lambda s: s["edited"]["object"] == 1, "the second body")
    w.wait(lambda s: "object:m" in s["controls"] and "object:tip" in s["controls"], "its card")
    w.key("ctrl+shift+r", lambda s: s["recording"] and s["recording"]["drawn"] > 1, "the recording to begin")

    # Its mass by typing, its velocity by the arrow, and a component by typing, during the film.
    def enter(field, text, condition, what):
        w.click(field, lambda s: s["typing_anywhere"], f"the field {field}")
        w.write(text)
        w.xdotool("key", "Return")
        w.wait(lambda s: not s["typing_anywhere"], f"the end of typing into {field}")
        return w.reach(condition, what)

    enter("object:m", "1/2", lambda s: s["strokes"] == 1 and near(s["edited"]["values"]["mass"][0], 0.5, 1e-6), "a half")
    check(w.state()["recording"], "the edit has ended the recording")
    drag(w, place_of(w, "object:tip"), (40, -50))
    w.reach(lambda s: s["strokes"] == 2 and s["diagnostics"]["momentum"] > 0.01, "the momentum of the throw")
    enter("object:vz", "0.25", lambda s: s["strokes"] == 3, "a component")
    drawn = w.wait(lambda s: s["recording"] is not None, "the recording to go on")["recording"]["drawn"]
    w.wait(lambda s: s["recording"]["drawn"] > drawn + 3, "some more frames")
    w.key("ctrl+r", lambda s: s["recording"] is None, "the recording to end")
    Recorder(w).end("nbody.gif")
    check(w.state()["refused"] == [], f"refused: {w.state()['refused']}")
    command(program, folder, "render", "nbody.gif", "--out", "again.gif")
    same(folder, "nbody.gif", "again.gif")
    check(len({pixels for pixels, _ in frames_of(folder / "nbody.gif")[0]}) > 3, "the pictures are all alike")

    # The scene of the film contains the edits, and they set the velocities again.
    w.wait(lambda s: "recorded" in s["dialogs"], "the card of the recording")
    w.click("recorded_open", lambda s: s["file"].endswith("nbody.gif") and s["steps"] == 0, "the scene of it")
    state = w.wait(lambda s: s["strokes"] == 3 and s["diagnostics"]["momentum"] is not None, "the edits")
    check(state["diagnostics"]["momentum"] < 1e-9, "the bodies are thrown before the edit")
    w.key("Escape", lambda s: s["edited"]["object"] == -1, "no body")
    w.key("space", lambda s: s["diagnostics"]["momentum"] > 0.01, "the throw again, by itself")
    w.quit()
