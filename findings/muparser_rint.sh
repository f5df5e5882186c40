#!/usr/bin/env bash
# Library: muParser 2.3.3 of Debian 12 (libmuparser-dev 2.3.3-0.1).
# Surprise: its rint is the floor of x + 0.5, not C's function of this name. Halves go up, not to the even neighbour; the sum
#   is rounded, so the largest number below 0.5 becomes 1. A typed potential or aperture that divides the plane with rint has
#   its edges elsewhere than the same formula in C, NumPy, or Fortran.
# Guess that is wrong: "rint is the C library's rint".
# Here: simscope reads formulas itself, and its rint is C's (sims/formula/functions.cpp).
set -euo pipefail
version=2.3.3-0.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download "libmuparser-dev=$version" "libmuparser2v5=$version" >/dev/null 2>&1 ||
  { echo "skipped: libmuparser $version is not offered here"; exit 77; }
for each in ./*.deb; do dpkg -x "$each" root; done
cat >try.cpp <<'CPP'
#include <cmath>
#include <cstdio>
#include <muParser.h>
int main() {
  for (const char* x : {"0.49999999999999994", "0.5", "2.5", "-1.5"}) {
    mu::Parser parser;
    parser.SetExpr(std::string("rint(") + x + ")");
    std::printf("rint(%s): muParser %g, C %g\n", x, parser.Eval(), std::rint(std::stod(x)));
  }
}
CPP
libraries=$(dirname "$(find root -name 'libmuparser.so.2' | head -1)")
c++ -std=c++17 -Iroot/usr/include try.cpp "$libraries/libmuparser.so.2" -fopenmp -o try
LD_LIBRARY_PATH=$libraries ./try | tee seen
diff seen - <<'SEEN' || { echo "changed: muParser behaves otherwise now"; exit 1; }
rint(0.49999999999999994): muParser 1, C 0
rint(0.5): muParser 1, C 0
rint(2.5): muParser 3, C 2
rint(-1.5): muParser -1, C -2
SEEN
echo "as stated"
