"""blaster - a gateway that sends faster than anybody reads.

The fake Discord makes each payload as it sends it, which would be what is
measured. This one has the frames ready before the clock starts: it answers the
requests of a login, says HELLO and READY, and then sends what it is given, as
bytes. Plain or over TLS, with or without zlib-stream.
"""
import base64
import hashlib
import json
import select
import socket
import ssl
import struct
import threading
import zlib

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
GUILD = "1300000000000000001"


def frame(payload, opcode):
    n = len(payload)
    if n < 126:
        return struct.pack("!BB", 0x80 | opcode, n) + payload
    if n < 65536:
        return struct.pack("!BBH", 0x80 | opcode, 126, n) + payload
    return struct.pack("!BBQ", 0x80 | opcode, 127, n) + payload


BUSY = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Link:
    """One client that has identified. What reads and what sends are two threads,
    and TLS bears one at a time."""

    def __init__(self, sock, zlib_stream):
        self.sock = sock
        self.sock.setblocking(False)
        self.pack = zlib.compressobj() if zlib_stream else None
        self.lock = threading.Lock()
        self.sequence = 0
        self.received = b""

    def frame_of(self, text):
        data = text.encode()
        if not self.pack:
            return frame(data, 1)
        return frame(self.pack.compress(data) + self.pack.flush(zlib.Z_SYNC_FLUSH), 2)

    def frame_event(self, name, data):
        self.sequence += 1
        return self.frame_of(f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}')

    def send(self, frames):
        rest = memoryview(frames)
        with self.lock:
            while rest:
                try:
                    rest = rest[self.sock.send(rest[:1 << 18]):]
                except BUSY:
                    select.select([], [self.sock], [], 1)

    def read(self, size):
        """So many bytes, or None at the end."""
        while len(self.received) < size:
            select.select([self.sock], [], [], 1)
            try:
                with self.lock:
                    more = self.sock.recv(65536)
            except BUSY:
                continue
            if not more:
                return None
            self.received += more
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def read_payload(self):
        head = self.read(2)
        if not head or head[0] & 0xf == 8:
            return None
        size = head[1] & 0x7f
        if size == 126:
            size = struct.unpack("!H", self.read(2))[0]
        mask, data = self.read(4), self.read(size)
        return data and bytes(b ^ mask[i & 3] for i, b in enumerate(data))


class Blaster:
    def __init__(self, cert=None, key=None):
        self.tls = None
        if cert:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(cert, key)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        s = "s" if cert else ""
        self.api = f"http{s}://localhost:{self.port}/api/v10"
        self.gateway = f"ws{s}://localhost:{self.port}"
        self.links = []
        self.came = threading.Condition()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            sock, _ = self.listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def serve(self, sock):
        try:
            if self.tls:
                sock = self.tls.wrap_socket(sock, server_side=True)
            stream = sock.makefile("rb")
            while self.request(sock, stream):
                pass
        except OSError:
            pass

    def request(self, sock, stream):
        line = stream.readline().split()
        if not line:
            return False
        headers = {}
        while (header := stream.readline().strip()):
            name, value = header.split(b":", 1)
            headers[name.lower()] = value.strip()
        if b"sec-websocket-key" in headers:
            self.websocket(sock, line[1], headers)
            return False
        body = json.dumps(self.answer(line[1].split(b"?")[0].decode())).encode()
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                     b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return True

    def answer(self, path):
        if path.endswith("/gateway/bot"):
            return {"url": self.gateway, "shards": 1, "session_start_limit": {
                "total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}}
        return {"id": "1", "name": "Sophia", "flags": 1 << 19}

    def websocket(self, sock, path, headers):
        key = base64.b64encode(hashlib.sha1(headers[b"sec-websocket-key"] + GUID).digest())
        sock.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                     b"Connection: Upgrade\r\nSec-WebSocket-Accept: " + key + b"\r\n\r\n")
        link = Link(sock, b"zlib-stream" in path)
        link.send(link.frame_of('{"t":null,"s":null,"op":10,"d":{"heartbeat_interval":41250}}'))
        while (payload := link.read_payload()) is not None:
            self.react(link, json.loads(payload))

    def react(self, link, payload):
        if payload["op"] == 1:
            link.send(link.frame_of('{"op":11,"d":null,"s":null,"t":null}'))
        if payload["op"] != 2:
            return
        ready = {"v": 10, "user": {"id": "1", "username": "sophia", "discriminator": "0000",
                                   "avatar": None, "bot": True},
                 "guilds": [{"id": GUILD, "unavailable": True}], "session_id": "s",
                 "resume_gateway_url": self.gateway, "application": {"id": "1", "flags": 0}}
        link.send(link.frame_event("READY", json.dumps(ready)) +
                  link.frame_event("GUILD_CREATE", json.dumps(guild(GUILD, 1))))
        with self.came:
            self.links.append(link)
            self.came.notify_all()

    def client(self, timeout_s=30):
        """The next client that has identified."""
        with self.came:
            if not self.came.wait_for(lambda: self.links, timeout_s):
                raise SystemExit("no client identified in time")
            return self.links.pop(0)


def guild(ident, channels, topic="What belongs here is talked of here."):
    """Data of a GUILD_CREATE with that many channels."""
    everyone = {"id": ident, "name": "@everyone", "permissions": "104324673", "position": 0,
                "color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": ident, "name": "Guild", "owner_id": "2", "roles": [everyone],
            "emojis": [], "features": [], "members": [], "threads": [], "presences": [],
            "voice_states": [], "stage_instances": [], "guild_scheduled_events": [],
            "stickers": [], "soundboard_sounds": [], "member_count": 1, "large": False,
            "unavailable": False, "joined_at": "2026-01-01T00:00:00.000000+00:00",
            "channels": [{"id": str(int(ident) + 1 + i), "type": 0, "name": f"channel-{i}",
                          "position": i, "topic": topic, "nsfw": False,
                          "permission_overwrites": [], "rate_limit_per_user": 0,
                          "last_message_id": None, "parent_id": None, "flags": 0}
                         for i in range(channels)]}


def message(i, content):
    """Data of a MESSAGE_CREATE, about as long as most are."""
    return json.dumps({
        "id": str(1400000000000000000 + i), "channel_id": str(int(GUILD) + 1), "guild_id": GUILD,
        "author": {"id": str(1500000000000000000 + i % 200), "username": f"user{i % 200}",
                   "discriminator": "0", "global_name": f"User {i % 200}", "avatar": None,
                   "public_flags": 0, "clan": None, "avatar_decoration_data": None},
        "member": {"roles": [], "joined_at": "2026-01-01T00:00:00.000000+00:00", "deaf": False,
                   "mute": False, "flags": 0, "nick": None, "avatar": None,
                   "premium_since": None, "pending": False, "communication_disabled_until": None},
        "content": content, "timestamp": "2026-11-30T16:33:57.000000+00:00",
        "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [],
        "mention_roles": [], "attachments": [], "embeds": [], "pinned": False, "type": 0,
        "flags": 0, "components": [], "nonce": str(i), "channel_type": 0})
