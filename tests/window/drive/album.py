"""Pictures of a scenario, one per step: SCREENS/SCENARIO/NN_what.png, kept whether it passes or not."""

import os
import pathlib
import re
import shutil

MOST = 80  # per scenario


def screens_of(program):
    """The folder of the pictures: $SIMSCOPE_SCREENS, else screens/ of the program's build folder; None: pictures are
    not kept."""
    given = os.environ.get("SIMSCOPE_SCREENS")
    if given:
        return pathlib.Path(given)
    build = pathlib.Path(program).resolve().parent.parent
    return build / "screens" if (build / "CMakeCache.txt").exists() else None


class Album:
    def __init__(self, screens, scenario, display):
        self.display, self.last, self.number = display, None, 0
        self.folder = screens / scenario if screens and display else None
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True, exist_ok=True)

    def take(self, what):
        """Stores the screen as it is now, unless it equals the last picture. It never makes a test fail."""
        if not self.folder or self.number >= MOST:
            return
        try:
            picture = self.display.screenshot()
            pixels = picture.tobytes()
            if pixels == self.last:
                return
            self.last = pixels
            self.number += 1
            name = re.sub(r"[^A-Za-z0-9]+", "_", what).strip("_")[:60]
            picture.save(self.folder / f"{self.number:02d}_{name}.png", compress_level=1)
        except (OSError, AssertionError, ValueError):
            pass
