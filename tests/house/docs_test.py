"""The front page and the book: their lengths, links, pictures, and examples.

usage: docs_test.py SOURCE_ROOT SIMSCOPE

Commands in the pages are code blocks of the language `sh`, or indented. A block after a line `<!-- run -->` is run, in
its page's folder; Python blocks likewise. In all other blocks, options, simulations, presets, and keys must exist.
"""
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1]).resolve()
SIMSCOPE = str(pathlib.Path(sys.argv[2]).resolve())
MOST_WORDS = {"README.md": 700}
MOST_LINES = {"CONTRIBUTING.md": 150}
MOST_LINES_OF_DOCS = 200
RUN = "<!-- run -->"


def documents():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
            *sorted((ROOT / "docs/design").glob("*.md"))]


def name_of(path):
    return str(path.relative_to(ROOT))


@functools.cache
def blocks(path):
    """(line, language, marked to run, lines) of each code block; and the other lines of the page as text, without
    code."""
    found, prose, block = [], [], None
    marked, before = False, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"\s*```\s*(\w*)", line)
        if block and block[4] == "fence":
            if fence:
                found.append(tuple(block[:4]))
                block = None
            else:
                block[3].append(line)
        elif fence:
            block = [number, fence.group(1), marked, [], "fence"]
            marked = False
        elif line.startswith("    ") and (block or not before.strip()) and not re.match(r"\s*([-*]|\d+\.)\s", before):
            if not block:
                block = [number, "", False, [], "indented"]
            block[3].append(line[4:])
        else:
            if block and line.strip():
                found.append(tuple(block[:4]))
                block = None
            if line.strip():
                marked = line.strip() == RUN
            prose.append(re.sub(r"`[^`]*`", "`code`", line))
        before = line
    if block:
        found.append(tuple(block[:4]))
    return found, "\n".join(prose)


