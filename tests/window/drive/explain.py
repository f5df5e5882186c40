"""The page of a simulation, the device panel, hints, and the messages if OpenGL or the device is missing."""

import os
import subprocess

from drive.display import LIMIT, check, environment
from drive.window import Window


def explanation(program, folder, display):
    """F2 opens the page; a button sets an experiment up, Ctrl+Z undoes it; symbols and parameters highlight each
    other."""
    w = Window(program, folder, display, "gui", "tunneling")
    before = w.state()
    w.key("F2", lambda s: "explanation" in s["dialogs"], "the page")
    # The button may be below the window's edge: the wheel scrolls it into view.
    place = w.place("explanation")
    w.xdotool("mousemove", place[0] + place[2] // 2, place[1] + place[3] // 2)
    for _ in range(40):
        _, y, _, height = w.place("experiment:0")
        if y + height < place[1] + place[3]:
            break
        w.xdotool("click", 5)
        w.settle()
    state = w.click("experiment:0", lambda s: s["preset"] == "tunnelling" and s["playing"], "the experiment, playing")
    check(w.state()["scene_parameters"]["barrier_width"] == "1", f"the barrier: {state['scene_parameters']}")
    w.wait(lambda s: s["steps"] > 0 and s["undo"] == "Half the barrier", "a step of undo of its name")
    display.screenshot().save(folder / "explanation.png")
    w.key("ctrl+z", lambda s: s["preset"] == before["preset"] and
          s["scene_parameters"] == before["scene_parameters"], "what was there before")
    w.key("Escape", lambda s: "explanation" not in s["dialogs"], "the page to close")
    w.click("explain", lambda s: "explanation" in s["dialogs"], "the page by its button")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def device(program, folder, display):
    """F3 opens the panel; the limit is measured; devices are compared beside the run, which plays on."""
    w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play")
    w.key("F3", lambda s: "device" in s["dialogs"], "the panel")
    w.click("measure_limit", lambda s: "limit_share" in s["controls"], "the limit")
    steps = w.state()["steps"]
    w.wait(lambda s: s["steps"] != steps and s["playing"], "the run to go on")
    check("device_row:Simulation" in w.state()["controls"], "the panel does not tell who has the memory")
    compare(w)
    display.screenshot().save(folder / "device.png")
    w.key("Escape", lambda s: "device" not in s["dialogs"], "the panel to close")
    w.click("status_numbers", lambda s: "device" in s["dialogs"], "the panel, by a click on the line below")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    doctor(w)
    w.quit()


def several(program, folder, display):
    """A run on several devices: the panel shows each, the run moves to one and back, and losing one ends nothing."""
    w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play", "--device", "cpu+cpu")
    w.wait(lambda s: s["device"] == "cpu+cpu" and s["playing"] and s["steps"] > 20, "the run")
    check({"cpu", "cpu+cpu"} <= set(w.state()["devices"]), f"devices: {w.state()['devices']}")
    w.key("F3", lambda s: "device" in s["dialogs"], "the panel")
    w.wait(lambda s: "device_row:Linked by" in s["controls"], "who makes the run")
    check({"device_row:0: cpu", "device_row:1: cpu"} <= set(w.state()["controls"]), "the panel does not show each device")
    display.screenshot().save(folder / "several.png")
    w.click("use:cpu", lambda s: s["device"] == "cpu" and "device_row:Linked by" not in s["controls"], "one device")
    steps = w.state()["steps"]
    w.wait(lambda s: s["steps"] > steps + 5 and s["playing"], "the run to go on")
    w.click("use:cpu+cpu", lambda s: s["device"] == "cpu+cpu", "both again")
    w.wait(lambda s: s["drawn_sequence"] > 0 and s["playing"] and "device_ratio" in s["controls"], "what a step costs")
    w.key("Escape", lambda s: "device" not in s["dialogs"], "the panel to close")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()
    lost = Window(program, folder, display, "gui", "heat", "--play", "--device", "cpu+cpu", SIMSCOPE_FAULT="rank:80")
    lost.wait(lambda s: any("continues on the CPU" in m for m in s["messages"]), "the message")
    lost.wait(lambda s: s["playing"] and s["device"] == "cpu", "the run on one device")
    lost.quit()


def compare(w):
    """A step on two devices: on the GPU and the CPU, or without a GPU on one thread of the CPU."""
    if "compare_devices" not in w.state()["controls"]:
        check(len(w.state()["devices"]) == 1 and len(os.sched_getaffinity(0)) == 1, "nothing can be compared")
        return
    w.click("compare_devices", lambda s: s["comparison"]["running"] or s["comparison"]["times"], "the measurement")
    state = w.state()
    w.wait(lambda s: s["steps"] > state["steps"] and s["playing"], "the run to go on meanwhile")
    state = w.reach(lambda s: len(s["comparison"]["times"]) == 2 and "device_ratio" in s["controls"], "the ratio")
    for each in state["comparison"]["times"]:
        check(not each["failure"] and each["step_us"] > 0 and each["steps"] > 0, f"measured: {each}")
        check("device_row:" + each["device"] in state["controls"], f"the panel does not tell {each}")
    others = [each["device"] for each in state["comparison"]["times"] if not each["device"].startswith("cpu")]
    check(bool(others) == (len(state["devices"]) > 1), f"compared: {state['comparison']}")


def doctor(w):
    """The output of `simscope doctor`, beside the run, which plays on."""
    w.key("Escape", lambda s: "device" not in s["dialogs"], "the panel to close")
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"] and s["typing_anywhere"], "the palette")
    w.xdotool("type", "--delay", 30, "this computer")
    w.wait(lambda s: s["hits"] and s["hits"][0] == "command:doctor", "the command")
    w.xdotool("key", "Return")
    state = w.reach(lambda s: "doctor/copy" in s["controls"], "what was found")
    found = {c.removeprefix("doctor:") for c in state["controls"] if c.startswith("doctor:")}
    check({"program", "opengl", "fonts", "ffmpeg"} <= found, f"found: {sorted(found)}")
    w.wait(lambda s: s["steps"] != state["steps"], "the run to go on")
    w.key("Escape", lambda s: "doctor" not in s["dialogs"], "the window to close")


def hints(program, folder, display):
    """Hints come one after the other, and not again at the next start."""
    w = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_HINTS="on")
    w.wait(lambda s: "hint" in s["dialogs"], "the first hint")
    display.screenshot().save(folder / "hint.png")
    first = w.place("hint:done")
    w.click("hint:done", lambda s: s["controls"].get("hint:done") not in (None, first), "the next one, elsewhere")
    w.click("hint:none", lambda s: "hint" not in s["dialogs"], "no more of them")
    w.quit()
    again = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_HINTS="on")
    again.settle()
    check("hint" not in again.state()["dialogs"], "hints that were dismissed are back")
    again.quit()


