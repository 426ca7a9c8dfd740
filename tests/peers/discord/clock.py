"""clock - the time of this Discord: the real one, moved forward by a test.

Everything that has a deadline asks here, so moving the time moves all of it:
buckets, nonces, interactions, sessions, signed URLs. Whoever sleeps here wakes
when the time has come, or has been moved there.
"""
import asyncio
import datetime
import time

EPOCH_MS = 1420070400000  # Discord's, 2015-01-01


def iso(ms):
    at = datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%f+00:00")


def parse_iso(text):
    """Milliseconds; ValueError for anything else than a time."""
    at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    if at.tzinfo is None:
        at = at.replace(tzinfo=datetime.timezone.utc)
    return round(at.timestamp() * 1000)


def time_of(snowflake):
    return (int(snowflake) >> 22) + EPOCH_MS


class Clock:
    def __init__(self):
        self.offset_ms = 0
        self.last = 0
        self.moved = asyncio.Condition()

    def now_ms(self):
        return int(time.time() * 1000) + self.offset_ms

    def now(self):
        return time.time() + self.offset_ms / 1000

    async def advance(self, ms):
        self.offset_ms += ms
        async with self.moved:
            self.moved.notify_all()

    async def sleep(self, seconds):
        end = self.now() + seconds
        while (left := end - self.now()) > 0:
            try:
                await asyncio.wait_for(self._wait_for_move(), left)
            except asyncio.TimeoutError:
                pass

    async def _wait_for_move(self):
        async with self.moved:
            await self.moved.wait()

    def snowflake(self, at_ms=None):
        """A fresh id. Ids of the present grow; those of a given time are the
        first one free in that millisecond, which the caller must see to."""
        if at_ms is not None:
            return str((at_ms - EPOCH_MS) << 22)
        self.last = max(self.last + 1, (self.now_ms() - EPOCH_MS) << 22)
        return str(self.last)
