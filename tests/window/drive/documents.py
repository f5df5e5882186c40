"""Undo and redo, scenes in files, and recovery after a crash."""

import json
import signal

from drive.display import LIMIT, SCREEN, Display, check
from drive.sample import drag, middle
from drive.window import Window


def value(state, key):
    return float(state["scene_parameters"][key])


def name_file(w, name):
    """Types a name into the open file dialog and enters it."""
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.write(name)
    w.settle()
    w.xdotool("key", "Return")


def documents(program, folder, display):
    """A slider and a stroke are undone and redone, saved, and opened again."""
    w = Window(program, folder, display, "gui", "tunneling", "--preset", "tunnelling")
    start = w.idle()
    check(start["undo"] is None and start["redo"] is None, f"undo at the start: {start['undo']}")
    before = value(start, "barrier_height")

    # One drag of a slider is one step, regardless of the number of values.
    w.point("slider:barrier_height", 0.3)
    w.settle()
    w.xdotool("mousedown", 1)
    for along in (0.5, 0.6, 0.7):
        w.point("slider:barrier_height", along)
        w.settle()
    w.xdotool("mouseup", 1)
    dragged = w.wait(lambda s: s["undo_depth"] == 1, "the step of the slider")
    check("Barrier height" in dragged["undo"], f"it is called {dragged['undo']}")
    height = value(dragged, "barrier_height")
    check(height != before, "the slider did not move")

    # A stroke, at step three of the run.
    per_frame = start["steps_per_frame"]
    for i in range(1, 4):
        w.key("s", lambda s, n=i: s["steps"] == n * per_frame, f"step {i}")
    w.key("1", lambda s: s["tool"]["taken"] == "kick", "the tool")
    drag(w, middle(w.state()["plot"]), (60, 0))
    drawn = w.wait(lambda s: s["strokes"] == 1 and s["undo_depth"] == 2, "the stroke")
    check(drawn["undo"] == "Kick stroke", f"it is called {drawn['undo']}")
    w.key("s", lambda s: s["steps"] == 4 * per_frame, "a step after the stroke")

    w.key("ctrl+z", lambda s: s["strokes"] == 0, "the stroke to go")
    state = w.wait(lambda s: s["steps"] <= 3 * per_frame, "the run to go back to before the stroke")
    check(value(state, "barrier_height") == height, "the undo took the slider along")
    w.click("undo", lambda s: s["undo_depth"] == 0 and value(s, "barrier_height") == before, "the slider to go back")
    w.wait(lambda s: float(s["parameters"]["barrier_height"]) == before, "the run to follow")
    w.key("ctrl+shift+z", lambda s: value(s, "barrier_height") == height, "the slider again")
    w.click("redo", lambda s: s["strokes"] == 1 and s["redo"] is None, "the stroke again")

    w.key("0", lambda s: s["tool"]["taken"] == "", "Pan")
    saved = w.idle()

    # Desktops recognise the proposed name as a scene.
    w.key("ctrl+s", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.xdotool("key", "Return")
    w.wait(lambda s: s["file"] == str(folder / "tunneling.simscope.json") and "files" not in s["dialogs"], "the file")

    # Saved under a name, which is then in the title; a later change is not saved yet.
    w.key("ctrl+shift+s", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "mine")
    w.wait(lambda s: s["file"] == str(folder / "mine.json") and "files" not in s["dialogs"], "the file")
    check(not w.state()["unsaved"], "the scene that was just saved has changes")
    scene = json.loads((folder / "mine.json").read_text())
    check(len(scene["strokes"]) == 1, f"the file has the strokes {scene.get('strokes')}")
    check(scene["parameters"]["barrier_height"] == height, f"the file has {scene['parameters']}")
    w.set_parameter("barrier_height", "1.5", lambda s: value(s, "barrier_height") == 1.5 and s["unsaved"], "a change")
    w.key("ctrl+s", lambda s: not s["unsaved"], "the scene under its name")
    scene = json.loads((folder / "mine.json").read_text())
    check(scene["parameters"]["barrier_height"] == 1.5, "Ctrl+S did not write the change")
    w.key("ctrl+z", lambda s: value(s, "barrier_height") == height and s["unsaved"], "the change to go")

    # An existing file is replaced only after confirmation; a file that is no scene is refused, and nothing changes.
    w.key("ctrl+shift+s", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "mine.json")
    w.wait(lambda s: s["asking"], "the question whether to replace the file")
    check(json.loads((folder / "mine.json").read_text())["parameters"]["barrier_height"] == 1.5, "replaced unasked")
    w.click("file_accept", lambda s: "files" not in s["dialogs"] and not s["unsaved"], "the file to be replaced")
    (folder / "broken.json").write_text("{")
    w.key("ctrl+o", lambda s: "files" in s["dialogs"], "the dialog")
    name_file(w, "broken.json")
    w.settle()
    check("files" in w.state()["dialogs"], "the dialog took a broken file")
    w.key("Escape", lambda s: "files" not in s["dialogs"], "the dialog to close")
    state = w.state()
    check(state["strokes"] == 1 and state["file"] == str(folder / "mine.json"), "a broken file changed the scene")

    # Another simulation, then the scene again by its name and the Tab key; opening can be undone.
    w.click("simulation:heat", lambda s: s["simulation"] == "heat", "another simulation")
    w.wait(lambda s: s["undo"] and "Simulation" in s["undo"], "the step")
    w.key("ctrl+o", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.xdotool("type", "mi")
    w.settle()
    w.xdotool("key", "Tab")
    w.settle()
    w.xdotool("key", "Return")
    opened = w.wait(lambda s: s["simulation"] == "tunneling" and s["file"] == str(folder / "mine.json"), "the scene")
    check(value(opened, "barrier_height") == height and opened["strokes"] == 1, "the scene came back otherwise")
    w.wait(lambda s: s["undo"] == "Open mine.json", "the step")
    w.key("ctrl+z", lambda s: s["simulation"] == "heat", "the other simulation again")
    w.key("ctrl+y", lambda s: s["simulation"] == "tunneling" and s["strokes"] == 1, "the scene again")
    # Its run repeats the stroke by itself.
    for i in range(1, 5):
        w.key("s", lambda s, n=i: s["steps"] == n * per_frame, f"step {i} of the opened scene")
    again = w.idle()
    check(again["strokes"] == saved["strokes"], "the run lost the stroke")
    w.click("strokes", lambda s: s["strokes"] == 0, "the strokes to be cleared")
    check(w.state()["messages"] == [] or all("Saved" in m for m in w.state()["messages"]), str(w.state()["messages"]))
    w.click("scene_menu", lambda s: "recent:0" in s["controls"], "the menu")
    w.click("recent:0", lambda s: s["strokes"] == 1 and not s["unsaved"], "the scene from the list")
    w.quit()
    check(not list((folder / "state").glob("*.lock")), "an orderly end left its lock")


def record_for_long(w):
    w.key("ctrl+r", lambda s: "record" in s["dialogs"], "the recorder's dialog")
    w.click("record_frames", lambda s: s["typing_anywhere"], "a caret", along=0.25, again=3)
    w.write("100000")
    w.settle()
    w.click("record_start", lambda s: s["recording"] is not None, "the long recording to begin")
    w.wait(lambda s: s["recording"] and s["recording"]["drawn"] > 2, "some of its frames")


def check_orderly_end(folder, key, kept_value, how):
    """No partial recording, no lock, and the scene is kept for the next start."""
    check(not [f for f in folder.iterdir() if f.name.endswith((".gif", ".part"))], f"{how}: the recording left a file")
    check(not list((folder / "state").glob("autosave-*")), f"{how}: the window left its lock")
    kept = json.loads((folder / "state" / "last_session.json").read_text())["parameters"]
    check(kept[key] == kept_value, f"{how}: kept {kept}")


def signals(program, folder, display):
    """SIGTERM and SIGHUP save and close in order, and end a recording: the next start reports no crash."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        height = 2 + number / 100
        w = Window(program, folder, display, "gui", "tunneling")
        check("restore" not in w.state()["dialogs"], "the start before is taken for a crash")
        w.set_parameter("barrier_height", str(height), lambda s: value(s, "barrier_height") == height, "a change")
        if number == signal.SIGTERM:
            record_for_long(w)
        # As at the end of a login: several signals come. Two that wait for the program come in any order.
        w.process.send_signal(number)
        w.process.send_signal(signal.SIGHUP)
        status = w.process.wait(LIMIT)
        check(status in (128 + number, 128 + signal.SIGHUP), f"signal {number} ended the program with {status}: {w.log()}")
        check_orderly_end(folder, "barrier_height", height, f"signal {number}")


def display_lost(program, folder, display):
    """The X server dies, alone or while the program is being ended: no crash, no partial file, and the scene is
    kept.

    The next start offers it, except if the program was ended and had finished in order before it lost the server.
    """
    crashed = False
    for turn, how in enumerate(("killed", "killed", "killed", "signal", "signal", "signal")):
        place = folder / f"screen{turn}"
        place.mkdir()
        alone = Display(place, SCREEN)
        height = 3 + turn / 10
        try:
            w = Window(program, folder, alone, "gui", "tunneling", "--play")
            offered = "restore" in w.state()["dialogs"]
            check(offered == crashed, f"the scene is {'' if offered else 'not '}offered at start {turn}")
            w.set_parameter("barrier_height", str(height), lambda s: value(s, "barrier_height") == height, "a change")
            if turn % 3 == 0:
                record_for_long(w)
            if how == "signal":
                w.process.send_signal(signal.SIGTERM)
            alone.process.kill()
            status = w.process.wait(LIMIT)
            expected = (1, 128 + signal.SIGTERM) if how == "signal" else (1,)
            check(status in expected, f"{how}: the program ended with {status}: {w.log()}")
            check(not [f for f in folder.iterdir() if f.name.endswith((".gif", ".part"))], f"{how}: a file is left")
            kept = [json.loads(each.read_text())["parameters"]["barrier_height"]
                    for each in (folder / "state").glob("*.json") if each.name.startswith(("autosave-", "last_session"))]
            check(height in kept, f"{how}: kept {kept}")
            crashed = bool(list((folder / "state").glob("autosave-*.json")))
            check(crashed or how == "signal", "a window that lost its display is taken for one that was closed")
        finally:
            w.close()
            alone.close()


def ends(program, folder, display):
    """However the window ends during a recording, no partial file remains, and the scene is kept: with the sample's
    window."""
    fault = folder / "fault"
    for speed, how, expected in ((2, "quit", 0), (3, "error", 1)):
        w = Window(program, folder, display, "--preset", "usual", "--fail", str(fault))
        w.set_parameter("speed", str(speed), lambda s: value(s, "speed") == speed, "a change")
        record_for_long(w)
        if how == "quit":
            w.quit()
        else:
            fault.touch()
        status = w.process.wait(LIMIT)
        check(status == expected, f"{how} ended the program with {status}: {w.log()}")
        check(how == "quit" or "the window's loop fails" in w.log(), f"it says {w.log()}")
        check_orderly_end(folder, "speed", speed, how)


def restore(program, folder, display):
    """After a crash the next start offers the last session; after an orderly end it does not."""
    w = Window(program, folder, display, "gui", "tunneling")
    w.set_parameter("barrier_height", "3.25", lambda s: value(s, "barrier_height") == 3.25, "a change")
    w.wait(lambda s: list((folder / "state").glob("autosave-*.json")), "the scene to be kept")
    w.process.send_signal(signal.SIGKILL)
    w.process.wait()

    w = Window(program, folder, display, "gui", "tunneling")
    state = w.wait(lambda s: "restore" in s["controls"], "the offer")
    check(value(state, "barrier_height") != 3.25, "the session was restored without being asked for")
    offer, figure = state["controls"]["restore"], state["controls"]["figure"]
    check(offer[1] + offer[3] <= figure[1], f"the offer at {offer} covers the figure at {figure}")
    w.click("restore", lambda s: value(s, "barrier_height") == 3.25, "the last session")
    w.wait(lambda s: "restore" not in s["dialogs"], "the offer to go")
    w.quit()

    w = Window(program, folder, display, "gui", "tunneling")
    check("restore" not in w.state()["dialogs"], "an orderly end is offered to be restored")
    w.click("scene_menu", lambda s: "menu:last" in s["controls"], "the menu")
    w.click("menu:last", lambda s: value(s, "barrier_height") == 3.25, "the last session, from the menu")
    w.quit()
