#!/usr/bin/env python3
"""Computes what a step would take on many devices: a model fitted to files of `simscope bench --devices --json FILE`.

usage: scaling.py FILE [FILE ...] [options]      (--help lists them; needs python3-numpy)

The page scaling.md explains it. With P devices, for a run whose step is W of work:

    T = start + W / (P rate) + share + (1 - hidden) L + max(0, hidden L - W / (P rate))
    L = (messages + collectives ceil(log2 P)) latency + bytes / bandwidth

start: the cost of any step; share: the additional cost of the division (only for P > 1); hidden: the fraction of the
link's time that computing hides if it takes long enough. These costs, none negative, minimise the sum of squares of
the relative residuals. Latency and bandwidth are measured. The messages are measured, too; their growth with size and
P follows from the simulation's decomposition. Messages of one exchange count as sequential, which is their largest
cost. Times are in seconds, sizes in bytes.
"""

import argparse
import itertools
import json
import math
import sys
from typing import NamedTuple

try:
    import numpy as np
except ImportError:
    sys.exit("scaling.py: NumPy is missing: install python3-numpy")

FORM = "simscope scaling 1"
MOST_RANKS = 1 << 20
MOST_CURVES = 6
NUMBERS = {"size": 1, "ranks": 1, "step_s": 1e-12, "work": 1e-30, "exchanges": 0, "messages": 0, "bytes": 0,
           "collectives": 0}  # of a point, with their least values
SENT = {"halo": "its edge rows to two neighbours", "transpose": "its part of the transposes to all others",
        "gather": "its bodies to all others", "counts": "counts"}


class Network(NamedTuple):
    """Between machines; `devices` are in each, 0: all are in one."""
    devices: int = 0
    latency: float = 0
    bandwidth: float = 0


class Estimate(NamedTuple):
    seconds: float
    computing: float
    link: float  # where it is not hidden


def power_of(series, key):
    """How a value grows with the size, by the smallest and the largest size; None: all have one size."""
    least, most = min(series, key=lambda p: p["size"]), max(series, key=lambda p: p["size"])
    if least["size"] == most["size"]:
        return None
    return math.log(most[key] / least[key]) / math.log(most["size"] / least["size"])


def pattern_of(points):
    """How the bytes grow: for fields by the bytes measured at different sizes."""
    division = points[0]["division"]
    if division != "slabs":
        return {"bodies": "gather"}.get(division, "counts")
    sent = [p for p in points if p["ranks"] > 1 and p["bytes"] > 0]
    power = power_of([p for p in sent if p["ranks"] == sent[0]["ranks"]], "bytes") if sent else None
    return "transpose" if power is not None and power > 1.5 else "halo"


def shown(link, computing, hidden):
    return (1 - hidden) * link + max(0.0, hidden * link - computing)


def least_squares(rows, values):
    """The costs of start, a unit of work, and share, none negative, the second positive; None: not determined."""
    best, least = None, math.inf
    for kept in ((1,), (0, 1), (1, 2), (0, 1, 2)):
        scales = np.abs(rows[:, kept]).max(axis=0)
        if not scales.all():
            continue
        found, _, rank, _ = np.linalg.lstsq(rows[:, kept] / scales, values, rcond=1e-9)
        costs = np.zeros(3)
        costs[list(kept)] = found / scales
        squares = float(np.sum((rows @ costs - values) ** 2))
        # Another cost must reduce the error by more than rounding.
        if rank == len(kept) and (costs >= 0).all() and costs[1] > 0 and squares < least * (1 - 1e-9):
            best, least = costs, squares
    return best


