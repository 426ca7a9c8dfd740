"""memory - whether the index has what it says that it has.

Where its coverage says that a stretch of a channel is known, every message that
Discord has there must be in it. What is not covered may be missing.
"""
import sqlite3

from stage import get

PAGE = 100


def there(stage, channel):
    """Ids of the messages that a channel has."""
    found, before = [], ""
    while True:
        page = get(f"{stage.api}/channels/{channel}/messages?limit={PAGE}"
                   f"{before}", token=stage.env["DISCORD_TOKEN"])
        found += [int(m["id"]) for m in page]
        if len(page) < PAGE:
            return found
        before = f"&before={page[-1]['id']}"


def missing(stage):
    """What is wrong with the index."""
    stage.do("limits", mode="off")
    path = stage.home / "messages.sqlite"
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for number, channel in db.execute("SELECT ord, id FROM channel"):
        ranges = db.execute("SELECT low, high FROM coverage"
                            " WHERE channel = ?", (number,)).fetchall()
        if not ranges:
            continue
        known = {row[0] for row in db.execute(
            "SELECT id FROM message WHERE channel = ?", (number,))}
        for message in there(stage, channel):
            if message not in known and \
                    any(low <= message <= high for low, high in ranges):
                yield f"not indexed, though covered: {message} in {channel}"
    db.close()
