"""Cases of channels and roles: who may, how many, and what everybody is told."""
import unittest

from trial import Trial

POWERS = ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY",
          "MANAGE_CHANNELS", "MANAGE_ROLES"]


class Places(Trial):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.guild = f"/guilds/{self.at['guild']}"
        await self.do("limits", mode="off")
        await self.do("judge", answers=True)
        await self.powers()
        self.socket, _ = await self.identified()

    async def asyncTearDown(self):
        answers = (await self.state())["problems"]["answers"]
        await super().asyncTearDown()
        self.assertEqual(answers, [])

    async def powers(self, *more, without=()):
        await self.do("role", role="Sophia", permissions=[
            p for p in (*POWERS, *more) if p not in without])

    async def make(self, want=201, **body):
        return await self.rest("POST", self.guild + "/channels", body, want)

    async def role(self, want=200, **body):
        return await self.rest("POST", self.guild + "/roles", body, want)

    def told(self, name):
        return self.socket.until(name)

    async def code(self, code, status, method, path, body=None):
        got = await self.rest(method, path, body, status)
        self.assertEqual(got["code"], code, got)
        return got

    async def test_a_channel_is_made_under_a_plain_name(self):
        made = await self.make(name="Ada's  Big Tea", parent_id=None,
                               topic="t", rate_limit_per_user=5)
        self.assertEqual(made["name"], "adas-big-tea")
        told = (await self.told("CHANNEL_CREATE"))["d"]
        self.assertEqual(told["id"], made["id"])
        voice = await self.make(name="Big Tea", type=2)
        self.assertEqual(voice["name"], "Big Tea")

    async def test_bodies_that_are_refused(self):
        for body in ({}, {"name": "x" * 101}, {"name": "x", "topic":
                     "t" * 1025}, {"name": "x", "rate_limit_per_user": 21601},
                     {"name": "x", "type": 15}, {"name": "x", "type": 99},
                     {"name": "x", "parent_id": "1"}, {"name": "!!"},
                     {"name": "x", "parent_id": self.at["channel"]},
                     {"name": "x", "type": 2, "user_limit": 100}):
            with self.subTest(body):
                await self.code(50035, 400, "POST", self.guild + "/channels",
                                body)

    async def test_a_category_holds_fifty(self):
        top = await self.make(name="Full", type=4)
        await self.do("batch", orders=[
            {"do": "channel", "name": f"c{n}", "type": 0, "parent": top["id"]}
            for n in range(50)])
        got = await self.make(400, name="more", parent_id=top["id"])
        self.assertIn("CHANNEL_PARENT_MAX_CHANNELS", str(got))

    async def test_a_guild_holds_five_hundred(self):
        await self.do("batch", orders=[
            {"do": "channel", "name": f"c{n}", "type": 0}
            for n in range(493)])
        await self.code(30013, 400, "POST", self.guild + "/channels",
                        {"name": "more"})

    async def test_without_its_category_s_permissions_it_has_them(self):
        top = await self.make(name="Inner", type=4, permission_overwrites=[
            {"id": self.at["guild"], "type": 0, "deny": "2048"}])
        made = await self.make(name="a", parent_id=top["id"])
        self.assertEqual(made["permission_overwrites"],
                         top["permission_overwrites"])
        own = await self.make(name="b", parent_id=top["id"],
                              permission_overwrites=[])
        self.assertEqual(own["permission_overwrites"], [])

    async def test_nobody_gives_what_they_lack(self):
        over = {"id": self.at["guild"], "type": 0, "allow": str(1 << 13)}
        one = f"/channels/{self.at['channel']}"
        for request in (
                ("POST", self.guild + "/channels",
                 {"name": "x", "permission_overwrites": [over]}),
                ("PATCH", one, {"permission_overwrites": [over]}),
                ("PUT", f"{one}/permissions/{self.at['guild']}",
                 {"type": 0, "allow": str(1 << 13)}),
                ("POST", self.guild + "/roles", {"permissions": "8"})):
            with self.subTest(request):
                await self.code(50013, 403, *request)
        await self.powers("MANAGE_MESSAGES")
        await self.make(name="x", permission_overwrites=[over])
        await self.rest("PUT", f"{one}/permissions/{self.at['guild']}",
                        {"type": 0, "allow": str(1 << 13)}, 204)

    async def test_without_the_permission_nothing(self):
        await self.powers(without=("MANAGE_CHANNELS", "MANAGE_ROLES"))
        one = f"/channels/{self.at['channel']}"
        for request in (("POST", self.guild + "/channels", {"name": "x"}),
                        ("PATCH", self.guild + "/channels", []),
                        ("PATCH", one, {"name": "x"}), ("DELETE", one),
                        ("POST", self.guild + "/roles", {"name": "x"})):
            with self.subTest(request):
                await self.code(50013, 403, *request)

    async def test_moving_is_all_or_nothing_and_told(self):
        general = self.at["channel"]
        await self.code(50035, 400, "PATCH", self.guild + "/channels", [
            {"id": general, "parent_id": None},
            {"id": "1200000000000000403", "parent_id": general}])
        got = await self.rest("GET", f"/channels/{general}")
        self.assertEqual(got["parent_id"], "1200000000000000401")
        await self.rest("PATCH", self.guild + "/channels", [
            {"id": general, "parent_id": None, "position": 7}], 204)
        told = (await self.told("CHANNEL_UPDATE"))["d"]
        self.assertEqual((told["id"], told["parent_id"], told["position"]),
                         (general, None, 7))

    async def test_what_is_moved_can_be_put_in_step(self):
        top = await self.make(name="Inner", type=4, permission_overwrites=[
            {"id": self.at["guild"], "type": 0, "deny": "2048"}])
        place = [{"id": self.at["channel"], "parent_id": top["id"],
                  "lock_permissions": True}]
        await self.rest("PATCH", self.guild + "/channels", place, 204)
        got = await self.rest("GET", f"/channels/{self.at['channel']}")
        self.assertEqual(got["permission_overwrites"],
                         top["permission_overwrites"])

    async def test_channels_in_step_with_their_category_stay_so(self):
        quay = "/channels/1200000000000000401/permissions/"
        await self.rest("PUT", f"/channels/{self.at['channel']}/permissions/"
                        + self.at["guild"], {"type": 0, "deny": "2048"}, 204)
        await self.rest("PUT", quay + self.at["guild"],
                        {"type": 0, "deny": "65536"}, 204)
        for number, deny in (("1200000000000000402", "2048"),
                             ("1200000000000000403", "65536")):
            got = await self.rest("GET", f"/channels/{number}")
            self.assertEqual(got["permission_overwrites"][0]["deny"], deny)

    async def test_a_category_goes_and_its_channels_stay(self):
        await self.rest("DELETE", "/channels/1200000000000000401")
        await self.told("CHANNEL_DELETE")
        for _ in "ab":
            told = (await self.told("CHANNEL_UPDATE"))["d"]
            self.assertIsNone(told["parent_id"])

    async def test_a_community_keeps_its_rules(self):
        await self.do("guild", id="1200000000000000009", name="Commons",
                      roles=[{"name": "@everyone", "permissions": POWERS}],
                      members=[{"user": "sophia"}], channels=[
                          {"id": "1200000000000000008", "name": "rules"}],
                      more={"features": ["COMMUNITY"], "rules_channel_id":
                            "1200000000000000008"})
        await self.code(50074, 400, "DELETE", "/channels/1200000000000000008")
        await self.rest("POST", "/guilds/1200000000000000009/channels",
                        {"name": "posts", "type": 15}, 201)

    async def test_roles_are_made_changed_and_deleted(self):
        made = await self.role(name="Tea", color=255, permissions="0")
        self.assertEqual(made["position"], 1)
        self.assertEqual((await self.told("GUILD_ROLE_CREATE"))["d"]["role"],
                         made)
        one = f"{self.guild}/roles/{made['id']}"
        changed = await self.rest("PATCH", one, {"name": "Coffee",
                                                 "permissions": "2048"})
        self.assertEqual((changed["name"], changed["permissions"]),
                         ("Coffee", "2048"))
        held = f"{self.guild}/members/1200000000000000202/roles/{made['id']}"
        await self.rest("PUT", held, want=204)
        told = (await self.told("GUILD_MEMBER_UPDATE"))["d"]
        self.assertEqual(told["roles"], [made["id"]])
        await self.rest("DELETE", one, want=204)
        await self.told("GUILD_ROLE_DELETE")
        await self.code(10011, 404, "DELETE", one)

    async def test_the_hierarchy_of_roles(self):
        high = await self.do("role", name="captain", permissions=[],
                             position=9)
        bob = f"{self.guild}/members/1200000000000000202/roles"
        everyone, own = self.at["guild"], "1200000000000000302"
        for code, status, method, path in (
                (50013, 403, "PUT", f"{bob}/{high['id']}"),
                (50013, 403, "PATCH", f"{self.guild}/roles/{high['id']}"),
                (50013, 403, "DELETE", f"{self.guild}/roles/{high['id']}"),
                (50013, 403, "PUT", f"{bob}/{own}"),
                (50028, 400, "PUT", f"{bob}/{everyone}"),
                (50028, 400, "DELETE", f"{self.guild}/roles/{everyone}"),
                (10011, 404, "PUT", f"{bob}/5")):
            with self.subTest(path):
                await self.code(code, status, method, path,
                                {} if method == "PATCH" else None)
        await self.code(10007, 404, "PUT", f"{self.guild}/members/5/roles/"
                        "1200000000000000301")

    async def test_a_guild_has_250_roles(self):
        await self.do("batch", orders=[
            {"do": "role", "name": f"r{n}"} for n in range(247)])
        await self.code(30005, 400, "POST", self.guild + "/roles", {})

    async def test_the_audit_log_says_why(self):
        await self.powers("VIEW_AUDIT_LOG")
        self.http.headers["X-Audit-Log-Reason"] = "for%20tea"
        made = await self.make(name="tea")
        log = await self.rest("GET", self.guild + "/audit-logs?action_type=10")
        self.assertEqual([(e["target_id"], e["reason"])
                          for e in log["audit_log_entries"]],
                         [(made["id"], "for tea")])


if __name__ == "__main__":
    unittest.main()