class Model:
    """Fitted to the points of one simulation and series; ValueError where they are too few."""

    def __init__(self, points, link):
        self.points = points
        times = [p["seconds"] for p in link]
        self.latency = min(times, default=0)
        self.bandwidth = link[-1]["bytes"] / link[-1]["seconds"] if link else 0
        several = [p for p in points if p["ranks"] > 1]
        if not several or len(several) == len(points):
            raise ValueError(f"{points[0]['simulation']}: a model needs points of one device and of several devices; "
                             f"no points of {'one' if several else 'several'}")
        if not self.bandwidth > 0:
            raise ValueError("a model needs the time of the link, which was not measured")
        self.divided = max(several, key=lambda p: p["size"])
        self.work_power = power_of(points, "work") or (2 if self.divided["work"] > 2 * self.divided["size"] else 1)
        self.pattern = pattern_of(points)
        self._fit()

    def _fit(self):
        alone = max(p["step_s"] / p["work"] for p in self.points if p["ranks"] == 1)
        values = [(hidden, self._costs(hidden, alone)) for hidden in np.linspace(0, 1, 51)]
        least = math.inf
        for hidden, costs in values:
            model = [self._step(p, costs, hidden) for p in self.points]
            squares = sum((m / p["step_s"] - 1) ** 2 for m, p in zip(model, self.points))
            if squares < least * (1 - 1e-6):
                least, self.hidden, self.residuals = squares, float(hidden), list(zip(self.points, model))
                self.start, unit, self.share = map(float, costs)
                self.rate = 1 / unit
        self.worst_residual = max(abs(m / p["step_s"] - 1) for p, m in self.residuals)
        fitted = 1 + (self.start > 0) + (self.share > 0) + (0 < self.hidden < 1)
        self.judged = len(self.points) > fitted  # otherwise the residuals say nothing

    def _costs(self, hidden, unit):
        """The hidden part of the link depends on the rate that is fitted: fit again with the result.

        Where the points do not determine the costs, they are those of one device alone.
        """
        costs = np.array([0, unit, 0])
        for _ in range(4):
            rows, values = [], []
            for p in self.points:
                work, t = p["work"] / p["ranks"], p["step_s"]
                rows.append([1 / t, work / t, (p["ranks"] > 1) / t])
                values.append((t - shown(self._link_seconds(p, p["ranks"]), work * unit, hidden)) / t)
            found = least_squares(np.array(rows), np.array(values))
            if found is None:
                break
            costs, unit = found, found[1]
        return costs

    def _step(self, point, costs, hidden):
        work = point["work"] / point["ranks"] * costs[1]
        share = costs[2] if point["ranks"] > 1 else 0
        return costs[0] + work + share + shown(self._link_seconds(point, point["ranks"]), work, hidden)

    def _counts(self, size, ranks):
        """Messages, bytes, and collective operations of a step."""
        d = self.divided
        p, p0, grown = ranks, d["ranks"], size / d["size"]
        messages, sent = d["messages"], d["bytes"]
        if self.pattern == "halo":
            # Two ranks without joined edges have one neighbour, those between others have two.
            measured = min(max(round(messages / max(d["exchanges"], 1e-9)), 1), 2)
            now = (2 if ranks > 2 else measured) / measured
            messages, sent = messages * now, sent * now * grown
        elif self.pattern == "transpose":
            messages *= (p - 1) / (p0 - 1)
            sent *= grown**2 * (p - 1) / p**2 / ((p0 - 1) / p0**2)
        elif self.pattern == "gather":
            messages *= (p - 1) / (p0 - 1)
            sent *= grown * (p - 1) / p / ((p0 - 1) / p0)
        return {"messages": messages, "bytes": sent, "collectives": d["collectives"]}

    def _link_seconds(self, counts, ranks, network=Network()):
        if ranks < 2:
            return 0.0
        rounds = math.ceil(math.log2(ranks))

        def seconds(part, latency, bandwidth):
            return (counts["messages"] * part + counts["collectives"] * rounds) * latency \
                + counts["bytes"] * part / bandwidth

        if network.devices == 0 or ranks <= network.devices:
            return seconds(1, self.latency, self.bandwidth)
        # A halo has one neighbour on another machine; other patterns have all devices that are not on this machine.
        # Both links work at the same time.
        beyond = 0.5 if self.pattern == "halo" else (ranks - network.devices) / (ranks - 1)
        return max(seconds(1 - beyond, self.latency, self.bandwidth),
                   seconds(beyond, network.latency, network.bandwidth))

    def size_for(self, size, times):
        """The size with `times` the work of this one."""
        return round(size * times ** (1 / self.work_power))

    def at(self, size, ranks, network=Network()):
        work = self.divided["work"] * (size / self.divided["size"]) ** self.work_power
        computing, link, share = work / ranks / self.rate, 0.0, 0.0
        if ranks > 1:
            link = shown(self._link_seconds(self._counts(size, ranks), ranks, network), computing, self.hidden)
            share = self.share
        return Estimate(self.start + computing + share + link, computing, link)


