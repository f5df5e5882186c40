import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction
from unittest import mock

from simscope import _program, _render
from support import ROOT, WAVE, Case, needs_numpy, numpy, simscope

PACKAGE = pathlib.Path(simscope.__file__).parent


class Refusals(Case):
    def test_the_programs_own_words_name_range_and_nearest_choice(self):
        error = self.refused(simscope.ParameterError, "barrier_height = 200 is out of range: 0 to 20 ħ²/(m·length²) (nearest: 20 ħ²/(m·length²))",
                             simscope.run, "tunneling", steps=1, barrier_height=200)
        self.assertFalse(error.message.startswith("simscope:"))
        self.assertEqual((error.status, error.message), (2, str(error)))
        self.assertIn("--set=barrier_height=200", error.command)
        self.assertIsInstance(error, ValueError)
        self.refused(simscope.ParameterError, "did you mean 'barrier_height'?", simscope.run, "tunneling", steps=1,
                     barier_height=2)
        self.refused(simscope.ParameterError, "one of: barrier,", simscope.run, "tunneling", steps=1, potential="hill")
        self.refused(simscope.ParameterError, "did you mean 'tunneling'?", simscope.describe, "tunelling")
        self.refused(simscope.ParameterError, "did you mean 'transmission'?", simscope.sweep, "tunneling",
                     {"barrier_height": (1, 2, 2)}, "transmision", steps=1)
        self.refused(simscope.ParameterError, "--steps: -1 is out of range", simscope.run, "tunneling", steps=-1)

    def test_no_name_is_taken_for_an_option(self):
        self.refused(simscope.ParameterError, "there is no simulation '--help'", simscope.run, "--help", steps=1)
        self.refused(simscope.ParameterError, "there is no simulation '--help'", simscope.render, "--help")
        self.refused(simscope.ParameterError, "there is no simulation '--json'", simscope.describe, "--json")
        self.refused(simscope.ParameterError, "--preset needs a value", simscope.run, "tunneling", steps=1, preset="--force")
        self.refused(simscope.ParameterError, "'--help'", simscope.sweep, "tunneling", {"barrier_height": (1, 2, 2)}, "--help")
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        simscope.run("tunneling", steps=1, snapshot="-s.npz", **WAVE)
        self.assertTrue((self.folder / "-s.npz").is_file())
        self.refused(ValueError, "is not the key of a parameter", simscope.run, "tunneling", steps=1, parameters={"a=1 --b": 2})

    def test_numbers_of_every_kind_are_taken(self):
        def run(**more):
            return simscope.run("tunneling", arrays=False, **WAVE | more)
        third = run(steps=2.0, barrier_height=Fraction(1, 3), barrier_width=Decimal("1.5"))
        self.assertEqual(third.steps, 2)
        self.assertEqual((third.parameters["barrier_height"], third.parameters["barrier_width"]), (1 / 3, 1.5))
        self.assertEqual(run(steps=1, grid_points=512.0).parameters["grid_points"], 512)
        self.refused(simscope.ParameterError, "2.5", run, steps=2.5)
        self.assertEqual(_render._size((480.0, Fraction(270))), "480x270")
        texts = {2.0: "2", 2.5: "2.5", 1e300: "1e+300", Fraction(4): "4", Decimal("0.10"): "0.10", True: "on", 10**30: str(10**30)}
        self.assertEqual({each: _program.text_of(each) for each in texts}, texts)

    @needs_numpy
    def test_numbers_of_numpy_are_taken(self):
        for given, text in ((numpy.longdouble(1) / 3, repr(1 / 3)), (numpy.float32(0.5), "0.5"), (numpy.int8(3), "3"), (numpy.True_, "on"),
                            (numpy.array([2.5]), "2.5")):
            self.assertEqual(_program.text_of(given), text)
        self.refused(TypeError, "is not a number", _program.text_of, numpy.zeros(2))

    def test_values_that_no_parameter_has_are_refused_here(self):
        self.refused(TypeError, "barrier_height: None is not a number", simscope.run, "tunneling", steps=1,
                     barrier_height=None)
        self.refused(TypeError, "barrier_height: (1+2j)", simscope.run, "tunneling", steps=1, barrier_height=1 + 2j)

    def test_errors_go_from_process_to_process(self):
        error = simscope.ParameterError("no", 2, ["simscope", "run"])
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.message, again.status, again.command),
                         (simscope.ParameterError, "no", 2, ("simscope", "run")))


class Failures(Case):
    def test_a_failure_at_run_time_is_no_refusal(self):
        program = self.fake("echo 'simscope: note: a note' >&2", "echo 'simscope: no memory left' >&2", "exit 1")
        error = self.refused(simscope.ProgramError, "no memory left", simscope.run, "heat", steps=1, program=program)
        self.assertEqual((str(error), error.status), ("no memory left", 1))

    def test_a_program_that_ends_without_a_word_is_an_error(self):
        self.refused(simscope.ProgramError, "ended with status 7", simscope.list, program=self.fake("exit 7"))
        error = self.refused(simscope.ProgramError, "ended by SIGKILL", simscope.list, program=self.fake("kill -9 $$"))
        self.assertEqual(error.status, -signal.SIGKILL)
        (self.folder / "program").write_text("#!/no/such/shell\n", encoding="utf-8")
        self.refused(simscope.ProgramError, "cannot be started", simscope.list, program=self.folder / "program")


