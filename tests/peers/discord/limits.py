"""limits - the rate limits of REST, as their headers tell them.

A bucket is a hash, which several routes may share, and the major parameter of
the path. Its window begins with its first request. Beside it stand the 50
requests a second of the whole bot, limits that others use up too ("shared"),
and the edge, which bans whoever makes too many invalid requests.

The figures are this Discord's own: the real one documents none and changes
them, so no client may know them.
"""
import collections
import hashlib
import math

GLOBAL, GLOBAL_WINDOW_S = 50, 1.0
INVALID_MAX, INVALID_WINDOW_S = 10000, 600
MAJOR = ("channel_id", "guild_id", "webhook_id",
         "interaction_id")  # answers to interactions don't limit each other

# Routes by their bucket: requests, seconds.
DOCUMENTED = {
    "POST /channels/{channel_id}/messages": ("message.create", 5, 5),
    "GET /channels/{channel_id}/messages": ("message.list", 5, 5),
    "GET /channels/{channel_id}/messages/{message_id}":
        ("message.get", 5, 5),
    "PATCH /channels/{channel_id}/messages/{message_id}":
        ("message.edit", 5, 5),
    "DELETE /channels/{channel_id}/messages/{message_id}":
        ("message.delete", 5, 1),
    "POST /channels/{channel_id}/messages/bulk-delete":
        ("message.bulk", 1, 3),
    "POST /channels/{channel_id}/typing": ("typing", 5, 5),
    "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me":
        ("reaction", 1, 0.25),
    "DELETE /channels/{channel_id}/messages/{message_id}/reactions/{emoji}"
    "/@me": ("reaction", 1, 0.25),
    "PUT /channels/{channel_id}/messages/pins/{message_id}": ("pin", 5, 4),
    "DELETE /channels/{channel_id}/messages/pins/{message_id}": ("pin", 5, 4),
    "PATCH /channels/{channel_id}": ("channel.edit", 5, 15),
    "POST /channels/{channel_id}/threads": ("thread.create", 10, 15),
    "POST /channels/{channel_id}/messages/{message_id}/threads":
        ("thread.create", 10, 15),
    "GET /guilds/{guild_id}/members": ("member.list", 10, 10),
    "GET /guilds/{guild_id}/members/search": ("member.search", 10, 10),
    "GET /guilds/{guild_id}/messages/search": ("message.search", 5, 10),
    "PUT /applications/{application_id}/commands": ("commands", 5, 20),
    "POST /applications/{application_id}/commands": ("commands", 5, 20),
    "POST /users/@me/channels": ("dm.open", 10, 10),
    "GET /gateway/bot": ("gateway.bot", 2, 5),
}
DEFAULT = {"GET": (30, 10), "other": (10, 10)}
EXEMPT = ("/interactions/", "/webhooks/")


class Refused(Exception):
    """A 429: when to come back, and whose limit it is."""

    def __init__(self, scope, retry_after, headers=None):
        super().__init__(scope)
        self.scope = scope
        self.retry_after = retry_after
        self.headers = headers or {}


class Limits:
    def __init__(self, clock, books):
        self.clock, self.books = clock, books
        self.mode = "documented"
        self.salt = ""
        self.routes = dict(DOCUMENTED)
        self.used = {}          # (hash, major) -> [count, reset at]
        self.recent = collections.deque()
        self.invalid = collections.deque()
        self.invalid_max = INVALID_MAX
        self.global_max = GLOBAL
        self.banned_until = 0
        self.allowed = collections.Counter()  # requests let through, by bucket

    def configure(self, order):
        self.mode = order.get("mode", self.mode)
        self.salt = order.get("salt", self.salt)
        self.global_max = order.get("global", self.global_max)
        self.invalid_max = order.get("invalid_max", self.invalid_max)
        for route, (count, seconds) in order.get("routes", {}).items():
            name = self.routes.get(route, (route,))[0]
            self.routes[route] = (name, count, seconds)
        if order.get("forget", True):
            self.used.clear()
            self.recent.clear()

    def bucket(self, route):
        if route in self.routes:
            return self.routes[route]
        method = route.split()[0]
        count, seconds = DEFAULT.get(method, DEFAULT["other"])
        return route, count, seconds

    def hash_of(self, name):
        return hashlib.md5(f"{self.salt}{name}".encode()).hexdigest()

    @staticmethod
    def major(params):
        parts = [params[name] for name in MAJOR if name in params][:1]
        if "token" in params:
            parts.append(params["token"])
        return "/".join(parts)

    def admit(self, route, params):
        """Count a request and answer its headers, or raise Refused."""
        exempt = route.split(" ", 1)[1].startswith(EXEMPT)
        name, count, seconds = self.bucket(route)
        if self.mode == "off":
            count, seconds = 10000, 1
        elif not exempt:
            self._admit_globally()
        now = self.clock.now()
        key = (name, self.major(params))
        state = self.used.get(key)
        if state is None or now >= state[1]:
            state = self.used[key] = [0, now + seconds]
        full = state[0] >= count
        state[0] += 0 if full else 1
        headers = {
            "X-RateLimit-Limit": str(count),
            "X-RateLimit-Remaining": str(max(0, count - state[0])),
            "X-RateLimit-Reset": f"{state[1]:.3f}",
            "X-RateLimit-Reset-After": f"{max(0.001, state[1] - now):.3f}",
            "X-RateLimit-Bucket": self.hash_of(name)}
        if full:
            raise Refused("user", state[1] - now, headers)
        self.allowed[f"{name}:{key[1]}"] += 1
        return headers

    def _admit_globally(self):
        now = self.clock.now()
        while self.recent and self.recent[0] <= now - GLOBAL_WINDOW_S:
            self.recent.popleft()
        if len(self.recent) >= self.global_max:
            raise Refused("global",
                          self.recent[0] + GLOBAL_WINDOW_S - now)
        self.recent.append(now)

    def body(self, refused):
        return {"message": "You are being rate limited.",
                "retry_after": round(refused.retry_after, 3),
                "global": refused.scope == "global"}

    def headers(self, refused):
        out = dict(refused.headers)
        out["Retry-After"] = str(math.ceil(refused.retry_after))
        out["X-RateLimit-Scope"] = refused.scope
        if refused.scope == "global":
            out["X-RateLimit-Global"] = "true"
        return out

    # The edge

    def count_invalid(self, status, scope=None):
        if status not in (401, 403, 429) or scope == "shared":
            return
        now = self.clock.now()
        self.invalid.append(now)
        self.books.add("invalid_requests")
        while self.invalid[0] <= now - INVALID_WINDOW_S:
            self.invalid.popleft()
        most = max(self.books.count["invalid_in_10_min"], len(self.invalid))
        self.books.count["invalid_in_10_min"] = most
        if len(self.invalid) >= self.invalid_max and \
                now >= self.banned_until:
            self.banned_until = now + 3600
            self.books.violation("banned for invalid requests")

    def banned(self):
        return self.clock.now() < self.banned_until
