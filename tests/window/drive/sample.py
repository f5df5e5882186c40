"""The window with the sample simulation of tests/window/sample_simulation.h, which has every kind of element."""

from drive.display import LIMIT, check
from drive.window import Window


def middle(plot):
    return plot[0] + plot[2] // 2, plot[1] + plot[3] // 2


def plot_of(state, view):
    return next(panel["plot"] for panel in state["panels"] if panel["view"] == view)


def figure_of(w, display):
    """The pixels of the figure, without a marker."""
    w.point("help")
    state = w.idle()
    w.settle()
    x, y, width, height = state["figure"]
    return display.screenshot().crop((x, y, x + width, y + height)).tobytes()


def press(w, at, button=1, condition=lambda s: s["pressed"], what="the press"):
    """Holds a button there until this is seen (a press may be lost while the window takes the focus)."""
    for _ in range(4):
        w.xdotool("mousemove", *at)
        w.settle()
        w.xdotool("mousedown", button)
        try:
            return w.wait(condition, what, LIMIT / 4)
        except AssertionError:
            if w.process.poll() is not None:
                raise
            w.xdotool("mouseup", button)
            w.focus()
    raise AssertionError(what)


def release(w, button=1):
    w.xdotool("mouseup", button)
    w.wait(lambda s: not s["pressed"], "the release")


def drag(w, start, by, button=1):
    """From there in a few motions; the window sees each of them."""
    press(w, start, button)
    for part in (0.5, 1):
        w.xdotool("mousemove", round(start[0] + part * by[0]), round(start[1] + part * by[1]))
        w.settle()
    release(w, button)


def double_click(w, at, condition, what):
    """Repeats until the condition holds: on a loaded machine the two clicks may be too far apart in time."""
    for _ in range(8):
        w.xdotool("mousemove", *at)
        w.settle()
        w.xdotool("click", "--repeat", 2, "--delay", 20, 1)
        try:
            return w.wait(condition, what, LIMIT / 8)
        except AssertionError:
            if w.process.poll() is not None:
                raise
    raise AssertionError(what)


def camera(program, folder, display):
    """Turning, zooming, moving, and the standpoints of a view of points."""
    w = Window(program, folder, display, "--view", "bodies")
    start = w.idle()
    check(start["camera"] is None and start["follow"] == -1, f"the window opens with {start['camera']}")
    at = middle(start["plot"])
    before = figure_of(w, display)

    drag(w, at, (80, 0))
    turned = w.wait(lambda s: s["camera"] is not None, "the view to turn")["camera"]
    check(turned["azimuth"] < 30 and turned["elevation"] == 25, f"a drag to the right gives {turned}")
    check(figure_of(w, display) != before, "the picture is the same from another side")
    drag(w, at, (0, 400))
    w.wait(lambda s: s["camera"]["elevation"] == 90, "the elevation to stop at straight above")

    w.xdotool("mousemove", *at)
    w.settle()
    w.xdotool("click", 4)
    zoom = w.wait(lambda s: s["camera"]["zoom"] > 1, "the wheel")["camera"]["zoom"]
    check(abs(zoom - 1.2) < 1e-9, f"a notch gives {zoom}")

    drag(w, at, (60, 0), 3)
    target = w.wait(lambda s: s["camera"]["target"] != [0, 0, 0], "the target to move")["camera"]["target"]
    w.xdotool("keydown", "shift")
    w.settle()
    drag(w, at, (-60, 0))
    w.xdotool("keyup", "shift")
    w.wait(lambda s: s["camera"]["target"] != target, "the target to move with Shift")
    check(w.state()["camera"]["elevation"] == 90, "Shift and drag turned the view, too")

    w.click("standpoint:front", lambda s: s["camera"]["elevation"] == 0, "the view from the front")
    w.key("v", lambda s: s["camera"]["azimuth"] == 90, "the next standpoint, by key")
    w.key("Right", lambda s: s["camera"]["azimuth"] < 90, "the view to turn by key")
    w.key("f", lambda s: s["camera"] is None, "the usual view")
    check(figure_of(w, display) == before, "the usual view draws another picture than at first")

    # A preset that names a view and a camera opens with them, and a fit returns to them.
    w.click("preset:above", lambda s: s["camera"] and s["camera"]["zoom"] == 1.5, "the preset's camera")
    drag(w, at, (80, 0))
    w.wait(lambda s: s["camera"]["azimuth"] != 0, "the view to turn")
    w.key("f", lambda s: s["camera"]["azimuth"] == 0 and s["camera"]["zoom"] == 1.5, "the preset's camera again")
    w.quit()


