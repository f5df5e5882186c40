"""simscope.show with arrays on a real GPU: from PyTorch, CuPy, Numba, and JAX to a window on the same GPU. CTest
does not run it, because it needs a display and a GPU. Each part is a separate process, and is skipped if something
that it needs is missing.

usage: gpu_show.py PROGRAM [PART ...]      (PYTHONPATH has app/python)
"""
import importlib
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 40
WAY = "CUDA IPC"


class Skip(Exception):
    pass


def need(module):
    try:
        return importlib.import_module(module)
    except (ImportError, AttributeError) as fault:  # AttributeError: two packages with incompatible versions
        raise Skip(f"no {module}: {fault}") from fault


def until(condition, what, limit=LIMIT):
    end = time.monotonic() + limit
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {limit} s")
        time.sleep(0.02)
    return found


class Window:
    """The window's state."""

    def __init__(self, folder):
        self.file = pathlib.Path(folder, "state.json")
        self.options = {"device": "cuda", "options": {"state_file": str(self.file)}, "program": sys.argv[1]}

    def state(self):
        try:
            return {"diagnostics": {}} | json.loads(self.file.read_text())  # without an array it has none
        except (OSError, ValueError):
            return None

    def wait(self, condition, what):
        try:
            return until(lambda: (s := self.state()) and condition(s) and s, what)
        except AssertionError as fault:
            told = {key: (self.state() or {}).get(key) for key in ("device", "method", "diagnostics", "messages", "playing")}
            raise AssertionError(f"{fault}; the window: {told}") from None


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def compare(view, window, array, numpy):
    """After the last update: checks the way, the bytes, and that the numbers are the array's."""
    view.flush()
    check(view.transport == WAY, f"the way is: {view.transport}")
    wanted = abs(array).astype("f8") if array.dtype.kind == "c" else array.astype("f4").astype("f8")
    numbers = {"mean": wanted.mean(), "minimum": wanted.min(), "maximum": wanted.max()}

    def last(state):  # a former array may share some numbers, and have come another way
        found = state["diagnostics"]
        return found.get("update") and "CUDA's shared memory" in state["method"] and all(
            close(found[key], value, 1e-6) for key, value in numbers.items())
    state = window.wait(last, f"the array with {numbers} from CUDA's shared memory")
    return f"{view.updates} updates, {view.shown} shown, {state['host_bytes_per_frame']:.0f} B a frame over the bus"


def close(a, b, relative):
    return a is not None and abs(a - b) <= relative * max(1e-30, abs(b))


def settle(view, array):
    """Waits until arrays go from device to device."""
    def arrived():
        return view.update(array) and view.transport == WAY
    try:
        until(arrived, "the way from device to device", 20)
    except AssertionError as fault:
        raise AssertionError(f"{fault}; it is: {view.transport}; refused: {view.refused}") from None


def example(name):
    sys.path.insert(0, str(ROOT / "app/python/examples"))
    return importlib.import_module(name)


def torch(folder):
    """The tunnelling loop in PyTorch, one line more."""
    library, numpy, window = need("torch"), need("numpy"), Window(folder)
    if not library.cuda.is_available():
        raise Skip("PyTorch has no CUDA device")
    psi, x, view = example("tunnelling_torch").tunnelling(6000, **window.options)
    settle(view, psi)
    told = compare(view, window, psi.cpu().numpy(), numpy)
    norm = float((abs(psi) ** 2).sum() * (x[1] - x[0]))
    # Single precision loses 2e-7 of it per step: 0.9988 after 6000, with FFTW, too.
    check(abs(norm - 1) < 5e-3, f"the norm is {norm}")
    return f"{told}; the norm is {norm:.5f}"


def cupy(folder):
    """The heat loop in CuPy, one line more."""
    library, numpy, window = need("cupy"), need("numpy"), Window(folder)
    u, view = example("heat_cupy").heat(4000, **window.options)
    settle(view, u)
    return compare(view, window, library.asnumpy(u), numpy)


def cupy_stream(folder):
    """CuPy on a separate stream: no array is shown partially written."""
    library, numpy, window = need("cupy"), need("numpy"), Window(folder)
    import simscope
    with library.cuda.Stream(non_blocking=True):
        u = library.zeros((2048, 2048), "f4")
        view = simscope.show(u, title="Stream", **window.options)
        settle(view, u)
        torn = seen = n = 0
        end = time.monotonic() + LIMIT
        while n < 3000 or (seen <= 3 and time.monotonic() < end):  # the window may need longer than the loop
            n += 1
            u.fill(n)
            view.update(u)
            if n % 50 == 0:
                found = (window.state() or {}).get("diagnostics", {})
                if found.get("mean") is not None:
                    seen += 1
                    torn += found["minimum"] != found["maximum"]
        check(seen > 3 and torn == 0, f"{torn} of {seen} arrays that were looked at are of two updates")
        return compare(view, window, library.asnumpy(u), numpy) + f"; {seen} looked at, none torn"


