import inspect
import json
import os

from support import Case, command, simscope


class Describe(Case):
    def test_the_list_is_the_programs(self):
        own = json.loads(command("list", "--json"))
        listed = simscope.list()
        self.assertEqual([each.id for each in listed], [each["id"] for each in own])
        tunneling = next(each for each in listed if each.id == "tunneling")
        self.assertEqual(tunneling.title, "Tunnelling wavepacket")
        self.assertIn("double_barrier", " ".join(tunneling.presets))

    def test_parameters_have_ranges_units_and_choices(self):
        parameters = simscope.describe("tunneling").parameters
        height, potential = parameters["barrier_height"], parameters["potential"]
        self.assertEqual((height.kind, height.minimum, height.maximum, height.range, height.unit, height.default, height.live),
                         ("real", 0, 20, "0 to 20", "ħ²/(m·length²)", 1.5, True))
        self.assertEqual((potential.kind, potential.minimum, potential.choices[:2]),
                         ("choice", None, ("barrier", "double_barrier")))
        self.assertEqual((parameters["grid_points"].live, parameters["absorbing_edges"].default), (False, True))

    def test_presets_diagnostics_views_and_arrays_are_there(self):
        described = simscope.describe("tunneling")
        self.assertEqual(described.presets["tunnelling"].changes, {"barrier_height": 2.5, "barrier_width": 2})
        self.assertEqual(described.presets["tunnelling"].flaw, "")
        self.assertNotEqual(described.presets["document"].flaw, "")
        self.assertEqual(described.diagnostics["transmission"].exact_key, "transmission_exact")
        self.assertGreater(described.diagnostics["transmission"].tolerance, 0)
        self.assertGreater(described.diagnostics["energy_drift"].bound, 0)
        self.assertEqual(list(described.views), ["wave"])
        self.assertEqual((described.state_array, described.arrays["psi"].dtype), ("psi", "<c8"))
        self.assertEqual(described.json, json.loads(command("describe", "tunneling", "--json")))
        for part in ("barrier_height", "0 to 20", "resonant_double_barrier", "transmission_exact", "iħ ∂ψ/∂t"):
            self.assertIn(part, repr(described))

    def test_every_simulation_is_described_and_its_keys_are_free(self):
        taken = {}
        for call in (simscope.run, simscope.render, simscope.sweep):
            for each in inspect.signature(call).parameters.values():
                if each.kind is each.KEYWORD_ONLY:
                    taken.setdefault(each.name, call.__name__)
        for summary in simscope.list():
            described = simscope.describe(summary.id)
            self.assertEqual(tuple(described.presets), summary.presets)
            self.assertIn(described.state_array, described.arrays)
            self.assertTrue(described.diagnostics)
            for key in described.parameters:
                self.assertTrue(key.isidentifier(), key)
                self.assertNotIn(key, taken, f"{summary.id}'s parameter {key} is an argument of {taken.get(key)}()")

    def test_the_package_has_the_programs_version(self):
        self.assertEqual(simscope.program_version(), simscope.__version__)

    def test_the_cpu_is_a_device(self):
        self.assertIn("cpu", [each["id"] for each in simscope.devices()])

    def test_a_program_that_was_replaced_is_asked_again(self):
        answer = self.folder / "answer.json"
        for count, simulation in enumerate(("tunneling", "heat")):
            answer.write_text(command("describe", simulation, "--json"), encoding="utf-8")
            program = self.fake(f"cat '{answer}'")
            os.utime(program, ns=(count, count))
            for _ in range(2):
                self.assertEqual(simscope.describe("tunneling", program=program).id, simulation)
            answer.unlink()  # cached descriptions need no program
            self.assertEqual(simscope.describe("tunneling", program=program).id, simulation)