def old_opengl(program, folder, display):
    """Without OpenGL 4.5: a message with the version found and a remedy, and exit status 1."""
    variables = dict(environment(display.name), MESA_GL_VERSION_OVERRIDE="3.3")
    done = subprocess.run([program, "gui", "tunneling"], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
    check(done.returncode == 1, f"exit status {done.returncode}: {done.stderr}")
    for words in ("OpenGL 4.5", "3.3", "LIBGL_ALWAYS_SOFTWARE=1", "simscope render"):
        check(words in done.stderr, f"the message does not tell {words}: {done.stderr}")


def lost_device(program, folder, display):
    """A device is lost during a run: the run continues, and shows the reason. If host memory is insufficient, it
    pauses unchanged, and continues on command."""
    w = Window(program, folder, display, "gui", "tunneling", "--play", SIMSCOPE_FAULT="device:60")
    w.wait(lambda s: any("continues on the CPU" in m for m in s["messages"]), "the message")
    state = w.state()
    w.wait(lambda s: s["playing"] and s["drawn_sequence"] > state["drawn_sequence"] + 5, "five more pictures")
    w.quit()
    w = Window(program, folder, display, "gui", "tunneling", "--play", SIMSCOPE_FAULT="memory:60")
    w.wait(lambda s: any("no memory" in m for m in s["messages"]) and not s["playing"], "the message of the memory")
    state = w.idle()
    w.click("play", lambda s: s["playing"] and s["steps"] > state["steps"] + 5, "the run to go on")
    w.quit()
