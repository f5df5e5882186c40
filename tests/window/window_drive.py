#!/usr/bin/env python3
"""Drives the real window under a virtual display, like a user: window_drive.py PROGRAM SCENARIO.

The program is started with --state-file, which reports its display and the rectangles of its controls on the screen;
xdotool clicks and types there. Nothing is timed: every step waits for the state that it should lead to. Pictures of the
steps are kept in the build folder: screens/SCENARIO/NN_what.png (drive/album.py). Exit status 77: this machine lacks
what the test needs (Xvfb, xdotool, Pillow, or software OpenGL 4.5), or the program lacks the simulation; the reason is
printed to standard output.
"""

import os
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

from drive import (basics, bodies, documents, explain, files, film, gallery, keyframes, lab, live, look, measure, mouse,
                   parameter_panel, parameters, past, sample, shapes, simulations, sweep, wayland)  # noqa: E402
from drive.album import Album, screens_of  # noqa: E402
from drive.display import SCREEN, Display, Skip  # noqa: E402
from drive.window import Window  # noqa: E402

SKIPPED = 77
SCENARIOS = {
    scenario.__name__: scenario
    for scenario in (basics.run, basics.scale, basics.no_display, basics.slow_steps, parameters.parameters,
                     keyframes.keyframes, mouse.figure, mouse.tools, mouse.fewer_panels, shapes.shapes,
                     measure.measure, measure.plots,
                     parameter_panel.quantities, parameter_panel.compare,
                     parameter_panel.together, files.record, files.picture, film.film, film.copy, sample.camera,
                     sample.bodies, sample.gestures, sample.navigation, sample.panels,
                     sample.texts, documents.documents, documents.restore, documents.signals,
                     documents.display_lost,
                     documents.ends, gallery.gallery, gallery.attract, lab.lab, lab.lab_field, bodies.body,
                     bodies.body_film,
                     simulations.nbody,
                     simulations.schrodinger2d, simulations.tunneling, simulations.diffraction, past.past,
                     look.palette, look.full_screen, look.remembered, look.keyboard,
                     explain.explanation, explain.device, explain.several, explain.hints, explain.old_opengl,
                     explain.lost_device, sweep.sweep, look.names, look.resized, look.minimised, look.paused,
                     look.monitors, wayland.wayland, live.show, live.show_axes, live.show_closed, live.show_files)
}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in SCENARIOS:
        print(f"usage: window_drive.py PROGRAM {'|'.join(SCENARIOS)}")
        return 2
    program, scenario = os.path.abspath(sys.argv[1]), SCENARIOS[sys.argv[2]]
    with tempfile.TemporaryDirectory(prefix="simscope-window-") as name:
        folder = pathlib.Path(name).resolve()
        display = album = None
        windows = []
        make = Window.__init__
        try:
            if scenario is not basics.no_display:
                for tool in ("Xvfb", "xdotool"):
                    if not shutil.which(tool):
                        raise Skip(f"{tool} is not installed")
                try:
                    import PIL.Image  # noqa: F401
                except ImportError as error:
                    raise Skip("Pillow is not installed (python3-pil)") from error
                display = Display(folder, SCREEN)
                album = Album(screens_of(program), sys.argv[2], display)
                Window.album = album

            def keep(self, *arguments, **variables):
                windows.append(self)
                make(self, *arguments, **variables)

            Window.__init__ = keep
            scenario(program, folder, display)
            print(f"{sys.argv[2]}: passed")
            return 0
        except Skip as reason:
            print(f"skipped: {reason}")
            return SKIPPED
        except Exception:
            if album:
                album.take("failed here")
            raise
        finally:
            for window in windows:
                if hasattr(window, "process"):
                    window.close()
            if display:
                display.close()


if __name__ == "__main__":
    sys.exit(main())
