"""simscope.show without a display: the messages on the socket, and the refusals of both sides. tests/window drives
the window itself (scenarios show and show_closed)."""
import array
import fcntl
import importlib.util
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import unittest
from unittest import mock

from simscope import _host, _line, _show
from support import PROGRAM, ROOT, Case, needs_numpy, numpy, simscope

# A program in place of the window: stores incoming data as files, returns slots after `pause` seconds.
WINDOW = '''#!{python}
import json, mmap, os, socket, struct, sys, time
import numpy
line = socket.socket(fileno=int(sys.argv[2].removeprefix("--socket=")))
folder, pause, leave = {folder!r}, {pause!r}, {leave!r}
form = updates = 0
while True:
    try:
        message, files, flags, _ = socket.recv_fds(line, 20000, 4)
    except ConnectionResetError:  # what was sent before can still be read
        continue
    if not message:
        break
    magic, version, kind = struct.unpack_from("<4sHH", message)
    assert magic == b"SIMS" and version == 4
    if kind == 1:
        form += 1
        described = json.loads(message[8:])
        with open(f"{{folder}}/part{{os.getpid()}}.json", "w") as file:
            seals = __import__("fcntl").fcntl(files[0], 1034) if files else None  # none: the memory stays
            json.dump(described | {{"seals": seals, "arguments": sys.argv[3:]}}, file)
        os.rename(f"{{folder}}/part{{os.getpid()}}.json", f"{{folder}}/form{{form}}.json")
        dtype = numpy.dtype("<c8" if described["complex"] else "<f4")
        if files:
            memory = mmap.mmap(files[0], os.fstat(files[0]).st_size, prot=mmap.PROT_READ)
            os.close(files[0])
        size = numpy.prod(described["shape"]) * dtype.itemsize
    else:
        slot, of_form, number, at, spread, beyond = struct.unpack_from("<IIQddQ", message, 8)
        assert of_form == form
        shown = numpy.ndarray(described["shape"], dtype, memory, slot * (-(-size // 4096) * 4096))
        numpy.save(f"{{folder}}/part{{os.getpid()}}.npy", shown)
        with open(f"{{folder}}/times", "a") as file:
            file.write(f"{{number}} {{at}} {{spread}} {{beyond}}\\n")
        updates += 1
        os.rename(f"{{folder}}/part{{os.getpid()}}.npy", f"{{folder}}/update{{updates}}.npy")
        if updates == leave:
            break
        time.sleep(pause)
        try:
            line.send(struct.pack("<4sHHIIII", b"SIMS", 4, 3, slot, form, 0, 0))
        except OSError:
            pass
'''


def gone(line):
    """The message, or None if the other end has closed."""
    line.settimeout(60)
    message = line.recv(20000)
    return message or None


