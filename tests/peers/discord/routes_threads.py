"""routes_threads - REST: starting, joining and listing threads."""
from clock import parse_iso
from errors import ApiError, bad_field, check, missing_permissions
from form import Form
from permissions import BIT, PRIVATE_THREAD, THREADS
from render import thread_member
from rest import route
import bodies
from routes_messages import SOMEBODYS

ONE = "/channels/{channel_id}"
DURATIONS = (60, 1440, 4320, 10080)
TAGS_MAX, REQUIRE_TAG = 5, 1 << 4


def check_thread(body):
    form = Form()
    form.text(body, "name", 100, 1, required=True)
    form.choice(body, "auto_archive_duration", DURATIONS)
    form.number(body, "rate_limit_per_user", 0, 21600)
    check(form)


def spec_of(body, kind):
    return {"name": body["name"], "type": kind, "auto_archive_duration":
            body.get("auto_archive_duration") or 4320, "invitable":
            body.get("invitable", True), "applied_tags":
            body.get("applied_tags") or []}


@route("POST", ONE + "/messages/{message_id}/threads")
async def thread_on_message(discord, call):
    message = discord.read_message(call)
    channel = discord.world.channels[message["channel_id"]]
    discord.need(channel, "CREATE_PUBLIC_THREADS")
    check_thread(call.body)
    if channel["type"] not in (0, 5):
        raise ApiError(400, 50024)
    if message["type"] not in SOMEBODYS:
        raise ApiError(400, 50068)
    if message["id"] in discord.world.channels:
        raise ApiError(400, 160004)
    kind = 10 if channel["type"] == 5 else 11
    thread = discord.chat.start_thread(channel, discord.world.bot,
                                       spec_of(call.body, kind),
                                       message["id"])
    discord.books.effect("thread_started", id=thread["id"])
    return 201, discord.render.channel(thread)


@route("POST", ONE + "/threads")
async def start_thread(discord, call):
    parent = discord.seen_channel(call)
    check_thread(call.body)
    if parent["type"] in (15, 16):
        return start_post(discord, call, parent)
    kind = call.body.get("type", 12)
    if parent["type"] not in (0, 5) or \
            kind not in ((10,) if parent["type"] == 5 else (11, 12)):
        raise ApiError(400, 50024)
    discord.need(parent, "CREATE_PRIVATE_THREADS" if kind == 12 else
                 "CREATE_PUBLIC_THREADS")
    thread = discord.chat.start_thread(parent, discord.world.bot,
                                       spec_of(call.body, kind))
    discord.books.effect("thread_started", id=thread["id"])
    return 201, discord.render.channel(thread)


def check_tags(discord, forum, body):
    tags = body.get("applied_tags") or []
    known = {t["id"]: t for t in forum.get("available_tags", [])}
    if len(tags) > TAGS_MAX:
        raise bad_field("applied_tags", "BASE_TYPE_MAX_LENGTH",
                        f"Must be {TAGS_MAX} or fewer in length.")
    if any(str(t) not in known for t in tags):
        raise ApiError(404, 10087)
    if any(known[str(t)].get("moderated") for t in tags):
        discord.need(forum, "MANAGE_THREADS")
    if not tags and (forum.get("flags") or 0) & REQUIRE_TAG:
        raise ApiError(400, 40067)


def start_post(discord, call, forum):
    from routes_messages import send
    discord.need(forum, "SEND_MESSAGES")
    body = call.body.get("message")
    if not isinstance(body, dict):
        raise bad_field("message", "BASE_TYPE_REQUIRED",
                        "This field is required")
    bodies.check_message(call, body)
    check_tags(discord, forum, call.body)
    number = discord.clock.snowflake()
    thread = discord.chat.start_thread(
        forum, discord.world.bot, spec_of(call.body, 11), number)
    message = send(discord, thread, call, body, "forum", number)
    discord.books.effect("thread_started", id=thread["id"])
    return 201, dict(discord.render.channel(thread),
                     message=discord.render.message(message))


@route("GET", "/guilds/{guild_id}/threads/active")
async def active(discord, call):
    guild = discord.own_guild(call)
    world, me = discord.world, discord.world.bot["id"]
    found = [t for t in world.threads_in(guild)
             if world.is_active(t) and world.may(t, "VIEW_CHANNEL")]
    found.sort(key=lambda t: int(t["id"]), reverse=True)
    return {"threads": [discord.render.channel(t) for t in found],
            "members": [thread_member(t, me) for t in found
                        if me in t["_members"]], "has_more": False}


