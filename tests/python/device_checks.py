"""simscope.show with arrays on a GPU, on a machine without one: with a stub driver (cuda_stub.c), whose memory
another process can open, and a program that reads it in place of the window. tests/python/gpu_show.py tests real
GPUs."""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from simscope import _cuda, _located, _show
from support import ROOT, Case, needs_numpy, numpy, simscope

WINDOW = '''#!{python}
import json, mmap, os, socket, struct, sys, time
import numpy
line = socket.socket(fileno=int(sys.argv[2].removeprefix("--socket=")))
globals().update({settings!r})
head = lambda kind: struct.pack("<4sHH", b"SIMS", 4, kind)
types = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 c8 c16 bf2".split()
updates = offers = 0
def log(**what):
    with open(f"{{folder}}/log", "a") as file:
        file.write(json.dumps(what) + "\\n")
def save(array):
    global updates
    updates += 1
    numpy.save(f"{{folder}}/part.npy", array)
    os.rename(f"{{folder}}/part.npy", f"{{folder}}/update{{updates}}.npy")
def send(message):
    try:
        line.send(message)
    except OSError:
        pass
while True:
    try:
        message, files, flags, _ = socket.recv_fds(line, 20000, 4)
    except ConnectionResetError:
        continue
    if not message:
        break
    kind, body = struct.unpack_from("<4sHH", message)[2], message[8:]
    if kind == 1:
        told = json.loads(body)
        dtype = numpy.dtype("<c8" if told["complex"] else "<f4")
        host = mmap.mmap(files[0], os.fstat(files[0]).st_size, prot=mmap.PROT_READ)
        if not updates:  # told when it changes
            send(head(5) + uuid + why.encode())
    elif kind == 2:
        slot, form, number, at, spread, beyond = struct.unpack("<IIQddQ", body)
        pages = -(-int(numpy.prod(told["shape"])) * dtype.itemsize // 4096)
        save(numpy.ndarray(told["shape"], dtype, host, slot * pages * 4096))
        log(way="host", time=at)
        if takes:
            send(head(3) + struct.pack("<IIII", slot, form, 0, 0))
    elif kind == 6:
        device, size, slots, memory = struct.unpack_from("<16sQI64s", body)
        events = [body[92 + 64 * i:156 + 64 * i] for i in range(slots)]
        assert len(body) == 92 + 64 * slots and device == uuid
        offers += 1
        log(way="slots", size=size, slots=slots)
        if not refuses:
            path = lambda handle: os.path.join(stub, handle.rstrip(b"\\0").decode())
            lent = numpy.memmap(path(memory), "u1", "r+")
            counts = [numpy.memmap(path(each), "i4", "r+") for each in events]
            assert lent.size >= size * slots
        send(head(7) + struct.pack("<I", offers) + refuses.encode())
    elif kind == 8:
        slot, form, number, at, _, _, offer, type_, first, row, column = struct.unpack("<IIQddQIIqqq", body)
        assert offer == offers and counts[slot][0] > 0
        dtype_there = numpy.dtype({{12: "?", 15: "<u2"}}.get(type_) or "<" + types[type_ - 1])
        values = lent[slot * size:(slot + 1) * size][:size // dtype_there.itemsize * dtype_there.itemsize].view(dtype_there)
        shape = told["shape"] if len(told["shape"]) == 2 else [1, *told["shape"]]
        at_each = first + numpy.arange(shape[0])[:, None] * row + numpy.arange(shape[1])[None, :] * column
        assert at_each.min() >= 0 and at_each.max() < values.size
        if type_ == 15:  # bfloat16: the upper half of single precision
            values = (values.astype("u4") << 16).view("f4")
        save(values[at_each].reshape(told["shape"]))
        log(way="device", time=at, slot=slot)
        if takes:
            time.sleep(lazy)
            send(head(3) + struct.pack("<IIII", slot, form, offer, reading))
'''


