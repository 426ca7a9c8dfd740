"""acts - what happens in a round: people, and everything that goes wrong.

An act is a function of the round, and its weight. Each is given a random
generator of its own, so that the same seed makes the same acts, however the
programs between them were scheduled.
"""
import signal
import string

ACTS = []
CHANNELS = ("general", "general", "random", "works")
PEOPLE = ("ada", "bob", "eve")


def act(weight):
    def register(function):
        ACTS.append((weight, function))
        return function
    return register


def word(round_, rng):
    """A word that no other question has."""
    number = len(round_.asked) + 1
    return f"q{number}{''.join(rng.choices(string.ascii_lowercase, k=4))}"


# People

@act(14)
def ask(round_, rng):
    channel, user = rng.choice(CHANNELS), rng.choice(PEOPLE)
    round_.ask(word(round_, rng), "mention", user, channel)
    return f"{user} asks in {channel}"


@act(4)
def ask_many(round_, rng):
    channel = rng.choice(CHANNELS)
    for user in PEOPLE:
        round_.ask(word(round_, rng), "mention", user, channel)
    return f"three ask in {channel}"


@act(4)
def ask_directly(round_, rng):
    user = rng.choice(PEOPLE)
    round_.ask(word(round_, rng), "direct", user)
    return f"{user} asks directly"


@act(4)
def reply(round_, rng):
    """To the last answer in a channel, without a mention in words."""
    answers = [s for s in round_.stage.state()["sent"] if s["reference"] and
               s["content"].startswith("re: ")]
    if not answers:
        return "nobody replies: there is no answer"
    found = answers[-1]
    round_.ask(word(round_, rng), "reply", rng.choice(PEOPLE),
               found["channel"], reply_to=found["id"])
    return "somebody replies to the last answer"


@act(5)
def chat(round_, rng):
    round_.stage.do("say", user=rng.choice(PEOPLE), text="nothing for Sophia",
                    channel=rng.choice(CHANNELS), count=rng.choice((1, 1, 9)))
    return "people chat"


@act(2)
def others_talk(round_, rng):
    """Nobody whom Sophia may answer."""
    text = "<@sophia> q0robot?"
    round_.stage.do("say", user="robot", channel="general", text=text)
    round_.stage.do("say", user="ada", channel="random", text=text,
                    webhook=True)
    return "a bot and a webhook ask"


@act(3)
def command(round_, rng):
    user, channel = rng.choice(PEOPLE), rng.choice(("general", "random"))
    if round_.command(word(round_, rng), user, channel):
        return f"{user} uses /talk"
    return "nobody uses /talk: it is not there"


@act(2)
def edit(round_, rng):
    chatter = round_.stage.do("say", user="ada", channel="random",
                              text="not yet right")
    round_.stage.do("edit", message=chatter["id"], text="right now")
    if rng.random() < 0.5:
        round_.stage.do("delete", message=chatter["id"])
    return "ada edits what she said"


# The gateway

def gateway(weight, fault, **order):
    @act(weight)
    def strike(round_, rng):
        more = {k: rng.choice(v) if isinstance(v, tuple) else v
                for k, v in order.items()}
        round_.stage.do(fault, **more)
        return f"{fault} {more}"


LATER = ("now", "event", "heartbeat", "resumed", "ready")
gateway(5, "drop", on=LATER, reset=(True, False))
gateway(3, "half_open", on=("now", "heartbeat"))
gateway(2, "no_ack", times=(1, 2))
gateway(2, "op1")
gateway(3, "op7", on=LATER)
gateway(2, "op9", resumable=True, on=("now", "event", "resume"))
gateway(3, "op9", resumable=False, on=("now", "event", "resume"))
gateway(5, "close", code=(4000, 4001, 4002, 4003, 4005, 4008), on=LATER)
gateway(2, "close", code=(4007, 4009), on=LATER)
gateway(1, "close", code=(1000, 1001, 1011, 4042), on=LATER)
gateway(1, "hello_delay", seconds=(1, 3))
gateway(1, "mute", on=("identify", "resume"))
gateway(2, "replay_twice")
gateway(2, "replay_some")
gateway(2, "replay_none")
gateway(3, "duplicate", times=(1, 5))
gateway(2, "unknown")
gateway(1, "slow", seconds=(1, 3))
gateway(2, "split", bytes=(1, 7, 100))
gateway(1, "no_guild_create")
gateway(1, "odd", nulls=(True, False), unknown=(True, False))
gateway(1, "end_sessions")


# REST

SENDING = "POST /channels/{channel_id}/messages"
ROUTES = (SENDING, SENDING, SENDING, "", "", "", "GET /channels", "GET",
          "PATCH", "DELETE", "/interactions", "/webhooks", "typing")


def rest(weight, fault, **order):
    gateway(weight, "rest", what=fault, route=ROUTES, **order)


rest(4, "status", status=(500, 502, 503), times=(1, 3))
rest(2, "html429", retry_after=(1, 2))
rest(2, "limited", scope=("user", "shared", "global"), retry_after=(0.3, 1.5))
rest(4, "lost", times=(1, 2))
rest(3, "reset", times=(1, 2))
rest(2, "slow", seconds=(0.5, 2))
rest(2, "late", seconds=(0.5, 2))
rest(2, "cut")
rest(1, "garbage")


# Death

def kill(weight, program, number=signal.SIGKILL):
    @act(weight)
    def strike(round_, rng):
        if round_.stage.kill(program, rng.randrange(99), number):
            round_.killed[program] += 1
            return f"{number.name} for {program}"
        return f"no {program} to kill"


for name in ("gateway", "converse", "index", "up"):
    kill(2, "sophia-" + name)
    kill(1, "sophia-" + name, signal.SIGTERM)
kill(3, "sophia-loop")
kill(1, "sophia-model")


# The provider

def provider(weight, **step):
    @act(weight)
    def strike(round_, rng):
        more = {k: rng.choice(v) if isinstance(v, tuple) else v
                for k, v in step.items()}
        round_.stage.provide(more)
        return f"provider: {more}"


provider(2, status=(500, 502, 503), body="later")
provider(1, status=429, headers={"Retry-After": "1"}, body="slowly")
provider(2, truncate=(1, 100, 400))
provider(3, delay_ms=(1000, 3000, 6500))
provider(1, cut=(1, 3), gap_ms=1)
provider(3, calls=[{"name": "search_messages", "arguments": {"text": "tide"}}])
provider(1, calls=[{"name": "evaluate_math",
                    "arguments": {"expression": "6*7"}}])
