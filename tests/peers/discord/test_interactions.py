"""Cases of interactions: both sides, the deadlines, what stays private."""
import unittest

from trial import Trial

TALK = {"name": "talk", "description": "Say something", "options": [
    {"type": 3, "name": "message", "description": "What", "required": True},
    {"type": 11, "name": "attachment", "description": "A file"},
    {"type": 3, "name": "task", "description": "Which",
     "autocomplete": True}]}


class Interactions(Trial):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.app = self.at["application"]
        await self.do("limits", mode="off")
        await self.rest("POST", f"/applications/{self.app}/commands", TALK,
                        want=201)
        self.socket, _ = await self.identified()

    async def asked(self, what="command", **more):
        order = dict({"user": "ada", "channel": "general", "name": "talk",
                      "options": {"message": "hello"}}, **more)
        await self.do(what, **order)
        return (await self.socket.until("INTERACTION_CREATE"))["d"]

    async def answer(self, d, kind, data=None, want=204):
        return await self.rest(
            "POST", f"/interactions/{d['id']}/{d['token']}/callback",
            {"type": kind, "data": data or {}}, want)

    def hook(self, d, rest=""):
        return f"/webhooks/{self.app}/{d['token']}{rest}"

    async def test_a_command_and_its_answer(self):
        d = await self.asked(options={"message": "hi", "attachment": {
            "name": "a.txt", "text": "x"}})
        self.assertEqual(d["data"]["options"][0]["value"], "hi")
        file = d["data"]["options"][1]["value"]
        self.assertIn(file, d["data"]["resolved"]["attachments"])
        self.assertEqual(d["member"]["user"]["username"], "ada")
        await self.answer(d, 4, {"content": "hello"})
        made = (await self.socket.until("MESSAGE_CREATE"))["d"]
        self.assertEqual(made["interaction_metadata"]["id"], d["id"])
        got = await self.rest("GET", self.hook(d, "/messages/@original"))
        self.assertEqual(got["content"], "hello")

    async def test_once_in_time_and_not_again(self):
        d = await self.asked()
        await self.answer(d, 5)
        got = await self.answer(d, 4, {"content": "x"}, want=400)
        self.assertEqual(got["code"], 40060)
        d = await self.asked()
        await self.do("time", advance_s=4)
        got = await self.answer(d, 4, {"content": "x"}, want=404)
        self.assertEqual(got["code"], 10062)

    async def test_deferred_then_edited_until_the_token_ends(self):
        d = await self.asked()
        await self.answer(d, 5)
        made = (await self.socket.until("MESSAGE_CREATE"))["d"]
        self.assertTrue(made["flags"] & 1 << 7)
        got = await self.rest("PATCH", self.hook(d, "/messages/@original"),
                              {"content": "done"})
        self.assertEqual((got["content"], got["flags"] & 1 << 7), ("done", 0))
        await self.do("time", advance_s=901)
        got = await self.rest("PATCH", self.hook(d, "/messages/@original"),
                              {"content": "late"}, want=401)
        self.assertEqual(got["code"], 50027)

    async def test_what_is_ephemeral_is_told_to_nobody(self):
        d = await self.asked()
        await self.answer(d, 5, {"flags": 64})
        await self.rest("POST", self.hook(d), {"content": "psst"})
        await self.rest("POST", self.hook(d), {"content": "more",
                                               "flags": 64})
        self.assertTrue(await self.socket.silent())
        page = await self.rest(
            "GET", f"/channels/{self.at['channel']}/messages")
        self.assertNotIn("psst", [m["content"] for m in page])
        entry = (await self.state())["interactions"][-1]
        self.assertEqual([(m["content"], m["ephemeral"])
                          for m in entry["messages"]],
                         [("psst", True), ("more", True)])

    async def test_autocomplete(self):
        d = await self.asked("autocomplete", focused="task",
                             options={"message": "x", "task": "ab"})
        self.assertEqual(d["type"], 4)
        self.assertTrue(d["data"]["options"][1]["focused"])
        await self.answer(d, 4, {"content": "no"}, want=400)
        await self.answer(d, 8, {"choices": [{"name": "n" * 101,
                                              "value": "v"}]}, want=400)
        await self.answer(d, 8, {"choices": [{"name": "n", "value": "v"}]})

    async def test_button_modal_and_its_answer(self):
        path = f"/channels/{self.at['channel']}/messages"
        message = await self.rest("POST", path, {
            "content": "x", "components": [{"type": 1, "components": [
                {"type": 2, "style": 1, "label": "Go", "custom_id": "go"},
                {"type": 2, "style": 1, "label": "No", "custom_id": "no",
                 "disabled": True}]}]})
        made = await self.do("press", user="bob", message=message["id"],
                             custom_id="go")
        d = (await self.socket.until("INTERACTION_CREATE"))["d"]
        self.assertEqual(d["message"]["id"], message["id"])
        await self.answer(d, 9, {"custom_id": "form", "title": "T",
                                 "components": [
                                     {"type": 18, "label": "Why", "component":
                                      {"type": 4, "custom_id": "why",
                                       "style": 2}}]})
        await self.do("submit", interaction=made["id"],
                      values={"why": "because"})
        d = (await self.socket.until("INTERACTION_CREATE"))["d"]
        self.assertEqual(d["type"], 5)
        self.assertEqual(d["data"]["components"][0]["component"]["value"],
                         "because")
        await self.answer(d, 7, {"content": "thanks", "components": []})
        got = await self.rest("GET", f"{path}/{message['id']}")
        self.assertEqual((got["content"], got["components"]), ("thanks", []))

    async def test_creating_commands_has_a_daily_limit(self):
        path = f"/applications/{self.app}/commands"
        for n in range(199):
            await self.rest("PUT", path, [dict(TALK, name=f"c{n}")])
        got = await self.rest("PUT", path, [dict(TALK, name="x")], want=429)
        self.assertEqual(got["code"], 30034)
        await self.rest("PUT", path, [dict(TALK, name="c198")])
        await self.do("time", advance_s=86401)
        await self.rest("PUT", path, [dict(TALK, name="x")])


if __name__ == "__main__":
    unittest.main()
