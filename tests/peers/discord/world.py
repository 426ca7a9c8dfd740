"""world - the users, guilds, channels and messages of this Discord.

Everything is kept as the JSON object that Discord would show, users by
reference, so that a change is seen everywhere. Members whose names begin with
an underscore are ours and never leave. A world file names things by id or by
name; so do the acts of people on the control endpoint.
"""
import permissions
from clock import iso, time_of
from history import History

CATEGORY, TEXT, DM, THREADS = 4, 0, 1, (10, 11, 12)
WRITABLE = (0, 1, 2, 3, 5, 10, 11, 12, 13)


class Unknown(Exception):
    """A name in a world file, or a test's order, that names nothing."""


class World:
    def __init__(self, clock, rng):
        self.clock = clock
        self.rng = rng
        self.users, self.guilds, self.channels = {}, {}, {}
        self.history = {}
        self.threads_of = {}    # parent -> ids of its threads
        self.indexed = {}       # guild -> whether search has an index
        self.audit = {}         # guild -> entries, newest last
        self.token = self.application = self.bot = None

    # Looking up

    def _find(self, table, ref, what):
        if str(ref) in table:
            return table[str(ref)]
        for thing in table.values():
            if ref in (thing.get("name"), thing.get("username")):
                return thing
        raise Unknown(f"no {what} {ref!r}")

    def user(self, ref):
        return self._find(self.users, ref, "user")

    def guild(self, ref=None):
        if ref is None:
            return next(iter(self.guilds.values()))
        return self._find(self.guilds, ref, "guild")

    def channel(self, ref):
        return self._find(self.channels, ref, "channel")

    def role(self, guild, ref):
        return self._find(guild["roles"], ref, "role")

    def guild_of(self, channel):
        return self.guilds.get(channel.get("guild_id"))

    def member(self, guild, user_id):
        return guild["_members"].get(user_id)

    def channels_of(self, guild):
        return [c for c in guild["_channels"].values()
                if c["type"] not in THREADS]

    def threads_in(self, guild):
        return [c for c in guild["_channels"].values() if c["type"] in THREADS]

    def is_active(self, thread):
        return not thread["thread_metadata"]["archived"]

    # What somebody may do

    def base(self, guild, user_id):
        member = self.member(guild, user_id)
        return permissions.base(guild, member, self.clock.now_ms()) \
            if member else 0

    def allowed(self, channel, user_id=None):
        """The permission bits of a user (the bot) in a channel."""
        user_id = user_id or self.bot["id"]
        guild = self.guild_of(channel)
        if guild is None:
            there = any(u["id"] == user_id for u in channel["_recipients"])
            return permissions.IN_A_DM if there else 0
        member = self.member(guild, user_id)
        if not member:
            return 0
        thread = permissions.is_thread(channel)
        return permissions.inside(
            guild, member, channel,
            self.channels[channel["parent_id"]] if thread else None,
            thread and user_id in channel["_members"], self.clock.now_ms())

    def may(self, channel, *names, user_id=None):
        return permissions.can(self.allowed(channel, user_id), *names)

    # Making things

    def add_user(self, spec):
        user = {"id": spec.get("id") or self.clock.snowflake(),
                "username": spec["username"], "discriminator":
                spec.get("discriminator", "0000" if spec.get("bot") else "0"),
                "global_name": spec.get("global_name"),
                "avatar": spec.get("avatar"), "bot": bool(spec.get("bot")),
                "system": False, "banner": None, "accent_color": None,
                "public_flags": 0, "flags": 0, "avatar_decoration_data": None,
                "collectibles": None, "clan": None, "primary_guild": None}
        self.users[user["id"]] = user
        return user

    def add_guild(self, spec):
        guild_id = spec.get("id") or self.clock.snowflake()
        guild = {"id": guild_id, "name": spec["name"], "roles": {},
                 "_members": {}, "_channels": {}, "_available": True,
                 "owner_id": self.user(spec["owner"])["id"]
                 if "owner" in spec else self.clock.snowflake(),
                 "_more": spec.get("more", {})}
        self.guilds[guild_id] = guild
        self.indexed[guild_id] = spec.get("indexed", True)
        self.audit[guild_id] = []
        for role in spec.get("roles") or [{"name": "@everyone"}]:
            self.add_role(guild, role)
        for member in spec.get("members", []):
            self.add_member(guild, member)
        for channel in spec.get("channels", []):
            self.add_channel(dict(channel, guild=guild_id))
        return guild

    def add_role(self, guild, spec):
        everyone = spec["name"] == "@everyone"
        role = {"id": guild["id"] if everyone else
                spec.get("id") or self.clock.snowflake(),
                "name": spec["name"], "description": None,
                "permissions": str(permissions.parse(spec.get("permissions"))),
                "position": spec.get("position", len(guild["roles"])),
                "color": spec.get("color", 0), "colors": {
                    "primary_color": spec.get("color", 0),
                    "secondary_color": None, "tertiary_color": None},
                "hoist": spec.get("hoist", False), "managed": False,
                "mentionable": spec.get("mentionable", False), "icon": None,
                "unicode_emoji": None, "flags": 0}
        if "managed_by" in spec:
            role["managed"] = True
            role["tags"] = {"bot_id": self.user(spec["managed_by"])["id"]}
        guild["roles"][role["id"]] = role
        return role

    def add_member(self, guild, spec):
        user = self.user(spec["user"])
        member = {"user": user, "nick": spec.get("nick"), "avatar": None,
                  "banner": None,
                  "roles": [self.role(guild, r)["id"]
                            for r in spec.get("roles", [])],
                  "joined_at": spec.get("joined_at",
                                        iso(time_of(guild["id"]))),
                  "premium_since": None, "deaf": False, "mute": False,
                  "flags": 0, "pending": False,
                  "communication_disabled_until": spec.get("timeout_until")}
        guild["_members"][user["id"]] = member
        return member

    def overwrite(self, guild, spec):
        if "role" in spec:
            kind, target = 0, self.role(guild, spec["role"])["id"]
        elif "member" in spec:
            kind, target = 1, self.user(spec["member"])["id"]
        else:
            kind, target = int(spec["type"]), spec["id"]
        return {"id": target, "type": kind,
                "allow": str(permissions.parse(spec.get("allow"))),
                "deny": str(permissions.parse(spec.get("deny")))}

    def add_channel(self, spec):
        """A guild channel, or a thread, whose spec names its parent."""
        guild = self.guild(spec.get("guild"))
        kind = spec.get("type", TEXT)
        channel = {"id": spec.get("id") or self.clock.snowflake(),
                   "type": kind, "guild_id": guild["id"],
                   "name": spec["name"], "flags": spec.get("flags", 0),
                   "parent_id": None}
        if spec.get("parent"):
            channel["parent_id"] = self.channel(spec["parent"])["id"]
        if kind in THREADS:
            self._make_thread(channel, spec)
        else:
            channel.update({
                "position": spec.get("position", len(guild["_channels"])),
                "permission_overwrites": [
                    self.overwrite(guild, o) for o in spec.get(
                        "overwrites", spec.get("permission_overwrites", []))],
                "nsfw": spec.get("nsfw", False)})
            if kind != CATEGORY:
                channel.update({
                    "topic": spec.get("topic"), "rate_limit_per_user":
                    spec.get("rate_limit_per_user", 0)})
            if kind == 2:
                channel.update({"bitrate": spec.get("bitrate", 64000),
                                "user_limit": spec.get("user_limit", 0),
                                "rtc_region": None})
            if kind in (15, 16):
                channel.update({
                    "available_tags": [dict(
                        {"moderated": False, "emoji_id": None,
                         "emoji_name": None, "id": t.get("id") or
                         self.clock.snowflake()}, **{"name": t["name"]})
                        for t in spec.get("available_tags", [])],
                    "default_reaction_emoji": None,
                    "default_sort_order": None, "default_forum_layout": 0})
        self._register(channel)
        guild["_channels"][channel["id"]] = channel
        return channel

    def _make_thread(self, channel, spec):
        now = spec.get("created_ms", max(time_of(channel["id"]), 0))
        owner = self.user(spec["owner"]) if "owner" in spec else self.bot
        channel.update({
            "owner_id": owner["id"], "message_count": 0, "member_count": 1,
            "rate_limit_per_user": 0, "total_message_sent": 0,
            "applied_tags": spec.get("applied_tags", []),
            "thread_metadata": {
                "archived": spec.get("archived", False),
                "archive_timestamp": spec.get("archive_timestamp", iso(now)),
                "auto_archive_duration":
                spec.get("auto_archive_duration", 4320),
                "locked": spec.get("locked", False),
                "create_timestamp": iso(now)},
            "_members": {owner["id"]: iso(now)}})
        for user in spec.get("members", []):
            channel["_members"][self.user(user)["id"]] = iso(now)
        channel["member_count"] = len(channel["_members"])
        if channel["type"] == 12:
            channel["thread_metadata"]["invitable"] = spec.get(
                "invitable", True)
        self.threads_of.setdefault(channel["parent_id"], []).append(
            channel["id"])

    def _register(self, channel):
        self.channels[channel["id"]] = channel
        self.history[channel["id"]] = History()

    def dm(self, user):
        """The direct channel between the bot and a user; made when missing.
        Answers (channel, whether it is new)."""
        for channel in self.channels.values():
            if channel["type"] == DM and channel["_recipients"][0] is user:
                return channel, False
        channel = {"id": self.clock.snowflake(), "type": DM, "flags": 0,
                   "_recipients": [user, self.bot]}
        self._register(channel)
        return channel, True

    def remove_channel(self, channel):
        guild = self.guild_of(channel)
        for thread in list(self.threads_of.get(channel["id"], [])):
            self.remove_channel(self.channels[thread])
        if channel["type"] in THREADS:
            self.threads_of[channel["parent_id"]].remove(channel["id"])
        del self.channels[channel["id"]]
        del self.history[channel["id"]]
        if guild:
            del guild["_channels"][channel["id"]]
