"""worldfile - a world as a JSON file says it; world.json is the default one."""
import json

from clock import iso, time_of


def load(world, path):
    with open(path, encoding="utf-8") as file:
        spec = json.load(file)
    world.token = spec["token"]
    for user in spec["users"]:
        world.add_user(user)
    world.bot = world.user(spec["application"]["id"])
    world.application = {
        "id": spec["application"]["id"], "name": spec["application"]["name"],
        "icon": None, "description": "", "bot_public": True,
        "bot_require_code_grant": False, "verify_key": "0" * 64,
        "owner": world.user(spec["application"].get(
            "owner", spec["users"][1]["username"])),
        "team": None, "flags": 0, "summary": "", "hook": True, "type": None,
        "integration_types_config": {"0": {}}, "redirect_uris": [],
        "interactions_endpoint_url": None, "role_connections_verification_url":
        None, "approximate_guild_count": len(spec["guilds"]),
        "approximate_user_install_count": 0, "explicit_content_filter": 0,
        "approximate_user_authorization_count": 0,
        "eligible_oauth2_scopes": []}
    for guild in spec["guilds"]:
        world.add_guild(guild)
    for channel in spec.get("dms", []):
        world.dm(world.user(channel))
    for message in spec.get("messages", []):
        put_message(world, message)


def put_message(world, spec):
    """A message of the past: not announced, nobody's effect."""
    channel = world.channel(spec["channel"])
    author = world.user(spec["author"])
    given = spec.get("id") or world.clock.snowflake(spec.get("at_ms"))
    message = new_message(world, channel, author, spec.get("content", ""),
                          given)
    message.update(spec.get("more", {}))
    world.history[channel["id"]].add(message)
    return message


def new_message(world, channel, author, content, message_id=None):
    message_id = message_id or world.clock.snowflake()
    return {"id": message_id, "channel_id": channel["id"], "author": author,
            "content": content, "timestamp": iso(time_of(message_id)),
            "edited_timestamp": None, "tts": False, "mention_everyone": False,
            "mention_roles": [], "_mentions": [], "attachments": [],
            "embeds": [], "components": [], "type": 0, "flags": 0,
            "pinned": False}