def numba(folder):
    """A Numba kernel: __cuda_array_interface__."""
    numpy, window = need("numpy"), Window(folder)
    # Names that NumPy 2.4 and 2.5 have removed and Numba 0.68 still uses.
    for gone, stays in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(numpy, gone) and hasattr(numpy, stays):
            setattr(numpy, gone, getattr(numpy, stays))
    need("numba")
    cuda = need("numba.cuda")
    try:
        if not cuda.is_available():
            raise Skip("Numba finds no CUDA device")
    except AttributeError as fault:
        raise Skip(f"Numba and NumPy do not fit: {fault}") from fault
    import simscope

    @cuda.jit
    def waves(u, at):
        i, j = cuda.grid(2)
        if i < u.shape[0] and j < u.shape[1]:
            u[i, j] = (i * 7 + j * 3 + at) % 101

    u = cuda.device_array((700, 900), numpy.float64)
    for at in range(2000):
        waves[(44, 57), (16, 16)](u, at)
        view = simscope.show(u, title="Numba", **window.options)
    settle(view, u)
    return compare(view, window, u.copy_to_host(), numpy)


def jax(folder):
    """A compiled step of JAX: DLPack, with arrays that are written once."""
    library, numpy, window = need("jax"), need("numpy"), Window(folder)
    import simscope
    if library.default_backend() != "gpu":
        raise Skip("JAX has no CUDA device")
    roll = library.numpy.roll
    step = library.jit(lambda u: u + 0.2 * (roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) - 4 * u))
    u = library.random.uniform(library.random.key(1), (500, 640))
    for _ in range(1000):
        u = step(u)
        view = simscope.show(u, title="JAX", **window.options)
    settle(view, u)
    return compare(view, window, numpy.asarray(u), numpy)


def interface(folder):
    """An array that only has __cuda_array_interface__, as Numba's do; column-major."""
    library, numpy, window = need("torch"), need("numpy"), Window(folder)
    import simscope

    class Told:
        def __init__(self, tensor):
            self.tensor, self.shape = tensor, tuple(tensor.shape)
            self.__cuda_array_interface__ = {
                "shape": self.shape, "typestr": "<f8", "data": (tensor.data_ptr(), False), "version": 3, "stream": 1,
                "strides": tuple(8 * each for each in tensor.stride())}

        def __array__(self, dtype=None, copy=None):
            return self.tensor.cpu().numpy()

    u = library.zeros(900, 700, device="cuda", dtype=library.float64).T
    view = simscope.show(Told(u), title="Told", **window.options)
    settle(view, Told(u))
    u += library.arange(900, device="cuda") + 0.25 * library.arange(700, device="cuda")[:, None]
    view.update(Told(u))
    return compare(view, window, u.cpu().numpy(), numpy)


def bus(folder):
    """Of hundreds of arrays of 64 MiB only the first passes the host, and its part of the average fades."""
    library, window = need("torch"), Window(folder)
    import simscope
    u = library.zeros(4096, 4096, device="cuda")
    view = simscope.show(u, title="Bus", **window.options)
    settle(view, u)
    begin, first, end = time.monotonic(), view.shown, time.monotonic() + 2 * LIMIT
    state, most = None, 2048  # the numbers beside the figure
    while not (state and state["host_bytes_per_frame"] < most and view.shown - first > 200):
        check(time.monotonic() < end,
              f"still {(state or {}).get('host_bytes_per_frame')} B a frame after {view.shown - first}")
        u += 1
        view.update(u)
        library.cuda.synchronize()
        time.sleep(0.004)
        state = window.state() or state
    check(view.transport == WAY, view.transport)
    shown = view.shown - first
    return (f"{state['host_bytes_per_frame']:.0f} B a frame over the bus; {shown} arrays, "
            f"{shown / (time.monotonic() - begin):.0f} a second")


def forms(folder):
    """Types, layouts, and sizes in one window."""
    library, numpy, window = need("torch"), need("numpy"), Window(folder)
    import simscope
    base = library.arange(12_000, device="cuda").reshape(100, 120)
    several = [base.to(each) for each in (library.float16, library.bfloat16, library.float32, library.float64, library.int8, library.int32,
                                          library.int64, library.uint8, library.bool, library.complex64, library.complex128)]
    several += [base.float().T, base.float()[::2, ::3], base.float()[:, 7:9], base.float()[3], base.double()[:, 5],
                library.randn(3000, 2000, device="cuda"), (base + 1j * base.T.reshape(100, 120)).conj()]
    view = simscope.show(several[0], **window.options)
    for each in several:
        settle(view, each)
        plain = each.float() if each.dtype == library.bfloat16 else each.resolve_conj()
        compare(view, window, plain.cpu().numpy(), numpy)
    return f"{len(several)} forms"


