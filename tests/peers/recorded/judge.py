"""What the index should hold of a message object, worked out from the object
itself, and how that differs from a `message` record.

Where a field is absent, null or of a kind that it cannot have, a new message is
expected to have it empty; nothing is then expected of a changed one.
"""

import datetime

REPLY, FORWARD = 19, 1
EPOCH = "1970-01-01T00:00:00.000Z"  # stands for never, in samples


def number(value):
    """A snowflake, or None for what is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return None
    text = str(value)
    good = text.isascii() and text.isdigit() and 0 < int(text) < 1 << 64
    return text if good else None


def time(value):
    """A time as records write it: milliseconds, in UTC."""
    at = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    at = at.astimezone(datetime.timezone.utc)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def dicts(value):
    return [v for v in value if isinstance(v, dict)]


def text(value):
    return value if isinstance(value, str) else ""


def shown(embed):
    return {k: embed[k] for k in ("title", "description", "url")
            if isinstance(embed.get(k), str) and embed[k]}


def reply(data):
    """The message answered, if it is one of the same channel."""
    ref = data.get("message_reference")
    if not isinstance(ref, dict) or ref.get("type") == FORWARD:
        return None
    if number(ref.get("channel_id")) not in (None, data["channel_id"]):
        return None
    kind = data.get("type")
    return number(ref.get("message_id")) if kind in (0, REPLY) \
        or not isinstance(kind, int) else None


def indexed(data, known=False):
    """Whether a message of a guild can be indexed at all. Of one that is
    known, the author need not be told again."""
    author = data.get("author")
    return bool(number(data.get("id")) and number(data.get("channel_id"))
                and number(data.get("guild_id")) and (known or (
                    isinstance(author, dict) and number(author.get("id")))))


EMPTY = {"text": "", "kind": 0, "pinned": False, "edited": None,
         "attachments": [], "embeds": [], "mentions": [], "reply_to": None}


def expected(data, new):
    """{field: value} that the record of a message has to have."""
    out = {"id": number(data["id"]), **(EMPTY if new else {})}
    author = data.get("author")
    if isinstance(author, dict) and number(author.get("id")):
        out["author.id"] = number(author["id"])
    if isinstance(data.get("content"), str):
        out["text"] = data["content"]
    if isinstance(data.get("type"), int) \
            and not isinstance(data["type"], bool):
        out["kind"] = data["type"]
    if isinstance(data.get("pinned"), bool):
        out["pinned"] = data["pinned"]
    if isinstance(data.get("edited_timestamp"), str):
        at = time(data["edited_timestamp"])
        out["edited"] = at if at > EPOCH else None
    if isinstance(data.get("attachments"), list):
        out["attachments"] = [
            (number(a["id"]), text(a.get("filename")),
             text(a.get("url")))
            for a in dicts(data["attachments"]) if number(a.get("id"))]
    if isinstance(data.get("embeds"), list):
        out["embeds"] = [e for e in map(shown, dicts(data["embeds"])) if e]
    if isinstance(data.get("mentions"), list):
        out["mentions"] = [number(u["id"]) for u in dicts(data["mentions"])
                           if number(u.get("id"))]
    if reply(data):
        out["reply_to"] = reply(data)
    return out


def found(record):
    """The same fields of a record."""
    return {
        "id": record["id"], "author.id": record["author"]["id"],
        "text": record["text"], "kind": record.get("kind", 0),
        "pinned": record.get("pinned", False),
        "edited": record.get("edited"), "reply_to": record.get("reply_to"),
        "attachments": [(a["id"], a.get("name", ""), a.get("url", ""))
                        for a in record.get("attachments", ())
                        if a["id"] != "0"],
        "embeds": [e for e in map(shown, record.get("embeds", ())) if e],
        "mentions": [u["id"] for u in record.get("mentions", ())
                     if "id" in u]}


def differences(data, record, new):
    have = found(record)
    return [f"{key}: {have[key]!r}, not {value!r}" for key, value
            in expected(data, new).items() if have[key] != value]
