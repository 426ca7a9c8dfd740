"""gatewayops - what each opcode of a client does."""
import intents


async def handle(connection, op, data):
    handler = HANDLERS.get(op)
    if handler is None:
        connection.books.violation("unknown opcode", op=op)
        await connection.close(4001, "Unknown opcode.")
    elif op not in (1, 2, 6) and not connection.session:
        connection.books.violation("not authenticated", op=op)
        await connection.close(4003, "Not authenticated.")
    else:
        await handler(connection, data)


async def heartbeat(connection, sequence):
    now = connection.clock.now()
    books, session = connection.books, connection.session
    books.add("heartbeats")
    books.note("heartbeat", d=sequence)
    if connection.asked_at is not None:
        books.note("asked_heartbeat",
                   after_ms=round((now - connection.asked_at) * 1000))
        connection.asked_at = None
    connection.heard = now
    if sequence is not None and (
            not isinstance(sequence, int) or
            (session and sequence > session.sequence)):
        books.violation("heartbeat with a sequence never sent", d=sequence)
    if await connection.discord.faults.strike(connection, "heartbeat"):
        return
    if connection.discord.faults.take("no_ack", connection):
        return
    connection.send({"op": 11, "d": None, "s": None, "t": None})


def token_fits(connection, token):
    token = token if isinstance(token, str) else ""
    return token.removeprefix("Bot ") == connection.discord.world.token


async def refuse_identify(connection, d):
    """Close with what is wrong with an IDENTIFY; True if so."""
    hub, discord = connection.hub, connection.discord
    if not isinstance(d, dict) or not isinstance(d.get("properties"), dict) \
            or "token" not in d:
        return await refuse(connection, 4002, "incomplete identify")
    if not token_fits(connection, d["token"]):
        return await refuse(connection, 4004, "Authentication failed.")
    shard = d.get("shard", [0, 1])
    if not (isinstance(shard, list) and len(shard) == 2 and
            all(isinstance(n, int) for n in shard) and
            0 <= shard[0] < shard[1]):
        return await refuse(connection, 4010, "Invalid shard.")
    mine = [g for g in discord.world.guilds if
            (int(g) >> 22) % shard[1] == shard[0]]
    if len(mine) > 2500:
        return await refuse(connection, 4011, "Sharding required.")
    bits = d.get("intents")
    if not isinstance(bits, int) or bits & ~intents.ALL or bits < 0:
        return await refuse(connection, 4013, "Invalid intent(s).")
    if bits & intents.PRIVILEGED & ~discord.portal:
        return await refuse(connection, 4014, "Disallowed intent(s).")
    if not hub.take_start():
        connection.books.violation("identify budget exhausted")
        await discord.reset_token()
        return True
    return False


async def refuse(connection, code, why):
    connection.books.violation("identify refused", code=code, why=why)
    await connection.close(code, why)
    return True


def note_doubles(connection, shard):
    """A client with two live sockets for one shard has lost count."""
    others = [c for c in connection.hub.live(shard) if c is not connection
              and not c.frozen and c.session]
    if others:
        connection.books.violation("two live connections", shard=shard)


def note_needless(connection, shard):
    """Whoever could resume a session should not spend an identify."""
    for session in connection.hub.sessions.values():
        if session.shard == tuple(shard) and not session.expired():
            connection.books.add("identifies_needless")
            connection.books.note("identify_needless", session=session.id,
                                  sequence=session.sequence)


async def identify(connection, d):
    books, hub = connection.books, connection.hub
    if connection.session:
        books.violation("identified twice")
        return await connection.close(4005, "Already authenticated.")
    books.add("identifies")
    books.note("identify", shard=isinstance(d, dict) and d.get("shard"),
               intents=isinstance(d, dict) and d.get("intents"))
    if await connection.discord.faults.strike(connection, "identify"):
        return
    if connection.discord.faults.take("mute", connection, "identify"):
        return
    if await refuse_identify(connection, d):
        return
    shard = d.get("shard", [0, 1])
    if not hub.may_identify(shard, connection.paused_at):
        books.violation("identify beyond max_concurrency")
        return await connection.invalidate(False)
    note_doubles(connection, shard[0])
    note_needless(connection, shard)
    connection.payload_compression = bool(d.get("compress"))
    session = connection.session = hub.begin(d["intents"], tuple(shard))
    session.connection = connection
    await hub.ready(session)
    await connection.discord.faults.strike(connection, "ready")


async def resume(connection, d):
    books, faults = connection.books, connection.discord.faults
    if connection.session:
        books.violation("resumed on a live session")
        return await connection.close(4005, "Already authenticated.")
    books.add("resumes")
    books.note("resume", d={k: v for k, v in d.items() if k != "token"}
               if isinstance(d, dict) else None)
    connection.claimed = d.get("session_id") if isinstance(d, dict) else None
    if await faults.strike(connection, "resume"):
        return
    if faults.take("mute", connection, "resume"):
        return
    if not isinstance(d, dict) or not isinstance(d.get("seq"), int):
        books.violation("incomplete resume")
        return await connection.close(4002, "Error while decoding payload.")
    if not token_fits(connection, d.get("token")):
        books.violation("resume refused", code=4004)
        return await connection.close(4004, "Authentication failed.")
    session = connection.hub.find(d.get("session_id"))
    if session is None:
        return await connection.invalidate(False)
    if d["seq"] > session.sequence or d["seq"] < 0:
        books.violation("resume with a sequence never sent", d=d["seq"])
        return await connection.close(4007, "Invalid seq.")
    if connection.stays():
        books.violation("resumed without reconnecting")
    elif connection.request.path.rstrip("/") != "/resume":
        books.violation("resume not at resume_gateway_url",
                        path=connection.request.path)
    await replay(connection, session, d["seq"])


async def replay(connection, session, sequence):
    faults = connection.discord.faults
    missed = session.since(sequence)
    if missed is None:
        return await connection.invalidate(False)
    old = session.connection
    if old and old is not connection:
        old.session = None
        if not old.frozen and not old.gone:
            connection.books.violation("two live connections",
                                       shard=session.shard[0])
            await old.close(4000, "Taken over.")
    connection.session, session.connection = session, connection
    session.left_at = None
    if faults.take("replay_none", connection):
        missed = []
    if faults.take("replay_some", connection):
        missed = (session.since(sequence // 2) or missed)
    twice = faults.take("replay_twice", connection)
    for event, payload in missed:
        for _ in range(2 if twice else 1):
            connection.queue.put_nowait(payload)
    connection.books.add("replayed", len(missed))
    session.emit("RESUMED", {"_trace": []})
    await faults.strike(connection, "resumed")


async def presence(connection, _data):
    connection.books.add("gateway.presence_updates")


async def ignore(connection, _data):
    connection.books.add("gateway.ignored")


async def members(connection, data):
    await connection.discord.member_chunks(connection, data)


HANDLERS = {1: heartbeat, 2: identify, 3: presence, 4: ignore, 6: resume,
            8: members, 31: ignore, 43: ignore}
