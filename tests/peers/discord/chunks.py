"""chunks - opcode 8: members of a guild on the gateway, in chunks of 1000."""
import intents
import render

CHUNK, EVERYONE_S = 1000, 30


def chosen(guild, data):
    members = guild["_members"]
    if "user_ids" in data:
        ids = data["user_ids"]
        ids = ids if isinstance(ids, list) else [ids]
        return ([members[i] for i in ids if i in members],
                [i for i in ids if i not in members])
    query, limit = data.get("query", "").lower(), data.get("limit", 0)
    found = [m for m in members.values() if any(
        n and n.lower().startswith(query) for n in
        (m["user"]["username"], m["user"]["global_name"], m["nick"]))]
    return found[:limit] if limit else found, []


def limited(discord, session, guild, data):
    """Tell of the limit on whole guilds; True if it was passed."""
    asked = discord.hub.asked_everyone
    now = discord.clock.now()
    left = asked.get(guild["id"], 0) + EVERYONE_S - now
    if left > 0:
        discord.books.violation("all members of a guild twice in 30 s")
        session.emit("RATE_LIMITED", {
            "opcode": 8, "retry_after": round(left, 3),
            "meta": {"guild_id": guild["id"], "nonce": data.get("nonce")}})
        return True
    asked[guild["id"]] = now
    return False


async def request_members(discord, connection, data):
    session = connection.session
    guild = discord.world.guilds.get(str(data.get("guild_id"))) \
        if isinstance(data, dict) else None
    if guild is None or ("query" not in data) == ("user_ids" not in data):
        discord.books.violation("bad request for members")
        return await connection.close(4002, "Error while decoding payload.")
    everyone = data.get("query") == "" and not data.get("limit")
    if everyone and not session.intents & intents.BIT["GUILD_MEMBERS"]:
        discord.books.violation("all members without GUILD_MEMBERS")
        return None
    ids = data.get("user_ids")
    if (isinstance(ids, list) and len(ids) > 100) or \
            data.get("limit", 0) > 100:
        discord.books.violation("more than 100 members by name or id")
        return await connection.close(4002, "Error while decoding payload.")
    if everyone and limited(discord, session, guild, data):
        return None
    found, missing = chosen(guild, data)
    count = max(1, -(-len(found) // CHUNK))
    for n in range(count):
        chunk = {"guild_id": guild["id"], "chunk_index": n,
                 "chunk_count": count, "members": [
                     render.member(m)
                     for m in found[n * CHUNK:(n + 1) * CHUNK]]}
        if missing:
            chunk["not_found"] = missing
        if data.get("nonce") and len(data["nonce"]) <= 32:
            chunk["nonce"] = data["nonce"]
        session.emit("GUILD_MEMBERS_CHUNK", chunk)
    discord.books.add("gateway.member_requests")
    return None
