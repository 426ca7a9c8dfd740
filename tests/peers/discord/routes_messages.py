"""routes_messages - REST: reading, sending, editing and deleting messages."""
import bodies
from clock import time_of
from errors import ApiError, bad_field, missing_permissions
from permissions import THREADS
from rest import route
from world import WRITABLE

NONCE_WINDOW_S = 300
MESSAGES = "/channels/{channel_id}/messages"
ONE = MESSAGES + "/{message_id}"
TWO_WEEKS_MS = 14 * 24 * 3600 * 1000
SOMEBODYS = (0, 19, 20, 23)         # the others are Discord's own
KEPT = (1, 2, 3, 4, 5, 21)          # of those, what nobody can delete


@route("GET", MESSAGES)
async def list_messages(discord, call):
    channel = discord.seen_channel(call)
    if channel["type"] not in WRITABLE:
        raise ApiError(400, 50024)
    limit = call.number("limit", 50, 1, 100)
    where = {name: call.snowflake(name)
             for name in ("before", "after", "around")}
    if sum(v is not None for v in where.values()) > 1:
        raise bad_field("before", "BASE_TYPE_EXCLUSIVE",
                        "before, after and around exclude each other.")
    if not discord.world.may(channel, "READ_MESSAGE_HISTORY"):
        return []
    history = discord.world.history[channel["id"]]
    found = history.page(limit, **where)
    discord.books.add("messages_read", len(found))
    return [discord.render.for_rest(m, discord.portal) for m in found]


@route("GET", ONE)
async def get_message(discord, call):
    message = discord.read_message(call)
    return discord.render.for_rest(message, discord.portal)


def check_may_send(discord, channel, body, call):
    """Permissions to write here, and to send what is in the body."""
    world = discord.world
    if channel["type"] not in WRITABLE:
        raise ApiError(400, 50024)
    if channel["type"] == 1 and channel.get("_closed"):
        raise ApiError(403, 50007)
    thread = channel["type"] in THREADS
    send = "SEND_MESSAGES_IN_THREADS" if thread else "SEND_MESSAGES"
    if not world.may(channel, send):
        raise missing_permissions()
    if thread and channel["thread_metadata"]["locked"] and \
            not world.may(channel, "MANAGE_THREADS"):
        raise ApiError(400, 160005)
    if (call.files or body.get("attachments")) and \
            not world.may(channel, "ATTACH_FILES"):
        raise missing_permissions()
    if body.get("poll") and not world.may(channel, "SEND_POLLS"):
        raise missing_permissions()
    if body.get("tts") and not world.may(channel, "SEND_TTS_MESSAGES"):
        raise missing_permissions()
    if body.get("message_reference") and \
            not world.may(channel, "READ_MESSAGE_HISTORY"):
        raise ApiError(403, 160002)


