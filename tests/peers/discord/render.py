"""render - the objects of the world as a client is shown them."""
import re

import intents
from permissions import THREADS

MENTION = re.compile(r"<@!?(\d+)>")
ROLE_MENTION = re.compile(r"<@&(\d+)>")


def public(thing):
    return {k: v for k, v in thing.items() if k[0] != "_"}


def user(person):
    out = dict(person)
    if not person["bot"]:
        del out["bot"]
    return out


def member(m, with_user=True):
    out = dict(m)
    if with_user:
        out["user"] = user(m["user"])
    else:
        del out["user"]
    return out


def thread_member(thread, user_id, world=None):
    out = {"id": thread["id"], "user_id": user_id, "flags": 0,
           "join_timestamp": thread["_members"][user_id]}
    if world:
        found = world.member(world.guild_of(thread), user_id)
        out["member"] = member(found) if found else None
    return out


# What may be absent, and what no client knows, for those who ask for it.
ABSENT = {
    "message": ("webhook_id", "application_id", "activity", "application",
                "message_reference", "message_snapshots", "interaction",
                "referenced_message", "interaction_metadata", "thread",
                "sticker_items", "poll", "nonce", "position", "call",
                "role_subscription_data", "resolved", "reactions", "member"),
    "channel": ("topic", "last_message_id", "parent_id", "icon", "member",
                "last_pin_timestamp", "rate_limit_per_user", "permissions",
                "application_id", "default_reaction_emoji", "rtc_region"),
    "guild": ("description", "vanity_url_code", "stickers", "emojis",
              "public_updates_channel_id", "welcome_screen"),
}
UNKNOWN = {"x_new": {"of": [1, None, "ü"]}, "x_flag": True}


