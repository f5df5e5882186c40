"""Time: back and forward, the time slider, branches, the speed, and the memory."""

import json

from drive.display import check
from drive.window import Window


def past(program, folder, display):
    """Goes back by key, button, and slider; plays on from there; Ctrl+Z returns; a remedy keeps the speed."""
    w = Window(program, folder, display, "gui", "heat")
    per_frame = w.idle()["steps_per_frame"]

    # Played, paused, and back by a frame; forward again equals a run that never went back.
    w.key("space", lambda s: s["steps"] > 30 * per_frame, "the run to play")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    now = w.idle()
    last, exact = now["steps"], now["diagnostics"]
    check(now["past"]["states"] > 0 and now["past"]["bytes"] <= now["past"]["budget"], f"the past is {now['past']}")
    w.key("comma", lambda s: s["steps"] == last - per_frame and s["past"]["in"], "a frame back, by key")
    w.click("step_back", lambda s: s["steps"] == last - 2 * per_frame, "a frame back, by button")
    check(w.state()["past"]["last"] == last, "the present is lost")
    w.key("period", lambda s: s["steps"] == last - per_frame, "a frame forth")
    w.key("period", lambda s: s["steps"] == last and not s["past"]["in"], "the present")
    check(w.idle()["diagnostics"] == exact, "the present is another than it was")
    w.key("Home", lambda s: s["steps"] == 0 and s["past"]["in"], "the start")
    w.key("End", lambda s: s["steps"] == last and not s["past"]["in"], "the present again")

    # The picture follows while the slider is dragged.
    x, y, width, height = w.place("past")
    w.xdotool("mousemove", x + 4, y + height // 2)
    w.settle()
    w.xdotool("mousedown", 1)
    seen = set()
    for along in (0.02, 0.04, 0.06, 0.08, 0.03):
        w.xdotool("mousemove", round(x + along * width), y + height // 2)
        state = w.wait(lambda s: s["past"]["in"] and s["drawn_sequence"] == s["frame"], "a picture of the past")
        w.settle()
        seen.add(w.state()["steps"])
    w.xdotool("mouseup", 1)
    there = w.idle()
    check(there["past"]["in"] and there["past"]["last"] == last, f"the slider has left the run at {there['past']}")
    check(len(seen) > 1, f"the picture did not follow: {seen}")
    check(there["undo_depth"] == 0, "looking back is a step of undo")

    # A parameter is changed there, and the run plays on: undo restores the steps ahead.
    place = there["steps"]
    w.key("space", lambda s: s["playing"] and not s["past"]["in"], "the branch to play")
    w.key("space", lambda s: not s["playing"], "the branch to pause")
    w.wait(lambda s: s["undo_depth"] == 1 and s["undo"].startswith("Going on from step"), "the step of undo")
    branch = w.idle()["steps"]
    check(branch >= place, f"the branch is at {branch}")
    w.key("ctrl+z", lambda s: s["steps"] == last, "the way that was left")
    check(w.idle()["diagnostics"] == exact, "what came back is another run")
    w.key("ctrl+shift+z", lambda s: s["steps"] == branch, "the branch again")

    # The speed stays when the time step changes; the steps per frame are adapted.
    before = w.state()["speed"]
    check(before > 0, "the run has no speed")
    w.click("faster", lambda s: abs(s["speed"] / before - 2) < 1e-6, "twice the speed")
    w.click("slower", lambda s: abs(s["speed"] / before - 1) < 1e-6, "the speed")

    # The memory is chosen, and stored.
    w.point("past", 0.5)
    w.settle()
    w.xdotool("click", 3)
    w.wait(lambda s: "past_memory" in s["dialogs"], "the list of memories")
    w.click("past_memory:64", lambda s: s["past"]["chosen"] == 64 << 20, "the memory")
    w.wait(lambda s: s["past"]["budget"] == 64 << 20, "the run to take it")
    kept = folder / "state" / "past.json"
    w.wait(lambda s: kept.exists(), "the file of the choice")
    check(json.loads(kept.read_text())["bytes"] == 64 << 20, kept.read_text())
    check(not [m for m in w.state()["messages"] if "goes on from" not in m], f"messages: {w.state()['messages']}")
    w.quit()
    again = Window(program, folder, display, "gui", "heat")
    again.wait(lambda s: s["past"]["chosen"] == 64 << 20, "the remembered choice")
    again.quit()
