#!/usr/bin/env python3
"""The soak test in its own display: soak_test.py PROGRAM [--minutes M] [--seed S].

The program's output (files, and every action in actions.log) is in a folder that is removed after a pass; after a
failure its name is printed with the last actions. Exit status 77: Xvfb or software OpenGL 4.5 is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "window"))

from drive.display import Display, Skip, environment  # noqa: E402

SKIPPED = 77
SCREEN = (1440, 900)
LAST = 25  # number of actions shown


def run(program, arguments, folder):
    display = Display(folder, SCREEN)
    try:
        files = folder / "files"
        files.mkdir()
        variables = dict(environment(display.name), SIMSCOPE_STATE_DIR=str(folder / "state"))
        done = subprocess.run([program, "--folder", str(files), *arguments], cwd=files, env=variables,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
    finally:
        display.close()
    print(done.stdout, flush=True)
    if done.returncode and "OpenGL 4.5" in done.stdout:
        raise Skip("no software OpenGL 4.5 here")
    if done.returncode:
        log = files / "actions.log"
        if log.exists():
            print("the last actions:\n" + "\n".join(log.read_text(errors="replace").splitlines()[-LAST:]))
        print(f"ended with {done.returncode}; what it left: {folder}")
    return done.returncode


def main():
    if len(sys.argv) < 2:
        print("usage: soak_test.py PROGRAM [--minutes M] [--seed S]")
        return 2
    if not shutil.which("Xvfb"):
        print("skipped: Xvfb is not installed")
        return SKIPPED
    folder = pathlib.Path(tempfile.mkdtemp(prefix="simscope-soak-")).resolve()
    status = 1
    try:
        status = run(os.path.abspath(sys.argv[1]), sys.argv[2:], folder)
    except Skip as reason:
        print(f"skipped: {reason}")
        status = SKIPPED
    finally:
        if status in (0, SKIPPED):
            shutil.rmtree(folder, ignore_errors=True)
    return status if status in (0, SKIPPED) else 1


if __name__ == "__main__":
    sys.exit(main())
