#!/usr/bin/env bash
# Libraries: sharp 0.35.5 (libvips), omggif 1.0.10, both from npm. Formats: GIF (NETSCAPE block), WebP (ANIM chunk).
# Surprise: a 3 in the loop block of a GIF means three repetitions, four plays; a 3 in a WebP means three plays. libvips
#   converts: it reports 4 for that GIF, and writes 4 into the WebP. omggif hands out the 3 as it stands. Software that copies
#   the number from one format to the other is off by one, and a GIF that is to play once has no block at all.
# Guess that is wrong: "the loop number of both formats counts plays".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . sharp@0.35.5 omggif@1.0.10 >/dev/null 2>&1 ||
  { echo "skipped: npm does not offer the pinned versions here"; exit 77; }
cat >try.cjs <<'JS'
const sharp = require('sharp'), { GifReader } = require('omggif');
const head = 'GIF89a\x02\x00\x02\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff';
const loops = (n) => '!\xff\x0bNETSCAPE2.0\x03\x01' + String.fromCharCode(n) + '\x00\x00';
const frame = (codes) => '!\xf9\x04\x00\x0a\x00\x00\x00,\x00\x00\x00\x00\x02\x00\x02\x00\x00\x02\x03' + codes + '\x00';
const film = (loop) => Buffer.from(head + loop + frame('\x04\x00\x05') + frame('\x4c\x12\x05') + ';', 'latin1');
(async () => {
  for (const [name, block] of [['no block', ''], ['0', loops(0)], ['1', loops(1)], ['3', loops(3)]]) {
    const gif = film(block);
    const webp = await sharp(gif, { animated: true }).webp({ lossless: true }).toBuffer();
    console.log(`GIF ${name}: sharp ${(await sharp(gif, { animated: true }).metadata()).loop},`,
                `its WebP ${webp.readUInt16LE(webp.indexOf('ANIM') + 12)}, omggif ${new GifReader(gif).loopCount()}`);
  }
})();
JS
node try.cjs | tee seen
diff seen - <<'SEEN' || { echo "changed: the libraries behave otherwise now"; exit 1; }
GIF no block: sharp 1, its WebP 1, omggif null
GIF 0: sharp 0, its WebP 0, omggif 0
GIF 1: sharp 2, its WebP 2, omggif 1
GIF 3: sharp 4, its WebP 4, omggif 3
SEEN
echo "as stated"
