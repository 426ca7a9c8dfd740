# media.bash - for suites that show pictures and sounds to a model.

# picture FILE [COLOR [WIDTH HEIGHT]] - make one; its format is FILE's end.
picture() {
  /usr/bin/python3 - "$@" <<'PY'
import sys
from PIL import Image
name, color, width, height = sys.argv[1:] + ["red", 40, 30][len(sys.argv) - 2:]
Image.new("RGB", (int(width), int(height)), color).save(name)
PY
}

# noise FILE BYTES - a PNG of 1568 pixels across that is just so long.
noise() {
  /usr/bin/python3 - "$@" <<'PY'
import os, struct, sys, zlib
name, size = sys.argv[1], int(sys.argv[2])
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + \
        struct.pack(">I", zlib.crc32(kind + data))
high = min(500, size // 5000)
rows = b"".join(b"\0" + os.urandom(3 * 1568) for _ in range(high))
whole = b"\x89PNG\r\n\x1a\n" + \
    chunk(b"IHDR", struct.pack(">IIBBBBB", 1568, high, 8, 2, 0, 0, 0)) + \
    chunk(b"IDAT", zlib.compress(rows, 0))
fill = size - len(whole) - 12 - 12  # an end, and a chunk that nobody reads
whole += chunk(b"prVt", bytes(fill)) + chunk(b"IEND", b"")
assert len(whole) == size
open(name, "wb").write(whole)
PY
}

# sound FILE SECONDS - a WAV of silence, 16 bits at 16 kHz.
sound() {
  /usr/bin/python3 - "$@" <<'PY'
import sys, wave
with wave.open(sys.argv[1], "wb") as w:
    w.setnchannels(1)
    w.setsampwidth(2)
    w.setframerate(16000)
    w.writeframes(bytes(int(float(sys.argv[2]) * 32000)))
PY
}

# keep FILE - put it into the store of contents, which is there already; prints
# its hash.
keep() {
  local hash
  hash=$(sha256sum "$1" | cut -d' ' -f1)
  if [ "$(stat -c %s "$1")" -le 65536 ]; then
    sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT OR IGNORE INTO content VALUES
      ('$hash', $(stat -c %s "$1"), readfile('$1'))"
  else
    mkdir -p "$SOPHIA_HOME/blob/${hash:0:2}"
    cp "$1" "$SOPHIA_HOME/blob/${hash:0:2}/$hash"
    sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT OR IGNORE INTO content VALUES
      ('$hash', $(stat -c %s "$1"), NULL)"
  fi
  echo "$hash"
}

# exhibit KIND TYPE NAME HASH - an item of media.
exhibit() {
  jq -nc --arg kind "$1" --arg type "$2" --arg name "$3" --arg blob "$4" \
    '{$kind, $type, $name, $blob}'
}

# saw [JQ] - of the last request: what the provider saw of its media.
saw() {
  provider GET log '' | jq -c "last.media${1:+ | $1}"
}

# wrong - what the provider found wrong with any request: nothing.
wrong() {
  provider GET log '' | jq -r 'map(.problems[])[]'
}
