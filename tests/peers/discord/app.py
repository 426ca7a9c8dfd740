"""app - this Discord: its parts, and what several of them need of it."""
import random

import intents
import openapi
import render
from books import Books
from cdn import Cdn
from cdnfaults import CdnFaults
from chat import Chat
from clock import Clock
from errors import ApiError, missing_access, missing_permissions
from gateway import Hub
from gatewayfaults import GatewayFaults
from interactions import Interactions
from limits import Limits
from commands import Commands
from permissions import BIT, THREADS
from restfaults import RestFaults
from world import World
from worldfile import load

FLAGS = {"GUILD_PRESENCES": 1 << 13, "GUILD_MEMBERS": 1 << 15,
         "MESSAGE_CONTENT": 1 << 19}
OVERWRITE_CREATE, OVERWRITE_UPDATE, OVERWRITE_DELETE = 13, 14, 15


class Discord:
    def __init__(self, world_file, seed):
        self.rng = random.Random(seed)
        self.clock = Clock()
        self.books = Books(self.clock)
        self.world = World(self.clock, self.rng)
        load(self.world, world_file)
        self.cdn = Cdn(self.clock, self.rng.randbytes(16))
        self.render = render.Render(self.world, self.cdn)
        self.limits = Limits(self.clock, self.books)
        self.faults = GatewayFaults(self.books)
        self.rest_faults = RestFaults(self)
        self.cdn_faults = CdnFaults(self.books, self.clock)
        self.spec = openapi.load()
        self.judge_answers = False
        self.ws_base = ""
        self.heartbeat_ms = 41250
        self.portal = intents.PRIVILEGED
        self.nonces = {}
        self.hub = Hub(self)
        self.chat = Chat(self)
        self.commands = Commands(self)
        self.interactions = Interactions(self)

    def own_user(self):
        bot = render.user(self.world.bot)
        return dict(bot, verified=True, mfa_enabled=True, email=None,
                    locale="en-US")

    def application_flags(self):
        return sum(bit for name, bit in FLAGS.items()
                   if self.portal & intents.BIT[name])

    async def reset_token(self):
        """What befalls a bot that identifies too often."""
        self.world.token = f"{self.world.token}.reset"
        self.books.note("token_reset")
        self.hub.sessions.clear()
        for connection in self.hub.live():
            await connection.close(4004, "Authentication failed.")

    # What handlers look up, with the refusals that belong to it

    def seen_channel(self, call, *needed):
        channel = self.world.channels.get(call.params["channel_id"])
        if channel is None:
            raise ApiError(404, 10003)
        if not self.world.may(channel, "VIEW_CHANNEL"):
            raise missing_access()
        self.need(channel, *needed)
        return channel

    def need(self, channel, *names):
        if not self.world.may(channel, *names):
            raise missing_permissions()

    def find_message(self, channel, message_id):
        message = self.world.history[channel["id"]].get(message_id) \
            if message_id.isdigit() else None
        if message is None:
            raise ApiError(404, 10008)
        return message

    def read_message(self, call):
        """A message the bot may read."""
        channel = self.seen_channel(call)
        if not self.world.may(channel, "READ_MESSAGE_HISTORY"):
            raise missing_access()
        return self.find_message(channel, call.params["message_id"])

    def own_guild(self, call):
        guild = self.world.guilds.get(call.params["guild_id"])
        if guild is None:
            raise ApiError(404, 10004)
        if self.world.bot["id"] not in guild["_members"]:
            raise missing_access()
        return guild

    def user_named(self, user_id):
        user = self.world.users.get(user_id)
        if user is None:
            raise ApiError(404, 10013)
        return user

    def guild_permission(self, guild, name):
        return self.world.base(guild, self.world.bot["id"]) & BIT[name]

    def need_in_guild(self, guild, name):
        if not self.guild_permission(guild, name):
            raise missing_permissions()

    # Guild changes that REST and people share

    def member_changed(self, guild, member):
        self.hub.tell("GUILD_MEMBER_UPDATE", dict(
            render.member(member), guild_id=guild["id"]),
            guild_id=guild["id"])

    def write_audit(self, guild, user, kind, target, changes, options=None,
                    reason=None):
        entry = {"id": self.clock.snowflake(), "user_id": user["id"],
                 "target_id": target, "action_type": kind,
                 "changes": changes}
        if options:
            entry["options"] = options
        if reason:
            entry["reason"] = reason
        self.world.audit[guild["id"]].append(entry)
        if self.guild_permission(guild, "VIEW_AUDIT_LOG"):
            self.hub.tell("GUILD_AUDIT_LOG_ENTRY_CREATE", dict(
                entry, guild_id=guild["id"]), guild_id=guild["id"])

    def set_overwrite(self, channel, spec, user, reason=None):
        """Put an overwrite on a channel; spec as in a world file."""
        guild = self.world.guild_of(channel)
        before = self.chat.visible(guild)
        new = self.world.overwrite(guild, spec)
        kept = channel["permission_overwrites"]
        old = next((o for o in kept if o["id"] == new["id"]), None)
        channel["permission_overwrites"] = [
            o for o in kept if o is not old] + [new]
        self._keep_in_step(guild, channel, kept)
        changes = [{"key": key, "new_value": new[key], **(
            {"old_value": old[key]} if old else {})}
            for key in ("allow", "deny")
            if not old or old[key] != new[key]]
        self._overwrite_changed(guild, channel, user, changes, new,
                                OVERWRITE_UPDATE if old else OVERWRITE_CREATE,
                                before, reason)

    def drop_overwrite(self, channel, target, user, reason=None):
        guild = self.world.guild_of(channel)
        before = self.chat.visible(guild)
        kept = channel["permission_overwrites"]
        old = next((o for o in kept if o["id"] == target), None)
        if old is None:
            raise ApiError(404, 10009, "Unknown permission overwrite")
        channel["permission_overwrites"] = [o for o in kept if o is not old]
        self._keep_in_step(guild, channel, kept)
        self._overwrite_changed(guild, channel, user, [
            {"key": key, "old_value": old[key]} for key in ("allow", "deny")],
            old, OVERWRITE_DELETE, before, reason)

    def _keep_in_step(self, guild, category, before):
        """Its channels that had the same overwrites have the same again."""
        for child in self.world.channels_of(guild):
            if child["parent_id"] == category["id"] and self.by_target(
                    child["permission_overwrites"]) == self.by_target(before):
                child["permission_overwrites"] = [
                    dict(o) for o in category["permission_overwrites"]]
                self.chat.channel_changed(child)

    @staticmethod
    def by_target(overwrites):
        return {o["id"]: (o["allow"], o["deny"]) for o in overwrites}

    def _overwrite_changed(self, guild, channel, user, changes, overwrite,
                           kind, before, reason):
        options = {"id": overwrite["id"], "type": str(overwrite["type"])}
        if overwrite["type"] == 0:
            options["role_name"] = guild["roles"][overwrite["id"]]["name"] \
                if overwrite["id"] in guild["roles"] else ""
        self.write_audit(guild, user, kind, channel["id"], changes, options,
                         reason)
        self.chat.channel_changed(channel)
        self.chat.sync_threads(guild, before)

    def is_thread(self, channel):
        return channel["type"] in THREADS

    async def member_chunks(self, connection, data):
        from chunks import request_members
        await request_members(self, connection, data)

    def state(self):
        out = self.books.state()
        sessions = self.hub.sessions.values()
        return dict(out, time_ms=self.clock.now_ms(), sessions=[
            {"id": s.id, "sequence": s.sequence, "intents": s.intents,
             "shard": s.shard, "connected": s.connection is not None}
            for s in sessions], connections=len(self.hub.live()),
            starts_left=self.hub.starts_left, commands=self.commands.all(),
            allowed=self.limits.allowed, faults_pending=len(
                self.faults.orders) + len(self.rest_faults.orders))
