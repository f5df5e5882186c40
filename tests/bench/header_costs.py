"""The build cost of each header: the number of objects that read it, and the time that g++ takes to read it alone.

usage: header_costs.py BUILD_FOLDER [HOW_MANY]

The list comes from ninja's record of the last build. A header's cost includes the headers that it includes, so costs
overlap.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

STANDARD = ("algorithm", "chrono", "filesystem", "functional", "map", "memory", "string", "thread", "vector")
LIBRARIES = ("nlohmann/json.hpp", "nlohmann/json_fwd.hpp", "fmt/format.h", "CLI/CLI.hpp", "gmock/gmock.h", "gtest/gtest.h",
             "Random123/philox.h", "oneapi/tbb/parallel_for.h", "imgui.h", "cuda_runtime.h", "glad/gl.h", "GLFW/glfw3.h")


def readers(folder):
    """The headers of the tree and of the libraries above, with the number of objects that read each; and the number
    of all objects."""
    counts = collections.Counter()
    objects = 0
    listing = subprocess.run(["ninja", "-C", folder, "-t", "deps"], check=True, stdout=subprocess.PIPE, text=True).stdout
    for block in listing.split("\n\n"):
        first, _, rest = block.strip().partition("\n")
        if ".o:" not in first or "VALID" not in first:
            continue
        objects += 1
        seen = set()
        for path in (line.strip() for line in rest.splitlines()):
            tree = re.search(r"(?:^|/)((?:sims|app|tests)/[\w/]+\.h)$", path)
            if tree:
                seen.add(f'"{tree.group(1)}"')
                continue
            for name in LIBRARIES:
                if path.endswith("/" + name):
                    seen.add(f"<{name}>")
            if "/c++/" in path and pathlib.Path(path).name in STANDARD:
                seen.add(f"<{pathlib.Path(path).name}>")
        counts.update(seen)
    return counts, objects


def main():
    folder = pathlib.Path(sys.argv[1])
    shown = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    counts, objects = readers(folder)
    if not objects:
        sys.exit(f"{folder} has no record of a build by ninja")
    includes = ["-I.", "-I" + str(folder / "glad/include"), "-I/usr/include/imgui", "-I/usr/include/freetype2", "-I/usr/local/cuda/include"]
    compiler = shlex.split(os.environ.get("CXX", "g++")) + ["-std=c++20", "-DSIMSCOPE_HAVE_CUDA=0", *includes, "-x", "c++"]

    def lines(header):
        text = subprocess.run([*compiler, "-E", "-P", "-"], input=f"#include {header}\n", stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False).stdout
        return text.count("\n")

    # First by lines, which is fast; then the probably expensive ones are timed.
    likely = [header for header, count in counts.items() if count >= objects * 0.1]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        size = dict(zip(likely, pool.map(lines, likely)))
    likely.sort(key=lambda header: -size[header] * counts[header])
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for header in likely[:shown]:
            source = pathlib.Path(scratch) / "one.cpp"
            source.write_text(f"#include {header}\n", encoding="utf-8")
            begun = time.monotonic()
            subprocess.run([*compiler, "-fsyntax-only", source], stderr=subprocess.DEVNULL, check=False)
            rows.append((counts[header] * (time.monotonic() - begun), counts[header], header))
    print(f"headers, the dearest of {objects} objects (seconds together, with what they include; objects that read it):")
    for seconds, count, header in sorted(rows, reverse=True):
        print(f"  {seconds:6.1f} s {count:5d}  {header}")


if __name__ == "__main__":
    main()
