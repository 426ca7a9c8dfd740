"""discord - a Discord on 127.0.0.1: REST v10, gateway and CDN in one process.

usage: python3 tests/peers/discord [--world FILE] [--seed N]
                                   [--tls CERT KEY] [--state FILE]

The first line on stdout is JSON and says where everything is: "api", "gateway",
"control", "cdn", and "token", "application", "bot", "guild" and "channel" (the
first ones of the world). It ends with its stdin, or by SIGTERM, and then writes
its state into FILE. control.py tells what a test can make it do.

    clock            time, which tests move
    world worldfile history render    what there is, and how it is shown
    permissions intents               who sees what
    gateway connection gatewayops chunks gatewayfaults    the websocket
    rest limits restfaults errors     the way of a request
    cdn cdnfaults                     the files
    bodies embeds components          what a message may be
    routes_* commands search          what REST does
    chat people interactions control  what happens, by whom
    books                             what happened
"""
import argparse
import asyncio
import json
import os
import pathlib
import signal
import ssl
import sys

from aiohttp import web

import connection
import control
import rest
import routes_channels  # noqa: F401  routes register themselves
import routes_guilds  # noqa: F401
import routes_interactions  # noqa: F401
import routes_messages  # noqa: F401
import routes_places  # noqa: F401
import routes_roles  # noqa: F401
import routes_threads  # noqa: F401
import search  # noqa: F401
from app import Discord

HERE = pathlib.Path(__file__).resolve().parent


def make_application(discord):
    app = web.Application(client_max_size=rest.REQUEST_MAX)
    app["discord"] = discord
    for path in ("/gateway", "/gateway/", "/resume", "/resume/"):
        app.router.add_get(path, connection.serve)
    app.router.add_post("/control", control.serve)
    app.router.add_get("/control/state", control.state)
    app.router.add_get("/control/log", control.log)
    app.router.add_get("/attachments/{path:.*}", discord.cdn.serve)
    app.router.add_route("*", "/api/{path:.*}", rest.serve)
    return app


def announce(discord, port, secure):
    s = "s" if secure else ""
    base = f"http{s}://127.0.0.1:{port}"
    discord.cdn.base = base
    discord.ws_base = f"ws{s}://127.0.0.1:{port}"
    guild = discord.world.guild()
    channel = next(c for c in discord.world.channels_of(guild)
                   if c["type"] == 0)
    print(json.dumps({
        "api": base + "/api/v10", "gateway": discord.ws_base + "/gateway",
        "control": base + "/control", "cdn": base + "/attachments",
        "token": discord.world.token,
        "application": discord.world.application["id"],
        "bot": discord.world.bot["id"], "guild": guild["id"],
        "channel": channel["id"]}), flush=True)


async def end_of_input():
    loop = asyncio.get_running_loop()
    stop = loop.create_future()

    def over():
        if not stop.done():
            stop.set_result(None)
    loop.add_signal_handler(signal.SIGTERM, over)
    loop.add_signal_handler(signal.SIGINT, over)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    async def drain():
        while await reader.read(4096):
            pass
        over()
    task = asyncio.create_task(drain())
    await stop
    task.cancel()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--world", default=HERE / "world.json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tls", nargs=2, metavar=("CERT", "KEY"))
    parser.add_argument("--state")
    options = parser.parse_args()
    secure = None
    if options.tls:
        secure = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        secure.load_cert_chain(*options.tls)
    discord = Discord(options.world, options.seed)
    runner = web.AppRunner(make_application(discord), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, shutdown_timeout=0.1,
                       ssl_context=secure)
    await site.start()
    announce(discord, site._server.sockets[0].getsockname()[1], secure)
    await end_of_input()
    if options.state:
        pathlib.Path(options.state).write_text(json.dumps(discord.state()))
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
