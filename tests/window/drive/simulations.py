"""What the window's new views and tools do with the simulations that need them; skipped where the program has none."""

import json
import subprocess

from drive.display import LIMIT, Skip, check, environment
from drive.sample import drag, figure_of, middle, plot_of
from drive.window import Window


def described(program, simulation):
    """What `simscope describe` tells; Skip where the program lacks the simulation."""
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
    # Tools follow the force.
    check("seed" in w.state()["controls"], "no seed for a random start")
    w.click("value:force", lambda s: "value:force:coulomb" in s["controls"], "the list of forces")
    w.click("value:force:coulomb", lambda s: s["parameters"]["force"] == "coulomb", "charges")
    w.key("2", lambda s: s["tool"]["taken"] == "charge", "the large charge")
    w.quit()


def schrodinger2d(program, folder, display):
    """A formula with a fault leaves the potential that was there."""
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