def lost(folder):
    """What single precision loses of an array on the GPU is told; and what an array without memory is."""
    library, window = need("torch"), Window(folder)
    import simscope
    x = library.linspace(-1, 1, 512, device="cuda", dtype=library.float64)
    u = 1e9 + 1e-3 * (x[:, None] + x)
    view = simscope.show(u, **window.options)
    for each, code in ((u, "digits_lost"), (x * 1e300, "beyond_single"), (x * 1e6, None)):
        settle(view, each)
        view.flush()
        window.wait(lambda s: s["diagnostics"].get("update") == view.updates and
                    "CUDA's shared memory" in s["method"] and s["findings"] == ([code] if code else []), f"the finding {code}")
    try:
        view.update(library.empty(3, device="meta"))
        check(False, "a tensor without memory is taken")
    except TypeError as fault:
        return str(fault)


def pixels(folder):
    """The displayed PNG: the exact colour of each element. Needs xdotool."""
    library, numpy, window = need("torch"), need("numpy"), Window(folder)
    pictures = need("PIL.Image")
    import simscope
    sys.path.insert(0, str(ROOT / "tests/window"))
    from drive.live import check_field
    u = (library.arange(96, device="cuda", dtype=library.float64).reshape(8, 12) * 7) % 96
    view = simscope.show(u * 0, title="Pixels", range=(0, 95), **window.options)
    settle(view, u * 0)
    view.update(u)
    view.flush()
    window.wait(lambda s: s["diagnostics"].get("maximum") == 95 and s["frame"] == s["drawn_sequence"], "the array")
    try:
        found = subprocess.run(["xdotool", "search", "--name", "simscope$"], capture_output=True, text=True).stdout.split()
    except OSError as fault:
        raise Skip(f"no xdotool: {fault}") from fault
    for each in found[-1:]:
        subprocess.run(["xdotool", "windowfocus", each])
    end = time.monotonic() + LIMIT
    while not (state := window.state())["last_file"].endswith(".png"):
        check(time.monotonic() < end, "no picture after the key p")
        subprocess.run(["xdotool", "key", "p"])
        time.sleep(0.5)
    x, y = state["figure"][:2]
    plot = [state["plot"][0] - x, state["plot"][1] - y, *state["plot"][2:]]
    with pictures.open(state["last_file"]) as file:
        check_field(file.convert("RGB").getpixel, plot, 8, 12, lambda i, j: (12 * i + j) * 7 % 96, 0, 95, "the PNG")
    check(view.transport == WAY, view.transport)
    return f"96 colours in {pathlib.Path(state['last_file']).name}"


def fallback(folder):
    """A window on the CPU, and one that changes its device: the data goes through the host, with the reason."""
    library, numpy = need("torch"), need("numpy")
    window = Window(folder)
    window.options["device"] = "cpu"
    import simscope
    u = library.rand(500, 400, device="cuda")
    view = simscope.show(u, **window.options)
    window.wait(lambda s: s["diagnostics"].get("update"), "the first array")
    for _ in range(200):
        view.update(u)
        time.sleep(0.005)
    view.flush()
    check("through the host: the window computes on the CPU" in view.transport, view.transport)
    return view.transport


def closed(folder):
    """The window is closed: the script continues, and its slots on the device are freed."""
    library, window = need("torch"), Window(folder)
    import simscope
    u = library.rand(4096, 4096, device="cuda")
    view = simscope.show(u, **window.options)
    settle(view, u)
    library.cuda.synchronize()
    held = library.cuda.mem_get_info()[0]
    view._child.send_signal(signal.SIGTERM)
    view._child.wait(LIMIT)
    until(lambda: not view.update(u) and not view.open, "the news of it")
    library.cuda.synchronize()
    freed = library.cuda.mem_get_info()[0] - held
    check(view._route._set is None and not view._route._former, "its slots are kept")
    check(freed >= 2 * u.numel() * 4, f"{freed / 2**20:.0f} MiB are free since")
    check(float((u * 2).sum()) > 0, "the script cannot go on")
    return f"{freed / 2**20:.0f} MiB freed"


def endless(folder):
    """Not a part: the script that is killed."""
    library, window = need("torch"), Window(folder)
    import simscope
    u = library.zeros(2048, 2048, device="cuda")
    view = simscope.show(u, title="Killed", **window.options)
    settle(view, u)
    print("window", view._child.pid, flush=True)
    while True:
        u += 1
        view.update(u)


