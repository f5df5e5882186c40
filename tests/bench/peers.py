"""Compares `simscope bench` with NumPy code that a user would write, in one run on one machine.

usage: peers.py SIMSCOPE [JOB ...]      (python3-numpy; python3-scipy, python3-matplotlib, and python3-pil where there)

Both sides do the same job at the same size, in single precision as far as the libraries keep it, with as many threads
as this process may use cores (`taskset -c 0,1 peers.py ...` gives both sides two). If SciPy is installed, its Fourier
transforms replace NumPy's: they keep single precision, and in two dimensions they use all cores. With Matplotlib and
Pillow the job "animation" is done, too: from the first step to a finished GIF, on software OpenGL, alternating.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

CORES = len(os.sched_getaffinity(0))
# More threads than cores would slow the peers down. Libraries read these variables when they are loaded.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = str(CORES)

import numpy as np  # noqa: E402

try:
    import scipy.fft as fft
    LIBRARY, ALL_CORES = "SciPy", {"workers": CORES}
except ImportError:
    import numpy.fft as fft
    LIBRARY, ALL_CORES = "NumPy", {}


def median_ms(work, repetitions=5):
    work()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[len(times) // 2]


def tunneling_step_us(points=4096, steps=400):
    """The split-operator step, potential half-steps not merged."""
    length = 200.0
    x = -length / 2 + length / points * np.arange(points)
    k = 2 * np.pi * np.fft.fftfreq(points, length / points)
    half_potential = np.exp(-0.025j * np.where(np.abs(x) < 5, 1.5, 0.0)).astype(np.complex64)
    kinetic = np.exp(-0.025j * k**2).astype(np.complex64)
    start = (np.exp(-((x + 60) ** 2) / 100) * np.exp(2j * x)).astype(np.complex64)

    def run():
        psi = start
        for _ in range(steps):
            psi = half_potential * fft.ifft(kinetic * fft.fft(half_potential * psi))

    return median_ms(run) * 1e3 / steps


def heat_step_us(points=2048, steps=10):
    """The explicit five-point step by slices."""
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


def nbody_step_us(bodies=2048, block=256):
    """A leapfrog step with all pairs by broadcasting, in blocks of bodies that fit the caches."""
    random = np.random.default_rng(1)
    places = random.standard_normal((bodies, 3), dtype=np.float32)
    velocities = random.standard_normal((bodies, 3), dtype=np.float32)
    masses = np.full(bodies, 1 / bodies, np.float32)
    softening2, step = np.float32(1e-4), np.float32(1e-3)

    def accelerations(x):
        a = np.empty_like(x)
        for first in range(0, bodies, block):
            away = x[None] - x[first:first + block, None]
            distance2 = (away * away).sum(-1) + softening2
            a[first:first + block] = (away * (masses / (distance2 * np.sqrt(distance2)))[..., None]).sum(1)
        return a

    def run():
        x = places + step / 2 * velocities
        v = velocities + step * accelerations(x)
        return x + step / 2 * v, v

    return median_ms(run) * 1e3


def schrodinger2d_step_us(points=1024, steps=4):
    """The split-operator step in the plane, potential half-steps not merged."""
    length = 100.0
    x = -length / 2 + length / points * np.arange(points)
    k = 2 * np.pi * np.fft.fftfreq(points, length / points)
    wall = (np.abs(x) < 1)[None] & (np.abs(np.abs(x) - 4) > 1)[:, None]
    half_potential = np.exp(-0.005j * np.where(wall, 20.0, 0.0)).astype(np.complex64)
    kinetic = np.exp(-0.005j * (k[:, None] ** 2 + k[None] ** 2)).astype(np.complex64)
    packet = np.exp(-((x + 20) ** 2)[None] / 36 - (x**2)[:, None] / 36)
    start = (packet * np.exp(3j * x)[None]).astype(np.complex64)

    def run():
        psi = start
        for _ in range(steps):
            psi = half_potential * fft.ifft2(kinetic * fft.fft2(half_potential * psi, **ALL_CORES), **ALL_CORES)

    return median_ms(run) * 1e3 / steps


def diffraction_step_us(points=4096):
    """The Fraunhofer pattern of a circular aperture, its brightest point in the middle."""
    x = np.linspace(-1, 1, points, endpoint=False, dtype=np.float32)
    aperture = (x[None] ** 2 + x[:, None] ** 2 <= 0.25**2).astype(np.complex64)

    def run():
        pattern = np.abs(fft.fftshift(fft.fft2(aperture, **ALL_CORES))) ** 2
        return pattern / pattern.max()

    return median_ms(run, 3) * 1e3


# Simscope's parameters for the same job.
JOBS = {
    "tunneling": (tunneling_step_us, ["grid_points=4096"]),
    "heat": (heat_step_us, ["grid_points=2048", "initial=square", "boundary=fixed", "time_step_fraction=0.1"]),
    "nbody": (nbody_step_us, ["bodies=2048", "method=direct", "integrator=leapfrog", "initial=plummer"]),
    "schrodinger2d": (schrodinger2d_step_us, ["grid_points=1024"]),
    # Every step recomputes the pattern of a constant aperture.
    "diffraction": (diffraction_step_us, ["grid_points=4096", "aperture=circle", "propagation=fraunhofer",
                                          "spectrum=monochromatic"]),
}


FRAMES, STEPS_A_FRAME = 141, 10


def animation_seconds(file, points=4096):
    """A packet that meets a barrier, drawn like a user would: two curves, the barrier, and the time, 960x540."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import animation, pyplot

    start = time.perf_counter()
    length = 200.0
    x = -length / 2 + length / points * np.arange(points)
    k = 2 * np.pi * np.fft.fftfreq(points, length / points)
    half_potential = np.exp(-0.025j * np.where(np.abs(x) < 5, 1.5, 0.0)).astype(np.complex64)
    kinetic = np.exp(-0.025j * k**2).astype(np.complex64)
    psi = (np.exp(-((x + 60) ** 2) / 100) * np.exp(2j * x)).astype(np.complex64)
    figure, axes = pyplot.subplots(figsize=(9.6, 5.4), dpi=100)
    axes.axvspan(-5, 5, color="0.8")
    density, = axes.plot(x, np.abs(psi) ** 2)
    real, = axes.plot(x, psi.real, linewidth=0.8)
    axes.set(xlim=(x[0], x[-1]), ylim=(-1.1, 1.1), xlabel="x", ylabel="|psi|^2")
    title = axes.set_title("")

    def draw(frame):
        nonlocal psi
        if frame > 0:
            for _ in range(STEPS_A_FRAME):
                psi = half_potential * fft.ifft(kinetic * fft.fft(half_potential * psi))
        density.set_ydata(np.abs(psi) ** 2)
        real.set_ydata(psi.real)
        title.set_text(f"t = {frame * STEPS_A_FRAME * 0.05:.1f}")

    film = animation.FuncAnimation(figure, draw, frames=FRAMES, init_func=lambda: None)
    film.save(file, writer=animation.PillowWriter(fps=25))
    pyplot.close(figure)
    return time.perf_counter() - start