class Cuda:
    """An array "on the GPU": host memory, which the stub treats as its device's."""

    def __init__(self, held, stream=7, **more):
        self.held, self.shape = held, held.shape
        self.copied = 0
        interface = dict(held.__array_interface__, stream=stream, version=3, **more)
        self.__cuda_array_interface__ = {key: value for key, value in interface.items() if key != "descr"}

    def get(self):
        self.copied += 1
        return self.held.copy()


class Packed:
    """The same by DLPack. For unknown libraries, the view waits for the legacy stream."""

    def __init__(self, held):
        self.held, self.shape, self.stream = held, held.shape, None

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None):
        self.stream = stream
        return self.held.__dlpack__()

    def get(self):
        return self.held.copy()


@needs_numpy
@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class OnADevice(Case):
    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.TemporaryDirectory()
        cls.library = os.path.join(cls.built.name, "libcuda_stub.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", cls.library,
                        str(ROOT / "tests/python/cuda_stub.c")], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.built.cleanup()

    def setUp(self):
        super().setUp()
        self.seen, self.stub = self.folder / "seen", self.folder / "stub"
        self.seen.mkdir()
        self.stub.mkdir()
        self.enterContext(mock.patch.dict(os.environ, {"DISPLAY": ":none"}))
        self.variable("STUB_FOLDER", str(self.stub))
        self.enterContext(mock.patch.object(_cuda, "LIBRARY", self.library))
        _cuda.driver.cache_clear()
        self.addCleanup(_cuda.driver.cache_clear)
        self.addCleanup(self.end)

    def variable(self, name, value):
        """Sets the variable for the stub, too, which reads the process's environment."""
        self.enterContext(mock.patch.dict(os.environ, {name: value}))

    def end(self):
        for view in list(_show._views.values()):
            view._line.close()
            view._route.close()
            view._child.wait(60)
        _show._views.clear()

    def window(self, uuid=b"a" * 16, why="", refuses="", takes=True, lazy=0.0, reading=200):
        path = self.folder / "window"
        settings = dict(folder=str(self.seen), stub=str(self.stub), uuid=uuid, why=why, refuses=refuses, takes=takes,
                        lazy=lazy, reading=reading)  # reading: the microseconds that it reports
        path.write_text(WINDOW.format(python=sys.executable, settings=settings))
        path.chmod(0o755)
        return path

    def log(self):
        path = self.seen / "log"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def until(self, condition, what):
        end = time.monotonic() + 60
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, f"{what} did not come; {self.log()}")
            time.sleep(0.005)
        return found

    def updated(self, number):
        path = self.seen / f"update{number}.npy"
        self.until(path.exists, path.name)
        return numpy.load(path)

    def shown(self, first, **more):
        """A view that has settled: the first array through the host, later ones through the device."""
        view = simscope.show(first, program=self.window(**more.pop("window", {})), **more)
        self.updated(1)

        def settled():
            view._line.listen()
            view._route.advance()
            return not view._route.waiting

        self.until(settled, "the window's word")
        return view

    def test_the_first_array_comes_through_the_host_and_the_others_do_not(self):
        u = Cuda(numpy.arange(12.0).reshape(3, 4))
        view = self.shown(u)
        self.assertEqual(view.transport, "shared memory, from the GPU through the host: the window has not reported its "
                                         "device yet")
        copied = u.copied
        for n in range(1, 6):
            u.held += 1
            view.update(u)
            self.assertTrue(view.flush())
        self.assertEqual(view.transport, "CUDA IPC")
        self.assertEqual(u.copied, copied, "bytes have come to the host")
        numpy.testing.assert_array_equal(self.updated(view.shown), u.held)
        self.assertEqual([each["way"] for each in self.log()][:3], ["host", "slots", "device"])
        self.assertNotIn("host", [each["way"] for each in self.log()][2:])

    def test_every_type_and_every_layout_comes_as_it_is(self):
        self.enterContext(mock.patch.object(_located, "LITTLE", 2000))
        square = numpy.arange(96.0).reshape(8, 12)
        for given in (*(square.astype(each) for each in _located.TYPES if each != "bf2"), square.T, square[::-1, ::-1], square[1:7:2, 2::3],
                      square[:, 3:5], square[::-2], numpy.arange(40.0)[::-3], numpy.broadcast_to(2.5, (5, 7)),
                      numpy.arange(64.0)[::20], numpy.arange(4000.0).reshape(40, 100)[:, 7:9], square[:1], square[:, :1]):
            with self.subTest(dtype=given.dtype, shape=given.shape, strides=given.strides):
                shutil.rmtree(self.seen)
                self.seen.mkdir()
                view = self.shown(Cuda(given))
                view.update(Cuda(given))
                self.assertTrue(view.flush())
                self.assertEqual(view.transport, "CUDA IPC")
                numpy.testing.assert_array_equal(self.updated(2), given)
                view.close()
                view._child.wait(60)
                self.assertEqual(sorted(self.stub.iterdir()), [], "memory of the device is left")

    def test_elements_that_lie_far_apart_go_through_the_host(self):
        self.enterContext(mock.patch.object(_located, "LITTLE", 0))
        far = numpy.arange(10_000.0).reshape(100, 100)[::30, ::40]
        view = self.shown(Cuda(far))
        view.update(Cuda(far))
        view.flush()
        self.assertIn("its elements are far apart in memory", view.transport)
        numpy.testing.assert_array_equal(self.updated(view.shown), far)

    def test_dlpack_comes_first_and_has_its_stream(self):
        u = Packed(numpy.arange(6.0))
        view = self.shown(u)
        view.update(u)
        view.flush()
        self.assertEqual((view.transport, u.stream), ("CUDA IPC", _cuda.LEGACY_STREAM))
        numpy.testing.assert_array_equal(self.updated(2), u.held)

    def test_brain_floats_go_from_device_to_device(self):
        wanted = numpy.array([[1, -2.5, 0.125], [3, 1e30, 0]], "f4").view("u4") >> 16
        class Brain(Packed):
            def __dlpack__(self, *, stream=None):
                capsule = super().__dlpack__(stream=stream)
                _located._Tensor.from_address(_located._pointer_of(capsule, b"dltensor")).code = 4
                return capsule

            def get(self):
                return (self.held.astype("u4") << 16).view("f4")
        u = Brain(wanted.astype("u2"))
        view = self.shown(u)
        numpy.testing.assert_array_equal(self.updated(1), (wanted << 16).view("f4"))
        view.update(u)
        self.assertTrue(view.flush())
        self.assertEqual(view.transport, "CUDA IPC")
        numpy.testing.assert_array_equal(self.updated(2), (wanted << 16).view("f4"))

    def test_an_array_on_the_device_with_a_mask_that_cannot_be_read_is_refused(self):
        u = Cuda(numpy.zeros(4), mask=numpy.ones(4, "?"))
        self.refused(TypeError, "the mask of a Cuda cannot be read", simscope.show, u, program=self.window())
        self.assertEqual(_show._views, {})

    def test_a_dimension_that_x_names_is_turned_on_the_device(self):
        class Labelled:
            dims, coords, attrs, name, shape = ("x", "y"), {}, {}, None, (3, 4)
            data = Cuda(numpy.arange(12.0).reshape(3, 4))
        Cuda.T = property(lambda held: Cuda(held.held.T))
        self.addCleanup(delattr, Cuda, "T")
        view = self.shown(Labelled(), x="x")
        view.update(Labelled())
        self.assertTrue(view.flush())
        self.assertEqual(view.transport, "CUDA IPC")
        numpy.testing.assert_array_equal(self.updated(2), Labelled.data.held.T)

    def test_another_form_needs_other_slots_only_where_it_is_larger(self):
        view = self.shown(Cuda(numpy.zeros((64, 64))))
        for shape in ((32, 32), (64, 64), (200, 300), (10, 10)):
            for value in (1.0, 2.0):  # the first array of a larger form comes through the host
                view.update(Cuda(numpy.full(shape, value)))
                self.assertTrue(view.flush())
            self.until(lambda: view._line.listen() or view._route.advance() or not view._route.waiting, "other slots")
        view.update(Cuda(numpy.full((10, 10), 3.0)))
        view.flush()
        self.assertEqual(view.transport, "CUDA IPC")
        numpy.testing.assert_array_equal(self.updated(view.shown), numpy.full((10, 10), 3.0))
        self.assertEqual(sum(each["way"] == "slots" for each in self.log()), 2)
        self.until(lambda: view._line.listen() or view._route.release() or len(list(self.stub.glob("memory*"))) == 1,
                   "the end of the former slots")

    def test_a_slow_window_holds_nothing_up_and_no_slot_is_written_while_it_is_read(self):
        u = Cuda(numpy.zeros(1000))
        view = self.shown(u, every_frame=True, window={"lazy": 0.004})
        for n in range(1, 300):
            u.held[:] = n
            view.update(u)
            time.sleep(0.0005)
        self.assertTrue(view.flush())
        seen = [self.updated(n) for n in range(1, view.shown + 1)]
        for each in seen:
            self.assertEqual(each.min(), each.max())
        self.assertEqual(seen[-1][0], 299)
        self.assertLess(view.shown, 299)

    def test_a_gpu_that_the_loop_keeps_busy_is_asked_for_six_a_second(self):
        self.enterContext(mock.patch.object(_show, "SHARE", 1e9))  # the cost of a call must not matter here
        self.enterContext(mock.patch.object(_show, "READING_BYTES", 5e8))
        for reading, size, least, most in ((1200, 10, 2, 9), (200, 10, 20, 61), (1200, 100_000, 20, 61)):
            with self.subTest(reading=reading, size=size):
                u = Cuda(numpy.zeros(size, "f8"))
                view = self.shown(u, window={"reading": reading})
                view.update(u)
                self.assertTrue(view.flush())
                before, end = view.shown, time.perf_counter() + 1
                while time.perf_counter() < end:
                    view.update(u)
                    time.sleep(0.001)
                self.assertEqual(view.transport, "CUDA IPC")
                self.assertIn(view.shown - before, range(least, most))
                view.close()
                view._child.wait(60)

    def test_whatever_stands_against_it_is_told_and_the_host_serves(self):
        cases = (
            ({"uuid": bytes(16), "why": "the window computes on the CPU"}, {}, "through the host: the window computes on the CPU"),
            ({"uuid": b"z" * 16}, {}, "the array is on cuda:0, the window computes on another GPU"),
            ({"uuid": b"a" * 16}, {"STUB_DEVICE": "1"}, "the array is on cuda:1"),
            ({"refuses": "the driver does not share the script's memory"}, {}, "the driver does not share the script's memory"),
            ({}, {"STUB_FAILS": "cuMemAlloc"}, "cuMemAlloc: the stub fails"),
            ({}, {"STUB_FAILS": "cuIpcGetMemHandle"}, "cuIpcGetMemHandle: the stub fails"),
            ({}, {"STUB_FAILS": "cuIpcGetEventHandle"}, "cuIpcGetEventHandle: the stub fails"),
            ({}, {"STUB_FAILS": "cuPointerGetAttribute"}, "cuPointerGetAttribute: the stub fails"),
            ({}, {"STUB_FAILS": "cuMemcpy"}, "cuMemcpyDtoDAsync: the stub fails"),
            ({}, {"STUB_FAILS": "cuInit"}, "cuInit: the stub fails"))
        for window, variables, words in cases:
            with self.subTest(words=words), mock.patch.dict(os.environ, variables):
                _cuda.driver.cache_clear()
                shutil.rmtree(self.seen)
                self.seen.mkdir()
                u = Cuda(numpy.arange(12.0).reshape(3, 4))
                view = self.shown(u, window=window)
                view.update(u)
                view.flush()
                self.assertTrue(view.transport.startswith("shared memory, from the GPU through the host: "), view.transport)
                self.assertIn(words, view.transport)
                numpy.testing.assert_array_equal(self.updated(view.shown), u.held)
                view.close()
                view._child.wait(60)
                self.assertEqual(sorted(self.stub.iterdir()), [], "memory of the device is left")

    def test_without_a_driver_the_host_serves_and_says_so(self):
        self.enterContext(mock.patch.object(_cuda, "LIBRARY", "libcuda_that_is_not_there.so.1"))
        view = self.shown(Cuda(numpy.arange(4.0)))
        self.assertIn("NVIDIA's driver cannot be used", view.transport)

    def test_a_loop_that_is_recorded_as_a_graph_is_left_alone(self):
        view = self.shown(Cuda(numpy.zeros(4)))
        before = len(self.log())
        self.assertFalse(view.update(Cuda(numpy.ones(4), stream=77)))
        self.assertEqual(len(self.log()), before)
        view.update(Cuda(numpy.full(4, 2.0)))
        self.assertTrue(view.flush())
        self.assertEqual(self.updated(view.shown)[0], 2)

    def test_a_window_that_is_closed_frees_the_slots(self):
        u = Cuda(numpy.zeros(4))
        view = self.shown(u)
        view.update(u)
        view.flush()
        self.assertNotEqual(sorted(self.stub.iterdir()), [])
        view._child.kill()
        view._child.wait(60)
        self.assertFalse(view.update(u))
        self.assertFalse(view.open)
        self.assertEqual(sorted(self.stub.iterdir()), [])

    def test_the_last_array_leaves_the_device_where_the_window_has_not_read_it(self):
        self.enterContext(mock.patch.object(_show, "PART_SECONDS", 0.05))
        u = Cuda(numpy.zeros(4))
        view = simscope.show(u, every_frame=True, program=self.window(takes=False))
        self.updated(1)
        self.until(lambda: view._line.listen() or view._route.advance() or view._route.ready, "the slots")
        u.held[:] = 5
        self.assertTrue(view.update(u))
        self.assertEqual(view.transport, "CUDA IPC")
        self.updated(2)
        view._leave()
        numpy.testing.assert_array_equal(self.updated(3), u.held)
        self.assertEqual([each["way"] for each in self.log()], ["host", "slots", "device", "host"])

    def test_the_device_that_the_window_changes_to_is_heard_of(self):
        u = Cuda(numpy.arange(4.0))
        view = self.shown(u)
        view.update(u)
        view.flush()
        self.until(lambda: view._line.listen() or view._route.release() or not view._route.outstanding(), "the slot")
        # As if it had reported this: the socket is the window's.
        view._line._hear(_line_head(5) + bytes(16) + b"the window computes on the CPU")
        view.update(u)
        view.flush()
        self.assertTrue(view.transport.endswith("the window computes on the CPU"), view.transport)
        self.assertEqual(sorted(self.stub.iterdir()), [], "slots that nobody reads")
        view._line._hear(_line_head(5) + b"a" * 16)
        self.until(lambda: view._route.advance() or view._line.listen() or view._route.ready, "the way back")
        view.update(u)
        view.flush()
        self.assertEqual(view.transport, "CUDA IPC")


def _line_head(kind):
    return b"SIMS" + (4).to_bytes(2, "little") + kind.to_bytes(2, "little")


@needs_numpy
class TheStructures(Case):
    def test_they_have_the_sizes_of_the_drivers_header(self):
        self.assertEqual(ctypes.sizeof(_cuda._Copy2D), 128)
        self.assertEqual(ctypes.sizeof(_located._Tensor), 48)
        self.assertEqual((ctypes.sizeof(_cuda.Handle), ctypes.sizeof(_cuda.Uuid)), (64, 16))
