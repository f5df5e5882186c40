"""Compares animated PNGs with their source pictures.

check_apng.py JOBS, a file with one line for each: FILE RAW WIDTH HEIGHT FRAMES NUMERATOR DENOMINATOR LOOP SCENE; RAW:
the RGB of all frames; the delay of each as a fraction of a second; SCENE: a file with the text chunk, or "-" for none.
"""
import sys
import zlib

try:
    import numpy
    from PIL import Image, ImageSequence
except ImportError:
    sys.exit(77)


def chunks_of(file):
    found = []
    with open(file, "rb") as stream:
        assert stream.read(8) == b"\x89PNG\r\n\x1a\n"
        while head := stream.read(8):
            length, kind = int.from_bytes(head[:4], "big"), head[4:]
            body = stream.read(length)
            assert len(body) == length, f"{kind} is cut short"
            assert int.from_bytes(stream.read(4), "big") == zlib.crc32(kind + body), f"{kind} has another CRC"
            found.append((kind, body))
    return found


def check(file, raw, width, height, frames, numerator, denominator, loop, scene):
    chunks = chunks_of(file)
    assert chunks[-1][0] == b"IEND" and chunks[1][0] == b"acTL", [kind for kind, _ in chunks]
    assert int.from_bytes(chunks[1][1][:4], "big") == int(frames), "another number of frames"
    numbers = [int.from_bytes(body[:4], "big") for kind, body in chunks if kind in (b"fcTL", b"fdAT")]
    assert numbers == list(range(len(numbers))), f"numbered {numbers}"
    for kind, body in chunks:
        if kind == b"fcTL":
            delay = int.from_bytes(body[20:22], "big"), int.from_bytes(body[22:24], "big")
            assert delay == (int(numerator), int(denominator)), delay
    wanted = numpy.fromfile(raw, numpy.uint8).reshape(int(frames), int(height), int(width), 3)
    with Image.open(file) as picture:
        assert picture.format == "PNG" and picture.mode == "RGB", (picture.format, picture.mode)
        count = 0
        for frame in ImageSequence.Iterator(picture):
            assert numpy.array_equal(numpy.asarray(frame.convert("RGB")), wanted[count]), f"frame {count} differs"
            if int(frames) > 1:
                seconds = int(numerator) / int(denominator)
                assert abs(frame.info["duration"] - 1000 * seconds) < 1e-6, frame.info["duration"]
            count += 1
        assert count == int(frames), f"{count} frames"
        if int(frames) > 1:
            assert picture.info["loop"] == int(loop), picture.info["loop"]
        if scene == "-":
            assert not picture.text, picture.text
        else:
            with open(scene, encoding="utf-8", newline="") as stream:
                assert picture.text["simscope"] == stream.read(), "another text"


with open(sys.argv[1]) as jobs:
    for job in jobs:
        try:
            check(*job.split())
        except AssertionError as error:
            sys.exit(f"{job}{error}")