def killed(folder):
    """kill -9 of the script: the window keeps the last array, reports the end, and can be closed."""
    need("torch")
    window = Window(folder)
    script = subprocess.Popen([sys.executable, __file__, sys.argv[1], "endless"], stdout=subprocess.PIPE, text=True,
                              env=os.environ | {"GPU_SHOW_FOLDER": str(folder)})
    try:
        line = script.stdout.readline().split()
        check(line[:1] == ["window"], f"the script did not come to its loop: {line}")
        number = int(line[1])
        window.wait(lambda s: (s["diagnostics"].get("mean") or 0) > 100, "its loop")
    finally:
        script.kill()
        script.wait()
    state = window.wait(lambda s: any("The script has ended" in each for each in s["messages"]) and not s["playing"],
                        "the news in the window")
    time.sleep(1.5)
    later = window.state()
    check(later["diagnostics"] == state["diagnostics"] and later["written"] > state["written"], "the window stands")
    found = later["diagnostics"]
    check(found["minimum"] == found["maximum"], f"the last array is half written: {found}")
    check("cuda" in later["device"], f"it computes on {later['device']} now")
    os.kill(number, signal.SIGTERM)
    until(lambda: not pathlib.Path(f"/proc/{number}").exists() or
          pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z", "the end of the window")
    return f"update {found['update']:.0f} stays"


def slowdown(folder):
    """A loop over 4096 x 4096 is slowed by less than 2 %, both with the whole array and with a corner of it."""
    library, window = need("torch"), Window(folder)
    import simscope
    u = library.rand(4096, 4096, device="cuda")

    def loop(steps, view=None, part=None):
        nonlocal u
        library.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(steps):
            v = u.clone()
            v[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
            u = v
            if view:
                view.update(part(u))
        library.cuda.synchronize()
        return time.perf_counter() - begin

    loop(50)
    steps = max(50, int(2.5 / (loop(100) / 100)))
    before, cases, bad = [loop(steps) for _ in range(3)], [], False
    for name, part in (("all of it", lambda u: u), ("a corner", lambda u: u[:256, :256])):
        view = simscope.show(part(u), title=name, **window.options)
        settle(view, part(u))
        loop(50, view, part)
        shown = view.shown
        along = [loop(steps, view, part) for _ in range(4)]
        shown = (view.shown - shown) / sum(along)
        idle = loop(steps)
        view._child.send_signal(signal.SIGTERM)
        view._child.wait(LIMIT)
        before.append(loop(steps))
        plain = statistics.median(before)
        slower = statistics.median(along) / plain - 1
        bad = bad or slower >= 0.02
        cases.append(f"{name} {100 * slower:+.2f} %, {shown:.1f} arrays a second; "
                     f"an open window alone {100 * (idle / plain - 1):+.2f} %")
        check(view.transport == WAY, view.transport)
    told = (f"{1e3 * plain / steps:.3f} ms a step; {'; '.join(cases)}; "
            f"alone {', '.join(f'{1e3 * each / steps:.3f}' for each in before)}")
    check(not bad, told)
    return told


PARTS = [torch, cupy, cupy_stream, numba, jax, interface, bus, forms, lost, pixels, fallback, closed, killed, slowdown]


def child(name):
    part = next(each for each in (*PARTS, endless) if each.__name__ == name)
    folder = os.environ["GPU_SHOW_FOLDER"]
    os.chdir(folder)
    from simscope import _show
    try:
        print("PASS", part(folder))
    except Skip as why:
        print("SKIP", why)
    except Exception as fault:  # the next part has another process
        print("FAIL", f"{type(fault).__name__}: {fault}")
    finally:
        for view in list(_show._views.values()):
            if view._child.poll() is None:
                view._child.kill()
            view._line.close()
    sys.stdout.flush()


def main():
    if os.environ.get("GPU_SHOW_FOLDER"):
        child(sys.argv[2])
        return 0
    if len(sys.argv) < 2 or not os.path.isfile(sys.argv[1]):
        print(__doc__)
        return 2
    program, failed = os.path.abspath(sys.argv[1]), 0
    for part in PARTS:
        if sys.argv[2:] and part.__name__ not in sys.argv[2:]:
            continue
        begin, words = time.monotonic(), ""
        with tempfile.TemporaryDirectory(prefix="simscope-gpu-") as folder:
            variables = os.environ | {"GPU_SHOW_FOLDER": folder, "SIMSCOPE_STATE_DIR": folder + "/kept", "TMPDIR": folder,
                                      "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
            try:
                done = subprocess.run([sys.executable, os.path.abspath(__file__), program, part.__name__], env=variables,
                                      timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                words = done.stdout.strip()
            except subprocess.TimeoutExpired as late:
                words = f"FAIL not within {late.timeout:.0f} s: {late.stdout!r}"
        last = words.splitlines()[-1] if words else "FAIL it said nothing"
        if not last.startswith(("PASS", "SKIP")):
            failed += 1
            last = words or last
        print(f"{part.__name__:12} {time.monotonic() - begin:5.1f} s  {last}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
