"""people - what people do, by order of a test. Each act is a function that is
given the order and answers what came of it.

Users, channels and roles are given by id or name. In a text, <@NAME>, <#NAME>
and <@&NAME> become mentions of whoever is called so.
"""
import base64
import re

import render
from permissions import names, parse
from world import Unknown
from worldfile import put_message

ACTS = {}


def act(function):
    ACTS[function.__name__] = function
    return function


def spelled(world, text):
    """Names in mentions become ids."""
    def user(match):
        return f"<@{world.user(match[1])['id']}>"

    def role(match):
        for guild in world.guilds.values():
            for r in guild["roles"].values():
                if r["name"] == match[1]:
                    return f"<@&{r['id']}>"
        raise Unknown(f"no role {match[1]!r}")

    def channel(match):
        return f"<#{world.channel(match[1])['id']}>"
    text = re.sub(r"<@([A-Za-z]\w*)>", user, text)
    text = re.sub(r"<@&([A-Za-z]\w*)>", role, text)
    return re.sub(r"<#([A-Za-z][\w-]*)>", channel, text)


def place(discord, order):
    """The channel of an order, or its user's direct channel with the bot."""
    if "channel" in order:
        return discord.world.channel(order["channel"])
    return discord.world.dm(discord.world.user(order["user"]))[0]


def the_message(discord, order):
    channel = place(discord, order) if "channel" in order else None
    wanted = order["message"]
    for number, history in discord.world.history.items():
        if channel and channel["id"] != number:
            continue
        if wanted == "last" and history.ids:
            return discord.world.channels[number], \
                history.by_id[history.ids[-1]]
        if wanted != "last" and history.get(wanted):
            return discord.world.channels[number], history.get(wanted)
    raise Unknown(f"no message {wanted!r}")


def file_bytes(spec):
    """What is in a file: "text", "base64", or so many "zeros"."""
    if "zeros" in spec:
        return bytes(spec["zeros"])
    if "base64" in spec:
        return base64.b64decode(spec["base64"])
    return spec.get("text", "").encode()


def extras(discord, channel, order):
    """Members of a message object that an order asks for."""
    more = dict(order.get("more", {}))
    more["attachments"] = [discord.cdn.store(
        channel["id"], a["name"], a.get("type", "application/octet-stream"),
        file_bytes(a), a.get("description"))
        for a in order.get("attachments", [])]
    if "embeds" in order:
        more["embeds"] = order["embeds"]
    if "reply_to" in order:
        more["type"] = 19
        more["message_reference"] = {
            "type": 0, "channel_id": channel["id"],
            "message_id": order["reply_to"]}
        if "guild_id" in channel:
            more["message_reference"]["guild_id"] = channel["guild_id"]
    if order.get("webhook"):
        more["webhook_id"] = discord.clock.snowflake()
    return more


@act
def say(discord, order):
    """user, channel (else direct), text; reply_to, attachments, embeds, more;
    "silent": no event; "count": so many times; "ping": false for a reply that
    does not mention."""
    channel = place(discord, order)
    author = discord.world.user(order["user"])
    text = spelled(discord.world, order.get("text", ""))
    allowed = {"parse": ["users", "roles", "everyone"],
               "replied_user": order.get("ping", True)}
    for n in range(order.get("count", 1)):
        message = discord.chat.post(
            channel, author, text.replace("%n", str(n)),
            extras(discord, channel, order), allowed=allowed,
            nonce=order.get("nonce"), at_ms=order.get("at_ms"),
            silent=order.get("silent", False))
    return discord.render.message(message)


@act
def fill(discord, order):
    """History without events: channel, count, user, text, from_ms, step_ms."""
    channel = discord.world.channel(order["channel"])
    count, step = order["count"], order.get("step_ms", 1000)
    first = order.get("from_ms", discord.clock.now_ms() - count * step)
    for n in range(count):
        put_message(discord.world, {
            "channel": channel["id"], "author": order.get("user", "ada"),
            "content": order.get("text", "line %n").replace("%n", str(n)),
            "at_ms": first + n * step})
    return {"messages": len(discord.world.history[channel["id"]])}


