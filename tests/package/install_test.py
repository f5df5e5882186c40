"""./dev install and ./dev uninstall: the program runs from its installed place, and nothing remains after
uninstalling."""
import gzip
import os
import pathlib
import re
import tempfile
import unittest

from support import BUILD, ROOT, VERSION, errors_of, main, run


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.prefix = self.folder / "where ever" / "it is"

    def dev(self, verb, *words):
        # The tree under test, without a build of its own.
        return run(ROOT / "dev", verb, *words, env={**os.environ, "SIMSCOPE_INSTALLED": str(BUILD)})

    def test_brings_a_program_that_runs_from_there(self):
        self.dev("install", self.prefix)
        program = self.prefix / "bin/simscope"
        self.assertIn(VERSION, run(program, "--version", cwd="/"))
        self.assertIn("tunneling", run(program, "list", cwd="/"))
        scene = self.prefix / "share/simscope/scenes/over_barrier.json"
        run(program, "render", scene, "--size", "160x90", "--frame", 0, "--device", "cpu", "--out", self.folder / "a.png")
        self.assertTrue((self.folder / "a.png").read_bytes().startswith(b"\x89PNG"))
        share = self.prefix / "share"
        for name in ("applications/simscope.desktop", "mime/packages/simscope.xml", "icons/hicolor/48x48/apps/simscope.png",
                     "metainfo/org.simscope.simscope.metainfo.xml", "bash-completion/completions/simscope",
                     "zsh/vendor-completions/_simscope", "fish/vendor_completions.d/simscope.fish", "doc/simscope/copyright"):
            self.assertTrue((share / name).is_file(), name)
        self.assertEqual(gzip.decompress((share / "man/man1/simscope.1.gz").read_bytes()).decode(), run(program, "manual"))
        for shell, name in (("bash", "bash-completion/completions/simscope"), ("zsh", "zsh/vendor-completions/_simscope"),
                            ("fish", "fish/vendor_completions.d/simscope.fish")):
            self.assertEqual((share / name).read_text(encoding="utf-8"), run(program, "completion", shell))

    def test_is_undone_without_a_trace(self):
        self.dev("install", self.prefix)
        self.dev("uninstall", self.prefix)
        self.assertEqual(files(self.folder), [])

    def test_leaves_what_was_there(self):
        there = {"bin/other": "mine", "share/applications/other.desktop": "[Desktop Entry]\nType=Application\nName=O\nExec=o\n",
                 "share/simscope/notes": "mine"}
        for name, text in there.items():
            (self.prefix / name).parent.mkdir(parents=True, exist_ok=True)
            (self.prefix / name).write_text(text, encoding="utf-8")
        (self.prefix / "share/man").mkdir()
        (self.prefix / "share").chmod(0o2770)
        before = files(self.folder)
        self.dev("install", self.prefix)
        self.dev("install", self.prefix)  # over itself
        self.assertGreater(len(files(self.folder)), len(before) + 20)
        self.dev("uninstall", self.prefix)
        self.assertEqual(files(self.folder), before)
        self.assertEqual((self.prefix / "share").stat().st_mode & 0o7777, 0o2770)
        for name, text in there.items():
            self.assertEqual((self.prefix / name).read_text(encoding="utf-8"), text)

    def test_is_refused_where_it_is_not_and_where_nobody_may_write(self):
        self.assertIn("not installed", errors_of(ROOT / "dev", "uninstall", self.prefix, status=1))
        (self.folder / "file").touch()
        told = errors_of(ROOT / "dev", "install", self.folder / "file", status=1,
                         env={**os.environ, "SIMSCOPE_INSTALLED": str(BUILD)})
        self.assertIn("cannot be written", told)
        self.assertEqual(files(self.folder), ["file"])

    def test_needs_no_folder_of_the_build(self):
        self.dev("install", self.prefix)
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.name not in ("simscope", "installed"):
                self.assertIsNone(re.search(re.escape(str(BUILD)).encode(), path.read_bytes()), path)


if __name__ == "__main__":
    main()
