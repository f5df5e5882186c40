import ast
import importlib.util
import shutil
import subprocess
import sys
import tomllib

from support import ROOT, Case, simscope

SOURCE = ROOT / "app/python"
EXAMPLES = SOURCE / "examples"


def example(name):
    specification = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Package(Case):
    def test_pip_installs_it_without_a_network(self):
        for module in ("pip", "setuptools", "wheel"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"no {module} for {sys.executable}: install python3-{module}")
        source, target = self.folder / "source", self.folder / "target"
        shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps",
                        "--no-compile", "--disable-pip-version-check", "--no-cache-dir", "--target", target, source],
                       check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", "TMPDIR": str(self.temporary)})
        answer = subprocess.run([sys.executable, "-c", "import simscope, importlib.metadata as m; "
                                 "print(simscope.__file__, m.version('simscope'), simscope.run.__name__)"],
                                check=True, stdout=subprocess.PIPE, text=True, cwd=self.folder,
                                env={"PYTHONPATH": str(target), "PYTHONDONTWRITEBYTECODE": "1"}).stdout
        self.assertEqual(answer.split(), [f"{target}/simscope/__init__.py", simscope.__version__, "run"])
        self.assertEqual(sorted(each.name for each in (target / "simscope").iterdir()),
                         sorted(each.name for each in (SOURCE / "simscope").glob("*.py")))

    def test_it_needs_nothing_but_the_standard_library(self):
        project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        self.assertNotIn("dependencies", project)
        for path in (SOURCE / "simscope").glob("*.py"):
            for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [part.name for part in each.names] if isinstance(each, ast.Import) else []
                if isinstance(each, ast.ImportFrom) and each.level == 0:
                    names = [each.module]
                for name in names:
                    self.assertTrue(name.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}")

    def test_all_that_is_promised_is_there(self):
        for name in simscope.__all__:
            self.assertTrue(getattr(simscope, name).__doc__, name)


class Examples(Case):
    def test_the_measured_curve_is_the_exact_one(self):
        energies, measured, exact = example("tunneling_curve").curve(3)
        self.assertEqual(energies[0], 1.5**2 / 2)
        self.assertTrue(exact[0] < 0.01 < 0.5 < exact[-1])
        for each, right in zip(measured, exact):
            self.assertAlmostEqual(each, right, delta=0.005)

    def test_the_film_of_heat_shows_itself(self):
        cell = example("heat_film")
        cell.SMALL, cell.SIZE = {"grid_points": 64, "spot_size": 9}, (160, 90)
        self.assertIn("<img src=", cell.film(2)._repr_html_())
        measured, exact, there = cell.centre(30)
        self.assertAlmostEqual(measured, exact, delta=5e-4)
        self.assertAlmostEqual(measured, there, delta=0.05)
        self.assertGreater(measured, 0.01)
