"""What Discord refuses in the body of a request, beyond its mere shape.

Each check returns None, or (status, body) as Discord would answer:

    message(body, files, ...)   creating or editing a message
    modal(data)                 the data of a modal

Lengths are what the documentation says: 2000 characters of content, though
its OpenAPI file allows 4000. limits_components.py has the rules of
components, limits_commands.py those of application commands, form.py has the
shape of the answer.
"""

from form import Form
from limits_components import Tree

SUPPRESS_EMBEDS, EPHEMERAL, COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 15
FILE_BYTES, REQUEST_BYTES = 10 << 20, 25 << 20
EMPTY = 400, {"message": "Cannot send an empty message", "code": 50006}
TOO_LARGE = 413, {"message": "Request entity too large", "code": 40005}


def message(body, files=None, edited=None, file_bytes=FILE_BYTES):
    """Check a message to be created, or the change of one.

    files maps the number n of each part files[n] to (name, bytes).
    edited is the message object that an edit is about.
    """
    files = files or {}
    if any(size > file_bytes for _, size in files.values()) or \
            sum(size for _, size in files.values()) > REQUEST_BYTES:
        return TOO_LARGE
    f = Form()
    flags = body.get("flags") or 0
    if not isinstance(flags, int) or isinstance(flags, bool):
        f.number(body, "flags", 0, 1 << 32)
        flags = 0
    was = (edited or {}).get("flags") or 0
    v2 = bool((flags | was) & COMPONENTS_V2)

    f.text(body, "content", 2000)
    if not isinstance(body.get("nonce"), int):
        _nonce(f, body)
    _embeds(f, body)
    _allowed_mentions(f, body)
    f.ids(body, "sticker_ids", 3)
    _attachments(f, body, files, edited)
    _reference(f, body)
    _poll(f, body)
    names = {name for name, _ in files.values()}
    names |= {a["filename"] for a in (edited or {}).get("attachments", ())}
    Tree(f, v2, names).message(body)
    if v2:
        _v2_alone(f, body)
    return (400, f.answer()) if f.errors else _empty(body, files, edited)


def _nonce(f, body):
    nonce = body.get("nonce")
    if nonce is not None and (not isinstance(nonce, str) or len(nonce) > 25):
        f.wrong(["nonce"], "NONCE_TYPE_TOO_LONG",
                "Nonce must be 25 or fewer in length.")
    f.flag(body, "enforce_nonce")


def _empty(body, files, edited):
    """A message must show something. White space is nothing."""
    def shows(key):
        value = body.get(key)
        if key == "attachments" and not edited:
            return False
        if value is None and edited and key not in body:
            value = edited.get(key)
        return bool(value.strip()) if isinstance(value, str) else bool(value)

    if body.get("message_reference") and \
            body["message_reference"].get("type") == 1:
        return None
    if files or any(shows(key) for key in ("content", "embeds",
                                           "sticker_ids", "components",
                                           "poll", "attachments")):
        return None
    return EMPTY


def _v2_alone(f, body):
    for key in ("content", "embeds", "sticker_ids", "poll"):
        if body.get(key):
            f.wrong([key],
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{key}' field cannot be used when using "
                    "MessageFlags.IS_COMPONENTS_V2")


def _embeds(f, body):
    total = 0

    def text(obj, key, most, least=0, required=False):
        nonlocal total
        value = f.text(obj, key, most, least, required)
        total += len((value or "").strip())

    for embed in f.items(body, "embeds", 10):
        text(embed, "title", 256)
        text(embed, "description", 4096)
        f.url(embed, "url")
        f.number(embed, "color", 0, 0xffffff)
        for key, part, most in (("footer", "text", 2048),
                                ("author", "name", 256)):
            inner = f.record(embed, key)
            with f.inside(key):
                text(inner, part, most, required=bool(inner))
        for key in ("image", "thumbnail"):
            inner = f.record(embed, key)
            with f.inside(key):
                f.url(inner, "url", 2048, ("http", "https", "attachment"),
                      required=bool(inner))
        for field in f.items(embed, "fields", 25):
            text(field, "name", 256, 1, required=True)
            text(field, "value", 1024, 1, required=True)
    if total > 6000:
        f.wrong(["embeds"], "MAX_EMBED_SIZE_EXCEEDED",
                "Embed size exceeds maximum size of 6000")


def _allowed_mentions(f, body):
    allowed = f.record(body, "allowed_mentions")
    with f.inside("allowed_mentions"):
        ids = {key: f.ids(allowed, key, 100) for key in ("users", "roles")}
        f.flag(allowed, "replied_user")
        parse = allowed.get("parse")
        if parse is None:
            return
        if not isinstance(parse, list):
            f.wrong(["parse"], "LIST_TYPE_CONVERT",
                    "Only iterables may be used in a ListType")
            return
        for i, word in enumerate(parse):
            with f.inside("parse"):
                f.choice({str(i): word}, str(i),
                         ("users", "roles", "everyone"))
        for key in ("users", "roles"):
            if key in parse and ids[key]:
                f.wrong([], "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                        f'parse:["{key}"] and {key}: [ids...] are mutually '
                        "exclusive.")


def _attachments(f, body, files, edited):
    if len(files) > 10:
        f.length(["attachments"], len(files), 0, 10)
    known = {str(n) for n in files}
    known |= {a["id"] for a in (edited or {}).get("attachments", ())}
    for entry in f.items(body, "attachments", 10):
        f.text(entry, "filename", 1024)
        f.text(entry, "description", 1024)
        number = f.snowflake(entry, "id", required=True)
        if number is not None and number not in known:
            f.wrong(["id"], "ATTACHMENT_NOT_FOUND",
                    f"The specified attachment {number} was not found "
                    "among the files of the request")


def _reference(f, body):
    reference = f.record(body, "message_reference")
    with f.inside("message_reference"):
        if not reference:
            return
        kind = f.choice(reference, "type", (0, 1))
        f.snowflake(reference, "message_id", required=True)
        f.snowflake(reference, "channel_id", required=kind == 1)
        f.snowflake(reference, "guild_id")
        f.flag(reference, "fail_if_not_exists")


def _poll(f, body):
    poll = f.record(body, "poll")
    if not poll:
        return
    with f.inside("poll"):
        question = f.record(poll, "question", required=True)
        with f.inside("question"):
            f.text(question, "text", 300, 1, required=bool(question))
        for answer in f.items(poll, "answers", 10, 1, required=True):
            media = f.record(answer, "poll_media", required=True)
            with f.inside("poll_media"):
                f.text(media, "text", 55, 1, required=bool(media))
        f.number(poll, "duration", 1, 768)


def modal(data):
    """Check the data of an interaction answered by a modal."""
    f = Form()
    Tree(f, v2=False).modal(data)
    return (400, f.answer()) if f.errors else None
