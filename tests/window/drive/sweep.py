"""Sweeps of the open scene: curves, phase diagrams, live figures, their files, and cancelling."""

from drive.display import check
from drive.window import Window, command

SCENE = ("tunneling", "--preset", "tunnelling", "--set", "grid_points=256")


class Page:
    """The sweep's window: fields by name, lists, and the run."""

    def __init__(self, window):
        self.w = window

    def open(self):
        self.w.key("ctrl+shift+w", lambda s: "sweep" in s["dialogs"], "the sweep's window")

    def write(self, field, text):
        self.w.click("sweep_" + field, lambda s: s["typing_anywhere"], f"a caret in {field}", 0.3)
        self.w.write(text)
        self.w.xdotool("key", "Return")
        self.w.wait(lambda s: not s["typing_anywhere"], "the end of typing")

    def choose(self, control, item):
        self.w.click(control, lambda s: item in s["controls"], f"the list of {control}")
        self.w.click(item, lambda s: item not in s["controls"], item)

    def run(self, runs):
        self.w.click("sweep_run", lambda s: s["sweep"]["running"] or s["sweep"]["made"] == runs, "the runs to begin")
        return self.w.wait(lambda s: not s["sweep"]["running"] and s["sweep"]["made"] == runs, f"{runs} runs")

    def save(self, kind, name):
        w = self.w
        w.click("sweep_save:" + kind, lambda s: "files" in s["dialogs"], f"the dialog for {kind}")
        w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
        w.write(name)
        w.xdotool("key", "Return")
        w.wait(lambda s: "files" not in s["dialogs"], "the dialog to close")
        w.wait(lambda s: any(name in m for m in s["messages"]), f"the message about {name}")
        check((w.folder / name).exists(), f"there is no {name}")


def same(folder, one, other):
    check((folder / one).read_bytes() == (folder / other).read_bytes(), f"{one} and {other} differ")


def same_pixels(folder, one, other):
    from drive.window import frames_of
    (a, size), (b, other_size) = frames_of(folder / one), frames_of(folder / other)
    check(size == other_size, f"{one} has {size}, {other} {other_size}")
    check(a[0][0] == b[0][0], f"the pixels of {one} and {other} differ")


def sweep(program, folder, display):
    """Equal to the command line's files; errors below their controls; a click opens a run, and Ctrl+Z undoes it."""
    w = Window(program, folder, display, "gui", *SCENE)
    page = Page(w)
    page.open()
    curve(program, folder, display, w, page)
    diagram(program, folder, display, w, page)
    figures(program, folder, w, page)
    ends(w, page)


def curve(program, folder, display, w, page):
    page.choose("sweep_parameter:0", "sweep_choice:0:packet_momentum")
    page.write("from:0", "1")
    page.write("to:0", "999999")
    w.wait(lambda s: "error:sweep_to:0" in s["controls"], "the error below the field")
    check("packet_momentum" in w.state()["sweep"]["errors"][0], f"errors: {w.state()['sweep']['errors']}")
    page.write("to:0", "5/2")
    page.write("count:0", "1")
    w.wait(lambda s: "error:sweep_count:0" in s["controls"], "the error of the count")
    page.write("count:0", "7")
    w.wait(lambda s: s["sweep"]["errors"] == [] and "sweep_estimate" in s["controls"], "a plan")
    listed(program, folder, w, page)
    state = page.run(7)
    check(state["sweep"]["measure"] == "transmission", f"measured: {state['sweep']['measure']}")
    values = state["sweep"]["measured"]
    check(values[-1] > values[0], f"faster packets do not get through: {values}")
    display.screenshot().save(folder / "curve.png")

    page.save("CSV", "window.csv")
    page.save("NPY", "window.npy")
    page.save("PNG", "window.png")
    command(program, folder, "sweep", *SCENE, "--param", "packet_momentum=1:2.5:7", "--measure",
            "transmission", "--out", "file.csv", "--out", "file.npy", "--out", "file.png")
    same(folder, "window.csv", "file.csv")
    same(folder, "window.npy", "file.npy")
    same_pixels(folder, "window.png", "file.png")

    # Another diagnostic of the same runs, without new ones.
    page.choose("sweep_measure", "sweep_measure:norm")
    w.wait(lambda s: s["sweep"]["measure"] == "norm" and not s["sweep"]["running"], "the other diagnostic")
    page.choose("sweep_measure", "sweep_measure:transmission")
    w.wait(lambda s: s["sweep"]["measure"] == "transmission", "the first one")

    before = w.state()["scene_parameters"]["packet_momentum"]
    w.click("axes:sweep", lambda s: s["scene_parameters"]["packet_momentum"] == "1.75" and s["playing"],
            "the run in the middle", 0.5)
    w.key("ctrl+z", lambda s: s["scene_parameters"]["packet_momentum"] == before, "what was there before")
    # By the buttons: the previous one.
    chosen = w.state()["sweep"]["chosen"]
    w.click("sweep_before", lambda s: s["sweep"]["chosen"] == chosen - 1, "the run before")
    w.click("sweep_open", lambda s: s["scene_parameters"]["packet_momentum"] == "1.5", "that run")
    w.key("ctrl+z", lambda s: s["scene_parameters"]["packet_momentum"] == before, "what was there before")
    elsewhere(w)


