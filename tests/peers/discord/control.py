"""control - the endpoint for tests: POST /control does what "do" says, GET
/control/state and /control/log tell what happened.

Beside the acts of people.py and the faults of gatewayfaults.py, restfaults.py
and cdnfaults.py:

  command, autocomplete   user, channel, name, options {name: value}; "focused"
  press, select, submit   user, message, custom_id, values; see below
  forge       user, message, custom_id: a press of what that message may not have
  limits      mode documented or off, routes {"METHOD /path": [n, s]}, global,
              invalid_max, salt (a new one renames all buckets); forgets what
              was used up
  time        advance_s
  heartbeat   interval_ms, of connections to come
  portal      intents: names of the privileged ones that are switched on
  starts      left, concurrency, shards
  search      indexed: false answers 202 until set to true
  judge       answers: hold these to Discord's OpenAPI file too (slow)
  odd         nulls: for absent values; unknown: fields nobody knows
  flood       count, channel, user, bytes: as many events as fast as they go
  guilds      count, channels, bytes: guilds like these, for benchmarks
  raw         name, data: any event at all, whatever the intents
  payload     text: goes to each connection as it is; or base64: bytes, as a
              frame without compression, or with "framed": false as no frame
  token       reset it
  end_sessions  nothing can be resumed any more
  clear       faults are forgotten; "books": true, counters as well
  wait        until a number of the state (what: a path with dots) is at least
              "min", or a list as long; timeout_s (10)
  batch       orders: a list, one after the other
"""
import asyncio
import base64
import json

from aiohttp import web

import intents
import load
from connection import BINARY, frame
from gatewayfaults import IMMEDIATE, LATER, perform
from interactions import COMPONENT, MODAL
from people import ACTS
from world import Unknown

DOES = {}


def does(function):
    DOES[function.__name__] = function
    return function


@does
async def command(discord, order):
    return discord.interactions.command(order)


@does
async def autocomplete(discord, order):
    return discord.interactions.command(order, focused=order["focused"])


def component_of(discord, order):
    """User, message and component that an order means."""
    import components
    message = discord.interactions.message_by_id(order["message"])
    user = discord.world.user(order["user"])
    for item in components.walk(message["components"]):
        if item.get("custom_id") == order["custom_id"]:
            if item.get("disabled"):
                raise Unknown("the component is disabled")
            return user, message, item
    raise Unknown(f"no component {order['custom_id']!r}")


@does
async def press(discord, order):
    """A button."""
    user, message, item = component_of(discord, order)
    return discord.interactions.begin(
        COMPONENT, user, discord.world.channels[message["channel_id"]],
        {"component_type": item["type"], "custom_id": item["custom_id"],
         "id": item["id"]}, message)


@does
async def forge(discord, order):
    """A press that a client of somebody's own might send."""
    message = discord.interactions.message_by_id(order["message"])
    return discord.interactions.begin(
        COMPONENT, discord.world.user(order["user"]),
        discord.world.channels[message["channel_id"]],
        {"component_type": 2, "custom_id": order["custom_id"], "id": 1},
        message)


@does
async def select(discord, order):
    """A select menu; "values"."""
    user, message, item = component_of(discord, order)
    return discord.interactions.begin(
        COMPONENT, user, discord.world.channels[message["channel_id"]],
        {"component_type": item["type"], "custom_id": item["custom_id"],
         "id": item["id"], "values": order["values"]}, message)


@does
async def submit(discord, order):
    """The modal that answered "interaction"; values {custom_id: value}."""
    import components
    before = discord.interactions.by_id[order["interaction"]]
    if not before.answer or before.answer["type"] != 9:
        raise Unknown("that was not answered with a modal")
    form = before.answer["data"]
    filled = components.stored(form["components"])
    for item in list(components.walk(filled)):
        name = item.get("custom_id")
        if name in order.get("values", {}):
            value = order["values"][name]
            item["values" if isinstance(value, list) else "value"] = value
        elif name and item.get("type") == components.TEXT_INPUT:
            item["value"] = ""
        for word in ("style", "label", "placeholder", "required", "options",
                     "min_length", "max_length", "description",
                     "min_values", "max_values"):
            item.pop(word, None)
    return discord.interactions.begin(
        MODAL, before.user, before.channel,
        {"custom_id": form["custom_id"], "components": filled},
        before.source)


@does
async def limits(discord, order):
    discord.limits.configure(order)


