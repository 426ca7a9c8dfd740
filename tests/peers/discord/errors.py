"""errors - how this Discord refuses: a status, a code, a text, and where."""

TEXTS = {
    0: "General error", 10003: "Unknown Channel", 10004: "Unknown Guild",
    10007: "Unknown Member", 10008: "Unknown Message", 10011: "Unknown Role",
    10013: "Unknown User", 10014: "Unknown Emoji", 10015: "Unknown Webhook",
    10062: "Unknown interaction", 10087: "Unknown tag", 10063: "Unknown application command",
    20016: "This action cannot be performed due to slowmode rate limit",
    20028: "The write action you are performing on the channel has hit the"
           " write rate limit",
    30003: "Maximum number of pins reached for the channel (250)",
    30005: "Maximum number of guild roles reached (250)",
    30013: "Maximum number of guild channels reached (500)",
    30034: "Max number of daily application command creates has been reached"
           " (200)",
    30046: "Maximum number of edits to messages older than 1 hour reached",
    40005: "Request entity too large. Try sending something smaller in size",
    40060: "Interaction has already been acknowledged.",
    40067: "A tag is required to create a forum post in this channel",
    50001: "Missing Access", 50005: "Cannot edit a message authored by another"
    " user", 50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50016: "Provided too few or too many messages to delete. Must provide at"
           " least 2 and at most 100 messages to delete",
    50021: "Cannot execute action on a system message",
    50068: "Invalid message type",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token", 50028: "Invalid Role", 50033: "Invalid Recipient(s)",
    50034: "You can only bulk delete messages that are under 14 days old.",
    50035: "Invalid Form Body",
    50074: "Cannot delete a channel required for Community Servers", 50083: "Thread is archived",
    50109: "The request body contains invalid JSON.",
    110000: "Index not yet available. Try again later",
    160002: "You cannot reply without permission to read message history",
    160004: "A thread has already been created for this message",
    160005: "Thread is locked",
    520006: "Poll already ended",
}


class ApiError(Exception):
    """A refusal; errors is the tree that names the fields at fault."""

    def __init__(self, status, code, text=None, errors=None, headers=None):
        super().__init__(text or TEXTS.get(code, ""))
        self.status = status
        self.headers = headers or {}
        self.body = {"message": text or TEXTS[code], "code": code}
        if errors:
            self.body["errors"] = errors


def not_found():
    return ApiError(404, 0, "404: Not Found")


def unauthorized():
    return ApiError(401, 0, "401: Unauthorized")


def missing_access():
    return ApiError(403, 50001)


def missing_permissions():
    return ApiError(403, 50013)


def refuse_form(answer):
    """Raise what a check of limits_*.py answered, if it did."""
    if answer:
        status, body = answer
        raise ApiError(status, body["code"], body["message"],
                       body.get("errors"))


def check(form):
    """Raise what a Form complains of, if it does."""
    if form.errors:
        refuse_form((400, form.answer()))


def bad_field(name, code, message):
    """One field at fault."""
    return ApiError(400, 50035, errors={name: {"_errors": [
        {"code": code, "message": message}]}})
