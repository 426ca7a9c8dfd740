"""load - much of everything, for benchmarks."""
import asyncio
import json

from gateway import pack
from worldfile import new_message

AT_ONCE = 2048


async def flood(discord, order):
    """MESSAGE_CREATE after MESSAGE_CREATE to every session, as fast as its
    connection takes them. The messages are not kept."""
    world = discord.world
    channel = world.channel(order["channel"])
    author = world.user(order.get("user", "ada"))
    mark = "\0"
    sample = new_message(world, channel, author, "x" * order.get("bytes", 100))
    shown = discord.render.message(sample, event=True)
    first, last = pack(dict(shown, id=mark)).split(json.dumps(mark))
    sessions = list(discord.hub.wanting("MESSAGE_CREATE",
                                        channel.get("guild_id")))
    for n in range(order["count"]):
        text = f'{first}"{discord.clock.snowflake()}"{last}'
        for session in sessions:
            session.emit_text("MESSAGE_CREATE", text)
        if n % AT_ONCE == 0:
            while any(s.connection and s.connection.queue.qsize() > AT_ONCE
                      for s in sessions):
                await asyncio.sleep(0)
    while any(s.connection and not s.connection.queue.empty()
              for s in sessions):
        await asyncio.sleep(0.001)


def padding(size):
    """Emojis that take about so many bytes."""
    one = {"id": "1" * 19, "name": "padding", "roles": [], "animated": False,
           "require_colons": True, "managed": False, "available": True}
    return [dict(one, id=str(10 ** 18 + n))
            for n in range(size // len(pack(one)))]


def guilds(discord, order):
    """So many more guilds with so many channels each; nobody is told."""
    made = []
    for n in range(order["count"]):
        spec = {"name": f"guild {n}", "owner": "ada", "roles": [
            {"name": "@everyone", "permissions": ["VIEW_CHANNEL",
                                                  "READ_MESSAGE_HISTORY"]}],
            "members": [{"user": discord.world.bot["id"]}, {"user": "ada"}],
            "channels": [{"name": f"channel-{c}"}
                         for c in range(order.get("channels", 0))]}
        if "bytes" in order:
            spec["more"] = {"emojis": padding(order["bytes"])}
        made.append(discord.world.add_guild(spec)["id"])
    return {"guilds": made}
