"""Recorded dispatches, to be sent through the whole chain, and judged after.

    recorded messages FOLDER GUILD CHANNEL   print {"about", "t", "d"} a line
    recorded others FOLDER GUILD CHANNEL     the same
    recorded sessions FOLDER GUILD CHANNEL   the same
    recorded compare EVENTS RECORDS          compare what the index then holds

FOLDER is the fixtures' discord/. Messages get ids of their own and are put
into CHANNEL, so that each variant can be found again; all other dispatches
come twice, as recorded and moved to GUILD. sessions are those that begin one.
RECORDS is what `sophia index export` printed. compare prints what differs, and
exits 1 if anything does.
"""

import copy
import json
import pathlib
import sys
import time

import judge
from variants import dispatches, variants

EPOCH_MS = 1420070400000
MOST_SHOWN = 40
# what begins or resumes a session
SESSION = ("READY", "RESUMED")
MESSAGES = ("MESSAGE_CREATE", "MESSAGE_UPDATE")


class Ids:
    """Snowflakes of the last hours, each of another second."""

    def __init__(self, now_ms):
        self.at_ms = now_ms - 6 * 3600 * 1000

    def __call__(self):
        self.at_ms += 500
        return str((self.at_ms - EPOCH_MS) << 22)


def moved(data, guild, channel, new_id):
    """A message as if it were written in that channel."""
    data = copy.deepcopy(data)
    for key, value in (("id", new_id), ("channel_id", channel),
                       ("guild_id", guild)):
        if data.get(key) is not None:
            data[key] = value
    ref = data.get("message_reference")
    if isinstance(ref, dict) and ref.get("type") != judge.FORWARD:
        for key, value in (("channel_id", channel), ("guild_id", guild)):
            if ref.get(key):
                ref[key] = value
    return data


def messages(recorded, guild, channel, ids):
    for where, name, data in recorded:
        if name not in MESSAGES:
            continue
        # alone, an object may lack what the gateway adds
        data = {"channel_id": channel, "guild_id": guild, "id": "1", **data}
        for other, variant in variants(data):
            new_id = ids()
            if name == "MESSAGE_UPDATE":
                first = moved(dict(BEFORE), guild, channel, new_id)
                yield f"{where}: before", "MESSAGE_CREATE", first
            yield f"{where}: {other}", name, \
                moved(variant, guild, channel, new_id)


BEFORE = {
    "id": "1", "channel_id": "1", "guild_id": "1", "type": 0, "content":
    "before", "timestamp": "2026-01-01T00:00:00Z", "edited_timestamp": None,
    "tts": False, "mention_everyone": False, "mentions": [],
    "mention_roles": [], "attachments": [], "embeds": [], "pinned": False,
    "author": {"id": "999999999999999998", "username": "ada",
               "discriminator": "0", "avatar": None, "global_name": None}}


def others(recorded, guild):
    for where, name, data in recorded:
        if name in MESSAGES + SESSION:
            continue
        for other, variant in variants(data):
            yield f"{where}: {other}", name, variant
            if not isinstance(variant, dict):
                continue
            here = dict(variant)
            key = "id" if name in ("GUILD_CREATE", "GUILD_UPDATE") \
                else "guild_id"
            if key in here and name != "GUILD_DELETE":
                here[key] = guild
                yield f"{where}, here: {other}", name, here


def sessions(recorded):
    for where, name, data in recorded:
        if name in SESSION:
            for other, variant in variants(data):
                yield f"{where}: {other}", name, variant


def events(what, folder, guild, channel):
    recorded = list(dispatches(pathlib.Path(folder)))
    ids = Ids(int(time.time() * 1000))
    made = {"messages": lambda: messages(recorded, guild, channel, ids),
            "others": lambda: others(recorded, guild),
            "sessions": lambda: sessions(recorded)}[what]()
    for about, name, data in made:
        print(json.dumps({"about": about, "t": name, "d": data}))


def compare(events_path, records_path):
    with open(records_path, encoding="utf-8") as file:
        records = {r["id"]: r for r in map(json.loads, file)
                   if r["type"] == "message"}
    wrong, seen, before = [], 0, set()
    with open(events_path, encoding="utf-8") as file:
        lines = [line for line in map(json.loads, file)
                 if line["t"] in MESSAGES]
    for line in lines:
        data = line["d"]
        if line["about"].endswith(": before"):
            before.add(data["id"])
            continue
        seen += 1
        record = records.get(judge.number(data.get("id")))
        there = judge.indexed(data, data.get("id") in before)
        if there and not record:
            wrong.append(f"{line['about']}: is not in the index")
        elif record and there:
            wrong += [f"{line['about']}: {d}"
                      for d in judge.differences(
                          data, record, data["id"] not in before)]
    for text in wrong[:MOST_SHOWN]:
        print(text)
    print(f"{seen} messages, {len(wrong)} differences")
    return 1 if wrong or not seen else 0


def main(args):
    if len(args) == 4 and args[0] in ("messages", "others",
                                           "sessions"):
        events(*args)
        return 0
    if len(args) == 3 and args[0] == "compare":
        return compare(*args[1:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
