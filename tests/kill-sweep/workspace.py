"""workspace - stories of a task that has files, and runs code on them.

With the real engine and image. What was committed is there whoever dies: a
call's files are all as they were before or all as they are after it, what was
handed over stays, and nothing is left that nobody needs: no container, no
content. A reader looks at the files all the time, since what it may see is just
what a program that is started again would find.
"""
import base64
import hashlib
import io
import json
import os
import struct
import subprocess
import wave
import zlib

from change import Change
from rig import wait
from story import Story, standing, story

IMAGE = os.environ.get("SOPHIA_SANDBOX_IMAGE", "sophia-sandbox:1")
LABEL = '{{index .Config.Labels "org.sophia.sandbox"}}'
HAND_OVER = r"""#!/bin/bash
read -r call
id=${call#*\"id\":\"} id=\"id\":\"${id%%\"*}\"
echo "{\"type\":\"attach\",$id,\"filename\":\"plot.png\",\"path\":\"plot.png\"}"
read -r answer
echo "{\"type\":\"result\",$id,\"ok\":true,\"summary\":\"it is yours now\"}"
"""
FNV_START, FNV_PRIME = 0xcbf29ce484222325, 0x100000001b3


def docker(*argv):
    try:
        done = subprocess.run(["docker", *argv], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def picture(width=40, height=30):
    """A PNG, all green."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + \
            struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\0\xff\0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + \
        chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def sound(seconds):
    """A WAV of silence, of more than 64 KiB from 5 s."""
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(16000)
        w.writeframes(bytes(int(seconds * 32000)))
    return out.getvalue()


def label_of(home):
    """What the containers of a state folder are known by: see core/hash."""
    name = os.path.realpath(home).encode()
    number = FNV_START
    for byte in struct.pack("<Q", len(name) + 1) + name:
        number = (number ^ byte) * FNV_PRIME % 2 ** 64
    return f"org.sophia.home={number:016x}"


class Working(Change):
    """What they have in common. `kept` are sets of files that may be seen, in
    this order, and `filename` is handed over, by `by`.
    """
    settings = dict(Story.settings, **{
        "sandbox.enabled": "on", "sandbox.image": IMAGE})
    traced = ("sophia-sandbox",)
    kept = ()
    filename = by = ""

    @classmethod
    def lacks(cls):
        """Why it can't be told here, if so."""
        if docker("version") is None:
            return "no container engine answers"
        if docker("image", "inspect", "--format", LABEL, IMAGE) != "1":
            return f"there is no image {IMAGE}: make sandbox-image"
        return None

    def __init__(self, rig):
        super().__init__(rig)
        self.strange, self.stage, self.given = [], 0, set()

    def attach(self, name, kind, data):
        """Somebody says something with a file; the call that imports it."""
        said = self.rig.do(
            "say", user="ada", channel="general", text="see", attachments=[{
                "name": name, "type": kind,
                "base64": base64.b64encode(data).decode()}])
        return {"name": "sandbox_import", "arguments": {
            "attachment_id": said["attachments"][0]["id"], "path": name,
            "message_url": "https://discord.com/channels/"
            f"{self.rig.guild}/{said['channel_id']}/{said['id']}"}}

    def set_up(self):
        rig = self.rig
        profile = rig.home / "models/fake.json"
        profile.write_text(json.dumps(dict(
            json.loads(profile.read_text()),
            inputs=["text", "image", "audio"])))
        rig.command("sophia-access", "grant", "-u", rig.person("ada"), "-g",
                    rig.guild, "-t", "write", "-m", "auto")

    def begin(self):
        """Once the index knows who may read what, without which no attachment
        is imported."""
        wait(self.rig, lambda _: self.rig.one(
            "SELECT count(*) FROM channel", "messages"), 30)
        self.asked = self.rig.do("say", user="ada", channel="general",
                                 text="<@sophia> work on this")["id"]

    def act(self, state):
        self.look()
        super().act(state)

    def look(self):
        """What there is, in one view of it."""
        there = {path for (path,) in self.rig.sql("SELECT path FROM file")}
        at = [i for i, paths in enumerate(self.kept) if there == paths]
        if not at or at[0] < self.stage:
            self.strange.append(f"after {self.kept[self.stage]}: {there}")
        else:
            self.stage = at[0]
        now = set(self.rig.sql("SELECT id, version, hash FROM artifact"))
        for gone in self.given - now:
            self.strange.append(f"what was handed over is gone: {gone}")
        self.given |= now

    def judge(self, state):
        yield from Story.judge(self, state)
        yield from self.open_ends()
        self.look()
        yield from dict.fromkeys(self.strange)
        if self.stage != len(self.kept) - 1:
            yield f"the files are only {self.kept[self.stage]}"
        versions = [v for (v,) in self.rig.sql(
            f"SELECT version FROM artifact WHERE filename = '{self.filename}'"
            " ORDER BY version")]
        if not versions or versions != list(range(1, len(versions) + 1)):
            yield f"{self.filename} was handed over as {versions}"
        if self.rig.sql("SELECT DISTINCT c.capability FROM artifact a JOIN"
                        " call c ON c.task = a.task AND c.n = a.call") != [
                            (self.by,)]:
            yield "it was handed over by another"
        yield from self.rubbish()

    def rubbish(self):
        """What is left when a person has swept."""
        rig = self.rig
        subprocess.run(["sophia-sandbox", "gc"], env=rig.env, timeout=60,
                       stdout=rig.log("gc"), stderr=rig.log("gc"))
        left = docker("ps", "-aq", "--filter", "label=" + label_of(rig.home))
        if left != "":
            yield f"containers are left: {left}"
        for lock in (rig.home / "run/sandbox").glob("*"):
            yield f"the lock of a container is left: {lock.name}"
        used = {h for (h,) in rig.sql(
            "SELECT hash FROM file UNION SELECT hash FROM artifact UNION"
            " SELECT wire FROM artifact UNION SELECT hash FROM preview") if h}
        known = dict(rig.sql("SELECT hash, bytes IS NULL FROM content"))
        blobs = {p.name for p in (rig.home / "blob").rglob("*")
                 if p.is_file()}
        if used != set(known):
            yield f"{len(used)} contents are used, and {len(known)} kept"
        if blobs != {h for h, is_large in known.items() if is_large}:
            yield f"{len(blobs)} large ones lie in blob"
        for name in blobs:
            path = rig.home / "blob" / name[:2] / name
            if hashlib.sha256(path.read_bytes()).hexdigest() != name:
                yield f"{name} isn't what it was"


@story
class Workspace(Working):
    """An attachment is imported, code reads it, writes a large and a small
    file, and hands over a picture; the large one is published.
    """
    name = "workspace"
    only = ("shelf.take", "shelf.keep", "mint.artifact", "wired.keep",
            "content.blob", "import.write", "guild.send", "change.outcome",
            "runner.results", "leftover.hold", "leftover.drop")
    text = b"tide " * 20000
    kept = (set(), {"tide.txt"},
            {"tide.txt", "large.bin", "small.txt", "plot.png"})
    filename, by = "plot.png", "sandbox_run"
    code = """
from PIL import Image
text = open("tide.txt").read()
open("large.bin", "w").write(text.upper())
open("small.txt", "w").write(str(len(text)))
Image.new("RGB", (9, 9), "#00ff00").save("plot.png")
attach("plot.png")
"""

    def prepare(self):
        """In a channel without a message nothing can be verified."""
        self.rig.do("say", user="bob", channel="random", text="Well?")
        self.call = self.attach("tide.txt", "text/plain", self.text)

    def rules(self):
        run = {"name": "sandbox_run", "arguments": {
            "language": "python", "code": self.code}}
        publish = {"name": "sandbox_publish", "arguments": {
            "path": "large.bin", "channel": "random"}}
        return [{"unless": "tide.txt is there", "calls": [self.call]},
                {"unless": "Files changed: .*Handed over", "calls": [run]},
                {"unless": "sent to <#|the message is there",
                 "calls": [publish]}, *Story.rules(self)]

    def judge(self, state):
        yield from super().judge(state)
        rig = self.rig
        sent = [f for s in standing(state) for f in s.get("files", ())]
        if [f["size"] for f in sent] != [len(self.text)]:
            yield f"published: {sent}"
        yield from self.receipts(len(sent))
        for path, data in (("large.bin", self.text.upper()),
                           ("small.txt", b"%d" % len(self.text))):
            hash_ = rig.one(f"SELECT hash FROM file WHERE path = '{path}'")
            if hash_ != hashlib.sha256(data).hexdigest():
                yield f"{path} has other bytes"
        if rig.one("SELECT count(*) FROM artifact a JOIN call c ON c.task ="
                   " a.task AND c.n = a.call WHERE wire IS NULL AND state ="
                   " 'ok' AND summary NOT LIKE '%pictures can''t be shown%'"):
            yield "the picture has no copy for the model"

    def receipts(self, there):
        said = self.rig.one(
            "SELECT count(*) FROM receipt r LEFT JOIN settlement s"
            " ON s.task = r.task AND s.call = r.call WHERE"
            " (r.state = 'succeeded' OR s.happened = 1)")
        if said != there:
            yield f"receipts say {said}, and {there} are there"


@story
class Media(Working):
    """A picture and a recording are imported; a tool hands over the picture,
    the model looks at it, and what is said in the recording is written down.
    """
    name = "media"
    only = ("handing.read", "mint.artifact", "shelf.take", "inspect.keep",
            "transcribe.read", "transcribe.sound", "transcribe.words",
            "content.blob")
    kept = (set(), {"plot.png"}, {"plot.png", "talk.wav"},
            {"plot.png", "talk.wav", "talk.wav.0-3.txt"})
    filename, by = "plot.png", "hand_over"
    words = "The tide is low."

    def prepare(self):
        self.imports = [
            self.attach("plot.png", "image/png", picture()),
            self.attach("talk.wav", "audio/wav", sound(4))]

    def rules(self):
        def call(name, **arguments):
            return [{"name": name, "arguments": arguments}]
        return [
            {"when": "Write down what is said", "text": self.words},
            {"unless": "plot.png is there", "calls": self.imports[:1]},
            {"unless": "talk.wav is there", "calls": self.imports[1:]},
            {"unless": "it is yours now", "calls": call("hand_over")},
            {"unless": "1 picture to be seen next",
             "calls": call("sandbox_inspect", paths=["plot.png"])},
            {"unless": "is written down in",
             "calls": call("sandbox_transcribe", path="talk.wav", length=3)},
            *Story.rules(self)]

    def set_up(self):
        super().set_up()
        tools = self.rig.home / "tools"
        tools.mkdir()
        (tools / "hand_over.json").write_text(json.dumps({
            "name": "hand_over", "description": "Hands over the plot.",
            "parameters": {"type": "object", "properties": {},
                           "required": []},
            "tier": "scratch", "command": ["./hand_over"], "serve": False,
            "needs": [], "time_limit_s": 10, "visible": True,
            "attach": True}))
        program = tools / "hand_over"
        program.write_text(HAND_OVER)
        program.chmod(0o700)

    def judge(self, state):
        yield from super().judge(state)
        rig = self.rig
        if rig.one("SELECT count(*) FROM preview p JOIN call c ON c.task ="
                   " p.task AND c.n = p.call WHERE kind = 'image' AND c.state"
                   " = 'ok'") < 1:
            yield "no picture was shown"
        if rig.one("SELECT count(*) FROM preview WHERE kind = 'sound'"):
            yield "the sound is kept that a model listened to"
        said = rig.one("SELECT CAST(bytes AS TEXT) FROM file JOIN content"
                       " USING (hash) WHERE path LIKE '%.txt'") or ""
        if not said.rstrip().endswith(self.words):
            yield f"written down is: {said!r}"