@needs_numpy
class Shown(Case):
    def setUp(self):
        super().setUp()
        self.seen = self.folder / "seen"
        self.seen.mkdir()
        self.enterContext(mock.patch.dict(os.environ, {"DISPLAY": ":none"}))
        self.addCleanup(self.end)

    def end(self):
        for view in list(_show._views.values()):
            view._line.close()
            view._child.kill()
            view._child.wait(60)
        _show._views.clear()

    def window(self, pause=0.0, leave=0):
        path = self.folder / "window"
        path.write_text(WINDOW.format(python=sys.executable, folder=str(self.seen), pause=pause, leave=leave))
        path.chmod(0o755)
        return path

    def wait(self, name):
        path = self.seen / name
        end = time.monotonic() + 60
        while not path.exists():
            self.assertLess(time.monotonic(), end, f"{name} did not come")
            time.sleep(0.01)
        return json.loads(path.read_text()) if name.endswith("json") else numpy.load(path)

    def test_what_is_shown_is_the_array_in_single_precision(self):
        for given in (numpy.linspace(0, 1, 7), numpy.arange(12).reshape(3, 4), numpy.array([[True, False]]),
                      numpy.array([1 + 2j, numpy.nan]), numpy.arange(24.0).reshape(4, 6).T, numpy.arange(20.0)[::-3],
                      numpy.array([1e300, -numpy.inf, numpy.nan])):
            with self.subTest(dtype=given.dtype, shape=given.shape):
                for old in self.seen.iterdir():
                    old.unlink()
                view = simscope.show(given, program=self.window())
                with numpy.errstate(over="ignore"):
                    wanted = given.astype("c8" if given.dtype.kind == "c" else "f4")
                numpy.testing.assert_array_equal(self.wait("update1.npy"), wanted)
                self.assertEqual((view.open, view.transport, view.shown), (True, "shared memory", 1))
                view.close()
                view._child.wait(60)

    def test_the_description_says_what_was_given_and_the_memory_is_sealed(self):
        simscope.show(numpy.zeros((2, 5)), title="Wärme", x=(-1, 1), y=[0, 0.5], unit="K", x_unit="m", symbol="T", time=2,
                      time_unit="s", range=(0, 9), colormap="viridis", options={"state_file": "/tmp/x"}, device="cpu",
                      program=self.window())
        told = self.wait("form1.json")
        self.assertEqual(told["title"], "Wärme")
        self.assertEqual(told["shape"], [2, 5])
        self.assertEqual(told["x"], {"title": "x", "unit": "m", "low": -1, "high": 1})
        self.assertEqual(told["y"], {"title": "y", "unit": "", "low": 0, "high": 0.5})
        self.assertEqual((told["range"], told["colormap"], told["time_unit"], told["symbol"]), ([0, 9], "viridis", "s", "T"))
        self.assertIn(f"process {os.getpid()}", told["source"])
        self.assertEqual(told["arguments"], ["--device=cpu", "--state-file=/tmp/x"])
        self.assertEqual(told["seals"], fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        self.wait("update1.npy")
        self.assertEqual((self.seen / "times").read_text(), "1 2.0 0.0 0\n")

    def test_what_a_mask_hides_is_shown_as_nan(self):
        for given in (numpy.arange(6.0), numpy.arange(6), numpy.arange(6) * 1j, numpy.arange(6.0).reshape(2, 3)):
            with self.subTest(dtype=given.dtype, shape=given.shape):
                for old in self.seen.iterdir():
                    old.unlink()
                hidden = given.copy()
                hidden.flat[-1] = 10**9
                view = simscope.show(numpy.ma.masked_where(abs(hidden) > 10, hidden), program=self.window())
                wanted = given.astype("c8" if given.dtype.kind == "c" else "f4")
                wanted.flat[-1] = numpy.nan
                numpy.testing.assert_array_equal(numpy.isnan(self.wait("update1.npy")), numpy.isnan(wanted))
                numpy.testing.assert_array_equal(self.wait("update1.npy").flat[:-1], wanted.flat[:-1])
                view.close()
                view._child.wait(60)

    def test_the_window_hears_what_single_precision_loses(self):
        x = numpy.linspace(-1, 1, 65)
        large, none, inf = numpy.zeros(100_000), numpy.nan, numpy.inf
        large[1] = 1e3  # not in the sample
        for given, spread, beyond in (
                (1e9 + 1e-3 * numpy.add.outer(x, x), 4e-3, 0), (numpy.full(9, 1e9), 0, 0), (1 + x * 1e-7, 2e-7, 0), (x, 0, 0),
                (numpy.array([1e9, none, 1e9 + 1, inf]), 1, 0), (1e6 + large, 0, 0), (numpy.array([1e-50, 3e-50]), 2e-50, 0),
                (numpy.array([2**62 + 1, 2**62 - 1]), 2, 0), (numpy.array([1e300, -1e39, 1, inf, none]), 0, 2),
                (1e9 + 1j * x, 0, 0), (numpy.exp(1j * x), 0, 0), (1e9 + 1e-3 * x + 1e9j, 2e-3, 0), (numpy.array([1e200j, 1]), 0, 1),
                (numpy.array([1e9, 1e9 + 64], "f4"), 0, 0), (numpy.ma.masked_equal([1e9, 1e9 + 1, 5], 5), 1, 0),
                (numpy.array([1, 2], "f2"), 0, 0), (numpy.array([True, False]), 0, 0)):
            with self.subTest(given=given[:3], spread=spread):
                for old in self.seen.iterdir():
                    old.unlink()
                view = simscope.show(given, program=self.window())
                self.wait("update1.npy")
                view.close()
                view._child.wait(60)
                found = (self.seen / "times").read_text().split()
                self.assertAlmostEqual(float(found[2]), spread, delta=1e-4 * spread)
                if tuple(map(int, numpy.__version__.split(".")[:2])) >= (1, 24):  # older ones tell of no overflow
                    self.assertEqual(int(found[3]), beyond)

    def test_range_and_axes_that_follow_the_data_are_told_in_the_same_memory(self):
        program, u = self.window(), numpy.arange(6.0)
        for n in range(1, 40):
            view = simscope.show(u * n, "Moving", range=(0, 5 * n), x=(0, n), program=program)
            self.assertTrue(view.flush())
        self.assertEqual((view.shown, view._line.form), (39, 39))
        last = self.wait("form39.json")
        self.assertEqual((last["range"], last["x"]["high"], last["seals"]), ([0, 195], 39, None))
        numpy.testing.assert_array_equal(self.wait("update39.npy"), u * 39)

    def test_shapes_that_change_cost_the_loop_no_more_than_updates_do(self):
        view = simscope.show(numpy.zeros(1), program=self.window())
        begin = time.monotonic()
        for n in range(2, 3000):
            view.update(numpy.arange(float(n)))
        taken = time.monotonic() - begin
        self.assertLess(view.shown, 3 + taken * _show.RATE)
        self.assertTrue(view.flush())
        numpy.testing.assert_array_equal(self.wait(f"update{view.shown}.npy"), numpy.arange(2999.0))
        # What cannot be shown is refused at once, though it might have waited.
        self.refused(ValueError, "3 dimensions", view.update, numpy.zeros((2, 2, 2)))
        self.refused(TypeError, "no numbers", view.update, numpy.array(["a", "b"]))

    def test_a_window_that_stands_is_sent_no_more_than_its_socket_takes(self):
        view = simscope.show(numpy.zeros(1), every_frame=True, program=self.window(pause=1e6))
        for n in range(2, 2000):
            view.update(numpy.zeros(n))
        self.assertTrue(view.open)
        self.assertIn(view.shown, range(10, _show.MOST_UNANSWERED))

    def test_an_array_for_which_no_slot_is_free_is_kept(self):
        view = simscope.show(numpy.zeros(4), "Full", program=self.window(pause=1e6))
        self.wait("update1.npy")
        for high in range(1, 6):
            last = numpy.full(4, float(high))
            simscope.show(last, "Full", range=(0, high))
            time.sleep(0.02)
        self.assertEqual((view._line.free, view.shown), ([], 3))
        self.assertIs(view._last[0], last)

    def test_another_state_of_a_labelled_array_needs_no_labels(self):
        class Labelled:
            dims, coords, attrs, name, data, shape = ("t",), {}, {"units": "K"}, "T", numpy.arange(3.0), (3,)
        view = simscope.show(Labelled(), program=self.window())
        view.update(numpy.ones(3))
        self.assertTrue(view.flush())
        self.assertEqual(self.wait("form1.json")["unit"], "K")
        self.assertEqual(view._line.form, 1)
        view.update(numpy.ones(4))
        self.assertTrue(view.flush())
        self.assertEqual(self.wait("form2.json")["unit"], "")

    def test_labelled_arrays_wait_as_others_do(self):
        class Labelled:
            dims, coords, attrs, name, data, shape = ("t",), {}, {"units": "K"}, "T", numpy.arange(3.0), (3,)
        view, begin = simscope.show(Labelled(), program=self.window()), time.monotonic()
        with mock.patch.object(view, "_hand_over", wraps=view._hand_over) as copied:
            for _ in range(2000):
                view.update(Labelled())
        self.assertLess(copied.call_count, 3 + (time.monotonic() - begin) * _show.RATE)
        self.assertEqual(view._line.form, 1)

    def test_why_the_program_closed_the_window_is_a_warning(self):
        program = self.fake('exec python3 - "$2" <<"END"', "import socket, struct, sys",
                            'line = socket.socket(fileno=int(sys.argv[1].removeprefix("--socket=")))',
                            'line.recv(20000); line.send(struct.pack("<4sHH", b"SIMS", 4, 4) + b"there is no colormap")', "END")
        # It may answer before show() ends, or after.
        with self.assertWarnsRegex(simscope.SimscopeWarning, "the window of 'Colours' was closed: there is no colormap") as caught:
            view = simscope.show(numpy.zeros(4), "Colours", program=program)
            view._child.wait(60)
            end = time.monotonic() + 60
            while not view.refused and time.monotonic() < end:  # an array that the window need not have is held
                view.update(numpy.ones(4))
            view.update(numpy.ones(4))
        self.assertEqual(caught.filename, __file__)
        self.assertFalse(view.update(numpy.ones(4)), "and it is said once")
        self.assertEqual(view.refused, "there is no colormap")

    def test_a_failure_leaves_neither_a_window_nor_its_title(self):
        started = []
        begin = _show.View.__init__

        def record(view, *arguments):
            begin(view, *arguments)
            started.append(view)
        with mock.patch.object(_show.View, "__init__", record), mock.patch.object(_line.Line, "tell", side_effect=MemoryError):
            self.assertRaises(MemoryError, simscope.show, numpy.zeros(4), program=self.window())
        self.assertEqual((_show._views, len(started)), ({}, 1))
        self.assertIsNotNone(started[0]._child.returncode)

    def test_what_is_refused_changes_nothing(self):
        view = simscope.show(numpy.zeros(4), "Kept", x=(0, 1), program=self.window())
        for wrong in (dict(x=[0, 1, 2]), dict(range=(0, numpy.inf)), dict(time=numpy.nan), dict(x=[3, 2, 1, 0])):
            self.assertRaises(ValueError, simscope.show, numpy.zeros(4), "Kept", **wrong)
        self.refused(ValueError, "finite", view.update, numpy.zeros(4), time=numpy.inf)
        view.update(numpy.ones(4))
        self.assertTrue(view.flush())
        self.assertEqual((view._line.form, self.wait("form1.json")["x"]["high"]), (1, 1))

    def test_coordinates_become_the_ends_of_the_axis(self):
        simscope.show(numpy.zeros(8), x=numpy.arange(8) * 0.25 - 1, program=self.window())
        self.assertEqual(self.wait("form1.json")["x"], {"title": "x", "unit": "", "low": -1, "high": 1})

    def test_a_slow_window_holds_nothing_up_and_the_last_array_comes(self):
        u = numpy.zeros((64, 64))
        view = simscope.show(u, program=self.window(pause=0.2))
        self.wait("update1.npy")
        begin = time.monotonic()
        for n in range(1, 2001):
            u[:] = n
            view.update(u)
        taken = time.monotonic() - begin
        self.assertLess(view.shown, 2 + taken / 0.2 + 1, "more was copied than was shown")
        self.assertTrue(view.flush())
        self.assertEqual(self.wait(f"update{view.shown}.npy")[0, 0], 2000)

    def test_every_frame_hands_over_as_many_as_there_is_room_for(self):
        view = simscope.show(numpy.zeros(4), every_frame=True, program=self.window(pause=1))
        self.assertEqual([view.update(numpy.ones(4)) for _ in range(4)], [True, True, False, False])

    def test_no_slot_is_written_while_the_window_has_it(self):
        view = simscope.show(numpy.zeros(1000), every_frame=True, program=self.window(pause=0.005))
        for n in range(1, 400):
            view.update(numpy.full(1000, float(n)))
            time.sleep(0.0005)
        view.flush()
        seen = [numpy.load(self.wait_for(n)) for n in range(1, view.shown + 1)]
        for each in seen:
            self.assertEqual(each.min(), each.max())
        order = [each[0] for each in seen]
        self.assertEqual(order, sorted(set(order)))

    def wait_for(self, number):
        self.wait(f"update{number}.npy")
        return self.seen / f"update{number}.npy"

    def test_another_form_is_announced_in_the_same_window(self):
        view = simscope.show(numpy.zeros(4), program=self.window())
        view.update(numpy.full((2, 2), 3j))
        self.assertEqual(self.wait("form2.json")["complex"], True)
        numpy.testing.assert_array_equal(self.wait("update2.npy"), numpy.full((2, 2), 3j))
        same = simscope.show(numpy.ones((2, 2)) * 1j, unit="V")
        self.assertIs(same, view)
        self.assertEqual(self.wait("form3.json")["unit"], "V")

    def test_show_in_a_loop_describes_once(self):
        program = self.window()
        for n in range(50):
            view = simscope.show(numpy.full(4, float(n)), title="Loop", x=(0, 1), unit="K", program=program)
        view.flush()
        self.assertEqual(self.wait(f"update{view.shown}.npy")[0], 49)
        self.assertEqual(len(list(self.seen.glob("form*.json"))), 1)
        self.assertEqual(view.updates, 50)

    def test_a_description_that_is_said_anew_is_the_same(self):
        def shown():
            return simscope.show(numpy.zeros(4), "Loop", x=numpy.arange(4), range=[0, 1], program=program)
        program = self.window()
        view, begin = shown(), time.monotonic()
        with mock.patch.object(view, "_hand_over", wraps=view._hand_over) as copied:
            for _ in range(500):
                shown()
        self.assertLess(copied.call_count, 3 + (time.monotonic() - begin) * _show.RATE)
        self.assertEqual(view._line.form, 1)

    def test_two_titles_are_two_windows(self):
        program = self.window()
        first, second = (simscope.show([1.0, 2], title=each, program=program) for each in "ab")
        self.assertIsNot(first, second)

    def test_a_window_that_is_gone_stops_nothing(self):
        view = simscope.show(numpy.zeros(4), program=self.window(leave=1))
        view._child.wait(60)
        self.assertFalse(view.open)
        self.assertFalse(view.update(numpy.ones(4)))
        self.assertFalse(view.flush())
        self.assertIs(simscope.show(numpy.ones(4)), view)
        view.close()
        other = simscope.show(numpy.ones(4), program=self.window())
        self.assertTrue(other.open and other is not view)

    def test_a_fork_leaves_the_window_to_its_parent(self):
        view = simscope.show(numpy.zeros(4), program=self.window())
        self.wait("update1.npy")
        child = os.fork()
        if child == 0:
            told = [view.update(numpy.ones(4)), view.flush(), view.open]
            _show._leave_all()
            os._exit(0 if told == [False, False, False] else 1)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        view.update(numpy.full(4, 2.0))
        self.assertTrue(view.flush())
        self.assertEqual(self.wait("update2.npy")[0], 2)

    def test_a_loop_pays_a_hundredth_of_its_time_for_copies(self):
        u = numpy.zeros((1024, 1024))
        view = simscope.show(u, program=self.window())
        self.wait("update1.npy")
        while view.shown < 2:
            view.update(u)
        first, begin = view.seconds, time.perf_counter()
        while view.shown < 5:  # until it has copied three times, however long that takes
            view.update(u)
            self.assertLess(time.perf_counter(), begin + 60)
            time.sleep(0.001)
        self.assertLess(view.seconds - first, 0.05 * (time.perf_counter() - begin))

    def test_the_window_is_in_a_session_of_its_own(self):
        view = simscope.show(numpy.zeros(4), program=self.window())
        self.assertNotEqual(os.getsid(view._child.pid), os.getsid(0))

    def test_the_socket_has_no_name_and_no_file_is_left(self):
        simscope.show(numpy.zeros(4), program=self.window())
        self.wait("update1.npy")
        ours = next(iter(_show._views.values()))._line.socket
        self.assertEqual((ours.getsockname(), ours.getpeername()), ("", ""))

    def test_what_cannot_be_shown_is_refused_before_anything_opens(self):
        program = self.window()
        for given, kind, words in (
                (numpy.zeros((2, 2, 2)), ValueError, "not of 3 dimensions"), (numpy.float64(1), ValueError, "no dimension"),
                (numpy.zeros((0, 4)), ValueError, "is empty"), (numpy.array([{}]), TypeError, "no numbers to show"),
                (numpy.array(["a"]), TypeError, "no numbers"), (numpy.zeros(1, "M8[s]"), TypeError, "no numbers"),
                (numpy.broadcast_to(0.0, (8193, 8192)), ValueError, "u[::2, ::2]")):
            self.refused(kind, words, simscope.show, given, program=program)
        for changes, words in ((dict(x=(1, 0)), "smaller one first"), (dict(x=(1,)), "needs (low, high)"),
                               (dict(x=(0, 1, 2)), "3 coordinates, but the array has 4"), (dict(x=[0, 1, 2, 9]), "equal steps"),
                               (dict(y=(0, 1)), "a curve has only an x axis")):
            self.refused(ValueError, words, simscope.show, numpy.zeros(4), program=program, **changes)
        self.assertEqual(_show._views, {})
        with mock.patch.dict(os.environ):
            os.environ.pop("DISPLAY")
            os.environ.pop("WAYLAND_DISPLAY", None)
            self.refused(simscope.ProgramError, "no display", simscope.show, numpy.zeros(4), program=program)

    def test_wrong_messages_of_a_program_close_the_line(self):
        for bad in (b"x", b"HTTP" * 4, struct.pack("<4sHH", b"SIMS", 7, 3)):
            ours, theirs = _line.pair()
            line = _line.Line(ours)
            theirs.send(bad)
            line.listen()
            self.assertFalse(line.open)
            theirs.close()
        ours, theirs = _line.pair()
        line = _line.Line(ours)
        for slot, form in ((0, 1), (7, 0), (2**32 - 1, 0)):  # slots that do not exist
            theirs.send(struct.pack("<4sHHIIII", b"SIMS", 4, 3, slot, form, 0, 0))
        theirs.send(struct.pack("<4sHH", b"SIMS", 4, 4) + b"why")
        line.listen()
        self.assertEqual((line.open, line.refused, line.free), (False, "why", []))
        theirs.close()


@needs_numpy
class Hosts(Case):
    def test_arrays_of_other_libraries_are_read_where_they_lie(self):
        self.assertEqual(_host.numbers(array.array("d", [1, 2])).data.tolist(), [1, 2])
        self.assertEqual(_host.numbers(memoryview(bytes([3, 4]))).data.tolist(), [3, 4])

        class Tensor:  # like PyTorch's on the host
            def __init__(self, held):
                self.held = held

            def detach(self):
                return self

            def __dlpack_device__(self):
                return 1, 0

            def __dlpack__(self, **more):
                return self.held.__dlpack__(**more)

        held = numpy.arange(4.0)
        self.assertTrue(numpy.shares_memory(_host.numbers(Tensor(held)).data, held))

    def test_arrays_on_a_gpu_come_through_the_host(self):
        class Cuda:
            def __init__(self, name):
                self.__cuda_array_interface__ = {}
                setattr(self, name, lambda: numpy.arange(3))

        for name in ("get", "copy_to_host", "cpu"):
            given = Cuda(name)
            self.assertTrue(_host.on_gpu(given))
            self.assertEqual(_host.numbers(given).data.tolist(), [0, 1, 2])


@needs_numpy
class Refused(Case):
    """The program's own end of the socket, tested with raw messages."""

    def told(self, *messages, files=(), other=None, program=PROGRAM, **more):
        """Exit status and output of `simscope show` after these messages, and the messages that it sent."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, other or socket.SOCK_SEQPACKET)
        with ours, theirs:
            child = subprocess.Popen([program, "show", f"--socket={theirs.fileno()}"], pass_fds=[theirs.fileno()],
                                     stderr=subprocess.PIPE, text=True, env=os.environ | {"DISPLAY": ":none"}, **more)
            theirs.close()
            for each in messages:
                socket.send_fds(ours, [each], list(files)) if files else ours.send(each)
            answer = b""
            try:
                answer = gone(ours) or b""
            except OSError:
                pass
            ours.close()
            words = child.communicate(timeout=60)[1]
            return child.returncode, words, answer

    def message(self, kind, payload, version=4):
        return struct.pack("<4sHH", b"SIMS", version, kind) + payload

    def memory(self, size, seals=fcntl.F_SEAL_SHRINK):
        file = os.memfd_create("test", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        self.addCleanup(os.close, file)
        os.ftruncate(file, size)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
        return file

    def test_messages_and_memory_that_are_wrong_are_refused_with_the_reason(self):
        form = self.message(1, b'{"shape": [8, 8], "slots": 2}')
        update = struct.pack("<IIQddQ", 0, 1, 1, 0.0, 0.0, 0)
        plain = self.folder / "plain"
        plain.write_bytes(bytes(8192))
        with open(plain, "rb") as file:
            for messages, files, words in (
                    ([b"GET / HTTP/1.1\r\n\r\n"], [], "not a message of simscope"),
                    ([self.message(1, b"{}", 1)], [], "install both from the same simscope"),
                    ([self.message(1, b'{"shape": [2, 2, 2]}')], [], "one or two dimensions"),
                    ([form], [], "memory file of its arrays"),
                    ([form], [file.fileno()], "must come in a memory file"),
                    ([form], [self.memory(8192, 0)], "must be sealed"),
                    ([form], [self.memory(8191)], "has 8191 bytes; 2 slots of this array take 8192"),
                    ([self.message(2, update)], [], "before the description"),
                    ([b"x" * 20000], [], "too long")):
                with self.subTest(words=words):
                    status, said, answer = self.told(*messages, files=files)
                    self.assertEqual((status, words in said), (2, True), said)
                    self.assertTrue(answer.startswith(b"SIMS\4\0\4\0") and words.encode() in answer, answer)

    def test_a_script_that_goes_before_it_has_sent_an_array_opens_nothing(self):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.close()
        with theirs:
            done = subprocess.run([PROGRAM, "show", f"--socket={theirs.fileno()}"], pass_fds=[theirs.fileno()], text=True,
                                  stderr=subprocess.PIPE, env=os.environ | {"DISPLAY": ":none"}, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("ended before it sent an array", done.stderr)

    def test_only_a_socket_of_packets_is_taken(self):
        status, said, _ = self.told(other=socket.SOCK_STREAM)
        self.assertEqual((status, "not a socket of packets" in said), (2, True), said)
        done = subprocess.run([PROGRAM, "show", "--socket=2"], text=True, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([PROGRAM, "show"], text=True, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, "--socket" in done.stderr), (2, True))

    @unittest.skipIf(os.geteuid() != 0, "only root can be another user")
    def test_another_user_at_the_other_end_is_refused(self):
        # In a place that this user can reach: a checkout may lie in root's own folder.
        self.folder.parent.chmod(0o755)
        program = shutil.copy(PROGRAM, self.folder)
        status, said, _ = self.told(self.message(1, b'{"shape": [8, 8]}'), program=program, user=65534, extra_groups=[])
        self.assertEqual((status, "another user" in said), (2, True), said)


@needs_numpy
class Examples(Case):
    """The example loops are correct; the line that opens the window is replaced by one that shows nothing."""

    def example(self, name):
        spec = importlib.util.spec_from_file_location(name, ROOT / "app/python/examples" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def test_the_heat_loop_keeps_what_it_shows_and_its_bounds(self):
        module, shown = self.example("heat_live"), []
        with mock.patch.object(simscope, "show", lambda u, **more: shown.append((u.sum(), more))):
            u = module.heat(steps=200, side=64)
        self.assertEqual(len(shown), 200)
        self.assertEqual(shown[-1][0], u.sum())
        self.assertTrue(300 <= u.min() and u.max() <= 600)
        self.assertAlmostEqual(shown[-1][1]["time"], 200 * 0.2 / 64**2)
        self.assertLess(u.sum(), shown[0][0], "the edges are cold")

    def test_the_heat_loop_of_cupy_is_the_same_in_numpy(self):
        with mock.patch.dict(sys.modules, cupy=numpy):
            module, shown = self.example("heat_cupy"), []
        with mock.patch.object(simscope, "show", lambda u, **more: shown.append(more)):
            u, _ = module.heat(steps=200, side=64)
        self.assertEqual((len(shown), shown[-1]["unit"]), (200, "K"))
        with mock.patch.object(simscope, "show", lambda u, **more: None):
            numpy.testing.assert_array_equal(u, self.example("heat_live").heat(steps=200, side=64))

    def test_the_tunnelling_loop_keeps_the_norm_and_transmits_what_is_exact(self):
        module, shown = self.example("tunnelling_live"), []
        with mock.patch.object(simscope, "show", lambda psi, **more: shown.append(more)):
            psi, x = module.tunnelling(steps=12_000, points=2048)
        dx = x[1] - x[0]
        self.assertAlmostEqual((abs(psi) ** 2).sum() * dx, 1, places=9)
        self.assertEqual(len(shown), 12_000)
        transmitted = (abs(psi[x > 1]) ** 2).sum() * dx
        result = simscope.run("tunneling", steps=1, arrays=False, domain_length=409.6, grid_points=2048, time_step=0.005,
                              packet_center=-60, packet_width=8, packet_momentum=2, barrier_height=2.2, barrier_width=2)
        self.assertAlmostEqual(transmitted, result.info["transmission"].exact, delta=4e-3)
