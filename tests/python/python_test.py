"""All tests of the Python package. Environment: PYTHONPATH has app/python, SIMSCOPE names the program.

usage: python_test.py [MODULE[.CLASS[.TEST]] ...]
"""
import pathlib
import sys
import unittest

if sys.version_info < (3, 11):
    print(f"skipped: the package needs Python 3.11, this is {sys.version.split()[0]}")
    sys.exit(77)

HERE = pathlib.Path(__file__).parent

if __name__ == "__main__":
    modules = sorted(each.stem for each in HERE.glob("*_checks.py"))
    unittest.main(module=None, argv=[sys.argv[0], *(sys.argv[1:] or modules)], verbosity=2)
