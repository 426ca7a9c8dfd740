"""What a member may do in a guild and in one of its channels.

All arguments are objects as Discord's API gives them (dicts; ids and
permission sets are decimal strings). The answers are ints, a bit for each
permission, with everything already counted in: owner, administrator,
overwrites in their order, time-outs, threads, and what the lack of one
permission takes with it.

    guild    {"id", "owner_id", "roles": [{"id", "permissions", "position"}]}
             (or the same roles in a dict, by their ids)
    member   {"user": {"id"}, "roles": [id], "communication_disabled_until"}
    channel  {"id", "type", "permission_overwrites", "recipients"}

Source: "Permissions" in the developer documentation of Discord.
"""

import datetime
import time

NAMES = {
    0: "CREATE_INSTANT_INVITE", 1: "KICK_MEMBERS", 2: "BAN_MEMBERS",
    3: "ADMINISTRATOR", 4: "MANAGE_CHANNELS", 5: "MANAGE_GUILD",
    6: "ADD_REACTIONS", 7: "VIEW_AUDIT_LOG", 8: "PRIORITY_SPEAKER",
    9: "STREAM", 10: "VIEW_CHANNEL", 11: "SEND_MESSAGES",
    12: "SEND_TTS_MESSAGES", 13: "MANAGE_MESSAGES", 14: "EMBED_LINKS",
    15: "ATTACH_FILES", 16: "READ_MESSAGE_HISTORY", 17: "MENTION_EVERYONE",
    18: "USE_EXTERNAL_EMOJIS", 19: "VIEW_GUILD_INSIGHTS", 20: "CONNECT",
    21: "SPEAK", 22: "MUTE_MEMBERS", 23: "DEAFEN_MEMBERS",
    24: "MOVE_MEMBERS", 25: "USE_VAD", 26: "CHANGE_NICKNAME",
    27: "MANAGE_NICKNAMES", 28: "MANAGE_ROLES", 29: "MANAGE_WEBHOOKS",
    30: "MANAGE_GUILD_EXPRESSIONS", 31: "USE_APPLICATION_COMMANDS",
    32: "REQUEST_TO_SPEAK", 33: "MANAGE_EVENTS", 34: "MANAGE_THREADS",
    35: "CREATE_PUBLIC_THREADS", 36: "CREATE_PRIVATE_THREADS",
    37: "USE_EXTERNAL_STICKERS", 38: "SEND_MESSAGES_IN_THREADS",
    39: "USE_EMBEDDED_ACTIVITIES", 40: "MODERATE_MEMBERS",
    41: "VIEW_CREATOR_MONETIZATION_ANALYTICS", 42: "USE_SOUNDBOARD",
    43: "CREATE_GUILD_EXPRESSIONS", 44: "CREATE_EVENTS",
    45: "USE_EXTERNAL_SOUNDS", 46: "SEND_VOICE_MESSAGES",
    48: "SET_VOICE_CHANNEL_STATUS", 49: "SEND_POLLS",
    50: "USE_EXTERNAL_APPS", 51: "PIN_MESSAGES", 52: "BYPASS_SLOWMODE",
}
BIT = {name: 1 << bit for bit, name in NAMES.items()}
ALL = sum(BIT.values())

DM, GROUP_DM = 1, 3
VOICE, STAGE = 2, 13
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = 10, 11, 12
THREADS = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)

ROLE, MEMBER = 0, 1  # whom an overwrite is for


def bits(*names):
    """The set of the permissions named."""
    return sum(BIT[name] for name in set(names))


def parse(value):
    """A set from decimal text, a number, or a list of names."""
    return bits(*value) if isinstance(value, list) else int(value or 0)


def names(value):
    """The names in a set, lowest bit first."""
    return [NAMES.get(bit, f"1<<{bit}")
            for bit in range(value.bit_length()) if value >> bit & 1]


TIMED_OUT = bits("VIEW_CHANNEL", "READ_MESSAGE_HISTORY")
WITH_SENDING = bits("MENTION_EVERYONE", "SEND_TTS_MESSAGES", "ATTACH_FILES",
                    "EMBED_LINKS")
IN_A_DM = bits("ADD_REACTIONS", "VIEW_CHANNEL", "SEND_MESSAGES",
               "EMBED_LINKS", "ATTACH_FILES", "READ_MESSAGE_HISTORY",
               "MENTION_EVERYONE", "USE_EXTERNAL_EMOJIS", "CONNECT", "SPEAK",
               "STREAM", "USE_VAD", "USE_EXTERNAL_STICKERS", "SEND_POLLS",
               "SEND_VOICE_MESSAGES", "PIN_MESSAGES",
               "USE_APPLICATION_COMMANDS", "USE_EMBEDDED_ACTIVITIES")


