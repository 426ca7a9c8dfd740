"""rest - the way of a request: edge, faults, token, limits, handler, answer.

A handler is `async def f(discord, call)` under @route(METHOD, TEMPLATE); it
answers an object (200), None (204) or (status, object), or raises ApiError.
"""
import asyncio
import json
import re
import urllib.parse

from aiohttp import web

from errors import ApiError, bad_field, not_found, unauthorized
from limits import Refused

PREFIX = re.compile(r"^/api(/v(9|10))?(?=/)")
AGENT = re.compile(r"^DiscordBot \(\S+, [^)]+\)")
REQUEST_MAX = 25 << 20
ROUTES = []     # (method, pattern, template, handler, needs a token)
EDGE_HTML = "<!DOCTYPE html><html><head><title>Access denied</title></head>" \
            "<body><h1>Error 1015</h1>You are being rate limited</body></html>"


def route(method, template, token=True):
    pattern = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)",
                                      template) + "$")

    def register(handler):
        ROUTES.append((method, pattern, template, handler, token))
        return handler
    return register


class Call:
    def __init__(self, request, method, path):
        self.request, self.method, self.path = request, method, path
        self.query = dict(request.query)
        self.params, self.template, self.handler = {}, path, None
        self.token_needed = True
        self.body, self.files, self.raw = {}, [], b""
        self.given = None   # the JSON of the body, if there was one

    def find(self):
        """Fill in the route; ApiError if there is none."""
        other = False
        best = None
        for method, pattern, template, handler, token in ROUTES:
            match = pattern.match(self.path)
            if match and method == self.method:
                if best is None or len(match.groupdict()) < len(best[0]):
                    best = (match.groupdict(), template, handler, token)
            other = other or bool(match)
        if best:
            self.params, self.template, self.handler, self.token_needed = best
            for name, value in self.params.items():
                if name.endswith("_id") and not value.isdigit() and \
                        value not in ("@me", "@original"):
                    raise bad_field(name, "NUMBER_TYPE_COERCE",
                                    f"Value \"{value}\" is not snowflake.")
        elif other:
            raise ApiError(405, 0, "405: Method Not Allowed")
        else:
            raise not_found()

    def name(self):
        return f"{self.method} {self.template}"

    def number(self, name, default, low, high):
        """A number of the query; out of its range is refused."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdigit():
            raise bad_field(name, "NUMBER_TYPE_COERCE",
                            f"Value \"{text}\" is not int.")
        value = int(text)
        if value < low:
            raise bad_field(name, "NUMBER_TYPE_MIN", "int value should be "
                            f"greater than or equal to {low}.")
        if high is not None and value > high:
            raise bad_field(name, "NUMBER_TYPE_MAX", "int value should be "
                            f"less than or equal to {high}.")
        return value

    def snowflake(self, name):
        text = self.query.get(name)
        if text is not None and not text.isdigit():
            raise bad_field(name, "NUMBER_TYPE_COERCE",
                            f"Value \"{text}\" is not snowflake.")
        return int(text) if text is not None else None

    def flag(self, name):
        return self.query.get(name, "").lower() in ("true", "1")

    def reason(self):
        """What the audit log shall say of it."""
        return urllib.parse.unquote(self.request.headers.get(
            "X-Audit-Log-Reason", "")) or None

    async def read(self):
        """Body and files. Raises ApiError for what is no body."""
        kind = self.request.content_type
        if kind == "multipart/form-data":
            await self.read_parts()
        elif self.raw:
            if kind != "application/json":
                raise ApiError(400, 50035, "Invalid Form Body", errors={
                    "_errors": [{"code": "CONTENT_TYPE_INVALID", "message":
                                 'Expected "Content-Type" header to be one of'
                                 ' {"application/json"}.'}]})
            self.body = self.parse(self.raw)

    def parse(self, raw):
        try:
            self.given = json.loads(raw)
            return self.given
        except ValueError:
            raise ApiError(400, 50109) from None

    async def read_parts(self):
        for name, part in (await self.request.post()).items():
            if name == "payload_json":
                if isinstance(part, web.FileField):
                    part = part.file.read()
                self.body = dict(self.body, **self.parse(part))
            elif isinstance(part, web.FileField):
                self.files.append((name, part.filename, part.content_type,
                                   part.file.read()))
            else:
                self.body[name] = part


def answer(status, data, headers):
    if data is None:
        return web.Response(status=status, headers=headers)
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return web.Response(status=status, body=text.encode(), headers=headers,
                        content_type="application/json")


def edge(retry_after):
    """What stands before Discord knows no JSON."""
    return web.Response(status=429, text=EDGE_HTML, content_type="text/html",
                        headers={"Retry-After": str(retry_after)})


async def perform(discord, call, headers):
    try:
        result = await call.handler(discord, call)
    except ApiError as e:
        discord.limits.count_invalid(e.status)
        return answer(e.status, e.body, dict(headers, **e.headers))
    status = 200 if result is not None else 204
    if isinstance(result, tuple):
        status, result = result
    return answer(status, result, headers)


def check_token(discord, call):
    given = call.request.headers.get("Authorization", "")
    if given and not call.token_needed:
        discord.books.add("tokens_not_needed")
    if call.token_needed and given != f"Bot {discord.world.token}":
        discord.books.add("unauthorized")
        raise unauthorized()


async def admitted(discord, call):
    """A request that got past the edge and the faults."""
    limits, headers = discord.limits, {}
    try:
        check_token(discord, call)
        discord.rest_faults.limit(call)
        headers = limits.admit(call.name(), call.params)
        await call.read()
    except ApiError as e:
        limits.count_invalid(e.status)
        return answer(e.status, e.body, dict(headers, **e.headers))
    except Refused as refused:
        discord.books.limited[refused.scope] += 1
        limits.count_invalid(429, refused.scope)
        return answer(429, limits.body(refused), limits.headers(refused))
    return await perform(discord, call, headers)


def judge(discord, call, response):
    """Hold what went both ways to Discord's own description."""
    books, spec = discord.books, discord.spec
    if not spec or not call.handler or response.status == 429:
        return
    if call.given is None and call.raw:  # a fault came before it was read
        try:
            call.parse(call.raw)
        except ApiError:
            books.problem("requests", call.name(), [("body", "no JSON")])
    unread = call.given is None and \
        call.request.content_type == "multipart/form-data"
    kind = call.request.content_type if call.given is not None else None
    wrong = [] if unread else spec.request(
        call.method, call.path, list(call.request.query.items()), call.given,
        kind)
    if wrong:
        books.problem("requests", call.name(), wrong)
    if discord.judge_answers:
        json_type = response.content_type == "application/json"
        wrong = spec.response(call.method, call.path, response.status,
                              json.loads(response.body) if json_type else None)
        if wrong:
            books.problem("answers", call.name(), wrong)


async def respond(discord, call):
    if discord.limits.banned():
        discord.books.violation("request while banned")
        return edge(3600)
    try:
        call.find()
    except ApiError as e:
        discord.books.violation("unknown route", route=call.name())
        return answer(e.status, e.body, {})
    return await discord.rest_faults.around(call, admitted)


async def serve(request):
    """The handler of every path below /api."""
    discord = request.app["discord"]
    path = PREFIX.sub("", request.path)
    call = Call(request, request.method, path)
    if request.content_type != "multipart/form-data":
        call.raw = await request.read()
    if not AGENT.match(request.headers.get("User-Agent", "")):
        discord.books.add("bad_user_agent")
    try:
        response = await respond(discord, call)
    except web.HTTPRequestEntityTooLarge:
        e = ApiError(413, 40005)
        response = answer(e.status, e.body, {})
    except asyncio.CancelledError:
        discord.books.note("hung_up", route=call.name())
        raise
    status = response.status if response is not None else 0
    discord.books.requests[call.name()] += 1
    discord.books.statuses[str(status)] += 1
    if isinstance(response, web.Response):
        judge(discord, call, response)
    discord.books.note("request", method=call.method, path=request.path_qs,
                       status=status, reason=call.reason())
    return response if response is not None else web.Response()
