"""story - what people and the model do in a case, and what must come of it.

A story is told the same way whatever is killed meanwhile: people do what people
would who see only Discord. They press a button that is there, and once more if
Discord told them that this failed. Each story ends when nothing is left to be
done, and `judge` then names what was lost, doubled or left in the air.
"""
import time

STORIES = {}
AGAIN_S = 3     # after so long Discord says that an interaction failed


def story(cls):
    STORIES[cls.name] = cls
    return cls


def lines(word, count):
    return [f"{word} says line {n}, and goes on for a little while."
            for n in range(1, count + 1)]


class Story:
    """The least of a story: somebody asks, and is answered."""
    name = ""
    programs = ("gateway", "index", "converse")
    settings = {"profile": "fake", "discord.dms": "on", "discord.users": "*"}
    lines = 1
    seconds = 120
    only = ()       # the points struck in it, if others strike the rest
    traced = ()     # struck at system calls; else all, or, with only, none
    slow = False    # left out of a sample
    hold = None     # the point at which somebody waits, once, for the story

    @classmethod
    def strikes(cls, point):
        return not cls.only or point.removesuffix(".done") in cls.only

    @classmethod
    def lacks(cls):
        """Why it can't be told on this machine, or None."""
        return None

    def __init__(self, rig):
        self.rig = rig
        self.pressed = {}       # (message, button) -> (interaction, when)
        self.made, self.at = {}, {}     # commands: interactions, and when

    def rules(self):
        return [{"text": "\n".join(lines("tide", self.lines))}]

    def prepare(self):
        """Before there is a model."""

    def set_up(self):
        """Before Sophia is there."""

    def begin(self):
        said = self.rig.do("say", user="ada", channel="general",
                           text="<@sophia> what is the tide doing?")
        self.asked = said["id"]

    # What people do

    def press(self, message, label, user="ada"):
        """Once; or again, if Discord said that it failed."""
        key = message, label
        if key in self.pressed:
            number, at = self.pressed[key]
            entry = next(i for i in self.state["interactions"]
                         if i["id"] == number)
            if entry["answers"] or time.monotonic() < at + AGAIN_S:
                return
        whole = self.rig.message(self.where(message), message)
        for button in buttons(whole or {}):
            if button.get("label") == label and not button.get("disabled"):
                made = self.rig.do("press", user=user, message=message,
                                   custom_id=button["custom_id"])
                self.pressed[key] = made["id"], time.monotonic()

    def where(self, message):
        return next(s["channel"] for s in self.state["sent"]
                    if s["id"] == message)

    def command(self, name, by="ada", channel="general", key=None, **options):
        """Is it answered? Given once; or again, if Discord said it failed."""
        key = key or name
        if key in self.made:
            entry = next(i for i in self.state["interactions"]
                         if i["id"] == self.made[key])
            if entry["answers"]:
                return True
            if time.monotonic() < self.at[key] + AGAIN_S:
                return False
        self.made[key] = self.rig.do("command", user=by, name=name,
                                     channel=channel, options=options)["id"]
        self.at[key] = time.monotonic()
        return False

    def can_command(self):
        return any(c["name"] == "talk" for cs in
                   self.state["commands"].values() for c in cs)

    def act(self, state):
        """Whatever is to be pressed."""
        self.state = state
        for sent in standing(state):
            if "Resume" in sent["buttons"]:
                self.press(sent["id"], "Resume")

    # The end

    def outcome(self):
        """How it went, in a word."""
        return "resumed" if self.pressed else "answered"

    def over(self, state):
        return self.answered(state) and self.quiet()

    def answered(self, state):
        last = lines("tide", self.lines)[-1]
        return any(last in s["content"] for s in standing(state))

    def quiet(self):
        """Nothing is left that somebody would go on with."""
        rig = self.rig
        last = rig.one("SELECT max(number) FROM heard")
        return (
            rig.one("SELECT count(*) FROM outbox WHERE state = 'pending'") == 0
            and rig.one("SELECT count(*) FROM task WHERE state = 'running'")
            == 0 and rig.one("SELECT count(*) FROM inbox") == 0
            and rig.one("SELECT count(*) FROM progress") == 0
            and last == spool_last(rig))

    def judge(self, state):
        """What is wrong, a line each."""
        yield from once(state, lines("tide", self.lines))
        yield from manners(state)
        yield from whole(self.rig)


def buttons(message):
    for row in message.get("components", []):
        yield from row.get("components", [row])


def standing(state):
    return [s for s in state["sent"] if not s["deleted"]]


def spool_last(rig):
    note = rig.home / "spool/0/synced"
    return int(note.read_text().split()[0]) if note.exists() else 0


def once(state, wanted):
    """Each line was said once, in order, by messages that are there."""
    said = [line for s in standing(state) for line in s["content"].split("\n")
            if line in wanted]
    if said != wanted:
        lost = [w for w in wanted if w not in said]
        more = sorted({s for s in said if said.count(s) > 1})
        yield (f"of {len(wanted)} lines {len(lost)} are lost, {len(more)} "
               f"doubled: {(lost + more + ['out of order'])[0]!r}")


def manners(state):
    for nonce in state["doubled"]:
        yield f"sent twice with one nonce: {nonce}"
    for violation in state["violations"]:
        yield f"against Discord's rules: {violation}"


def whole(rig):
    """The stores are sound, and no effect's end is in the air."""
    for base in ("tasks", "messages"):
        if (rig.home / f"{base}.sqlite").exists() and \
                rig.one("PRAGMA integrity_check", base) != "ok":
            yield f"{base}.sqlite is not whole"
    for state, number in rig.sql("SELECT state, count(*) FROM task"
                                 " WHERE state NOT IN ('completed')"
                                 " GROUP BY state"):
        yield f"{number} tasks are {state}"
    for (intent,) in rig.sql("SELECT task || '.' || call FROM receipt"
                             " WHERE state = 'intent'"):
        yield f"{intent} has an intent, and no outcome"


@story
class Question(Story):
    """A question, two tools, one of which writes, an answer of three parts."""
    name = "question"
    lines = 110

    def rules(self):
        return [
            {"unless": '"role": "tool"', "calls": [
                {"name": "note_add", "arguments": {"text": "look at the tide"}},
                {"name": "evaluate_math", "arguments": {"expression": "6*7"}}]},
            *super().rules()]
