"""errors - how this Discord refuses: a status, a code, a text, and where."""

TEXTS = {
    0: "General error", 10003: "Unknown Channel", 10004: "Unknown Guild",
    10007: "Unknown Member", 10008: "Unknown Message", 10011: "Unknown Role",
    10013: "Unknown User", 10014: "Unknown Emoji", 10015: "Unknown Webhook",
    10062: "Unknown interaction", 10063: "Unknown application command",
    20016: "This action cannot be performed due to slowmode rate limit",
    20028: "The write action you are performing on the channel has hit the"
           " write rate limit",
    30003: "Maximum number of pins reached for the channel (250)",
    30034: "Max number of daily application command creates has been reached"
           " (200)",
    30046: "Maximum number of edits to messages older than 1 hour reached",
    40005: "Request entity too large. Try sending something smaller in size",
    40060: "Interaction has already been acknowledged.",
    50001: "Missing Access", 50005: "Cannot edit a message authored by another"
    " user", 50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50016: "Provided too few or too many messages to delete. Must provide at"
           " least 2 and at most 100 messages to delete",
    50021: "Cannot execute action on a system message",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token", 50033: "Invalid Recipient(s)",
    50034: "You can only bulk delete messages that are under 14 days old.",
    50035: "Invalid Form Body", 50083: "Thread is archived",
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


class Faults:
    """What is wrong with a body, gathered field by field, then raised."""

    def __init__(self):
        self.tree = {}

    def add(self, path, code, message):
        node = self.tree
        for part in path:
            node = node.setdefault(str(part), {})
        node.setdefault("_errors", []).append(
            {"code": code, "message": message})

    def length(self, path, text, low, high):
        if not isinstance(text, str):
            self.add(path, "STRING_TYPE_CONVERT",
                     f"Could not interpret \"{text}\" as string.")
            return False
        if not low <= len(text) <= high:
            code = "BASE_TYPE_MAX_LENGTH" if low == 0 else \
                "BASE_TYPE_BAD_LENGTH"
            what = f"Must be {high} or fewer in length." if low == 0 else \
                f"Must be between {low} and {high} in length."
            self.add(path, code, what)
            return False
        return True

    def size(self, path, items, low, high):
        if not isinstance(items, list):
            self.add(path, "LIST_TYPE_CONVERT",
                     "Only iterables may be used in a ListType")
            return False
        if not low <= len(items) <= high:
            code = "BASE_TYPE_MAX_LENGTH" if low == 0 else \
                "BASE_TYPE_BAD_LENGTH"
            what = f"Must be {high} or fewer in length." if low == 0 else \
                f"Must be between {low} and {high} in length."
            self.add(path, code, what)
            return False
        return True

    def required(self, path):
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")

    def check(self):
        if self.tree:
            raise ApiError(400, 50035, errors=self.tree)


def bad_field(path, code, message):
    """One field at fault."""
    faults = Faults()
    faults.add(path if isinstance(path, (list, tuple)) else [path], code,
               message)
    return ApiError(400, 50035, errors=faults.tree)