@act
def edit(discord, order):
    """message, text; "quiet": as when a link unfolds."""
    _, message = the_message(discord, order)
    fields = dict(order.get("more", {}))
    if "text" in order:
        fields["content"] = spelled(discord.world, order["text"])
    discord.chat.edit(message, fields, order.get("quiet", False))
    return discord.render.message(message)


@act
def delete(discord, order):
    channel, message = the_message(discord, order)
    discord.chat.delete(channel, message)


@act
def bulk_delete(discord, order):
    discord.chat.delete_many(place(discord, order), order["messages"])


@act
def react(discord, order):
    """user, message, emoji; "remove": true."""
    channel, message = the_message(discord, order)
    discord.chat.react(channel, message, discord.world.user(order["user"]),
                       {"id": None, "name": order["emoji"]},
                       not order.get("remove"))


@act
def pin(discord, order):
    channel, message = the_message(discord, order)
    discord.chat.pin(channel, message, not order.get("remove"))


@act
def vote(discord, order):
    """user, message, answer; "remove": true."""
    channel, message = the_message(discord, order)
    user = discord.world.user(order["user"])
    voters = message["poll"]["_votes"][order["answer"]]
    (voters.remove if order.get("remove") else voters.append)(user["id"])
    discord.hub.tell(
        "MESSAGE_POLL_VOTE_" + ("REMOVE" if order.get("remove") else "ADD"),
        discord.chat._gone(channel, user_id=user["id"],
                           message_id=message["id"],
                           answer_id=order["answer"]), channel)


@act
def typing(discord, order):
    discord.chat.typing(place(discord, order),
                        discord.world.user(order["user"]))


@act
def thread(discord, order):
    """user, channel, name; message (it hangs on), private, text (of a post)."""
    world = discord.world
    parent, owner = world.channel(order["channel"]), world.user(order["user"])
    kind = 12 if order.get("private") else 10 if parent["type"] == 5 else 11
    forum = parent["type"] in (15, 16)
    number = discord.clock.snowflake() if forum else order.get("message")
    made = discord.chat.start_thread(parent, owner, dict(
        order, type=kind, user=None, id=None), number)
    if "text" in order:
        discord.chat.post(made, owner, spelled(world, order["text"]),
                          extras(discord, made, order),
                          message_id=made["id"] if forum else None)
    return discord.render.channel(made)


@act
def archive(discord, order):
    """channel; "archived": false, "locked"."""
    found = discord.world.channel(order["channel"])
    discord.chat.archive(found, order.get("archived", True),
                         order.get("locked"))
    if "at_ms" in order:
        from clock import iso
        found["thread_metadata"]["archive_timestamp"] = iso(order["at_ms"])


@act
def thread_member(discord, order):
    """channel, user; "remove": true."""
    found = discord.world.channel(order["channel"])
    user = discord.world.user(order["user"])
    if order.get("remove"):
        discord.chat.leave_thread(found, user["id"])
    else:
        discord.chat.join_thread(found, user["id"])


@act
def channel(discord, order):
    """Make one (name, type, parent, overwrites), or with "channel": change
    its fields or its parent, or "remove": true."""
    world = discord.world
    if "channel" not in order:
        made = world.add_channel(dict(order))
        discord.chat.channel_made(made)
        return discord.render.channel(made)
    found = world.channel(order["channel"])
    if order.get("remove"):
        discord.chat.channel_removed(found)
        return None
    found.update({k: v for k, v in order.items()
                  if k in ("name", "topic", "nsfw", "rate_limit_per_user")})
    if "parent" in order:
        found["parent_id"] = world.channel(order["parent"])["id"]
    discord.chat.channel_changed(found)
    return discord.render.channel(found)


@act
def overwrite(discord, order):
    """user (who does it), channel, role or member, allow, deny; "remove"."""
    world = discord.world
    found = world.channel(order["channel"])
    by = world.user(order.get("user", "ada"))
    if order.get("remove"):
        target = world.overwrite(world.guild_of(found), order)["id"]
        discord.drop_overwrite(found, target, by)
    else:
        discord.set_overwrite(found, order, by)


