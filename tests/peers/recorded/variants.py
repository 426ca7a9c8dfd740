"""Recorded dispatches, and what they might have looked like besides.

    dispatches(folder)    each recorded dispatch: (where, name, data)
    variants(data)        (what is other, data): as it was; each field, at any
                          depth down to DEPTH, left out, null, or an object or
                          a text where it was something else

folder is the fixtures' discord/. Objects that were recorded alone, without a
gateway's envelope, become the dispatch that carries such an object.
"""

import copy
import json

DEPTH = 3

# objects recorded alone, and the dispatch that brings such a one
ALONE = (
    ("remora/Objects/MESSAGE", "MESSAGE_CREATE"),
    ("discord4j/rest/Message*", "MESSAGE_CREATE"),
    ("discord4j/rest/CreateMessage*", "MESSAGE_CREATE"),
    ("docs-examples/resources__message__0[12]*", "MESSAGE_CREATE"),
    ("docs-examples/resources__message__13*", "MESSAGE_CREATE"),
    ("docs-examples/resources__channel__*", "CHANNEL_CREATE"),
    ("remora/Objects/CHANNEL", "CHANNEL_CREATE"),
    ("remora/Objects/GUILD", "GUILD_CREATE"),
    ("docs-examples/resources__guild__01*", "GUILD_CREATE"),
    ("docs-examples/interactions__application-commands__0[357]*",
     "INTERACTION_CREATE"),
    ("remora/Objects/INTERACTION", "INTERACTION_CREATE"),
    ("kord", "INTERACTION_CREATE"),
)
# trees of components, to be put into a message
TREES = ("jda/**/ComponentSerializerTest/*.json",
         "remora/Objects/MESSAGE_COMPONENT",
         "docs-examples/components__reference__*")
MESSAGE = {"type": 0, "content": "", "timestamp": "2026-01-01T00:00:00Z",
           "edited_timestamp": None, "tts": False, "pinned": False,
           "mention_everyone": False, "mentions": [], "mention_roles": [],
           "attachments": [], "embeds": [], "components": [],
           "flags": 1 << 15, "author": {
               "id": "999999999999999998", "username": "none",
               "discriminator": "0", "avatar": None, "global_name": None}}


def _files(folder, pattern):
    found = sorted(folder.glob(pattern))
    for path in found:
        if path.is_dir():
            yield from sorted(path.rglob("*.json"))
        else:
            yield path


def _read(path):
    value = json.loads(path.read_text())
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, dict) else None


def _tree(path, value):
    """A message that shows a recorded component, or those of a message."""
    if "components" in value and "type" not in value:
        return dict(MESSAGE, **{k: v for k, v in value.items()
                                if k in MESSAGE})
    if isinstance(value.get("type"), int):
        return dict(MESSAGE, components=[value])
    return None


def dispatches(folder):
    for path in sorted(folder.rglob("*.json")):
        if "openapi" in path.parts:
            continue
        value = _read(path)
        if value and value.get("op") == 0 and value.get("t") \
                and isinstance(value.get("d"), (dict, list)):
            yield str(path.relative_to(folder)), value["t"], value["d"]
    for pattern, name in ALONE:
        for path in _files(folder, pattern):
            value = _read(path)
            if value and "op" not in value:
                yield str(path.relative_to(folder)), name, value
    for pattern in TREES:
        for path in _files(folder, pattern):
            value = _read(path)
            message = value and _tree(path, value)
            if message:
                yield str(path.relative_to(folder)), "MESSAGE_CREATE", \
                    message


def places(value, depth=DEPTH, path=()):
    """The path to every field; of a list, its first element stands for all."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield path + (key,)
            yield from places(inner, depth - 1, path + (key,))
    elif isinstance(value, list) and value:
        yield from places(value[0], depth, path + (0,))


def _changed(data, path, make):
    """A copy in which make(holder, step) changed what the path leads to."""
    data = copy.deepcopy(data)
    at = data
    for step in path[:-1]:
        at = at[step]
    make(at, path[-1])
    return data


def _null(at, step):
    at[step] = None


def _other_kind(at, step):
    at[step] = "?" if isinstance(at[step], (dict, list)) else {}


CHANGES = (("without", lambda at, step: at.pop(step)), ("null for", _null),
           ("another kind of", _other_kind))


def variants(data):
    yield "as recorded", data
    for path in places(data):
        for word, make in CHANGES:
            yield f"{word} {'.'.join(map(str, path))}", \
                _changed(data, path, make)
