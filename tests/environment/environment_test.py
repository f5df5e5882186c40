"""A run's final state depends on its scene, and not on where it is made: every simulation runs as this shell would run
it, and again on one core, with other numbers of threads, and with libraries that take another kind of processor for
granted. The bits of both states are equal.

usage: environment_test.py PROGRAM [SIMULATION ...]
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = sys.argv[1]
CHOSEN = sys.argv[2:]

# Small and short; several where a simulation has several ways to its numbers.
RUNS = {
    "tunneling": [(20, ["grid_points=512"])],
    "heat": [(20, ["grid_points=64"])],
    "nbody": [(4, ["bodies=300"]), (0, ["bodies=30000"]), (0, ["bodies=20000", "initial=ring"]),
              (0, ["bodies=20000", "initial=cold_sphere"]), (0, ["bodies=20000", "initial=random"]),
              (0, ["bodies=20000", "initial=two_galaxies"]), (0, ["initial=solar_system"]),
              (900, ["initial=pythagorean", "integrator=radau15", "softening=0", "time_step=0.01"])],
    "diffraction": [(2, ["grid_points=128"])],
    "schrodinger2d": [(4, ["grid_points=64"])],
    "eigenstates": [(3, []), (3, ["potential=morse"]), (3, ["potential=poschl_teller"]),
                    (3, ["grid_points=256", "states=8"]), (3, ["grid_points=128", "potential=formula"]),
                    (3, ["grid_points=200", "method=dense", "potential=double_well", "depth=200", "width=8"])],
    "reaction_diffusion": [(10, ["grid_points=64"])],
    "lorentz": [(20, [])],
    "projectiles": [(5, ["launches=2000"])],
    "maxwell_boltzmann": [(5, [])],
    "monte_carlo_pi": [(2, [])],
    "histograms": [(2, [])],
    "mandelbrot": [(1, ["grid_points=64"])],
    "descent": [(5, []), (20, ["surface=rastrigin"]), (20, ["surface=ackley"]),
                (20, ["surface=formula",
                      "formula=sin(x)*exp(-y^2) + log(1+x^2+y^2) + tanh(x*y) + atan(x) + (1+x^2)^0.3 + erf(y)"])],
    "pinn": [(5, [])],
    # Levels of the square and of the circle are pairs: their states turn within themselves as rounding says.
    "eigenstates2d": [(14, ["grid_points=33", "states=20", "potential=box"]),
                      (14, ["grid_points=32", "states=12"]),
                      (14, ["grid_points=32", "states=8", "potential=formula"])],
}
# Neither is what a machine with so many cores of its kind would choose.
PLACES = {
    "one core, an old processor": ({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                                    "OPENBLAS_CORETYPE": "Prescott"}, ["--threads", "1"], True),
    "more threads, another processor": ({"OMP_NUM_THREADS": "5", "OPENBLAS_NUM_THREADS": "5",
                                         "OPENBLAS_CORETYPE": "Sandybridge"}, ["--threads", "3"], False),
    # glibc's sine is then another function, with other last bits.
    "a C library without fused products": ({"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}, [], False),
}


# LAPACK's full matrices round as the kind of the processor has it: their page says by how much.
ROUNDS = "OPENBLAS_CORETYPE"


def run(folder, simulation, steps, changes, environment, options, one_core):
    file = pathlib.Path(folder, "state.npz")
    arguments = [PROGRAM, "run", simulation, "--steps", str(steps), "--device", "cpu", "--save-snapshot", str(file),
                 "--force", *options]
    for change in changes:
        arguments += ["--set", change]
    pin = (lambda: os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])) if one_core else None
    done = subprocess.run(arguments, env={**os.environ, **environment}, preexec_fn=pin, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)}\n{done.stdout}")
    with zipfile.ZipFile(file) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()
                if name.endswith(".npy")}


class States(unittest.TestCase):
    def test_all_simulations_are_here(self):
        listed = subprocess.run([PROGRAM, "list"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertEqual(sorted(RUNS), sorted(line.split()[0] for line in listed.splitlines()))


    def test_blas_is_loaded_by_those_alone_that_call_it(self):
        linked = subprocess.run(["ldd", PROGRAM], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.assertNotRegex(linked, "(?i)blas|lapack")


def claim(simulation, steps, changes):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            here = run(folder, simulation, steps, changes, {}, [], False)
            self.assertTrue(here)
            for name, (environment, options, one_core) in PLACES.items():
                if "method=dense" in changes:
                    environment = {key: value for key, value in environment.items() if key != ROUNDS}
                there = run(folder, simulation, steps, changes, environment, options, one_core)
                self.assertEqual(here.keys(), there.keys())
                different = [each for each in here if here[each] != there[each]]
                self.assertEqual([], different, f"{simulation} {changes}: {name}")
    return test


for simulation, runs in RUNS.items():
    for number, (steps, changes) in enumerate(runs):
        if not CHOSEN or simulation in CHOSEN:
            setattr(States, f"test_{simulation}_{number}", claim(simulation, steps, changes))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
