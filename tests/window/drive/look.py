"""The window's look and its keys: palette, full screen, presenter mode, scale, theme, panels, and controls by keyboard."""

import json
import os
import pathlib
import shutil
import subprocess
import time

from drive.display import LIMIT, SCREEN, Display, Skip, check, environment
from drive.window import Window, command, sanitized


def palette(program, folder, display):
    """Finds by typing and executes: a command, a parameter's value, its control, a preset of another simulation."""
    w = Window(program, folder, display, "gui", "tunneling")
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
    w.xdotool("type", "--delay", 30, "barhe")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "parameter:barrier_height", "the barrier's height as the first hit")
    w.write("barrier height 2.25")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "parameter:barrier_height", "the parameter with its value")
    steps = w.state()["steps"]
    w.xdotool("key", "Return")
    state = w.wait(lambda s: s["parameters"]["barrier_height"] == "2.25" and "palette" not in s["dialogs"], "the value")
    check(state["steps"] == steps and not state["playing"], "typing into the palette moved the run")

    # An invalid value is refused there, and nothing changes.
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette again")
    w.xdotool("type", "--delay", 30, "barrier height nonsense")
    w.settle()
    w.xdotool("key", "Return")
    w.settle()
    state = w.state()
    check("palette" in state["dialogs"] and state["parameters"]["barrier_height"] == "2.25", "nonsense was taken")
    w.key("Escape", lambda s: "palette" not in s["dialogs"], "the palette to close")

    # The name alone leads to the control; a value typed there is applied.
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette a third time")
    w.xdotool("type", "--delay", 30, "packet width")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "parameter:packet_width", "the packet's width")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["typing"] == "packet_width", "the field of the packet's width")
    w.write("6")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["parameters"]["packet_width"] == "6", "the width")
    w.key("Escape", lambda s: s["focus"] == "", "the controls to be left")

    # Commands, by keys and by the mouse; arrow keys go through the list.
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
    w.xdotool("type", "--delay", 30, "play")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "command:play", "Play")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["playing"], "the run to play")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    w.click("palette_open", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette by the mouse")
    w.xdotool("type", "--delay", 30, "two spots")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "preset:heat:two_spots", "a preset of another simulation")
    w.click("palette:preset:heat:two_spots", lambda s: s["simulation"] == "heat" and s["preset"] == "two_spots",
            "the other simulation")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def full_screen(program, folder, display):
    """F11 fills the screen and restores the window's size; presenter mode shows only figure and transport."""
    w = Window(program, folder, display, "gui", "heat")
    w.xdotool("search", "--name", "simscope$", "windowsize", 900, 640)
    w.wait(lambda s: s["window"][2:] == [900, 640], "a smaller window")
    w.key("F11", lambda s: s["full_screen"] and s["window"][2:] == list(SCREEN), "the full screen")
    w.focus()
    w.key("F11", lambda s: not s["full_screen"] and s["window"][2:] == [900, 640], "the window's own size")
    w.focus()

    before = w.idle()
    controls = before["controls"]
    check("palette_open" in controls and "device" in controls and "view" in controls, "the window lacks its panels")
    w.key("F5", lambda s: s["presenting"] and abs(s["scale"] / before["scale"] - 1.6) < 1e-3, "presenter mode")
    state = w.wait(lambda s: "play" in s["controls"] and "device" not in s["controls"], "the panels to go")
    for gone in ("palette_open", "view", "theme", "simulation:heat", "scene_menu"):
        check(gone not in state["controls"], f"{gone} is still there")
    w.wait(lambda s: s["figure"][2] > 0.95 * 900 and s["figure"][3] > 0.75 * 640, "the figure to fill the window")
    w.key("space", lambda s: s["playing"], "the run to play")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    w.key("Escape", lambda s: not s["presenting"] and s["scale"] == before["scale"], "the window again")
    w.wait(lambda s: "device" in s["controls"], "the panels")
    w.quit()