class Render:
    def __init__(self, world, cdn):
        self.world = world
        self.nulls = self.unknown = False
        self.cdn = cdn    # signs the URL of an attachment

    def channel(self, channel, for_bot=True):
        out = public(channel)
        history = self.world.history[channel["id"]]
        if channel["type"] == 1:
            out["recipients"] = [user(u) for u in channel["_recipients"]
                                 if u is not self.world.bot]
        if channel["type"] not in (4, 13):
            out["last_message_id"] = channel.get("_last_thread") \
                if channel["type"] in (15, 16) else history.last_id()
        if channel["type"] in (0, 1, 5):
            out["last_pin_timestamp"] = channel.get("_last_pin")
        if channel["type"] in THREADS:
            mine = self.world.bot["id"]
            if for_bot and mine in channel["_members"]:
                out["member"] = thread_member(channel, mine)
        return self.odd("channel", out)

    def odd(self, kind, out):
        """With nulls for what is absent, and more than anybody knows."""
        if self.nulls:
            for name in ABSENT[kind]:
                out.setdefault(name, None)
        if self.unknown:
            out.update(UNKNOWN)
        return out

    def thread_with_starter(self, thread):
        out = self.channel(thread)
        first = self.world.history[thread["id"]].get(thread["id"])
        if first:
            out["message"] = self.message(first)
        return out

    def guild(self, guild):
        out = {
            "id": guild["id"], "name": guild["name"], "icon": None,
            "description": None, "home_header": None, "splash": None,
            "discovery_splash": None, "features": [], "banner": None,
            "owner_id": guild["owner_id"], "application_id": None,
            "region": "deprecated", "afk_channel_id": None,
            "afk_timeout": 300, "system_channel_id": None,
            "system_channel_flags": 0, "widget_enabled": False,
            "widget_channel_id": None, "verification_level": 0,
            "roles": list(guild["roles"].values()),
            "default_message_notifications": 0, "mfa_level": 0,
            "explicit_content_filter": 0, "max_presences": None,
            "max_members": 500000, "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25, "vanity_url_code": None,
            "premium_tier": 0, "premium_subscription_count": 0,
            "preferred_locale": "en-US", "rules_channel_id": None,
            "safety_alerts_channel_id": None,
            "public_updates_channel_id": None, "hub_type": None,
            "premium_progress_bar_enabled": False,
            "latest_onboarding_question_id": None, "nsfw": False,
            "nsfw_level": 0, "emojis": [], "stickers": [],
            "incidents_data": None, "inventory_settings": None,
            "embed_enabled": False, "embed_channel_id": None}
        out.update(guild["_more"])
        return self.odd("guild", out)

    def guild_create(self, guild, everyone=False):
        """As the gateway sends it. Members are the bot's own unless asked."""
        world, bot = self.world, self.world.bot["id"]
        own = world.member(guild, bot)
        members = guild["_members"].values() if everyone else [own]
        threads = [self.channel(t) for t in world.threads_in(guild)
                   if world.is_active(t) and world.may(t, "VIEW_CHANNEL")]
        return dict(self.guild(guild), **{
            "joined_at": own["joined_at"], "large":
            len(guild["_members"]) > 50, "unavailable": False,
            "member_count": len(guild["_members"]), "voice_states": [],
            "members": [member(m) for m in members],
            "channels": [self.channel(c) for c in world.channels_of(guild)],
            "threads": threads, "presences": [], "stage_instances": [],
            "guild_scheduled_events": [], "soundboard_sounds": []})

    def message(self, m, event=False, depth=1):
        out = public(m)
        world = self.world
        channel = world.channels[m["channel_id"]]
        guild = world.guild_of(channel)
        out["author"] = user(m["author"])
        out["mentions"] = [user(world.users[u]) for u in m["_mentions"]
                           if u in world.users]
        out["attachments"] = [self.cdn.render(a) for a in m["attachments"]]
        if m.get("_reactions"):
            out["reactions"] = [self.reaction(r) for r in m["_reactions"]]
        if m.get("poll"):
            out["poll"] = self.poll(m)
        if depth and m["type"] in (19, 21):
            self._refer(m, out)
        thread = world.channels.get(m["id"])
        if thread and thread["id"] != channel["id"]:
            out["thread"] = self.channel(thread)
        if event and guild:
            out["guild_id"] = guild["id"]
            self._add_members(m, out, guild)
        return self.odd("message", out)

    def _add_members(self, m, out, guild):
        found = self.world.member(guild, m["author"]["id"])
        if found and "webhook_id" not in m:
            out["member"] = member(found, with_user=False)
        for person in out["mentions"]:
            if mentioned := self.world.member(guild, person["id"]):
                person["member"] = member(mentioned, with_user=False)

    def _refer(self, m, out):
        reference = m.get("message_reference") or {}
        there = self.world.history.get(reference.get("channel_id"))
        first = there.get(reference["message_id"]) if there and \
            "message_id" in reference else None
        out["referenced_message"] = self.message(first, depth=0) \
            if first else None

    def reaction(self, r):
        mine = self.world.bot["id"] in r["users"]
        return {"emoji": r["emoji"], "count": len(r["users"]), "me": mine,
                "count_details": {"normal": len(r["users"]), "burst": 0},
                "burst_colors": [], "me_burst": False, "burst_me": False,
                "burst_count": 0}

    def poll(self, m):
        out = public(m["poll"])
        votes = m["poll"]["_votes"]
        mine = self.world.bot["id"]
        out["results"] = {
            "is_finalized": m["poll"].get("_final", False),
            "answer_counts": [
                {"id": int(answer), "count": len(voters),
                 "me_voted": mine in voters}
                for answer, voters in votes.items() if voters]}
        return out

    # What an application without MESSAGE_CONTENT is shown

    def exempt(self, m):
        """Whether content is shown without the intent."""
        bot = self.world.bot["id"]
        return (m["author"]["id"] == bot or bot in m["_mentions"] or
                m.get("application_id") == bot or
                "guild_id" not in self.world.channels[m["channel_id"]])

    def for_rest(self, m, portal):
        out = self.message(m)
        if not portal & intents.BIT["MESSAGE_CONTENT"]:
            if not self.exempt(m):
                out = intents.hide_content(out)
            referred = (m.get("message_reference") or {}).get("message_id")
            if out.get("referenced_message"):
                first = self.world.history[
                    m["message_reference"]["channel_id"]].get(referred)
                if not self.exempt(first):
                    out["referenced_message"] = intents.hide_content(
                        out["referenced_message"])
        return out