def is_thread(channel):
    return channel["type"] in THREADS


def to_send(channel):
    """The permission that sending a message there asks for."""
    return "SEND_MESSAGES_IN_THREADS" if is_thread(channel) \
        else "SEND_MESSAGES"


def timed_out(member, now_ms=None):
    """Whether a member is in a time-out at that Unix time; None is now."""
    until = member.get("communication_disabled_until")
    if not until:
        return False
    end = datetime.datetime.fromisoformat(until.replace("Z", "+00:00"))
    if now_ms is None:
        now_ms = time.time() * 1000
    return end.timestamp() * 1000 > now_ms


def _roles(guild):
    roles = guild["roles"]
    return roles.values() if isinstance(roles, dict) else roles


def _granted(guild, member):
    """What the roles alone give, and whether nothing may take it away."""
    if member["user"]["id"] == guild["owner_id"]:
        return ALL, True
    value = 0
    for role in _roles(guild):
        if role["id"] == guild["id"] or role["id"] in member["roles"]:
            value |= int(role["permissions"])
    if value & BIT["ADMINISTRATOR"]:
        return ALL, True
    return value, False


def base(guild, member, now_ms=None):
    """The permissions of a member in the guild as a whole."""
    value, everything = _granted(guild, member)
    if not everything and timed_out(member, now_ms):
        value &= TIMED_OUT
    return value


def _overwritten(value, guild, member, overwrites):
    """First @everyone, then all roles at once, then the member."""
    def parts(kind, ids):
        deny = allow = 0
        for o in overwrites or ():
            if int(o["type"]) == kind and o["id"] in ids:
                deny |= int(o["deny"])
                allow |= int(o["allow"])
        return deny, allow

    roles = set(member["roles"]) - {guild["id"]}
    for deny, allow in (parts(ROLE, {guild["id"]}), parts(ROLE, roles),
                        parts(MEMBER, {member["user"]["id"]})):
        value = value & ~deny | allow
    return value


def _implied(value, channel):
    """Take away what counts for nothing without another permission."""
    if not value & BIT["VIEW_CHANNEL"]:
        return 0
    if channel["type"] in (VOICE, STAGE) and not value & BIT["CONNECT"]:
        return value & TIMED_OUT
    if not value & BIT[to_send(channel)]:
        value &= ~WITH_SENDING
    return value


def inside(guild, member, channel, parent=None, joined=False, now_ms=None):
    """The permissions of a member in a channel of the guild.

    For a thread, parent is the channel it hangs on, whose overwrites hold,
    and joined says whether the member is one of the thread's own: others
    see a private thread only with MANAGE_THREADS.
    """
    value, everything = _granted(guild, member)
    if everything:
        return value
    holder = parent if is_thread(channel) else channel
    if holder is None:
        raise ValueError(f"thread {channel['id']} without its parent")
    value = _overwritten(value, guild, member,
                         holder.get("permission_overwrites"))
    if channel["type"] == PRIVATE_THREAD and not joined \
            and not value & BIT["MANAGE_THREADS"]:
        return 0
    if timed_out(member, now_ms):
        value &= TIMED_OUT
    return _implied(value, channel)


def in_dm(channel, user_id, own_id):
    """The permissions of a user in a direct message channel of own_id."""
    ids = {r["id"] for r in channel.get("recipients") or ()} | {own_id}
    return IN_A_DM if user_id in ids else 0


def can(value, *wanted):
    """Whether a set holds every permission named."""
    need = bits(*wanted)
    return value & need == need


def top_role(guild, member):
    """The highest role of a member: (position, -id), to be compared."""
    return max(((r["position"], -int(r["id"])) for r in _roles(guild)
                if r["id"] in member["roles"]),
               default=(0, -int(guild["id"])))


def outranks(guild, member, other):
    """Whether a member may act (kick, ban, rename, time out) on another."""
    if other["user"]["id"] == guild["owner_id"]:
        return False
    if member["user"]["id"] == guild["owner_id"]:
        return True
    return top_role(guild, member) > top_role(guild, other)


def outranks_role(guild, member, role):
    """Whether a member may change, give or take away a role."""
    if member["user"]["id"] == guild["owner_id"]:
        return True
    return top_role(guild, member) > (role["position"], -int(role["id"]))