def remembered(program, folder, display):
    """Theme, scale, size, and folded panels are restored at the next start; the last simulation, too."""
    w = Window(program, folder, display, "gui", "nbody", SIMSCOPE_SCALE="")
    check(w.state()["theme"] == "dark" and w.state()["scale"] == 1, "the window does not open dark at 100 %")
    w.key("ctrl+t", lambda s: s["theme"] == "light", "the light theme")
    w.key("ctrl+plus", lambda s: s["scale"] == 1.25, "larger letters")
    w.key("ctrl+plus", lambda s: s["scale"] == 1.5, "larger letters")
    w.key("ctrl+minus", lambda s: s["scale"] == 1.25, "smaller ones")
    w.key("ctrl+0", lambda s: s["scale"] == 1, "the monitor's")
    w.click("menu_View", lambda s: "menu:scale:125" in s["controls"], "the menu of the view")
    w.click("menu:scale:125", lambda s: s["scale"] == 1.25, "125 %")
    check(display.screenshot().getpixel((3, 300))[0] > 180, "the window is not light")
    w.key("ctrl+1", lambda s: "simulation:nbody" not in s["controls"], "the panel of simulations to fold")
    w.click("fold_plots", lambda s: "choose_plots" not in s["controls"], "the plots to fold")
    w.xdotool("search", "--name", "simscope$", "windowsize", 1210, 790)
    w.wait(lambda s: s["window"][2:] == [1210, 790], "another size")
    w.quit()

    again = Window(program, folder, display, "gui", ready=lambda s: s["gallery"]["shown"])
    again.key("Escape", lambda s: not s["gallery"]["shown"] and "play" in s["controls"], "the window behind the gallery")
    state = again.idle()
    check(state["simulation"] == "nbody", f"it opens {state['simulation']}")
    check(state["theme"] == "light" and state["scale"] == 1.25, f"it opens {state['theme']} at {state['scale']}")
    check(state["window"][2:] == [1210, 790], f"it opens at {state['window']}")
    check("simulation:nbody" not in state["controls"] and "choose_plots" not in state["controls"], "panels are open")
    again.key("ctrl+1", lambda s: "simulation:nbody" in s["controls"], "the panel of simulations")
    again.quit()

    # The environment's scale overrides the stored one, and is not stored itself.
    forced = Window(program, folder, display, "gui", "nbody", SIMSCOPE_SCALE="1.5")
    check(forced.state()["scale"] == 1.5, f"the scale is {forced.state()['scale']}")
    forced.quit()


def go_to(w, control, key="Tab"):
    while w.state()["focus"] != control:
        name = w.state()["focus"]
        w.xdotool("key", key)
        w.wait(lambda s, before=name: s["focus"] not in ("", before), f"the control after {name}")


def plot_by_keys(w, entry):
    """A series of the legend is hidden and shown by Space; arrows move and zoom the plot, Enter opens its menu."""
    plot, series = entry.removeprefix("legend:").rsplit(":", 1)
    go_to(w, entry)
    w.key("space", lambda s: series in s["plots"][plot]["hidden"] and not s["playing"], "the series to be hidden")
    w.key("Return", lambda s: series not in s["plots"][plot]["hidden"], "the series again")
    go_to(w, "plot_of:" + plot, "shift+Tab")
    # A run that has not begun has one point: an axis of one step, by which it moves, too.
    w.key("Left", lambda s: s["plots"][plot]["x"] is not None, "the axes to move")
    before = w.state()["plots"][plot]["x"]
    w.key("Up", lambda s: s["plots"][plot]["x"][1] - s["plots"][plot]["x"][0] < before[1] - before[0], "the zoom")
    check(w.state()["focus"] == "plot_of:" + plot, "an arrow has left the plot")
    w.key("Return", lambda s: "plot_menu" in s["dialogs"], "the plot's menu")
    w.key("Escape", lambda s: "plot_menu" not in s["dialogs"], "the menu to close")
    w.key("Tab", lambda s: s["focus"] != "", "the controls again")


def splitters_by_keys(w):
    """Arrows move the handles between the panels, and Home restores them."""
    def width():
        return w.state()["figure"][2]

    usual = width()
    go_to(w, "split:parameters")
    w.key("Right", lambda s: s["figure"][2] > usual, "a wider figure")
    wider = width()
    w.key("Left", lambda s: s["figure"][2] < wider, "a wider panel")
    w.key("Left", lambda s: s["figure"][2] < usual, "a still wider panel")
    w.key("Home", lambda s: s["figure"][2] == usual, "the usual width")
    go_to(w, "split:plots")
    height = w.state()["figure"][3]
    w.key("Down", lambda s: s["figure"][3] > height, "lower plots")
    w.key("Home", lambda s: s["figure"][3] == height, "the usual height")


