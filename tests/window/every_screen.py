#!/usr/bin/env python3
"""Pictures of every screen of the window, for inspection: every_screen.py PROGRAM FOLDER [[+]SIZE@SCALE:THEME ...]

Each screen (gallery, run, explanation, device, sweep with its result, lab, record and file dialogs, a recording and its
card, palette, keys, this computer's faults, a refused value, a refused file, an error, a hint, menus and lists, a
plot's separate window, presenter) at 100 % and 200 %, dark and light, at 640×480, 1440×900, and 3840×2160; with a + in
front, every simulation playing: +3840x2160@2:dark. One contact sheet per size is made beside them. Nothing is tested: a
drive that does not reach a screen prints this and continues.
"""

import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from drive.display import Display  # noqa: E402
from drive.window import Window  # noqa: E402

SIZES = ("640x480", "1440x900", "3840x2160")
COMBINATIONS = [f"{size}@{scale}:{theme}" for size in SIZES for scale in (1, 2) for theme in ("dark", "light")]
LIMIT = 60
# Keys that open a screen, the sign that it is shown, and the keys that close it.
SCREENS = (
    ("explanation", "F2", lambda s: "explanation" in s["controls"], "F2"),
    ("device", "F3", lambda s: "device_window" in s["controls"], "F3"),
    ("record", "ctrl+r", lambda s: "record_start" in s["controls"], "Escape"),
    ("open", "ctrl+o", lambda s: "file_cancel" in s["controls"], "Escape"),
    ("palette", "ctrl+p", lambda s: "palette_query" in s["controls"], "Escape"),
    ("keys", "F1", lambda s: "help" in s["dialogs"], "F1"),
    ("sweep", "ctrl+shift+w", lambda s: "sweep_run" in s["controls"], "ctrl+shift+w"),
    ("lab", "F4", lambda s: s["lab"]["shown"], "F4"),
    ("presenter", "F5", lambda s: "scene_menu" not in s["controls"], "F5"),
    ("gallery", "ctrl+g", lambda s: "gallery_search" in s["controls"], "ctrl+g"),
)
# Controls that open a list or a window when clicked; Escape closes it.
LISTS = (
    ("scene_menu", "scene_menu", lambda s: "scene" in s["dialogs"]),
    ("run_menu", "menu_Run", lambda s: "menu_Run" in s["dialogs"]),
    ("view_menu", "menu_View", lambda s: "menu_View" in s["dialogs"]),
    ("views", "view", lambda s: "dropdown" in s["dialogs"]),
    ("more", "more_controls", lambda s: "more" in s["dialogs"]),
    ("paces", "pace_mode", lambda s: "dropdown" in s["dialogs"]),
    ("plots", "choose_plots", lambda s: "plots" in s["dialogs"]),
    ("devices", "device", lambda s: "dropdown" in s["dialogs"]),
)


def attempt(folder, name):
    """Continues after a missing screen."""
    class Attempt:
        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            if kind is AssertionError:
                print(f"{folder.name}: {name}: {str(error)[:150]}", flush=True)
            return kind is AssertionError

    return Attempt()


def save(display, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    display.screenshot().save(folder / f"{name}.png", compress_level=1)
    print(f"{folder.name}/{name}", flush=True)


def resize(w, width, height):
    found = w.xdotool("search", "--name", "simscope$").stdout.split()
    w.xdotool("windowsize", found[-1], width, height)
    w.wait(lambda s: s["window"][2:] == [width, height], "the size", LIMIT)


def screens(program, folder, combination):
    size, rest = combination.split("@")
    scale, theme = rest.split(":")
    width, height = map(int, size.split("x"))
    target = folder / f"{size}_{int(100 * float(scale))}_{theme}"
    with tempfile.TemporaryDirectory(prefix="simscope-screens-") as name:
        home = pathlib.Path(name).resolve()
        display = Display(home, (width, height))
        w = None
        try:
            w = Window(program, home, display, "gui", "heat", "--theme", theme, SIMSCOPE_SCALE=scale)
            w.wait(lambda s: s["frames_drawn"] > 1, "pictures", LIMIT)
            resize(w, width, height)
            w.settle()
            save(display, target, "run")
            for screen, key, there, back in SCREENS:
                try:
                    w.xdotool("key", key)
                    w.wait(there, screen, LIMIT)
                    w.settle()
                    if screen == "gallery":
                        w.settle()
                    save(display, target, screen)
                    w.xdotool("key", back)
                    w.wait(lambda s: not there(s), screen + " to close", LIMIT / 4)
                except AssertionError as error:
                    print(f"{target.name}: {screen}: {str(error)[:150]}", flush=True)
                    w.xdotool("key", "Escape")
            lists(w, display, target)
            answers(w, display, target)
            w.close()
            with attempt(target, "message"):
                w = Window(program, home, display, "gui", "tunneling", "--play", "--theme", theme, SIMSCOPE_SCALE=scale,
                           SIMSCOPE_FAULT="device:60")
                resize(w, width, height)
                w.wait(lambda s: any("continues on the CPU" in m for m in s["messages"]), "a message", LIMIT)
                w.settle()
                save(display, target, "message")
            w.close()
            with attempt(target, "hint"):
                w = Window(program, home, display, "gui", "heat", "--theme", theme, SIMSCOPE_SCALE=scale,
                           SIMSCOPE_HINTS="on")
                resize(w, width, height)
                w.wait(lambda s: "hint" in s["dialogs"], "a hint", LIMIT / 4)
                save(display, target, "hint")
        finally:
            if w:
                w.close()
            display.close()
    return target


def answers(w, display, target):
    """The window's messages: about a value, a file, this computer, a recording, and a sweep."""
    with attempt(target, "refused"):
        w.xdotool("key", "ctrl+f")
        w.wait(lambda s: s["typing_anywhere"], "the search", LIMIT / 4)
        w.xdotool("type", "--delay", 30, "spot temp")
        w.settle()
        w.xdotool("key", "Return")
        w.wait(lambda s: s["typing"] == "spot_temperature", "the field", LIMIT / 4)
        w.write("1e9")
        w.xdotool("key", "Return")
        w.wait(lambda s: s["refused"], "the refusal", LIMIT / 4)
        w.settle()
        save(display, target, "refused")
    w.xdotool("key", "Escape")
    w.xdotool("key", "Escape")
    w.settle()
    with attempt(target, "error"):
        w.xdotool("key", "ctrl+o")
        w.wait(lambda s: "file_cancel" in s["controls"] and s["typing_anywhere"], "the dialog", LIMIT / 4)
        w.write("state.json")
        w.xdotool("key", "Return")
        w.wait(lambda s: any("state.json" in why for why in s["refused"]), "the error", LIMIT / 4)
        w.settle()
        save(display, target, "error")
    for _ in range(3):
        w.xdotool("key", "Escape")
        w.settle()
    with attempt(target, "doctor"):
        w.xdotool("key", "ctrl+p")
        w.wait(lambda s: "palette_query" in s["controls"] and s["typing_anywhere"], "the palette", LIMIT / 4)
        w.xdotool("type", "--delay", 30, "this computer")
        w.wait(lambda s: s["hits"] and s["hits"][0] == "command:doctor", "the command", LIMIT / 4)
        w.xdotool("key", "Return")
        w.wait(lambda s: "doctor/copy" in s["controls"], "what was found", LIMIT)
        time.sleep(1.5)  # a resting window grows to its lines with its next picture
        save(display, target, "doctor")
    w.xdotool("key", "Escape")
    with attempt(target, "recording"):
        w.xdotool("key", "ctrl+shift+r")
        w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 1, "a recording", LIMIT)
        save(display, target, "recording")
        w.xdotool("key", "ctrl+r")
        w.wait(lambda s: s["recording"] is None and "recorded" in s["dialogs"], "its card", LIMIT)
        w.settle()
        save(display, target, "recorded")
    w.xdotool("key", "Escape")
    with attempt(target, "swept"):
        w.xdotool("key", "ctrl+shift+w")
        w.wait(lambda s: "sweep_run" in s["controls"], "the sweep", LIMIT / 4)
        w.click("sweep_run", lambda s: s["sweep"]["running"] or s["sweep"]["measured"], "the runs")
        w.wait(lambda s: not s["sweep"]["running"] and s["sweep"]["measured"], "the curve", 3 * LIMIT)
        w.settle()
        save(display, target, "swept")


