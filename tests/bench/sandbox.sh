#!/usr/bin/env bash
# What a run in the sandbox costs beside the container engine's own start of a
# container with the same flags: `true` in both, in pairs; the same with a spare
# container kept ready; and what it costs code to hand something over. RUNS is
# how many pairs.
set -euo pipefail
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1} runs=${RUNS:-20}
docker image inspect "$image" >/dev/null 2>&1 || {
  echo "bench-sandbox: no docker, or no image $image (make sandbox-image): left out"
  exit 0
}
SOPHIA_HOME=$(mktemp -d)
export SOPHIA_HOME
keeper=
trap '[ -z "$keeper" ] || { kill "$keeper" && wait "$keeper"; } || :; rm -rf "$SOPHIA_HOME"' EXIT
sophia-settings set sandbox.enabled on >/dev/null
sophia-settings set sandbox.image "$image" >/dev/null

tmp=rw,nosuid,nodev,size=256m,mode=0700,uid=65532,gid=65532
bare() {
  docker run --rm --interactive --pull=never --network=none --read-only \
    --cap-drop=ALL --security-opt=no-new-privileges --log-driver=none \
    --ipc=private --hostname=sandbox --pids-limit=128 --memory=1024m \
    --memory-swap=1024m --cpus=1 "--tmpfs=/workspace:$tmp" "--tmpfs=/tmp:$tmp" \
    --entrypoint /bin/true "$image" </dev/null
}
ours() { sophia-sandbox run --text -l shell - <<<true; }
ms() {
  local from=${EPOCHREALTIME/./}
  "$@"
  echo $(((${EPOCHREALTIME/./} - from) / 100))
}
# pairs NAME - RUNS of each, in turn.
pairs() {
  for ((i = 0; i < runs; i++)); do
    ready
    echo "$(ms bare) $(ms ours)"
  done | awk -v name="$1" '{ a[NR] = $1; b[NR] = $2; r[NR] = $2 / $1 }
    function median(x, n,   i, j, t) {
      for (i = 2; i <= n; i++)
        for (j = i; j > 1 && x[j] < x[j - 1]; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t }
      return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
    }
    END { printf "true, median of %d pairs: docker run %.1f ms, sophia-sandbox run%s %.1f ms, ratio of a pair %.2f\n",
      NR, median(a, NR) / 10, name, median(b, NR) / 10, median(r, NR) }'
}
# ready - the spare container is there and waits, if one is kept.
ready() {
  local name
  [ -n "$keeper" ] || return 0
  until name=$(ls "$SOPHIA_HOME/run/sandbox") && [ "$(wc -w <<<"$name")" = 1 ] &&
    [ "$(docker inspect --format '{{.State.Running}}' "$name" 2>/dev/null)" = true ]; do sleep 0.05; done
}
ms bare >/dev/null
ms ours >/dev/null
pairs ""
sophia-sandbox spare &
keeper=$!
pairs " with a spare"
sophia-sandbox run --text - 2>/dev/null <<'P'
import time
took = []
for i in range(100):
    start = time.perf_counter()
    attach(b'x' * 1000, f'{i}.txt')
    took.append(time.perf_counter() - start)
took.sort()
print(f'attach, 100 times 1000 bytes: median {took[50] * 1000:.2f} ms, 95th percentile {took[95] * 1000:.2f} ms')
P
/usr/bin/python3 "$(dirname "$0")/attach.py" "$image"
