"""The panel of parameters."""

import time

from drive.display import check
from drive.window import Window

TOOLTIP = 1  # seconds, after which a tooltip is shown


def parameters(program, folder, display):
    """Typed values, refused ones, sliders, restarts, defaults, and the remedy of a finding."""
    w = Window(program, folder, display, "gui", "tunneling")
    epoch = w.state()["epoch"]
    w.key("s", lambda s: s["steps"] > 0, "a step")
    steps = w.state()["steps"]

    # Live: at once, while the run goes on.
    state = w.set_parameter("barrier_height", "2.25", lambda s: s["parameters"]["barrier_height"] == "2.25", "V0")
    check(state["epoch"] == epoch and state["steps"] == steps, "a live parameter restarted the run")
    # Out of range: an error is shown, and nothing changes.
    state = w.set_parameter("time_step", "7", lambda s: len(s["refused"]) == 1, "the refusal")
    check("time_step" in state["refused"][0], f"the refusal does not name the key: {state['refused']}")
    check(state["parameters"]["time_step"] == "0.01", "a refused value was taken")
    # The mouse still rests on the field: the reason below is not covered.
    time.sleep(TOOLTIP)
    w.settle()
    check("tooltip" not in w.state()["controls"], "a tooltip covers the reason")
    w.set_parameter("time_step", "0.04", lambda s: s["parameters"]["time_step"] == "0.04" and not s["refused"], "dt")
    w.wait(lambda s: "tooltip" in s["controls"], "the tooltip to come back")
    # Letters and spaces go to the field during typing.
    w.set_parameter("time_step", "7 rspf", lambda s: len(s["refused"]) == 1, "the refusal of a text")
    state = w.state()
    check(state["steps"] == steps and state["epoch"] == epoch and not state["playing"], "typing moved the run")
    check(state["last_file"] == "", "typing saved a picture")
    w.set_parameter("time_step", "0.03", lambda s: s["parameters"]["time_step"] == "0.03" and not s["refused"], "dt")
    # On reset: restarts once.
    state = w.set_parameter("packet_momentum", "2.5", lambda s: s["parameters"]["packet_momentum"] == "2.5", "k0")
    w.wait(lambda s: s["epoch"] == epoch + 1 and s["steps"] == 0, "one restart")

    # A slider of a live parameter acts while it moves, other sliders when released.
    w.point("slider:barrier_height", 0.3)
    w.settle()
    w.xdotool("mousedown", 1)
    w.settle()
    w.point("slider:barrier_height", 0.8)
    w.wait(lambda s: float(s["parameters"]["barrier_height"]) > 10, "the live slider")
    w.xdotool("mouseup", 1)
    w.settle()
    w.point("slider:packet_width", 0.3)
    w.settle()
    w.xdotool("mousedown", 1)
    w.settle()
    w.point("slider:packet_width", 0.8)
    w.settle()
    state = w.state()
    check(state["parameters"]["packet_width"] == "5" and state["epoch"] == epoch + 1, "a slider in the hand restarted")
    w.xdotool("mouseup", 1)
    w.wait(lambda s: float(s["parameters"]["packet_width"]) > 5 and s["epoch"] == epoch + 2, "one restart at the end")

    w.click("default:packet_width", lambda s: s["parameters"]["packet_width"] == "5", "the default")
    w.click("preset:over_barrier", lambda s: s["parameters"]["time_step"] == "0.01", "the preset")
    w.set_parameter("time_step", "0.05", lambda s: s["parameters"]["time_step"] == "0.05", "a step too long for the grid")
    state = w.wait(lambda s: any(c.startswith("cure:") for c in s["controls"]), "a finding with its cure")
    cure = next(c for c in state["controls"] if c.startswith("cure:"))
    w.click(cure, lambda s: s["parameters"]["time_step"] != "0.05", "the cured time step")
    w.wait(lambda s: cure[5:] not in s["findings"], "the finding to go")

    # A combo. Escape closes only the combo.
    w.click("value:potential", lambda s: "value:potential:step" in s["controls"], "the list of potentials")
    w.key("Escape", lambda s: "dropdown" not in s["dialogs"], "the list to close")
    check(w.state()["parameters"]["potential"] == "barrier", "Escape has chosen")
    w.click("value:potential", lambda s: "value:potential:step" in s["controls"], "the list of potentials")
    w.click("value:potential:step", lambda s: s["parameters"]["potential"] == "step", "the step")
    controls = w.wait(lambda s: "value:barrier_width" not in s["controls"], "a step's width to go")["controls"]
    check("value:barrier_height" in controls, "a step without a height")
    check("seed" not in controls, "a seed where nothing is drawn at random")
    w.quit()
