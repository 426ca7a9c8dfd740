"""Cases of permissions.py, each with the sentence of Discord it stands for."""

import unittest

import permissions as p

GUILD, OWNER, ADA, BOB = "100", "1", "2", "3"
READER, WRITER, MODERATOR, MASTER = "201", "202", "203", "204"
NOW = 1_800_000_000_000  # 2027-01-15


def role(id, position, *names):
    return {"id": id, "position": position,
            "permissions": str(p.bits(*names))}


GUILD_OBJECT = {"id": GUILD, "owner_id": OWNER, "roles": [
    role(GUILD, 0, "VIEW_CHANNEL", "READ_MESSAGE_HISTORY", "CONNECT"),
    role(READER, 1, "ADD_REACTIONS"),
    role(WRITER, 2, "SEND_MESSAGES", "EMBED_LINKS", "ATTACH_FILES",
         "MENTION_EVERYONE", "SEND_TTS_MESSAGES"),
    role(MODERATOR, 2, "MANAGE_MESSAGES", "MANAGE_THREADS"),
    role(MASTER, 5, "ADMINISTRATOR"),
]}


def member(id, *roles, until=None):
    return {"user": {"id": id}, "roles": list(roles),
            "communication_disabled_until": until}


def overwrite(id, kind, allow=(), deny=()):
    return {"id": id, "type": kind, "allow": str(p.bits(*allow)),
            "deny": str(p.bits(*deny))}


def channel(*overwrites, type=0):
    return {"id": "300", "type": type,
            "permission_overwrites": list(overwrites)}


THREAD = {"id": "301", "type": p.PUBLIC_THREAD}
PRIVATE = {"id": "302", "type": p.PRIVATE_THREAD}
SEND, VIEW = ["SEND_MESSAGES"], ["VIEW_CHANNEL"]

