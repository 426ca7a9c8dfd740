"""chat - what happens in channels, whoever does it: the bot by REST, or people
by the control endpoint. Each act changes the world and tells the gateway.
"""
from clock import iso, parse_iso
from permissions import BIT, THREADS
from render import MENTION, ROLE_MENTION, member, thread_member
from worldfile import new_message

REPLY, PRIVATE = 19, 12
ALL_MENTIONS = {"parse": ["users", "roles", "everyone"], "replied_user": True}


class Chat:
    def __init__(self, discord):
        self.discord = discord
        self.world, self.hub = discord.world, discord.hub
        self.clock, self.render = discord.clock, discord.render

    # Messages

    def mention(self, channel, author, message, allowed):
        """Fill in who is mentioned, as allowed_mentions lets it be."""
        content, world = message["content"], self.world
        guild = world.guild_of(channel)
        parse = allowed.get("parse", [])
        users = [u for u in dict.fromkeys(MENTION.findall(content))
                 if u in world.users and
                 ("users" in parse or u in allowed.get("users", []))]
        roles = [r for r in dict.fromkeys(ROLE_MENTION.findall(content))
                 if guild and r in guild["roles"] and
                 ("roles" in parse or r in allowed.get("roles", []))]
        message["mention_roles"] = roles
        message["mention_everyone"] = bool(
            guild and "everyone" in parse and
            ("@everyone" in content or "@here" in content) and
            world.allowed(channel, author["id"]) & BIT["MENTION_EVERYONE"])
        first = self.referenced(message)
        if message["type"] == REPLY and first and \
                allowed.get("replied_user", False):
            users.append(first["author"]["id"])
        message["_mentions"] = list(dict.fromkeys(users))

    def referenced(self, message):
        reference = message.get("message_reference") or {}
        there = self.world.history.get(reference.get("channel_id"))
        if there is None or "message_id" not in reference:
            return None
        return there.get(reference["message_id"])

    def post(self, channel, author, content, more=None, nonce=None,
             allowed=None, at_ms=None, silent=False, message_id=None):
        """A new message, told to all. more is put into the message object."""
        message = new_message(
            self.world, channel, author, content,
            self.clock.snowflake(at_ms) if at_ms else message_id)
        message.update(more or {})
        self.mention(channel, author, message,
                     ALL_MENTIONS if allowed is None else allowed)
        self.world.history[channel["id"]].add(message)
        if channel["type"] in THREADS:
            self._grow(channel, author)
        if not silent:
            self.hub.tell_message("MESSAGE_CREATE", message, nonce)
        return message

    def _grow(self, thread, author):
        """A message in a thread counts, joins its author and un-archives."""
        thread["message_count"] += 1
        thread["total_message_sent"] += 1
        if thread["thread_metadata"]["archived"]:
            self.archive(thread, False)
        if author["id"] not in thread["_members"] and \
                author["id"] in self.world.users:
            self.join_thread(thread, author["id"])

    def edit(self, message, fields, quiet=False):
        """Change members of a message; quiet edits (embeds that unfurl) leave
        no edited_timestamp."""
        message.update(fields)
        if not quiet:
            message["edited_timestamp"] = iso(self.clock.now_ms())
        channel = self.world.channels[message["channel_id"]]
        if "content" in fields:
            self.mention(channel, message["author"], message,
                         fields.get("_allowed") or ALL_MENTIONS)
        message.pop("_allowed", None)
        self.hub.tell_message("MESSAGE_UPDATE", message)

    def _gone(self, channel, **more):
        out = dict({"channel_id": channel["id"]}, **more)
        if "guild_id" in channel:
            out["guild_id"] = channel["guild_id"]
        return out

    def delete(self, channel, message):
        self.world.history[channel["id"]].remove(message["id"])
        if channel["type"] in THREADS:
            channel["message_count"] -= 1
        if entry := self.discord.books.sent_entry(message["id"]):
            entry["deleted"] = True
        self.hub.tell("MESSAGE_DELETE", self._gone(channel, id=message["id"]),
                      channel)

    def delete_many(self, channel, ids):
        history = self.world.history[channel["id"]]
        gone = [i for i in ids if history.remove(i)]
        self.hub.tell("MESSAGE_DELETE_BULK", self._gone(channel, ids=gone),
                      channel)

    def typing(self, channel, user):
        more = {"user_id": user["id"],
                "timestamp": self.clock.now_ms() // 1000}
        guild = self.world.guild_of(channel)
        found = guild and self.world.member(guild, user["id"])
        if found:
            more["member"] = member(found)
        self.hub.tell("TYPING_START", self._gone(channel, **more), channel)

    # Reactions and pins

    def react(self, channel, message, user, emoji, add=True):
        reactions = message.setdefault("_reactions", [])
        found = next((r for r in reactions if r["emoji"] == emoji), None)
        if add:
            if found is None:
                found = {"emoji": emoji, "users": []}
                reactions.append(found)
            if user["id"] in found["users"]:
                return
            found["users"].append(user["id"])
        else:
            if found is None or user["id"] not in found["users"]:
                return
            found["users"].remove(user["id"])
            if not found["users"]:
                reactions.remove(found)
        event = "MESSAGE_REACTION_" + ("ADD" if add else "REMOVE")
        more = {"user_id": user["id"], "message_id": message["id"],
                "emoji": emoji, "burst": False, "type": 0}
        if add:
            more["message_author_id"] = message["author"]["id"]
        self.hub.tell(event, self._gone(channel, **more), channel)

    def pin(self, channel, message, pinned=True):
        if message["pinned"] == pinned:
            return
        message["pinned"] = pinned
        now = iso(self.clock.now_ms())
        message["_pinned_at"] = now if pinned else None
        if pinned:
            channel["_last_pin"] = now
        self.hub.tell_message("MESSAGE_UPDATE", message)
        self.hub.tell("CHANNEL_PINS_UPDATE", self._gone(
            channel, last_pin_timestamp=channel.get("_last_pin")), channel)

    # Threads

    def start_thread(self, parent, owner, spec, message_id=None):
        """spec as a world file has it; message_id: the message it hangs on."""
        thread = self.world.add_channel(dict(
            spec, guild=parent["guild_id"], parent=parent["id"],
            owner=owner["id"], id=message_id or self.clock.snowflake(),
            created_ms=self.clock.now_ms()))
        if parent["type"] in (15, 16):
            parent["_last_thread"] = thread["id"]
        shown = dict(self.render.channel(thread), newly_created=True)
        self.hub.tell("THREAD_CREATE", shown, thread)
        if message_id:
            first = self.world.history[parent["id"]].get(message_id)
            if first:
                first["flags"] |= 1 << 5
                self.hub.tell_message("MESSAGE_UPDATE", first)
        return thread

    def archive(self, thread, archived, locked=None):
        data = thread["thread_metadata"]
        data["archived"] = archived
        data["archive_timestamp"] = iso(self.clock.now_ms())
        if locked is not None:
            data["locked"] = locked
        self.hub.tell("THREAD_UPDATE", self.render.channel(thread), thread)

    def join_thread(self, thread, user_id):
        if user_id in thread["_members"]:
            return
        thread["_members"][user_id] = iso(self.clock.now_ms())
        if thread["type"] == PRIVATE and user_id == self.world.bot["id"]:
            self.hub.tell("THREAD_CREATE", self.render.channel(thread), thread)
        self._members_changed(thread, added=user_id)

    def leave_thread(self, thread, user_id):
        if thread["_members"].pop(user_id, None):
            self._members_changed(thread, removed=user_id)

    def _members_changed(self, thread, added=None, removed=None):
        thread["member_count"] = len(thread["_members"])
        data = {"id": thread["id"], "guild_id": thread["guild_id"],
                "member_count": thread["member_count"]}
        if added:
            data["added_members"] = [dict(
                thread_member(thread, added, self.world), presence=None)]
        if removed:
            data["removed_member_ids"] = [removed]
        self.hub.tell("THREAD_MEMBERS_UPDATE", data, thread)

    # Channels

    def channel_made(self, channel):
        self.hub.tell("CHANNEL_CREATE", self.render.channel(channel),
                      guild_id=channel["guild_id"])

    def channel_changed(self, channel):
        """Who gains access by it is told of the threads there."""
        self.hub.tell("CHANNEL_UPDATE", self.render.channel(channel),
                      guild_id=channel["guild_id"])

    def channel_removed(self, channel):
        shown = self.render.channel(channel)
        kept = dict(channel)
        if channel["type"] in THREADS:
            self.hub.tell("THREAD_DELETE", {
                k: kept.get(k) for k in ("id", "guild_id", "parent_id",
                                         "type")}, channel)
            self.world.remove_channel(channel)
            return
        guild = self.world.guild_of(channel)
        self.world.remove_channel(channel)
        self.hub.tell("CHANNEL_DELETE", shown, guild_id=channel["guild_id"])
        for child in self.world.channels_of(guild):
            if child["parent_id"] == channel["id"]:  # of a category
                child["parent_id"] = None
                self.channel_changed(child)

    def sync_threads(self, guild, before):
        """THREAD_LIST_SYNC for channels the bot could not see before."""
        seen = [c for c in self.world.channels_of(guild)
                if c["id"] not in before and
                self.world.may(c, "VIEW_CHANNEL")]
        if not seen:
            return
        ids = {c["id"] for c in seen}
        threads = [t for t in self.world.threads_in(guild)
                   if t["parent_id"] in ids and self.world.is_active(t) and
                   self.world.may(t, "VIEW_CHANNEL")]
        me = self.world.bot["id"]
        self.hub.tell("THREAD_LIST_SYNC", {
            "guild_id": guild["id"], "channel_ids": sorted(ids),
            "threads": [self.render.channel(t) for t in threads],
            "members": [thread_member(t, me) for t in threads
                        if me in t["_members"]]}, guild_id=guild["id"])

    def visible(self, guild):
        return {c["id"] for c in self.world.channels_of(guild)
                if self.world.may(c, "VIEW_CHANNEL")}

    def archived_ms(self, thread):
        return parse_iso(thread["thread_metadata"]["archive_timestamp"])
