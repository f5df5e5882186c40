"""The package's version: read by pyproject.toml, and the same as the program's (a test holds that)."""

__version__ = "0.2.0"
