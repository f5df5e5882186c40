"""A wave packet meets a barrier: split steps with NumPy's FFT; the window shows ψ live.

tunnelling_torch.py is the same loop in PyTorch, on the GPU.

usage: tunnelling_live.py [STEPS]
"""

import sys

import numpy as xp

import simscope


def tunnelling(steps=20_000, points=4096, length=409.6, **window):
    """ħ = m = 1: a packet of momentum 2 at a barrier of height 2.2, two wide. Returns ψ and its places."""
    dx, dt = length / points, 0.005
    x = (xp.arange(points) - points // 2 + 0.5) * dx  # the barrier is a whole number of cells
    k = 2 * xp.pi * xp.fft.fftfreq(points, dx)
    psi = xp.exp(-((x + 60) ** 2) / (4 * 8**2) + 2j * x) / (2 * xp.pi * 8**2) ** 0.25
    half_potential = xp.exp(-0.5j * dt * 2.2 * (abs(x) < 1))
    kinetic = xp.exp(-0.5j * dt * k**2)
    for n in range(steps):
        psi = half_potential * xp.fft.ifft(kinetic * xp.fft.fft(half_potential * psi))
        simscope.show(psi, title="Tunnelling", x=x, time=(n + 1) * dt, **window)
    return psi, x


if __name__ == "__main__":
    tunnelling(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
