"""trial - the fake in a process of its own, and a small client, for tests."""
import asyncio
import json
import pathlib
import sys
import unittest
import zlib

import aiohttp

HERE = pathlib.Path(__file__).resolve().parent
SHOWN = 37377 | 1 << 10 | 1 << 1    # what Sophia asks for, and a little more
PATIENCE_S = 10


class Socket:
    """A gateway connection that says only what it is told to."""

    def __init__(self, ws, compress):
        self.ws = ws
        self.inflate = zlib.decompressobj() if compress else None
        self.frames = 0

    async def send(self, op, d):
        await self.ws.send_str(json.dumps({"op": op, "d": d}))

    async def read(self):
        """The next payload, or the code the connection was closed with; None
        if it ended without one."""
        data = b""
        while True:
            message = await asyncio.wait_for(self.ws.receive(), PATIENCE_S)
            if message.type == aiohttp.WSMsgType.TEXT:
                return json.loads(message.data)
            if message.type == aiohttp.WSMsgType.BINARY:
                self.frames += 1
                data += message.data
                if data.endswith(b"\0\0\xff\xff"):
                    return json.loads(self.inflate.decompress(data))
                continue
            if message.type == aiohttp.WSMsgType.CLOSE:
                return message.data
            return None

    async def until(self, name):
        """The next event of that name."""
        while True:
            payload = await self.read()
            if not isinstance(payload, dict):
                raise AssertionError(f"{payload} instead of {name}")
            if payload.get("t") == name:
                return payload

    async def silent(self, seconds=0.2):
        """Whether nothing comes for that long."""
        try:
            await asyncio.wait_for(self.ws.receive(), seconds)
            return False
        except asyncio.TimeoutError:
            return True

    async def close(self, code=4000):
        await self.ws.close(code=code)


class Trial(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-B", str(HERE), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE)
        self.at = json.loads(await self.process.stdout.readline())
        self.http = aiohttp.ClientSession(headers={
            "Authorization": f"Bot {self.at['token']}",
            "User-Agent": "DiscordBot (https://example.invalid, 1)"})

    async def asyncTearDown(self):
        await self.http.close()
        self.process.stdin.close()
        await self.process.wait()

    async def do(self, what, /, **order):
        async with self.http.post(self.at["control"],
                                  json=dict(order, do=what)) as answer:
            done = await answer.json()
            self.assertEqual(answer.status, 200, done)
            return done

    async def state(self):
        async with self.http.get(self.at["control"] + "/state") as answer:
            return await answer.json()

    async def count(self, name):
        return (await self.state())["count"].get(name, 0)

    async def violated(self):
        return [v["what"] for v in (await self.state())["violations"]]

    async def rest(self, method, path, body=None, want=200):
        async with self.http.request(method, self.at["api"] + path,
                                     json=body) as answer:
            text = await answer.text()
            self.assertEqual(answer.status, want, text)
            return json.loads(text) if text.startswith(("{", "[")) else text

    async def connect(self, url=None, more=""):
        ws = await self.http.ws_connect(
            (url or self.at["gateway"]) + "?v=10&encoding=json" + more,
            autoclose=False, max_msg_size=0)
        return Socket(ws, "compress" in more)

    async def identified(self, intents=SHOWN, more="", **d):
        """A connection past its READY and the guilds; and the READY."""
        socket = await self.connect(more=more)
        await socket.read()
        await socket.send(2, dict({
            "token": self.at["token"], "intents": intents, "properties":
            {"os": "linux", "browser": "trial", "device": "trial"}}, **d))
        ready = await socket.until("READY")
        if intents & 1:
            await socket.until("GUILD_CREATE")
        return socket, ready["d"]

    async def resumed(self, ready, sequence, more=""):
        socket = await self.connect(ready["resume_gateway_url"], more)
        await socket.read()
        await socket.send(6, {"token": self.at["token"], "seq": sequence,
                              "session_id": ready["session_id"]})
        return socket
