"""The package's version: read by pyproject.toml; a test checks that it equals the program's."""

__version__ = "0.2.0"