def resolve_reference(discord, channel, body):
    """The message_reference as it is stored, or None."""
    reference = body.get("message_reference")
    if not reference:
        return None
    there = discord.world.history.get(
        str(reference.get("channel_id", channel["id"])))
    first = there.get(reference["message_id"]) if there else None
    if first is None:
        if reference.get("fail_if_not_exists", True):
            raise bad_field("message_reference",
                            "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    if reference.get("type", 0) == 0 and first["channel_id"] != channel["id"]:
        raise bad_field("message_reference", "REPLIES_UNKNOWN_MESSAGE",
                        "Unknown message")
    if reference.get("type", 0) == 0 and first["type"] not in SOMEBODYS:
        raise bad_field("message_reference",
                        "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE",
                        "Cannot reply to a system message")
    out = {"type": reference.get("type", 0), "channel_id": first["channel_id"],
           "message_id": first["id"]}
    if "guild_id" in channel:
        out["guild_id"] = channel["guild_id"]
    return out


def earlier(discord, body):
    """The message that this nonce made a short while ago, if asked to mind."""
    nonce = body.get("nonce")
    if nonce is None or not body.get("enforce_nonce"):
        return None
    found = discord.nonces.get(str(nonce))
    if not found or discord.clock.now() - found[0] > NONCE_WINDOW_S:
        return None
    message = found[1]
    if entry := discord.books.sent_entry(message["id"]):
        entry["repeats"] += 1
    discord.books.add("nonce_repeats")
    discord.books.note("nonce_repeat", nonce=nonce, id=message["id"])
    return message


def send(discord, channel, call, body, via, message_id=None):
    """Make the bot's message from a body that was checked."""
    reference = resolve_reference(discord, channel, body)
    forwarded = reference and reference["type"] == 1
    message = discord.chat.post(
        channel, discord.world.bot, body.get("content") or "",
        bodies.message_fields(discord, channel, call, body, reference),
        nonce=body.get("nonce"), allowed=body.get("allowed_mentions")
        if body.get("allowed_mentions") is not None else None,
        message_id=message_id)
    if forwarded:
        discord.books.add("forwards")
    nonce = body.get("nonce")
    if nonce is not None:
        discord.nonces[str(nonce)] = (discord.clock.now(), message)
    discord.books.message_sent(message, nonce,
                               bool(body.get("enforce_nonce")), via)
    discord.books.sent[-1]["allowed_mentions"] = body.get("allowed_mentions")
    return message


@route("POST", MESSAGES)
async def create_message(discord, call):
    channel = discord.seen_channel(call)
    body = call.body
    bodies.check_message(call, body)
    check_may_send(discord, channel, body, call)
    message = earlier(discord, body)
    if message is None:
        message = send(discord, channel, call, body, "rest")
    shown = discord.render.message(message)
    if body.get("nonce") is not None:
        shown["nonce"] = body["nonce"]
    return shown


@route("PATCH", ONE)
async def edit_message(discord, call):
    message = discord.read_message(call)
    body, own = call.body, message["author"] is discord.world.bot
    channel = discord.world.channels[message["channel_id"]]
    if not own:
        if set(body) - {"flags"} or \
                not discord.world.may(channel, "MANAGE_MESSAGES"):
            raise ApiError(403, 50005)
    if channel["type"] in THREADS and channel["thread_metadata"]["archived"]:
        raise ApiError(400, 50083)
    return edit(discord, call, message, body)


def edit(discord, call, message, body):
    """Change the bot's message by a body; answers what it has become."""
    bodies.check_message(call, body, editing=message)
    fields = bodies.edit_fields(discord, call, body, message)
    discord.chat.edit(message, fields)
    discord.books.message_edited(message)
    return discord.render.message(message)


@route("DELETE", ONE)
async def delete_message(discord, call):
    channel = discord.seen_channel(call)
    message = discord.find_message(channel, call.params["message_id"])
    if message["author"] is not discord.world.bot and (
            "guild_id" not in channel or
            not discord.world.may(channel, "MANAGE_MESSAGES")):
        raise missing_permissions()
    if message["type"] in KEPT:
        raise ApiError(403, 50021)
    discord.chat.delete(channel, message)
    discord.books.effect("message_deleted", id=message["id"],
                         channel=channel["id"])


@route("POST", MESSAGES + "/bulk-delete")
async def bulk_delete(discord, call):
    channel = discord.seen_channel(call, "MANAGE_MESSAGES")
    ids = call.body.get("messages")
    if not isinstance(ids, list) or not 2 <= len(ids) <= 100:
        raise ApiError(400, 50016)
    if len(set(ids)) < len(ids):
        raise bad_field("messages", "BASE_TYPE_DUPLICATE",
                        "Message ids must not repeat.")
    oldest = discord.clock.now_ms() - TWO_WEEKS_MS
    if any(time_of(i) < oldest for i in ids):
        raise ApiError(400, 50034)
    discord.chat.delete_many(channel, ids)
    discord.books.effect("bulk_deleted", ids=ids, channel=channel["id"])


@route("POST", "/channels/{channel_id}/typing")
async def typing(discord, call):
    channel = discord.seen_channel(call)
    send_bit = "SEND_MESSAGES_IN_THREADS" if channel["type"] in THREADS else \
        "SEND_MESSAGES"
    if not discord.world.may(channel, send_bit):
        raise missing_permissions()
    discord.chat.typing(channel, discord.world.bot)
    discord.books.add("typing")
