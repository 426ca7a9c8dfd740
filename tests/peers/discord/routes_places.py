"""routes_places - REST: channels of a guild are made, changed, moved, deleted.

Who may touch which permission: what the bot has in the guild, or in the
category above; all of them with MANAGE_ROLES by an overwrite of the channel
itself. ("Create Guild Channel", "Modify Channel", "Edit Channel Permissions".)
"""
import limits_places as rules
from errors import ApiError, bad_field, missing_permissions, refuse_form
from form import Form
from permissions import BIT, THREADS
from rest import route

ONE = "/channels/{channel_id}"
ALL = "/guilds/{guild_id}/channels"
ITS_OWN = ("name", "topic", "nsfw", "rate_limit_per_user", "position",
           "bitrate", "user_limit")
MADE, CHANGED, DELETED = 10, 11, 12     # in the audit log
FULL = "CHANNEL_PARENT_MAX_CHANNELS", \
    "Maximum number of channels in category reached (50)"


def features(guild):
    return guild["_more"].get("features", [])


def check_parent(world, guild, parent_id, kind, child=None):
    """The category, if that channel may be put there."""
    parent = guild["_channels"].get(str(parent_id))
    if parent is None:
        raise bad_field("parent_id", "CHANNEL_PARENT_INVALID",
                        "Category does not exist")
    if parent["type"] != rules.CATEGORY or kind == rules.CATEGORY:
        raise bad_field("parent_id", "CHANNEL_PARENT_INVALID_TYPE",
                        "Not a category")
    inside = [c for c in world.channels_of(guild)
              if c["parent_id"] == parent["id"] and c is not child]
    if len(inside) >= rules.IN_CATEGORY:
        raise bad_field("parent_id", *FULL)
    return parent


def touched(old, new):
    """The permissions that differ between two lists of overwrites."""
    def of(found):
        return {o["id"]: (int(o["allow"]), int(o["deny"])) for o in found}
    before, after, value = of(old), of(new), 0
    for target in set(before) | set(after):
        a, b = before.get(target, (0, 0)), after.get(target, (0, 0))
        value |= a[0] ^ b[0] | a[1] ^ b[1]
    return value


def unbound(world, guild, channel):
    """MANAGE_ROLES by an overwrite of the channel's own."""
    mine = world.member(guild, world.bot["id"])
    ids = {guild["id"], world.bot["id"], *mine["roles"]}
    return any(o["id"] in ids and int(o["allow"]) & BIT["MANAGE_ROLES"]
               for o in channel["permission_overwrites"])


def check_touched(world, guild, value, parent=None, channel=None):
    base = world.base(guild, world.bot["id"])
    if base & BIT["ADMINISTRATOR"] or \
            (channel and unbound(world, guild, channel)):
        return
    held = base | (world.allowed(parent) if parent else 0)
    if value & ~held or value & BIT["MANAGE_ROLES"]:
        raise missing_permissions()


def stored(world, guild, listed):
    """Overwrites of a body, as they are kept."""
    out = []
    for spec in listed:
        kind = int(spec.get("type") or 0)
        if kind == 0 and str(spec["id"]) not in guild["roles"]:
            raise ApiError(404, 10011)
        out.append(world.overwrite(guild, dict(spec, type=kind,
                                               id=str(spec["id"]))))
    return out


def audit(discord, call, guild, kind, target, changes=()):
    discord.write_audit(guild, discord.world.bot, kind, target,
                        list(changes), reason=call.reason())


def named(name, kind):
    return rules.plain(name) if kind in rules.PLAIN else name.strip()


@route("GET", ALL)
async def guild_channels(discord, call):
    guild = discord.own_guild(call)
    return [discord.render.channel(c)
            for c in discord.world.channels_of(guild)]


@route("POST", ALL)
async def create_channel(discord, call):
    guild, world, body = discord.own_guild(call), discord.world, call.body
    discord.need_in_guild(guild, "MANAGE_CHANNELS")
    refuse_form(rules.channel(body, rules.kinds(features(guild))))
    kind = body.get("type") or rules.TEXT
    parent = check_parent(world, guild, body["parent_id"], kind) \
        if body.get("parent_id") else None
    if body.get("permission_overwrites") is not None:
        over = stored(world, guild, body["permission_overwrites"])
        check_touched(world, guild, touched([], over))
    else:   # it is in step with its category
        over = [dict(o) for o in parent["permission_overwrites"]] \
            if parent else []
    if len(world.channels_of(guild)) >= rules.CHANNELS:
        raise ApiError(400, 30013)
    spec = {k: v for k, v in body.items() if v is not None}
    channel = world.add_channel(dict(
        spec, name=named(body["name"], kind), guild=guild["id"],
        parent=parent and parent["id"], overwrites=over))
    discord.chat.channel_made(channel)
    discord.books.effect("channel_created", id=channel["id"],
                         name=channel["name"])
    audit(discord, call, guild, MADE, channel["id"],
          [{"key": "name", "new_value": channel["name"]}])
    return 201, discord.render.channel(channel)


