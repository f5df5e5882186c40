#!/usr/bin/env bash
# Library: stb_image 2.27 of Debian 12 (libstb-dev 0.0~git20220908.8b5f1f3+ds-1).
# Surprise: asked for grey, stb_image weighs colours by 77/256, 150/256, 29/256, cut to whole levels (BT.601 has 0.299, 0.587,
#   0.114): of 16 bits, red is off by 0.6 %. Of an animated PNG it gives the first picture and tells nothing of the others, and
#   it does not turn a picture as its EXIF says.
# Guess that is wrong: "grey is the luma to the last bit of the format", and "one picture read means one picture there".
# Here: simscope weighs colours itself, heeds EXIF, and refuses animations by name (sims/image).
set -euo pipefail
version=0.0~git20220908.8b5f1f3+ds-1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download "libstb-dev=$version" >/dev/null 2>&1 || { echo "skipped: libstb-dev $version is not offered here"; exit 77; }
dpkg -x libstb-dev_*.deb root
cat >make.py <<'PY'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
begin, end = b"\x89PNG\r\n\x1a\n", chunk(b"IEND", b"")
def header(depth, colour):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, depth, colour, 0, 0, 0))
red = chunk(b"IDAT", zlib.compress(b"\0\xff\xff\0\0\0\0"))
open("red.png", "wb").write(begin + header(16, 2) + red + end)
def control(number):
    return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 1, 1, 0, 0, 1, 10, 0, 0))
first, second = zlib.compress(b"\0\x10"), zlib.compress(b"\0\xf0")
open("film.png", "wb").write(begin + header(8, 0) + chunk(b"acTL", struct.pack(">II", 2, 0)) + control(0) +
    chunk(b"IDAT", first) + control(1) + chunk(b"fdAT", struct.pack(">I", 2) + second) + end)
exif = b"MM" + struct.pack(">HIHHHIHHI", 42, 8, 1, 274, 3, 1, 3, 0, 0)  # turned by half
wide = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0))
open("turned.png", "wb").write(begin + wide + chunk(b"eXIf", exif) + chunk(b"IDAT", zlib.compress(b"\0\x10\xf0")) + end)
PY
python3 make.py
cat >try.c <<'C'
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stdio.h>
int main(void) {
  int w, h, n;
  const stbi_us *red = stbi_load_16("red.png", &w, &h, &n, 1);
  printf("red of 16 bits: %d of 65535\n", red ? red[0] : -1);
  const stbi_uc *film = stbi_load("film.png", &w, &h, &n, 1);
  printf("film of two pictures: %d\n", film ? film[0] : -1);
  const stbi_uc *turned = stbi_load("turned.png", &w, &h, &n, 1);
  if (turned) printf("turned by half: %d %d\n", turned[0], turned[1]);
  return 0;
}
C
cc -w -Iroot/usr/include try.c -lm -o try
./try | tee seen
diff seen - <<'SEEN' || { echo "changed: stb_image behaves otherwise now"; exit 1; }
red of 16 bits: 19711 of 65535
film of two pictures: 16
turned by half: 16 240
SEEN
echo "as stated. Right: 19595; 16, and a second picture of 240; 240 16"