# what it says, the member, the channel, permissions there, those not there
CASES = [
    ("a member without roles has what @everyone gives",
     member(ADA), channel(), VIEW, SEND),
    ("roles add up",
     member(ADA, READER, WRITER), channel(),
     ["ADD_REACTIONS", "SEND_MESSAGES", "ATTACH_FILES"], []),
    ("the owner may everything, whatever is denied",
     member(OWNER), channel(overwrite(OWNER, p.MEMBER, deny=VIEW)),
     list(p.BIT), []),
    ("so may an administrator",
     member(ADA, MASTER), channel(overwrite(GUILD, p.ROLE, deny=VIEW)),
     list(p.BIT), []),
    ("an overwrite cannot make an administrator",
     member(ADA), channel(overwrite(ADA, p.MEMBER, allow=["ADMINISTRATOR"])),
     VIEW, SEND),
    ("@everyone's overwrite allows",
     member(ADA), channel(overwrite(GUILD, p.ROLE, allow=SEND)), SEND, []),
    ("@everyone's overwrite denies what a role gives",
     member(ADA, WRITER), channel(overwrite(GUILD, p.ROLE, deny=SEND)),
     VIEW, SEND),
    ("a role's overwrite beats @everyone's",
     member(ADA, WRITER), channel(overwrite(WRITER, p.ROLE, allow=SEND),
                                  overwrite(GUILD, p.ROLE, deny=SEND)),
     SEND, []),
    ("among roles an allow beats a deny, in one order",
     member(ADA, WRITER, READER),
     channel(overwrite(WRITER, p.ROLE, allow=SEND),
             overwrite(READER, p.ROLE, deny=SEND)), SEND, []),
    ("and in the other, and however high the denying role is",
     member(ADA, MODERATOR, READER),
     channel(overwrite(MODERATOR, p.ROLE, deny=SEND),
             overwrite(READER, p.ROLE, allow=SEND)), SEND, []),
    ("a role that the member has not does not count",
     member(ADA, WRITER), channel(overwrite(READER, p.ROLE, deny=SEND)),
     SEND, []),
    ("the member's own overwrite beats the roles'",
     member(ADA, WRITER), channel(overwrite(ADA, p.MEMBER, deny=SEND),
                                  overwrite(WRITER, p.ROLE, allow=SEND)),
     VIEW, SEND),
    ("and allows what a role denies",
     member(ADA), channel(overwrite(ADA, p.MEMBER, allow=SEND),
                          overwrite(GUILD, p.ROLE, deny=SEND)), SEND, []),
    ("another member's does not count",
     member(ADA, WRITER), channel(overwrite(BOB, p.MEMBER, deny=SEND)),
     SEND, []),
    ("a member overwrite with the id of a role is not the role's",
     member(ADA, WRITER), channel(overwrite(WRITER, p.MEMBER, deny=SEND)),
     SEND, []),
    ("in one overwrite, allow comes after deny",
     member(ADA), channel(overwrite(ADA, p.MEMBER, allow=SEND, deny=SEND)),
     SEND, []),
    ("without VIEW_CHANNEL nothing counts",
     member(ADA, WRITER), channel(overwrite(GUILD, p.ROLE, deny=VIEW)),
     [], list(p.BIT)),
    ("without SEND_MESSAGES no mention of everyone, TTS, file, embed",
     member(ADA, WRITER, MODERATOR),
     channel(overwrite(GUILD, p.ROLE, deny=SEND)),
     ["VIEW_CHANNEL", "MANAGE_MESSAGES"],
     ["MENTION_EVERYONE", "SEND_TTS_MESSAGES", "ATTACH_FILES",
      "EMBED_LINKS"]),
    ("a voice channel without CONNECT can only be seen",
     member(ADA, WRITER, MODERATOR),
     channel(overwrite(GUILD, p.ROLE, deny=["CONNECT"]), type=p.VOICE),
     VIEW, ["SEND_MESSAGES", "MANAGE_MESSAGES"]),
    ("elsewhere CONNECT does not matter",
     member(ADA, WRITER),
     channel(overwrite(GUILD, p.ROLE, deny=["CONNECT"])), SEND, []),
    ("a member in a time-out can see and read back, no more",
     member(ADA, WRITER, until="2027-01-15T08:00:01+00:00"), channel(),
     ["VIEW_CHANNEL", "READ_MESSAGE_HISTORY"],
     ["SEND_MESSAGES", "CONNECT", "ATTACH_FILES"]),
    ("not even that where the channel denies it",
     member(ADA, WRITER, until="2027-01-15T08:00:01Z"),
     channel(overwrite(GUILD, p.ROLE, deny=VIEW)), [], list(p.BIT)),
    ("a time-out that is over does not count",
     member(ADA, WRITER, until="2027-01-15T08:00:00.000000+00:00"),
     channel(), SEND, []),
    ("an administrator is not held by a time-out",
     member(ADA, MASTER, until="2027-01-16T00:00:00+00:00"), channel(),
     list(p.BIT), []),
    ("nor is the owner",
     member(OWNER, until="2027-01-16T00:00:00+00:00"), channel(),
     list(p.BIT), []),
    ("null for the overwrites is none",
     member(ADA, WRITER),
     {"id": "300", "type": 0, "permission_overwrites": None}, SEND, []),
    ("the kind of an overwrite may be a string, as in the audit log",
     member(ADA), channel(dict(overwrite(ADA, p.MEMBER, allow=SEND),
                               type="1")), SEND, []),
]

# ... and whether the member joined, and the overwrites of the parent
IN_THREADS = [
    ("a thread has the overwrites of its parent", THREAD, False,
     member(ADA), [overwrite(GUILD, p.ROLE, deny=VIEW)], [], list(p.BIT)),
    ("SEND_MESSAGES is not enough to speak in a thread", THREAD, False,
     member(ADA, WRITER), [], VIEW,
     ["SEND_MESSAGES_IN_THREADS", "ATTACH_FILES", "EMBED_LINKS"]),
    ("SEND_MESSAGES_IN_THREADS is, though SEND_MESSAGES be denied", THREAD,
     False, member(ADA, WRITER),
     [overwrite(GUILD, p.ROLE, allow=["SEND_MESSAGES_IN_THREADS"],
                deny=SEND)],
     ["SEND_MESSAGES_IN_THREADS", "ATTACH_FILES"], SEND),
    ("a private thread is hidden from who has not joined", PRIVATE, False,
     member(ADA, WRITER), [], [], list(p.BIT)),
    ("who joined sees it", PRIVATE, True,
     member(ADA, WRITER), [], VIEW, []),
    ("and so does who manages threads", PRIVATE, False,
     member(ADA, MODERATOR), [], VIEW, []),
    ("unless the parent denies that", PRIVATE, False,
     member(ADA, MODERATOR),
     [overwrite(MODERATOR, p.ROLE, deny=["MANAGE_THREADS"])],
     [], list(p.BIT)),
    ("one who joined but cannot see the parent sees nothing", PRIVATE, True,
     member(ADA), [overwrite(GUILD, p.ROLE, deny=VIEW)], [], list(p.BIT)),
    ("the owner sees every private thread", PRIVATE, False,
     member(OWNER), [], list(p.BIT), []),
]


