"""routes_channels - REST: channels, reactions, pins, polls, direct messages."""
import urllib.parse

from clock import iso, parse_iso
from errors import ApiError, bad_field, missing_permissions
from render import user
from rest import route

ONE = "/channels/{channel_id}"
MESSAGE = ONE + "/messages/{message_id}"
REACTION = MESSAGE + "/reactions/{emoji}"
PINS = ONE + "/messages/pins"
PINS_MAX = 250


@route("GET", ONE)
async def get_channel(discord, call):
    return discord.render.channel(discord.seen_channel(call))


def edit_thread(discord, call, thread):
    body, mine = call.body, thread["owner_id"] == discord.world.bot["id"]
    data = thread["thread_metadata"]
    manager = discord.world.may(thread, "MANAGE_THREADS")
    if not manager and (data["locked"] or "locked" in body or not mine):
        raise missing_permissions()
    if data["archived"] and body.get("archived") is not False and \
            set(body) - {"archived", "locked"}:
        raise ApiError(400, 50083)
    for name in ("name", "rate_limit_per_user", "applied_tags", "flags"):
        if name in body:
            thread[name] = body[name]
    if "auto_archive_duration" in body:
        data["auto_archive_duration"] = body["auto_archive_duration"]
    discord.books.effect("thread_edited", id=thread["id"], fields=body)
    discord.chat.archive(thread, body.get("archived", data["archived"]),
                         body.get("locked"))
    return discord.render.channel(thread)


@route("POST", "/users/@me/channels")
async def open_dm(discord, call):
    recipient = discord.world.users.get(str(call.body.get("recipient_id")))
    if recipient is None or recipient is discord.world.bot:
        raise ApiError(400, 50033)
    channel, new = discord.world.dm(recipient)
    if new:
        discord.books.effect("dm_opened", user=recipient["id"])
    return discord.render.channel(channel)


# Reactions

def emoji_of(call):
    text = urllib.parse.unquote(call.params["emoji"])
    if ":" in text:
        name, number = text.rsplit(":", 1)
        return {"id": number, "name": name}
    if text.isascii() and not text.isdigit():
        raise ApiError(400, 10014)
    return {"id": None, "name": text}


@route("PUT", REACTION + "/@me")
async def add_reaction(discord, call):
    message = discord.read_message(call)
    channel = discord.world.channels[message["channel_id"]]
    emoji = emoji_of(call)
    if not any(r["emoji"] == emoji for r in message.get("_reactions", [])):
        discord.need(channel, "ADD_REACTIONS")
    discord.chat.react(channel, message, discord.world.bot, emoji)
    discord.books.effect("reacted", id=message["id"], emoji=emoji["name"])


@route("DELETE", REACTION + "/@me")
async def remove_reaction(discord, call):
    message = discord.read_message(call)
    channel = discord.world.channels[message["channel_id"]]
    discord.chat.react(channel, message, discord.world.bot, emoji_of(call),
                       add=False)
    discord.books.effect("unreacted", id=message["id"])


@route("DELETE", REACTION + "/{user_id}")
async def remove_other_reaction(discord, call):
    message = discord.read_message(call)
    channel = discord.world.channels[message["channel_id"]]
    discord.need(channel, "MANAGE_MESSAGES")
    user = discord.user_named(call.params["user_id"])
    discord.chat.react(channel, message, user, emoji_of(call), add=False)


@route("GET", REACTION)
async def list_reactions(discord, call):
    message, emoji = discord.read_message(call), emoji_of(call)
    limit = call.number("limit", 25, 1, 100)
    after = call.snowflake("after") or 0
    found = next((r["users"] for r in message.get("_reactions", [])
                  if r["emoji"] == emoji), [])
    ids = sorted((i for i in found if int(i) > after), key=int)[:limit]
    return [user(discord.world.users[i]) for i in ids]