def listed(program, folder, w, page):
    """Values by themselves, in their order; and back to the range."""
    w.click("sweep_list:0", lambda s: "sweep_values:0" in s["controls"], "the field of the list")
    check("sweep_from:0" not in w.state()["controls"], "a range beside the list")
    page.write("values:0", "2, 1, 2, 3/2")
    w.wait(lambda s: "error:sweep_values:0" in s["controls"], "the error of a value that is listed twice")
    page.write("values:0", "2, 1, 3/2")
    w.wait(lambda s: s["sweep"]["errors"] == [], "a plan")
    page.run(3)
    page.save("CSV", "list.csv")
    command(program, folder, "sweep", *SCENE, "--param", "packet_momentum=2,1,1.5", "--measure", "transmission",
            "--out", "list_file.csv")
    same(folder, "list.csv", "list_file.csv")
    w.click("sweep_range:0", lambda s: "sweep_from:0" in s["controls"], "the range")


def elsewhere(w):
    """Another simulation is open meanwhile: opening a run brings back the sweep's simulation, one Ctrl+Z the other
    one."""
    before = w.state()
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
    w.xdotool("type", "--delay", 30, "spreading gaussian")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "preset:heat:gaussian", "a preset of heat")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["simulation"] == "heat" and s["preset"] == "gaussian", "heat")
    w.wait(lambda s: "sweep_open" in s["controls"], "the sweep's result, still there")
    seed = w.state()["seed"]
    state = w.click("sweep_open", lambda s: s["simulation"] == "tunneling" and s["playing"] and
                    s["scene_parameters"]["packet_momentum"] == "1.5", "the sweep's simulation with that run")
    check(state["preset"] == before["preset"] and state["seed"] == before["seed"], f"another scene: {state['preset']}")
    check(state["scene_parameters"]["grid_points"] == "256", f"another run: {state['scene_parameters']}")
    w.wait(lambda s: s["steps"] > 0, "its steps")
    w.wait(lambda s: s["sweep"]["measure"] == "transmission", "the diagnostic that was swept")
    w.key("ctrl+z", lambda s: s["simulation"] == "heat" and s["preset"] == "gaussian" and s["seed"] == seed, "heat")
    w.key("ctrl+z", lambda s: s["simulation"] == "tunneling" and
          s["scene_parameters"] == before["scene_parameters"], "what was there before")


def diagram(program, folder, display, w, page):
    w.click("sweep_second", lambda s: "sweep_parameter:1" in s["controls"], "a second parameter")
    page.choose("sweep_parameter:1", "sweep_choice:1:barrier_height")
    page.write("count:0", "4")
    page.write("from:1", "0.5")
    page.write("to:1", "2.5")
    page.write("count:1", "3")
    page.write("steps", "200")
    page.run(12)
    w.wait(lambda s: "sweep_diagram" in s["controls"], "the diagram")
    page.save("CSV", "diagram.csv")
    page.save("PNG", "diagram.png")
    command(program, folder, "sweep", *SCENE, "--param", "packet_momentum=1:2.5:4", "--param",
            "barrier_height=0.5:2.5:3", "--steps", 200, "--measure", "transmission", "--out", "file2.csv", "--out",
            "file2.png")
    same(folder, "diagram.csv", "file2.csv")
    same_pixels(folder, "diagram.png", "file2.png")
    # The mouse reads a run, and a click opens it.
    before = w.state()["scene_parameters"]
    w.point("sweep_diagram", 0.25)
    w.reach(lambda s: any(c.startswith("sweep_reading:Packet momentum k₀ = ") for c in s["controls"]), "a run is read")
    w.click("sweep_diagram", lambda s: s["scene_parameters"]["packet_momentum"] != before["packet_momentum"] or
            s["scene_parameters"]["barrier_height"] != before["barrier_height"], "a run of the diagram", 0.25)
    w.key("ctrl+z", lambda s: s["scene_parameters"] == before, "both parameters as they were")


def figures(program, folder, w, page):
    w.click("sweep_alone", lambda s: "sweep_parameter:1" not in s["controls"], "one parameter alone")
    page.write("count:0", "3")
    page.write("steps", "60")
    w.click("sweep_figures", lambda s: s["sweep"]["figures"], "live figures", 0.1)
    page.run(3)
    w.wait(lambda s: "sweep_other" in s["controls"], "the figures")
    page.save("PNG", "figures.png")
    page.save("GIF", "figures.gif")
    from drive.window import frames_of
    pictures, _ = frames_of(folder / "figures.gif")
    check(len(pictures) >= 2, f"the film has {len(pictures)} frames")
    # The picture has the page's size, the film the usual one.
    _, (width, height) = frames_of(folder / "figures.png")
    runs = ["--param", "packet_momentum=1:2.5:3", "--steps", 60, "--measure", "transmission"]
    command(program, folder, "sweep", *SCENE, *runs, "--figures", "--out", "file3.png", "--size", f"{width}x{height}",
            "--scale", 1)
    command(program, folder, "sweep", *SCENE, *runs, "--out", "file3.gif")
    same_pixels(folder, "figures.png", "file3.png")
    same(folder, "figures.gif", "file3.gif")


def ends(w, page):
    """Cancelled, closed, and left while it is running."""
    w.click("sweep_values", lambda s: not s["sweep"]["figures"], "the curve", 0.1)
    page.write("steps", "100000000")
    w.click("sweep_run", lambda s: s["sweep"]["running"], "the runs to begin")
    w.click("sweep_cancel", lambda s: not s["sweep"]["running"], "the end of them")
    w.click("sweep_run", lambda s: s["sweep"]["running"], "the runs to begin again")
    w.key("ctrl+shift+w", lambda s: "sweep" not in s["dialogs"] and not s["sweep"]["running"], "the window to close")
    page.open()
    w.click("sweep_run", lambda s: s["sweep"]["running"], "the runs to begin once more")
    check(w.state()["sweep"]["failure"] == "", f"failure: {w.state()['sweep']['failure']}")
    w.quit()
