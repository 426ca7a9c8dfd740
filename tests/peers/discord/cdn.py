"""cdn - attachments: their bytes, and URLs that are signed and expire."""
import hashlib
import hmac
import re

from aiohttp import web

VALID_S = 24 * 3600
PATH = re.compile(r"/attachments/(\d+)/(\d+)/([^/?]+)")


class Cdn:
    def __init__(self, clock, key):
        self.clock, self.key = clock, key
        self.base = ""
        self.files = {}     # path -> (content type, bytes)

    def sign(self, path, issued):
        words = f"{path} {issued} {issued + VALID_S}".encode()
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()

    def url(self, path):
        """Valid for a day; the same within an hour, as the real one's."""
        issued = int(self.clock.now()) // 3600 * 3600
        return f"{self.base}{path}?ex={issued + VALID_S:x}&is={issued:x}" \
               f"&hm={self.sign(path, issued)}&"

    def store(self, channel_id, filename, kind, data, description=None):
        filename = re.sub(r"[^\w.()+-]", "_", filename or "unknown") or "file"
        number = self.clock.snowflake()
        path = f"/attachments/{channel_id}/{number}/{filename}"
        self.files[path] = (kind, data)
        out = {"id": number, "filename": filename, "size": len(data),
               "content_type": kind, "_path": path}
        if description is not None:
            out["description"] = description
        return out

    def render(self, attachment):
        out = {k: v for k, v in attachment.items() if k[0] != "_"}
        if "_path" in attachment:
            out["url"] = out["proxy_url"] = self.url(attachment["_path"])
        return out

    def refreshed(self, url):
        match = PATH.search(url)
        path = match and match.group(0)
        return self.url(path) if path in self.files else url

    async def serve(self, request):
        discord = request.app["discord"]
        path = request.path
        discord.books.add("cdn.requests")
        if "Authorization" in request.headers:
            discord.books.violation("a token was sent to the CDN")
        try:
            issued = int(request.query["is"], 16)
            expires = int(request.query["ex"], 16)
        except (KeyError, ValueError):
            issued = expires = 0
        good = expires == issued + VALID_S and hmac.compare_digest(
            request.query.get("hm", ""), self.sign(path, issued))
        if not good or expires <= self.clock.now():
            discord.books.add("cdn.expired")
            return web.Response(status=404, text="This content is no longer"
                                " available.")
        if path not in self.files:
            return web.Response(status=404)
        kind, data = self.files[path]
        discord.books.add("cdn.files")
        if order := discord.cdn_faults.take():
            return await discord.cdn_faults.strike(order, request, data)
        return web.Response(body=data, headers={"Content-Type": kind})
