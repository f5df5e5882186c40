"""The window's views and tools for the simulations that need them; skipped if the program lacks the simulation."""

import json
import subprocess

from drive.display import LIMIT, Skip, check, environment
from drive.sample import drag, figure_of, middle, plot_of, press, release
from drive.window import Window


def described(program, simulation):
    """The output of `simscope describe`; Skip if the program lacks the simulation."""
    def told(*arguments):
        done = subprocess.run([program, *arguments, "--json"], env=environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, timeout=LIMIT, check=True)
        return json.loads(done.stdout)

    listed = told("list")
    listed = listed.get("simulations", []) if isinstance(listed, dict) else listed
    if simulation not in [each["id"] for each in listed]:
        raise Skip(f"this program has no {simulation}")
    return told("describe", simulation)


def take(w, description, gesture):
    """Takes the first tool of that gesture."""
    tools = [tool["key"] for tool in description["tools"]]
    index = next(i for i, tool in enumerate(description["tools"]) if tool.get("gesture") == gesture)
    w.key(str(index + 1), lambda s: s["tool"]["taken"] == tools[index], f"the tool {tools[index]}")


def nbody(program, folder, display):
    """Turning the view changes the picture; a launch adds a body."""
    description = described(program, "nbody")
    w = Window(program, folder, display, "gui", "nbody", "--set", "bodies=64")
    start = w.idle()
    before = figure_of(w, display)
    at = middle(start["plot"])
    drag(w, at, (70, 30))
    w.wait(lambda s: s["camera"] is not None, "the view to turn")
    check(figure_of(w, display) != before, "the picture is the same from another side")
    take(w, description, "launch")
    drag(w, at, (60, 0))
    w.wait(lambda s: s["pokes"] == 1, "the launch")
    energy = start["diagnostics"]["potential_energy"]
    w.wait(lambda s: s["diagnostics"]["potential_energy"] != energy, "the body that was launched")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    # The tools depend on the force.
    check("seed" in w.state()["controls"], "no seed for a random start")
    w.click("value:force", lambda s: "value:force:coulomb" in s["controls"], "the list of forces")
    w.click("value:force:coulomb", lambda s: s["parameters"]["force"] == "coulomb", "charges")
    w.key("2", lambda s: s["tool"]["taken"] == "charge", "the large charge")
    w.quit()


def schrodinger2d(program, folder, display):
    """A faulty formula leaves the former potential; a packet is added by a parameter, and by a drag."""
    described(program, "schrodinger2d")
    w = Window(program, folder, display, "gui", "schrodinger2d", "--set", "grid_points=64", "--set", "potential=formula")
    formula = w.idle()["parameters"]["formula"]
    before = figure_of(w, display)
    state = w.set_parameter("formula", "x +* y", lambda s: len(s["refused"]) == 1, "the refusal")
    check("formula" in state["refused"][0], f"the refusal does not name the key: {state['refused']}")
    check(state["parameters"]["formula"] == formula, "a refused formula was taken")
    check(figure_of(w, display) == before, "a refused formula changed the picture")
    w.set_parameter("formula", "0.1*(x^2 + y^2)", lambda s: s["parameters"]["formula"] == "0.1*(x^2 + y^2)", "a formula")
    check(w.state()["refused"] == [], "the refusal stays")
    w.quit()

    w = Window(program, folder, display, "gui", "schrodinger2d", "--preset", "two_packets", "--set", "grid_points=128")
    w.idle()
    w.set_parameter("second_y", "7.5", lambda s: s["parameters"]["second_y"] == "7.5", "another place")
    w.wait(lambda s: s["steps"] == 0 and abs(s["diagnostics"]["mean_y"] - 1.5) < 1e-3, "one packet above, one below")
    check(abs(w.idle()["diagnostics"]["norm"] - 1) < 1e-5, "two packets have another norm")
    before = figure_of(w, display)
    w.key("4", lambda s: s["tool"]["taken"] == "add", "the tool that adds a packet")
    left, top, width, height = w.idle()["plot"]
    press(w, (left + width // 2, top + height // 2), 1, lambda s: s["tool"]["stroking"], "the arrow to begin")
    w.xdotool("mousemove", left + 3 * width // 4, top + height // 2)
    w.settle()
    release(w)
    w.wait(lambda s: s["strokes"] == 1, "the packet that was launched")
    w.wait(lambda s: abs(s["diagnostics"]["norm"] - 1) < 1e-5 and abs(s["diagnostics"]["error"]) < 1e-4, "it is exact")
    check(figure_of(w, display) != before, "an added packet is not seen")
    w.quit()


def tunneling(program, folder, display):
    """A typed V(x) takes effect at the present step, and a faulty one changes nothing; a second packet restarts the
    run."""
    described(program, "tunneling")
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "bragg_mirror", "--set", "grid_points=256",
               "--set", "time_step=0.05")
    w.idle()
    check(0.01 < w.state()["diagnostics"]["transmission_exact"] < 0.03, "the mirror's exact transmission")
    w.key("period", lambda s: s["steps"] > 0, "a step")
    steps = w.idle()["steps"]
    before = figure_of(w, display)
    well = "0 - 1/cosh(x)^2"
    w.set_parameter("formula", well, lambda s: s["parameters"]["formula"] == well, "another potential")
    w.wait(lambda s: abs(s["diagnostics"]["transmission_exact"] - 1) < 1e-4, "what nothing reflects from")
    state = w.idle()
    check(state["steps"] == steps, "another potential began the run anew")
    after = figure_of(w, display)
    check(after != before, "another potential is not drawn")
    for text, what in (("x +* 2", "column 4"), ("1/x", "x = 0")):
        state = w.set_parameter("formula", text, lambda s, t=what: any(t in each for each in s["refused"]), "the refusal")
        check(state["parameters"]["formula"] == well, "a refused formula was taken")
    check(figure_of(w, display) == after, "a refused formula changed the picture")
    w.click("value:formula", lambda s: s["typing"] == "formula", "the formula's line")
    w.xdotool("key", "Escape")
    w.wait(lambda s: s["refused"] == [] and s["typing"] == "", "the formula that runs")

    w.click("value:second_packet", lambda s: s["parameters"]["second_packet"] == "on", "the second packet")
    w.wait(lambda s: s["steps"] == 0 and abs(s["diagnostics"]["mean_position"]) < 1e-3, "two packets from the start")
    check(abs(w.idle()["diagnostics"]["norm"] - 1) < 1e-5, "two packets have another norm")
    w.set_parameter("second_amplitude", "1/2", lambda s: s["parameters"]["second_amplitude"] == "0.5", "a weaker one")
    w.wait(lambda s: abs(s["diagnostics"]["mean_position"] + 30) < 1e-2, "four fifths at -50, one fifth at 50")
    w.quit()


def diffraction(program, folder, display):
    """Values are read in every panel of the overview."""
    described(program, "diffraction")
    w = Window(program, folder, display, "gui", "diffraction", "--set", "grid_points=256")
    start = w.idle()
    check(len(start["panels"]) > 1, f"the window opens with {start['view']}")
    seen = {figure_of(w, display)}
    for panel in start["panels"]:
        w.xdotool("mousemove", *middle(plot_of(start, panel["view"])))
        w.settle()
        w.idle()
        w.settle()
        x, y, width, height = start["figure"]
        seen.add(display.screenshot().crop((x, y, x + width, y + height)).tobytes())
    check(len(seen) == 1 + len(start["panels"]), "hovering over the panels does not draw a marker in each")
    w.quit()
