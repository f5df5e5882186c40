#!/usr/bin/env bash
# Libraries from npm: apng-js 1.1.5, upng-js 2.1.0. Format: APNG.
# Surprise: the format allows a delay of any fraction of a second. apng-js, like browsers, plays a frame of up to 10 ms for
#   100 ms, so a film of 100 frames a second runs ten times too slow, and one of 90 runs as it says. upng-js keeps the 10 ms,
#   and rounds to whole milliseconds: 1/90 s becomes 11 ms, 1 % fast. A delay of 0/100 s is 0 for one and 100 ms for the other.
# Guess that is wrong: "APNG has no such rule as GIF's 20 ms".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . apng-js@1.1.5 upng-js@2.1.0 >/dev/null 2>&1 ||
  { echo "skipped: npm does not offer the pinned versions here"; exit 77; }
cat >try.cjs <<'JS'
const zlib = require('zlib'), { default: apng } = require('apng-js'), UPNG = require('upng-js');
const words = (...all) => { const b = Buffer.alloc(4 * all.length); all.forEach((w, i) => b.writeUInt32BE(w, 4 * i)); return b; };
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([words(data.length), body, words(zlib.crc32(body))]);
};
const pixel = (...rgb) => zlib.deflateSync(Buffer.from([0, ...rgb]));
const control = (n, over, under) => chunk('fcTL', Buffer.concat([words(n, 1, 1, 0, 0), Buffer.from([0, over, 0, under, 0, 0])]));
for (const [over, under] of [[1, 30], [1, 90], [1, 100], [0, 100]]) {
  const film = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', Buffer.concat([words(1, 1), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('acTL', words(2, 0)), control(0, over, under), chunk('IDAT', pixel(255, 0, 0)), control(1, over, under),
    chunk('fdAT', Buffer.concat([words(2), pixel(0, 0, 255)])), chunk('IEND', Buffer.alloc(0))]);
  const bytes = new Uint8Array(film).buffer;
  console.log(`${over}/${under} s: apng-js ${apng(bytes).frames[1].delay.toFixed(1)} ms, upng-js ${UPNG.decode(bytes).frames[1].delay} ms`);
}
JS
node try.cjs | tee seen
diff seen - <<'SEEN' || { echo "changed: the libraries behave otherwise now"; exit 1; }
1/30 s: apng-js 33.3 ms, upng-js 33 ms
1/90 s: apng-js 11.1 ms, upng-js 11 ms
1/100 s: apng-js 100.0 ms, upng-js 10 ms
0/100 s: apng-js 100.0 ms, upng-js 0 ms
SEEN
echo "as stated"
