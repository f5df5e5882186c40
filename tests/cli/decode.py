"""Decodes a GIF or PNG with Pillow and prints its content as JSON. Exit status 77: no Pillow."""
import hashlib
import json
import sys

try:
    from PIL import Image
except ImportError:
    sys.exit(77)

with Image.open(sys.argv[1]) as image:
    frames = getattr(image, "n_frames", 1)
    delays, hashes = [], []
    for index in range(frames):
        image.seek(index)
        delays.append(image.info.get("duration"))
        hashes.append(hashlib.sha256(image.convert("RGB").tobytes()).hexdigest())
    print(json.dumps({"frames": frames, "size": image.size, "delays": delays, "hashes": hashes,
                      "loop": image.info.get("loop")}))
