"""A rendered animation or picture, for a notebook's cell or a file."""

from __future__ import annotations

import base64
import os
from collections.abc import Container
from pathlib import Path
from typing import Any

# MIME type by the file's ending. Browsers show an animated PNG as a PNG.
TYPES = {".gif": "image/gif", ".png": "image/png", ".apng": "image/png", ".webp": "image/webp", ".mp4": "video/mp4",
         ".webm": "video/webm"}


class Film:
    """The result of simscope.render(). A notebook displays it at the end of a cell.

    path: the file, or None if only `bytes` has it.   suffix: ".gif", ".png", ...   mime: "image/gif", ...
    """

    def __init__(self, path: Path | None, data: bytes | None, suffix: str) -> None:
        self.path = path
        self.suffix = suffix
        self.mime = TYPES[suffix]
        self._data = data

    @property
    def bytes(self) -> bytes:
        """The content of the file; read at the first use if there is a path."""
        if self._data is None:
            self._data = self.path.read_bytes()
        return self._data

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
        """Writes it to a file, completely or not at all. The name must end in the film's suffix; else ValueError.
        FileExistsError unless overwrite."""
        target = Path(path)
        if target.suffix.lower() != self.suffix:
            raise ValueError(f"{target.name} does not end in {self.suffix}, the format of this film; "
                             f"render it with format=\"{target.suffix.lstrip('.') or 'gif'}\"")
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            part.write_bytes(self.bytes)
            if not overwrite:
                open(target, "xb").close()  # reserves the name, or fails
            os.replace(part, target)
        except FileExistsError as error:
            part.unlink(missing_ok=True)
            raise FileExistsError(error.errno, "it exists; pass overwrite=True to overwrite it", str(target)) from None
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        return target

    def _encoded(self) -> str:
        return base64.b64encode(self.bytes).decode("ascii")

    def _repr_png_(self) -> bytes | None:
        return self.bytes if self.mime == "image/png" else None

    def _repr_html_(self) -> str | None:
        # A PNG has its own representation; the notebook would save both.
        if self.mime == "image/png":
            return None
        source = f'src="data:{self.mime};base64,{self._encoded()}"'
        return f"<video {source} controls loop></video>" if self.mime.startswith("video/") else f"<img {source}>"

    def _repr_mimebundle_(self, include: Container[str] | None = None, exclude: Container[str] | None = None) -> dict[str, Any]:
        if self.mime == "image/png":
            bundle = {"text/plain": repr(self), "image/png": self._encoded()}
        else:
            bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return {key: value for key, value in bundle.items()
                if (not include or key in include) and (not exclude or key not in exclude)}

    def __repr__(self) -> str:
        return f"<Film {self.path}>" if self._data is None else f"<Film {self.suffix[1:]}, {len(self._data)} bytes>"