class Permissions(unittest.TestCase):
    def check(self, value, there, absent):
        self.assertEqual([n for n in there if not p.can(value, n)], [],
                         "missing")
        self.assertEqual([n for n in absent if p.can(value, n)], [],
                         "too many")

    def test_channels(self):
        for says, who, where, there, absent in CASES:
            with self.subTest(says):
                value = p.inside(GUILD_OBJECT, who, where, now_ms=NOW)
                self.check(value, there, absent)

    def test_threads(self):
        for says, where, joined, who, parent, there, absent in IN_THREADS:
            with self.subTest(says):
                value = p.inside(GUILD_OBJECT, who, where,
                                     parent=channel(*parent),
                                     joined=joined, now_ms=NOW)
                self.check(value, there, absent)

    def test_a_thread_needs_its_parent(self):
        with self.assertRaises(ValueError):
            p.inside(GUILD_OBJECT, member(ADA), THREAD)

    def test_guild(self):
        timed_out = member(ADA, WRITER, until="2027-01-16T00:00:00Z")
        self.assertEqual(p.names(p.base(GUILD_OBJECT, timed_out, NOW)),
                         ["VIEW_CHANNEL", "READ_MESSAGE_HISTORY"])
        self.assertEqual(
            p.names(p.base(GUILD_OBJECT, member(ADA, READER), NOW)),
            ["ADD_REACTIONS", "VIEW_CHANNEL", "READ_MESSAGE_HISTORY",
             "CONNECT"])

    def test_roles_by_their_ids(self):
        guild = dict(GUILD_OBJECT,
                     roles={r["id"]: r for r in GUILD_OBJECT["roles"]})
        for who in (member(ADA), member(ADA, WRITER), member(ADA, MASTER)):
            self.assertEqual(p.base(guild, who),
                             p.base(GUILD_OBJECT, who))
            self.assertEqual(p.top_role(guild, who),
                             p.top_role(GUILD_OBJECT, who))

    def test_direct_messages(self):
        dm = {"id": "9", "type": p.DM, "recipients": [{"id": ADA}]}
        self.assertTrue(p.can(p.in_dm(dm, ADA, BOB), *SEND))
        self.assertTrue(p.can(p.in_dm(dm, BOB, BOB), *SEND))
        self.assertEqual(p.in_dm(dm, OWNER, BOB), 0)

    def test_ranks(self):
        ada, bob = member(ADA, WRITER), member(BOB, MODERATOR)
        # at one position, the older role (the lower id) is the higher
        self.assertTrue(p.outranks(GUILD_OBJECT, ada, bob))
        self.assertFalse(p.outranks(GUILD_OBJECT, bob, ada))
        self.assertFalse(p.outranks(GUILD_OBJECT, ada, ada))
        self.assertFalse(p.outranks(GUILD_OBJECT, member(ADA, MASTER),
                                    member(OWNER)))
        self.assertTrue(p.outranks(GUILD_OBJECT, member(OWNER),
                                   member(ADA, MASTER)))
        moderator = GUILD_OBJECT["roles"][3]
        self.assertTrue(p.outranks_role(GUILD_OBJECT, ada, moderator))
        self.assertFalse(p.outranks_role(GUILD_OBJECT, bob, moderator))

    def test_bits(self):
        self.assertEqual(p.bits("SEND_MESSAGES", "ADD_REACTIONS"), 2112)
        self.assertEqual(p.BIT["BYPASS_SLOWMODE"], 1 << 52)
        self.assertEqual(p.names(1 << 47 | 8), ["ADMINISTRATOR", "1<<47"])
        for value in ("2112", 2112, ["SEND_MESSAGES", "ADD_REACTIONS"]):
            self.assertEqual(p.parse(value), 2112)
        self.assertEqual(p.parse(None), 0)


if __name__ == "__main__":
    unittest.main()
