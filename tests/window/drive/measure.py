"""Probes, line cuts, and rulers on a field; plots under the mouse, in separate windows, and as files."""

import struct

from drive.display import check
from drive.sample import drag, middle, press, release
from drive.window import Window, command


def cells_of(file):
    """The numbers of a NumPy file of floats in rows, row 0 first, and its shape."""
    data = file.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length].decode(), {}, {})  # written by simscope: a dictionary of literals
    check(header["descr"] == "<f4" and not header["fortran_order"], f"the array is {header}")
    count = 1
    for extent in header["shape"]:
        count *= extent
    return struct.unpack(f"<{count}f", data[10 + length:10 + length + 4 * count]), header["shape"]


def measure(program, folder, display):
    """A probe reads the state's value at its place; marks are moved, removed, undone, and saved with the scene."""
    w = Window(program, folder, display, "gui", "heat")
    w.key("s", lambda s: s["steps"] > 0, "a step")
    state = w.idle()
    check(state["marks"] == {} and "measure" in state["controls"], "the window opens with marks, or offers none")
    x, y = middle(state["plot"])

    # By the menu: one press places one probe.
    w.click("measure", lambda s: "measure:probe" in s["controls"], "the menu of marks")
    w.click("measure:probe", lambda s: s["measuring"] == "probe", "the probe")
    before = state["x"]
    w.xdotool("mousemove", x + 30, y - 20)
    w.settle()
    w.xdotool("click", 1)
    mark = w.wait(lambda s: s["marks"].get("P1", {}).get("now") is not None, "a probe with a value")["marks"]["P1"]
    w.wait(lambda s: s["measuring"] == "", "the tool to be put down")
    check(w.state()["x"] == before, "the press moved the axes")

    # The value is that of the cell, bit by bit.
    size, spacing = (float(state["parameters"][key]) for key in ("grid_points", "spacing"))
    command(program, folder, "run", "heat", "--preset", state["preset"], "--steps", state["steps"], "--save", "u.npy")
    cells, shape = cells_of(folder / "u.npy")
    check(tuple(shape) == (size, size), f"the state is {shape}")

    def cell(at):
        column, row = (int(v / spacing + size / 2) for v in at)
        return cells[row * int(size) + column]

    check(mark["now"] == cell(mark["at"]), f"the probe reads {mark['now']}, the cell holds {cell(mark['at'])}")

    # Dragged by its handle it reads another cell, and starts a new series.
    drag(w, middle(w.place("mark:P1:from")), (-60, 40))
    moved = w.wait(lambda s: s["marks"]["P1"]["at"] != mark["at"], "the probe to move")["marks"]["P1"]
    w.wait(lambda s: s["marks"]["P1"].get("now") == cell(s["marks"]["P1"]["at"]), "the value of the other cell")
    check(moved["at"][0] < mark["at"][0] and moved["at"][1] < mark["at"][1], f"it moved to {moved['at']}")
    for count in (2, 3):
        w.key("s", lambda s: s["marks"]["P1"]["samples"] == count, f"{count} samples over time")
        w.idle()
    check("probes:" + moved["view"] in w.state()["plots"], "nothing plots the probe")

    # A line cut along a row: its ends are the cells' values, and its values are between the lowest and the highest.
    w.key("r", lambda s: s["steps"] == 0, "the start")
    w.idle()
    w.key("s", lambda s: s["steps"] == state["steps"], "the same step")
    w.key("m", lambda s: s["measuring"] == "probe", "the probe, by key")
    w.key("m", lambda s: s["measuring"] == "cut", "the line cut, by key")
    drag(w, (x - 100, y + 51), (180, 0))
    cut = w.wait(lambda s: len(s["marks"].get("C1", {}).get("cut", [])) > 10, "a line cut")["marks"]["C1"]
    check(cut["at"][1] == cut["to"][1] and cut["at"][0] < cut["to"][0], f"the cut runs from {cut['at']} to {cut['to']}")
    for end, value in ((cut["at"], cut["cut"][0]), (cut["to"], cut["cut"][-1])):
        near = [cell((end[0] + dx * spacing, end[1] + dy * spacing)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        check(min(near) - 1e-6 <= value <= max(near) + 1e-6, f"the cut ends with {value}, the cells hold {near}")
    drag(w, middle(w.place("mark:C1:to")), (0, -80))
    turned = w.wait(lambda s: s["marks"]["C1"]["to"] != cut["to"], "its end to move")["marks"]["C1"]
    check(turned["at"] == cut["at"], "the other end moved, too")

    # A ruler by the keyboard only; arrows move the selected mark, Delete removes it, and undo restores it.
    for kind in ("probe", "cut", "ruler"):
        w.key("m", lambda s: s["measuring"] == kind, kind)
    w.key("Return", lambda s: "R1" in s["marks"], "a ruler in the middle")
    at = w.state()["marks"]["R1"]["at"]
    w.key("Right", lambda s: s["marks"]["R1"]["at"][0] > at[0], "an arrow to move it")
    w.settle()
    w.key("Delete", lambda s: "R1" not in s["marks"], "Delete")
    w.settle()
    w.key("ctrl+z", lambda s: "R1" in s["marks"], "undo")

    # They are part of the scene: a picture's scene contains them when it is opened.
    def places(state):
        return {name: (mark["view"], mark["at"], mark["to"]) for name, mark in state["marks"].items()}

    wanted = places(w.state())
    check(sorted(wanted) == ["C1", "P1", "R1"], f"the marks are {sorted(wanted)}")
    file = w.key("p", lambda s: s["last_file"].endswith(".png"), "the picture")["last_file"]
    w.quit()
    w = Window(program, folder, display, "gui", file)
    w.wait(lambda s: places(s) == wanted, "the marks of the scene")
    w.wait(lambda s: s["marks"]["P1"].get("now") is not None, "the probe to read")
    w.quit()


def plots(program, folder, display):
    """Zoom, legend, logarithmic axes, files, the clipboard, several series per axis, and a separate window."""
    w = Window(program, folder, display, "gui", "heat", "--play")
    w.wait(lambda s: s["steps"] > 400, "a run")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    state = w.idle()
    key = "diagnostic:maximum"
    check(key in state["plots"], f"the maximum is not plotted: {list(state['plots'])}")
    check(any(name.startswith("truth:") for name in state["controls"]), "there is no table of diagnostics")

    # The wheel zooms about the mouse, dragging moves, a double click fits.
    at = middle(w.place("axes:" + key))
    w.xdotool("mousemove", *at)
    w.settle()
    w.xdotool("click", 4)
    x = w.wait(lambda s: s["plots"][key]["x"] is not None, "the wheel to zoom")["plots"][key]["x"]
    check(w.state()["plots"][key]["y"] is None, "the wheel zoomed y, too")
    w.xdotool("click", 4)
    nearer = w.wait(lambda s: s["plots"][key]["x"] != x, "another notch")["plots"][key]["x"]
    check(abs((nearer[1] - nearer[0]) / (x[1] - x[0]) - 1 / 1.2) < 1e-6, f"a notch makes {nearer} of {x}")
    x = nearer
    press(w, at)
    w.xdotool("mousemove", at[0] - 25, at[1])
    w.wait(lambda s: s["plots"][key]["x"][0] > x[0], "the drag to move the axis")
    release(w)
    w.xdotool("click", "--repeat", 2, "--delay", 20, 1)
    w.wait(lambda s: s["plots"][key]["x"] is None and s["plots"][key]["y"] is None, "a double click to fit")

    # Further series on the same axis, and the legend that hides them.
    w.click("plot_menu:" + key, lambda s: "plot_menu_along" in s["controls"], "the menu")
    w.click("plot_menu_along", lambda s: "along:minimum" in s["controls"], "what can be plotted along with it")
    w.click("along:minimum", lambda s: "minimum" in s["plots"][key]["series"], "a second series")
    w.key("Escape", lambda s: "plot_menu" not in s["dialogs"], "the menu to close")
    w.click(f"legend:{key}:minimum", lambda s: s["plots"][key]["hidden"] == ["minimum"], "the legend to hide it")
    w.click(f"legend:{key}:minimum", lambda s: s["plots"][key]["hidden"] == [], "and to show it again")

    # A separate window, larger; there the axis becomes logarithmic.
    w.click("plot_menu:" + key, lambda s: "plot_menu_window" in s["controls"], "the menu")
    w.click("plot_menu_window", lambda s: s["plots"][key]["window"], "a window of its own")
    check(w.place("axes:" + key)[2] > 300, "the window is no larger than the strip")
    w.click("plot_menu:" + key, lambda s: "plot_menu_log_y" in s["controls"], "the menu in the window")
    w.click("plot_menu_log_y", lambda s: s["plots"][key]["log_y"], "a logarithmic axis")

    # As a table: the last row has the run's present values.
    w.click("plot_menu:" + key, lambda s: "plot_menu_csv" in s["controls"], "the menu")
    w.click("plot_menu_csv", lambda s: s["last_file"].endswith(".csv"), "the table")
    rows = open(w.state()["last_file"], encoding="utf-8").read().splitlines()
    check(rows[0].startswith("t"), f"the header is {rows[0]}")
    last = [float(field) for field in rows[-1].split(",")]
    now = w.state()
    wanted = [now["time"], now["diagnostics"]["maximum"], now["diagnostics"]["minimum"]]
    check(last == wanted, f"the last row is {last}, the run says {wanted}")
    w.click("plot_menu:" + key, lambda s: "plot_menu_copy" in s["controls"], "the menu")
    w.click("plot_menu_copy", lambda s: any("Copied" in message for message in s["messages"]), "the clipboard")

    # As a picture that is not empty.
    from PIL import Image
    w.click("plot_menu:" + key, lambda s: "plot_menu_png" in s["controls"], "the menu")
    file = w.click("plot_menu_png", lambda s: s["last_file"].endswith(".png"), "the picture")["last_file"]
    with Image.open(file) as picture:
        colours = picture.convert("RGB").getcolors(1 << 20)
        check(picture.size[0] >= 900 and len(colours) > 50, f"the picture is {picture.size}, {len(colours)} colours")
    w.click("plot_menu:" + key, lambda s: "plot_menu_window" in s["controls"], "the menu")
    w.click("plot_menu_window", lambda s: not s["plots"][key]["window"], "the strip again")
    w.quit()
