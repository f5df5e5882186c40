"""The files beside the program: menu entry, icon, MIME types, description; and the same version in all of them."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

from support import BUILD, ICON, MADE, ROOT, SIMSCOPE, VERSION, errors_of, main, needs, run, without_display

PACKAGING = ROOT / "packaging"
sys.path.insert(0, str(PACKAGING))
from machine_code import machine_code  # noqa: E402
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


class Version(unittest.TestCase):
    def test_is_the_one_in_cmakelists_wherever_it_is_told(self):
        self.assertRegex(run(SIMSCOPE, "--version"), rf"^simscope {re.escape(VERSION)} \(")
        self.assertIn(f'"simscope {VERSION}"', run(SIMSCOPE, "manual"))
        releases = tree.parse(MADE / "org.simscope.simscope.metainfo.xml").getroot().findall("releases/release")
        self.assertEqual([each.get("version") for each in releases], [VERSION])
        self.assertRegex((MADE / "changelog.Debian").read_text(encoding="utf-8"), rf"^simscope \({re.escape(VERSION)}-1\) ")
        self.assertTrue((MADE / "copyright").read_text(encoding="utf-8").startswith(f"simscope {VERSION}\n"))

    def test_stands_nowhere_else(self):
        for path in [*PACKAGING.rglob("*"), *(ROOT / "app").rglob("*.cpp"), *(ROOT / "app").rglob("CMakeLists.txt")]:
            if path.is_file() and path.suffix != ".png":
                for line in path.read_text(encoding="utf-8").splitlines():
                    told = re.search(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])", line)
                    self.assertFalse(told and "cmake -D" not in line, f"{path}: {line}")


class Program(unittest.TestCase):
    @needs("readelf")
    def test_needs_nothing_of_cuda_to_start(self):
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", SIMSCOPE))
        self.assertIn("libc.so.6", needed)
        self.assertEqual([name for name in needed if re.match(r"lib(cu|nv)", name)], [])


class MachineCode(unittest.TestCase):
    """For NVIDIA cards. Packages are for all cards in use; a build for tests may be for one."""

    def test_packages_are_for_all_from_ampere_to_blackwell_and_carry_ptx(self):
        told = (ROOT / "cmake/SimscopeCuda.cmake").read_text(encoding="utf-8")
        real = re.search(r"foreach\(each ([\d ]+)\)", told).group(1).split()
        self.assertEqual(real, ["80", "86", "89", "90", "100", "120"])
        self.assertIn("set(CMAKE_CUDA_ARCHITECTURES 75-virtual)\n    foreach", told)
        # CMake's own answer, if there is a toolkit; nothing is built.
        nvcc = shutil.which("nvcc") or next((each for each in ("/usr/local/cuda/bin/nvcc",) if os.path.exists(each)), None)
        if not nvcc:
            self.skipTest("no CUDA toolkit")
        known = run(nvcc, "--list-gpu-code").split()
        script = (f"set(SIMSCOPE_PACKAGE ON)\nset(CMAKE_CUDA_COMPILER {nvcc})\nfunction(check_language)\nendfunction()\n"
                  "function(enable_language)\nendfunction()\nfunction(find_package)\nendfunction()\n"
                  f"include({ROOT}/cmake/SimscopeCuda.cmake)\nmessage(\"${{CMAKE_CUDA_ARCHITECTURES}}\")\n")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "asked.cmake")
            file.write_text(script, encoding="utf-8")
            said = errors_of("cmake", "-P", file, status=0).strip().splitlines()[-1].split(";")
        self.assertEqual(said, ["75-virtual", *(f"{each}-real" for each in real if f"sm_{each}" in known)])

    def test_the_program_has_what_its_build_asked_for_in_every_kernel(self):
        rules = (BUILD / "build.ninja") if (BUILD / "build.ninja").exists() else (BUILD / "compile_commands.json")
        asked = set()
        for codes in re.findall(r"--generate-code=arch=compute_\d+,code=\[([^]]+)\]", rules.read_text(encoding="utf-8")):
            for each in codes.split(","):
                kind, number = each.split("_")
                asked.add(f"{number}-{'real' if kind == 'sm' else 'virtual'}")
        if not asked:
            self.assertEqual(machine_code(pathlib.Path(SIMSCOPE).read_bytes()), {}, "built without CUDA")
            return
        self.assertEqual(set(machine_code(pathlib.Path(SIMSCOPE).read_bytes())), asked)
        run(sys.executable, PACKAGING / "machine_code.py", SIMSCOPE, *asked)
        lacking = errors_of(sys.executable, PACKAGING / "machine_code.py", SIMSCOPE, *asked, "20-real", status=1)
        self.assertIn("20-real", lacking)


class MenuEntry(unittest.TestCase):
    def entry(self):
        lines = (PACKAGING / "simscope.desktop").read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    @needs("desktop-file-validate")
    def test_is_valid(self):
        self.assertEqual(run("desktop-file-validate", PACKAGING / "simscope.desktop"), "")

    def test_opens_the_kinds_of_files_that_are_described(self):
        entry = self.entry()
        self.assertEqual(entry["Exec"], "simscope %f")
        known = [each.get("type") for each in tree.parse(PACKAGING / "simscope.xml").getroot().iter(MIME + "mime-type")]
        self.assertEqual(entry["MimeType"].strip(";").split(";"), known)
        provided = tree.parse(MADE / "org.simscope.simscope.metainfo.xml").getroot().findall("provides/mediatype")
        self.assertEqual([each.text for each in provided], known)

    def test_has_the_name_that_the_window_tells(self):
        window = (ROOT / "app/gui/window/window.cpp").read_text(encoding="utf-8")
        self.assertIn(f'GLFW_X11_CLASS_NAME, "{self.entry()["StartupWMClass"]}"', window)

    @needs("appstreamcli")
    def test_is_described_validly(self):
        words = ["appstreamcli", "validate", "--no-net", MADE / "org.simscope.simscope.metainfo.xml"]
        try:
            run(*words)
        except AssertionError as told:
            # Newer ones require a homepage, which a build of the bare sources does not have (SIMSCOPE_HOMEPAGE).
            if "url-homepage-missing" not in str(told):
                raise
            run(*words, "--override=url-homepage-missing=info")


def kinds_of(head, name):
    """The types in packaging/simscope.xml that match a file, by its first bytes and by its name."""
    by_bytes, by_name = [], []
    for kind in tree.parse(PACKAGING / "simscope.xml").getroot().iter(MIME + "mime-type"):
        def matches(match):
            value = match.get("value").replace("\\003", "\3").replace("\\004", "\4").encode()
            first, _, last = match.get("offset").partition(":")
            places = range(int(first), int(last or first) + 1)
            inner = match.findall(MIME + "match")
            return any(head[i:i + len(value)] == value for i in places) and (not inner or any(map(matches, inner)))
        if any(map(matches, kind.findall(f"{MIME}magic/{MIME}match"))):
            by_bytes.append(kind.get("type"))
        if any(pathlib.PurePath(name).match(each.get("pattern")) for each in kind.findall(MIME + "glob")):
            by_name.append(kind.get("type"))
    return by_bytes, by_name


class Files(unittest.TestCase):
    SCENE, SNAPSHOT = "application/vnd.simscope.scene+json", "application/vnd.simscope.snapshot+zip"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.snapshot = self.folder / "cold.simscope.npz"
        run(SIMSCOPE, "run", "heat", "--steps", 1, "--device", "cpu", "--save-snapshot", self.snapshot)

    def test_of_ours_are_known_by_name_and_by_their_first_bytes(self):
        self.assertEqual(kinds_of(self.snapshot.read_bytes()[:512], self.snapshot.name), ([self.SNAPSHOT], [self.SNAPSHOT]))
        for scene in (ROOT / "assets/scenes").glob("*.json"):
            self.assertEqual(kinds_of(scene.read_bytes()[:512], scene.stem + ".simscope.json"), ([self.SCENE], [self.SCENE]))

    def test_of_others_are_left_to_them(self):
        self.assertEqual(kinds_of(b'{"name": "simscope"}', "package.json"), ([], []))
        self.assertEqual(kinds_of(b"PK\3\4" + bytes(26) + b"arr_0.npy", "data.npz"), ([], []))

    @needs("update-mime-database")
    def test_are_known_to_the_desktop(self):
        (self.folder / "mime/packages").mkdir(parents=True)
        (self.folder / "mime/packages/simscope.xml").write_bytes((PACKAGING / "simscope.xml").read_bytes())
        run("update-mime-database", self.folder / "mime")
        known = (self.folder / "mime/globs2").read_text(encoding="utf-8")
        self.assertIn(f"{self.SCENE}:*.simscope.json\n", known)
        self.assertIn(f"{self.SNAPSHOT}:*.simscope.npz\n", known)

    def test_open_as_a_double_click_opens_them(self):
        scene = self.folder / "mine.simscope.json"
        scene.write_bytes((ROOT / "assets/scenes/over_barrier.json").read_bytes())
        icon = self.folder / "icon.png"
        icon.write_bytes((PACKAGING / "icons/512.png").read_bytes())
        for file, simulation in ((scene, "tunneling"), (self.snapshot, "heat"), (icon, "tunneling")):
            # There is no display here: the error message shows what was opened.
            told = errors_of(SIMSCOPE, file, status=1, env=without_display())
            self.assertIn(f"simscope render {simulation} ", told)


class Icon(unittest.TestCase):
    """packaging/icons contains the output of `./dev icon`: app/icon, from a run of `tunneling`."""

    def test_is_what_the_program_draws(self):
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("python3-pil is not installed")
        with tempfile.TemporaryDirectory() as name:
            run(ICON, name)
            drawn = sorted(pathlib.Path(name).iterdir(), key=lambda path: int(path.stem))
            self.assertEqual([path.stem for path in drawn], ["16", "22", "24", "32", "48", "64", "128", "256", "512"])
            for path in drawn:
                new, kept = (Image.open(file).convert("RGBA") for file in (path, PACKAGING / "icons" / path.name))
                self.assertEqual(new.size, (int(path.stem),) * 2)
                self.assertEqual(kept.size, new.size)
                # Compilers round differently, by one level.
                worst = max(abs(a - b) for a, b in zip(new.tobytes(), kept.tobytes()))
                self.assertLessEqual(worst, 2, f"{path.name} is not as stored: ./dev icon draws it anew")

    def test_has_its_scene_in_it(self):
        self.assertIn(b'tEXtsimscope\0', (PACKAGING / "icons/256.png").read_bytes())

    def test_of_every_size_is_installed(self):
        rules = (PACKAGING / "CMakeLists.txt").read_text(encoding="utf-8")
        sizes = re.search(r"foreach\(size ([\d ]+)\)", rules).group(1).split()
        self.assertEqual(sorted(sizes), sorted(path.stem for path in (PACKAGING / "icons").glob("*.png")))


if __name__ == "__main__":
    main()
