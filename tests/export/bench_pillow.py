"""Pillow's time and size for the frames of gif_bench: FILE.npy of shape (frames, height, width), uint8 indices."""
import os
import sys
import time

import numpy
from PIL import Image

frames = numpy.load(sys.argv[1])
palette = bytes(value for i in range(256) for value in (i, i * i % 256, 255 - i))
target = os.path.splitext(sys.argv[1])[0] + "_pillow.gif"
best = work = float("inf")
for _ in range(3):
    pictures = []
    for frame in frames:
        picture = Image.fromarray(frame, "P")
        picture.putpalette(palette)
        pictures.append(picture)
    start, before = time.perf_counter(), time.process_time()
    pictures[0].save(target, save_all=True, append_images=pictures[1:], duration=40, loop=0, disposal=1, optimize=False)
    best = min(best, time.perf_counter() - start)
    work = min(work, time.process_time() - before)
per_frame = 1e3 / len(frames)
print(f"Pillow:   {best * per_frame:.2f} ms/frame ({work * per_frame:.2f} ms of processor time), "
      f"{os.path.getsize(target)} bytes (indices given, file written)")