class Line(NamedTuple):
    size: int
    ranks: int
    estimate: Estimate
    speed_up: float
    weak: float  # efficiency where each device keeps the work that one has of this size
    possible: bool


def lines_of(model, size, ranks, network):
    alone, most = model.at(size, 1).seconds, most_parts(model, size)
    for each in ranks:
        estimate = model.at(size, each, network)
        weak = alone / model.at(model.size_for(size, each), each, network).seconds
        yield Line(size, each, estimate, alone / estimate.seconds, weak, each <= most)


def most_parts(model, size):
    return next(p["most_ranks"] for p in model.points if p["size"] == size) or math.inf


def limit_of(model, estimate):
    """The largest part of a step."""
    fixed = model.start + model.share
    if estimate.computing >= estimate.link and estimate.computing >= fixed:
        return "computing"
    return "the link" if estimate.link >= fixed else "fixed cost"


def where_it_stops(model, size, network):
    alone, most = model.at(size, 1).seconds, most_parts(model, size)
    half, fastest, last, least = 0, 1, 1, alone
    for ranks in itertools.takewhile(lambda n: n <= min(MOST_RANKS, most), (2**k for k in itertools.count(1))):
        last, seconds = ranks, model.at(size, ranks, network).seconds
        if not half and alone / seconds < 0.5 * ranks:
            half = ranks
        if seconds < least * 0.999:
            least, fastest = seconds, ranks
    text = f"less than half of each device is used from {half} devices on" if half else \
        "each device is at least half used"
    if fastest < last:
        return text + f", more than {fastest} devices are no faster"
    return text + (f", and the run has at most {most} parts" if last * 2 > most else "")


def sizes_of(model):
    return sorted({p["size"] for p in model.points if p["ranks"] > 1})


def scaled(number, unit, space=False):
    prefixes = iter(("", "k", "M", "G", "T", "P"))
    prefix = next(prefixes)
    while abs(number) >= 999.5 and prefix != "P":
        number, prefix = number / 1000, next(prefixes)
    return f"{number:.3g} {prefix}{' ' if prefix and space else ''}{unit}"


def step_text(seconds):
    return f"{1e6 * seconds:.4g} µs" if seconds > 0 else "–"