def keyboard(program, folder, display):
    """Tab, arrows, Enter, and Esc reach every control; single keys keep their meaning."""
    w = Window(program, folder, display, "gui", "tunneling")
    w.point("figure")
    start = w.idle()
    check(start["focus"] == "", "a control has the keyboard at the start")
    seen = []
    w.key("Tab", lambda s: s["focus"] != "", "the first control")
    for _ in range(120):
        name = w.state()["focus"]
        if name in seen:
            break
        seen.append(name)
        w.xdotool("key", "Tab")
        w.wait(lambda s, before=name: s["focus"] not in ("", before), f"the control after {name}")
    visible = {c for c in w.state()["controls"] if not c.startswith(("simulation:", "preset:", "tooltip", "default:"))}
    # Texts; and positions of a plot, which is a control itself, as are the entries of its legend.
    texts = ("clock", "preset_summary", "status_numbers", "unit:", "axes:", "truth:")
    missed = {c for c in visible if c not in seen and not c.startswith(texts)} - {"figure", "undo", "redo", "progress"}
    check(not missed, f"Tab does not come to {sorted(missed)}; it came to {seen}")
    check("simulation:tunneling" in seen and any(s.startswith("preset:") for s in seen), f"lists are left out: {seen}")

    plot_by_keys(w, next(s for s in seen if s.startswith("legend:")))

    splitters_by_keys(w)

    # A slider by arrows, a field by typing.
    state = w.state()
    go_to(w, "slider:barrier_height")
    height = float(state["parameters"]["barrier_height"])
    w.key("Right", lambda s: float(s["parameters"]["barrier_height"]) > height, "the slider to move")
    w.key("shift+Tab", lambda s: s["typing"] == "barrier_height", "its field")
    w.write("2.5")
    w.xdotool("key", "Tab")
    w.wait(lambda s: s["parameters"]["barrier_height"] == "2.5" and s["typing"] == "", "the value, by Tab")
    for text, ending in (("1.75", "Tab"), ("2.25", "Return")):
        w.click("value:barrier_height", lambda s: s["typing"] == "barrier_height", "the field again")
        w.write_at_once(text, ending)
        w.wait(lambda s, text=text: s["parameters"]["barrier_height"] == text and s["typing"] == "",
               f"the value, typed faster than it is drawn, by {ending}")

    # A list by arrows and Enter. Space presses a button; after Esc, Space plays.
    go_to(w, "simulation:tunneling", "shift+Tab")
    w.key("Down", lambda s: s["focus"] == "simulation:heat", "the next simulation")
    w.key("Return", lambda s: s["simulation"] == "heat", "heat")
    check(not w.state()["playing"], "Enter or an arrow played")
    w.key("Escape", lambda s: s["focus"] == "", "the controls to be left")
    w.key("space", lambda s: s["playing"], "the run to play")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    w.key("F6", lambda s: s["focus"] != "", "a panel")
    w.click("play", lambda s: s["playing"] and s["focus"] == "", "the mouse to take over")
    w.quit()


def titles_of(told):
    """Every title in the output of `describe`."""
    if isinstance(told, dict):
        found = {told["title"]} if isinstance(told.get("title"), str) else set()
        return found.union(*map(titles_of, told.values()))
    return set().union(*map(titles_of, told)) if isinstance(told, list) else set()


def names(program, folder, display):
    """At the window's usual size no name of a simulation, preset, view, tool, parameter, choice, or diagnostic is
    cut."""
    def told(*arguments):
        return json.loads(subprocess.run([program, *arguments, "--json"], env=environment(), stdout=subprocess.PIPE,
                                         text=True, check=True).stdout)

    screen = folder / "screen"
    screen.mkdir()
    usual = Display(screen, (1440, 900))
    try:
        cut = {}
        for each in told("list"):
            w = Window(program, folder, usual, "gui", each["id"])
            w.key("s", lambda s: s["steps"] > 0, "a step")  # with all available numbers
            w.idle()
            w.settle()
            found = titles_of(told("describe", each["id"])) & set(w.state()["cut"])
            # The preset's description is between its list and the buttons below, if there is one.
            controls = w.state()["controls"]
            if text := controls.get("preset_summary"):
                check(text[1] + text[3] <= controls["explain"][1], f"{each['id']}: the preset's text is cut: {text}")
            if found:
                cut[each["id"]] = sorted(found)
            w.close()
        check(not cut, f"cut are: {cut}")
    finally:
        usual.close()


