"""Compares GIFs, as Pillow decodes them, with their source pictures.

check_gif.py JOBS, a file with one line for each GIF:
FILE RAW WIDTH HEIGHT FRAMES DELAY_MS LOOP SCENE [LARGEST_MEAN_ERROR]
RAW: the RGB pictures one after the other. SCENE: a file with the comment, or "-" for none. Without the last argument
every pixel must be equal; with it, the mean absolute error of every frame must stay below.
"""
import sys

try:
    import numpy
    from PIL import Image
except ImportError:
    sys.exit(77)


def check(file, raw, width, height, frames, delay, loop, scene, tolerance=None):
    shape = (int(frames), int(height), int(width), 3)
    wanted = numpy.fromfile(raw, numpy.uint8).reshape(shape)
    with Image.open(file) as picture:
        assert picture.format == "GIF", picture.format
        assert picture.size == (shape[2], shape[1]), picture.size
        assert picture.n_frames == shape[0], f"{picture.n_frames} frames"
        # The block has the repetitions after the first play, and is absent where there are none.
        block = {0: 0, 1: None}.get(int(loop), int(loop) - 1)
        assert picture.info.get("loop") == block, picture.info.get("loop")
        if scene == "-":
            assert "comment" not in picture.info, picture.info["comment"]
        else:
            with open(scene, "rb") as stream:
                assert picture.info["comment"] == stream.read(), "another comment"
        for i in range(shape[0]):
            picture.seek(i)
            assert picture.info["duration"] == int(delay), f"frame {i}: {picture.info['duration']} ms"
            decoded = numpy.asarray(picture.convert("RGB"))
            if tolerance is None:
                wrong = numpy.argwhere((decoded != wanted[i]).any(axis=2))
                assert not len(wrong), (
                    f"frame {i}: {len(wrong)} pixels differ, the first at row, column {wrong[0]}: "
                    f"{decoded[tuple(wrong[0])]} instead of {wanted[i][tuple(wrong[0])]}")
            else:
                error = numpy.abs(decoded.astype(int) - wanted[i]).mean()
                assert error < float(tolerance), f"frame {i}: mean error {error}"


with open(sys.argv[1]) as jobs:
    for job in jobs:
        try:
            check(*job.split())
        except AssertionError as error:
            sys.exit(f"{job}{error}")
