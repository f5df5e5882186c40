"""A wave packet meets a barrier: split steps in PyTorch, on the GPU if there is one; the window shows ψ live. If the window
computes on the same GPU, the array never passes through the host.

usage: tunnelling_torch.py [STEPS]
"""

import math
import sys

import torch

import simscope


def tunnelling(steps=20_000, points=2048, length=200.0, **window):
    """ħ = m = 1: a packet of momentum 2 at a barrier of height 2.2, two wide. Returns ψ and its places."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dx, dt = length / points, 0.005
    x = (torch.arange(points, device=device) - points // 2 + 0.5) * dx
    k = 2 * math.pi * torch.fft.fftfreq(points, dx, device=device)
    psi = torch.exp(-((x + 40) ** 2) / (4 * 8**2) + 2j * x) / (2 * math.pi * 8**2) ** 0.25
    half_potential = torch.exp(-0.5j * dt * 2.2 * (abs(x) < 1))
    kinetic = torch.exp(-0.5j * dt * k**2)
    for n in range(steps):
        psi = half_potential * torch.fft.ifft(kinetic * torch.fft.fft(half_potential * psi))
        view = simscope.show(psi, title="Tunnelling", x=x, time=(n + 1) * dt, **window)
    return psi, x, view


if __name__ == "__main__":
    tunnelling(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