@route("DELETE", MESSAGE + "/reactions")
async def clear_reactions(discord, call):
    message = discord.read_message(call)
    channel = discord.world.channels[message["channel_id"]]
    discord.need(channel, "MANAGE_MESSAGES")
    message["_reactions"] = []
    discord.hub.tell("MESSAGE_REACTION_REMOVE_ALL", discord.chat._gone(
        channel, message_id=message["id"]), channel)


# Pins

def pinned(discord, channel):
    """Newest pin first."""
    history = discord.world.history[channel["id"]]
    found = [m for m in history.by_id.values() if m["pinned"]]
    return sorted(found, key=lambda m: m.get("_pinned_at") or "",
                  reverse=True)


@route("GET", PINS)
async def list_pins(discord, call):
    channel = discord.seen_channel(call)
    limit = call.number("limit", 50, 1, 50)
    if not discord.world.may(channel, "READ_MESSAGE_HISTORY"):
        return {"items": [], "has_more": False}
    found = pinned(discord, channel)
    if "before" in call.query:
        try:
            end = iso(parse_iso(call.query["before"]))
        except ValueError:
            raise bad_field("before", "DATETIME_TYPE_PARSE",
                            "Could not parse.") from None
        found = [m for m in found if m["_pinned_at"] < end]
    return {"items": [{"pinned_at": m["_pinned_at"], "message":
                       discord.render.for_rest(m, discord.portal)}
                      for m in found[:limit]],
            "has_more": len(found) > limit}


@route("GET", ONE + "/pins")
async def old_pins(discord, call):
    channel = discord.seen_channel(call)
    return [discord.render.for_rest(m, discord.portal)
            for m in pinned(discord, channel)[:50]]


def set_pin(discord, call, value):
    channel = discord.seen_channel(call)
    message = discord.find_message(channel, call.params["message_id"])
    if "guild_id" in channel:
        discord.need(channel, "PIN_MESSAGES")
    if value and not message["pinned"] and \
            len(pinned(discord, channel)) >= PINS_MAX:
        raise ApiError(400, 30003)
    discord.chat.pin(channel, message, value)
    discord.books.effect("pinned" if value else "unpinned", id=message["id"])


@route("PUT", PINS + "/{message_id}")
async def pin(discord, call):
    set_pin(discord, call, True)


@route("DELETE", PINS + "/{message_id}")
async def unpin(discord, call):
    set_pin(discord, call, False)


# Polls

POLL = ONE + "/polls/{message_id}"


def poll_message(discord, call):
    message = discord.read_message(call)
    if not message.get("poll"):
        raise ApiError(400, 520001, "Cannot use a message without a poll")
    return message


@route("GET", POLL + "/answers/{answer_id}")
async def poll_voters(discord, call):
    message = poll_message(discord, call)
    voters = message["poll"]["_votes"].get(int(call.params["answer_id"]))
    if voters is None:
        raise ApiError(404, 10102, "Unknown poll answer")
    limit = call.number("limit", 25, 1, 100)
    after = call.snowflake("after") or 0
    ids = sorted((i for i in voters if int(i) > after), key=int)[:limit]
    return {"users": [user(discord.world.users[i]) for i in ids]}


@route("POST", POLL + "/expire")
async def end_poll(discord, call):
    message = poll_message(discord, call)
    if message["author"] is not discord.world.bot:
        raise ApiError(403, 50005)
    if message["poll"].get("_final"):
        raise ApiError(400, 520006)
    message["poll"]["_final"] = True
    message["poll"]["expiry"] = iso(discord.clock.now_ms())
    discord.chat.edit(message, {}, quiet=True)
    discord.books.effect("poll_ended", id=message["id"])
    return discord.render.message(message)


@route("POST", "/attachments/refresh-urls")
async def refresh_urls(discord, call):
    return {"refreshed_urls": [
        {"original": url, "refreshed": discord.cdn.refreshed(url)}
        for url in call.body.get("attachment_urls", [])]}
