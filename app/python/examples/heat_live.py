"""Heat spreads over a plate, computed with slices of NumPy arrays; the window shows it live.

usage: heat_live.py [STEPS]
"""

import sys

import numpy as np

import simscope


def heat(steps=20_000, side=512, **window):
    """Explicit steps on a square of unit length whose edges are kept at 300 K; returns the temperature."""
    spacing = 1 / side
    u = np.full((side, side), 300.0)
    u[side // 3 : side // 2, side // 4 : side // 2] = 600
    step = 0.2 * spacing**2  # time step for a diffusivity of 1: stable up to 0.25 * spacing**2
    for n in range(steps):
        u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        simscope.show(u, title="Heat on a plate", x=(0, 1), y=(0, 1), unit="K", time=(n + 1) * step, **window)
    return u


if __name__ == "__main__":
    heat(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
