#!/usr/bin/env bash
# Libraries from npm: fast-png 8.0.0, upng-js 2.1.0, sharp 0.35.5 (libvips). Format: PNG.
# Surprise: PNG has three kinds of text (tEXt, iTXt, and iTXt compressed), before or behind the pixels. Of these six places
#   only one is read by all three: tEXt before the pixels. fast-png drops iTXt in silence. upng-js hands out the compressed
#   bytes as if they were text. sharp does not see text behind the pixels, nor does it keep it (keepMetadata).
# Guess that is wrong: "text of a PNG that one reader shows, the others show as well".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . sharp@0.35.5 fast-png@8.0.0 upng-js@2.1.0 \
  >/dev/null 2>&1 || { echo "skipped: npm does not offer the pinned versions here"; exit 77; }
cat >try.mjs <<'JS'
import zlib from 'node:zlib';
import { decode } from 'fast-png';
import UPNG from 'upng-js';
import sharp from 'sharp';
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]), ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0); ends.writeUInt32BE(zlib.crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};
const said = 'text', texts = {
  'tEXt': chunk('tEXt', Buffer.from('note\0' + said)),
  'iTXt': chunk('iTXt', Buffer.from('note\0\0\0\0\0' + said)),
  'iTXt compressed': chunk('iTXt', Buffer.concat([Buffer.from('note\0\x01\0\0\0'), zlib.deflateSync(said)])),
};
const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]), pixel = zlib.deflateSync(Buffer.from([0, 255, 0, 0]));
const yes = (text) => text === said ? 'read' : text === undefined ? 'missing' : 'garbled';
for (const [kind, text] of Object.entries(texts)) for (const before of [true, false]) {
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), ...(before ? [text] : []),
                             chunk('IDAT', pixel), ...(before ? [] : [text]), chunk('IEND', Buffer.alloc(0))]);
  const { tEXt, iTXt } = UPNG.decode(new Uint8Array(png).buffer).tabs;
  const of_sharp = (await sharp(png).metadata()).comments?.[0]?.text;
  const kept = (await sharp(await sharp(png).keepMetadata().png().toBuffer()).metadata()).comments?.[0]?.text;
  console.log(`${kind} ${before ? 'before' : 'behind'}: fast-png ${yes(decode(png).text?.note)}, upng-js ${yes((tEXt ?? iTXt)?.note)},`,
              `sharp ${yes(of_sharp)}, kept by sharp ${kept === said ? 'yes' : 'no'}`);
}
JS
node try.mjs | tee seen
diff seen - <<'SEEN' || { echo "changed: the libraries behave otherwise now"; exit 1; }
tEXt before: fast-png read, upng-js read, sharp read, kept by sharp yes
tEXt behind: fast-png read, upng-js read, sharp missing, kept by sharp no
iTXt before: fast-png missing, upng-js read, sharp read, kept by sharp yes
iTXt behind: fast-png missing, upng-js read, sharp missing, kept by sharp no
iTXt compressed before: fast-png missing, upng-js garbled, sharp read, kept by sharp yes
iTXt compressed behind: fast-png missing, upng-js garbled, sharp missing, kept by sharp no
SEEN
echo "as stated"
