"""What Discord refuses in the body of a channel or a role.

    channel(body, kinds, kind, making)    None, or (status, body)
    role(body)

Lengths and numbers are those of the documentation.
"""
from form import Form

CHANNELS, IN_CATEGORY, ROLES, OVERWRITES = 500, 50, 250, 100
TOPIC, FORUM_TOPIC, SLOW_S = 1024, 4096, 21600
TEXT, VOICE, CATEGORY, NEWS, STAGE, FORUM, MEDIA = 0, 2, 4, 5, 13, 15, 16
ORDINARY = (TEXT, VOICE, CATEGORY)
OF_COMMUNITIES = (NEWS, STAGE, FORUM)
PLAIN = (TEXT, NEWS, FORUM, MEDIA)  # their names have no capitals, no spaces
BITRATES = {0: 96000, 1: 128000, 2: 256000, 3: 384000}
DROPPED = frozenset("!\"#$%&'()*+,./:;<=>?@[\\]^`{|}~")


def kinds(guild_features):
    """The kinds of channel that can be made in such a guild."""
    return ORDINARY + (OF_COMMUNITIES if "COMMUNITY" in guild_features
                       else ())


def plain(name):
    """What becomes of the name of a text channel."""
    words = "".join(" " if c == "-" else c for c in name.lower()
                    if c not in DROPPED).split()
    return "-".join(words)


def channel(body, allowed, kind=None, tier=0):
    """kind: that of a channel which there is; None while one is made."""
    f = Form()
    new = kind is None
    if new:
        kind = f.choice(body, "type", allowed) or TEXT
    elif "type" in body:
        f.choice(body, "type", (TEXT, NEWS) if NEWS in allowed and
                 kind in (TEXT, NEWS) else (kind,))
    name = f.text(body, "name", 100, 1, required=new or "name" in body)
    if name and kind in PLAIN and not plain(name):
        f.wrong(["name"], "CHANNEL_NAME_INVALID", "Channel name is invalid")
    f.text(body, "topic", FORUM_TOPIC if kind in (FORUM, MEDIA) else TOPIC)
    f.number(body, "rate_limit_per_user", 0, SLOW_S)
    f.number(body, "position", 0, (1 << 31) - 1)
    f.number(body, "bitrate", 8000, 64000 if kind == STAGE
             else BITRATES[tier])
    f.number(body, "user_limit", 0, 10000 if kind == STAGE else 99)
    f.flag(body, "nsfw")
    f.snowflake(body, "parent_id")
    overwrites(f, body)
    return (400, f.answer()) if f.errors else None


def overwrites(f, body):
    for one in f.items(body, "permission_overwrites", OVERWRITES):
        overwrite(f, one, True)


def overwrite(f, one, with_id=False):
    if with_id:
        f.snowflake(one, "id", required=True)
    f.choice(one, "type", (0, 1))
    for key in ("allow", "deny"):
        permissions(f, one, key)


def permissions(f, body, key):
    value = body.get(key)
    if value is not None and not str(value).isdigit():
        f.wrong([key], "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')


def role(body):
    f = Form()
    f.text(body, "name", 100, 1)
    f.number(body, "color", 0, 0xffffff)
    f.flag(body, "hoist")
    f.flag(body, "mentionable")
    permissions(f, body, "permissions")
    colors = f.record(body, "colors")
    with f.inside("colors"):
        for key in ("primary_color", "secondary_color", "tertiary_color"):
            f.number(colors, key, 0, 0xffffff)
    return (400, f.answer()) if f.errors else None