@does
async def time(discord, order):
    await discord.clock.advance(int(order["advance_s"] * 1000))
    return {"time_ms": discord.clock.now_ms()}


@does
async def heartbeat(discord, order):
    discord.heartbeat_ms = order["interval_ms"]


@does
async def portal(discord, order):
    discord.portal = sum(intents.BIT[name] for name in order["intents"])


@does
async def starts(discord, order):
    hub = discord.hub
    hub.starts_left = order.get("left", hub.starts_left)
    hub.concurrency = order.get("concurrency", hub.concurrency)
    hub.shards = order.get("shards", hub.shards)


@does
async def search(discord, order):
    guild = discord.world.guild(order.get("guild"))
    discord.world.indexed[guild["id"]] = order["indexed"]


@does
async def odd(discord, order):
    discord.render.nulls = order.get("nulls", discord.render.nulls)
    discord.render.unknown = order.get("unknown", discord.render.unknown)


@does
async def flood(discord, order):
    await load.flood(discord, order)
    return {"sent": order["count"]}


@does
async def guilds(discord, order):
    return load.guilds(discord, order)


@does
async def judge(discord, order):
    discord.judge_answers = order["answers"]


@does
async def raw(discord, order):
    for session in list(discord.hub.sessions.values()):
        session.emit(order["name"], order["data"])


@does
async def payload(discord, order):
    for connection in discord.hub.live():
        if "text" in order:
            connection.queue.put_nowait(order["text"])
            continue
        data = base64.b64decode(order["base64"])
        connection.transport.write(
            frame(BINARY, data) if order.get("framed", True) else data)


@does
async def token(discord, _order):
    await discord.reset_token()


@does
async def end_sessions(discord, _order):
    for session in list(discord.hub.sessions.values()):
        if session.connection is None:
            discord.hub.end(session)


@does
async def rest(discord, order):
    if not hasattr(discord.rest_faults, "do_" + order["what"]) and \
            order["what"] != "limited":
        raise Unknown(f"no fault {order['what']!r}")
    discord.rest_faults.add(order)


@does
async def cdn(discord, order):
    if not hasattr(discord.cdn_faults, "do_" + order["what"]):
        raise Unknown(f"no fault {order['what']!r}")
    discord.cdn_faults.add(order)


@does
async def clear(discord, order):
    discord.faults.clear()
    discord.rest_faults.clear()
    discord.cdn_faults.clear()
    if order.get("books"):
        discord.books.__init__(discord.clock)
        discord.limits.allowed.clear()


def measure(state, path):
    for part in path.split("."):
        state = state.get(part, 0) if isinstance(state, dict) else 0
    return len(state) if isinstance(state, (list, dict)) else state


@does
async def wait(discord, order):
    loop = asyncio.get_running_loop()
    end = loop.time() + order.get("timeout_s", 10)
    while True:
        value = measure(discord.state(), order["what"])
        if value >= order.get("min", 1):
            return {"value": value}
        if loop.time() > end:
            raise Unknown(f"{order['what']} is {value} after all that time")
        await asyncio.sleep(0.02)


@does
async def batch(discord, order):
    return [await perform_order(discord, o) for o in order["orders"]]


async def fault(discord, order):
    """Now, to whoever is connected; or kept for its occasion."""
    if order["do"] in IMMEDIATE and order.get("on", "now") == "now":
        struck = discord.hub.live(order.get("shard"))
        for connection in struck:
            discord.books.add("faults." + order["do"])
            discord.books.note("fault", fault=order["do"], on="now")
            await perform(connection, order)
        if struck:
            return {"struck": len(struck)}
        order = dict(order, on="hello")
    discord.faults.add(order)
    return {"struck": 0}


async def perform_order(discord, order):
    what = order.get("do")
    if what in IMMEDIATE or what in LATER:
        return await fault(discord, order)
    if what in DOES:
        return await DOES[what](discord, order)
    if what in ACTS:
        return ACTS[what](discord, order)
    raise Unknown(f"nothing to do: {what!r}")


async def serve(request):
    discord = request.app["discord"]
    try:
        order = json.loads(await request.read())
        done = await perform_order(discord, order)
    except (Unknown, KeyError, ValueError, TypeError) as e:
        text = f"{type(e).__name__}: {e}"
        return web.json_response({"error": text}, status=400)
    return web.json_response(done if done is not None else {})


async def state(request):
    return web.json_response(request.app["discord"].state())


async def log(request):
    return web.json_response(list(request.app["discord"].books.log))
