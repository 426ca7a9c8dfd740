"""routes_interactions - REST: answering interactions, and their webhook."""
import bodies
import limits_body
from errors import ApiError, bad_field, check, refuse_form
from form import Form
from interactions import (AUTOCOMPLETE, COMMAND, COMPONENT, EPHEMERAL,
                          LOADING, MODAL)
from rest import route

PONG, REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, FORM = 1, 4, 5, 6, 7, 8, 9
FITS = {REPLY: (COMMAND, COMPONENT, MODAL), DEFER: (COMMAND, COMPONENT, MODAL),
        DEFER_UPDATE: (COMPONENT, MODAL), UPDATE: (COMPONENT, MODAL),
        CHOICES: (AUTOCOMPLETE,), FORM: (COMMAND, COMPONENT)}
HOOK = "/webhooks/{webhook_id}/{token}"
USERS_ONLY = {"parse": ["users"]}


def make_message(discord, made, call, data, via):
    """The message of an answer or follow-up; ephemeral ones stay unseen."""
    private = bool((data.get("flags") or 0) & EPHEMERAL)
    world, app = discord.world, discord.world.application["id"]
    fields = bodies.message_fields(discord, made.channel, call, data, None)
    fields.update({
        "webhook_id": app, "application_id": app, "type": 20 if
        made.kind == COMMAND and made.original is None else 0,
        "flags": (data.get("flags") or 0),
        "interaction_metadata": {
            "id": made.id, "type": made.kind, "user": made.user,
            "authorizing_integration_owners": {"0": made.channel.get(
                "guild_id", "0")}}})
    if made.original:
        fields["type"] = 19
        fields["message_reference"] = {
            "type": 0, "channel_id": made.channel["id"],
            "message_id": made.original["id"]}
    if private:
        from worldfile import new_message
        message = new_message(world, made.channel, world.bot,
                              data.get("content") or "")
        message.update(fields)
        message["_private"] = made.user["id"]
    else:
        message = discord.chat.post(
            made.channel, world.bot, data.get("content") or "", fields,
            allowed=data.get("allowed_mentions", USERS_ONLY))
    made.made[message["id"]] = message
    made.entry["messages"].append({
        "id": message["id"], "via": via, "ephemeral": private,
        "content": message["content"], "edits": 0, "deleted": False})
    discord.books.message_sent(message, None, False, via)
    return message


def change_message(discord, made, call, message, data):
    bodies.check_message(call, data, editing=message)
    fields = bodies.edit_fields(discord, call, data, message)
    fields["flags"] = fields.get("flags", message["flags"]) & ~LOADING
    if "_private" in message:
        fields.pop("_allowed", None)
        message.update(fields)
    else:
        if "_allowed" in fields and fields["_allowed"] is None:
            fields["_allowed"] = USERS_ONLY
        discord.chat.edit(message, fields, quiet=bool(
            message["flags"] & LOADING))
    for entry in made.entry["messages"]:
        if entry["id"] == message["id"]:
            entry["edits"] += 1
            entry["content"] = message["content"]
    discord.books.message_edited(message)


def check_answer(discord, made, call, kind, data):
    """Refuse a callback that doesn't fit, or whose data is bad."""
    if kind not in FITS or made.kind not in FITS[kind]:
        raise bad_field("type", "INTERACTION_APPLICATION_COMMAND_INVALID_TYPE",
                        "This response type does not fit the interaction")
    if kind in (REPLY, UPDATE):
        editing = made.source if kind == UPDATE else None
        bodies.check_message(call, data, editing)
    elif kind == CHOICES:
        check_choices(data)
    elif kind == FORM:
        refuse_form(limits_body.modal(data))


def check_choices(data):
    form = Form()
    with form.inside("data"):
        for choice in form.items(data, "choices", 25, required=True):
            form.text(choice, "name", 100, 1, required=True)
            if isinstance(choice.get("value"), str):
                form.text(choice, "value", 100, 1)
            elif choice.get("value") is None:
                form.value(choice, "value", required=True)
    check(form)


