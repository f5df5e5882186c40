"""Drives the window under a virtual display: display.py and window.py do, the other files say what shall happen."""
