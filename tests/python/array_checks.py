import io
import os
import subprocess
import sys
import zipfile
from unittest import mock

from simscope import _arrays
from support import WAVE, Case, needs_numpy, numpy, simscope


def npy(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


class WithoutNumPy(Case):
    def test_a_run_needs_no_numpy(self):
        script = ("import sys; sys.modules['numpy'] = None\nimport math, simscope\n"
                  f"result = simscope.run('tunneling', steps=5, **{WAVE!r})\n"
                  "psi = result.array\n"
                  "norm = sum(psi[i, 0]**2 + psi[i, 1]**2 for i in range(256)) * 150 / 256\n"
                  "assert math.isclose(norm, result.diagnostics['norm'], rel_tol=1e-6), norm\n"
                  f"sweep = simscope.sweep('tunneling', {{'barrier_height': (1, 2, 2)}}, 'norm', steps=1, **{WAVE!r})\n"
                  "print(type(psi).__name__, psi.shape, psi.format, sweep['barrier_height'])\n")
        answer = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True,
                                env=os.environ | {"TMPDIR": str(self.temporary)}).stdout
        self.assertEqual(answer, "memoryview (256, 2) f [1.0, 2.0]\n")

    @needs_numpy
    def test_every_type_that_the_program_writes_is_read(self):
        for kind in ("<f4", "<f8", "<i4", "<i8", "|u1", "<u4", "<u8"):
            given = numpy.arange(24).reshape(2, 3, 4).astype(kind)
            read = _arrays.plain(npy(given), "u")
            self.assertEqual((read.shape, read.tolist(), read.readonly), (given.shape, given.tolist(), True))
            self.assertEqual(_arrays.plain(npy(given[0, 0, 0]), "u").tolist(), [0])
            self.assertEqual(len(_arrays.plain(npy(given[:0]), "u")), 0)
        for kind in ("<c8", "<c16"):
            given = (numpy.arange(6) * (1 - 2j)).reshape(2, 3).astype(kind)
            read = _arrays.plain(npy(given), "u")
            self.assertEqual((read.shape, read[1, 2, 1]), ((2, 3, 2), -10))
        described = [array.dtype for each in simscope.list() for array in simscope.describe(each.id).arrays.values()]
        self.assertEqual({each for each in described if each[1:] not in _arrays.FORMATS}, set())

    @needs_numpy
    def test_what_is_no_such_file_is_an_error(self):
        whole = npy(numpy.arange(4.0))
        for data, words in ((b"GIF89a", "does not begin"), (whole[:7], "not a whole"), (whole[:40], "u.npy: "),
                            (whole[:-1], "is cut off"), (whole + b"x", "is cut off"),
                            (npy(numpy.arange(4, dtype=">f8")), "type >f8"), (npy(numpy.array(["a"])), "type <U1"),
                            (npy(numpy.asfortranarray(numpy.zeros((2, 3)))), "columns first"),
                            (whole.replace(b"descr", b"descc"), "not a whole")):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                _arrays.plain(data, "u.npy")


class Snapshot(Case):
    @needs_numpy
    def test_numpy_reads_no_pickled_objects(self):
        path = self.folder / "evil.npz"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("u.npy", npy(numpy.array([{}], dtype=object)))
        with self.assertRaisesRegex(ValueError, "allow_pickle=False"):
            _arrays.read_snapshot(path)
        with mock.patch.object(_arrays, "numpy", lambda: None), self.assertRaisesRegex(ValueError, r"type \|O"):
            _arrays.read_snapshot(path)

    def test_another_file_is_an_error(self):
        path = self.folder / "text.npz"
        path.write_text("no archive", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "text.npz is not a snapshot"):
            _arrays.read_snapshot(path)
