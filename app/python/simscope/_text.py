"""Tables for people: in a terminal, and in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def number(value: Any) -> str:
    """Six digits; a dash for a missing value."""
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table(rows: Iterable[Sequence[Any]]) -> str:
    """Columns side by side, two spaces before each line."""
    cells = [[number(each) for each in row] for row in rows]
    if not cells:
        return ""
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in cells)
    return "".join(f"  {line}".rstrip() + "\n" for line in lines)


def html_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], caption: str) -> str:
    """The same for a notebook."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(number(each))}</td>" for each in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
