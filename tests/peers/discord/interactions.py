"""interactions - commands, buttons, selects and modals, from both sides.

An interaction must be answered within 3 s and its token serves 15 minutes.
What is answered is kept in the books, one entry an interaction: "answers" are
the callbacks that counted, "messages" what came of it.
"""
import base64

import render
from permissions import BIT
from world import Unknown

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
ANSWER_S, TOKEN_S = 3, 15 * 60
EPHEMERAL, LOADING = 1 << 6, 1 << 7
SUB, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, \
    NUMBER, FILE = range(1, 12)


class Interaction:
    def __init__(self, interaction_id, token, kind, user, channel, now):
        self.id, self.token, self.kind = interaction_id, token, kind
        self.user, self.channel = user, channel
        self.created = now
        self.answer = None      # its callback, once it has one
        self.original = None    # the message that answers it
        self.source = None      # the message whose component was used
        self.made = {}          # follow-ups and the original, by id
        self.entry = {}


class Interactions:
    def __init__(self, discord):
        self.discord = discord
        self.world, self.clock = discord.world, discord.clock
        self.by_id, self.by_token = {}, {}

    def begin(self, kind, user, channel, data, source=None):
        """Tell the gateway of a new one."""
        number = self.clock.snowflake()
        token = base64.urlsafe_b64encode(
            f"interaction:{number}:".encode() +
            self.discord.rng.randbytes(60)).decode().rstrip("=")
        made = Interaction(number, token, kind, user, channel,
                           self.clock.now())
        made.source = source
        made.entry = {"id": number, "kind": kind, "user": user["username"],
                      "channel": channel["id"], "data": data, "answers": [],
                      "messages": [], "refused": [], "answered_ms": None}
        self.by_id[number] = self.by_token[token] = made
        self.discord.books.interactions.append(made.entry)
        self.discord.books.note("interaction", id=number, kind=kind)
        self.discord.hub.tell_all("INTERACTION_CREATE",
                                  self.payload(made, data))
        return {"id": number, "token": token}

    def payload(self, made, data):
        user, channel = made.user, made.channel
        guild = self.world.guild_of(channel)
        out = {"id": made.id, "application_id": self.world.application["id"],
               "type": made.kind, "data": data, "token": made.token,
               "version": 1, "channel_id": channel["id"],
               "channel": dict(self.discord.render.channel(channel),
                               permissions=str(self.world.allowed(
                                   channel, user["id"]))),
               "locale": "en-US", "entitlements": [],
               "entitlement_sku_ids": [], "attachment_size_limit": 10485760,
               "app_permissions": str(self.world.allowed(channel)),
               "authorizing_integration_owners": {
                   "0": guild["id"] if guild else "0"},
               "context": 0 if guild else 1}
        if guild:
            found = self.world.member(guild, user["id"])
            out.update({"guild_id": guild["id"], "guild_locale": "en-US",
                        "guild": {"id": guild["id"], "locale": "en-US",
                                  "features": []},
                        "member": dict(render.member(found), permissions=str(
                            self.world.allowed(channel, user["id"])))})
        else:
            out["user"] = render.user(user)
        if made.source:
            out["message"] = self.discord.render.message(made.source)
        return out

    # What people do

    def options(self, command, given, resolved, focused=None):
        """Options of a command as Discord sends them; given by name."""
        out = []
        for option in command.get("options") or []:
            name, kind = option["name"], option["type"]
            if name not in given:
                if option.get("required") and focused is None:
                    raise Unknown(f"option {name!r} is required")
                continue
            value = given[name]
            if kind in (SUB, GROUP):
                out.append({"name": name, "type": kind, "options":
                            self.options(option, value, resolved, focused)})
                continue
            made = {"name": name, "type": kind,
                    "value": self.resolve(kind, value, resolved)}
            if name == focused:
                made["focused"] = True
            out.append(made)
        unknown = set(given) - {o["name"] for o in command.get("options")
                                or []}
        if unknown:
            raise Unknown(f"no option {sorted(unknown)}")
        return out

    def resolve(self, kind, value, resolved):
        if kind == USER:
            user = self.world.user(value)
            resolved.setdefault("users", {})[user["id"]] = render.user(user)
            member = self.world.member(self.world.guild(), user["id"])
            if member:
                resolved.setdefault("members", {})[user["id"]] = {
                    k: v for k, v in render.member(member).items()
                    if k not in ("user", "deaf", "mute")}
            return user["id"]
        if kind == CHANNEL:
            channel = self.world.channel(value)
            resolved.setdefault("channels", {})[channel["id"]] = dict(
                self.discord.render.channel(channel),
                permissions=str(self.world.allowed(channel)))
            return channel["id"]
        if kind == ROLE:
            role = self.world.role(self.world.guild(), value)
            resolved.setdefault("roles", {})[role["id"]] = role
            return role["id"]
        if kind == FILE:
            file = self.discord.cdn.store(
                "0", value["name"], value.get("type", "text/plain"),
                base64.b64decode(value["base64"]) if "base64" in value
                else value.get("text", "").encode())
            resolved.setdefault("attachments", {})[file["id"]] = \
                self.discord.cdn.render(file)
            return file["id"]
        return value

    def command(self, order, focused=None):
        """A user runs a command, or types in one of its options."""
        user, channel = self.place(order)
        kind = order.get("type", 1)
        guild = self.world.guild_of(channel)
        command = self.discord.commands.find(guild and guild["id"],
                                             order["name"], kind)
        if command is None:
            raise Unknown(f"no command {order['name']!r} is registered")
        self.check_may_use(command, user, channel, guild)
        resolved = {}
        data = {"id": command["id"], "name": command["name"], "type": kind}
        if kind == 1:
            data["options"] = self.options(command, order.get("options", {}),
                                           resolved, focused)
        else:
            data["target_id"] = self.target(kind, order["target"], resolved)
        if resolved:
            data["resolved"] = resolved
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return self.begin(AUTOCOMPLETE if focused else COMMAND, user, channel,
                          data)

    def target(self, kind, target, resolved):
        if kind == 2:
            return self.resolve(USER, target, resolved)
        for history in self.world.history.values():
            if message := history.get(target):
                resolved["messages"] = {
                    target: self.discord.render.message(message)}
                return target
        raise Unknown(f"no message {target!r}")

    def check_may_use(self, command, user, channel, guild):
        if guild is None:
            return
        bits = self.world.allowed(channel, user["id"])
        needed = command["default_member_permissions"]
        if not bits & BIT["USE_APPLICATION_COMMANDS"] or (
                needed and int(needed) & ~bits):
            raise Unknown(f"{user['username']} may not use this command")

    def place(self, order):
        user = self.world.user(order["user"])
        if "channel" in order:
            channel = self.world.channel(order["channel"])
        else:
            channel, _ = self.world.dm(user)
        if not self.world.may(channel, "VIEW_CHANNEL", user_id=user["id"]):
            raise Unknown(f"{order['user']} cannot see the channel")
        return user, channel

    def message_by_id(self, message_id):
        """A message that may be one only its user sees."""
        for history in self.world.history.values():
            if message := history.get(message_id):
                return message
        for interaction in self.by_id.values():
            if message_id in interaction.made:
                return interaction.made[message_id]
        raise Unknown(f"no message {message_id!r}")

    # Deadlines

    def alive(self, made):
        return self.clock.now() - made.created <= TOKEN_S

    def in_time(self, made):
        return self.clock.now() - made.created <= ANSWER_S