class Finding(Case):
    def found(self, program=None, **environment):
        with mock.patch.dict(os.environ, environment):
            return simscope.find_program(program)

    def test_argument_then_environment_then_path(self):
        fake = self.fake("exit 0")
        other = self.folder / "simscope"
        shutil.copy(fake, other)
        place = {"PATH": str(self.folder)}
        self.assertEqual(self.found(SIMSCOPE="", **place), str(other))
        self.assertEqual(self.found(SIMSCOPE=str(fake), **place), str(fake))
        self.assertEqual(self.found(other, SIMSCOPE=str(fake)), str(other))
        self.assertEqual(self.found("simscope", SIMSCOPE=str(fake), **place), str(other))
        self.refused(simscope.ProgramNotFoundError, "the environment variable SIMSCOPE: '/none' is not a program",
                     self.found, SIMSCOPE="/none", **place)
        self.refused(simscope.ProgramNotFoundError, f"program='{self.folder}' is not a program", self.found, self.folder)

    def test_beside_a_checkout_and_beside_an_installed_folder(self):
        for package, program in (("app/python/simscope", "build/bin/simscope"), ("share/simscope/python/simscope", "bin/simscope")):
            root = (self.folder / package.split("/", maxsplit=1)[0] / "root").resolve()
            shutil.copytree(PACKAGE, root / package, ignore=shutil.ignore_patterns("__pycache__"))
            ask = [sys.executable, "-c", "import simscope; print(simscope.find_program())"]
            environment = {"PYTHONPATH": str((root / package).parent), "PATH": "/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
            answer = subprocess.run(ask, env=environment, capture_output=True, text=True, check=False)
            self.assertRegex(answer.stderr, f"ProgramNotFoundError: .*no {root / program}.* build it by ./dev build, or set the "
                             "environment variable SIMSCOPE")
            (root / program).parent.mkdir(parents=True)
            shutil.copy(self.fake("exit 0"), root / program)
            answer = subprocess.run(ask, env=environment, capture_output=True, text=True, check=True)
            self.assertEqual(answer.stdout.strip(), str(root / program))


class Interrupt(Case):
    def test_ctrl_c_ends_the_program_and_leaves_nothing(self):
        kept = self.folder / "state.npz"
        script = ("import simscope\ntry:\n    simscope.run('tunneling', steps=10**12, snapshot=%r)\n"
                  "except KeyboardInterrupt:\n    print('interrupted')\n")
        for snapshot, everybody in ((None, False), (str(kept), False), (None, True)):
            with self.subTest(snapshot=snapshot, everybody=everybody):
                ours = subprocess.Popen([sys.executable, "-c", script % snapshot], stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "TMPDIR": str(self.temporary)}, start_new_session=True)
                children = pathlib.Path(f"/proc/{ours.pid}/task/{ours.pid}/children")
                # The run has begun once it has put a file beside the result; describe() needs less than a second. Files
                # in the temporary folder itself are Python's, which tests whether it can write there.
                began, own = (self.folder, "*") if snapshot else (self.temporary, "*/*")
                while not [each for each in began.glob(own) if each.is_file()]:
                    self.assertIsNone(ours.poll(), "ended before it was interrupted")
                    time.sleep(0.01)
                child = int(children.read_text(encoding="ascii").split()[0])
                if everybody:
                    os.killpg(ours.pid, signal.SIGINT)  # like a terminal
                else:
                    ours.send_signal(signal.SIGINT)
                self.assertEqual(ours.communicate()[0], "interrupted\n")
                self.assertFalse(pathlib.Path(f"/proc/{child}").exists(), "the program still runs")
                self.assertEqual(list(began.rglob("*")), [])

    def test_one_that_does_not_listen_is_killed(self):
        program = self.fake("trap '' INT", "echo $$ > pid", "while :; do sleep 0.1; done")
        program.write_text(program.read_text(encoding="utf-8").replace("pid", str(self.folder / "pid")), encoding="utf-8")

        def interrupt(child, *_arguments, **_more):
            while not (self.folder / "pid").exists():
                time.sleep(0.01)
            raise KeyboardInterrupt

        with mock.patch("subprocess.Popen.communicate", interrupt), mock.patch("simscope._program.GRACE_SECONDS", 0.2):
            with self.assertRaises(KeyboardInterrupt):
                simscope.run("tunneling", steps=1, program=program, **WAVE)
        number = (self.folder / "pid").read_text(encoding="ascii").strip()
        self.assertFalse(pathlib.Path(f"/proc/{number}").exists())