def table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "".join(("  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths))).rstrip() + "\n" for row in rows)


def text(model, ranks, network):
    first = model.points[0]
    out = (f"{first['simulation']}{' (' + first['series'] + ')' if first['series'] else ''}\n  fitted: "
           f"{1e6 * model.start:.3g} µs to start a step, {scaled(model.rate, first['work_unit'], True)} on one device, "
           f"{1e6 * model.share:.3g} µs for the division, {100 * model.hidden:.0f} % of the link hidden; each device "
           f"sends {SENT[model.pattern]}\n")
    out += table([("SIZE", "DEVICES", "MEASURED", "MODEL", "RESIDUAL")] +
                 [(str(p["size"]), str(p["ranks"]), step_text(p["step_s"]), step_text(m),
                   f"{100 * (m / p['step_s'] - 1):+.1f} %") for p, m in model.residuals])
    if not model.judged:
        out += "  As many parameters as points: the residuals do not test the model. Measure more sizes.\n"
    rows, stops = [("SIZE", "DEVICES", "COMPUTED", "SPEED-UP", "EFFICIENCY", "WEAK", "LARGEST PART")], ""
    for size in sizes_of(model):
        for each in lines_of(model, size, ranks, network):
            weak = f"{100 * each.weak:.0f} %"
            rows.append((str(size), str(each.ranks), step_text(each.estimate.seconds), f"{each.speed_up:.4g}",
                         f"{100 * each.speed_up / each.ranks:.0f} %", weak, limit_of(model, each.estimate))
                        if each.possible else (str(size), str(each.ranks), "–", "–", "–", weak, "too few parts"))
        stops += f"  {size}: {where_it_stops(model, size, network)}.\n"
    return out + "\n" + table(rows) + stops


def document(model, ranks, network):
    first = model.points[0]
    return {"simulation": first["simulation"], "series": first["series"], "start_s": model.start,
            "work_per_second": model.rate, "work_unit": first["work_unit"], "divided_s": model.share,
            "hidden": model.hidden, "judged": model.judged, "worst_residual": model.worst_residual,
            "residuals": [{"size": p["size"], "devices": p["ranks"], "measured_s": p["step_s"], "model_s": m,
                           "relative": m / p["step_s"] - 1} for p, m in model.residuals],
            "computed": [{"size": size, "devices": each.ranks, "possible": each.possible,
                          "step_s": each.estimate.seconds, "computing_s": each.estimate.computing,
                          "link_s": each.estimate.link, "speed_up": each.speed_up, "weak_efficiency": each.weak}
                         for size in sizes_of(model) for each in lines_of(model, size, ranks, network)]}


def chart(models, most, network, device):
    """An SVG of the speed-up over the number of devices, both axes in decades."""
    curves = []
    for model in models:
        changed = model.points[0]["series"].partition(", ")[2]
        for size in sizes_of(model):
            lines = lines_of(model, size, [2**k for k in range(int(math.log2(most)) + 1)], network)
            name = f"{model.points[0]['simulation']} {size}" + (", " + changed if changed else "")
            curves.append((name, size == sizes_of(model)[-1], [(e.ranks, e.speed_up) for e in lines if e.possible]))
    if len(curves) > MOST_CURVES:  # the largest size of each series
        curves = [each for each in curves if each[1]]
    width, height, left, top = 1000, 560, 60, 50
    unit = min((width - 320) / math.log10(max(most, 2)), (height - top - 60) / math.log10(max(most, 2)))

    def place(point):
        return f"{left + unit * math.log10(point[0]):.1f},{height - 60 - unit * math.log10(max(point[1], 0.1)):.1f}"

    def line(points, colour, dash=""):
        return (f'<polyline fill="none" stroke="{colour}" stroke-width="2" {dash} '
                f'points="{" ".join(map(place, points))}"/>')

    def words(x, y, what, colour="#333"):
        what = what.replace("&", "&amp;").replace("<", "&lt;")
        return f'<text x="{x}" y="{y}" fill="{colour}">{what}</text>'

    colours = ("#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf", "#7f7f7f")
    parts = [words(left, 28, f"Speed-up over one {device}, computed from a fitted model"),
             line([(1, 1), (most, most)], "#999", 'stroke-dasharray="6 4"')]
    for decade in (10**k for k in range(int(math.log10(max(most, 2))) + 1)):
        x, y = place((decade, decade)).split(",")
        parts += [words(x, height - 40, f"{decade}"), words(8, y, f"{decade}")]
    for i, (name, _, points) in enumerate(curves):
        parts += [line(points, colours[i % len(colours)]), words(width - 250, 60 + 22 * i, name, colours[i % 8])]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="14"><rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) +
            "\n" + words(left, height - 14, "devices") + "</svg>\n")


