import math

from support import WAVE, Case, command, needs_numpy, numpy, report, simscope

SHORT = [f"--set={key}={value}" for key, value in WAVE.items()]


class Run(Case):
    def test_a_result_is_the_programs_own_report(self):
        result = simscope.run("tunneling", barrier_height=2, steps=40, **WAVE)
        own = report("run", "tunneling", "--set", "barrier_height=2", *SHORT, "--steps", "40")
        for each in (result.report, own):
            del each["timing"]
        self.assertEqual(result.report, own)
        self.assertEqual(result.diagnostics, own["diagnostics"])
        self.assertEqual(result.parameters["barrier_height"], 2)
        self.assertEqual(result.parameters["packet_width"], 5)  # in force, though not set
        self.assertEqual((result.simulation, result.preset, result.steps, result.seed, result.device),
                         ("tunneling", "over_barrier", 40, 1, "cpu"))
        self.assertAlmostEqual(result.time, 0.4)

    def test_preset_seed_and_values_of_every_kind_arrive(self):
        with self.assertWarnsRegex(simscope.SimscopeWarning, "the seed does nothing"):
            result = simscope.run("tunneling", preset="two_packets", steps=1, seed=2**63 + 1, arrays=False,
                                  precision="float64", absorbing_edges=False, packet_momentum="1/4",
                                  parameters={"second_phase": -0.1, "grid_points": 256})
        own = result.parameters
        self.assertEqual((result.preset, result.seed), ("two_packets", 2**63 + 1))
        self.assertEqual((own["precision"], own["absorbing_edges"], own["packet_momentum"], own["second_phase"]),
                         ("double", False, 0.25, -0.1))
        self.assertIs(own["second_packet"], True)  # the preset's

    @needs_numpy
    def test_numbers_of_numpy_arrive_with_all_their_digits(self):
        width = numpy.float64(1) / 3
        result = simscope.run("tunneling", steps=numpy.int64(3), arrays=False, barrier_width=width,
                              absorbing_edges=numpy.bool_(False), **WAVE)
        self.assertEqual((result.steps, result.parameters["barrier_width"]), (3, width))
        self.assertIs(result.parameters["absorbing_edges"], False)

    def test_without_steps_it_runs_to_the_presets_end(self):
        preset = simscope.describe("tunneling").presets["free_spreading"]
        result = simscope.run("tunneling", preset="free_spreading", arrays=False, **WAVE)
        self.assertEqual(result.steps, preset.steps)
        self.assertEqual(preset.steps, preset.json["frames"] * preset.json["steps_per_frame"])
        first = next(iter(simscope.describe("pinn").presets.values()))
        self.assertGreater(first.steps, 1)
        self.refused(ValueError, "number of steps", simscope.run, "some/scene.json")
        self.refused(simscope.ParameterError, "has no preset 'fast'", simscope.run, "tunneling", preset="fast")

    def test_what_has_no_value_is_none(self):
        result = simscope.run("tunneling", steps=1, arrays=False, **WAVE)
        self.assertIsNone(result.diagnostics["error"])
        self.assertNotIn("error", repr(result))

    def test_a_diagnostic_has_title_unit_exact_value_and_bound(self):
        result = simscope.run("tunneling", steps=10, arrays=False, **WAVE)
        described = {each["key"]: each for each in simscope.describe("tunneling").json["diagnostics"]}
        self.assertEqual(list(result.info), list(result.diagnostics))
        transmission, drift = result.info["transmission"], result.info["norm_drift"]
        self.assertEqual(transmission.title, "Transmission T")
        self.assertEqual(transmission.exact_key, "transmission_exact")
        self.assertEqual(transmission.exact, result.diagnostics["transmission_exact"])
        self.assertTrue(0 < transmission.exact < 1)
        self.assertIsNone(transmission.bound)
        self.assertEqual(drift.bound, described["norm_drift"]["bound"])
        self.assertEqual((drift.exact, drift.exact_key), (None, None))
        self.assertEqual(result.info["energy"].unit, "ħ²/(m·length²)")

    def test_people_read_it_in_terminal_and_notebook(self):
        result = simscope.run("tunneling", steps=10, **WAVE)
        self.assertRegex(repr(result), r"(?m)^tunneling: 10 steps to t = 0\.1 on cpu\n  norm +[\d.]+ +Norm ")
        self.assertIn("  absorbed ", repr(result))
        page = result._repr_html_()
        self.assertIn("<th>exact</th>", page)
        self.assertIn("<td>Norm ∫|ψ|²dx</td>", page)

    def test_a_kept_snapshot_goes_on_bit_for_bit(self):
        half = self.folder / "half.npz"
        first = simscope.run("tunneling", steps=20, snapshot=half, arrays=False, **WAVE)
        self.assertEqual(first.arrays, {})
        second = simscope.run(half, steps=20)
        whole = simscope.run("tunneling", steps=40, **WAVE)
        self.assertEqual((second.steps, second.time), (40, whole.time))
        self.assertEqual(bytes(second.array), bytes(whole.array))
        self.assertEqual(second.diagnostics, whole.diagnostics)
        before = half.read_bytes()
        self.refused(simscope.ParameterError, "half.npz", simscope.run, "tunneling", steps=1, snapshot=half, **WAVE)
        self.assertEqual(half.read_bytes(), before)
        kept = simscope.run("tunneling", steps=1, snapshot=half, overwrite=True, **WAVE)
        self.assertNotEqual(half.read_bytes(), before)
        self.assertIn("psi", kept.arrays)
        with self.assertRaisesRegex(AttributeError, "arrays=False"):
            first.array

    def test_what_the_program_notes_is_a_warning_at_the_callers_line(self):
        with self.assertWarnsRegex(simscope.SimscopeWarning, "barrier_gap does nothing here") as caught:
            simscope.run("tunneling", steps=1, barrier_gap=3, arrays=False, **WAVE)
        self.assertEqual(caught.filename, __file__)
        with self.assertWarnsRegex(simscope.SimscopeWarning, r"exceeds 2π.* Cure: time_step=0\.") as caught:
            result = simscope.run("tunneling", preset="document", steps=800, arrays=False)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual([each["key"] for each in result.warnings], ["time_step"])
        self.assertIn(result.warnings[0]["message"], repr(result))