def simscope_animation_seconds(program, file, *more):
    start = time.perf_counter()
    subprocess.run([program, "render", "tunneling", "--out", file, "--force", "--device", "cpu", "--size", "960x540",
                    "--frames", str(FRAMES), *more], check=True, stderr=subprocess.DEVNULL,
                   env=dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS=str(CORES)))
    return time.perf_counter() - start


def compare_animations(program):
    try:
        import matplotlib  # noqa: F401
        import PIL  # noqa: F401
    except ImportError:
        return
    with tempfile.TemporaryDirectory() as folder:
        ours, peer = [], []
        for _ in range(3):  # alternating
            ours.append(simscope_animation_seconds(program, os.path.join(folder, "ours.gif")))
            peer.append(animation_seconds(os.path.join(folder, "peer.gif")))
    ours, peer = sorted(ours)[1], sorted(peer)[1]
    print(f"  animation, {FRAMES} frames of 960x540 to a GIF {ours:8.2f} s   "
          f"NumPy, Matplotlib, Pillow {peer:8.2f} s   {peer / ours:6.1f}x")


def answer_of(*command):
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main():
    program, asked = sys.argv[1], sys.argv[2:]
    listed = {each["id"] for each in answer_of(program, "list", "--json")}
    print(f"\nbeside NumPy on this machine, {CORES} cores" +
          (", with SciPy's transforms" if LIBRARY == "SciPy" else ""))
    for simulation, (peer_us, changes) in JOBS.items():
        if simulation not in listed or (asked and simulation not in asked):
            continue
        settings = [word for change in changes for word in ("--set", change)]
        ours = answer_of(program, "bench", simulation, "--device", "cpu", "--json", "-", *settings)[0]
        peer = peer_us()
        print(f"  {simulation:13} {ours['size']:5} {ours['step_us']:10.2f} us a step   "
              f"Python {peer:10.2f} us   {peer / ours['step_us']:6.1f}x")
    if "tunneling" in listed and (not asked or "animation" in asked):
        compare_animations(program)


if __name__ == "__main__":
    main()
