"""simscope.show with arrays that say more than their numbers: masks, units, names, and coordinates. The libraries are not
needed: classes with the same protocols stand in for them. Where one is installed, its own arrays are shown, too."""
import importlib
import unittest
from collections import namedtuple

from simscope import _form, _host
from support import Case, needs_numpy, numpy

Given = namedtuple("Given", "data mask unit symbol x y")
UNSAID = dict(title="", symbol=None, unit="", range=None, x=None, y=None, x_unit="", y_unit="")


def given(array, **said):
    """What a window would be told of the array, and its numbers, without a window."""
    said = UNSAID | said
    said |= {key: _form.axis_of(key, said[key], said[f"{key}_unit"]) for key in ("x", "y")}
    own, turned = _form.labelled(said, array)
    data, mask = _host.numbers(_host.plain(array))
    if turned:
        data, mask = data.T, mask if mask is None else mask.T
    told = _form.described(own, data.shape, data.dtype.kind == "c")

    def axis(key):
        made = told.get(key)
        return made and (made["title"], made["unit"], made.get("low"), made.get("high"))

    return Given(data, mask, told["unit"], told.get("symbol"), axis("x"), axis("y"))


def needed(case, name):
    try:
        return importlib.import_module(name)
    except ImportError:
        case.skipTest(f"no {name}")


class Coordinates:
    """Like xarray's of a dimension."""

    def __init__(self, name, values, units=None):
        self.name, self.dims, self.coords = name, (name,), {}
        self.data, self.attrs = numpy.asarray(values), {} if units is None else {"units": units}
        self.shape = self.data.shape

    def __array__(self, *_, **__):
        return self.data


class Labelled:
    """Like xarray.DataArray."""

    def __init__(self, data, dims, coords, units=None, name=None):
        self.data, self.dims, self.coords, self.name = data, dims, coords, name
        self.attrs, self.shape = {} if units is None else {"units": units}, data.shape

    def __array__(self, *_, **__):
        return numpy.asarray(self.data)


class Index:
    """Like pandas.Index."""

    def __init__(self, values, name=None):
        self.values, self.name = numpy.asarray(values), name
        self.shape = self.values.shape

    def to_numpy(self, *_, **__):
        return self.values

    def __array__(self, *_, **__):
        return self.values


class Series(Index):
    """Like pandas.Series, of numbers that may be missing."""

    def __init__(self, values, index, name=None):
        super().__init__(numpy.asarray(values, dtype=object), name)
        self.index, self.attrs, self.dtype = index, {}, numpy.dtype("i8")

    def to_numpy(self, dtype=None, na_value=None):
        return numpy.array([na_value if each is None else each for each in self.values], dtype)


def quantity_class():
    class Quantity(numpy.ndarray):
        """Like astropy's: a subclass that no assignment to a plain array accepts."""

        unit = None

        def __array_function__(self, function, types, args, kwargs):
            raise TypeError("only dimensionless quantities can be converted")

        def tolist(self):
            raise NotImplementedError

        def __float__(self):
            raise TypeError("only dimensionless quantities can be converted")

    def made(values, unit):
        array = numpy.asarray(values, dtype="f8").view(Quantity)
        array.unit = unit
        return array
    return made


@needs_numpy
class Masks(Case):
    def test_a_masked_element_has_no_value(self):
        u = numpy.arange(16.0).reshape(4, 4)
        found = given(numpy.ma.masked_greater(u, 11))
        self.assertIs(type(found.data), numpy.ndarray)
        numpy.testing.assert_array_equal(found.mask, u > 11)
        self.assertIsNone(given(numpy.ma.array(u)).mask, "nothing is masked")

    def test_a_mask_stays_where_another_library_holds_the_array(self):
        class Held:
            def __array__(self, *_, **__):
                return numpy.ma.masked_less([1.0, 2, 3], 2)
        self.assertEqual(given(Held()).mask.tolist(), [True, False, False])

    def test_a_mask_stays_within_a_list(self):
        class Other:  # astropy's Masked
            shape = (2,)

            def __array__(self, *_, **__):
                return numpy.ma.array([5.0, 6], mask=[False, True])
        row, plain = numpy.ma.array([1.0, 2], mask=[False, True]), numpy.array([3.0, 4])
        for items, wanted in (([row, row], [[0, 1], [0, 1]]), ((plain, row), [[0, 0], [0, 1]]), ([Other(), [1, 2]], [[0, 1], [0, 0]]),
                              ([[1, numpy.ma.masked], [3, 4]], [[0, 1], [0, 0]]), ([1, numpy.ma.masked], [0, 1])):
            with self.subTest(items=items):
                self.assertEqual(given(items).mask.tolist(), numpy.array(wanted, bool).tolist())
        self.assertIsNone(given([plain, plain]).mask)
        self.refused(ValueError, "have different shapes: (), (2,)", given, [1, row])

    def test_masked_and_endless_coordinates_are_refused(self):
        for places, words in ((numpy.ma.masked_equal([0.0, 1, 2], 1), "element 1 is masked"), ([0, 1, numpy.inf], "element 2 is inf"),
                              ([0, numpy.nan, 2], "element 1 is nan"), ([0, 1e301, 2], "between -1e+300 and 1e+300")):
            self.refused(ValueError, words, given, numpy.zeros(3), x=places)