@act
def role(discord, order):
    """Make one (name, permissions), or with "role": change, or "remove"."""
    world, hub = discord.world, discord.hub
    guild = world.guild(order.get("guild"))
    if "role" not in order:
        made = world.add_role(guild, order)
        hub.tell("GUILD_ROLE_CREATE", {"guild_id": guild["id"],
                                       "role": made}, guild_id=guild["id"])
        return made
    found = world.role(guild, order["role"])
    if order.get("remove"):
        del guild["roles"][found["id"]]
        for m in guild["_members"].values():
            if found["id"] in m["roles"]:
                m["roles"].remove(found["id"])
        hub.tell("GUILD_ROLE_DELETE", {"guild_id": guild["id"], "role_id":
                                       found["id"]}, guild_id=guild["id"])
        return None
    before = discord.chat.visible(guild)
    if "permissions" in order:
        found["permissions"] = str(parse(order["permissions"]))
    found.update({k: v for k, v in order.items() if k in ("name", "color")})
    hub.tell("GUILD_ROLE_UPDATE", {"guild_id": guild["id"], "role": found},
             guild_id=guild["id"])
    discord.chat.sync_threads(guild, before)
    return found


@act
def member(discord, order):
    """user; roles, nick, timeout_until (a time, or null)."""
    world = discord.world
    guild = world.guild(order.get("guild"))
    found = world.member(guild, world.user(order["user"])["id"])
    before = discord.chat.visible(guild)
    if "roles" in order:
        found["roles"] = [world.role(guild, r)["id"] for r in order["roles"]]
    if "nick" in order:
        found["nick"] = order["nick"]
    if "timeout_until" in order:
        found["communication_disabled_until"] = order["timeout_until"]
    discord.member_changed(guild, found)
    discord.chat.sync_threads(guild, before)
    return render.member(found)


@act
def join(discord, order):
    """user (by name; made if unknown), guild. The bot itself: GUILD_CREATE."""
    world, hub = discord.world, discord.hub
    guild = world.guild(order.get("guild"))
    try:
        user = world.user(order["user"])
    except Unknown:
        user = world.add_user({"username": order["user"],
                               "bot": order.get("bot", False)})
    made = world.add_member(guild, {"user": user["id"]})
    if user is world.bot:
        hub.tell("GUILD_CREATE", discord.render.guild_create(guild),
                 guild_id=guild["id"])
    else:
        hub.tell("GUILD_MEMBER_ADD", dict(render.member(made),
                                          guild_id=guild["id"]),
                 guild_id=guild["id"])
    return render.member(made)


@act
def leave(discord, order):
    """user, guild. The bot itself: GUILD_DELETE."""
    world, hub = discord.world, discord.hub
    guild = world.guild(order.get("guild"))
    user = world.user(order["user"])
    guild["_members"].pop(user["id"], None)
    if user is world.bot:
        hub.tell("GUILD_DELETE", {"id": guild["id"]}, guild_id=guild["id"])
    else:
        hub.tell("GUILD_MEMBER_REMOVE", {"guild_id": guild["id"], "user":
                                         render.user(user)},
                 guild_id=guild["id"])


@act
def guild(discord, order):
    """Make one (a guild of a world file), or "available" true or false."""
    world, hub = discord.world, discord.hub
    if "available" not in order:
        made = world.add_guild(order)
        if world.member(made, world.bot["id"]):
            hub.tell("GUILD_CREATE", discord.render.guild_create(made),
                     guild_id=made["id"])
        return {"id": made["id"]}
    found = world.guild(order.get("guild"))
    found["_available"] = order["available"]
    if order["available"]:
        hub.tell("GUILD_CREATE", discord.render.guild_create(found),
                 guild_id=found["id"])
    else:
        hub.tell("GUILD_DELETE", {"id": found["id"], "unavailable": True},
                 guild_id=found["id"])
    return {"id": found["id"]}


@act
def user(discord, order):
    """A person who is new here: username, bot, dms: false to refuse the bot."""
    made = discord.world.add_user(order)
    return render.user(made)


@act
def refuses_dms(discord, order):
    """user: no message reaches them any more (or "refuses": false)."""
    found, _ = discord.world.dm(discord.world.user(order["user"]))
    found["_closed"] = order.get("refuses", True)


@act
def may(discord, order):
    """user, channel: the names of what is allowed there."""
    found = discord.world.channel(order["channel"])
    user_id = discord.world.user(order["user"])["id"]
    return names(discord.world.allowed(found, user_id))
