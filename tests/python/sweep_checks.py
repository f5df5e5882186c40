import math

from support import WAVE, Case, needs_numpy, numpy, simscope

HEIGHTS = (1, 3, 3)


class Sweep(Case):
    def test_each_run_is_the_one_that_is_made_alone(self):
        sweep = simscope.sweep("tunneling", {"barrier_height": HEIGHTS}, ["transmission", "norm"], steps=50, **WAVE)
        self.assertEqual(sweep.columns, ("barrier_height", "time", "transmission", "transmission_exact", "norm"))
        self.assertEqual((len(sweep), sweep.shape, list(sweep["barrier_height"])), (3, (3,), [1, 2, 3]))
        self.assertEqual(sweep.failures, [])
        for index, height in enumerate((1, 2, 3)):
            alone = simscope.run("tunneling", barrier_height=height, steps=50, arrays=False, **WAVE)
            self.assertEqual(sweep["transmission_exact"][index], alone.diagnostics["transmission_exact"])
            self.assertTrue(math.isclose(sweep["norm"][index], alone.diagnostics["norm"], rel_tol=1e-6))
            self.assertEqual(sweep["time"][index], alone.time)
        self.assertIn("3 runs of 50 steps", repr(sweep))
        self.assertEqual(set(dict(sweep)), set(sweep.columns))
        with self.assertRaisesRegex(KeyError, "'energy' was not measured; columns: barrier_height,"):
            sweep["energy"]

    @needs_numpy
    def test_over_two_parameters_it_has_the_shape_of_a_table(self):
        sweep = simscope.sweep("tunneling", {"barrier_height": (1, 3, 3), "barrier_width": (1, 4, 2, "log")}, "transmission",
                               steps=1, **WAVE)
        self.assertEqual(sweep.shape, (2, 3))
        self.assertEqual(sweep["barrier_height"].reshape(sweep.shape).tolist(), [[1, 2, 3]] * 2)
        self.assertEqual(sweep["barrier_width"].reshape(sweep.shape).tolist(), [[1] * 3, [4] * 3])
        self.assertIsInstance(sweep["transmission"], numpy.ndarray)

    def test_a_value_that_has_no_meaning_is_nan(self):
        with self.assertWarnsRegex(simscope.SimscopeWarning, "error has no meaning here"):
            sweep = simscope.sweep("tunneling", {"barrier_height": "1:2:2"}, "error", steps=1, **WAVE)
        self.assertTrue(all(math.isnan(each) for each in sweep["error"]))

    def test_lists_are_values_and_tuples_are_ranges(self):
        def heights(given):
            return list(simscope.sweep("tunneling", {"barrier_height": given}, "norm", steps=1, **WAVE)["barrier_height"])
        self.assertEqual(heights([1, 2, 3]), [1, 2, 3])
        self.assertEqual(heights([3, 0.1, 2]), [3, 0.1, 2])
        self.assertEqual(heights(range(1, 4)), [1, 2, 3])
        self.assertEqual(heights({1.5: "a", 2: "b"}.keys()), [1.5, 2])
        self.assertEqual(heights((1, 2, 3)), [1, 1.5, 2])
        self.refused(ValueError, "two values or more", simscope.sweep, "tunneling", {"barrier_height": [1]}, "norm")
        self.refused(TypeError, "neither a range", simscope.sweep, "tunneling", {"barrier_height": [[1, 2]]}, "norm")
        for no_values in (b"12", bytearray(b"12"), memoryview(b"12"), {1: 2, 3: 4}):
            self.refused(TypeError, "neither a range", simscope.sweep, "tunneling", {"barrier_height": no_values}, "norm",
                         steps=1)
        self.refused(simscope.ParameterError, "1 is listed twice", simscope.sweep, "tunneling",
                     {"barrier_height": [1, 1]}, "norm", steps=1)

    def test_a_text_among_others_is_one_value(self):
        for given in (["1,2", "3"], ["1:3:3", "2"], ["1:2", "3:4"], ("1:2", 3, "log"), ("1,5", 3, 3), ["max(1,2)", 3]):
            with self.subTest(given=given):
                self.refused(ValueError, "is one item, and no single value; write decimals with a point", simscope.sweep,
                             "tunneling", {"barrier_height": given}, "norm", steps=1)
        found = simscope.sweep("tunneling", {"barrier_height": ["1/2", "3/2"]}, "norm", steps=1, **WAVE)
        self.assertEqual(list(found["barrier_height"]), [0.5, 1.5])

    @needs_numpy
    def test_arrays_are_values(self):
        for given in (numpy.array([1, 3, 2]), numpy.array([1, 3, 2], dtype=numpy.float32)):
            sweep = simscope.sweep("tunneling", {"barrier_height": given}, "norm", steps=1, **WAVE)
            self.assertEqual(sweep["barrier_height"].tolist(), [1, 3, 2])
        self.refused(TypeError, "neither a range", simscope.sweep, "tunneling",
                     {"barrier_height": numpy.ones((2, 2))}, "norm")

    @needs_numpy
    def test_masked_values_and_times_are_no_numbers(self):
        for given in (numpy.ma.array([1.0, 2, 3], mask=[0, 1, 0]), numpy.array([1, 2], "timedelta64[ns]"),
                      numpy.array([1, 2], "datetime64[ns]")):
            self.refused(TypeError, "barrier_height", simscope.sweep, "tunneling", {"barrier_height": given}, "norm", steps=1)
        for value in (numpy.ma.masked, numpy.ma.array(2.0, mask=True), numpy.ma.array([2.0], mask=[True]),
                      numpy.timedelta64(2, "ns")):
            self.refused(TypeError, "barrier_height", simscope.run, "tunneling", steps=1, barrier_height=value)
        shown = simscope.run("tunneling", steps=1, barrier_height=numpy.ma.array(2.0, mask=False))
        self.assertEqual(shown.parameters["barrier_height"], 2)

    def test_parameters_without_values_are_refused(self):
        for over in (["barrier_height"], "barrier_height=1:2:2", [("barrier_height", [1, 2])], None):
            self.refused(TypeError, "give the values of each parameter", simscope.sweep, "tunneling", over, "norm", steps=1)

    def test_ranges_and_warnings_are_told(self):
        self.refused(ValueError, "barrier_height = (1, 3): a tuple is a range, (from, to, count)", simscope.sweep,
                     "tunneling", {"barrier_height": (1, 3)}, "norm", steps=1)
        with self.assertWarnsRegex(simscope.SimscopeWarning, "^2 of 2 runs: The packet reaches") as caught:
            simscope.sweep("tunneling", {"barrier_height": (1, 2, 2)}, "norm", steps=1, grid_points=256, packet_center=-90)
        self.assertEqual(caught.filename, __file__)
