"""The gallery: opened at a start without arguments, search, one click to a run, and the slide show."""

import json
import time

from drive.display import check
from drive.window import Window


def open_gallery(program, folder, display):
    return Window(program, folder, display, "gui",
                  ready=lambda s: s["gallery"]["shown"] and s["gallery"]["live_frames"] > 1)


def plays(subject):
    return lambda s: s["gallery"]["live"] == subject and s["gallery"]["live_frames"] > 2


def first_key(w, simulation):
    """The subject of the simulation's card."""
    w.point("simulation_card:" + simulation)
    state = w.wait(lambda s: s["gallery"]["chosen"].startswith(simulation + "/"), f"{simulation} under the mouse")
    return state["gallery"]["chosen"]


def gallery(program, folder, display):
    """Cards play under the mouse, typing searches, one click or Enter starts, Ctrl+G returns."""
    w = open_gallery(program, folder, display)
    start = w.state()
    check(not start["playing"] and start["steps"] == 0, "the run behind the gallery plays")
    seen = start["gallery"]["live_frames"]
    w.wait(lambda s: s["gallery"]["live_frames"] > seen + 2, "the chosen card to move")
    w.wait(lambda s: s["gallery"]["done"] >= 3, "three pictures")

    # The mouse, then the arrows from there.
    heat = first_key(w, "heat")
    w.wait(plays(heat), "the card under the mouse to play")
    w.key("Right", lambda s: s["gallery"]["chosen"].startswith("nbody/"), "the card at its right")
    w.key("Left", lambda s: s["gallery"]["chosen"] == heat, "the card again")
    w.key("Down", lambda s: s["gallery"]["chosen"] != heat, "the card below")
    w.key("Home", lambda s: s["gallery"]["chosen"].startswith("tunneling/"), "the first card")

    # Search by typing; Esc shows all again.
    all_cards = w.state()["gallery"]["cards"]
    w.xdotool("type", "--delay", 30, "double slit")
    found = w.wait(lambda s: s["gallery"]["query"] == "double slit", "what was typed")["gallery"]
    check(0 < found["cards"] < all_cards, f"{found['cards']} of {all_cards} cards are found")
    check("double_slit" in found["chosen"], f"the best answer is {found['chosen']}")
    w.xdotool("key", "BackSpace")
    w.wait(lambda s: s["gallery"]["query"] == "double sli", "a letter less")
    w.key("Escape", lambda s: s["gallery"]["query"] == "" and s["gallery"]["cards"] == all_cards, "all cards again")
    check(w.state()["gallery"]["shown"], "Esc left the gallery while something was typed")
    w.xdotool("type", "--delay", 30, "qqqq")
    w.wait(lambda s: s["gallery"]["query"] == "qqqq" and s["gallery"]["cards"] == 0, "a search that finds nothing")
    w.xdotool("key", "Return")
    w.settle()
    check(w.state()["gallery"]["shown"], "Enter on nothing left the gallery")
    w.key("ctrl+BackSpace", lambda s: s["gallery"]["query"] == "", "an empty search")

    w.xdotool("type", "--delay", 30, "doubel slit")
    w.wait(lambda s: s["gallery"]["query"] == "doubel slit" and s["gallery"]["cards"] == 0, "a misspelt search")
    w.key("Return", lambda s: s["gallery"]["query"] == "double slit" and s["gallery"]["cards"] > 0, "what was meant")
    w.key("Escape", lambda s: s["gallery"]["query"] == "", "an empty search")

    # Text typed into a dialog goes only to the dialog.
    w.key("ctrl+o", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.xdotool("type", "--delay", 30, "abc")
    w.settle()
    w.key("Escape", lambda s: "files" not in s["dialogs"], "the dialog to close")
    state = w.state()["gallery"]
    check(state["shown"] and state["query"] == "", f"the dialog's words went to the search: {state}")

    # Enter starts the item found, and it plays; Ctrl+G returns, Esc continues the run.
    w.xdotool("type", "--delay", 30, "maze heat")
    chosen = w.wait(lambda s: s["gallery"]["query"] == "maze heat" and s["gallery"]["chosen"], "an answer")
    simulation, preset = chosen["gallery"]["chosen"].split("/")
    w.xdotool("key", "Return")
    w.wait(lambda s: not s["gallery"]["shown"] and s["simulation"] == simulation and s["preset"] == preset
           and s["playing"] and s["steps"] > 0, "the preset to play")
    w.key("ctrl+g", lambda s: s["gallery"]["shown"] and not s["playing"], "the gallery again, and the run to wait")
    here = w.state()
    check(here["gallery"]["chosen"] == f"{simulation}/{preset}", f"it opens at {here['gallery']['chosen']}")
    w.key("Escape", lambda s: not s["gallery"]["shown"] and s["playing"], "the run to go on")
    w.click("gallery", lambda s: s["gallery"]["shown"], "the gallery, by its button")

    # One click.
    w.key("Home", lambda s: s["gallery"]["chosen"] != here["gallery"]["chosen"], "the first card")
    w.click("simulation_card:tunneling", lambda s: not s["gallery"]["shown"] and s["simulation"] == "tunneling"
            and s["playing"] and s["steps"] > 0, "the simulation to play")
    w.wait(lambda s: s["undo"], "a step to undo")
    w.key("space", lambda s: not s["playing"], "the run to pause")
    w.key("ctrl+z", lambda s: s["simulation"] == simulation and s["preset"] == preset, "the simulation before")

    # The saved scene is among the recent scenes, and a click opens it.
    w.key("ctrl+s", lambda s: "files" in s["dialogs"], "the dialog")
    w.wait(lambda s: s["typing_anywhere"], "a caret in the dialog")
    w.write("mine")
    w.settle()
    w.xdotool("key", "Return")
    w.wait(lambda s: s["file"].endswith("mine.json"), "the scene under its name")
    w.key("ctrl+g", lambda s: s["gallery"]["shown"], "the gallery")
    w.key("Home", lambda s: s["gallery"]["chosen"].endswith("mine.json"), "the recent scene")
    w.wait(plays(str(folder / "mine.json")), "the recent scene to play")
    w.click("recent_card:0", lambda s: not s["gallery"]["shown"] and s["file"].endswith("mine.json") and s["playing"],
            "the recent scene, from its card")
    w.key("ctrl+g", lambda s: s["gallery"]["shown"], "the gallery")
    w.quit()

    # The pictures were kept for the next start.
    pictures = list((folder / "state" / "thumbnails").glob("*.png"))
    check(len(pictures) >= 3, f"{len(pictures)} pictures were kept")
    written = {each: each.stat().st_mtime_ns for each in pictures}
    w = open_gallery(program, folder, display)
    w.wait(lambda s: s["gallery"]["done"] >= 3, "the pictures that were kept")
    check(all(each.stat().st_mtime_ns == when for each, when in written.items()), "kept pictures were made again")
    w.quit()


def attract(program, folder, display):
    """After some idle time, one preset after another plays, enlarged; a key or the mouse ends that; the setting is
    kept."""
    settings = folder / "state" / "gallery.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"attract_after": 2}))
    w = open_gallery(program, folder, display)
    shown = w.wait(lambda s: s["gallery"]["attract"] and s["gallery"]["live_frames"] > 3, "the show")["gallery"]["large"]
    w.wait(lambda s: s["gallery"]["attract"] and s["gallery"]["large"] != shown and s["gallery"]["live_frames"] > 3,
           "the next preset of the show")
    w.xdotool("mousemove_relative", 60, 40)
    w.wait(lambda s: not s["gallery"]["attract"] and s["gallery"]["shown"], "the gallery, by the mouse")
    w.wait(lambda s: s["gallery"]["attract"], "the show again")
    w.xdotool("key", "x")
    state = w.wait(lambda s: not s["gallery"]["attract"] and s["gallery"]["shown"], "the gallery, by a key")
    check(state["gallery"]["query"] == "", "the key that ended the show was typed into the search")

    w.point("gallery_attract")
    w.settle()
    w.xdotool("click", 1)
    end = time.monotonic() + 60
    while json.loads(settings.read_text()).get("attract", True):
        check(time.monotonic() < end, "the setting is not kept")
        time.sleep(0.1)
    time.sleep(4)
    check(not w.state()["gallery"]["attract"], "the show begins though it is off")
    w.quit()