def bodies(program, folder, display):
    """A double click follows a body, and releases it; light, trails, and the pill."""
    w = Window(program, folder, display, "--view", "bodies")
    start = w.idle()
    at = middle(start["plot"])
    w.xdotool("mousemove", *at)
    w.wait(lambda s: s["body"] == 0, "the body under the mouse")
    double_click(w, at, lambda s: s["follow"] == 0, "the body to be followed")
    drag(w, at, (60, 20))
    state = w.wait(lambda s: s["camera"]["azimuth"] != 30, "the view to turn about it")
    check(state["follow"] == 0, "turning lost the body")
    w.click("unfollow", lambda s: s["follow"] == -1, "the body to go")
    double_click(w, at, lambda s: s["follow"] == 0, "the body again")
    corner = (start["plot"][0] + 12, start["plot"][1] + start["plot"][3] - 12)
    double_click(w, corner, lambda s: s["follow"] == -1 and s["camera"] is None, "the fit beside the bodies")

    before = figure_of(w, display)

    def control(name, condition, what, along=0.5):
        if name not in w.state()["controls"]:
            w.click("more_controls", lambda s: name in s["controls"], "the list of the other controls")
        w.click(name, condition, what, along)
        if "more" in w.state()["dialogs"]:
            w.key("Escape", lambda s: "more" not in s["dialogs"], "the list to close")

    control("trails", lambda s: s["shown"].get("trails") is False, "the trails to go")
    check(figure_of(w, display) != before, "the trails are still there")
    control("exposure", lambda s: s["exposure"] > 0, "more light", 0.8)
    control("point_size", lambda s: s["point_size"] > 1, "larger points", 0.8)
    w.quit()


