# preview - make small copies of pictures, or of frames of a video.
#
# What is sent has a line in front that sets
#   TIMES   None for pictures in/0, in/1, ...; else the milliseconds at which
#           in/0, a video, is looked at
#   COUNT   how many copies are wanted
#   SIDE    pixels that no side of a copy exceeds
#   BYTES   that no copy exceeds
#   UNTIL   seconds after which nothing new is begun
#   ONE     seconds for one copy
# Copy n is out/n; where it can't be made, out/n.why says so in one word. Each
# is made in a process of its own: what is broken, or too large, ends that alone.

import json
import os
import resource
import signal
import subprocess
import time
import warnings
from io import BytesIO

from PIL import Image, ImageOps

FORMATS = ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"]
PIXELS = 40_000_000  # as they are decoded
MEMORY = 640 << 20
SMALL = 400_000  # what was drawn stays exact up to so many bytes
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-threads", "1"]
INPUT = ["-protocol_whitelist", "file", "-i", "in/0"]


class Refused(Exception):
    pass


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True)
    return p.stdout


def load(source):
    Image.MAX_IMAGE_PIXELS = None  # counted here, after a JPEG was told to be small
    im = Image.open(source, formats=FORMATS)
    if im.format == "JPEG":
        im.draft(im.mode if im.mode in ("L", "RGB") else None, (SIDE, SIDE))
    if im.width * im.height > PIXELS:
        raise Refused("large")
    im.load()
    return im


def level(im):
    # Deep greys to eight bits: by what they can be, else by what they are.
    if im.mode.startswith("I;16"):
        im = im.convert("I")
    low, high = im.getextrema()
    if im.mode == "I" and low >= 0 and high < 65536:
        low, high = 0, 65535
    if not high - low > 0:
        low, high = 0, max(high, 1)
    scale = 255 / (high - low)
    return im.point(lambda i: i * scale - low * scale).convert("L")


def flatten(im):
    # What is transparent becomes white, or dark where white would hide it.
    im = im.convert("RGBA")
    alpha = im.getchannel("A")
    seen = im.convert("L").histogram(alpha.point(lambda a: 255 if a > 127 else 0))
    total = sum(seen)
    light = total and sum(i * n for i, n in enumerate(seen)) / total > 230
    fill = (40, 40, 40) if light and alpha.getextrema()[0] < 128 else (255, 255, 255)
    ground = Image.new("RGBA", im.size, fill + (255,))
    ground.alpha_composite(im)
    return ground.convert("RGB")


def plain(im):
    if im.mode in ("I", "F") or im.mode.startswith("I;16"):
        return level(im)
    if "A" in im.mode or "a" in im.mode or "transparency" in im.info:
        return flatten(im)
    if im.mode in ("1", "L"):
        return im.convert("L")
    return im.convert("RGB")


def shrink(im, side):
    if max(im.size) <= side:
        return im
    scale = side / max(im.size)
    size = tuple(max(1, min(side, round(n * scale))) for n in im.size)
    return im.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def save(im, **how):
    out = BytesIO()
    im.save(out, **how)
    return out.getvalue()


def pack(im, photo):
    if not photo:
        made = save(im, format="PNG")
        if len(made) <= min(SMALL, BYTES):
            return made
    for quality in 90, 80, 65:
        made = save(im, format="JPEG", quality=quality)
        if len(made) <= BYTES:
            return made
    return None


def copy(source, photo=False):
    im = load(source)
    photo = photo or im.format == "JPEG"
    im = plain(turn(im))
    side = SIDE
    while True:
        im = shrink(im, side)
        made = pack(im, photo)
        if made:
            return made
        side = max(im.size) * 3 // 4
        if side < 16:
            raise Refused("large")


def turn(im):
    try:
        return ImageOps.exif_transpose(im)
    except Exception:  # its notes are broken, the picture isn't
        return im


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def probe(*argv):
    try:
        return json.loads(run("ffprobe", "-v", "error", "-of", "json", *argv, *INPUT))
    except ValueError:
        raise Refused("broken")


def frame(at):
    # The one that is shown at that time: the last that begins before it.
    told = probe("-select_streams", "v:0", "-show_entries",
                 "stream=index:format=start_time,duration")
    if not told.get("streams"):
        raise Refused("blind")
    start = number(told.get("format", {}).get("start_time")) or 0.0
    length = number(told.get("format", {}).get("duration"))
    if length is not None and at > length + 0.0005:
        raise Refused("after")
    read = probe("-select_streams", "v:0", "-show_entries", "packet=pts_time",
                 "-read_intervals", f"{start + at:.6f}%{start + at + 2:.6f}")
    begins = [number(p.get("pts_time")) for p in read.get("packets", [])]
    begins = [t - start for t in begins if t is not None]
    before = [t for t in begins if t <= at + 0.0005]
    seek = max(before) if before else min(begins, default=at)
    picture = run(*FFMPEG, "-ss", f"{max(seek - 0.0005, 0):.6f}", *INPUT,
                  "-map", "0:v:0", "-frames:v", "1", "-vf",
                  "scale='trunc(iw*if(sar,sar,1))':ih,setsar=1,"
                  f"scale='min({SIDE},iw)':'min({SIDE},ih)':"
                  "force_original_aspect_ratio=decrease,format=rgb24",
                  "-f", "image2pipe", "-c:v", "png", "-")
    if not picture:
        raise Refused("after" if length is None else "broken")
    return BytesIO(picture)


def make(n):
    if TIMES is None:
        return copy(f"in/{n}")
    return copy(frame(TIMES[n] / 1000), photo=True)


def work(n):
    # The child's whole life.
    resource.setrlimit(resource.RLIMIT_CPU, (ONE, ONE))
    if TIMES is None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        made = make(n)
        with open(f"out/{n}", "wb") as out:
            out.write(made)
        return 0
    except Refused as e:
        why = str(e)
    except MemoryError:
        why = "large"
    except Exception:
        why = "broken"
    with open(f"out/{n}.why", "w") as out:
        out.write(why)
    return 0


def wait(pid, seconds):
    # Its status, or None if it had to be ended, with all that it began.
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.005)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def guard(n, seconds):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setpgid(0, 0)
            code = work(n)
        finally:
            os._exit(code)
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass
    status = wait(pid, seconds)
    if status == 0:
        return
    ended = status is None or (os.WIFSIGNALED(status) and
                               os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL))
    for name in f"out/{n}", f"out/{n}.why":
        if os.path.exists(name):
            os.remove(name)
    with open(f"out/{n}.why", "w") as out:
        out.write("slow" if ended else "broken")


warnings.simplefilter("ignore")
os.mkdir("out")
began = time.monotonic()
for n in range(COUNT):
    guard(n, min(ONE, UNTIL - (time.monotonic() - began)))
