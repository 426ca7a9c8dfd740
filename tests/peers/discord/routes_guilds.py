"""routes_guilds - REST: the bot itself, guilds, members, audit."""
import intents
import render
from errors import ApiError, missing_access, missing_permissions
from permissions import outranks_role
from rest import route

GUILD = "/guilds/{guild_id}"


@route("GET", "/gateway", token=False)
async def gateway(discord, _call):
    return {"url": discord.ws_base + "/gateway"}


@route("GET", "/gateway/bot")
async def gateway_bot(discord, _call):
    return {"url": discord.ws_base + "/gateway",
            "shards": discord.hub.shards,
            "session_start_limit": discord.hub.start_limit()}


@route("GET", "/users/@me")
async def me(discord, _call):
    return discord.own_user()


@route("GET", "/users/@me/guilds")
async def my_guilds(discord, call):
    limit = call.number("limit", 200, 1, 200)
    after = call.snowflake("after") or 0
    bot = discord.world.bot["id"]
    found = sorted((g for g in discord.world.guilds.values()
                    if bot in g["_members"] and int(g["id"]) > after),
                   key=lambda g: int(g["id"]))[:limit]
    return [{"id": g["id"], "name": g["name"], "icon": None, "banner": None,
             "owner": g["owner_id"] == bot, "features": [], "permissions":
             str(discord.world.base(g, bot))} for g in found]


@route("GET", "/users/{user_id}")
async def get_user(discord, call):
    user = discord.user_named(call.params["user_id"])
    return render.user(user)


@route("GET", "/applications/@me")
async def my_application(discord, _call):
    return dict(discord.world.application, owner=render.user(
        discord.world.application["owner"]), bot=render.user(
            discord.world.bot), flags=discord.application_flags(),
                flags_new=str(discord.application_flags()))


@route("GET", "/oauth2/applications/@me")
async def oauth_application(discord, call):
    return await my_application(discord, call)


@route("GET", GUILD)
async def get_guild(discord, call):
    guild = discord.own_guild(call)
    out = discord.render.guild(guild)
    if call.flag("with_counts"):
        out["approximate_member_count"] = len(guild["_members"])
        out["approximate_presence_count"] = 0
    return out


@route("GET", GUILD + "/members")
async def members(discord, call):
    guild = discord.own_guild(call)
    if not discord.portal & intents.BIT["GUILD_MEMBERS"]:
        raise missing_access()
    limit = call.number("limit", 1, 1, 1000)
    after = call.snowflake("after") or 0
    found = sorted((m for u, m in guild["_members"].items()
                    if int(u) > after), key=lambda m: int(m["user"]["id"]))
    return [render.member(m) for m in found[:limit]]


def matches(member, query):
    names = (member["user"]["username"], member["user"]["global_name"],
             member["nick"])
    return any(n and n.lower().startswith(query.lower()) for n in names)


@route("GET", GUILD + "/members/search")
async def search_members(discord, call):
    guild = discord.own_guild(call)
    limit = call.number("limit", 1, 1, 1000)
    if not call.query.get("query"):
        raise ApiError(400, 50035, errors={"query": {"_errors": [{
            "code": "BASE_TYPE_REQUIRED",
            "message": "This field is required"}]}})
    found = [m for m in guild["_members"].values()
             if matches(m, call.query["query"])]
    return [render.member(m) for m in found[:limit]]


@route("GET", GUILD + "/members/{user_id}")
async def get_member(discord, call):
    guild = discord.own_guild(call)
    user_id = call.params["user_id"]
    if user_id == "@me":
        user_id = discord.world.bot["id"]
    member = discord.world.member(guild, user_id)
    if member is None:
        raise ApiError(404, 10007 if user_id in discord.world.users else 10013)
    return render.member(member)


def check_roles(discord, guild, member, wanted):
    """Each role that comes or goes is one below the bot's own."""
    mine = discord.world.member(guild, discord.world.bot["id"])
    for role_id in set(wanted) ^ set(member["roles"]):
        role = guild["roles"].get(role_id)
        if role is None:
            raise ApiError(404, 10011)
        if role["managed"] or not outranks_role(guild, mine, role):
            raise missing_permissions()


@route("PATCH", GUILD + "/members/{user_id}")
async def edit_member(discord, call):
    guild = discord.own_guild(call)
    mine = call.params["user_id"] == "@me"
    member = discord.world.member(guild, discord.world.bot["id"] if mine
                                  else call.params["user_id"])
    if member is None:
        raise ApiError(404, 10007)
    needs = {"nick": "CHANGE_NICKNAME" if mine else "MANAGE_NICKNAMES",
             "roles": "MANAGE_ROLES",
             "communication_disabled_until": "MODERATE_MEMBERS"}
    for name, permission in needs.items():
        if name in call.body:
            discord.need_in_guild(guild, permission)
    if call.body.get("roles") is not None:
        check_roles(discord, guild, member, call.body["roles"])
    for name in set(needs) & set(call.body):
        member[name] = call.body[name]
    discord.member_changed(guild, member)
    discord.books.effect("member_edited", id=member["user"]["id"])
    return render.member(member)


@route("GET", GUILD + "/audit-logs")
async def audit(discord, call):
    guild = discord.own_guild(call)
    world = discord.world
    if not discord.guild_permission(guild, "VIEW_AUDIT_LOG"):
        raise missing_permissions()
    limit = call.number("limit", 50, 1, 100)
    kind = call.number("action_type", None, 1, None)
    before, after = call.snowflake("before"), call.snowflake("after")
    user_id = call.query.get("user_id")
    found = [e for e in reversed(world.audit[guild["id"]])
             if kind in (None, e["action_type"]) and
             user_id in (None, e["user_id"]) and
             (before is None or int(e["id"]) < before) and
             (after is None or int(e["id"]) > after)][:limit]
    users = {e["user_id"] for e in found}
    return {"audit_log_entries": found, "users": [
        render.user(world.users[u]) for u in sorted(users)],
        "application_commands": [], "auto_moderation_rules": [],
        "guild_scheduled_events": [], "integrations": [], "threads": [],
        "webhooks": []}
