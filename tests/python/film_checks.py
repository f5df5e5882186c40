import base64
import struct

from support import PLATE, Case, command, simscope

SMALL = {"size": (160, 90), "frames": 3, **PLATE}
SAME = ["--size", "160x90", "--frames", "3", "--set", "grid_points=64"]


def chunks(png):
    """The types of a PNG's chunks."""
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        found.append(png[at + 4:at + 8].decode("ascii"))
        at += length + 12
    return found


class Render(Case):
    def test_a_film_is_the_file_that_the_program_writes(self):
        own = self.folder / "own.gif"
        command("render", "heat", *SAME, "--out", str(own))
        film = simscope.render("heat", **SMALL)
        self.assertEqual(film.bytes, own.read_bytes())
        self.assertEqual((film.bytes[:6], struct.unpack_from("<HH", film.bytes, 6)), (b"GIF89a", (160, 90)))
        self.assertIsNone(film.path)
        again = simscope.render("heat", out=self.folder / "again.gif", **SMALL)
        self.assertEqual(again.path, self.folder / "again.gif")
        self.assertEqual((again.path.read_bytes(), again.bytes), (film.bytes, film.bytes))

    def test_what_is_chosen_is_drawn(self):
        options = {"view": "isotherms", "theme": "print", "colormap": "viridis", "steps_per_frame": 2, "fps": 20,
                   "options": {"reversed": True, "isolines": False, "range": "0:0.5"}, "seed": 3, "preset": "random_insulated"}
        film = simscope.render("heat", **options, **SMALL)
        own = self.folder / "own.gif"
        command("render", "heat", *SAME, "--view", "isotherms", "--theme", "print", "--colormap", "viridis",
                "--steps-per-frame", "2", "--fps", "20", "--reversed", "--range", "0:0.5", "--seed", "3", "--preset", "random_insulated",
                "--out", str(own))
        self.assertEqual(film.bytes, own.read_bytes())

    def test_a_picture_and_an_animated_one_are_pngs(self):
        picture = simscope.render("tunneling", format="png", frames=3, frame=1, size="160x90", grid_points=256,
                                  options={"show": ["re", "im"]})
        animated = simscope.render("heat", format="apng", **SMALL)
        self.assertEqual(picture.bytes[:8], b"\x89PNG\r\n\x1a\n")
        self.assertNotIn("acTL", chunks(picture.bytes))
        self.assertIn("acTL", chunks(animated.bytes))
        for film in (picture, animated):
            self.assertEqual(film.mime, "image/png")
            self.assertEqual(film._repr_png_(), film.bytes)
            self.assertIsNone(film._repr_html_())
            self.assertEqual(base64.b64decode(film._repr_mimebundle_()["image/png"]), film.bytes)

    def test_a_notebook_has_one_representation_of_a_gif(self):
        film = simscope.Film(None, b"GIF89a...", ".gif")
        page = f'<img src="data:image/gif;base64,{base64.b64encode(film.bytes).decode()}">'
        self.assertEqual(film._repr_html_(), page)
        self.assertIsNone(film._repr_png_())
        self.assertEqual(film._repr_mimebundle_(), {"text/plain": "<Film gif, 9 bytes>", "text/html": page})
        self.assertEqual(film._repr_mimebundle_(include={"text/html"}), {"text/html": page})
        self.assertEqual(film._repr_mimebundle_(exclude={"text/html"}), {"text/plain": "<Film gif, 9 bytes>"})
        video = simscope.Film(None, b"x", ".mp4")
        self.assertRegex(video._repr_html_(), '^<video src="data:video/mp4;base64,')

    def test_what_is_no_film_is_refused_before_anything_runs(self):
        missing = {"program": self.folder / "nowhere"}
        self.refused(ValueError, "one of gif, png, apng, webp, mp4, webm", simscope.render, "heat", format="bmp", **missing)
        self.refused(ValueError, "the name of a film must end in", simscope.render, "heat", out="u.npy", **missing)
        self.refused(ValueError, "does not end in .png", simscope.render, "heat", out="u.gif", format="png", **missing)
        self.refused(ValueError, "a film is one file", simscope.render, "heat", options={"sequence": True},
                     program=self.fake("exit 0"))

    def test_what_the_program_refuses_leaves_nothing(self):
        out = self.folder / "u.gif"
        self.refused(simscope.ParameterError, "did you mean 'diffusivity'", simscope.render, "heat", out=out, difusivity=1)
        self.assertFalse(out.exists())
        out.write_bytes(b"mine")
        self.refused(simscope.ParameterError, "u.gif' already exists: pass overwrite=True to overwrite it", simscope.render,
                     "heat", out=out, **SMALL)
        self.assertEqual(out.read_bytes(), b"mine")
        simscope.render("heat", out=out, overwrite=True, **SMALL)
        self.assertEqual(out.read_bytes()[:6], b"GIF89a")


class Save(Case):
    def test_saving_is_whole_and_overwrites_only_when_told(self):
        film = simscope.Film(None, b"GIF89a...", ".gif")
        target = self.folder / "film.gif"
        self.assertEqual(film.save(target), target)
        self.assertEqual(target.read_bytes(), film.bytes)
        other = simscope.Film(None, b"GIF89a other", ".gif")
        self.refused(FileExistsError, "pass overwrite=True", other.save, target)
        self.assertEqual(target.read_bytes(), film.bytes)
        other.save(str(target), overwrite=True)
        self.assertEqual(target.read_bytes(), other.bytes)
        self.refused(ValueError, 'format="png"', film.save, self.folder / "film.png")
        with self.assertRaises(FileNotFoundError):
            film.save(self.folder / "none/film.gif")
        self.assertEqual([each.name for each in self.folder.iterdir()], ["film.gif"])

    def test_a_film_that_was_moved_away_still_has_a_name(self):
        film = simscope.Film(self.folder / "gone.gif", None, ".gif")
        self.assertIn("gone.gif", repr(film))
        with self.assertRaises(FileNotFoundError):
            film.bytes
