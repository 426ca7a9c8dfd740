"""What a provider sees of a chat request: its pictures and sounds, decoded, and
what is wrong with it, as the providers themselves say in their documentation
and in their answers to others.

The schema beside this file says what a request looks like; here is what a
schema can't say: that calls have results, that bytes are what they are called,
and how many and how large they may be.
"""
import array
import base64
import hashlib
import io
import json
import pathlib
import re
import warnings
import wave

import jsonschema
from PIL import Image

SCHEMA = json.loads((pathlib.Path(__file__).parent / "request.json").read_text())

MOST = 5                    # pictures: Groq takes no more
BASE64_MOST = 5 << 20       # of a picture: Anthropic
ACROSS_MOST = 8000          # pixels: Anthropic
SOUND_MOST = 25_000_000     # bytes: OpenAI
BODY_MOST = 32_000_000      # bytes: Anthropic
FORMATS = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif",
           "WEBP": "image/webp"}
DATA = re.compile(r"data:(image/[a-z]+);base64,(.*)", re.S)


def parts_of(body):
    for message in body.get("messages", []):
        if isinstance(message, dict) and isinstance(message.get("content"), list):
            for part in message["content"]:
                if isinstance(part, dict):
                    yield part


def decoded(text):
    return base64.b64decode(text, validate=True)


def picture(url):
    """What is seen of it; ValueError if it can't be shown."""
    data = DATA.fullmatch(url)
    if not data:
        return {"kind": "image", "url": url}
    if len(data[2]) > BASE64_MOST:
        raise ValueError(f"image exceeds 5 MB: {len(data[2])} bytes")
    raw = decoded(data[2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        image = Image.open(io.BytesIO(raw))
        image.load()
    if FORMATS.get(image.format) != data[1]:
        raise ValueError(f"image is {image.format}, and not {data[1]}")
    if max(image.size) > ACROSS_MOST:
        raise ValueError(f"image is larger than {ACROSS_MOST} pixels")
    middle = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
    return {"kind": "image", "type": data[1], "width": image.width,
            "height": image.height, "bytes": len(raw),
            "middle": "%02x%02x%02x" % middle,
            "sha256": hashlib.sha256(raw).hexdigest()}


def pitch(samples, seconds):
    """Of one tone: how many waves a second it has; noise doesn't count."""
    waves, low = 0, False
    for x in samples:
        if x > 1000 and low:
            waves += 1
        low = x < -1000 or (low and x <= 1000)
    return round(waves / seconds) if seconds else 0


def sound(part):
    raw = decoded(part["data"])
    if len(raw) > SOUND_MOST:
        raise ValueError(f"audio exceeds {SOUND_MOST} bytes")
    seen = {"kind": "audio", "format": part["format"], "bytes": len(raw),
            "sha256": hashlib.sha256(raw).hexdigest()}
    if part["format"] == "wav":
        with wave.open(io.BytesIO(raw)) as w:
            samples = array.array("h", w.readframes(w.getnframes()))
            seconds = w.getnframes() / w.getframerate()
            seen.update(seconds=round(seconds, 3), hz=pitch(samples, seconds),
                        rate=w.getframerate(), channels=w.getnchannels())
    elif not (raw[:3] == b"ID3" or raw[:1] == b"\xff"):
        raise ValueError("audio is no MP3")
    return seen


def media(body):
    """What is seen, in order, and what is wrong with it."""
    seen, wrong = [], []
    for part in parts_of(body):
        try:
            if part.get("type") == "image_url":
                seen.append(picture(part["image_url"]["url"]))
            elif part.get("type") == "input_audio":
                seen.append(sound(part["input_audio"]))
        except Exception as e:
            wrong.append(f"{part['type']}: {e}"[:200])
    if sum(s["kind"] == "image" for s in seen) > MOST:
        wrong.append(f"more than {MOST} images")
    return seen, wrong


def pairing(body):
    """Each call has its result, right after it, and no result stands alone."""
    wrong, waiting = [], []
    for at, m in enumerate(body["messages"]):
        if m["role"] == "tool":
            if m["tool_call_id"] not in waiting:
                wrong.append(f"messages.{at}: a result without its call")
            else:
                waiting.remove(m["tool_call_id"])
            continue
        if waiting:
            wrong.append(f"messages.{at}: no result for {', '.join(waiting)}")
        waiting = [c["id"] for c in m.get("tool_calls") or []]
    if waiting:
        wrong.append(f"the end: no result for {', '.join(waiting)}")
    return wrong


def problems(body):
    """What is wrong with the shape of a request: texts, none if it is good."""
    found = [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:200]}"
             for e in jsonschema.Draft7Validator(SCHEMA).iter_errors(body)]
    return found or pairing(body)


def short(body):
    """The request as it is logged: of pictures and sounds only what they are."""
    def shorten(value):
        if isinstance(value, dict):
            return {k: shorten(v) for k, v in value.items()}
        if isinstance(value, list):
            return [shorten(v) for v in value]
        if isinstance(value, str) and value.startswith("data:image/"):
            return value[:value.find(",") + 1] + "..."
        return value

    body = shorten(body)
    for part in parts_of(body):
        if part.get("type") == "input_audio":
            part["input_audio"]["data"] = "..."
    return body
