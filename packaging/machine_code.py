"""For which NVIDIA cards a program has code: machine code by architecture, and PTX, which a driver compiles for any newer
card. Read from the program itself (fat binaries of nvcc), as `cuobjdump --list-elf --list-ptx` does; the toolkit need not
be there.

usage: machine_code.py PROGRAM [ARCHITECTURE ...]     as CMake names them: 75-virtual, 90-real; ends with 1 where one lacks
"""
import collections
import pathlib
import struct
import sys

MAGIC = struct.pack("<I", 0xBA55ED50)
KINDS = {1: "virtual", 2: "real"}  # PTX, ELF
PART = struct.Struct("<HHIQ")  # of a part's head: kind, attributes, size of the head, size of what follows
ARCHITECTURE = 28  # its place in that head


def machine_code(data: bytes) -> collections.Counter:
    """How many fat binaries have code of each architecture."""
    found, at = collections.Counter(), 0
    while (at := data.find(MAGIC, at)) >= 0:
        _, head, size = struct.unpack_from("<HHQ", data, at + 4)
        end = at + head + size
        if head != 16 or end > len(data):  # four bytes that are equal by chance
            at += 4
            continue
        part, kinds = at + head, set()
        while part + ARCHITECTURE + 4 <= end:
            kind, _, length, size = PART.unpack_from(data, part)
            kinds.add(f"{struct.unpack_from('<I', data, part + ARCHITECTURE)[0]}-{KINDS.get(kind, kind)}")
            part += max(length, PART.size) + size
        found.update(kinds)
        at = end
    return found


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    found = machine_code(pathlib.Path(sys.argv[1]).read_bytes())
    most = max(found.values(), default=0)
    print(" ".join(sorted(found, key=lambda each: (int(each.split("-")[0]), each))) or "no code for CUDA devices")
    lacking = [each for each in sys.argv[2:] if found[each] < most or not most]
    if lacking:
        print(f"{sys.argv[1]} lacks code, in parts or at all, for {', '.join(lacking)}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
