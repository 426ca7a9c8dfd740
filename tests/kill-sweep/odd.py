"""odd - odd ways that a change or a task can go, each in a story of its own.

What they have in common with the other stories is struck there: here only the
points in `only` are, so these stay short.
"""
import subprocess
import time

from change import NOTICE, POWERS, Change
from others import Talk
from story import Story, manners, standing, story, whole


class Attesting(Change):
    """Where somebody says what he saw of it."""

    def attest(self, what, text):
        for task, call in self.open_ones():
            self.ended.add("attested")
            subprocess.run(
                ["sophia-task", "attest", f"{task}.{call}", what, text],
                env=self.rig.env, timeout=60, stdout=self.rig.log("attest"),
                stderr=self.rig.log("attest"))

    def outcome(self):
        return "attested" if "attested" in self.ended else super().outcome()


@story
class Lost(Change):
    """The message is sent, but no answer comes: its author has it verified."""
    name = "lost"
    only = ("guild.settle",)

    def set_up(self):
        super().set_up()
        self.rig.do("rest", what="lost",
                    route="POST /channels/{channel_id}/messages", after=1)


@story
class Attested(Attesting, Lost):
    """The same, and an operator says what is there."""
    name = "attested"
    only = ("attest.call",)

    def verify(self):
        self.attest("happened", "the message is there")

    def judge(self, state):
        yield from super().judge(state)
        found = self.rig.sql("SELECT kind, happened FROM settlement")
        if found != [("attested", 1)]:
            yield f"settled: {found}"


@story
class Parts(Attesting):
    """One change in several requests: a role for two people. If one has it and
    one hasn't, nothing can be verified: that is attested, and asked for anew.
    """
    name = "parts"
    only = ("change.part", "executor.go")
    people = ("bob", "eve")

    def rules(self):
        done = "gave <@&|they all have|have the role"
        return [{"unless": done, "calls": [
            {"name": "manage_member_roles", "arguments":
             {"members": list(self.people), "add": ["keeper"]}}]},
            *Story.rules(self)]

    def prepare(self):
        """Everybody is there already."""

    def set_up(self):
        super().set_up()
        self.rig.do("role", role="Sophia",
                    permissions=[*POWERS, "MANAGE_ROLES"])

    def begin(self):
        self.asked = self.rig.do(
            "say", user="ada", channel="general",
            text="<@sophia> give bob and eve the role keeper")["id"]

    def verify(self):
        super().verify()
        said = self.rig.folder / "verify.log"
        if said.exists() and '"found":"unclear"' in said.read_text():
            self.attest("not", "one of them lacks it")

    def judge(self, state):
        yield from Story.judge(self, state)
        yield from self.open_ends()
        given = [e for e in state["effects"] if e["what"] == "role_given"]
        if len(given) != len(self.people):
            yield f"{len(given)} times a role was given to {self.people}"


@story
class Cleared(Parts):
    """A channel is cleared, by as many requests as that takes: at most a
    hundred messages each, and one for each that is old.
    """
    name = "cleared"
    only = ("guild.send", "change.part", "executor.go", "change.outcome")
    new, old = 120, 3

    def rules(self):
        return [{"unless": "there is no such message", "calls": [
            {"name": "clear_messages", "arguments":
             {"channel": "random", "count": 100}}]}, *Story.rules(self)]

    def prepare(self):
        for count, days in ((self.old, 30), (self.new, 1)):
            self.rig.do("fill", channel="random", user="bob", count=count,
                        text="wind %n",
                        from_ms=int(time.time() - days * 86400) * 1000)

    def begin(self):
        self.asked = self.rig.do("say", user="ada", channel="general",
                                 text="<@sophia> clear random, all of it")["id"]

    def judge(self, state):
        yield from Story.judge(self, state)
        yield from self.open_ends()
        gone = [m for e in state["effects"] for m in e.get("ids", ()) if
                e["what"] == "bulk_deleted"]
        gone += [e["id"] for e in state["effects"]
                 if e["what"] == "message_deleted"]
        there = self.new + self.old
        if len(gone) != there or len(set(gone)) != there:
            yield f"{len(gone)} deleted, {len(set(gone))} of {there}"


@story
class Steered(Change):
    """While a card is shown, its requester says something else."""
    name = "steered"
    only = ("executor.unask",)
    outdated = frozenset()

    def steer(self):
        self.rig.do("say", user="ada", channel="general",
                    reply_to=self.asked, text="and be quick")

    def act(self, state):
        cards = {s["id"] for s in standing(state) if "Approve" in s["buttons"]}
        if cards and not self.outdated:
            self.outdated = frozenset(cards)
            self.steer()
        live = [s for s in state["sent"] if s["id"] not in self.outdated]
        super().act(dict(state, sent=live))

    def where(self, message):
        return self.rig.channel


@story
class Withdrawn(Change):
    """Something is said just when a change is intended, and not yet made."""
    name = "withdrawn"
    only = ("change.withdraw",)
    hold = "change.intent.done"

    def __init__(self, rig):
        super().__init__(rig)
        self.said = self.released = False

    def act(self, state):
        super().act(state)
        if self.released or not self.rig.held():
            return
        if not self.said:
            self.rig.do("say", user="ada", channel="general",
                        reply_to=self.asked, text="and be quick")
            self.said = True
        elif self.rig.one("SELECT count(*) FROM control WHERE kind = 'steer'"):
            self.rig.release()
            self.released = True


