"""Compares videos with their source pictures, decoded by ffmpeg, or by Pillow for WebP.

check_video.py JOBS, a file with one line for each video, its fields separated by tabs:
FILE RAW WIDTH HEIGHT FRAMES FPS CODEC PIXELS [LARGEST_MEAN_ERROR]
RAW: the RGB pictures one after the other. CODEC, PIXELS: as ffprobe names them. Without the last argument every pixel
must be equal; with it, the mean absolute error of every frame must stay below.
"""
import json
import subprocess
import sys

try:
    import numpy
    from PIL import Image, features
except ImportError:
    sys.exit(77)


def decoded_by_pillow(file, fps):
    frames = []
    with Image.open(file) as picture:
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.append(numpy.asarray(picture.convert("RGB")))
            assert abs(picture.info["duration"] - 1000 / fps) <= 1, picture.info["duration"]
    return numpy.stack(frames)


def decoded_by_ffmpeg(file, fps, codec, pixels):
    probe = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", "file:" + file], check=True, capture_output=True).stdout)
    assert len(probe["streams"]) == 1, probe
    stream = probe["streams"][0]
    assert stream["codec_name"] == codec, stream["codec_name"]
    assert stream["pix_fmt"] == pixels, stream["pix_fmt"]
    if pixels == "yuv420p":
        assert stream["color_space"] == "bt709" and stream["color_range"] == "tv", stream
    over, under = map(int, stream["r_frame_rate"].split("/"))
    assert abs(over / under - fps) < 0.01 * fps, stream["r_frame_rate"]
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", "file:" + file, "-vf", "scale=flags=accurate_rnd+full_chroma_int",
                          "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], check=True, capture_output=True).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(-1, stream["height"], stream["width"], 3)


def check(file, raw, width, height, frames, fps, codec, pixels, tolerance=None):
    wanted = numpy.fromfile(raw, numpy.uint8).reshape(int(frames), int(height), int(width), 3)
    if codec == "webp":
        if not features.check("webp_anim"):
            return
        found = decoded_by_pillow(file, float(fps))
    else:
        found = decoded_by_ffmpeg(file, float(fps), codec, pixels)
    if pixels == "yuv420p":
        wanted = numpy.pad(wanted, ((0, 0), (0, wanted.shape[1] % 2), (0, wanted.shape[2] % 2), (0, 0)), "edge")
    assert found.shape == wanted.shape, f"{found.shape} instead of {wanted.shape}"
    if tolerance is None:
        assert numpy.array_equal(found, wanted), "other pixels"
    else:
        errors = numpy.abs(found.astype(int) - wanted).mean(axis=(1, 2, 3))
        assert errors.max() < float(tolerance), f"mean errors {errors}"
    if codec == "h264":
        with open(file, "rb") as stream:
            whole = stream.read()
        assert whole.index(b"moov") < whole.index(b"mdat"), "the index is not in front"


with open(sys.argv[1]) as jobs:
    for job in jobs:
        try:
            check(*job.rstrip("\n").split("\t"))
        except (AssertionError, subprocess.CalledProcessError) as error:
            sys.exit(f"{job}{error}")
