#!/usr/bin/env python3
"""Writes the colormaps beside this file: python3 assets/colormaps/make.py

Re-creations, not copies. Each map is a handful of control points of our own in OKLCh (lightness, chroma, hue in
degrees), chosen so that the map looks like the well-known one of its name, and a smooth curve through them in OKLab.
The lightness of the sequential maps rises evenly from one end to the other, so equal steps of the data look equal
and the maps survive a black-and-white print. Source of the colour space: B. Ottosson, "A perceptual color space for
image processing" (2020). Colours that a screen cannot show lose chroma, never lightness or hue.
"""

import math
import pathlib

ENTRIES = 256

# name: (what it is for, control points at equal distances, whether lightness runs evenly between the ends)
MAPS = {
    "viridis": ("purple, blue, green, yellow; even lightness",
                [(0.28, 0.13, 318), (0.36, 0.13, 284), (0.44, 0.105, 262), (0.52, 0.085, 226), (0.60, 0.09, 188),
                 (0.68, 0.135, 161), (0.76, 0.175, 143), (0.84, 0.19, 122), (0.92, 0.19, 104)], True),
    "magma": ("black, violet, pink, cream; even lightness",
              [(0.12, 0.03, 275), (0.23, 0.09, 284), (0.33, 0.145, 298), (0.44, 0.17, 318), (0.55, 0.175, 350),
               (0.66, 0.17, 14), (0.76, 0.14, 40), (0.87, 0.10, 70), (0.98, 0.07, 108)], True),
    "inferno": ("black, violet, red, orange, pale yellow; even lightness",
                [(0.12, 0.03, 275), (0.23, 0.095, 292), (0.33, 0.145, 312), (0.44, 0.16, 342), (0.55, 0.175, 12),
                 (0.66, 0.185, 38), (0.76, 0.165, 64), (0.87, 0.155, 90), (0.98, 0.11, 110)], True),
    "plasma": ("blue, magenta, orange, yellow; even lightness",
               [(0.29, 0.18, 267), (0.37, 0.205, 289), (0.45, 0.22, 311), (0.53, 0.20, 333), (0.61, 0.175, 2),
                (0.69, 0.165, 31), (0.78, 0.155, 62), (0.86, 0.165, 90), (0.94, 0.20, 112)], True),
    "cividis": ("blue, grey, yellow; even lightness, for every kind of colour vision",
                [(0.26, 0.09, 256), (0.42, 0.05, 266), (0.59, 0.012, 95), (0.75, 0.09, 98), (0.92, 0.18, 102)], True),
    "turbo": ("a smooth rainbow; lightness rises, then falls",
              [(0.25, 0.08, 312), (0.46, 0.17, 275), (0.64, 0.185, 260), (0.76, 0.14, 222), (0.83, 0.155, 172),
               (0.88, 0.21, 144), (0.90, 0.22, 126), (0.88, 0.18, 102), (0.80, 0.165, 73), (0.70, 0.185, 47),
               (0.59, 0.195, 35), (0.47, 0.175, 30), (0.36, 0.145, 28)], False),
    "coolwarm": ("blue, light grey, red; for values about zero",
                 [(0.47, 0.18, 270), (0.62, 0.155, 267), (0.765, 0.115, 264), (0.86, 0.055, 262), (0.90, 0.0, 262),
                  (0.86, 0.055, 48), (0.765, 0.12, 41), (0.62, 0.165, 30), (0.47, 0.18, 23)], False),
    "twilight": ("grey, blue, dark violet, red, grey; closes, for angles",
                 [(0.895, 0.015, 325), (0.75, 0.06, 245), (0.58, 0.11, 270), (0.40, 0.145, 291), (0.25, 0.07, 319),
                  (0.40, 0.125, 2), (0.58, 0.12, 24), (0.75, 0.075, 50), (0.895, 0.015, 325)], False),
    "gray": ("black to white", None, True),
}


def linear_rgb(lab):
    lightness, a, b = lab
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)


def displayable(lab):
    return all(-1e-6 <= v <= 1 + 1e-6 for v in linear_rgb(lab))


def within_reach(lab):
    """The same lightness and hue, with as much of the chroma as a screen can show."""
    if displayable(lab):
        return lab
    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        if displayable((lab[0], lab[1] * middle, lab[2] * middle)):
            low = middle
        else:
            high = middle
    return (lab[0], lab[1] * low, lab[2] * low)


def encoded(value):
    value = min(max(value, 0.0), 1.0)
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def cubic(points, t, closed):
    """A Catmull-Rom curve through points at equal distances, t from 0 to 1."""
    last = len(points) - 1
    at = min(int(t * last), last - 1)
    u = t * last - at

    def point(i):
        if closed:
            return points[i % last]
        if 0 <= i <= last:
            return points[i]
        end, inner = (points[0], points[1]) if i < 0 else (points[last], points[last - 1])
        return tuple(2 * e - n for e, n in zip(end, inner))

    p = [point(at + k) for k in (-1, 0, 1, 2)]
    return tuple(b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)))
                 for a, b, c, d in zip(*p))


def colours(points, even):
    if points is None:
        return [(k, k, k) for k in range(ENTRIES)]
    labs = [(l, c * math.cos(math.radians(h)), c * math.sin(math.radians(h))) for l, c, h in points]
    closed = points[0] == points[-1]
    result = []
    for k in range(ENTRIES):
        t = k / (ENTRIES - 1)
        lab = cubic(labs, t, closed)
        if even:
            lab = (points[0][0] + (points[-1][0] - points[0][0]) * t, lab[1], lab[2])
        result.append(tuple(encoded(v) for v in linear_rgb(within_reach(lab))))
    return result


def main():
    folder = pathlib.Path(__file__).resolve().parent
    for name, (purpose, points, even) in MAPS.items():
        lines = [f"# {name}: {purpose}.", "# A re-creation, written by make.py. One entry a line: red, green, blue."]
        lines += ["%02x%02x%02x" % colour for colour in colours(points, even)]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
