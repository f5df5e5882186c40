"""Compares the documents' statements and the rules of the architecture with the tree.

usage: house_test.py SOURCE_ROOT SIMSCOPE
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1])
SIMSCOPE = sys.argv[2]
SOURCE = {".h", ".cpp", ".cu", ".cuh"}


def sources(folder):
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in SOURCE]


def includes(path):
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.M)


class Walls(unittest.TestCase):
    def test_sims_know_nothing_of_windows_or_opengl(self):
        for path in sources("sims"):
            for name in includes(path):
                self.assertIsNone(re.match(r"(GL/|GLFW/|glad/|imgui|app/|cuda_gl_interop)", name), f"{path}: {name}")

    def test_compute_does_not_know_core_nor_core_a_simulation(self):
        for path in sources("sims/compute"):
            for name in includes(path):
                self.assertFalse(name.startswith("sims/") and not name.startswith("sims/compute/"), f"{path}: {name}")
        for path in sources("sims/core"):
            for name in includes(path):
                known = ("sims/compute/", "sims/core/", "sims/foreign/")
                self.assertFalse(name.startswith("sims/") and not name.startswith(known), f"{path}: {name}")
        for path in sources("sims/foreign"):
            for name in includes(path):
                known = ("sims/compute/error.h", "sims/foreign/")
                self.assertFalse(name.startswith("sims/") and not name.startswith(known), f"{path}: {name}")

    def test_export_knows_pictures_only(self):
        for path in sources("app/export"):
            for name in includes(path):
                self.assertIsNone(re.match(r"(sims/core|app/render|app/gui|app/session|app/recording|app/scene|imgui|glad)", name),
                                  f"{path}: {name}")

    def test_session_knows_no_window_nor_render_a_session(self):
        for folder in ("app/session", "app/recording", "app/scene", "app/render"):
            for path in sources(folder):
                for name in includes(path):
                    self.assertFalse(name.startswith("app/gui/"), f"{path}: {name}")
        for path in sources("app/session"):
            for name in includes(path):
                self.assertIsNone(re.match(r"(imgui|GLFW|glad)", name), f"{path}: {name}")
        for path in sources("app/render"):
            for name in includes(path):
                self.assertIsNone(re.match(r"app/(session|recording|scene|export)/", name), f"{path}: {name}")

    def test_every_source_has_a_header_of_its_name(self):
        # walk_cuda.cu and runner_commands.cpp implement parts of walk.h and runner.h.
        for path in sources("app") + sources("sims"):
            if path.suffix == ".h" or path.stem.endswith("_test") or path.stem in ("main", "registry"):
                continue
            words = path.stem.split("_")
            if (ROOT / "app/lab/lessons") in path.parents:
                # Part of lesson.h's declarations, under the name in the list.
                known = (ROOT / "app/lab/lessons.def").read_text(encoding="utf-8")
                if any(f"({'_'.join(words[:count])})" in known for count in range(len(words), 0, -1)):
                    continue
            names = ["_".join(words[:count]) + ".h" for count in range(len(words), 0, -1)]
            self.assertTrue(any((path.parent / folder / name).is_file() for name in names for folder in (".", "detail")),
                            f"{path.relative_to(ROOT)}: no header of its name, nor of the name that it begins with")

    def test_no_folder_has_more_than_some_forty_sources(self):
        for top in ("app", "sims", "tests"):
            for folder in [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]:
                count = sum(path.suffix in SOURCE | {".py"} for path in folder.iterdir())
                self.assertLessEqual(count, 45, f"{folder.relative_to(ROOT)}: make rooms by purpose")


class Documents(unittest.TestCase):
    def test_readme_shows_every_simulation(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        told = subprocess.run([SIMSCOPE, "list", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
        for each in json.loads(told):
            name, title = each["id"], each["title"]
            cell = f"[![{title}](docs/media/{name}.png)](sims/{name}/README.md)<br>{title}"
            self.assertTrue(cell in readme, f"README.md has no {cell}")
            self.assertTrue((ROOT / f"docs/media/{name}.png").is_file(), f"{name}: docs/pictures.py draws its picture")

    def test_the_book_lists_every_simulation_as_the_program_does(self):
        table = subprocess.run([SIMSCOPE, "list", "--markdown"], check=True, stdout=subprocess.PIPE, text=True).stdout
        page = (ROOT / "docs/simulations.md").read_text(encoding="utf-8")
        for line in table.strip().splitlines():
            line = line.replace("](sims/", "](../sims/")
            self.assertTrue(line in page, f"docs/simulations.md has no {line}: docs/build.py SIMSCOPE --table writes it")

    def test_every_simulation_has_its_page(self):
        lines = (ROOT / "sims/registry.def").read_text(encoding="utf-8")
        for folder in re.findall(r"^SIMSCOPE_SIMULATION\((\w+)\)", lines, re.M):
            self.assertTrue((ROOT / "sims" / folder / "README.md").is_file(), folder)


class Build(unittest.TestCase):
    def test_ctest_is_told_of_the_tests_of_every_folder(self):
        build = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertLess(build.index("enable_testing()"), build.index("add_subdirectory("))


class Script(unittest.TestCase):
    def test_dev_lists_its_verbs_and_refuses_others(self):
        answer = subprocess.run([ROOT / "dev"], stdout=subprocess.PIPE, text=True, check=True).stdout
        for verb in ("run", "test", "build", "package", "install", "icon", "bench", "docs", "format", "clean"):
            self.assertRegex(answer, rf"(?m)^  {verb}\b")
        refused = subprocess.run([ROOT / "dev", "fly"], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(refused.returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
