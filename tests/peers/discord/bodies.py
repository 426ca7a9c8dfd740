"""bodies - what a message may consist of, and what it becomes when stored."""
import components
import embeds
from errors import ApiError, Faults

CONTENT_MAX, FILES_MAX, FILE_MAX = 2000, 10, 10 << 20
V2, EPHEMERAL = 1 << 15, 1 << 6
SETTABLE = 1 << 2 | 1 << 12 | 1 << 13 | V2
FORBIDDEN_IN_V2 = ("content", "embeds", "sticker_ids", "poll")


def check_message(discord, call, body, editing=None, ephemeral=False):
    """Refuse a body that is none. editing is the message it changes;
    ephemeral: interactions may set that flag."""
    if not isinstance(body, dict):
        raise ApiError(400, 50035, errors={"_errors": [{
            "code": "DICT_TYPE_CONVERT", "message":
            "Only dictionaries may be used in a DictType"}]})
    faults = Faults()
    flags = body.get("flags") or 0
    check_flags(faults, flags, editing, ephemeral)
    v2 = bool((flags | (editing or {}).get("flags", 0)) & V2)
    if body.get("content") is not None:
        faults.length(["content"], body["content"], 0, CONTENT_MAX)
    if v2:
        for name in FORBIDDEN_IN_V2:
            if body.get(name):
                faults.add([name], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_"
                           "COMPONENTS_V2", f"The '{name}' field cannot be used"
                           " when using MessageFlags.IS_COMPONENTS_V2")
    check_nonce(faults, body)
    check_mentions(faults, body.get("allowed_mentions"))
    if body.get("embeds"):
        embeds.check(faults, body["embeds"])
    if body.get("components"):
        components.check(faults, body["components"], v2)
    check_files(faults, call, body, editing)
    if body.get("poll") is not None:
        check_poll(faults, body["poll"])
    faults.check()
    if not editing and not call.files and not any(
            body.get(k) for k in ("content", "embeds", "sticker_ids", "poll",
                                  "components")) and \
            (body.get("message_reference") or {}).get("type") != 1:
        raise ApiError(400, 50006)
    if editing and "content" in body and not body["content"] and \
            not any(body[k] if k in body else editing.get(k) for k in
                    ("embeds", "components", "attachments", "poll")) and \
            not call.files:
        raise ApiError(400, 50006)


def check_flags(faults, flags, editing, ephemeral):
    if not isinstance(flags, int):
        faults.add(["flags"], "NUMBER_TYPE_COERCE",
                   f"Value \"{flags}\" is not int.")
        return
    if flags & EPHEMERAL and not ephemeral:
        faults.add(["flags"], "MESSAGE_FLAGS_INVALID",
                   "EPHEMERAL can only be set in interactions.")
    if editing and editing.get("flags", 0) & V2 and "flags" in editing and \
            flags and not flags & V2:
        faults.add(["flags"], "MESSAGE_FLAGS_INVALID",
                   "IS_COMPONENTS_V2 cannot be removed.")


def check_nonce(faults, body):
    nonce = body.get("nonce")
    if isinstance(nonce, str):
        faults.length(["nonce"], nonce, 0, 25)
    elif nonce is not None and (not isinstance(nonce, int) or
                                isinstance(nonce, bool)):
        faults.add(["nonce"], "STRING_TYPE_CONVERT",
                   f"Could not interpret \"{nonce}\" as string.")


def check_mentions(faults, allowed):
    if allowed is None:
        return
    where = ["allowed_mentions"]
    parse = allowed.get("parse") or []
    for at, word in enumerate(parse):
        if word not in ("users", "roles", "everyone"):
            faults.add(where + ["parse", at], "BASE_TYPE_CHOICES",
                       f"Value \"{word}\" must be one of"
                       " ('users', 'roles', 'everyone').")
    for name in ("users", "roles"):
        ids = allowed.get(name) or []
        faults.size(where + [name], ids, 0, 100)
        if ids and name in parse:
            faults.add(where, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                       f"parse:[\"{name}\"] and {name}: [ids...] are"
                       " mutually exclusive.")