def gestures(program, folder, display):
    """Launch is one event with the whole drag, place is one at the mouse; a launch can be cancelled."""
    w = Window(program, folder, display, "--view", "map")
    start = w.idle()
    left, top, width, height = start["plot"]
    at = middle(start["plot"])

    w.key("2", lambda s: s["tool"]["taken"] == "launch", "the launch")
    check("tool_radius" not in w.state()["controls"], "a launch has a radius")
    check("tool_strength" in w.state()["controls"], "a launch has no strength")
    press(w, at, 1, lambda s: s["tool"]["gesture"] == "launch", "the launch to begin")
    w.xdotool("mousemove", at[0] + width // 8, at[1] - height // 6)
    w.settle()
    check(w.state()["pokes"] == 0, "a launch came before the release")
    release(w)
    state = w.wait(lambda s: s["diagnostics"]["bodies"] == 14, "the body that was launched")
    check(state["pokes"] == 1, f"one launch made {state['pokes']} events")
    numbers = state["diagnostics"]
    check(abs(numbers["x"]) < 0.02 and abs(numbers["y"]) < 0.02, f"it begins at {numbers['x']}, {numbers['y']}")
    check(abs(numbers["dx"] - 0.5) < 0.02 and abs(numbers["dy"] - 0.5) < 0.02, f"it goes {numbers['dx']}, {numbers['dy']}")

    for cancel in (lambda: w.xdotool("key", "Escape"), lambda: w.xdotool("click", 3)):
        press(w, at, 1, lambda s: s["tool"]["stroking"], "another launch to begin")
        w.xdotool("mousemove", at[0] + 40, at[1])
        w.settle()
        cancel()
        w.wait(lambda s: not s["tool"]["stroking"], "the launch to be called off")
        w.xdotool("mousemove", at[0] + 80, at[1])
        w.settle()
        release(w)
        state = w.state()
        check(state["pokes"] == 1, "a launch that was called off came all the same")
        check(state["tool"]["taken"] == "launch", "calling it off put the tool down")
        check(state["x"] is None, "calling it off moved the axes")

    # In space the places are in the plane through the target that faces the eye.
    w.click("view", lambda s: "view:bodies" in s["controls"], "the list of views")
    w.click("view:bodies", lambda s: s["view"] == "bodies", "the bodies")
    w.click("standpoint:front", lambda s: s["camera"] and s["camera"]["elevation"] == 0, "the view from the front")
    at = middle(w.idle()["plot"])
    drag(w, at, (0, -90))
    numbers = w.wait(lambda s: s["diagnostics"]["bodies"] == 15, "the body in space")["diagnostics"]
    check(numbers["dz"] > 0.1 and abs(numbers["dx"]) < 0.01 and abs(numbers["dy"]) < 1e-6, f"it goes {numbers}")
    check(w.state()["camera"]["elevation"] == 0, "the launch turned the view")

    # The probe acts only on its own view.
    w.key("3", lambda s: s["tool"]["taken"] == "probe", "the probe")
    pokes = w.state()["pokes"]
    drag(w, at, (40, 0))
    check(w.state()["pokes"] == pokes, "the probe acted on another view")
    w.quit()


def navigation(program, folder, display):
    """If parameters describe the displayed part of the plane, the wheel and drags change those, and a double click
    fits."""
    w = Window(program, folder, display, "--view", "window")
    start = w.idle()
    left, top, width, height = start["plot"]

    def number(state, key):
        return float(state["parameters"][key])

    check(number(start, "magnification") == 1, "the window opens magnified")
    w.xdotool("mousemove", left + 3 * width // 4, top + height // 2)
    w.settle()
    for _ in range(3):
        w.xdotool("click", 4)
        w.settle()
    state = w.wait(lambda s: number(s, "magnification") > 1.7, "the wheel's three notches")
    check(abs(number(state, "magnification") - 1.2**3) < 0.01, f"three notches give {state['parameters']}")
    wanted = 1 + 4 * 0.25 * (1 - 1 / 1.2**3)
    check(abs(number(state, "middle_x") - wanted) < 0.02, f"the place under the mouse moved: {state['parameters']}")
    check(state["x"] is None and state["y"] is None, "the wheel moved the axes")
    before = w.wait(lambda s: s["undo"] == "Zoom and pan", "the gesture to become a step of undo")

    drag(w, middle(start["plot"]), (width // 4, -height // 4))
    state = w.wait(lambda s: number(s, "middle_x") < number(before, "middle_x") - 0.3, "the drag")
    check(number(state, "middle_y") < -0.2, f"the picture does not go with the mouse: {state['parameters']}")
    check(state["x"] is None and state["y"] is None, "the drag moved the axes")
    double_click(w, middle(start["plot"]), lambda s: number(s, "magnification") == 1, "the fit")
    check(number(w.state(), "middle_x") == 1, "the fit left the middle where it was")

    # A view over other axes keeps them.
    w.click("view", lambda s: "view:map" in s["controls"], "the list of views")
    w.click("view:map", lambda s: s["view"] == "map", "the map")
    w.xdotool("mousemove", *middle(w.idle()["plot"]))
    w.settle()
    w.xdotool("click", 4)
    state = w.wait(lambda s: s["x"] is not None, "the zoom of the axes")
    check(number(state, "magnification") == 1, "the wheel on another view moved the window")
    w.quit()


def panels(program, folder, display):
    """A linked view: values in any panel, the wheel in the main one, tools in their panels; arrows."""
    w = Window(program, folder, display)
    start = w.idle()
    check(start["view"] == "both", f"the window opens with {start['view']}")
    check([p["view"] for p in start["panels"]] == ["map", "other", "cut"], f"the panels are {start['panels']}")
    before = figure_of(w, display)
    seen = {before}
    for view in ("map", "other", "cut"):
        w.xdotool("mousemove", *middle(plot_of(start, view)))
        w.settle()
        w.idle()
        w.settle()
        x, y, width, height = start["figure"]
        seen.add(display.screenshot().crop((x, y, x + width, y + height)).tobytes())
    check(len(seen) == 4, "hovering over the panels does not draw a marker in each")

    for button in (4, 5):
        w.xdotool("mousemove", *middle(plot_of(start, "other")))
        w.settle()
        w.xdotool("click", button)
        w.settle()
    drag(w, middle(plot_of(start, "cut")), (50, 0))
    check(w.state()["x"] is None, "the wheel or a drag in a side panel moved the main one")
    w.xdotool("mousemove", *middle(plot_of(start, "map")))
    w.settle()
    w.xdotool("click", 4)
    w.wait(lambda s: s["x"] is not None, "the zoom of the main panel")
    w.key("f", lambda s: s["x"] is None, "the fit")

    w.key("3", lambda s: s["tool"]["taken"] == "probe", "the probe")
    left, top, width, height = plot_of(start, "other")
    press(w, (left + width // 4, top + height // 4), 1, lambda s: s["tool"]["gesture"] == "place", "the probe")
    numbers = w.wait(lambda s: s["pokes"] > 0 and s["diagnostics"]["probe_x"] != 0, "the probe")["diagnostics"]
    release(w)
    check(abs(numbers["probe_x"] + 5) < 0.3 and abs(numbers["probe_y"] - 5) < 0.3, f"the probe stands at {numbers}")
    check(numbers["radius"] == 0 and numbers["strength"] == 1, f"the probe came with {numbers}")
    pokes = w.state()["pokes"]
    drag(w, middle(plot_of(start, "map")), (30, 0))
    check(w.state()["pokes"] == pokes, "the probe acted on the main panel")

    w.key("0", lambda s: s["tool"]["taken"] == "", "Pan")
    w.key("f", lambda s: s["x"] is None, "the fit")
    before = figure_of(w, display)
    if "arrows" not in w.state()["controls"]:
        w.click("more_controls", lambda s: "arrows" in s["controls"], "the list of the other controls")
    w.click("arrows", lambda s: s["arrows"], "the arrows")
    w.key("Escape", lambda s: "more" not in s["dialogs"], "the list to close")
    check(figure_of(w, display) != before, "the arrows are not drawn")
    w.quit()


def texts(program, folder, display):
    """Formulas and paths: applied by Enter; a refused one stays in its line while the run and its scene are
    unchanged."""
    w = Window(program, folder, display, "--view", "map")
    epoch = w.idle()["epoch"]
    before = figure_of(w, display)
    w.set_parameter("formula", "x + y", lambda s: s["parameters"]["formula"] == "x + y", "the formula")
    after = figure_of(w, display)
    check(after != before, "the formula draws the same picture")

    state = w.set_parameter("formula", "x + ?", lambda s: len(s["refused"]) == 1, "the refusal")
    check("position 5" in state["refused"][0], f"the refusal does not name the place: {state['refused']}")
    check(state["parameters"]["formula"] == "x + y", "a refused formula was taken")
    check(state["messages"] == [], f"the refusal is said twice: {state['messages']}")
    check(figure_of(w, display) == after, "a refused formula changed the picture")
    # The run still accepts other changes, and the text remains.
    w.set_parameter("speed", "3", lambda s: s["parameters"]["speed"] == "3", "another parameter")
    check(len(w.state()["refused"]) == 1, "the refused formula is forgotten")
    w.click("value:formula", lambda s: s["typing"] == "formula", "the formula's line")
    w.xdotool("key", "Escape")
    w.wait(lambda s: s["refused"] == [] and s["typing"] == "", "the formula that runs")
    w.set_parameter("speed", "1", lambda s: s["parameters"]["speed"] == "1", "the speed")
    w.set_parameter("formula", "x*y", lambda s: s["parameters"]["formula"] == "x*y", "the first formula")
    check(figure_of(w, display) == before, "the first formula draws another picture now")

    # If the run refuses a preset, the previous one stays.
    w.click("preset:broken", lambda s: any("nowhere.png" in m for m in s["messages"]), "the refused preset")
    state = w.state()
    check(state["preset"] == "usual" and state["parameters"]["source"] == "formula", "a refused preset was taken")

    (folder / "picture.png").write_bytes(b"the sample does not look into it")
    # The file's name does not matter without an image. Choosing the image without a file is refused; both are then set
    # together.
    check("value:image_file" not in w.state()["controls"], "the image's line is there without an image")
    w.click("value:source", lambda s: "value:source:image" in s["controls"], "the list of sources")
    w.click("value:source:image", lambda s: len(s["refused"]) == 1, "the image without a file")
    w.wait(lambda s: "value:image_file" in s["controls"], "the image's line")
    state = w.set_parameter("image_file", "picture.png", lambda s: s["parameters"]["image_file"] == "picture.png",
                            "the image")
    check(state["parameters"]["source"] == "image" and state["refused"] == [], "the choice was not taken along")
    check(state["epoch"] == epoch, "a live text restarted the run")
    w.click("value:source", lambda s: "value:source:formula" in s["controls"], "the list of sources")
    w.click("value:source:formula", lambda s: "value:image_file" not in s["controls"], "the image's line to go")
    check(w.state()["parameters"]["image_file"] == "picture.png", "what does not matter was lost")
    w.click("fold:Map", lambda s: "value:image_file" in s["controls"], "what does not matter")
    w.click("fold:Map", lambda s: "value:image_file" not in s["controls"], "it folded away")
    w.quit()