def lists(w, display, target):
    """Menus and lists, and a plot in a separate window."""
    for name, control, there in LISTS:
        if control not in w.state()["controls"]:
            continue
        try:
            w.click(control, there, name)
            w.settle()
            save(display, target, name)
            w.xdotool("key", "Escape")
            w.wait(lambda s: not s["dialogs"], name + " to close", LIMIT / 4)
        except AssertionError as error:
            print(f"{target.name}: {name}: {str(error)[:150]}", flush=True)
    dots = [each for each in w.state()["controls"] if each.startswith("plot_menu:")]
    if not dots:
        return
    try:
        w.click(dots[0], lambda s: "plot_menu" in s["dialogs"], "the plot's menu")
        save(display, target, "plot_menu")
        w.click("plot_menu_window", lambda s: any(each["window"] for each in s["plots"].values()), "the plot's window")
        w.settle()
        save(display, target, "plot_window")
    except AssertionError as error:
        print(f"{target.name}: plot: {str(error)[:150]}", flush=True)


def simulations(program, folder, combination):
    """Every simulation, by one window's palette."""
    import json
    import subprocess
    listed = json.loads(subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, text=True).stdout)
    size, rest = combination.split("@")
    scale, theme = rest.split(":")
    target = folder / f"simulations_{size}_{int(100 * float(scale))}_{theme}"
    with tempfile.TemporaryDirectory(prefix="simscope-screens-") as name:
        home = pathlib.Path(name).resolve()
        width, height = map(int, size.split("x"))
        display = Display(home, (width, height))
        try:
            for each in listed:
                w = None
                try:
                    w = Window(program, home, display, "gui", each["id"], "--theme", theme, "--play",
                               SIMSCOPE_SCALE=scale)
                    resize(w, width, height)
                    w.wait(lambda s: s["steps"] > 0 and s["frames_drawn"] > 10, "the run to play", LIMIT)
                    save(display, target, each["id"])
                except AssertionError as error:
                    print(f"{each['id']}: {str(error)[:150]}", flush=True)
                finally:
                    if w:
                        w.close()
        finally:
            display.close()
    return target


def sheet(target, columns=3, width=960):
    from PIL import Image
    pictures = [Image.open(each).convert("RGB") for each in sorted(target.glob("*.png"))]
    if not pictures:
        return
    small = [each.resize((width, each.height * width // each.width), Image.LANCZOS) if each.width > width else each
             for each in pictures]
    step_x, step_y = max(e.width for e in small) + 6, max(e.height for e in small) + 6
    whole = Image.new("RGB", (columns * step_x, -(-len(small) // columns) * step_y), (128, 0, 128))
    for i, each in enumerate(small):
        whole.paste(each, (i % columns * step_x, i // columns * step_y))
    whole.save(target.parent / f"{target.name}.png")


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    combinations = sys.argv[3:] or COMBINATIONS
    for combination in combinations:
        if combination.startswith("+"):
            sheet(simulations(str(program), folder, combination[1:]))
        else:
            sheet(screens(str(program), folder, combination))
    return 0


if __name__ == "__main__":
    sys.exit(main())