def page(discord, call, found, key, before):
    """A page of archived threads, newest first, and whether there are more."""
    limit = call.number("limit", 50, 2, 100)
    found = sorted(found, key=key, reverse=True)
    if before is not None:
        found = [t for t in found if key(t) < before]
    me = discord.world.bot["id"]
    chosen = found[:limit]
    return {"threads": [discord.render.thread_with_starter(t)
                        for t in chosen],
            "members": [thread_member(t, me) for t in chosen
                        if me in t["_members"]],
            "has_more": len(found) > limit}


def archived(discord, call, kinds):
    channel = discord.seen_channel(call)
    if channel["type"] not in (0, 5, 15, 16):
        raise ApiError(400, 50024)
    if not discord.world.may(channel, "READ_MESSAGE_HISTORY"):
        raise missing_permissions()
    world = discord.world
    return [world.channels[i] for i in world.threads_of.get(channel["id"], [])
            if world.channels[i]["type"] in kinds and
            not world.is_active(world.channels[i])]


def by_time(discord, call, kinds):
    before = None
    if "before" in call.query:
        try:
            before = parse_iso(call.query["before"])
        except ValueError:
            raise bad_field("before", "DATETIME_TYPE_PARSE",
                            f"Could not parse {call.query['before']}. Should"
                            " be ISO8601.") from None
    found = archived(discord, call, kinds)
    return page(discord, call, found, discord.chat.archived_ms, before)


@route("GET", ONE + "/threads/archived/public")
async def archived_public(discord, call):
    return by_time(discord, call, (10, 11))


@route("GET", ONE + "/threads/archived/private")
async def archived_private(discord, call):
    channel = discord.seen_channel(call)
    discord.need(channel, "MANAGE_THREADS")
    return by_time(discord, call, (12,))


@route("GET", ONE + "/users/@me/threads/archived/private")
async def archived_mine(discord, call):
    me = discord.world.bot["id"]
    found = [t for t in archived(discord, call, (12,)) if me in t["_members"]]
    return page(discord, call, found, lambda t: int(t["id"]),
                call.snowflake("before"))


@route("GET", ONE + "/thread-members")
async def list_members(discord, call):
    thread = a_thread(discord, call)
    world = discord.world if call.flag("with_member") else None
    return [thread_member(thread, u, world)
            for u in sorted(thread["_members"], key=int)]


def a_thread(discord, call):
    thread = discord.seen_channel(call)
    if thread["type"] not in THREADS:
        raise ApiError(400, 50024)
    return thread


@route("PUT", ONE + "/thread-members/@me")
async def join(discord, call):
    thread = a_thread(discord, call)
    if not discord.world.is_active(thread):
        raise ApiError(400, 50083)
    discord.chat.join_thread(thread, discord.world.bot["id"])
    discord.books.effect("thread_joined", id=thread["id"])


@route("DELETE", ONE + "/thread-members/@me")
async def leave(discord, call):
    thread = a_thread(discord, call)
    discord.chat.leave_thread(thread, discord.world.bot["id"])
    discord.books.effect("thread_left", id=thread["id"])


@route("GET", ONE + "/thread-members/{user_id}")
async def get_member(discord, call):
    thread = a_thread(discord, call)
    if call.params["user_id"] not in thread["_members"]:
        raise ApiError(404, 10007)
    return thread_member(thread, call.params["user_id"],
                         discord.world if call.flag("with_member") else None)


@route("PUT", ONE + "/thread-members/{user_id}")
async def add_member(discord, call):
    thread = a_thread(discord, call)
    send = BIT["SEND_MESSAGES_IN_THREADS"]
    if not discord.world.allowed(thread) & send:
        raise missing_permissions()
    discord.chat.join_thread(thread,
                             discord.user_named(call.params["user_id"])["id"])
    discord.books.effect("thread_member_added", id=thread["id"])


@route("DELETE", ONE + "/thread-members/{user_id}")
async def remove_member(discord, call):
    """The owner of a private thread may, and who manages threads."""
    thread = a_thread(discord, call)
    owner = thread["type"] == PRIVATE_THREAD and \
        thread["owner_id"] == discord.world.bot["id"]
    if not owner and not discord.world.may(thread, "MANAGE_THREADS"):
        raise missing_permissions()
    if not discord.world.is_active(thread):
        raise ApiError(400, 50083)
    discord.chat.leave_thread(thread, call.params["user_id"])
    discord.books.effect("thread_member_removed", id=thread["id"])
