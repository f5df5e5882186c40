#!/usr/bin/env bash
# Program: ffmpeg 5.1 of Debian 12.
# Surprise: ffmpeg writes an animated WebP (libwebp_anim) that it cannot read itself: its own decoder skips the chunks of an
#   animation and finds no picture.
# Guess that is wrong: "a film that ffmpeg wrote can be checked with ffmpeg".
set -euo pipefail
[[ $(ffmpeg -version 2>/dev/null | head -n 1) == "ffmpeg version 5.1."* ]] || { echo "skipped: ffmpeg 5.1 is not here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
frames() {  # that ffmpeg decodes of a file
  ffmpeg -v quiet -i "$1" -f framemd5 - </dev/null 2>/dev/null | grep -vc '^#' || true
}
ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=10:duration=1 film.mkv </dev/null
ffmpeg -v error -i film.mkv -c:v libwebp_anim film.webp </dev/null
ffmpeg -v error -i film.mkv film.gif </dev/null
{
  echo "kind: $(head -c 16 film.webp | tail -c 8 | tr -d ' ')"
  echo "written as GIF: $(frames film.gif) frames read"
  echo "written as WebP: $(frames film.webp) frames read"
} | tee seen
diff seen - <<'SEEN' || { echo "changed: ffmpeg behaves otherwise now"; exit 1; }
kind: WEBPVP8X
written as GIF: 10 frames read
written as WebP: 0 frames read
SEEN
echo "as stated"
