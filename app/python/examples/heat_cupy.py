"""Heat spreads over a plate, computed with slices of CuPy arrays; the window shows it live. If the window computes on the
same GPU, the array never passes through the host.

usage: heat_cupy.py [STEPS]
"""

import sys

import cupy as cp

import simscope


def heat(steps=20_000, side=1024, **window):
    """Explicit steps on a square of unit length whose edges are kept at 300 K; returns the temperature."""
    step = 0.2 / side**2  # time step for a diffusivity of 1: stable up to 0.25 / side**2
    u = cp.full((side, side), 300.0)
    u[side // 3 : side // 2, side // 4 : side // 2] = 600
    for n in range(steps):
        u[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        view = simscope.show(u, title="Heat on a plate", x=(0, 1), y=(0, 1), unit="K", time=(n + 1) * step, **window)
    return u, view


if __name__ == "__main__":
    heat(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
