"""The panel of parameters: search, differences from a preset, numbers with units, dragging, and changes applied
together."""

import math

from drive.display import check
from drive.window import Window


def stroke(w, control, way, held=()):
    """Drags a control by this many pixels, with keys held."""
    x, y, width, height = w.place(control)
    x, y = x + width // 2, y + height // 2
    w.xdotool("mousemove", x, y)
    w.settle()
    for key in held:
        w.xdotool("keydown", key)
    w.settle()
    w.xdotool("mousedown", 1)
    w.settle()
    for part in (0.5, 1):
        w.xdotool("mousemove", x + round(part * way), y)
        w.settle()
    w.xdotool("mouseup", 1)
    w.settle()
    for key in held:
        w.xdotool("keyup", key)
    w.settle()


def quantities(program, folder, display):
    """Arithmetic, units and prefixes; an offer for values out of range; a refused text stays to be corrected."""
    w = Window(program, folder, display, "gui", "diffraction", "--set", "grid_points=256", "--set", "wavelength=0.5um",
               "--set", "distance=1/4")
    state = w.wait(lambda s: s["numbers"].get("wavelength") == "500 nm", "the wavelength in nm")
    check(state["parameters"]["wavelength"] == "5e-07", f"--set with a unit gives {state['parameters']['wavelength']}")
    check(state["parameters"]["distance"] == "0.25", "--set with arithmetic")

    # A number without a unit is in the displayed one; others are named.
    for text, value, shown in (("633", "6.33e-07", "633 nm"), ("0.7 um", "7e-07", "700 nm"),
                               ("1/2 mm", "5e-04", "0.5 mm"), ("sqrt(4)*100 nm", "2e-07", "200 nm")):
        state = w.set_parameter("wavelength", text, lambda s, v=value: s["parameters"]["wavelength"] == v, text)
        check(state["numbers"]["wavelength"] == shown, f"{text} is shown as {state['numbers']['wavelength']}")
    w.set_parameter("distance", "2*pi", lambda s: s["parameters"]["distance"] == "6.283185307179586", "2 pi")
    w.key("ctrl+z", lambda s: s["parameters"]["distance"] == "0.25", "undo")

    # Out of range: the nearest value is a button below; the field keeps the typed text.
    state = w.set_parameter("wavelength", "5 km", lambda s: len(s["refused"]) == 1, "the refusal")
    check("1 pm to 1 m" in state["refused"][0], f"the range is not told: {state['refused']}")
    check(state["parameters"]["wavelength"] == "2e-07", "a refused value was taken")
    card, field = w.place("nearest:wavelength"), w.place("value:wavelength")
    check(card[1] > field[1] + field[3], "the offer covers the field")
    w.click("value:wavelength", lambda s: s["typing"] == "wavelength", "the field")
    w.xdotool("key", "End")
    for _ in range(2):
        w.xdotool("key", "BackSpace")
        w.settle()  # Dear ImGui before 1.87 takes two presses within one picture for one
    w.xdotool("type", "mm")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["parameters"]["wavelength"] == "0.005" and not s["refused"], "the mended text")
    w.set_parameter("wavelength", "5 km", lambda s: len(s["refused"]) == 1, "the refusal")
    w.click("nearest:wavelength", lambda s: s["parameters"]["wavelength"] == "1" and not s["refused"], "the nearest")
    w.set_parameter("wavelength", "633 nm", lambda s: s["numbers"].get("wavelength") == "633 nm", "nanometres again")
    # As written in a text, in metres: the intended value is offered.
    w.set_parameter("wavelength", "5e-7", lambda s: "meant:wavelength" in s["controls"], "the offer of metres")
    w.click("meant:wavelength", lambda s: s["numbers"].get("wavelength") == "500 nm" and not s["refused"], "metres")
    w.set_parameter("wavelength", "5 kg", lambda s: len(s["refused"]) == 1, "the refusal of another unit")
    w.click("keep:wavelength", lambda s: not s["refused"] and s["numbers"].get("wavelength") == "500 nm", "Keep")
    w.set_parameter("wavelength", "5 kg", lambda s: len(s["refused"]) == 1, "the refusal of another unit")
    w.click("value:wavelength", lambda s: s["typing"] == "wavelength", "the field")
    w.xdotool("key", "Escape")
    w.wait(lambda s: not s["refused"] and s["typing"] == "", "Escape to forget it")

    # Alt: a tenth. Shift: faster. By the title as by the slider; in decades, like the slider.
    def drag(control, way, held=()):
        w.set_parameter("distance", "1 m", lambda s: s["parameters"]["distance"] == "1", "the distance")
        stroke(w, control, way, held)
        return math.log10(float(w.state()["parameters"]["distance"]))

    plain, fine, fast = (drag("title:distance", 30, held) for held in ((), ["alt"], ["shift"]))
    check(0 < fine < plain < fast, f"a title's drag gives {plain}, with Alt {fine}, with Shift {fast}")
    check(abs(fine / plain - 0.1) < 0.02 and abs(fast / plain - 4) < 0.1, f"{plain}, with Alt {fine}, with Shift {fast}")
    check(drag("slider:distance", 0, ["alt"]) == 0, "Alt without a move changes the value")
    fine, fast = drag("slider:distance", 40, ["alt"]), drag("slider:distance", 10, ["shift"])
    check(abs(fast / fine - 10) < 0.5, f"a slider's drag gives {fine} with Alt and {fast} with Shift")
    w.quit()