@needs_numpy
class Units(Case):
    def setUp(self):
        super().setUp()
        self.quantity = quantity_class()

    def test_a_quantity_is_shown_with_its_unit(self):
        found = given(self.quantity([[1, 2], [3, 4]], "K"), x=self.quantity([0, 1], "cm"))
        self.assertEqual((found.unit, found.x, type(found.data)), ("K", ("x", "cm", -0.5, 1.5), numpy.ndarray))

    def test_a_unit_that_contradicts_it_is_refused(self):
        self.refused(ValueError, "unit='mK', but the array is in K", given, self.quantity([1], "K"), unit="mK")
        self.refused(ValueError, "x_unit='m', but the array is in cm", given, numpy.zeros(3), x=self.quantity([0, 1, 2], "cm"),
                     x_unit="m")
        self.assertEqual(given(self.quantity([1], "K"), unit="K").unit, "K")

    def test_a_wrapper_is_taken_off(self):
        class Pint:
            magnitude, units = numpy.arange(3.0), "kelvin"
        self.assertEqual(given(Pint()).unit, "kelvin")
        within = Labelled(numpy.arange(3.0), ("t",), {})
        within.data = Pint()
        self.assertEqual((given(within).unit, given(within).data.tolist()), ("kelvin", [0, 1, 2]))

    def test_a_list_does_not_mix_units(self):
        class Pint:
            magnitude, units = 1.0, "kelvin"
        for items in ([self.quantity([1], "m"), self.quantity([2], "km")], [[self.quantity(1, "m")]], (Pint(), 2)):
            self.refused(TypeError, "give one quantity for all of them", given, items)
        self.refused(TypeError, "x needs numbers: a tuple has no unit", given, numpy.zeros(3),
                     x=(self.quantity(0, "m"), self.quantity(1, "km")))

    def test_a_unit_that_can_be_called_is_one(self):
        class Magnitude:  # astropy's mag, dB, and dex
            def __call__(self):
                pass

            def to_string(self):
                return str(self)

            def __str__(self):
                return "mag"
        self.assertEqual(given(self.quantity([1], Magnitude())).unit, "mag")

    def test_range_and_time_have_no_unit_of_their_own(self):
        class Percentage:
            unit = "%"

            def __float__(self):
                return 0.5  # of 50 %
        for wrong in (Percentage(), numpy.timedelta64(3, "ns")):
            self.refused(TypeError, "give a plain number", _form.time_of, wrong)
            self.refused(TypeError, "give a plain number", _form.range_of, (0, wrong))
        self.refused(TypeError, "'09' is a text", _form.range_of, "09")

    def test_range_and_time_are_plain_numbers(self):
        kelvin = self.quantity(1, "K")
        self.refused(TypeError, "range needs (low, high)", _form.range_of, (kelvin, kelvin))
        self.refused(TypeError, "time needs a number", _form.time_of, kelvin)
        self.refused(ValueError, "time is inf", _form.time_of, numpy.inf)
        for wrong in ((0, numpy.inf), (numpy.nan, 1), (0, 1e39), (2, 1), (1, 1)):
            self.refused(ValueError, "needs two numbers between -3.4e+38", _form.range_of, wrong)

    def test_astropy(self):
        units = needed(self, "astropy.units")
        kelvin = numpy.arange(6.0).reshape(2, 3) * units.K
        self.assertEqual(given(kelvin, unit=units.K, x=numpy.arange(3) * units.cm)[2:5], ("K", None, ("x", "cm", -0.5, 2.5)))
        masked = importlib.import_module("astropy.utils.masked").Masked(kelvin, mask=kelvin.value > 4)
        self.assertEqual(given(masked).mask.sum(), 1)
        self.refused(TypeError, "one is in K", given, [kelvin, kelvin])
        self.assertEqual(given([1, 2] * units.mag).unit, "mag")
        self.refused(TypeError, "is in %", _form.range_of, [0, 50] * units.percent)
        picture = importlib.import_module("astropy.nddata").CCDData(kelvin.value, unit="adu", mask=kelvin.value > 3)
        self.assertEqual((given(picture).unit, given(picture).mask.sum()), ("adu", 2))

    def test_pint(self):
        registry = needed(self, "pint").UnitRegistry()
        self.assertEqual(given(numpy.arange(3.0) * registry.K, unit="K").unit, "K")
        self.assertEqual(given(numpy.arange(3.0) * registry.K).unit, "kelvin")
        self.refused(ValueError, "in kelvin", given, numpy.arange(3.0) * registry.K, unit="m")


