"""Cases of the gateway: its rules, and that each fault is what it says."""
import unittest

from trial import SHOWN, Trial


class Rules(Trial):
    async def test_hello_ready_guilds_heartbeat(self):
        socket, ready = await self.identified()
        self.assertEqual(ready["guilds"][0]["unavailable"], True)
        await socket.send(1, 2)
        self.assertEqual((await socket.read())["op"], 11)
        self.assertEqual(await self.violated(), [])

    async def test_what_a_client_gets_wrong_has_its_close_code(self):
        cases = [(1, None), (99, {}), (3, {}), (6, {"token": "x"}),
                 (2, {"token": "wrong", "intents": 1, "properties": {}})]
        for (op, d), code in zip(cases, (None, 4001, 4003, 4002, 4004)):
            socket = await self.connect()
            await socket.read()
            await socket.send(op, d)
            got = await socket.read()
            if code is None:
                self.assertEqual(got["op"], 11)
            else:
                self.assertEqual(got, code)

    async def test_bad_identifies(self):
        token = self.at["token"]
        base = {"token": token, "intents": 1, "properties": {}}
        await self.do("portal", intents=["GUILD_MEMBERS"])
        for d, code in ((dict(base, intents=1 << 40), 4013),
                        (dict(base, intents=1 << 15), 4014),
                        (dict(base, shard=[2, 2]), 4010)):
            socket = await self.connect()
            await socket.read()
            await socket.send(2, d)
            self.assertEqual(await socket.read(), code)
        ws = await self.http.ws_connect(self.at["gateway"] +
                                        "?v=5&encoding=json", autoclose=False)
        self.assertEqual((await ws.receive()).data, 4012)

    async def test_payloads_are_held_to_size_and_number(self):
        socket, _ = await self.identified()
        await socket.send(1, "x" * 5000)
        self.assertEqual(await socket.read(), 4002)
        await self.do("time", advance_s=6)
        socket, _ = await self.identified()
        for _ in range(119):
            await socket.send(1, 1)
            self.assertEqual((await socket.read())["op"], 11)
        await socket.send(1, 1)
        self.assertEqual(await socket.read(), 4008)
        self.assertEqual(len(await self.violated()), 2)

    async def test_one_identify_in_five_seconds(self):
        await self.identified()
        socket = await self.connect()
        await socket.read()
        await socket.send(2, {"token": self.at["token"], "intents": 1,
                              "properties": {}})
        self.assertEqual(await socket.read(),
                         {"op": 9, "d": False, "s": None, "t": None})
        await self.do("time", advance_s=5)
        await self.identified()

    async def test_no_budget_resets_the_token(self):
        await self.do("starts", left=0)
        socket = await self.connect()
        await socket.read()
        await socket.send(2, {"token": self.at["token"], "intents": 1,
                              "properties": {}})
        self.assertEqual(await socket.read(), 4004)
        await self.rest("GET", "/users/@me", want=401)

    async def test_who_is_silent_is_closed(self):
        await self.do("heartbeat", interval_ms=1000)
        socket, ready = await self.identified()
        await self.do("time", advance_s=10)
        self.assertEqual(await socket.read(), 4009)
        socket = await self.resumed(ready, 2)
        self.assertEqual((await socket.read())["d"], False)

    async def test_a_session_is_resumed_until_it_is_too_old(self):
        socket, ready = await self.identified(more="&compress=zlib-stream")
        await socket.close(4000)
        for n in range(3):
            await self.do("say", user="ada", channel="general", text=str(n))
        socket = await self.resumed(ready, 2, "&compress=zlib-stream")
        got = [await socket.read() for _ in range(4)]
        self.assertEqual([g["t"] for g in got],
                         ["MESSAGE_CREATE"] * 3 + ["RESUMED"])
        self.assertEqual([g["s"] for g in got], [3, 4, 5, 6])
        await socket.close(4000)
        await self.do("time", advance_s=200)
        socket = await self.resumed(ready, 6)
        self.assertEqual((await socket.read())["d"], False)

    async def test_code_1000_ends_the_session(self):
        socket, ready = await self.identified()
        await socket.close(1000)
        socket = await self.resumed(ready, 2)
        self.assertEqual((await socket.read())["op"], 9)

    async def test_intents_choose_events_and_content(self):
        socket, _ = await self.identified(intents=1 | 1 << 9)
        await self.do("say", user="ada", text="a direct message")
        await self.do("say", user="ada", channel="general", text="hidden")
        await self.do("say", user="ada", channel="secret", text="unseen")
        await self.do("say", user="ada", channel="general",
                      text="<@sophia> shown")
        self.assertEqual((await socket.read())["d"]["content"], "")
        self.assertIn("shown", (await socket.read())["d"]["content"])

    async def test_members_come_in_chunks(self):
        for n in range(1005):
            await self.do("join", user=f"u{n}")
        socket, _ = await self.identified()
        await socket.send(8, {"guild_id": self.at["guild"], "query": "",
                              "limit": 0, "nonce": "n"})
        chunks = [await socket.until("GUILD_MEMBERS_CHUNK") for _ in "12"]
        self.assertEqual([len(c["d"]["members"]) for c in chunks], [1000, 10])
        await socket.send(8, {"guild_id": self.at["guild"], "query": "",
                              "limit": 0})
        limited = await socket.until("RATE_LIMITED")
        self.assertGreater(limited["d"]["retry_after"], 0)

    async def test_gained_access_brings_the_threads(self):
        await self.do("thread", user="ada", channel="secret", name="deep")
        socket, _ = await self.identified()
        await self.do("overwrite", channel="secret", role="Sophia",
                      allow=["VIEW_CHANNEL"])
        self.assertEqual((await socket.read())["t"], "CHANNEL_UPDATE")
        sync = await socket.read()
        self.assertEqual(sync["t"], "THREAD_LIST_SYNC")
        self.assertEqual(sync["d"]["threads"][0]["name"], "deep")