def read(name):
    """A file of bench --devices; ValueError names the file and its fault."""
    try:
        with open(name, encoding="utf-8") as file:
            found = json.load(file)
        if found.get("form") != FORM:
            raise ValueError(f'is not of the form "{FORM}"')
        for point in found["points"]:
            if "division" not in point:
                raise ValueError("has no division of its runs: measure again")
            for key, low in NUMBERS.items():
                if not low <= float(point[key]) <= 1e30:
                    raise ValueError(f"a point has {key} = {point[key]}, outside the range {low} to 1e30")
        for point in found["link"]["points"]:
            if not (0 <= float(point["bytes"]) <= 1e30 and 1e-12 <= float(point["seconds"]) <= 1e30):
                raise ValueError(f"a point of the link is out of range: {point}")
        return found
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{name}: {error}; give files that simscope bench --devices --json FILE wrote") from error


def models_of(sets, wanted=()):
    """One for each simulation and series, in their order."""
    if len({each["device"] for each in sets}) > 1:
        raise ValueError("a model needs one kind of device, not " + ", ".join(each["device"] for each in sets))
    link = max(sets, key=lambda each: len(each["link"]["points"]))["link"]
    series = {}
    for point in itertools.chain.from_iterable(each["points"] for each in sets):
        series.setdefault((point["simulation"], point["series"]), []).append(point)
    models = [Model(points, link["points"]) for key, points in series.items() if not wanted or key[0] in wanted]
    if not models:
        raise ValueError("none of these files has points of the named simulations")
    return link, models


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="written by simscope bench --devices --json FILE")
    parser.add_argument("--simulation", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    parser.add_argument("--ranks", type=int, action="append", metavar="N",
                        help="number of devices; may be repeated [1 2 4 8 64 1024 16384]")
    parser.add_argument("--machine-devices", type=int, default=8, metavar="N", help="devices per machine [8]")
    # Of eight devices in a machine each has a network card of 400 Gbit/s.
    parser.add_argument("--network", default="50e9,5e-6", metavar="RATE,LATENCY",
                        help="between machines, bytes/s per device each way and seconds [50e9,5e-6]")
    parser.add_argument("--chart", metavar="FILE.svg", help="writes a picture of the speed-up")
    parser.add_argument("--json", metavar="FILE", help="writes the results as JSON; - for standard output")
    options = parser.parse_args()
    ranks = sorted(options.ranks or (1, 2, 4, 8, 64, 1024, 16384))
    try:
        rate, latency = map(float, options.network.split(","))
        network = Network(options.machine_devices, latency, rate)
        if not (0 < ranks[0] and ranks[-1] <= MOST_RANKS and network.devices > 0 and rate >= 1 and 0 <= latency <= 10):
            raise ValueError(f"devices are 1 to {MOST_RANKS}, the rate is at least 1, and the latency 0 to 10 s")
        sets = [read(each) for each in options.files]
        link, models = models_of(sets, options.simulation)
    except ValueError as error:
        parser.error(str(error))
    own = models[0]
    results = {"device": sets[0]["device"],
               "link": {"name": link["name"], "latency_s": own.latency, "bandwidth": own.bandwidth},
               "assumed": {"machine_devices": network.devices, "latency_s": latency, "bandwidth": rate},
               "models": [document(each, ranks, network) for each in models]}
    told = (f"Computed, not measured: a model of {sets[0]['device']}, linked by {link['name']} ({step_text(own.latency)} "
            f"and {scaled(own.bandwidth, 'B')}/s each way, both measured), fitted to the points below.\n"
            f"Up to {network.devices} devices are in one machine. Between machines, {scaled(rate, 'B')}/s per device and "
            f"{step_text(latency)} are assumed (--network, --machine-devices).\nWEAK: the efficiency of a run that grows "
            "with the number of devices, so that each device keeps the work of this size.\n\n")
    pretty = json.dumps(results, indent=2, ensure_ascii=False) + "\n"
    if options.json and options.json != "-":
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(pretty)
    if options.chart:
        with open(options.chart, "w", encoding="utf-8") as file:
            file.write(chart(models, ranks[-1], network, sets[0]["device"]))
    sys.stdout.write(pretty if options.json == "-" else told + "\n".join(text(m, ranks, network) for m in models) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