@story
class TakenBack(Story):
    """Somebody deletes the message with his request, which waits for its turn.
    """
    name = "taken-back"
    settings = dict(Story.settings, **{"converse.tasks": "1"})
    only = ("ear.withdraw",)

    def __init__(self, rig):
        super().__init__(rig)
        self.bobs, self.taken = None, False

    def rules(self):
        return [{"when": "wind", "text": "never"},
                {"delay_ms": 4000, **super().rules()[0]}]

    def act(self, state):
        super().act(state)
        waits = self.rig.one("SELECT count(*) FROM inbox")
        if self.bobs is None and self.rig.one("SELECT count(*) FROM task"):
            self.bobs = self.rig.do(
                "say", user="bob", channel="general",
                text="<@sophia> what is the wind doing?")["id"]
        elif self.bobs and waits and not self.taken:
            self.rig.do("delete", channel="general",
                        message=self.bobs)
            self.taken = True

    def over(self, state):
        return self.taken and super().over(state)

    def judge(self, state):
        yield from super().judge(state)
        if any(s["content"] == "never" for s in standing(state)):
            yield "what was taken back is answered"


@story
class Attached(Story):
    """The model brings what was attached to a message into its files."""
    name = "attached"
    only = ("content.blob", "import.write")
    size = 100000

    def prepare(self):
        said = self.rig.do("say", user="ada", channel="random", text="see",
                           attachments=[{"name": "tide.txt", "type":
                                         "text/plain", "text": "t" * self.size}])
        self.call = {"name": "sandbox_import", "arguments": {
            "attachment_id": said["attachments"][0]["id"],
            "path": "tide.txt", "message_url": "https://discord.com/channels/"
            f"{self.rig.guild}/{said['channel_id']}/{said['id']}"}}

    def rules(self):
        return [{"unless": "tide.txt is there", "calls": [self.call]}, *super().rules()]

    def judge(self, state):
        yield from super().judge(state)
        kept = self.rig.sql("SELECT f.path, c.size FROM file f JOIN content c"
                            " USING (hash)")
        if kept != [("tide.txt", self.size)]:
            yield f"the task has these files: {kept}"
        blobs = [p for p in (self.rig.home / "blob").rglob("*") if p.is_file()]
        if [p.stat().st_size for p in blobs] != [self.size]:
            yield f"contents are kept {len(blobs)} times"


@story
class Expired(Change):
    """Nobody decides in time; then the task is stopped, by its operator."""
    name = "expired"
    settings = dict(Change.settings, **{"approval.minutes": "1"})
    seconds = 240
    slow = True
    only = ("approval.expire", "stop.cancel")

    def act(self, state):
        self.state = state
        for task, now in self.rig.sql("SELECT id, state FROM task"):
            if now == "paused":
                subprocess.run(["sophia-task", "stop", task], timeout=60,
                               env=self.rig.env, stdout=self.rig.log("stop"),
                               stderr=self.rig.log("stop"))

    def over(self, state):
        return self.quiet() and self.rig.one(
            "SELECT count(*) FROM task WHERE state = 'cancelled'") == 1

    def judge(self, state):
        yield from manners(state)
        if any(s["content"] == NOTICE for s in state["sent"]):
            yield "it was done, though nobody approved"
        if not self.rig.message(self.rig.channel, self.old):
            yield "the other message is deleted, though nobody approved"
        if self.rig.one("SELECT count(*) FROM receipt"):
            yield "there is a receipt"
        if self.rig.one("SELECT count(*) FROM approval WHERE verdict IS NULL"):
            yield "its approval is open still"


@story
class Refused(Story):
    """Discord takes no message: so the answer is kept, and not delivered. Who
    died before that was noted can't know whether an earlier one was taken.
    """
    name = "refused"
    only = ("courier.give-up",)

    def set_up(self):
        self.rig.do("rest", what="status", status=400, times=10 ** 6,
                    route="POST /channels/{channel_id}/messages",
                    body={"code": 50035, "message": "Invalid Form Body"})

    def answered(self, _state):
        return self.ends() in self.fine()

    def fine(self):
        struck = self.rig.trap.sprung(self.rig.folder)
        return [[(end, 1)] for end in ("failed", "unknown")[:1 + struck]]

    def ends(self):
        return self.rig.sql("SELECT state, count(*) FROM outbox"
                            " WHERE kind = 'answer' GROUP BY state")

    def judge(self, state):
        yield from manners(state)
        yield from whole(self.rig)
        if self.ends() not in self.fine():
            yield f"answers in the outbox: {self.ends()}"
        if state["sent"]:
            yield "something was sent"


@story
class Bulky(Story):
    """An answer of so many parts that it goes as a file, which Discord finds
    too large.
    """
    name = "bulky"
    lines = 400
    only = ("courier.plan-anew",)

    def set_up(self):
        self.rig.do("rest", what="status", status=400, times=10 ** 6,
                    route="POST /channels/{channel_id}/messages", files=True,
                    body={"code": 40005, "message": "Entity too large"})


@story
class Late(Talk):
    """When there is an answer, Discord doesn't know the command's token."""
    name = "late"
    only = ("courier.drop-token",)

    def rules(self):
        return [{"delay_ms": 3000, **Story.rules(self)[0]}]

    def act(self, state):
        self.state = state
        if self.can_command():
            self.command("talk", message="what is the tide doing?")
        for sent in standing(state):
            if "Resume" in sent["buttons"]:
                self.press(sent["id"], "Resume")
        if "token" not in self.made and \
                self.rig.one("SELECT count(*) FROM task"):
            self.made["token"] = None
            self.rig.do("rest", what="status", status=404, times=10 ** 6,
                        route="/webhooks/", body={
                            "code": 10015, "message": "Unknown Webhook"})

    def over(self, state):
        return self.answered(state) and self.quiet()