def check_files(faults, call, body, editing):
    kept = len(body.get("attachments") or []) if not call.files else \
        len([a for a in body.get("attachments") or []
             if editing and len(str(a.get("id"))) > 5])
    if kept + len(call.files) > FILES_MAX:
        faults.add(["attachments"], "BASE_TYPE_MAX_LENGTH",
                   f"Must be {FILES_MAX} or fewer in length.")
    for _, _, _, data in call.files:
        if len(data) > FILE_MAX:
            raise ApiError(413, 40005)
    named = {name for name, _, _, _ in call.files}
    for at, given in enumerate(body.get("attachments") or []):
        where = ["attachments", at]
        if given.get("description") is not None:
            faults.length(where + ["description"], given["description"], 0,
                          1024)
        number = str(given.get("id", ""))
        known = editing and any(a["id"] == number
                                for a in editing["attachments"])
        if not known and f"files[{number}]" not in named:
            faults.add(where + ["id"], "ATTACHMENT_NOT_FOUND",
                       "This attachment was not found.")


def check_poll(faults, poll):
    where = ["poll"]
    if not isinstance(poll, dict) or \
            not (poll.get("question") or {}).get("text"):
        faults.required(where + ["question", "text"])
        return
    faults.length(where + ["question", "text"], poll["question"]["text"], 1,
                  300)
    if faults.size(where + ["answers"], poll.get("answers"), 1, 10):
        for at, answer in enumerate(poll["answers"]):
            faults.length(where + ["answers", at, "poll_media", "text"],
                          answer.get("poll_media", {}).get("text", ""), 1, 55)
    if not 1 <= poll.get("duration", 24) <= 32 * 24:
        faults.add(where + ["duration"], "NUMBER_TYPE_MAX",
                   "int value should be between 1 and 768.")


def store_files(discord, channel, call, body):
    """The call's files on the CDN, as attachment objects."""
    described = {str(a.get("id")): a for a in body.get("attachments") or []}
    out = []
    for at, (name, filename, kind, data) in enumerate(call.files):
        number = name[6:-1] if name.startswith("files[") else str(at)
        more = described.get(number, {})
        out.append(discord.cdn.store(
            channel["id"], more.get("filename") or filename, kind, data,
            more.get("description")))
    return out


def stored_poll(discord, poll):
    hours = poll.get("duration", 24)
    from clock import iso
    return {"question": poll["question"], "answers": [
        {"answer_id": n + 1, "poll_media": a["poll_media"]}
        for n, a in enumerate(poll["answers"])],
        "expiry": iso(discord.clock.now_ms() + hours * 3600 * 1000),
        "allow_multiselect": bool(poll.get("allow_multiselect")),
        "layout_type": poll.get("layout_type", 1),
        "_votes": {n + 1: [] for n in range(len(poll["answers"]))}}


def message_fields(discord, channel, call, body, reference):
    """What a checked body puts into a new message object."""
    fields = {"attachments": store_files(discord, channel, call, body),
              "embeds": [embeds.stored(e) for e in body.get("embeds") or []],
              "components": components.stored(body.get("components") or []),
              "tts": bool(body.get("tts")),
              "flags": (body.get("flags") or 0) & (SETTABLE | EPHEMERAL)}
    if body.get("poll"):
        fields["poll"] = stored_poll(discord, body["poll"])
    if reference and reference["type"] == 1:
        there = discord.world.history[reference["channel_id"]]
        first = discord.render.message(there.get(reference["message_id"]))
        fields["flags"] |= 1 << 14
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
        fields["embeds"] = [embeds.stored(e) for e in body["embeds"] or []]
    if "components" in body:
        fields["components"] = components.stored(body["components"] or [])
    if "flags" in body:
        kept = message.get("flags", 0) & ~(1 << 2)
        fields["flags"] = kept | ((body["flags"] or 0) & (1 << 2 | V2))
    if "attachments" in body or call.files:
        channel = discord.world.channels[message["channel_id"]]
        asked = body.get("attachments")
        keep = message["attachments"] if asked is None else \
            [a for a in message["attachments"]
             if any(str(k.get("id")) == a["id"] for k in asked)]
        fields["attachments"] = keep + store_files(discord, channel, call,
                                                   body)
    return fields
