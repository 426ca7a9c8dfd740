"""gatewayfaults - what a test ordered to go wrong on the gateway, and when.

An order is {"do": WHAT, "on": WHEN, "times": N, "after": N, "shard": N, ...}.
WHEN is now (to every live connection, or to the next if there is none), or the
next time that a connection is about to: connect, hello, identify, resume,
heartbeat, or has just sent: ready, resumed, event. "after" lets so many such
occasions pass first.

  drop           close the TCP connection without a word; "reset": by RST
  half_open      say and hear nothing any more, and keep the connection
  no_ack         let heartbeats go unanswered ("times": how many)
  hello_delay    HELLO comes after "seconds"; without: never
  mute           what was asked for (READY, RESUMED) never comes
  op1 op7        ask for a heartbeat; ask to reconnect
  op9            the session is invalid, "resumable" or not
  close          with "code"
  no_guild_create  READY is not followed by its guilds
  replay_twice   a resume replays each missed event twice
  replay_none    a resume replays nothing, but says RESUMED
  replay_some    it replays the events, and half of those before them
  unknown        an opcode and an event nobody knows
  duplicate      the next event comes twice
  swallow        the next event never comes
  split          zlib payloads come in frames of at most "bytes"
  slow           the server does not read for "seconds"
"""
import asyncio

IMMEDIATE = ("unknown", "op1", "slow", "op7", "op9", "close", "drop",
             "half_open")
LATER = {"no_ack": "heartbeat", "hello_delay": "connect", "mute": "identify",
         "no_guild_create": "ready", "replay_twice": "resume",
         "replay_none": "resume", "replay_some": "resume",
         "duplicate": "event", "swallow": "event", "split": "connect"}


class GatewayFaults:
    def __init__(self, books):
        self.books = books
        self.orders = []

    def add(self, order):
        when = order.get("on") or LATER.get(order["do"], "now")
        self.orders.append(dict(order, on=when, left=order.get("times", 1),
                                skip=order.get("after", 0)))
        return self.orders[-1]

    def clear(self):
        self.orders.clear()

    def take(self, what, connection=None, when=None):
        """The order for this occasion, used up by being answered, or None."""
        for order in self.orders:
            if order["do"] != what or (when and order["on"] != when):
                continue
            if connection and order.get("shard", connection.shard()) != \
                    connection.shard():
                continue
            if order["skip"] > 0:
                order["skip"] -= 1
                continue
            order["left"] -= 1
            if order["left"] <= 0:
                self.orders.remove(order)
            self.books.add("faults." + what)
            self.books.note("fault", fault=what, on=order["on"])
            return order
        return None

    async def strike(self, connection, when):
        """Do what was ordered for this occasion. True if the connection is
        not to go on with what it was about to do."""
        ended = False
        for what in IMMEDIATE if self.orders else ():
            order = self.take(what, connection, when)
            if order:
                ended = await perform(connection, order) or ended
        return ended


async def perform(connection, order):
    """True if nothing more is to be said on the connection."""
    what = order["do"]
    if what == "drop":
        connection.drop(order.get("reset", False))
    elif what == "half_open":
        connection.freeze()
    elif what == "op1":
        connection.send({"op": 1, "d": None, "s": None, "t": None})
        connection.heartbeat_asked()
    elif what == "op7":
        connection.send({"op": 7, "d": None, "s": None, "t": None})
    elif what == "op9":
        await connection.invalidate(order.get("resumable", False))
    elif what == "close":
        await connection.close(order.get("code", 4000))
    elif what == "unknown":
        connection.send({"op": 77, "d": {"new": True}, "s": None, "t": None,
                         "x": 1})
        if connection.session:
            connection.session.emit("NEWEST_THING_CREATE",
                                    {"id": "1", "of": None, "list": [{}]})
        return False
    elif what == "slow":
        connection.pause()
        asyncio.create_task(connection.resume_in(order.get("seconds", 5)))
        return False
    return what not in ("op1",)