@functools.cache
def anchors(path):
    """The anchors of a page's headings, as GitHub and pandoc make them."""
    made = {}
    text = "\n".join(line for line in re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8")).splitlines())
    for heading in re.findall(r"(?m)^#{1,6} +(.*?) *#*$", text):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        made[slug] = made.get(slug, -1) + 1
        if made[slug]:
            made[f"{slug}-{made[slug]}"] = 0
    return set(made)


def links(path):
    return re.findall(r"\]\(([^)\s]+)\)", blocks(path)[1])


def asked(*words):
    return subprocess.run([SIMSCOPE, *words], stdout=subprocess.PIPE, check=True, text=True).stdout


@functools.cache
def options_of(command):
    return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", asked(*command.split(), "--help")))


@functools.cache
def commands():
    return set(re.findall(r"(?m)^ +(\w+) {2,}", re.split(r"(?i)\n(?:sub)?commands:", asked("--help"))[1]))


@functools.cache
def simulations():
    return {each["id"] for each in json.loads(asked("list", "--json"))}


@functools.cache
def described(simulation):
    told = json.loads(asked("describe", simulation, "--json"))
    return {kind: {each["key"] for each in told[kind]} for kind in ("presets", "parameters", "diagnostics", "views")}


def typed(path):
    """(line, words) of every command of simscope in the page."""
    for first, language, _, lines in blocks(path)[0]:
        if language not in ("", "sh", "console", "bash"):
            continue
        whole = ""
        for number, line in enumerate(lines, first + 1):
            whole += line
            if whole.endswith("\\"):
                whole = whole[:-1]
                continue
            line, whole = whole, ""
            if not re.match(r"\s*(simscope(\s|$)|(mpirun|srun|ssh)\s.* simscope\s)", line):
                continue
            line = re.split(r" {3,}", line)[0] if not language else line  # a comment beside the command
            words = shlex.split(re.split(r" [|·] ", line)[0], comments=True)
            yield number, words[words.index("simscope") + 1:]


def faults(words):
    """The faults of a command; empty: none."""
    if not words or words[0] in ("--version", "--help"):
        return
    command, rest = (words[0], words[1:]) if words[0] in commands() else ("gui", words)
    options = options_of(command)
    subject, values = None, {}
    i = 0
    while i < len(rest):
        word = rest[i]
        if re.match(r"--?[a-zA-Z]", word):
            option, _, value = word.partition("=")
            if option not in options:
                yield f"simscope {command} has no option {option}"
            if not value and i + 1 < len(rest) and not re.match(r"--[a-z]", rest[i + 1]):
                value = rest[i + 1]
                i += 1
            values.setdefault(option, []).append(value)
        elif subject is None:
            subject = word
        i += 1
    if command == "judge":
        subject, _, preset = values.get("--scene", [""])[0].partition(":")
        values["--preset"] = [preset] if preset else []
    if command not in ("gui", "run", "render", "sweep", "bench", "judge", "describe") or not subject or "." in subject:
        return
    if subject not in simulations():
        yield f"there is no simulation {subject}"
        return
    known = described(subject)
    for option, kind, mark in (("--preset", "presets", None), ("--set", "parameters", "="),
                               ("--param", "parameters", "="), ("--measure", "diagnostics", None),
                               ("--view", "views", None)):
        for value in values.get(option, []):
            key = value.partition(mark)[0] if mark else value
            if key not in known[kind]:
                yield f"{subject} has no {key} among its {kind}"


class Lengths(unittest.TestCase):
    def test_words(self):
        for name, most in MOST_WORDS.items():
            count = len((ROOT / name).read_text(encoding="utf-8").split())
            self.assertLessEqual(count, most, f"{name} has {count} words: move some of it to docs/")

    def test_lines(self):
        for path in documents():
            name = name_of(path)
            most = MOST_LINES.get(name, MOST_LINES_OF_DOCS)
            count = len(path.read_text(encoding="utf-8").splitlines())
            self.assertLessEqual(count, most, f"{name} has {count} lines: make two pages of it")


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        for path in documents() + sorted((ROOT / "sims").glob("*/README.md")) + [ROOT / "app/lab/README.md"]:
            for link in links(path):
                if re.match(r"[a-z]+:", link):
                    continue
                file, _, anchor = link.partition("#")
                target = (path.parent / file).resolve() if file else path
                with self.subTest(page=name_of(path), link=link):
                    self.assertTrue(target.exists(), f"{name_of(path)}: {link} does not exist")
                    if anchor and target.suffix == ".md":
                        self.assertIn(anchor, anchors(target), f"{name_of(path)}: {link} has no such heading")

    def test_every_page_is_in_the_contents(self):
        contents = links(ROOT / "docs/README.md")
        for path in sorted((ROOT / "docs").glob("*.md")):
            if path.name != "README.md":
                self.assertIn(path.name, contents, "docs/README.md does not list it")

    def test_pages_begin_with_their_contents(self):
        for path in sorted((ROOT / "docs").glob("*.md")):
            if path.name in ("README.md", "glossary.md"):
                continue
            start = path.read_text(encoding="utf-8").split("\n## ")[0]
            for heading in re.findall(r"(?m)^## +(.*)$", "\n".join(blocks(path)[1].splitlines())):
                self.assertIn(f"- [{heading}](#", start, f"{name_of(path)}: not in its contents")


class Site(unittest.TestCase):
    @unittest.skipUnless(shutil.which("pandoc"), "pandoc is not installed")
    def test_has_every_page_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder)
            subprocess.run([sys.executable, ROOT / "docs/build.py", SIMSCOPE, site, "--no-gallery"], check=True,
                           stderr=subprocess.DEVNULL)
            pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
            self.assertGreater(len(pages), len(documents()))
            for page, text in pages.items():
                for link in re.findall(r'(?:href|src)="([^"]*)"', text):
                    file, _, anchor = link.partition("#")
                    target = (page.parent / file).resolve() if file else page
                    if re.match(r"[a-z]+:", link) or target == site / "gallery.html":
                        continue
                    self.assertTrue(target.is_file(), f"{page.relative_to(site)}: {link} does not exist")
                    if anchor and target in pages:
                        self.assertIn(f'id="{anchor}"', pages[target], f"{page.relative_to(site)}: {link}")


class Examples(unittest.TestCase):
    def test_commands_exist(self):
        count = 0
        for path in documents():
            for line, words in typed(path):
                count += 1
                for fault in faults(words):
                    self.fail(f"{name_of(path)}, line {line}: {fault}")
        self.assertGreater(count, 60, "the pages' commands were not found")

    def test_python_is_python(self):
        for path in documents():
            for line, language, _, lines in blocks(path)[0]:
                if language == "python":
                    compile("\n".join(lines), f"{name_of(path)}, line {line}", "exec")

    def test_marked_ones_run(self):
        count = 0
        for path in documents():
            with tempfile.TemporaryDirectory() as scratch:
                os.symlink(SIMSCOPE, pathlib.Path(scratch) / "simscope")
                work = pathlib.Path(scratch) / "work"
                work.mkdir()
                around = {**os.environ, "PATH": scratch + os.pathsep + os.environ["PATH"], "SIMSCOPE": SIMSCOPE,
                          "PYTHONPATH": str(ROOT / "app/python"), "SIMSCOPE_STATE_DIR": scratch,
                          "PYTHONDONTWRITEBYTECODE": "1"}
                for line, language, marked, lines in blocks(path)[0]:
                    if not marked:
                        continue
                    count += 1
                    program = [sys.executable, "-"] if language == "python" else ["bash", "-euo", "pipefail"]
                    done = subprocess.run(program, input="\n".join(lines) + "\n", cwd=work, env=around, text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, check=False)
                    self.assertEqual(done.returncode, 0, f"{name_of(path)}, line {line}:\n{done.stdout[-3000:]}")
        self.assertGreater(count, 15, "the marked examples were not found")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
