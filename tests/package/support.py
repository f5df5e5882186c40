"""Common functions of the package tests.

usage of each: NAME_test.py SOURCE_ROOT BUILD_FOLDER SIMSCOPE SIMSCOPE_ICON
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SIMSCOPE, ICON = sys.argv[3], sys.argv[4]
MADE = BUILD / "packaging"  # the files that the build generates
VERSION = re.search(r"project\(simscope VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


def run(*words, status=0, **more):
    """Standard output of a program that must end with this status."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, **more)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode}, not {status}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def errors_of(*words, status, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, **more)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode}, not {status}:\n{done.stdout}\n{done.stderr}")
    return done.stderr


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


def without_display():
    return {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[5:], verbosity=2)
