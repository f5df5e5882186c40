#!/usr/bin/env python3
"""Makes a static site of the Markdown pages, with a gallery of every preset.

usage: build.py SIMSCOPE OUT [--no-gallery] [--seconds S]
       build.py SIMSCOPE --table          rewrites the table of docs/simulations.md

SIMSCOPE draws the gallery's pictures. OUT keeps them: the next build draws only what is missing. A preset has S seconds
(10) for its picture; a slower one is drawn at an earlier frame. Needs pandoc (2.17 or newer).
"""
import argparse
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOOK = ["README", "install", "simulations", "window", "recording", "command-line", "formulas", "python", "checking",
        "files", "many-gpus", "scaling", "speed", "lab", "glossary"]


def pages():
    """(heading of the menu, its pages as paths from the root), in the order of the menu."""
    def there(names):
        return [name for name in names if (ROOT / name).is_file()]

    book = [f"docs/{name}.md" for name in BOOK]
    others = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))
    folders = re.findall(r"^SIMSCOPE_SIMULATION\((\w+)\)", (ROOT / "sims/registry.def").read_text(encoding="utf-8"), re.M)
    return [
        ("", there(["README.md"])),
        ("The book", there(book + [name for name in others if name not in book])),
        ("Simulations", there([f"sims/{folder}/README.md" for folder in folders])),
        ("Development", there(["CONTRIBUTING.md", "CHANGELOG.md", "app/lab/README.md"]
                              + sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/design").glob("*.md")))),
    ]


def target_of(name):
    """The page of the site that a Markdown file becomes."""
    path = pathlib.PurePosixPath(name)
    return str(path.with_name("index.html" if path.name == "README.md" else path.stem + ".html"))


def title_of(name):
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            return line[2:].strip().replace("`", "")
    return pathlib.PurePosixPath(name).stem


def from_page(page, target):
    """`target`, a path from the root of the site, as a link from `page`."""
    return os.path.relpath(target, os.path.dirname(page) or ".")


def menu(page, titles):
    entries = {"README.md": "simscope", "docs/README.md": "Contents", "app/lab/README.md": "Lessons of the lab",
               **{f"sims/{name}/README.md": title for name, title in titles.items()}}
    out = []
    for heading, names in pages():
        items = []
        for name in names:
            here = ' aria-current="page"' if target_of(name) == page else ""
            label = html.escape(entries.get(name, title_of(name)))
            items.append(f'<li><a href="{from_page(page, target_of(name))}"{here}>{label}</a></li>')
        if not heading:
            here = ' aria-current="page"' if page == "gallery.html" else ""
            items.append(f'<li><a href="{from_page(page, "gallery.html")}"{here}>Gallery of presets</a></li>')
        out.append((f"<h2>{heading}</h2>" if heading else "") + "<ul>" + "".join(items) + "</ul>")
    return "".join(out)


def written(out, page, title, body, titles, wide=False):
    target = out / page
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(f"""<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}{"" if title == "simscope" else " · simscope"}</title>
<link rel="icon" href="{from_page(page, "style/icon.png")}">
<link rel="stylesheet" href="{from_page(page, "style/site.css")}">
</head>
<body>
<nav aria-label="Pages"><details open><summary>Pages</summary>{menu(page, titles)}</details></nav>
<main{' class="wide"' if wide else ""}>
{body}
</main>
<script>if (innerWidth < 900) document.querySelector("nav details").open = false</script>
</body>
</html>
""", encoding="utf-8")


def rewritten(body, name, out, known):
    """Links to Markdown become links to pages. Other files of the tree are copied into the site."""
    page = target_of(name)

    def replace(match):
        attribute, link = match.group(1), html.unescape(match.group(2))
        if re.match(r"[a-z]+:|#|/", link):
            return match.group(0)
        path, mark, anchor = link.partition("#")
        source = os.path.normpath(os.path.join(os.path.dirname(name), path))
        if source in known:
            return f'{attribute}="{from_page(page, target_of(source))}{mark}{anchor}"'
        if (ROOT / source).is_file():
            target = out / source
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, target)
            return f'{attribute}="{from_page(page, source)}{mark}{anchor}"'
        print(f"docs: {name} links to {link}, which does not exist", file=sys.stderr)
        return match.group(0)

    body = re.sub(r'\b(href|src)="([^"]*)"', replace, body)
    return body.replace("<table", '<div class="table"><table').replace("</table>", "</table></div>")


def picture(program, simulation, preset, target, seconds):
    """Draws the preset past its middle, or at an earlier frame where that takes too long. False: no frame in time."""
    if target.is_file():
        return True
    last = preset["frames"] - 1
    size = ["--size", "480x270", "--device", "auto"]
    for frame in (last * 6 // 10, last // 6, 0):
        work = [program, "render", simulation, "--preset", preset["key"], "--frame", str(frame), *size,
                "--out", str(target), "--force"]
        drawing = subprocess.Popen(work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if drawing.wait(seconds) == 0:
                return True
        except subprocess.TimeoutExpired:
            drawing.terminate()  # it removes its unfinished file
            drawing.wait()
    return False


def gallery(program, out, seconds, titles):
    """gallery.html: every preset of every simulation."""
    parts = ["<h1>Gallery of presets</h1>",
             "<p>Every preset of every simulation, drawn by the program. A click copies the command.</p>"]
    parts.append('<p class="jump">' + " · ".join(
        f'<a href="#{name}">{html.escape(title)}</a>' for name, title in titles.items()) + "</p>")
    (out / "gallery").mkdir(parents=True, exist_ok=True)
    for name, title in titles.items():
        described = json.loads(subprocess.run([program, "describe", name, "--json"], stdout=subprocess.PIPE,
                                              check=True).stdout)
        parts.append(f'<h2 id="{name}"><a href="sims/{name}/index.html">{html.escape(title)}</a></h2>'
                     f'<p>{html.escape(described["summary"])}</p><div class="presets">')
        for preset in described["presets"]:
            file = out / "gallery" / f"{name}-{preset['key']}.png"
            print(f"docs: {name} {preset['key']}", file=sys.stderr)
            if picture(program, name, preset, file, seconds):
                shown = f'<img src="gallery/{file.name}" width="480" height="270" loading="lazy" alt="">'
            else:
                shown = '<span class="none">too large to draw here</span>'
            command = f"simscope {name} --preset {preset['key']}"
            parts.append(f'<figure>{shown}<figcaption><strong>{html.escape(preset["title"])}</strong> '
                         f'{html.escape(preset["summary"])}<button data-command="{command}"><code>{command}</code></button>'
                         "</figcaption></figure>")
        parts.append("</div>")
    parts.append("""<script>
for (const each of document.querySelectorAll("button[data-command]"))
  each.onclick = () => navigator.clipboard && navigator.clipboard.writeText(each.dataset.command)
</script>""")
    written(out, "gallery.html", "Gallery of presets", "\n".join(parts), titles, wide=True)


def to_gallery(simulation):
    """On the page of a simulation: its picture, which opens its presets."""
    return (f'<a class="to-gallery" href="../../gallery.html#{simulation}"><img src="../../docs/media/{simulation}.png" '
            'width="320" height="200" alt="">Gallery of its presets</a>')


def site(program, out, with_gallery, seconds):
    (out / "style").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "docs/site.css", out / "style/site.css")
    shutil.copyfile(ROOT / "packaging/icons/64.png", out / "style/icon.png")
    told = subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, check=True).stdout
    titles = {each["id"]: each["title"] for each in json.loads(told)}
    known = {name for _, names in pages() for name in names}
    for name in sorted(known):
        body = subprocess.run(["pandoc", "--from", "gfm", "--to", "html5", "--no-highlight", "--wrap", "preserve",
                               str(ROOT / name)], stdout=subprocess.PIPE, check=True, text=True).stdout
        body = rewritten(body, name, out, known)
        if name.startswith("sims/") and (ROOT / f"docs/media/{name.split('/')[1]}.png").is_file():
            body = body.replace("</h1>", "</h1>" + to_gallery(name.split("/")[1]), 1)
        written(out, target_of(name), title_of(name), body, titles)
    if with_gallery:
        gallery(program, out, seconds, titles)
    elif not (out / "gallery.html").is_file():
        written(out, "gallery.html", "Gallery of presets", "<h1>Gallery of presets</h1><p>Not drawn: build without "
                "<code>--no-gallery</code>.</p>", titles)


def table(program):
    """The table of docs/simulations.md, as the program tells it."""
    page = ROOT / "docs/simulations.md"
    text = page.read_text(encoding="utf-8")
    told = subprocess.run([program, "list", "--markdown"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    told = told.replace("](sims/", "](../sims/")
    lines = re.compile(r"^\| Simulation \| What it shows.*?(?=\n\n|\Z)", re.M | re.S)
    page.write_text(lines.sub(lambda _: told, text, count=1), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Makes the site of simscope's book.")
    parser.add_argument("program")
    parser.add_argument("out", nargs="?", type=pathlib.Path)
    parser.add_argument("--no-gallery", action="store_true")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    if given.table:
        table(given.program)
    elif given.out is None:
        parser.error("no folder for the site")
    else:
        site(given.program, given.out, not given.no_gallery, given.seconds)


if __name__ == "__main__":
    main()
