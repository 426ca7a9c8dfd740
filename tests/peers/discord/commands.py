"""commands - the application's commands, global and of guilds, and their rules.

A name registered twice replaces the first. What is new counts against 200 a day
for each guild, and for the global ones.
"""
import limits_commands
from errors import ApiError, check, refuse_form
from form import Form
from rest import route

SLASH = 1
CREATES, CREATES_WINDOW_S = 200, 24 * 3600
GLOBAL = "/applications/{application_id}/commands"
GUILD = "/applications/{application_id}/guilds/{guild_id}/commands"
KEPT = ("options", "default_member_permissions", "nsfw", "contexts",
        "integration_types", "name_localizations",
        "description_localizations", "dm_permission")


def check_one(body):
    form = Form()
    limits_commands.command(form, body)
    check(form)


class Commands:
    def __init__(self, discord):
        self.discord = discord
        self.scopes = {}    # guild id, or None -> {id: command}
        self.created = {}   # scope -> times

    def scope(self, guild_id):
        return self.scopes.setdefault(guild_id, {})

    def all(self):
        return {scope or "global": list(commands.values())
                for scope, commands in self.scopes.items()}

    def find(self, guild_id, name, kind=SLASH):
        for scope in (guild_id, None):
            for command in self.scope(scope).values():
                if command["name"] == name and command["type"] == kind:
                    return command
        return None

    def _spend(self, guild_id):
        now = self.discord.clock.now()
        times = [t for t in self.created.get(guild_id, [])
                 if t > now - CREATES_WINDOW_S]
        if len(times) >= CREATES:
            raise ApiError(429, 30034)
        self.created[guild_id] = times + [now]
        self.discord.books.add("command_creates")

    def _make(self, guild_id, body, old):
        """The command object of a checked body; old is the one it replaces."""
        app = self.discord.world.application["id"]
        kind = body.get("type", SLASH)
        command = {"id": old["id"] if old else self.discord.clock.snowflake(),
                   "application_id": app, "type": kind, "name": body["name"],
                   "description": body.get("description") or "",
                   "version": self.discord.clock.snowflake(), "nsfw": False,
                   "default_member_permissions": None, "contexts": None,
                   "integration_types": [0], "name_localizations": None,
                   "description_localizations": None}
        if guild_id:
            command["guild_id"] = guild_id
        else:
            command["dm_permission"] = True
        command.update({k: body[k] for k in KEPT if body.get(k) is not None})
        if old and {**old, "version": 0} == {**command, "version": 0}:
            return old
        return command

    def put(self, guild_id, body):
        """One command; answers (command, whether it is new)."""
        check_one(body)
        scope, kind = self.scope(guild_id), body.get("type", SLASH)
        old = next((c for c in scope.values() if c["name"] == body["name"] and
                    c["type"] == kind), None)
        if not old:
            refuse_form(limits_commands.commands(
                list(scope.values()) + [body]))
            self._spend(guild_id)
        command = self._make(guild_id, body, old)
        scope[command["id"]] = command
        self.discord.books.effect("command_put", name=command["name"],
                                  guild=guild_id)
        return command, not old

    def overwrite(self, guild_id, bodies):
        refuse_form(limits_commands.commands(bodies))
        old = {(c["name"], c["type"]): c
               for c in self.scope(guild_id).values()}
        made = []
        for body in bodies:
            before = old.get((body["name"], body.get("type", SLASH)))
            if not before:
                self._spend(guild_id)
            made.append(self._make(guild_id, body, before))
        self.scopes[guild_id] = {c["id"]: c for c in made}
        self.discord.books.effect("commands_overwritten", guild=guild_id,
                                  names=[c["name"] for c in made])
        return made


def scope_of(discord, call):
    if call.params["application_id"] != discord.world.application["id"]:
        raise ApiError(403, 20012, "You are not authorized to perform this"
                       " action on this application")
    if "guild_id" in call.params:
        discord.own_guild(call)
    return call.params.get("guild_id")


def existing(discord, call):
    found = discord.commands.scope(scope_of(discord, call)).get(
        call.params["command_id"])
    if found is None:
        raise ApiError(404, 10063)
    return found


async def list_commands(discord, call):
    return list(discord.commands.scope(scope_of(discord, call)).values())


async def create_command(discord, call):
    command, new = discord.commands.put(scope_of(discord, call), call.body)
    return (201 if new else 200), command


async def overwrite_commands(discord, call):
    if not isinstance(call.body, list):
        raise ApiError(400, 50035)
    return discord.commands.overwrite(scope_of(discord, call), call.body)


async def get_command(discord, call):
    return existing(discord, call)


async def edit_command(discord, call):
    old = existing(discord, call)
    body = {k: v for k, v in old.items() if k in KEPT or k in (
        "name", "description", "type")}
    body.update(call.body)
    check_one(body)
    guild_id = scope_of(discord, call)
    command = discord.commands._make(guild_id, body, old)
    discord.commands.scope(guild_id)[old["id"]] = command
    discord.books.effect("command_edited", name=command["name"])
    return command


async def delete_command(discord, call):
    old = existing(discord, call)
    del discord.commands.scope(scope_of(discord, call))[old["id"]]
    discord.books.effect("command_deleted", name=old["name"])


for base in (GLOBAL, GUILD):
    route("GET", base)(list_commands)
    route("POST", base)(create_command)
    route("PUT", base)(overwrite_commands)
    route("GET", base + "/{command_id}")(get_command)
    route("PATCH", base + "/{command_id}")(edit_command)
    route("DELETE", base + "/{command_id}")(delete_command)
