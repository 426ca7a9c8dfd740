"""books - what happened here: counters of every effect, and a log.

problems    what Discord's OpenAPI file finds wrong: "requests" of the client,
            "answers" of this server. Only where that file is at hand.
violations  what a client did that the documentation forbids; always a bug of
            the client, even where this Discord only shrugs.
"""
import collections

from components import walk

LOG_MAX = 20000


def files(message):
    return [{"name": a["filename"], "size": a["size"]}
            for a in message["attachments"]]


def labels(message):
    """What its buttons say."""
    return [c["label"] for c in walk(message["components"])
            if c.get("label")]


class Books:
    def __init__(self, clock):
        self.clock = clock
        self.log = collections.deque(maxlen=LOG_MAX)
        self.count = collections.Counter()
        self.requests = collections.Counter()
        self.statuses = collections.Counter()
        self.limited = collections.Counter()
        self.closes = collections.Counter()
        self.violations = []
        self.problems = {"requests": [], "answers": []}
        self.sent = []      # messages the bot made, one entry an effect
        self.effects = []   # everything else it changed
        self.interactions = []

    def note(self, what, **more):
        self.log.append(dict({"at_ms": self.clock.now_ms(), "what": what},
                             **more))

    def add(self, counter, n=1):
        self.count[counter] += n

    def violation(self, what, **more):
        self.violations.append(dict({"what": what}, **more))
        self.note("violation", violation=what, **more)

    def problem(self, where, route, wrong):
        self.problems[where].append(
            {"route": route, "wrong": [f"{at}: {why}" for at, why in wrong]})

    def effect(self, what, **more):
        self.effects.append(dict(
            {"what": what, "at_ms": self.clock.now_ms()}, **more))
        self.note(what, **more)

    def message_sent(self, message, nonce, enforced, via):
        self.sent.append({
            "id": message["id"], "channel": message["channel_id"],
            "content": message["content"], "nonce": nonce,
            "enforced": enforced, "via": via, "repeats": 0, "edits": 0,
            "deleted": False, "flags": message.get("flags", 0),
            "buttons": labels(message), "files": files(message),
            "reference": (message.get("message_reference") or {}).get(
                "message_id"),
            "at_ms": self.clock.now_ms()})
        self.note("sent", id=message["id"], nonce=nonce, via=via)

    def message_edited(self, message):
        if entry := self.sent_entry(message["id"]):
            entry["edits"] += 1
            entry["content"] = message["content"]
            entry["flags"] = message.get("flags", 0)
            entry["buttons"] = labels(message)
            entry["files"] = files(message)
        self.add("edits")
        self.note("edited", id=message["id"])

    def sent_entry(self, message_id):
        for entry in reversed(self.sent):
            if entry["id"] == message_id:
                return entry
        return None

    def state(self):
        nonces = collections.Counter(
            str(s["nonce"]) for s in self.sent if s["nonce"] is not None)
        return {
            "count": self.count, "requests": self.requests,
            "statuses": self.statuses, "limited": self.limited,
            "closes": self.closes, "violations": self.violations,
            "problems": self.problems,
            "sent": self.sent, "effects": self.effects,
            "interactions": self.interactions,
            "nonces": nonces,
            "doubled": sorted(n for n, times in nonces.items() if times > 1),
        }
