"""The window's load: paused, and playing fields of 512² cells, on software OpenGL at 1440×900.

usage: window_load.py SIMSCOPE [--paused | --playing] [SIM ...]      (Xvfb, xdotool, python3)

Measures the program's processor time (/proc/PID/stat, all threads), because other programs may load the machine.
Paused: its share of one core over ten seconds, for every simulation with the hints of the first start and the
explanation open, after the picture has stopped changing. Playing: pictures per second, and the processor time per
picture, which gives the rate of two otherwise idle cores.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window"))

from drive.display import Display, environment  # noqa: E402
from drive.window import Window  # noqa: E402

SCREEN = (1440, 900)
SECONDS = 10
REST = 0.05  # of a core, in two successive seconds: the start is over
PLAYED = (("heat", "512"), ("schrodinger2d", "512"), ("diffraction", "512"), ("mandelbrot", "512"),
          ("reaction_diffusion", "512"))
TICK = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def share(pid, seconds):
    before, start = processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return (processor_seconds(pid) - before) / (time.monotonic() - start)


def rest(pid, limit=90):
    end, quiet = time.monotonic() + limit, 0
    while quiet < 2 and time.monotonic() < end:
        quiet = quiet + 1 if share(pid, 1) < REST else 0


def paused(program, simulations):
    print(f"paused, share of one core over {SECONDS} s (the goal: below 1 %)")
    worst = 0
    for simulation in simulations:
        with tempfile.TemporaryDirectory(prefix="simscope-load-") as name:
            folder = pathlib.Path(name).resolve()
            display = Display(folder, SCREEN)
            variables = dict(environment(display.name), SIMSCOPE_STATE_DIR=str(folder / "state"))
            del variables["SIMSCOPE_HINTS"]
            process = subprocess.Popen([program, "gui", simulation], cwd=folder, env=variables,
                                       stdin=subprocess.DEVNULL)
            try:
                rest(process.pid)
                with_hints = share(process.pid, SECONDS)
                found = subprocess.run(["xdotool", "search", "--name", "simscope$"], env=variables, text=True,
                                       stdout=subprocess.PIPE).stdout.split()
                subprocess.run(["xdotool", "windowfocus", found[-1]], env=variables)
                subprocess.run(["xdotool", "key", "F2"], env=variables)
                rest(process.pid)
                explained = share(process.pid, SECONDS)
            finally:
                process.kill()
                process.wait()
                display.close()
        worst = max(worst, with_hints, explained)
        print(f"  {simulation:20} {100 * with_hints:5.2f} %   explanation open {100 * explained:5.2f} %", flush=True)
    print(f"  the most: {100 * worst:.2f} %")


def playing(program, chosen):
    print(f"playing, software OpenGL, {SCREEN[0]}x{SCREEN[1]}, {os.cpu_count()} cores (the goal: 30 pictures/s of two)")
    for simulation, size in PLAYED:
        if chosen and simulation not in chosen:
            continue
        with tempfile.TemporaryDirectory(prefix="simscope-load-") as name:
            folder = pathlib.Path(name).resolve()
            display = Display(folder, SCREEN)
            w = None
            try:
                w = Window(program, folder, display, "gui", simulation, "--set", f"grid_points={size}", "--play")
                time.sleep(5)
                pid, start = w.process.pid, time.monotonic()
                drawn, spent = w.state()["frames_drawn"], processor_seconds(pid)
                time.sleep(SECONDS)
                state, took = w.state(), time.monotonic() - start
                spent = processor_seconds(pid) - spent
                pictures = state["frames_drawn"] - drawn
                each = spent / max(pictures, 1)
                print(f"  {simulation:20} {pictures / took:5.1f} pictures/s on {spent / took:4.2f} cores that it got: "
                      f"{1000 * each:5.1f} ms of a core each, {2 / each:5.1f}/s on two"
                      + ("" if state["playing"] else "  (the run has paused)"), flush=True)
            finally:
                if w:
                    w.close()
                display.close()


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if not arguments:
        print(__doc__)
        return 2
    program, chosen = os.path.abspath(arguments[0]), arguments[1:]
    if "--playing" not in sys.argv:
        listed = subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, text=True).stdout
        import json
        every = json.loads(listed)
        every = every.get("simulations", every) if isinstance(every, dict) else every
        names = [each["id"] if isinstance(each, dict) else each for each in every]
        paused(program, [each for each in names if not chosen or each in chosen])
    if "--paused" not in sys.argv:
        playing(program, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