def shows_its_step(program, folder, display, w):
    """The screen shows the figure of that step, not an older one."""
    from PIL import Image, ImageChops
    w.point("help")
    w.idle()
    state = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")
    command(program, folder, "render", state["last_file"], "--out", "again.png")
    rendered = Image.open(folder / "again.png").convert("RGB")
    w.wait(lambda s: not s["messages"], "the message to go")
    w.idle()
    w.settle()
    x, y, width, height = state["figure"]
    shown = display.screenshot().crop((x, y, x + width, y + height))
    different = ImageChops.difference(rendered, shown).getbbox()
    check(different is None, f"the screen and the step's figure differ in {different}")


def resized(program, folder, display):
    """Shrunk to nothing and back, hidden and shown again: the run plays on, and the picture is that of its step;
    also if sizes change faster than pictures are drawn."""
    w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play")
    w.wait(lambda s: s["steps"] > 0, "the run to play")
    usual = w.state()["window"][2:]

    def goes_on(what):
        state = w.wait(lambda s: s["steps"] > 0, "steps")
        w.wait(lambda s: s["steps"] != state["steps"], f"the run to go on {what}")

    for width, height in ((1, 1), (40, 900), (2000, 3)):
        w.xdotool("search", "--name", "simscope$", "windowsize", width, height)
        w.wait(lambda s: s["window"][2:] == [width, height], f"a window of {width}x{height}")
        goes_on(f"at {width}x{height}")
        w.xdotool("search", "--name", "simscope$", "windowsize", *usual)
        drawn = w.wait(lambda s: s["window"][2:] == usual, "the usual size")["frames_drawn"]
        w.reach(lambda s: s["frames_drawn"] > drawn + 2, "pictures again")
    for _ in range(60):  # two thirds of the queried sizes are out of date a moment later
        for size in ((1, 1), usual, (usual[0], 1)):
            w.xdotool("search", "--name", "simscope$", "windowsize", *size)
    w.xdotool("search", "--name", "simscope$", "windowsize", *usual)
    drawn = w.wait(lambda s: s["window"][2:] == usual, "the usual size")["frames_drawn"]
    w.wait(lambda s: s["frames_drawn"] > drawn + 2 and s["scale"] == 1, "pictures again")
    w.xdotool("search", "--name", "simscope$", "windowunmap")
    goes_on("while it is hidden")
    found = w.xdotool("search", "--name", "simscope$").stdout.split()
    w.xdotool("windowmap", found[-1])
    drawn = w.state()["frames_drawn"]
    w.wait(lambda s: s["frames_drawn"] > drawn + 2, "pictures again")
    w.focus()
    w.key("space", lambda s: not s["playing"], "the run to pause")

    shows_its_step(program, folder, display, w)
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def processor_seconds(process):
    """Of all its threads, so far."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def costs_nothing(w, *runs, minimise=False):
    """Paused programs, minimised or visible, use no processor time; without a state file, which only tests write."""
    what = "paused and minimised" if minimise else "paused"
    processes = {" ".join(run): subprocess.Popen([w.program, "gui", *run], cwd=w.folder, env=w.environment,
                                                 stdin=subprocess.DEVNULL) for run in runs}
    try:
        def visible(process):
            return w.xdotool("search", "--onlyvisible", "--pid", process.pid).stdout.split()

        def until(condition, what):
            end = time.monotonic() + LIMIT
            while not condition():
                check(all(each.poll() is None for each in processes.values()) and time.monotonic() < end, what)
                time.sleep(0.1)

        until(lambda: all(map(visible, processes.values())), "there is no window")
        time.sleep(3)  # their first pictures
        if minimise:
            for process in processes.values():
                w.xdotool("windowminimize", visible(process)[-1])
            until(lambda: not any(map(visible, processes.values())), "the window is not minimised")
        time.sleep(3)  # the work after an event, and a status that changes
        seconds, before = 10, {name: processor_seconds(process) for name, process in processes.items()}
        time.sleep(seconds)
        for name, process in processes.items():
            share = (processor_seconds(process) - before[name]) / seconds
            print(f"{what}: {name}: {100 * share:.2f} % of a core")
            most = 0.04 if sanitized(w.program) else 0.01
            check(share < most, f"{what} {name} takes {100 * share:.1f} % of a core")
    finally:
        for process in processes.values():
            process.terminate()
            process.wait()


def paused(program, folder, display):
    """A paused window uses less than a hundredth of a core: a field, curves, and bodies, with the first start's
    hint."""
    w = Window(program, folder, display, "gui", "tunneling")  # for the program's environment
    w.quit()
    w.environment.pop("SIMSCOPE_HINTS", None)
    costs_nothing(w, ["heat"], ["tunneling"], ["nbody"])


def minimised(program, folder, display):
    """By a window manager, and back: paused it uses no processor time, playing it goes on, and the picture is that
    of its step."""
    if not shutil.which("twm"):
        raise Skip("twm is not installed")
    fonts = "".join(f'{each}Font "fixed"\n' for each in ("Title", "Menu", "Icon", "Resize", "IconManager"))
    (folder / "twmrc").write_text("RandomPlacement\nNoTitle\nBorderWidth 0\nNoGrabServer\nIconifyByUnmapping\n" + fonts)
    with open(folder / "twm.log", "wb") as log:
        # None of Xvfb's few fonts has the letters of other locales.
        manager = subprocess.Popen(["twm", "-f", str(folder / "twmrc")], env=dict(environment(display.name), LC_ALL="C"),
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play")
        w.wait(lambda s: s["steps"] > 0, "the run to play")
        window = w.xdotool("search", "--name", "simscope$").stdout.split()[-1]

        def minimise():
            w.xdotool("windowminimize", window)
            check(manager.poll() is None, "twm: " + (folder / "twm.log").read_text(errors="replace"))
            w.wait(lambda s: s["minimised"], "the window to be minimised")

        def restore():
            drawn = w.state()["frames_drawn"]
            w.xdotool("windowmap", window)
            w.wait(lambda s: not s["minimised"], "the window to come back")
            return drawn

        minimise()
        before = w.state()
        w.wait(lambda s: s["steps"] > before["steps"] + 100, "the run to go on while it is minimised")
        check(w.state()["frames_drawn"] <= before["frames_drawn"] + 1, "pictures are drawn that nobody sees")
        drawn = restore()
        w.reach(lambda s: s["frames_drawn"] > drawn + 2, "pictures again")
        w.focus()
        w.key("space", lambda s: not s["playing"], "the run to pause")
        w.idle()

        minimise()
        time.sleep(1)
        restore()
        w.focus()
        shows_its_step(program, folder, display, w)
        check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
        w.quit()
        costs_nothing(w, ["heat", "--preset", "gaussian"], minimise=True)
    finally:
        manager.terminate()
        manager.wait()


def monitors(program, folder, display):
    """The window moves to a monitor of another scale, and back: letters and controls follow, and the picture is
    correct."""
    told = folder / "scale"
    w = Window(program, folder, display, "--preset", "usual", "--monitor-scale", str(told))
    check(w.state()["scale"] == 1, f"the scale is {w.state()['scale']}")
    w.xdotool("mousemove", 2, 2)
    w.settle()
    small, whole = w.place("play"), display.screenshot()
    for scale in (2, 1.5, 1):
        told.write_text(str(scale))
        w.reach(lambda s, to=scale: s["scale"] == to, f"letters of {scale}")
        now = w.place("play")
        check(abs(now[3] / small[3] - scale) < 0.1, f"the button is {small} at 1 and {now} at {scale}")
    w.idle()
    w.settle()
    # The same as before, except what shows the time.
    from PIL import ImageChops
    x, y, width, height = w.state()["figure"]
    box = (x, y, x + width, y + height)
    different = ImageChops.difference(whole.crop(box), display.screenshot().crop(box)).getbbox()
    check(different is None, f"back at 1 the figure differs in {different}")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()
