"""Compares PNG, NPY, and CSV files with their source data.

check_file.py JOBS, a file with one line for each:
png FILE RAW WIDTH HEIGHT SCENE     RAW: RGB; SCENE: a file with the text chunk, or "-" for none
npy FILE RAW DTYPE SHAPE            RAW: the elements; SHAPE: as Python writes a tuple, without spaces
csv FILE VALUES                     VALUES: those after the header in hexadecimal, one a line, nan for none
"""
import ast
import csv as csv_module
import sys
import zlib

try:
    import numpy
    from PIL import Image
except ImportError:
    sys.exit(77)


def check_crcs(file):
    with open(file, "rb") as stream:
        stream.read(8)
        while head := stream.read(8):
            length, kind = int.from_bytes(head[:4], "big"), head[4:]
            body = stream.read(length)
            assert len(body) == length, f"{kind} is cut short"
            assert int.from_bytes(stream.read(4), "big") == zlib.crc32(kind + body), f"{kind} has another CRC"
    assert kind == b"IEND", f"{kind} is the last"


def png(file, raw, width, height, scene):
    check_crcs(file)
    with Image.open(file) as picture:
        assert picture.format == "PNG" and picture.mode == "RGB", (picture.format, picture.mode)
        wanted = numpy.fromfile(raw, numpy.uint8).reshape(int(height), int(width), 3)
        assert numpy.array_equal(numpy.asarray(picture), wanted), "other pixels"
        if scene == "-":
            assert not picture.text, picture.text
        else:
            with open(scene, encoding="utf-8", newline="") as stream:
                assert picture.text["simscope"] == stream.read(), "another text"


def npy(file, raw, dtype, shape):
    array = numpy.load(file)
    assert array.dtype.str == dtype, array.dtype.str
    assert array.shape == ast.literal_eval(shape), array.shape
    assert array.flags.c_contiguous
    with open(raw, "rb") as stream:
        assert array.tobytes() == stream.read(), "other elements"
    with open(file, "rb") as stream:
        whole = stream.read()
    assert (len(whole) - array.nbytes) % 64 == 0, "the data is not aligned to 64 bytes"


def csv(file, values):
    with open(file, newline="") as stream:
        rows = list(csv_module.reader(stream, strict=True))
    assert len({len(row) for row in rows}) == 1, "rows of different lengths"
    with open(values) as stream:
        wanted = stream.read().split("\n")[:-1]
    found = [value for row in rows[1:] for value in row]
    assert len(found) == len(wanted), f"{len(found)} values instead of {len(wanted)}"
    for text, exact in zip(found, wanted):
        assert (text == "") == (exact == ""), (text, exact)
        assert text == "" or float(text).hex() == float.fromhex(exact).hex(), (text, exact)


with open(sys.argv[1]) as jobs:
    for job in jobs:
        kind, *arguments = job.split()
        try:
            {"png": png, "npy": npy, "csv": csv}[kind](*arguments)
        except AssertionError as error:
            sys.exit(f"{job}{error}")
