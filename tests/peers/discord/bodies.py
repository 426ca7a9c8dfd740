"""bodies - what the body of a message becomes when it is stored.

What it may not be, limits_body.py says.
"""
import components
import limits_body
from clock import iso
from errors import ApiError, refuse_form

V2, EPHEMERAL, SUPPRESS_EMBEDS, SNAPSHOT = 1 << 15, 1 << 6, 1 << 2, 1 << 14
SETTABLE = SUPPRESS_EMBEDS | 1 << 12 | 1 << 13 | V2


def check_message(call, body, editing=None):
    """Refuse a body that is none. editing is the message it changes."""
    if not isinstance(body, dict):
        raise ApiError(400, 50035, errors={"_errors": [{
            "code": "MODEL_TYPE_CONVERT", "message":
            "Only dictionaries may be used in a ModelType"}]})
    files = {part_number(name, at): (filename, len(data))
             for at, (name, filename, _, data) in enumerate(call.files)}
    refuse_form(limits_body.message(body, files, editing))


def part_number(name, at):
    """The n of files[n]; parts of other names count as they come."""
    number = name[6:-1] if name.startswith("files[") else ""
    return int(number) if number.isdigit() else at


def stored_embed(embed):
    out = {"type": "rich"}
    out.update({k: v for k, v in embed.items() if v is not None})
    if out.get("fields"):
        out["fields"] = [dict({"inline": False}, **f) for f in out["fields"]]
    return out


def store_files(discord, channel, call, body):
    """The call's files on the CDN, as attachment objects."""
    described = {str(a.get("id")): a for a in body.get("attachments") or []}
    out = []
    for at, (name, filename, kind, data) in enumerate(call.files):
        discord.books.add("files")
        discord.books.add("files.bytes", len(data))
        more = described.get(str(part_number(name, at)), {})
        out.append(discord.cdn.store(
            channel["id"], more.get("filename") or filename, kind, data,
            more.get("description")))
    return out


def stored_poll(discord, poll):
    hours = poll.get("duration", 24)
    return {"question": poll["question"], "answers": [
        {"answer_id": n + 1, "poll_media": {
            k: v for k, v in a["poll_media"].items() if v is not None}}
        for n, a in enumerate(poll["answers"])],
        "expiry": iso(discord.clock.now_ms() + hours * 3600 * 1000),
        "allow_multiselect": bool(poll.get("allow_multiselect")),
        "layout_type": poll.get("layout_type", 1),
        "_votes": {n + 1: [] for n in range(len(poll["answers"]))}}


def message_fields(discord, channel, call, body, reference):
    """What a checked body puts into a new message object."""
    fields = {"attachments": store_files(discord, channel, call, body),
              "embeds": [stored_embed(e) for e in body.get("embeds") or []],
              "components": components.stored(body.get("components") or []),
              "tts": bool(body.get("tts")),
              "flags": (body.get("flags") or 0) & (SETTABLE | EPHEMERAL)}
    if body.get("poll"):
        fields["poll"] = stored_poll(discord, body["poll"])
    if reference and reference["type"] == 1:
        there = discord.world.history[reference["channel_id"]]
        first = discord.render.message(there.get(reference["message_id"]))
        fields["flags"] |= SNAPSHOT
        fields["message_snapshots"] = [{"message": {
            k: first[k] for k in (
                "type", "content", "mentions", "mention_roles", "attachments",
                "embeds", "timestamp", "edited_timestamp", "flags",
                "components")}}]
    elif reference:
        fields["type"] = 19
    if reference:
        fields["message_reference"] = reference
    return fields


def edit_fields(discord, call, body, message):
    """What a checked body changes in a message."""
    fields = {}
    if "content" in body:
        fields["content"] = body["content"] or ""
        fields["_allowed"] = body.get("allowed_mentions")
    if "embeds" in body:
        fields["embeds"] = [stored_embed(e) for e in body["embeds"] or []]
    if "components" in body:
        fields["components"] = components.stored(body["components"] or [])
    if "flags" in body:
        kept = message.get("flags", 0) & ~SUPPRESS_EMBEDS
        fields["flags"] = kept | ((body["flags"] or 0) &
                                  (SUPPRESS_EMBEDS | V2))
    if "attachments" in body or call.files:
        channel = discord.world.channels[message["channel_id"]]
        asked = body.get("attachments")
        keep = message["attachments"] if asked is None else \
            [a for a in message["attachments"]
             if any(str(k.get("id")) == a["id"] for k in asked)]
        fields["attachments"] = keep + store_files(discord, channel, call,
                                                   body)
    return fields
