load helper
load turns

# What models are shown of pictures, videos and sounds: on the real engine, with
# a provider that looks at what it is sent.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}

setup_file() {
  provider_start
}

teardown_file() {
  provider_stop
}

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR"
  provider_use
  profile fake 65536 '"inputs":["text","image","audio"]' >"$SOPHIA_HOME/models/fake.json"
}

# No container is left of a test, and no lock of one.
teardown() {
  [ ! -d "$SOPHIA_HOME/run/sandbox" ] || [ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]
}

engine() {
  docker version >/dev/null 2>&1 || skip "no docker answers here"
  [ "$(docker image inspect --format '{{index .Config.Labels "org.sophia.sandbox"}}' "$image" 2>/dev/null)" = 1 ] ||
    skip "there is no image $image: make sandbox-image"
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
}

# runs CODE - a step that runs that Python.
runs() {
  calls sandbox_run "$(jq -n --arg code "$1" '{language: "python", code: $code}')"
}

# results - those in $output, but for those of sandbox_run.
results() {
  pick 'select(.type == "result" and has("media"))'
}

# copy N FILE - the N-th picture that was kept, as a file.
copy() {
  local hash
  hash=$(sql "SELECT hash FROM preview ORDER BY call, n LIMIT 1 OFFSET $1 - 1")
  if [ -e "$SOPHIA_HOME/blob/${hash:0:2}/$hash" ]; then
    cp "$SOPHIA_HOME/blob/${hash:0:2}/$hash" "$2"
  else
    sql "SELECT hex(bytes) FROM content WHERE hash = '$hash'" | xxd -r -p >"$2"
  fi
}

pictures='
from PIL import Image
im = Image.new("RGB", (2000, 1000), (200, 0, 0)); im.paste((0, 0, 200), (0, 0, 2000, 500))
ex = im.getexif(); ex[0x112] = 6
im.save("turned.jpg", exif=ex, quality=95)
im.resize((60, 30)).save("small.png")
open("cut.jpg", "wb").write(open("turned.jpg", "rb").read()[:3000])
im.convert("CMYK").save("print.jpg")
im.resize((40, 40)).convert("P").save("moving.gif", save_all=True, append_images=[Image.new("P", (40, 40))])
Image.new("1", (30000, 30000)).save("bomb.png")
open("note.txt", "w").write("no picture")
'

@test "pictures are shown upright and scaled, and a corrupt one spoils only itself" {
  engine
  says "$(runs "$pictures")" \
    "$(calls sandbox_inspect '{"paths":["turned.jpg","cut.jpg","small.png","bomb.png","print.jpg"]}')" \
    '{"text":"seen"}'
  run -0 loop look
  valid_records <<<"$output"
  [ "$(results | jq -c '.data.pictures')" = '[{"path":"turned.jpg","width":784,"height":1568},{"path":"cut.jpg","error":"it is broken, or of no known format"},{"path":"small.png","width":60,"height":30},{"path":"bomb.png","error":"it is too large to be decoded: scale it down first"},{"path":"print.jpg","width":1568,"height":784}]' ]
  [ "$(results | jq -r .summary)" = '3 pictures to be seen next; 2 could not be had: see data' ]
  [ "$(results | jq -c '.media | map([.kind, .type, .name])')" = '[["image","image/jpeg","turned.jpg"],["image","image/png","small.png"],["image","image/jpeg","print.jpg"]]' ]
}
