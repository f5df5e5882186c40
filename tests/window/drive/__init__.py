"""Drives the window under a virtual display: display.py and window.py act, the other files are the scenarios."""
