"""cdnfaults - what a test ordered to go wrong with a file of the CDN.

An order is {"do": "cdn", "what": WHAT, "times": N, "after": N}.

  redirect  302 to "to", or to another file of this CDN
  status    "status", and a page
  endless   zeros, for as long as anybody takes them; no length is told
  longer    the file and "more" bytes, without telling the length
  lies      a length of "more" bytes than come
  drip      a byte every "seconds"
  stall     half of it, then nothing
  hang      nothing, not even a status
  cut       half of it, then the end of the connection
"""
import asyncio

from aiohttp import web

CHUNK = bytes(64 << 10)


class CdnFaults:
    def __init__(self, books, clock):
        self.books, self.clock = books, clock
        self.orders = []

    def add(self, order):
        self.orders.append(dict(order, left=order.get("times", 1),
                                skip=order.get("after", 0)))

    def clear(self):
        self.orders.clear()

    def take(self):
        for order in self.orders:
            if order["skip"] > 0:
                order["skip"] -= 1
                continue
            order["left"] -= 1
            if order["left"] <= 0:
                self.orders.remove(order)
            self.books.add("faults.cdn." + order["what"])
            self.books.note("fault", fault="cdn." + order["what"])
            return order
        return None

    async def strike(self, order, request, data):
        try:
            return await getattr(self, "do_" + order["what"])(order, request,
                                                              data)
        except (ConnectionError, asyncio.CancelledError):
            self.books.add("cdn.hung_up")
            raise

    async def do_redirect(self, order, request, _data):
        to = order.get("to", f"http://{request.host}/attachments/elsewhere")
        return web.Response(status=302, headers={"Location": to})

    async def do_status(self, order, _request, _data):
        return web.Response(status=order["status"], text="<html>no</html>",
                            content_type="text/html")

    @staticmethod
    async def begin(request, length=None):
        out = web.StreamResponse()
        out.content_length = length
        if length is None:
            out.enable_chunked_encoding()
        await out.prepare(request)
        return out

    async def do_endless(self, _order, request, _data):
        out = await self.begin(request)
        while True:
            await out.write(CHUNK)
            self.books.add("cdn.endless", len(CHUNK))

    async def do_longer(self, order, request, data):
        out = await self.begin(request)
        await out.write(data + bytes(order["more"]))
        return out

    async def do_lies(self, order, request, data):
        out = await self.begin(request, len(data) + order["more"])
        await out.write(data)
        request.transport.close()
        return out

    async def do_drip(self, order, request, data):
        out = await self.begin(request, len(data))
        for byte in data:
            await out.write(bytes([byte]))
            await self.clock.sleep(order.get("seconds", 1))
        return out

    async def half(self, request, data):
        out = await self.begin(request, len(data))
        await out.write(data[:len(data) // 2])
        return out

    async def do_stall(self, _order, request, data):
        await self.half(request, data)
        await self.until_gone(request)

    async def do_hang(self, _order, request, _data):
        await self.until_gone(request)

    async def do_cut(self, _order, request, data):
        out = await self.half(request, data)
        request.transport.close()
        return out

    async def until_gone(self, request):
        while request.transport is not None:
            await asyncio.sleep(0.01)
        raise ConnectionError