@needs_numpy
class Axes(Case):
    def test_a_cell_has_its_coordinate_in_the_middle_and_a_point_is_at_its_own(self):
        places = [0, 1, 2, 3]
        field, curve = given(numpy.eye(4), x=places, y=places), given(numpy.zeros(4), x=places)
        self.assertEqual((field.x[2:], field.y[2:]), ((-0.5, 3.5), (-0.5, 3.5)))
        self.assertEqual(curve.x[2:], (0, 4))
        # (low, high) are the edges of a field; two coordinates of two columns are coordinates.
        self.assertEqual(given(numpy.zeros((4, 4)), x=(0, 1)).x[2:], (0, 1))
        self.assertEqual(given(numpy.zeros((2, 2)), x=numpy.array([0, 1]), y=(0, 1))[4:], (("x", "", -0.5, 1.5), ("y", "", 0, 1)))

    def test_coordinates_may_have_the_rounding_of_their_type(self):
        for count in (100_001, 1_000_000):
            found = given(numpy.broadcast_to(0.0, (2, count)), x=numpy.linspace(0, 1, count, dtype="f4")).x
            self.assertAlmostEqual(found[2] * count, -0.5, places=3)
            self.assertAlmostEqual((found[3] - 1) * count, 0.5, places=2)
        self.refused(ValueError, "from 0.5 to 0.7 the step is 0.2, on average", given, numpy.zeros(4),
                     x=numpy.array([0.3, 0.4, 0.5, 0.7], "f4"))

    def test_what_is_no_row_of_numbers_is_refused_in_words(self):
        days = numpy.arange("2020-01-01", "2020-01-05", dtype="datetime64[D]")
        for places, words in ((days, "it holds datetime64[D]; give numbers: (x - x[0]) / numpy.timedelta64(1, 's')"),
                              (days.astype("M8[ns]"), "x_unit='s'"), (days - days[0], "it holds timedelta64"),
                              (days.tolist(), "datetime.date"), (["a"] * 4, "it holds <U1"), (numpy.arange(4) * 1j, "complex128")):
            self.refused(TypeError, words, given, numpy.zeros(4), x=places)
        self.refused(ValueError, "x has 2 dimensions, and needs one; give the first row, x[0]", given, numpy.zeros((4, 4)),
                     x=numpy.zeros((4, 4)))
        self.refused(ValueError, "for edges of cells give (x[0], x[-1])", given, numpy.zeros((4, 4)), x=range(5))
        self.refused(ValueError, "names a dimension, but the array has no names", given, numpy.zeros(4), x="lon")

    def test_descending_coordinates_offer_the_array_turned(self):
        for shape, key, words in ((4, "x", "show u[::-1] with x=x[::-1]"), ((4, 4), "x", "show u[:, ::-1] with x=x[::-1]"),
                                  ((4, 4), "y", "show u[::-1] with y=y[::-1]")):
            self.refused(ValueError, f"descend from 3 to 0; {words}", given, numpy.zeros(shape), **{key: [3, 2, 1, 0]})

    def array(self, *dims):
        places = {"lat": Coordinates("lat", [10.0, 20]), "lon": Coordinates("lon", [0, 90, 180], "deg")}
        sizes = {"lat": 2, "lon": 3}
        data = numpy.arange(6.0).reshape(2, 3) if dims == ("lat", "lon") else numpy.arange(6.0).reshape(2, 3).T
        self.assertEqual(data.shape, tuple(sizes[each] for each in dims))
        return Labelled(data, dims, places, "degC", "T")

    def test_a_labelled_array_brings_its_axes_its_unit_and_its_name(self):
        found = given(self.array("lat", "lon"))
        self.assertEqual(found[2:], ("degC", "T", ("lon", "deg", -45, 225), ("lat", "", 5, 25)))
        found = given(self.array("lon", "lat"))
        self.assertEqual((found.x[0], found.y[0], found.data.shape), ("lat", "lon", (3, 2)))

    def test_the_dimension_that_x_names_runs_along_x(self):
        for array in (self.array("lat", "lon"), self.array("lon", "lat")):
            for said in (dict(x="lon"), dict(y="lat"), dict(x=array.coords["lon"]), dict(x=array.coords["lon"], y=array.coords["lat"])):
                found = given(array, **said)
                self.assertEqual((found.x[0], found.y[0]), ("lon", "lat"))
                numpy.testing.assert_array_equal(found.data, numpy.arange(6.0).reshape(2, 3))
        self.refused(ValueError, "x is along 'time'; the array has the dimensions 'lat', 'lon'", given, self.array("lat", "lon"),
                     x="time")

    def test_the_coordinates_of_a_labelled_array_are_refused_as_others_are(self):
        def along(places):
            return Labelled(numpy.zeros((2, 3)), ("y", "x"), {"y": Coordinates("y", places)})
        self.refused(ValueError, "descend from 1 to 0; show da[::-1]", given, along([1, 0]))
        self.refused(TypeError, "it holds datetime64", given, along(numpy.array(["2020", "2021"], "M8[D]")))
        self.assertEqual(given(along(["a", "b"])).y, ("y", "", None, None), "names are no numbers")
        self.assertEqual(given(Labelled(numpy.zeros((1, 3)), ("y", "x"), {"y": Coordinates("y", [7])})).y[2:], (6.5, 7.5))

    def test_a_table_brings_its_index_and_missing_numbers_are_nan(self):
        found = given(Series([1, None, 3], Index([0.0, 0.5, 1.0], "t"), "v"))
        numpy.testing.assert_array_equal(found.data, [1, numpy.nan, 3])
        self.assertEqual((found.symbol, found.x), ("v", ("t", "", 0, 1.5)))
        self.assertEqual(given(Series([1, 2], Index(["a", "b"]))).x[2:], (None, None))

    def test_two_coordinates_of_a_dimension_are_no_ends(self):
        self.refused(ValueError, "x has 2 coordinates, but the array has 3", given, numpy.zeros((2, 3)), x=Coordinates("a", [0, 1]))
        self.assertEqual(given(numpy.zeros((2, 3)), x=numpy.array([0, 1])).x, ("x", "", 0, 1))

    def test_xarray(self):
        xarray = needed(self, "xarray")
        array = xarray.DataArray(numpy.arange(6.0).reshape(2, 3), dims=("lat", "lon"), name="T", attrs={"units": "degC"},
                                 coords={"lat": [10.0, 20], "lon": [0, 90, 180]})
        for each in (array, array.T):
            found = given(each, x=each.lon)
            self.assertEqual(found[2:], ("degC", "T", ("lon", "", -45, 225), ("lat", "", 5, 25)))
            numpy.testing.assert_array_equal(found.data, array.values)
        self.refused(ValueError, "show da[::-1]", given, array[::-1])
        self.refused(TypeError, "ds['T']", given, array.to_dataset())

    def test_pandas(self):
        pandas = needed(self, "pandas")
        found = given(pandas.Series([1, None, 3], dtype="Int64", index=[0.0, 0.5, 1.0], name="v"))
        numpy.testing.assert_array_equal(found.data, [1, numpy.nan, 3])
        self.assertEqual((found.symbol, found.x[2:]), ("v", (0, 1.5)))
        table = pandas.DataFrame({"a": [1, None], "b": [3, 4]}, dtype="Int64")
        numpy.testing.assert_array_equal(given(table).data, [[1, 3], [numpy.nan, 4]])
        dates = pandas.date_range("2020", periods=2, tz="UTC")
        for times in (pandas.Series(dates), pandas.DataFrame({"a": dates})):
            self.refused(TypeError, "numpy.timedelta64(1, 's')", _host.form_of, times)
        self.refused(TypeError, "x needs numbers: it holds datetime64", given, numpy.zeros(2), x=dates)
        self.refused(TypeError, "datetime64", given, pandas.Series([1.0, 2], index=pandas.date_range("2020", periods=2)))