def compare(program, folder, display):
    """Search; the differences from the preset, reset one by one, by group, and all at once."""
    w = Window(program, folder, display, "gui", "tunneling")
    start = w.idle()
    usual = start["parameters"]
    check("reset_all" not in start["controls"], "a preset differs from itself")

    w.key("ctrl+f", lambda s: s["typing"] == "search", "the search")
    w.write("barrier wid")
    state = w.wait(lambda s: "value:barrier_width" in s["controls"] and "value:time_step" not in s["controls"], "the one found")
    check(state["steps"] == 0 and not state["playing"], "typing moved the run")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["typing"] == "barrier_width", "its field")
    w.write("7")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["parameters"]["barrier_width"] == "7", "the value")
    w.key("ctrl+f", lambda s: s["typing"] == "search", "the search")
    w.write("nothing like that")
    w.wait(lambda s: not any(c.startswith("value:") for c in s["controls"]), "nothing found")
    w.xdotool("key", "Escape")
    w.wait(lambda s: "value:time_step" in s["controls"] and s["typing"] == "", "all of them")

    w.set_parameter("barrier_height", "3", lambda s: s["parameters"]["barrier_height"] == "3", "V0")
    w.set_parameter("time_step", "1/50", lambda s: s["parameters"]["time_step"] == "0.02", "dt")
    w.click("changed_only", lambda s: "reference:barrier_height" in s["controls"], "what differs")
    rows = {c[6:] for c in w.state()["controls"] if c.startswith("value:")}
    check(rows == {"barrier_height", "barrier_width", "time_step"}, f"what differs is {rows}")
    w.click("compared", lambda s: "compared:" in s["controls"], "the presets to compare with")
    w.click("compared:over_barrier", lambda s: "compared:" not in s["controls"], "another preset")
    w.click("changed_only", lambda s: "value:domain_length" in s["controls"], "all of them")

    w.click("default:barrier_width", lambda s: s["parameters"]["barrier_width"] == usual["barrier_width"], "one taken back")
    w.key("ctrl+z", lambda s: s["parameters"]["barrier_width"] == "7", "undo")
    depth = w.wait(lambda s: s["redo"], "what can be redone")["undo_depth"]
    w.click("reset_group:Potential", lambda s: s["parameters"]["barrier_height"] == usual["barrier_height"], "the group taken back")
    state = w.wait(lambda s: s["undo_depth"] == depth + 1, "one step of undo")
    check(state["parameters"]["time_step"] == "0.02", "another group was taken back, too")
    w.key("ctrl+z", lambda s: s["parameters"]["barrier_height"] == "3", "undo of the group")
    w.click("reset_all", lambda s: s["parameters"] == usual, "all taken back")
    w.wait(lambda s: "reset_all" not in s["controls"], "nothing differs")
    w.key("ctrl+z", lambda s: s["parameters"]["time_step"] == "0.02" and s["parameters"]["barrier_width"] == "7",
          "undo of all")
    w.quit()


def together(program, folder, display):
    """Parameters that restart the run wait and are applied with one restart; live ones act at once."""
    w = Window(program, folder, display, "gui", "tunneling")
    epoch = w.idle()["epoch"]
    usual = w.state()["parameters"]
    w.click("together", lambda s: True, "together")
    w.set_parameter("packet_momentum", "2.5", lambda s: s["waiting"] == 1, "the first to wait")
    w.set_parameter("packet_width", "4", lambda s: s["waiting"] == 2, "the second to wait")
    state = w.set_parameter("barrier_height", "2", lambda s: s["parameters"]["barrier_height"] == "2", "a live one")
    check(state["epoch"] == epoch and state["parameters"]["packet_momentum"] == usual["packet_momentum"], "it did not wait")
    check(state["numbers"]["packet_width"] == "4 length", f"what waits is shown as {state['numbers']['packet_width']}")
    w.click("apply_waiting", lambda s: s["parameters"]["packet_momentum"] == "2.5", "both")
    state = w.wait(lambda s: s["epoch"] == epoch + 1 and s["waiting"] == 0, "one restart")
    check(state["parameters"]["packet_width"] == "4", "the second was not applied")
    w.key("ctrl+z", lambda s: s["parameters"]["packet_momentum"] == usual["packet_momentum"]
          and s["parameters"]["packet_width"] == usual["packet_width"], "one step of undo")
    w.set_parameter("packet_momentum", "3", lambda s: s["waiting"] == 1, "another")
    w.click("revert_waiting", lambda s: s["waiting"] == 0, "the way back")
    check(w.state()["parameters"]["packet_momentum"] == usual["packet_momentum"], "it was applied")
    w.click("together", lambda s: True, "together no more")
    w.set_parameter("packet_momentum", "3", lambda s: s["parameters"]["packet_momentum"] == "3", "at once")
    w.quit()
