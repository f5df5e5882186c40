"""The lab: a lesson is measured with its parameters, saved, compared with another run, and ended midway; the run
behind it pauses, and continues."""

import json

from drive.display import check
from drive.window import Window


def bring_up(w, control):
    """Scrolls a control below the page's end into view, with the wheel."""
    x, y, width, height = w.state()["window"][0], 0, w.state()["window"][2], w.state()["window"][3]
    w.xdotool("mousemove", x + round(0.7 * width), w.state()["window"][1] + round(0.6 * height))
    for _ in range(60):
        _, y, _, tall = w.place(control)
        if y + tall < w.state()["window"][1] + height - 10:
            return
        w.xdotool("click", 5)
        w.settle()
    raise AssertionError(f"{control} does not come up")


def name_file(w, name, folder, what):
    """Types the name into the dialog just opened."""
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    return w.enter(str(folder / name), what, name)


def run_of(state):
    return {key: state[key] for key in ("steps", "epoch", "simulation", "scene_parameters", "seed")}


def lab(program, folder, display):
    w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play")
    w.wait(lambda s: s["playing"] and s["steps"] > 0, "the run")
    w.key("F4", lambda s: s["lab"]["shown"] and not s["playing"], "the lab, and the run to wait")
    before = run_of(w.state())

    # By the mouse; a number as arithmetic; a value out of range stays in its field.
    w.click("lesson:vector_addition", lambda s: s["lab"]["lesson"] == "vector_addition", "the lesson")
    w.click("knob:largest", lambda s: s["typing_anywhere"], "a caret in the knob")
    w.write("2*5000")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["lab"]["knobs"]["largest"] == "10000", "the knob's value")
    w.click("knob:per_decade", lambda s: s["typing_anywhere"], "a caret in the knob")
    w.write("99")
    w.xdotool("key", "Return")
    w.settle()
    check(w.state()["lab"]["knobs"]["per_decade"] == "3", "a number out of range was taken")
    w.click("knob:per_decade", lambda s: s["typing_anywhere"], "a caret in the knob")
    w.write("1")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["lab"]["knobs"]["per_decade"] == "1", "the other knob's value")

    w.click("lab_measure", lambda s: s["lab"]["measuring"] or s["lab"]["measured"], "the measurement")
    state = w.wait(lambda s: s["lab"]["measured"] == ["vector_addition"] and not s["lab"]["measuring"]
                   and "lab_chart" in s["controls"], "the result")
    check(state["lab"]["rows"] == 2 and state["lab"]["finding"].endswith("."), f"the result: {state['lab']}")
    check(run_of(state) == before, "measuring changed the run")
    display.screenshot().save(folder / "lab.png")

    bring_up(w, "lab_save.json")
    w.click("lab_save.csv", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "numbers.csv", folder, lambda s: "numbers.csv" in s["lab"]["said"])
    check("± CPU, one thread [s]" in (folder / "numbers.csv").read_text(), "the file has no spreads")
    w.click("lab_save.gif", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "chart.gif", folder, lambda s: s["lab"]["said"].startswith("Saved") and "chart.gif" in s["lab"]["said"])
    check((folder / "chart.gif").read_bytes()[:3] == b"GIF", "the chart is no GIF")
    w.click("lab_save.png", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "chart.png", folder, lambda s: s["lab"]["said"].startswith("Saved") and "chart.png" in s["lab"]["said"])
    w.click("lab_save.json", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "mine.json", folder, lambda s: "mine.json" in s["lab"]["said"])
    saved = json.loads((folder / "mine.json").read_text())
    check(saved["machine"] and saved["lessons"][0]["lesson"] == "vector_addition", f"the file: {saved}")

    # Beside another run; for a file that is no run the dialog shows the reason.
    (folder / "bad.json").write_text("{")
    w.click("lab_open", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.write(str(folder / "bad.json"))
    w.settle()
    w.xdotool("key", "Return")
    w.settle()
    check("files" in w.state()["dialogs"] and not w.state()["lab"]["beside"], "what is no run was opened")
    w.enter(str(folder / "mine.json"),
            lambda s: s["lab"]["beside"] == "mine.json" and s["lab"]["cells"] == 1 + 2 * s["lab"]["rows"], "the other run")
    display.screenshot().save(folder / "lab_beside.png")
    bring_up(w, "lab_put_away")

    # All lessons, ended midway by Esc; a second Esc returns to the run, which continues.
    w.click("lab_measure_all", lambda s: s["lab"]["measuring"] and s["lab"]["wanted"] > 5, "all lessons")
    w.key("Escape", lambda s: not s["lab"]["measuring"], "the end of it")
    state = w.state()
    check(state["lab"]["shown"] and state["lab"]["done"] < state["lab"]["wanted"], f"it was not ended: {state['lab']}")
    check(run_of(state) == before, "measuring changed the run")
    w.key("Escape", lambda s: not s["lab"]["shown"] and s["playing"] and s["steps"] > before["steps"], "the run again")
    check(w.state()["epoch"] == before["epoch"], "the run began anew")

    # By keys only; closing the page during a measurement ends it, and so does the end of the program.
    w.key("F4", lambda s: s["lab"]["shown"] and not s["playing"], "the lab")
    for _ in range(40):
        if w.state()["focus"] == "lab_measure":
            break
        w.xdotool("key", "Tab")
        w.settle()
    check(w.state()["focus"] == "lab_measure", "Tab does not come to the button")
    w.key("F4", lambda s: not s["lab"]["shown"] and s["playing"], "the run")
    w.key("F4", lambda s: s["lab"]["shown"] and not s["playing"], "the lab")
    w.click("lab_measure_all", lambda s: s["lab"]["measuring"], "all lessons")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()


def lab_field(program, folder, display):
    """The running simulation's field: filtered while the run plays, and not at all while it is paused."""
    w = Window(program, folder, display, "gui", "heat", "--preset", "gaussian", "--play")
    w.wait(lambda s: s["playing"] and s["steps"] > 0, "the run")
    w.key("F4", lambda s: s["lab"]["shown"] and not s["playing"], "the lab, and the run to wait")
    w.click("lesson:fourier_filters", lambda s: s["lab"]["lesson"] == "fourier_filters", "the lesson")
    check(w.state()["lab"]["live"]["transforms"] == 0, "something was filtered that nobody asked for")
    w.click("knob:source", lambda s: "knob:source:field" in s["controls"], "the choices")
    w.click("knob:source:field", lambda s: s["lab"]["live"]["shown"] and s["playing"], "the running field")
    first = w.state()["lab"]["live"]
    w.wait(lambda s: s["lab"]["live"]["transforms"] > first["transforms"] + 3
           and s["lab"]["live"]["steps"] > first["steps"], "more of its frames")
    early = display.screenshot()
    early.save(folder / "field_early.png")
    steps = w.state()["lab"]["live"]["steps"]
    w.wait(lambda s: s["lab"]["live"]["steps"] > steps + 200, "the run to go on")

    # When paused, the picture is unchanged and costs nothing.
    w.click("lab_live_play", lambda s: not s["playing"], "the pause")
    w.wait(lambda s: s["lab"]["live"]["steps"] == s["steps"], "its last frame")
    w.settle()
    paused = w.state()
    later = display.screenshot()
    later.save(folder / "field_late.png")
    check(early.tobytes() != later.tobytes(), "the picture did not change while the run played")
    w.xdotool("mousemove_relative", 3, 3)
    w.settle()
    w.settle()
    check(w.state()["lab"]["live"]["transforms"] == paused["lab"]["live"]["transforms"], "paused, it was filtered again")

    # Another filter filters the same frame once more; a custom one is typed, and an invalid one is refused with its
    # reason.
    w.click("knob:filter", lambda s: "knob:filter:own" in s["controls"], "the choices")
    w.click("knob:filter:own", lambda s: s["lab"]["live"]["transforms"] > paused["lab"]["live"]["transforms"], "one's own")
    for formula, failing in (("1/k", True), ("(abs(kx) < c) ? 1 : 0", False)):
        w.click("knob:kernel", lambda s: s["typing_anywhere"], "a caret in the formula")
        w.write(formula)
        w.xdotool("key", "Return")
        w.wait(lambda s: s["lab"]["knobs"]["kernel"] == formula and bool(s["lab"]["live"]["failure"]) == failing, formula)
    check(w.state()["steps"] == paused["steps"], "filtering changed the run")
    display.screenshot().save(folder / "field_own.png")

    w.click("lab_live_play", lambda s: s["playing"] and s["steps"] > paused["steps"], "the run")
    w.click("lesson:devices", lambda s: not s["playing"] and not s["lab"]["live"]["shown"], "another lesson, and the run to wait")
    w.key("Escape", lambda s: not s["lab"]["shown"] and s["playing"], "the run again")
    check(w.state()["messages"] == [], f"messages: {w.state()['messages']}")
    w.quit()
