"""intents - which event needs which intent, and what content it hides."""
NAMES = {
    "GUILDS": 0, "GUILD_MEMBERS": 1, "GUILD_MODERATION": 2,
    "GUILD_EXPRESSIONS": 3, "GUILD_INTEGRATIONS": 4, "GUILD_WEBHOOKS": 5,
    "GUILD_INVITES": 6, "GUILD_VOICE_STATES": 7, "GUILD_PRESENCES": 8,
    "GUILD_MESSAGES": 9, "GUILD_MESSAGE_REACTIONS": 10,
    "GUILD_MESSAGE_TYPING": 11, "DIRECT_MESSAGES": 12,
    "DIRECT_MESSAGE_REACTIONS": 13, "DIRECT_MESSAGE_TYPING": 14,
    "MESSAGE_CONTENT": 15, "GUILD_SCHEDULED_EVENTS": 16,
    "AUTO_MODERATION_CONFIGURATION": 20, "AUTO_MODERATION_EXECUTION": 21,
    "GUILD_MESSAGE_POLLS": 24, "DIRECT_MESSAGE_POLLS": 25,
}
BIT = {name: 1 << bit for name, bit in NAMES.items()}
ALL = sum(BIT.values())
PRIVILEGED = BIT["GUILD_MEMBERS"] | BIT["GUILD_PRESENCES"] | \
    BIT["MESSAGE_CONTENT"]

# An event and the intent it needs: in a guild, and in a direct message.
MESSAGES = ("GUILD_MESSAGES", "DIRECT_MESSAGES")
REACTIONS = ("GUILD_MESSAGE_REACTIONS", "DIRECT_MESSAGE_REACTIONS")
POLLS = ("GUILD_MESSAGE_POLLS", "DIRECT_MESSAGE_POLLS")
NEEDED = {
    "MESSAGE_CREATE": MESSAGES, "MESSAGE_UPDATE": MESSAGES,
    "MESSAGE_DELETE": MESSAGES, "MESSAGE_DELETE_BULK": MESSAGES,
    "MESSAGE_REACTION_ADD": REACTIONS, "MESSAGE_REACTION_REMOVE": REACTIONS,
    "MESSAGE_REACTION_REMOVE_ALL": REACTIONS,
    "MESSAGE_REACTION_REMOVE_EMOJI": REACTIONS,
    "MESSAGE_POLL_VOTE_ADD": POLLS, "MESSAGE_POLL_VOTE_REMOVE": POLLS,
    "TYPING_START": ("GUILD_MESSAGE_TYPING", "DIRECT_MESSAGE_TYPING"),
    "CHANNEL_PINS_UPDATE": ("GUILDS", "DIRECT_MESSAGES"),
    "GUILD_MEMBER_ADD": ("GUILD_MEMBERS",) * 2,
    "GUILD_MEMBER_UPDATE": ("GUILD_MEMBERS",) * 2,
    "GUILD_MEMBER_REMOVE": ("GUILD_MEMBERS",) * 2,
    "GUILD_AUDIT_LOG_ENTRY_CREATE": ("GUILD_MODERATION",) * 2,
    "GUILD_BAN_ADD": ("GUILD_MODERATION",) * 2,
    "GUILD_BAN_REMOVE": ("GUILD_MODERATION",) * 2,
    "PRESENCE_UPDATE": ("GUILD_PRESENCES",) * 2,
}
for name in ("GUILD_CREATE", "GUILD_UPDATE", "GUILD_DELETE",
             "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE",
             "CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE",
             "THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE",
             "THREAD_LIST_SYNC", "THREAD_MEMBER_UPDATE",
             "THREAD_MEMBERS_UPDATE"):
    NEEDED[name] = ("GUILDS",) * 2


def wanted(intents, event, in_guild):
    """Whether a session with these intents gets the event at all."""
    pair = NEEDED.get(event)
    return pair is None or bool(intents & BIT[pair[0 if in_guild else 1]])


HIDDEN = {"content": "", "embeds": [], "attachments": [], "components": []}


def hide_content(message):
    """A copy of a message without what MESSAGE_CONTENT would show."""
    message = dict(message, **HIDDEN)
    message.pop("poll", None)
    for name in ("referenced_message", "message_snapshots"):
        if message.get(name) and name == "message_snapshots":
            message[name] = [{"message": dict(s["message"], **HIDDEN)}
                             for s in message[name]]
    return message