@needs_numpy
class Others(Case):
    def test_a_sparse_matrix_is_shown_whole_if_it_is_small_enough(self):
        class Sparse:
            def __init__(self, *shape):
                self.shape, self.asked = shape, 0

            def toarray(self):
                self.asked += 1
                return numpy.ones(self.shape)
        self.assertEqual(given(Sparse(2, 3)).data.sum(), 6)
        large = Sparse(100_000, 100_000)
        self.refused(ValueError, "10000000000 elements are more than", _host.form_of, large)
        self.assertEqual(large.asked, 0)
        self.refused(ValueError, "20000000 elements along a side are more than 16777216", _host.form_of, Sparse(1, 20_000_000))

    def test_a_sparse_tensor_is_shown_whole_if_it_is_small_enough(self):
        class Sparse:  # PyTorch's
            layout = "torch.sparse_coo"

            def __init__(self, *shape):
                self.shape = shape

            def to_dense(self):
                return numpy.ones(self.shape)
        self.assertEqual(given(Sparse(2, 3)).data.sum(), 6)
        self.refused(ValueError, "elements are more than", _host.form_of, Sparse(100_000, 100_000))

    def test_scipy(self):
        sparse = needed(self, "scipy.sparse")
        self.assertEqual(given(sparse.eye(3).tocsr()).data.tolist(), numpy.eye(3).tolist())

    def test_a_type_that_numpy_lacks_comes_in_single_precision(self):
        class Tensor:  # PyTorch's bfloat16
            def __init__(self, single, complex_=False):
                self.single, self.complex_ = single, complex_

            def is_complex(self):
                return self.complex_

            def float(self):
                assert not self.complex_, "the imaginary part would go"
                return self.single

            def cfloat(self):
                return self.single

            def __array__(self, *_, **__):
                raise TypeError("Got unsupported ScalarType BFloat16")
        self.assertEqual(given(Tensor(numpy.arange(3, dtype="f4"))).data.tolist(), [0, 1, 2])
        self.assertEqual(given(Tensor(numpy.array([1j], "c8"), True)).data.tolist(), [1j])

    def test_a_tensor_without_memory_is_refused_in_its_librarys_words(self):
        class Meta:
            shape = (3,)

            def __dlpack_device__(self):
                raise ValueError("Unknown device type meta for Dlpack")

            def __dlpack__(self, **_):
                raise ValueError("Unknown device type meta for Dlpack")

            def __array__(self, *_, **__):
                raise NotImplementedError("Cannot copy out of meta tensor; no data!")
        self.refused(TypeError, "Cannot copy out of meta tensor; no data!", _host.form_of, Meta())

    def test_torch(self):
        torch = needed(self, "torch")
        half = torch.arange(4, dtype=torch.bfloat16) / 2
        self.assertEqual(given(half).data.tolist(), [0, 0.5, 1, 1.5])
        self.assertEqual(given(torch.tensor([1 + 2j]).conj()).data.tolist(), [1 - 2j])
        self.refused(TypeError, "device meta has no values", _host.form_of, torch.empty(3, device="meta"))
        self.assertEqual(given(torch.eye(2).to_sparse()).data.tolist(), [[1, 0], [0, 1]])
        self.assertEqual(given([half, half.clone().requires_grad_()]).data.tolist(), [[0, 0.5, 1, 1.5]] * 2)

    def test_other_shapes_and_kinds_are_refused_with_what_to_show(self):
        for array, words in ((numpy.zeros((30, 40, 3)), "u[..., 0] is one of its colours"), (numpy.zeros((2, 3, 4)), "u[0] is one of"),
                             (numpy.zeros((2, 3, 4, 5)), "u[0, 0] is one of"), (numpy.zeros((1, 30, 40)), "u.squeeze()")):
            self.refused(ValueError, words, _host.form_of, array)
        for array, words in ((numpy.zeros(2, [("a", "f4"), ("b", "i4")]), "u['a']"), (numpy.zeros(2, "M8[s]"), "numpy.timedelta64(1, 's')"),
                             (numpy.zeros(2, [("a", "f4")]).view(numpy.recarray), "u['a']"), ("abc", "u.astype(float)"),
                             (object(), "object is not an array"), (numpy.array([{}]), "u.astype(float)")):
            self.refused(TypeError, words, _host.form_of, array)
