"""A parameter that follows keyframes."""

from drive.display import check
from drive.window import Window

KEY = "barrier_height"


def points(state):
    return state["keyframes"].get(KEY, [])


def at(w, control):
    x, y, width, height = w.place(control)
    return x + width // 2, y + height // 2


def press_until(w, place, arguments, condition, what):
    """Repeats the click: it may be lost while the window takes the focus."""
    for _ in range(4):
        w.xdotool("mousemove", *place)
        w.settle()
        w.xdotool("click", *arguments)
        try:
            return w.wait(condition, what, 30)
        except AssertionError:
            if w.process.poll() is not None:
                raise
    return w.wait(condition, what, 1)


def keyframes(program, folder, display):
    """Keyframes by the diamond, the field, the strip, and the menu; the run follows them, and they can be undone."""
    w = Window(program, folder, display, "gui", "tunneling")
    start = w.idle()
    value, steps = float(start["parameters"][KEY]), start["steps_per_frame"]

    w.click("keyframe:" + KEY, lambda s: points(s) == [[0, value]], "the first keyframe")
    w.key("s", lambda s: s["steps"] == steps, "a frame's steps")
    time = w.idle()["time"]
    # A typed value sets the keyframe of the present time; the run goes back to where that begins to matter.
    w.set_parameter(KEY, "3.5", lambda s: points(s) == [[0, value], [time, 3.5]], "the second keyframe")
    w.wait(lambda s: s["steps"] == 0 and float(s["parameters"][KEY]) == value, "the run to go back")
    w.click("step", lambda s: s["steps"] == steps, "the same steps again")
    w.click("play", lambda s: s["playing"], "the run to play")
    w.wait(lambda s: s["parameters"][KEY] == "3.5", "the parameter to follow")
    w.key("space", lambda s: not s["playing"], "the run to pause")

    # A double click on the strip adds one; it can be dragged, and Esc returns it to its place.
    x, y, width, height = w.place("strip:" + KEY)
    state = press_until(w, (x + round(0.6 * width), y + height // 2), ("--repeat", 2, "--delay", 20, 1),
                        lambda s: len(points(s)) == 3, "a keyframe on the strip")
    added = points(state)[2]
    check(added[0] > time and 0 <= added[1] <= 20, f"the keyframe is at {added}")
    for release in ("Escape", None):
        place = at(w, f"keyframe:{KEY}:2")
        w.xdotool("mousemove", *place)
        w.settle()
        w.xdotool("mousedown", 1)
        w.settle()
        w.xdotool("mousemove", place[0] + width // 5, place[1] - height // 5)
        w.settle()
        if release:
            w.xdotool("key", release)
            w.settle()
        w.xdotool("mouseup", 1)
        w.settle()
        if release:
            check(points(w.state())[2] == added, "Esc did not let go of the keyframe")
    state = w.wait(lambda s: points(s)[2][0] > added[0] and points(s)[2][1] > added[1], "the keyframe to be dragged")
    dragged = points(state)[2]
    w.key("ctrl+z", lambda s: points(s)[2] == added, "the drag to be undone")
    w.key("ctrl+shift+z", lambda s: points(s)[2] == dragged, "the drag to be done again")

    # Exact numbers, and the easing to the next one.
    press_until(w, at(w, f"keyframe:{KEY}:1"), (3,), lambda s: "keyframe" in s["dialogs"], "the keyframe's menu")
    w.click("keyframe_value", lambda s: s["typing_anywhere"], "the field of the value")
    w.write("21")
    w.xdotool("key", "Return")
    w.settle()
    check(points(w.state())[1] == [time, 3.5], "a value out of range was taken")
    w.click("keyframe_value", lambda s: s["typing_anywhere"], "the field of the value")
    w.write("1.25")
    w.xdotool("key", "Return")
    w.wait(lambda s: points(s)[1] == [time, 1.25], "the typed value")
    w.click("keyframe_smooth", lambda s: points(s)[1] == [time, 1.25, "smooth"], "the smooth way")
    w.click("keyframe_remove_all", lambda s: points(s) == [], "no keyframes")
    check("strip:" + KEY not in w.idle()["controls"], "the strip stays without keyframes")
    w.quit()
