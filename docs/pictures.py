#!/usr/bin/env python3
"""Draws the small pictures of the front page, docs/media/SIMULATION.png, anew. Look at them before you commit.

usage: pictures.py SIMSCOPE [SIMULATION ...]      needs python3-pil
"""
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

MEDIA = pathlib.Path(__file__).resolve().parent / "media"
SIZE = (320, 200)
# Options of `render`, and the part of the picture that is kept: left, top, width in hundredths of the picture's width and
# height; the height of the part follows from SIZE.
PICTURES = {
    "tunneling": ("--preset animation --frame 130", (21, 38, 50)),
    "heat": ("--preset house --frame 150", (25, 24, 48)),
    "nbody": ("--preset two_galaxies --frame 75 --view speed --camera 40:55:2.6", (15, 17, 55)),
    "diffraction": ("--preset hexagon --frame 60 --view pattern", (29, 27, 40)),
    "schrodinger2d": ("--preset double_slit --frame 110 --view wave", (25, 22, 46)),
    "eigenstates": ("--preset revival --frame 300 --view carpet", (25, 15, 43)),
    "reaction_diffusion": ("--preset coral --frame 150", (29, 26, 40)),
    "lorentz": ("--preset bananas --frame 200 --view charge", (25, 25, 50)),
    "projectiles": ("--preset salvo --frame 120 --view by_angle --point-size 2", (9, 27, 62)),
    "maxwell_boltzmann": ("--preset velocity_cloud --frame 100 --view velocities", (28, 25, 42)),
    "monte_carlo_pi": ("--preset first_darts --frame 150 --view darts", (26, 10, 40)),
    "histograms": ("--preset z_mumu --frame 150 --view mass", (22, 18, 70)),
    "mandelbrot": ("--preset seahorse_valley --frame 40", (28, 10, 57)),
    "descent": ("--preset himmelblau --frame 60 --view surface", (25, 20, 44)),
    "pinn": ("--preset burgers --frame 150 --view field", (16, 17, 60)),
    "eigenstates2d": ("--preset stadium --frame 50 --view state", (25, 28, 44)),
}


def draw(program, name):
    options, (left, top, width) = PICTURES[name]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "whole.png"
        subprocess.run([program, "render", name, *options.split(), "--size", "1280x800", "--out", str(file)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        whole = Image.open(file).convert("RGB")
    x, y, across = (round(n / 100 * side) for n, side in zip((left, top, width), (whole.width, whole.height, whole.width)))
    part = whole.crop((x, y, x + across, y + across * SIZE[1] // SIZE[0])).resize(SIZE, Image.LANCZOS)
    part.quantize(96, dither=Image.Dither.NONE).save(MEDIA / f"{name}.png", optimize=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for each in sys.argv[2:] or PICTURES:
        draw(sys.argv[1], each)
