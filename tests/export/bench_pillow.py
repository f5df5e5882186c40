"""Pillow's time and size for the frames of gif_bench: FILE.npy of shape (frames, height, width), uint8 indices."""
import os
import sys
import time

import numpy
from PIL import Image

frames = numpy.load(sys.argv[1])
palette = bytes(value for i in range(256) for value in (i, i * i % 256, 255 - i))
target = os.path.splitext(sys.argv[1])[0] + "_pillow.gif"
best = float("inf")
for _ in range(3):
    pictures = []
    for frame in frames:
        picture = Image.fromarray(frame, "P")
        picture.putpalette(palette)
        pictures.append(picture)
    start = time.perf_counter()
    pictures[0].save(target, save_all=True, append_images=pictures[1:], duration=40, loop=0, disposal=1, optimize=False)
    best = min(best, time.perf_counter() - start)
print(f"Pillow:   {best / len(frames) * 1e3:.2f} ms/frame, {os.path.getsize(target)} bytes (indices given, file written)")