class Arrays(Case):
    @needs_numpy
    def test_the_state_is_numpys_and_the_programs(self):
        result = simscope.run("tunneling", steps=30, **WAVE)
        psi = result.arrays["psi"]
        self.assertEqual((psi.dtype, psi.shape), (numpy.complex64, (256,)))
        self.assertIs(result.array, psi)
        saved = self.folder / "psi.npy"
        command("run", "tunneling", *SHORT, "--steps", "30", "--save", str(saved))
        self.assertEqual(psi.tobytes(), numpy.load(saved).tobytes())
        norm = numpy.sum(numpy.abs(psi.astype(complex))**2) * result.parameters["domain_length"] / psi.size
        self.assertTrue(math.isclose(norm, result.diagnostics["norm"], rel_tol=1e-6))
        self.assertIn("ψ", result.array_info["psi"].what)

    @needs_numpy
    def test_a_state_of_many_arrays_begins_with_the_main_one(self):
        result = simscope.run("nbody", steps=1, bodies=64)
        self.assertEqual(next(iter(result.arrays)), simscope.describe("nbody").state_array)
        self.assertEqual(result.arrays["position"].shape, (64, 3))
        self.assertEqual(result.arrays["group"].dtype, numpy.int32)
        kinetic = numpy.sum(result.arrays["mass"][:, None] * result.arrays["velocity"]**2) / 2
        self.assertTrue(math.isclose(kinetic, result.diagnostics["kinetic_energy"], rel_tol=1e-9))
