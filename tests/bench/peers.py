"""Times what a user would write with NumPy beside `simscope bench`, in one run on one machine.

usage: peers.py SIMSCOPE        (python3-numpy)
"""
import json
import subprocess
import sys
import time

import numpy as np


def median_ms(work, repetitions=5):
    work()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[len(times) // 2]


def tunneling_step_us(points=4096, steps=400):
    """The split-operator step, potential half-steps not merged, in single precision as far as numpy.fft keeps it."""
    length = 200.0
    x = -length / 2 + length / points * np.arange(points)
    k = 2 * np.pi * np.fft.fftfreq(points, length / points)
    half_potential = np.exp(-0.025j * np.where(np.abs(x) < 5, 1.5, 0.0)).astype(np.complex64)
    kinetic = np.exp(-0.025j * k**2).astype(np.complex64)
    start = (np.exp(-((x + 60) ** 2) / 100) * np.exp(2j * x)).astype(np.complex64)

    def run():
        psi = start
        for _ in range(steps):
            psi = half_potential * np.fft.ifft(kinetic * np.fft.fft(half_potential * psi))

    return median_ms(run) * 1e3 / steps


def heat_step_us(points=2048, steps=10):
    """The explicit five-point step by slices, in single precision."""
    start = np.zeros((points, points), np.float32)
    start[points // 2 - 20:points // 2 + 20, points // 2 - 20:points // 2 + 20] = 1

    def run():
        u = start
        for _ in range(steps):
            v = u.copy()
            v[1:-1, 1:-1] += np.float32(0.025) * (
                u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
            u = v

    return median_ms(run) * 1e3 / steps


PEERS = {"tunneling": tunneling_step_us, "heat": heat_step_us}


def main():
    program = sys.argv[1]
    print("\nbeside NumPy on this machine")
    for simulation, peer_us in PEERS.items():
        answer = subprocess.run([program, "bench", simulation, "--device", "cpu", "--json", "-"], check=True,
                                stdout=subprocess.PIPE)
        ours = json.loads(answer.stdout)[0]["step_us"]
        peer = peer_us()
        print(f"  {simulation:12} {ours:9.2f} us a step   NumPy {peer:9.2f} us   {peer / ours:5.1f}x")


if __name__ == "__main__":
    main()
