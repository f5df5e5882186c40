"""The model of many devices: it recovers its own law from computed points, has the right growth, and refuses bad data."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))

try:
    import scaling
except ImportError as error:
    print(f"skipped: {error}: install python3-numpy")
    sys.exit(77)

LINK = [{"bytes": 8, "seconds": 10e-6}, {"bytes": 65536, "seconds": 10e-6}, {"bytes": 268435456, "seconds": 1e-3}]
LATENCY, BANDWIDTH = 10e-6, 268435456 / 1e-3


def halo(start, rate, share, hidden):
    """A field of which each rank sends an edge to one neighbour each step, part of it hidden."""
    points = []
    for size in (4096, 8192, 16384, 32768):
        for ranks in (1, 2):
            work, sent = size * size, 64 * size if ranks > 1 else 0
            seconds = start + work / ranks / rate
            if ranks > 1:
                link = LATENCY + sent / BANDWIDTH
                seconds += share + (1 - hidden) * link + max(0, hidden * link - work / ranks / rate)
            points.append({"simulation": "heat", "series": "", "size": size, "ranks": ranks, "step_s": seconds,
                           "work": work, "work_unit": "cells/s", "exchanges": ranks - 1, "messages": ranks - 1,
                           "bytes": sent, "collectives": 0, "division": "slabs", "most_ranks": size // 16})
    return points


def set_of(points):
    return {"form": scaling.FORM, "device": "GPU", "link": {"name": "made up", "points": LINK}, "points": points}


class Scaling(unittest.TestCase):
    def test_finds_what_the_points_were_made_of(self):
        for hidden in (0, 0.5, 1):
            model = scaling.Model(halo(3e-6, 2e12, 20e-6, hidden), LINK)
            self.assertAlmostEqual(model.start, 3e-6, delta=2e-7)
            self.assertAlmostEqual(model.rate / 2e12, 1, delta=1e-3)
            self.assertAlmostEqual(model.hidden, hidden, delta=0.05)
            self.assertAlmostEqual(model.share, 20e-6, delta=1e-6)
            self.assertLess(model.worst_residual, 2e-3)
            self.assertTrue(model.judged)

    def test_tells_how_far_it_is_off(self):
        points = halo(3e-6, 2e12, 0, 1)
        points[-1]["step_s"] *= 1.3
        self.assertGreater(scaling.Model(points, LINK).worst_residual, 0.05)

    def test_a_halo_stays_as_large_and_a_transpose_is_divided(self):
        rows = halo(0, 2e12, 0, 0)
        turned = [dict(each) for each in rows]
        for each in turned:
            if each["ranks"] > 1:
                each["bytes"] = 8 * each["work"] / 4
                each["step_s"] = each["work"] / 2 / 2e12 + LATENCY + each["bytes"] / BANDWIDTH
        self.assertEqual(scaling.pattern_of(rows), "halo")
        self.assertEqual(scaling.pattern_of(turned), "transpose")
        by_rows, by_transposes = scaling.Model(rows, LINK), scaling.Model(turned, LINK)
        # Between two neighbours twice as much is sent as to one, and no more after that.
        two, four = by_rows.at(32768, 2).link, by_rows.at(32768, 4).link
        self.assertAlmostEqual(four / two, 2, delta=1e-6)
        self.assertAlmostEqual(by_rows.at(32768, 64).link, four, delta=1e-9)
        # (P - 1)/P² of the field.
        sent = 8 * 32768**2 * 7 / 64
        self.assertAlmostEqual(by_transposes.at(32768, 8).link, 7 * LATENCY + sent / BANDWIDTH, delta=1e-6)

    def test_between_machines_the_network_counts(self):
        model = scaling.Model(halo(0, 2e12, 0, 0), LINK)
        network = scaling.Network(8, 100e-6, 1e9)
        self.assertEqual(model.at(32768, 8, network).link, model.at(32768, 8).link)
        self.assertAlmostEqual(model.at(32768, 16, network).link, 100e-6 + 64 * 32768 / 1e9, delta=1e-7)

    def test_grows_by_size_as_the_work_does(self):
        model = scaling.Model(halo(0, 2e12, 0, 1), LINK)
        self.assertAlmostEqual(model.at(65536, 1).seconds / model.at(32768, 1).seconds, 4, delta=1e-3)
        self.assertEqual(model.size_for(8192, 16), 32768)

    def test_more_parts_than_a_run_has_are_not_possible(self):
        model = scaling.Model(halo(0, 2e12, 0, 0), LINK)
        lines = list(scaling.lines_of(model, 4096, (256, 257), scaling.Network()))
        self.assertEqual([each.possible for each in lines], [True, False])

    def test_needs_points_of_one_and_of_several(self):
        points = halo(0, 2e12, 0, 0)
        for few, link in (([p for p in points if p["ranks"] == 1], LINK), (points, [])):
            with self.assertRaises(ValueError):
                scaling.Model(few, link)

    def test_where_points_determine_no_costs_those_of_one_device_count(self):
        points = [each for each in halo(0, 2e12, 0, 0) if each["size"] < 16384]
        for each in points:  # noise: two devices are faster than their link
            each["step_s"] = (2e-8 if each["size"] == 4096 else 1e-8) if each["ranks"] == 1 else 1e-9
        model = scaling.Model(points, LINK)
        self.assertAlmostEqual(model.rate * 2e-8 / 4096**2, 1)
        self.assertGreater(model.worst_residual, 1)

    def test_two_points_judge_nothing(self):
        self.assertFalse(scaling.Model(halo(3e-6, 2e12, 20e-6, 0)[:2], LINK).judged)

    def test_a_strangers_file_is_refused_by_name_and_fault(self):
        def told(text):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "points.json"
                file.write_text(text)
                with self.assertRaisesRegex(ValueError, "points.json") as caught:
                    scaling.read(str(file))
                return str(caught.exception)

        for text in ("[]", "not JSON", "[" * 200000):
            told(text)
        self.assertIn("is not of the form", told('{"form": "else"}'))
        points = halo(0, 1e12, 0, 0)
        points[0]["step_s"] = -1
        self.assertIn("a point has step_s = -1", told(json.dumps(set_of(points))))
        del points[0]["division"]
        self.assertIn("measure again", told(json.dumps(set_of(points))))

    def test_a_chart_has_a_curve_for_each_size_and_one_of_the_ideal(self):
        models = [scaling.Model(halo(0, 2e12, 0, 0), LINK)]
        self.assertEqual(scaling.chart(models, 64, scaling.Network(), "GPU").count("<polyline"), 5)


if __name__ == "__main__":
    unittest.main()
