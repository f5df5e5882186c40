"""simscope.render: an animation or a picture, without a display."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._describe import Program
from ._film import TYPES, Film
from ._program import call, changes, find, option, options, text_of


def _suffix(out: str | os.PathLike[str] | None, format: str | None) -> str:
    known = ", ".join(each.lstrip(".") for each in TYPES)
    if format is not None and f".{format}" not in TYPES:
        raise ValueError(f"format = {format!r}: it must be one of {known}")
    if out is None:
        return f".{format or 'gif'}"
    suffix = Path(out).suffix.lower()
    if suffix not in TYPES:
        raise ValueError(f"out = {os.fspath(out)!r}: the name of a film must end in one of {known}")
    if format is not None and suffix != f".{format}":
        raise ValueError(f"out = {os.fspath(out)!r} does not end in .{format}, the given format")
    return suffix


def _size(size: str | tuple[int, int] | None) -> str | None:
    return size if size is None or isinstance(size, str) else "x".join(text_of(each) for each in size)


def render(simulation: str | os.PathLike[str], /, *, preset: str | None = None, frames: int | None = None,
           out: str | os.PathLike[str] | None = None, format: str | None = None, size: str | tuple[int, int] | None = None,
           fps: float | None = None, frame: int | None = None, steps_per_frame: int | None = None, view: str | None = None,
           theme: str | None = None, colormap: str | None = None, seed: int | None = None, device: str | None = None,
           threads: int | None = None, overwrite: bool = False, options: Mapping[str, Any] | None = None,
           parameters: Mapping[str, Any] | None = None, program: Program = None, **more: Any) -> Film:
    """Draws a simulation, without a display: render("heat", frames=60, size=(480, 270)).

    simulation, preset, parameters, seed, device, program: as in run().
    out: the file to write; without it only the film's `bytes` has the result. It must not exist without overwrite.
    format: "gif" (the default without out), "png" (a picture: the last frame, or `frame`), "apng"; or by out's ending,
        which may also be .webp, .mp4, or .webm (they need ffmpeg).
    frames, steps_per_frame: number of frames and their distance; the preset's by default. size: (width, height) in pixels.
    view, theme, colormap: as `simscope render --help` lists them.
    options: any other option of `simscope render`: {"isolines": True, "camera": "30:60", "show": ["re", "im"]}.

    ParameterError: an argument is refused; nothing was written. ProgramError: it failed; no partial file is left.
    """
    suffix = _suffix(out, format)
    path = find(program)
    arguments = ["render", *option("preset", preset), *option("frames", frames), *option("size", _size(size)),
                 *option("fps", fps), *option("frame", frame), *option("steps-per-frame", steps_per_frame),
                 *option("view", view), *option("theme", theme), *option("colormap", colormap), *option("seed", seed),
                 *option("device", device), *option("threads", threads), *_more(options),
                 *changes({**(parameters or {}), **more})]
    if overwrite:
        arguments.append("--force")
    what = ["--", os.fspath(simulation)]
    if out is not None:
        call(path, [*arguments, f"--out={os.fspath(out)}", *what])
        return Film(Path(out), None, suffix)
    with tempfile.TemporaryDirectory(prefix="simscope-") as folder:
        file = Path(folder, f"film{suffix}")
        call(path, [*arguments, f"--out={file}", *what])
        return Film(None, file.read_bytes(), suffix)


def _more(given: Mapping[str, Any] | None) -> list[str]:
    if given and any(name.replace("_", "-") in ("out", "sequence") for name in given):
        raise ValueError("options: a film is one file; run the program itself for numbered pictures and several files")
    return options(given or {})
