"""gateway - sessions: who is told what, what can be resumed, who may identify.

A session outlives its connection for RESUME_S, and keeps what it sent meanwhile
in a buffer of BUFFER_MAX events. Sequences begin at 1. connection.py carries
the bytes.
"""
import asyncio
import collections
import json

import intents

RESUME_S = 180
BUFFER_MAX = 20000
STARTS_TOTAL, STARTS_WINDOW_S = 1000, 24 * 3600


def pack(payload):
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False)


class Session:
    def __init__(self, session_id, bits, shard, clock):
        self.id = session_id
        self.intents = bits
        self.shard = shard
        self.clock = clock
        self.sequence = 0
        self.buffer = collections.deque(maxlen=BUFFER_MAX)
        self.connection = None
        self.left_at = None

    def expired(self):
        return self.left_at is not None and \
            self.clock.now() - self.left_at > RESUME_S

    def emit(self, event, data):
        self.emit_text(event, pack(data))

    def emit_text(self, event, text):
        """An event whose data is JSON text already."""
        self.sequence += 1
        payload = f'{{"t":"{event}","s":{self.sequence},"op":0,"d":{text}}}'
        self.buffer.append((self.sequence, event, payload))
        if self.connection:
            self.connection.send_event(event, payload)

    def since(self, sequence):
        """Payloads after a sequence, or None if they are no longer here."""
        if self.buffer and self.buffer[0][0] > sequence + 1:
            return None
        return [(event, payload) for number, event, payload in self.buffer
                if number > sequence]


class Hub:
    def __init__(self, discord):
        self.discord = discord
        self.clock, self.books = discord.clock, discord.books
        self.world, self.render = discord.world, discord.render
        self.sessions = {}
        self.connections = []
        self.shards = 1
        self.concurrency = 1
        self.starts_left = STARTS_TOTAL
        self.starts_reset = self.clock.now() + STARTS_WINDOW_S
        self.identified = collections.defaultdict(collections.deque)
        self.asked_everyone = {}    # guild -> when all its members were

    # Budgets

    def start_limit(self):
        now = self.clock.now()
        if now >= self.starts_reset:
            self.starts_left = STARTS_TOTAL
            self.starts_reset = now + STARTS_WINDOW_S
        return {"total": STARTS_TOTAL, "remaining": self.starts_left,
                "reset_after": max(0, int((self.starts_reset - now) * 1000)),
                "max_concurrency": self.concurrency}

    def may_identify(self, shard, came_at=None):
        """False if this is more than max_concurrency in 5 s. came_at is when
        it came, if it wasn't read at once."""
        times = self.identified[shard[0] % self.concurrency]
        now = came_at or self.clock.now()
        while times and times[0] <= now - 5:
            times.popleft()
        if times:
            return False
        times.append(now)
        return True

    def take_start(self):
        """Spend one; when there is none, Discord resets the token."""
        if self.start_limit()["remaining"] <= 0:
            return False
        self.starts_left -= 1
        return True

    # Sessions

    def begin(self, bits, shard):
        session = Session(f"{self.discord.rng.getrandbits(128):032x}", bits,
                          shard, self.clock)
        self.sessions[session.id] = session
        return session

    def end(self, session):
        if self.sessions.pop(session.id, None):
            self.books.add("sessions_ended")
        self.books.note("session_ended", session=session.id)

    def find(self, session_id):
        session = self.sessions.get(session_id)
        if session and session.expired():
            self.end(session)
            return None
        return session

    def live(self, shard=None):
        return [c for c in self.connections if not c.gone and
                (shard is None or c.shard() == shard)]

    # Telling

    def on_shard(self, session, guild_id):
        number, count = session.shard
        if guild_id is None:
            return number == 0
        return (int(guild_id) >> 22) % count == number

    def wanting(self, event, guild_id, channel=None, permission=None):
        """The sessions that are told of an event."""
        visible = channel is None or permission is None or \
            self.world.may(channel, permission)
        for session in list(self.sessions.values()):
            if session.expired():
                self.end(session)
            elif visible and self.on_shard(session, guild_id) and \
                    intents.wanted(session.intents, event,
                                   guild_id is not None):
                yield session

    def tell(self, event, data, channel=None, guild_id=None,
             permission="VIEW_CHANNEL"):
        if channel is not None:
            guild_id = channel.get("guild_id")
        text = pack(data)
        for session in self.wanting(event, guild_id, channel, permission):
            session.emit_text(event, text)
        self.books.add("events." + event)

    def tell_all(self, event, data):
        """Whoever is connected, whatever its intents: interactions, users."""
        for session in list(self.sessions.values()):
            if session.shard[0] == 0 or self.on_shard(
                    session, data.get("guild_id")):
                session.emit(event, data)

    def tell_message(self, event, message, nonce=None, more=None):
        channel = self.world.channels[message["channel_id"]]
        shown = self.render.message(message, event=True)
        shown["channel_type"] = channel["type"]
        if nonce is not None:
            shown["nonce"] = nonce
        shown.update(more or {})
        full, hidden = pack(shown), None
        for session in self.wanting(event, channel.get("guild_id"), channel,
                                    "VIEW_CHANNEL"):
            if session.intents & intents.BIT["MESSAGE_CONTENT"] or \
                    self.render.exempt(message):
                session.emit_text(event, full)
            else:
                hidden = hidden or pack(intents.hide_content(shown))
                session.emit_text(event, hidden)
        self.books.add("events." + event)

    async def ready(self, session):
        """READY, then the guilds."""
        world = self.world
        guilds = [g for g in world.guilds.values()
                  if self.on_shard(session, g["id"]) and
                  world.member(g, world.bot["id"])]
        base = self.discord.ws_base
        session.emit("READY", {
            "v": 10, "user": self.discord.own_user(),
            "guilds": [{"id": g["id"], "unavailable": True} for g in guilds],
            "session_id": session.id, "session_type": "normal",
            "resume_gateway_url": base + "/resume", "shard":
            list(session.shard), "relationships": [], "private_channels": [],
            "presences": [], "guild_join_requests": [], "user_settings": {},
            "geo_ordered_rtc_regions": [], "auth": {}, "_trace": [],
            "application": {"id": world.application["id"],
                            "flags": self.discord.application_flags()}})
        if not session.intents & intents.BIT["GUILDS"] or \
                self.discord.faults.take("no_guild_create"):
            return
        everyone = session.intents & intents.BIT["GUILD_PRESENCES"]
        for guild in guilds:
            await asyncio.sleep(0)  # others are served meanwhile
            if guild["_available"]:
                session.emit("GUILD_CREATE",
                             self.render.guild_create(guild, everyone))
