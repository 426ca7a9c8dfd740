"""connection - one websocket: frames in and out, opcodes, close codes.

The rules are those of the documentation: the first word is HELLO; more than
120 payloads in 60 s are closed with 4008, one over 4096 bytes with 4002; no
heartbeat for more than one and a half intervals with 4009. What a client does
against them is written into the books as a violation.
"""
import asyncio
import collections
import json
import socket
import struct
import zlib

from aiohttp import WSMsgType, web

import gatewayops
from gateway import pack

SENDS, SENDS_WINDOW_S, PAYLOAD_MAX = 120, 60, 4096
ENDING_CODES = (1000, 1001)
CROSSING_S = 0.5    # what was on its way when something was said
TEXT, BINARY, BATCH = 1, 2, 512


def frame(opcode, data):
    """A whole websocket frame, as a server sends it."""
    size = len(data)
    if size < 126:
        return struct.pack(">BB", 0x80 | opcode, size) + data
    if size < 1 << 16:
        return struct.pack(">BBH", 0x80 | opcode, 126, size) + data
    return struct.pack(">BBQ", 0x80 | opcode, 127, size) + data


class Connection:
    def __init__(self, discord, ws, request):
        self.discord, self.hub = discord, discord.hub
        self.clock, self.books = discord.clock, discord.books
        self.ws, self.request = ws, request
        self.transport = request.transport
        self.session = None
        self.frozen = self.gone = False
        self.invalid_at = None  # since when it should have reconnected
        self.claimed = None     # the id of the session it wants to resume
        self.paused_at = None   # since when nothing is read
        self.sends = collections.deque()
        self.queue = asyncio.Queue()
        self.interval_ms = discord.heartbeat_ms
        self.heard = self.clock.now()
        self.asked_at = None
        self.deflate = zlib.compressobj() if request.query.get(
            "compress") == "zlib-stream" else None
        self.payload_compression = False
        self.split = None

    def shard(self):
        return self.session.shard[0] if self.session else 0

    # Out

    def send(self, payload):
        self.queue.put_nowait(pack(payload))

    def send_event(self, event, payload):
        faults = self.discord.faults
        if faults.orders:
            if faults.take("swallow", self, "event"):
                return
            if faults.take("duplicate", self, "event"):
                self.queue.put_nowait(payload)
        self.queue.put_nowait(payload)
        if faults.orders:
            self.queue.put_nowait(None)  # an occasion

    async def writer(self):
        """Write what is queued, as much at once as there is."""
        try:
            while not self.gone:
                payload = await self.queue.get()
                batch = []
                while payload is not None:
                    batch.append(payload)
                    if len(batch) == BATCH or self.queue.empty():
                        break
                    payload = self.queue.get_nowait()
                await self.write(batch)
                if payload is None:
                    await self.discord.faults.strike(self, "event")
        except (ConnectionError, RuntimeError):
            pass

    async def write(self, texts):
        if self.frozen or self.transport is None or \
                self.transport.is_closing():
            return
        self.books.add("gateway.payloads_out", len(texts))
        self.transport.write(b"".join(map(self.frames, texts)))
        await self.request.writer.drain()

    def frames(self, text):
        """A payload as it goes over the wire."""
        data = text.encode()
        if self.deflate:
            data = self.deflate.compress(data) + \
                self.deflate.flush(zlib.Z_SYNC_FLUSH)
            size = self.split or len(data)
            return b"".join(frame(BINARY, data[at:at + size])
                            for at in range(0, len(data), size))
        if self.payload_compression and len(data) > 1024:
            return frame(BINARY, zlib.compress(data))
        return frame(TEXT, data)

    # Ends, friendly or not

    def drop(self, reset=False):
        self.books.add("gateway.dropped")
        if reset and self.transport:
            raw = self.transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                           struct.pack("ii", 1, 0))
        self.gone = True
        if self.transport:
            self.transport.abort()

    def freeze(self):
        self.frozen = True

    def pause(self):
        if self.transport:
            self.transport.pause_reading()
            self.paused_at = self.clock.now()

    async def resume_in(self, seconds):
        await self.clock.sleep(seconds)
        if self.transport and not self.gone:
            self.transport.resume_reading()

    async def invalidate(self, resumable):
        """The client has to reconnect, to resume or to identify. One that
        does so right here is served as well, but it is against the rules."""
        self.send({"op": 9, "d": resumable, "s": None, "t": None})
        session, self.session = self.session, None
        if session:
            session.connection = None
            session.left_at = self.clock.now()
        else:
            session = self.hub.find(self.claimed)
        if session and not resumable:
            self.hub.end(session)
        self.invalid_at = self.clock.now()
        self.books.add(f"gateway.invalid_session.{str(resumable).lower()}")

    def stays(self):
        """Whether the client had the time to see op 9, and did not leave."""
        return self.invalid_at is not None and \
            self.clock.now() - self.invalid_at > CROSSING_S

    async def close(self, code, why=""):
        self.books.closes[f"server.{code}"] += 1
        self.books.note("close", code=code, why=why)
        if code in (4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014) and \
                self.session:
            self.hub.end(self.session)
        while not self.queue.empty() and not self.frozen:
            payload = self.queue.get_nowait()
            if payload is not None:
                await self.write([payload])
        self.gone = True
        await self.say_goodbye(code, why)

    async def say_goodbye(self, code, why=""):
        """The close frame; aiohttp's close() would let another code in. Who
        doesn't answer it is cut off."""
        try:
            await self.ws._writer.close(code, why.encode()[:120])
        except (ConnectionError, RuntimeError):
            return
        asyncio.get_running_loop().call_later(1, self.hang_up)

    def hang_up(self):
        self.gone = True
        if self.transport:
            self.transport.close()

    def heartbeat_asked(self):
        self.asked_at = self.clock.now()

    # In

    async def run(self):
        faults = self.discord.faults
        self.hub.connections.append(self)
        writer = asyncio.create_task(self.writer())
        watch = asyncio.create_task(self.watch())
        try:
            if await faults.strike(self, "connect") and self.gone:
                return
            if order := faults.take("split", self):
                self.split = order.get("bytes", 1)
            if order := faults.take("hello_delay", self):
                await self.clock.sleep(order.get("seconds", 1e9))
            self.send({"op": 10, "s": None, "t": None, "d": {
                "heartbeat_interval": self.interval_ms, "_trace": []}})
            await faults.strike(self, "hello")
            await self.read()
        finally:
            self.leave()
            writer.cancel()
            watch.cancel()
            self.hang_up()

    async def read(self):
        while True:
            message = await self.ws.receive()
            if message.type == WSMsgType.PING:
                if not self.frozen:
                    await self.ws.pong(message.data)
            elif message.type == WSMsgType.CLOSE:
                await self.hung_up(message.data)
                if not self.frozen:
                    return None
            elif message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await self.take(message.data)
            elif message.type != WSMsgType.PONG:
                return None

    async def hung_up(self, code):
        self.books.closes[f"client.{code}"] += 1
        self.books.note("client_close", code=code, frozen=self.frozen)
        if self.frozen:
            return
        if code in ENDING_CODES and self.session:
            self.hub.end(self.session)
        if not self.gone:
            self.gone = True
            await self.say_goodbye(code or 1000)

    def leave(self):
        self.gone = True
        if self in self.hub.connections:
            self.hub.connections.remove(self)
        if self.session and self.session.connection is self:
            self.session.connection = None
            self.session.left_at = self.clock.now()
        self.books.note("left", session=self.session and self.session.id)

    async def take(self, data):
        if self.frozen or self.gone:
            return
        self.books.add("gateway.payloads_in")
        raw = data.encode() if isinstance(data, str) else data
        now = self.clock.now()
        self.sends.append(now)
        while self.sends[0] <= now - SENDS_WINDOW_S:
            self.sends.popleft()
        if len(self.sends) > SENDS:
            self.books.violation("more than 120 payloads in 60 s")
            return await self.close(4008, "You are being rate limited.")
        if len(raw) > PAYLOAD_MAX:
            self.books.violation("payload over 4096 bytes", size=len(raw))
            return await self.close(4002, "Error while decoding payload.")
        try:
            payload = json.loads(raw)
            op = payload["op"]
        except (ValueError, KeyError, TypeError):
            self.books.violation("payload is not JSON with an op")
            return await self.close(4002, "Error while decoding payload.")
        await gatewayops.handle(self, op, payload.get("d"))
        self.paused_at = None

    async def watch(self):
        """Who doesn't heartbeat is put out."""
        while not self.gone:
            await self.clock.sleep(self.interval_ms / 1000 / 4)
            limit = self.interval_ms / 1000 * 1.5 + 5
            if self.clock.now() - self.heard > limit and not self.frozen and \
                    not self.gone:
                self.books.violation("no heartbeat in time")
                await self.close(4009, "Session timed out.")


async def serve(request):
    """The handler of the websocket's path."""
    discord = request.app["discord"]
    discord.books.add("gateway.connections")
    ws = web.WebSocketResponse(autoping=False, autoclose=False, compress=False,
                               max_msg_size=1 << 22)
    await ws.prepare(request)
    connection = Connection(discord, ws, request)
    version = request.query.get("v", "10")
    if version not in ("9", "10") or \
            request.query.get("encoding", "json") != "json":
        discord.books.violation("bad version or encoding", v=version)
        await connection.close(4012, "Invalid API version.")
        await connection.read()
        return ws
    if "v" not in request.query:
        discord.books.violation("gateway URL without v")
    discord.books.note("connect", path=request.path,
                       compress=request.query.get("compress"))
    await connection.run()
    return ws
