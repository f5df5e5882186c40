"""Common functions of the Python package's tests."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import simscope

try:
    import numpy
except ImportError:
    numpy = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SIMSCOPE"]
needs_numpy = unittest.skipIf(numpy is None, "no NumPy for /usr/bin/python3: install python3-numpy")
# A wave of a few hundred bytes, and a plate of 16 kB.
WAVE = {"grid_points": 256, "domain_length": 150, "packet_center": -36}
PLATE = {"grid_points": 64}


def command(*arguments):
    """The output of the program itself."""
    return subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8").stdout


def report(*arguments):
    return json.loads(command(*arguments, "--report", "-"))


class Case(unittest.TestCase):
    """Each test has its own folder, and another for temporary files, which must be empty at its end. An unexpected
    warning makes the test fail."""

    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("error", simscope.SimscopeWarning)
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name, "here")
        self.temporary = pathlib.Path(temporary.name, "temporary")
        self.folder.mkdir()
        self.temporary.mkdir()
        before, tempfile.tempdir = tempfile.tempdir, str(self.temporary)
        self.addCleanup(setattr, tempfile, "tempdir", before)

    def tearDown(self):
        self.assertEqual([], sorted(self.temporary.rglob("*")), "temporary files are left")

    def fake(self, *lines):
        """A substitute program: a shell script with these lines."""
        path = self.folder / "program"
        path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
        path.chmod(0o755)
        return path

    def refused(self, kind, text, what, /, *arguments, **more):
        """Calls `what`, which must raise `kind` with `text` in its message; returns the exception."""
        with self.assertRaises(kind) as raised:
            what(*arguments, **more)
        self.assertIn(text, str(raised.exception))
        self.assertIs(type(raised.exception), kind)
        return raised.exception


__all__ = ["Case", "PLATE", "PROGRAM", "ROOT", "WAVE", "command", "needs_numpy", "numpy", "report", "simscope"]
