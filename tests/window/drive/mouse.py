"""The mouse on axes, and a simulation's tools under it."""

from drive.display import LIMIT, SCREEN, check
from drive.window import Window, command


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
        """Presses at the packet until this is seen (a press may be lost while the window takes the focus)."""
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
        """Presses at the packet, and moves on in the direction until the condition holds."""
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

    # A drag to the right moves the packet to the right, at once even though the run is paused, and leaves the axes
    # unchanged.
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

    # The mouse's effects belong to the scene: the scene in the picture reproduces the picture.
    from PIL import Image, ImageChops
    written = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")["last_file"]
    command(program, folder, "render", written, "--out", "again.png")
    pictures = [Image.open(file).convert("RGB") for file in (written, folder / "again.png")]
    different = ImageChops.difference(*pictures).getbbox()
    check(different is None, f"the embedded scene draws something else in {different}")

    # Shift and wheel: the radius; the wheel alone zooms.
    w.xdotool("mousemove", *packet)
    w.settle()
    former = w.state()["tool"]["radius"]
    check(former > 0, "the tool has no radius")
    w.xdotool("keydown", "shift")
    w.settle()
    w.xdotool("click", 4)
    radius = w.wait(lambda s: s["tool"]["radius"] > former, "a larger radius")["tool"]["radius"]
    w.xdotool("keyup", "shift")
    w.settle()
    check(w.state()["x"] is None, "Shift and wheel zoomed")
    w.xdotool("click", 4)
    x = w.wait(lambda s: s["x"] is not None, "the zoom of x")["x"]
    check(w.state()["tool"]["radius"] == radius, "the wheel alone changed the radius")

    # The right button moves the axes with any tool, the left one without a tool.
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

    # During a recording the mouse does not act on the run, and its start is the scene's again.
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


def fewer_panels(program, folder, display):
    """With a tool and a resting mouse, the panel under it disappears: undo by key selects another view."""
    w = Window(program, folder, display, "gui", "reaction_diffusion", "--view", "cut")
    for _ in range(3):
        w.click("view", lambda s: "view:overview" in s["controls"], "the list of views")
        w.click("view:overview", lambda s: s["view"] == "overview" and len(s["panels"]) == 2, "the linked view")
        w.click("tool:seed", lambda s: s["tool"]["taken"] == "seed", "the tool")
        left, top, width, height = w.idle()["panels"][1]["plot"]
        w.xdotool("mousemove", left + width // 2, top + height // 2)
        w.settle()
        w.key("ctrl+z", lambda s: s["view"] == "cut" and len(s["panels"]) == 1, "the view before")
        w.key("Escape", lambda s: s["tool"]["taken"] == "", "Pan, by key")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()
