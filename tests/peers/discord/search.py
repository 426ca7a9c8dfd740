"""search - messages of a guild by words and properties."""
import re

import intents
from errors import check, missing_access
from form import Form
from rest import route

LIMIT, OFFSET, CONTENT = 25, 9975, 1024
HAS = {"link": lambda m: "http://" in m["content"] or "https://" in
       m["content"], "embed": lambda m: bool(m["embeds"]),
       "file": lambda m: bool(m["attachments"]),
       "image": lambda m: any((a.get("content_type") or "").startswith(
           "image/") for a in m["attachments"]),
       "poll": lambda m: bool(m.get("poll")),
       "snapshot": lambda m: "message_snapshots" in m}
LISTS = {"channel_id": 500, "author_id": 100, "mentions": 100, "has": 100}


def wanted(call):
    """The lists of the query, checked."""
    out, form = {}, Form()
    for name, most in LISTS.items():
        out[name] = call.request.query.getall(name, [])
        if len(out[name]) > most:
            form.length([name], len(out[name]), 0, most)
    content = call.query.get("content", "")
    form.text({"content": content}, "content", CONTENT)
    for word in out["has"]:
        form.choice({"has": word.lstrip("-")}, "has", HAS)
    check(form)
    out["words"] = re.findall(r"\w+", content.lower())
    out["min"] = call.snowflake("min_id") or 0
    out["max"] = call.snowflake("max_id") or 1 << 63
    return out


def fits(m, want):
    if not want["min"] < int(m["id"]) < want["max"]:
        return False
    if want["author_id"] and m["author"]["id"] not in want["author_id"]:
        return False
    if want["mentions"] and not set(want["mentions"]) & set(m["_mentions"]):
        return False
    for word in want["has"]:
        if HAS[word.lstrip("-")](m) == word.startswith("-"):
            return False
    said = set(re.findall(r"\w+", m["content"].lower()))
    return all(word in said for word in want["words"])


@route("GET", "/guilds/{guild_id}/messages/search")
async def search(discord, call):
    guild = discord.own_guild(call)
    if not discord.portal & intents.BIT["MESSAGE_CONTENT"]:
        raise missing_access()
    limit = call.number("limit", LIMIT, 1, LIMIT)
    offset = call.number("offset", 0, 0, OFFSET)
    want = wanted(call)
    if not discord.world.indexed[guild["id"]]:
        return 202, {"message": "Index not yet available. Try again later",
                     "code": 110000, "documents_indexed": 0,
                     "retry_after": 2}
    found = []
    for channel in guild["_channels"].values():
        if (want["channel_id"] and channel["id"] not in want["channel_id"]) \
                or not discord.world.may(channel, "VIEW_CHANNEL",
                                         "READ_MESSAGE_HISTORY"):
            continue
        found += [m for m in
                  discord.world.history[channel["id"]].by_id.values()
                  if fits(m, want)]
    found.sort(key=lambda m: int(m["id"]),
               reverse=call.query.get("sort_order", "desc") == "desc")
    shown = found[offset:offset + limit]
    return {"analytics_id": "0" * 32, "doing_deep_historical_index": False,
            "total_results": len(found),
            "messages": [[dict(discord.render.for_rest(m, discord.portal),
                               hit=True)] for m in shown],
            "threads": [], "members": []}