@route("PATCH", ONE)
async def edit_channel(discord, call):
    channel = discord.seen_channel(call)
    if channel["type"] in THREADS:
        from routes_channels import edit_thread
        return edit_thread(discord, call, channel)
    guild, world, body = discord.world.guild_of(channel), discord.world, \
        call.body
    discord.need(channel, "MANAGE_CHANNELS")
    refuse_form(rules.channel(
        body, rules.kinds(features(guild)), channel["type"],
        guild["_more"].get("premium_tier", 0)))
    before, old = discord.chat.visible(guild), dict(channel)
    parent = check_parent(world, guild, body["parent_id"], channel["type"],
                          channel) if body.get("parent_id") else None
    if body.get("permission_overwrites") is not None:
        discord.need(channel, "MANAGE_ROLES")
        over = stored(world, guild, body["permission_overwrites"])
        above = world.channels.get(channel["parent_id"])
        check_touched(world, guild, touched(
            channel["permission_overwrites"], over), above, channel)
        channel["permission_overwrites"] = over
    if "parent_id" in body:
        channel["parent_id"] = parent and parent["id"]
    for name in ITS_OWN:
        if name in body and name in channel:
            channel[name] = body[name]
    channel["name"] = named(channel["name"], channel["type"]) \
        if "name" in body else channel["name"]
    discord.books.effect("channel_edited", id=channel["id"], fields=body)
    audit(discord, call, guild, CHANGED, channel["id"], [
        {"key": k, "old_value": old.get(k), "new_value": channel.get(k)}
        for k in body if old.get(k) != channel.get(k)])
    discord.chat.channel_changed(channel)
    discord.chat.sync_threads(guild, before)
    return discord.render.channel(channel)


def check_place(item):
    f = Form()
    f.snowflake(item, "id", required=True)
    f.number(item, "position", 0, (1 << 31) - 1)
    f.snowflake(item, "parent_id")
    f.flag(item, "lock_permissions")
    if f.errors:
        refuse_form((400, f.answer()))


def place(discord, guild, item):
    """One line of a new order: the channel, if anything came of it."""
    world = discord.world
    channel = guild["_channels"].get(str(item["id"]))
    if channel is None or channel["type"] in THREADS:
        raise ApiError(404, 10003)
    before = dict(channel)
    if item.get("position") is not None:
        channel["position"] = item["position"]
    if "parent_id" in item:
        parent = check_parent(world, guild, item["parent_id"],
                              channel["type"], channel) \
            if item["parent_id"] else None
        channel["parent_id"] = parent and parent["id"]
        if item.get("lock_permissions") and parent:
            discord.need(channel, "MANAGE_ROLES")
            over = [dict(o) for o in parent["permission_overwrites"]]
            check_touched(world, guild, touched(
                channel["permission_overwrites"], over), parent, channel)
            channel["permission_overwrites"] = over
    return channel if channel != before else None


@route("PATCH", ALL)
async def move_channels(discord, call):
    guild = discord.own_guild(call)
    discord.need_in_guild(guild, "MANAGE_CHANNELS")
    if not isinstance(call.body, list):
        raise ApiError(400, 50035, errors={"_errors": [{
            "code": "LIST_TYPE_CONVERT", "message":
            "Only iterables may be used in a ListType"}]})
    for item in call.body:
        check_place(item)
    kept = {k: dict(c) for k, c in guild["_channels"].items()}
    before = discord.chat.visible(guild)
    try:
        changed = [place(discord, guild, item) for item in call.body]
    except ApiError:    # all of it, or nothing
        for key, channel in guild["_channels"].items():
            channel.update(kept[key])
        raise
    for channel in filter(None, changed):
        audit(discord, call, guild, CHANGED, channel["id"])
        discord.chat.channel_changed(channel)
    discord.books.effect("channels_moved", places=call.body)
    discord.chat.sync_threads(guild, before)


@route("DELETE", ONE)
async def delete_channel(discord, call):
    channel = discord.seen_channel(call)
    shown = discord.render.channel(channel)
    guild = discord.world.guild_of(channel)
    if guild:
        discord.need(channel, "MANAGE_THREADS" if channel["type"] in THREADS
                     else "MANAGE_CHANNELS")
        if "COMMUNITY" in features(guild) and channel["id"] in (
                guild["_more"].get("rules_channel_id"),
                guild["_more"].get("public_updates_channel_id")):
            raise ApiError(400, 50074)
        discord.chat.channel_removed(channel)
        audit(discord, call, guild, DELETED, channel["id"])
    discord.books.effect("channel_deleted", id=channel["id"])
    return shown


# Permissions of one role or member in a channel

@route("PUT", ONE + "/permissions/{overwrite_id}")
async def put_overwrite(discord, call):
    channel, world = discord.seen_channel(call), discord.world
    guild = world.guild_of(channel)
    if guild is None or channel["type"] in THREADS:
        raise ApiError(400, 50024)
    discord.need(channel, "MANAGE_ROLES")
    f = Form()
    rules.overwrite(f, call.body)
    if f.errors:
        refuse_form((400, f.answer()))
    new = stored(world, guild, [dict(call.body,
                                     id=call.params["overwrite_id"])])
    old = [o for o in channel["permission_overwrites"]
           if o["id"] == new[0]["id"]]
    check_touched(world, guild, touched(old, new),
                  world.channels.get(channel["parent_id"]), channel)
    discord.set_overwrite(channel, new[0], world.bot, call.reason())
    discord.books.effect("overwrite_set", channel=channel["id"], **new[0])


@route("DELETE", ONE + "/permissions/{overwrite_id}")
async def delete_overwrite(discord, call):
    channel, world = discord.seen_channel(call), discord.world
    discord.need(channel, "MANAGE_ROLES")
    old = [o for o in channel["permission_overwrites"]
           if o["id"] == call.params["overwrite_id"]]
    check_touched(world, world.guild_of(channel), touched(old, []),
                  world.channels.get(channel["parent_id"]), channel)
    discord.drop_overwrite(channel, call.params["overwrite_id"], world.bot,
                           call.reason())
    discord.books.effect("overwrite_deleted", channel=channel["id"])
