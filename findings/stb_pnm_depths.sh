#!/usr/bin/env bash
# Library: stb_image 2.27 of Debian 12 (libstb-dev 0.0~git20220908.8b5f1f3+ds-1).
# Surprise: a PGM states its white in its header. stb_image reads the number and does not scale by it, so the white of a file
#   with the largest value 15 is 15 of 255. Of 16-bit files it keeps the file's byte order, which is not that of the
#   processor: 0x0102 becomes 0x0201, and the conversion to 8 bits keeps the low byte.
# Guess that is wrong: "stbi_load gives 255 for white, as for every other format".
# Here: simscope reads PNM itself (sims/image/pnm.h).
set -euo pipefail
version=0.0~git20220908.8b5f1f3+ds-1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download "libstb-dev=$version" >/dev/null 2>&1 || { echo "skipped: libstb-dev $version is not offered here"; exit 77; }
dpkg -x libstb-dev_*.deb root
cat >try.c <<'C'
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#include <stdio.h>
int main(void) {
  int w, h, n;
  const unsigned char four_bits[] = "P5 2 1 15\n\x0f\x07", sixteen_bits[] = "P5 2 1 65535\n\x01\x02\xff\xff";
  const stbi_uc *a = stbi_load_from_memory(four_bits, sizeof four_bits - 1, &w, &h, &n, 1);
  const stbi_us *b = stbi_load_16_from_memory(sixteen_bits, sizeof sixteen_bits - 1, &w, &h, &n, 1);
  const stbi_uc *c = stbi_load_from_memory(sixteen_bits, sizeof sixteen_bits - 1, &w, &h, &n, 1);
  if (!a || !b || !c) return puts(stbi_failure_reason()), 1;
  printf("largest value 15: %d %d\n16 bits: 0x%04x 0x%04x\n16 bits as 8: %d %d\n", a[0], a[1], b[0], b[1], c[0], c[1]);
  return 0;
}
C
cc -w -Iroot/usr/include try.c -lm -o try
./try | tee seen
diff seen - <<'SEEN' || { echo "changed: stb_image behaves otherwise now"; exit 1; }
largest value 15: 15 7
16 bits: 0x0201 0xffff
16 bits as 8: 2 255
SEEN
echo "as stated. Right: 255 119; 0x0102 0xffff; 1 255"
