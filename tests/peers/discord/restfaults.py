"""restfaults - what a test ordered to go wrong with a request.

An order is {"do": "rest", "what": WHAT, "route": TEXT, "times": N, "after": N}.
It strikes requests whose "METHOD /template" contains the text of "route"; with
"files": true, only those that carry some.

  status    answer with "status" (and "body") instead of doing it
  html429   the edge answers 429 in HTML, "retry_after" seconds
  limited   a 429 of "scope" user, shared or global, "retry_after" seconds
  reset     the connection ends before it is done
  lost      it is done, and the connection ends without an answer
  hang      it is done, and no answer ever comes
  stall     it is not done, and no answer ever comes
  slow      "seconds" pass before it is done
  late      it is done, and "seconds" pass before the answer
  cut       it is done, and the connection ends within the answer
  garbage   it is not done, and 200 comes with HTML
"""
import asyncio
import json

from aiohttp import web

from limits import Refused


class RestFaults:
    def __init__(self, discord):
        self.discord, self.books = discord, discord.books
        self.orders = []

    def add(self, order):
        self.orders.append(dict(order, left=order.get("times", 1),
                                skip=order.get("after", 0)))

    def clear(self):
        self.orders.clear()

    def take(self, call, limits=False):
        for order in self.orders:
            if (order["what"] == "limited") != limits or \
                    order.get("route", "") not in call.name():
                continue
            if order.get("files") and not call.request.content_type.startswith(
                    "multipart/"):
                continue
            if order["skip"] > 0:
                order["skip"] -= 1
                continue
            order["left"] -= 1
            if order["left"] <= 0:
                self.orders.remove(order)
            self.books.add("faults.rest." + order["what"])
            self.books.note("fault", fault=order["what"], route=call.name())
            return order
        return None

    def limit(self, call):
        if self.orders and (order := self.take(call, limits=True)):
            raise Refused(order.get("scope", "user"),
                          order.get("retry_after", 1))

    async def around(self, call, perform):
        """The response, or None where the connection has ended."""
        order = self.take(call) if self.orders else None
        if order is None:
            return await perform(self.discord, call)
        return await getattr(self, "do_" + order["what"])(order, call,
                                                          perform)

    async def do_status(self, order, _call, _perform):
        status = order.get("status", 500)
        self.discord.limits.count_invalid(status)
        if "body" in order:
            return web.Response(status=status, text=json.dumps(order["body"]),
                                content_type="application/json")
        return web.Response(status=status, content_type="text/html",
                            text=f"<html><title>{status}</title></html>")

    async def do_html429(self, order, _call, _perform):
        from rest import edge
        self.books.limited["edge"] += 1
        self.discord.limits.count_invalid(429)
        return edge(order.get("retry_after", 1))

    async def do_reset(self, _order, call, _perform):
        self.end(call)

    async def do_lost(self, _order, call, perform):
        await perform(self.discord, call)
        self.end(call)

    async def do_hang(self, _order, call, perform):
        await perform(self.discord, call)
        await self.until_gone(call)

    async def do_stall(self, _order, call, _perform):
        await self.until_gone(call)

    async def do_slow(self, order, call, perform):
        await self.discord.clock.sleep(order.get("seconds", 1))
        return await perform(self.discord, call)

    async def do_late(self, order, call, perform):
        response = await perform(self.discord, call)
        await self.discord.clock.sleep(order.get("seconds", 1))
        return response

    async def do_cut(self, _order, call, perform):
        response = await perform(self.discord, call)
        whole = response.body or b""
        out = web.StreamResponse(status=response.status,
                                 headers=response.headers)
        out.content_length = len(whole)
        await out.prepare(call.request)
        await out.write(bytes(whole[:len(whole) // 2]))
        self.end(call, politely=True)

    async def do_garbage(self, _order, _call, _perform):
        return web.Response(text="<html>hello</html>",
                            content_type="text/html")

    @staticmethod
    def end(call, politely=False):
        transport = call.request.transport
        if transport:
            (transport.close if politely else transport.abort)()

    @staticmethod
    async def until_gone(call):
        while call.request.transport is not None:
            await asyncio.sleep(0.01)