class Faults(Trial):
    async def test_now(self):
        socket, ready = await self.identified()
        for order, want in (("op1", 1), ("op7", 7)):
            await self.do(order)
            self.assertEqual((await socket.read())["op"], want)
        await self.do("close", code=4007)
        self.assertEqual(await socket.read(), 4007)
        socket = await self.resumed(ready, 2)
        self.assertEqual((await socket.read())["op"], 9)

    async def test_an_invalid_session_that_can_be_resumed(self):
        socket, ready = await self.identified()
        await self.do("op9", resumable=True)
        self.assertEqual((await socket.read())["op"], 9)
        await self.do("say", user="ada", channel="general", text="later")
        await socket.send(6, {"token": self.at["token"], "seq": 2,
                              "session_id": ready["session_id"]})
        self.assertEqual((await socket.until("MESSAGE_CREATE"))["d"][
            "content"], "later")
        await socket.until("RESUMED")
        await self.do("op9", resumable=True)
        socket = await self.resumed(ready, 4)
        await socket.until("RESUMED")

    async def test_drop_and_half_open(self):
        socket, ready = await self.identified()
        await self.do("drop", reset=True)
        self.assertIsNone(await socket.read())
        socket = await self.resumed(ready, 2)
        await socket.until("RESUMED")
        await self.do("half_open")
        await self.do("say", user="ada", channel="general", text="lost")
        await socket.send(1, 2)
        self.assertTrue(await socket.silent())
        again = await self.resumed(ready, 3)
        self.assertEqual((await again.until("MESSAGE_CREATE"))["d"]["content"],
                         "lost")

    async def test_no_ack_and_mute_and_hello(self):
        await self.do("hello_delay", seconds=100)
        socket = await self.connect()
        self.assertTrue(await socket.silent())
        await self.do("mute")
        socket = await self.connect()
        await socket.read()
        await socket.send(2, {"token": self.at["token"], "intents": 1,
                              "properties": {}})
        self.assertTrue(await socket.silent())
        socket, _ = await self.identified()
        await self.do("no_ack")
        await socket.send(1, 1)
        self.assertTrue(await socket.silent())

    async def test_ready_without_guilds(self):
        await self.do("no_guild_create")
        socket = await self.connect()
        await socket.read()
        await socket.send(2, {"token": self.at["token"], "intents": SHOWN,
                              "properties": {}})
        await socket.until("READY")
        self.assertTrue(await socket.silent())

    async def test_replays(self):
        socket, ready = await self.identified()
        await socket.close(4000)
        await self.do("say", user="ada", channel="general", text="x")
        await self.do("replay_twice")
        socket = await self.resumed(ready, 2)
        self.assertEqual([(await socket.read())["s"] for _ in "123"],
                         [3, 3, 4])
        await self.do("replay_none")
        again = await self.resumed(ready, 2)
        self.assertEqual((await again.read())["t"], "RESUMED")

    async def test_events_lost_doubled_and_unknown(self):
        socket, _ = await self.identified()
        await self.do("swallow")
        await self.do("say", user="ada", channel="general", text="1")
        await self.do("duplicate")
        await self.do("say", user="ada", channel="general", text="2")
        self.assertEqual([(await socket.read())["s"] for _ in "12"], [4, 4])
        await self.do("unknown")
        self.assertEqual((await socket.read())["op"], 77)
        self.assertEqual((await socket.read())["t"], "NEWEST_THING_CREATE")

    async def test_frames_split_at_every_byte(self):
        await self.do("split", bytes=1)
        socket, _ = await self.identified(more="&compress=zlib-stream")
        self.assertGreater(socket.frames, 500)

    async def test_later_and_elsewhere(self):
        await self.do("close", code=4001, on="heartbeat", after=1)
        await self.do("drop", on="event", after=2)
        socket, ready = await self.identified()
        self.assertEqual(await self.count("faults.drop"), 0)
        await self.do("say", user="ada", channel="general", text="1")
        await socket.until("MESSAGE_CREATE")
        self.assertIsNone(await socket.read())
        socket = await self.resumed(ready, 3)
        await socket.until("RESUMED")
        await socket.send(1, 3)
        self.assertEqual((await socket.read())["op"], 11)
        await socket.send(1, 3)
        self.assertEqual(await socket.read(), 4001)


if __name__ == "__main__":
    unittest.main()
