"""routes_roles - REST: roles are made, changed, ordered, deleted, given, taken.

A bot touches only roles below its highest one, and gives to a role only what
it has itself ("Permission Hierarchy"). @everyone and roles that an integration
manages can't be deleted, given or taken.
"""
import limits_places as rules
from errors import ApiError, missing_permissions, refuse_form
from permissions import BIT, outranks_role
from rest import route

ALL = "/guilds/{guild_id}/roles"
ONE = ALL + "/{role_id}"
HELD = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}"
ROLE_MADE, ROLE_CHANGED, ROLE_DELETED, HANDED = 30, 31, 32, 25


def found_role(discord, call):
    """The guild and the role that a path names."""
    guild = discord.own_guild(call)
    role = guild["roles"].get(call.params["role_id"])
    if role is None:
        raise ApiError(404, 10011)
    return guild, role


def need_above(discord, guild, role):
    discord.need_in_guild(guild, "MANAGE_ROLES")
    world = discord.world
    if role["id"] != guild["id"] and not outranks_role(
            guild, world.member(guild, world.bot["id"]), role):
        raise missing_permissions()


def check_given(discord, guild, before, after):
    held = discord.world.base(guild, discord.world.bot["id"])
    if not held & BIT["ADMINISTRATOR"] and after & ~before & ~held:
        raise missing_permissions()


def tell(discord, guild, name, role):
    body = {"role_id": role["id"]} if name == "GUILD_ROLE_DELETE" \
        else {"role": role}
    discord.hub.tell(name, dict(body, guild_id=guild["id"]),
                     guild_id=guild["id"])


def audit(discord, call, guild, kind, target, changes=()):
    discord.write_audit(guild, discord.world.bot, kind, target,
                        list(changes), reason=call.reason())


@route("GET", ALL)
async def roles(discord, call):
    return list(discord.own_guild(call)["roles"].values())


@route("GET", ALL + "/member-counts")
async def role_counts(discord, call):
    guild = discord.own_guild(call)
    return {r: sum(r in m["roles"] for m in guild["_members"].values())
            for r in guild["roles"] if r != guild["id"]}


@route("GET", ONE)
async def one_role(discord, call):
    return found_role(discord, call)[1]


def set_color(role, body):
    if body.get("colors"):
        role["colors"].update(body["colors"])
        role["color"] = role["colors"]["primary_color"]
    elif body.get("color") is not None:
        role["color"] = role["colors"]["primary_color"] = body["color"]


@route("POST", ALL)
async def create_role(discord, call):
    """It comes right above @everyone; the others move up."""
    guild, body = discord.own_guild(call), call.body
    discord.need_in_guild(guild, "MANAGE_ROLES")
    refuse_form(rules.role(body))
    given = body.get("permissions")
    if given is None:
        given = guild["roles"][guild["id"]]["permissions"]
    else:
        check_given(discord, guild, 0, int(given))
    if len(guild["roles"]) >= rules.ROLES:
        raise ApiError(400, 30005)
    above = [r for r in guild["roles"].values() if r["position"] >= 1]
    role = discord.world.add_role(guild, {
        "name": body.get("name") or "new role", "permissions": int(given),
        "hoist": bool(body.get("hoist")), "position": 1,
        "mentionable": bool(body.get("mentionable"))})
    set_color(role, body)
    tell(discord, guild, "GUILD_ROLE_CREATE", role)
    for other in above:
        other["position"] += 1
        tell(discord, guild, "GUILD_ROLE_UPDATE", other)
    discord.books.effect("role_created", id=role["id"], name=role["name"])
    audit(discord, call, guild, ROLE_MADE, role["id"],
          [{"key": "name", "new_value": role["name"]}])
    return role


@route("PATCH", ONE)
async def edit_role(discord, call):
    guild, role = found_role(discord, call)
    body = call.body
    need_above(discord, guild, role)
    refuse_form(rules.role(body))
    before = discord.chat.visible(guild)
    if body.get("permissions") is not None:
        check_given(discord, guild, int(role["permissions"]),
                    int(body["permissions"]))
        role["permissions"] = str(int(body["permissions"]))
    if role["id"] != guild["id"]:
        role.update({k: body[k] for k in ("name", "hoist", "mentionable")
                     if body.get(k) is not None})
        set_color(role, body)
    tell(discord, guild, "GUILD_ROLE_UPDATE", role)
    discord.books.effect("role_edited", id=role["id"], fields=body)
    audit(discord, call, guild, ROLE_CHANGED, role["id"],
          [{"key": k, "new_value": v} for k, v in body.items()])
    discord.chat.sync_threads(guild, before)
    return role


@route("PATCH", ALL)
async def order_roles(discord, call):
    guild = discord.own_guild(call)
    changed = []
    for item in call.body:
        role = guild["roles"].get(str(item["id"]))
        if role is None:
            raise ApiError(404, 10011)
        need_above(discord, guild, role)
        if item.get("position") is not None:
            changed.append((role, item["position"]))
    for role, position in changed:
        role["position"] = position
        tell(discord, guild, "GUILD_ROLE_UPDATE", role)
    discord.books.effect("roles_ordered")
    return list(guild["roles"].values())


def refuse_fixed(guild, role):
    if role["id"] == guild["id"] or role["managed"]:
        raise ApiError(400, 50028)


@route("DELETE", ONE)
async def delete_role(discord, call):
    """Nobody has it any more, and no channel makes an exception for it."""
    guild, role = found_role(discord, call)
    need_above(discord, guild, role)
    refuse_fixed(guild, role)
    before = discord.chat.visible(guild)
    del guild["roles"][role["id"]]
    for member in guild["_members"].values():
        if role["id"] in member["roles"]:
            member["roles"].remove(role["id"])
    for channel in discord.world.channels_of(guild):
        channel["permission_overwrites"] = [
            o for o in channel["permission_overwrites"]
            if o["id"] != role["id"]]
    tell(discord, guild, "GUILD_ROLE_DELETE", role)
    discord.books.effect("role_deleted", id=role["id"])
    audit(discord, call, guild, ROLE_DELETED, role["id"])
    discord.chat.sync_threads(guild, before)


def hand(discord, call, give):
    guild, role = found_role(discord, call)
    member = discord.world.member(guild, call.params["user_id"])
    if member is None:
        raise ApiError(404, 10007)
    need_above(discord, guild, role)
    refuse_fixed(guild, role)
    before = discord.chat.visible(guild)
    if give != (role["id"] in member["roles"]):
        (member["roles"].append if give else
         member["roles"].remove)(role["id"])
        discord.member_changed(guild, member)
        audit(discord, call, guild, HANDED, member["user"]["id"],
              [{"key": "$add" if give else "$remove", "new_value": [
                  {"name": role["name"], "id": role["id"]}]}])
    discord.books.effect("role_given" if give else "role_taken",
                         role=role["id"], user=member["user"]["id"])
    discord.chat.sync_threads(guild, before)


@route("PUT", HELD)
async def give_role(discord, call):
    hand(discord, call, True)


@route("DELETE", HELD)
async def take_role(discord, call):
    hand(discord, call, False)
