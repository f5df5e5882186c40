"""Playing, the scale, and a machine without a display."""

import shutil
import subprocess
import time

from drive.display import LIMIT, check, environment
from drive.window import Window, sanitized


def run(program, folder, display):
    """Play, pause, step, reset, presets, help, and quit, by buttons and by keys."""
    w = Window(program, folder, display, "gui", "tunneling")
    start = w.state()
    check(start["steps"] == 0 and not start["playing"], "the window does not open paused at the start")
    per_frame = start["steps_per_frame"]

    w.click("play", lambda s: s["playing"] and s["steps"] > 0, "the run to play")
    seen = w.state()["frames_drawn"]
    w.wait(lambda s: s["frames_drawn"] >= seen + 2, "two more pictures")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    before = w.idle()["steps"]
    w.key("s", lambda s: s["steps"] == before + per_frame, "one frame's steps by key")
    w.click("step", lambda s: s["steps"] == before + 2 * per_frame, "one frame's steps by button")
    w.key("r", lambda s: s["steps"] == 0 and s["epoch"] > start["epoch"], "the start again, by key")
    w.key("s", lambda s: s["steps"] == per_frame, "a step")
    epoch = w.state()["epoch"]
    w.click("reset", lambda s: s["steps"] == 0 and s["epoch"] > epoch, "the start again, by button")

    w.click("preset:tunnelling", lambda s: s["parameters"]["barrier_height"] == "2.5" and s["steps"] == 0, "the preset")
    w.key("F1", lambda s: "help" in s["dialogs"], "the list of keys")
    w.key("Escape", lambda s: "help" not in s["dialogs"], "the list of keys to close")
    w.click("theme", lambda s: s["theme"] == "light", "the light theme")

    # On a machine with another device the run continues there from the same step.
    for device in [d for d in w.state()["devices"] if d != "cpu"][:1]:
        steps = w.key("s", lambda s: s["steps"] > 0, "a step")["steps"]
        w.click("device", lambda s: "device:" + device in s["controls"], "the list of devices")
        state = w.click("device:" + device, lambda s: s["device"] == device, "the other device")
        check(state["steps"] == steps, "the switch of the device lost the run's place")

    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def scale(program, folder, display):
    """Text and controls at 200 % take twice the space; parts that do not fit scroll."""
    one = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_SCALE="1")
    small = one.place("play")
    one.quit()
    two = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_SCALE="2")
    check(two.state()["scale"] == 2, f"the scale is {two.state()['scale']}")
    large = two.place("play")
    for i in (2, 3):
        check(abs(large[i] / small[i] - 2) < 0.1, f"the button is {small} at 100 % and {large} at 200 %")
    two.click("play", lambda s: s["playing"] and s["steps"] > 0, "the run to play")
    two.quit()

    # By default, the monitor's scale: under X11 from its resources.
    if not shutil.which("xprop"):
        return
    subprocess.run(["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t144\n"],
                   env=environment(display.name), check=True, timeout=LIMIT)
    fine = Window(program, folder, display, "gui", "tunneling", SIMSCOPE_SCALE="")
    check(fine.state()["scale"] == 1.5, f"the scale is {fine.state()['scale']} on a monitor of 144 dots an inch")
    fine.quit()


def no_display(program, folder, display):
    """Without a display the program prints what works without one, and ends with 1."""
    done = subprocess.run([program, "gui", "tunneling"], cwd=folder, env=environment(":31999"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
    check(done.returncode == 1, f"exit status {done.returncode}: {done.stderr}")
    check("simscope render" in done.stderr, f"the message does not tell what to use: {done.stderr}")


def slow_steps(program, folder, display):
    """During a long step the window shows what it waits for, draws pictures, and accepts commands."""
    w = Window(program, folder, display, "gui", "nbody", "--preset", "plummer", "--threads", "2", "--set",
               "method=direct", "--set", "bodies=32768" if sanitized(program) else "bodies=262144")
    w.key("s", lambda s: s["work"].startswith("computing 1 step"), "a step that takes long")
    begun = w.state()
    x, y, width, height = w.place("figure")
    for i in range(40):
        w.xdotool("mousemove", x + 40 + 5 * i, y + height // 2)
        time.sleep(0.01)
    w.key("ctrl+p", lambda s: "palette" in s["dialogs"], "the palette, meanwhile")
    now = w.state()
    check(now["steps"] == begun["steps"] and now["work"], "the step was over at once: nothing is shown by that")
    check(now["pictures"] > begun["pictures"] + 20, f"{now['pictures'] - begun['pictures']} pictures meanwhile")
    w.key("Escape", lambda s: not s["dialogs"], "the palette to close")
    w.wait(lambda s: s["steps"] > begun["steps"] and not s["work"], "the step")
    w.quit()