def refuse(discord, made, call, error):
    discord.books.add(f"interactions.refused.{error.body['code']}")
    if made:
        made.entry["refused"].append(error.body["code"])
    return error


def take_answer(discord, made, call, kind, data):
    """Do what a checked callback says."""
    if kind == REPLY:
        made.original = make_message(discord, made, call, data, "interaction")
    elif kind == DEFER:
        flags = (data.get("flags") or 0) & EPHEMERAL
        made.original = make_message(discord, made, call, {
            "flags": flags | LOADING}, "deferred")
    elif kind in (DEFER_UPDATE, UPDATE):
        made.original = made.source
        if made.source:
            made.made[made.source["id"]] = made.source
        if kind == UPDATE:
            change_message(discord, made, call, made.source, data)


@route("POST", "/interactions/{interaction_id}/{token}/callback", token=False)
async def callback(discord, call):
    made = discord.interactions.by_id.get(call.params["interaction_id"])
    if made is None or made.token != call.params["token"]:
        raise refuse(discord, None, call, ApiError(404, 10062))
    if made.answer is not None:
        raise refuse(discord, made, call, ApiError(400, 40060))
    if not discord.interactions.in_time(made):
        raise refuse(discord, made, call, ApiError(404, 10062))
    kind, data = call.body.get("type"), call.body.get("data") or {}
    check_answer(discord, made, call, kind, data)
    made.answer = call.body
    made.entry["answers"].append({"type": kind, "data": data})
    made.entry["answered_ms"] = round(
        (discord.clock.now() - made.created) * 1000)
    take_answer(discord, made, call, kind, data)
    discord.books.add("interactions.answered")
    if not call.flag("with_response"):
        return None
    original = made.original if kind in (REPLY, DEFER, UPDATE) else None
    out = {"interaction": {"id": made.id, "type": made.kind,
                           "response_message_loading": kind == DEFER,
                           "response_message_ephemeral": bool(
                               original and "_private" in original)},
           "resource": {"type": kind}}
    if original:
        out["interaction"]["response_message_id"] = original["id"]
        out["resource"]["message"] = discord.render.message(original)
    return out


def by_token(discord, call):
    made = discord.interactions.by_token.get(call.params["token"])
    if made is None or \
            call.params["webhook_id"] != discord.world.application["id"]:
        raise refuse(discord, None, call, ApiError(404, 10015))
    if not discord.interactions.alive(made):
        raise refuse(discord, made, call, ApiError(401, 50027))
    if made.answer is None:
        raise refuse(discord, made, call, ApiError(404, 10015))
    return made


def hook_message(discord, call):
    made = by_token(discord, call)
    number = call.params.get("message_id", "@original")
    message = made.original if number == "@original" else made.made.get(number)
    gone = message and any(e["id"] == message["id"] and e["deleted"]
                           for e in made.entry["messages"])
    if message is None or gone:
        raise refuse(discord, made, call, ApiError(404, 10008))
    return made, message


@route("POST", HOOK, token=False)
async def follow_up(discord, call):
    made = by_token(discord, call)
    bodies.check_message(call, call.body)
    if made.original and made.original["flags"] & LOADING:
        change_message(discord, made, call, made.original, call.body)
        return discord.render.message(made.original)
    message = make_message(discord, made, call, call.body, "followup")
    return discord.render.message(message)


async def get_hook_message(discord, call):
    return discord.render.message(hook_message(discord, call)[1])


async def edit_hook_message(discord, call):
    made, message = hook_message(discord, call)
    change_message(discord, made, call, message, call.body)
    return discord.render.message(message)


async def delete_hook_message(discord, call):
    made, message = hook_message(discord, call)
    for entry in made.entry["messages"]:
        if entry["id"] == message["id"]:
            entry["deleted"] = True
    if "_private" not in message:
        discord.chat.delete(made.channel, message)
    elif entry := discord.books.sent_entry(message["id"]):
        entry["deleted"] = True


for last in ("@original", "{message_id}"):
    path = HOOK + "/messages/" + last
    route("GET", path, token=False)(get_hook_message)
    route("PATCH", path, token=False)(edit_hook_message)
    route("DELETE", path, token=False)(delete_hook_message)
