"""company - a task that several people have to do with, and one in two places.

Ada asks for what takes long, so that what Bob asks for waits: he calls it off.
She lets him correct hers, and he does. She asks for more, which the model has
that task do; and in the end she takes it to another channel. Whoever dies: the
task is corrected and answered once each time, it is told there that it was
moved, and what Bob called off, if that was in time, isn't answered.
"""
from story import Story, lines, manners, standing, story

WEST, STARS, MORROW = "only the west wind", "The stars are out.", "At seven."


@story
class Company(Story):
    name = "company"
    settings = dict(Story.settings, **{"converse.tasks": "1"})
    only = ("collaborator.change", "handoff.move", "tasktool.continue",
            "menu.call_off")

    def __init__(self, rig):
        super().__init__(rig)
        self.said = {}
        self.done = set()

    def rules(self):
        on = {"name": "task_control", "arguments": {
            "action": "continue", "words": "wind", "text": "name the stars"}}
        return [{"when": "and tomorrow", "text": MORROW},
                {"when": "name the stars", "unless": "go on with the other",
                 "text": STARS},
                {"when": "go on with the other", "unless": '"role": "tool"',
                 "calls": [on]},
                {"when": "go on with the other", "text": "So be it."},
                {"when": "moon", "delay_ms": 20000, "text": "moonlight"},
                {"when": WEST, **super().rules()[0]},
                {"when": "wind", "delay_ms": 20000, "text": "calm"}]

    def begin(self):
        self.say("wind", "ada", "<@sophia> what is the wind doing?")

    def say(self, key, user, text):
        if key not in self.said:
            self.said[key] = self.rig.do("say", user=user, channel="general",
                                         text=text)["id"]

    def task(self):
        return self.rig.one("SELECT id FROM task WHERE objective LIKE"
                            " '%wind%'")

    def act(self, state):
        """One thing after the other."""
        super().act(state)
        task = self.task()
        if not self.can_command() or not task:
            return
        self.say("moon", "bob", "<@sophia> what is the moon doing?")
        for step in (self.call_off, self.invite, self.correct, self.go_on,
                     self.move):
            if step.__name__ not in self.done:
                if step(task):
                    self.done.add(step.__name__)
                return

    def call_off(self, _task):
        heard = self.rig.one("SELECT (SELECT count(*) FROM inbox) + (SELECT"
                             " count(*) FROM task WHERE objective LIKE"
                             " '%moon%')")
        return (heard or "stop" in self.made) and self.command("stop", by="bob")

    def invite(self, task):
        return self.command("tasks", task_id=task, action="invite",
                            user=self.rig.person("bob"))

    def correct(self, task):
        return self.command("steer", by="bob", text=WEST, task_id=task)

    def go_on(self, _task):
        """When that is answered, and what came of it is, too."""
        if not self.answered(self.state) or not self.quiet():
            return False
        self.say("on", "ada", "<@sophia> go on with the other one")
        return self.rig.one("SELECT count(*) FROM task WHERE objective LIKE"
                            " '%the other%' AND state = 'completed'")

    def move(self, task):
        return self.quiet() and self.command(
            "talk", channel="random", task_id=task, handoff=True,
            message="and tomorrow?")

    def over(self, state):
        return "move" in self.done and self.quiet()

    def told(self, what):
        """How often an answer says so, in messages or to one person alone."""
        said = [s["content"] for s in standing(self.state)]
        return sum(what in text for text in said)

    def judge(self, state):
        self.state = state
        for what, fine in ((lines("tide", 1)[0], (1,)), (MORROW, (1,)),
                           (STARS, self.stars()), ("moonlight", (0, 1))):
            if self.told(what) not in fine:
                yield f"told {self.told(what)} times: {what}"
        yield from self.moved()
        yield from manners(state)

    def stars(self):
        """Whoever died as it told so may have told it, or not."""
        return (0, 1) if self.rig.trap.sprung(self.rig.folder) else (1,)

    def moved(self):
        for objective, state in self.rig.sql("SELECT objective, state"
                                             " FROM task"):
            if state not in ("completed", "cancelled") or \
                    state == "cancelled" and "moon" not in objective:
                yield f"{objective!r} is {state}"
        rows = self.rig.sql("SELECT visibility FROM task WHERE objective LIKE"
                            " '%wind%'")
        if rows != [("private",)]:
            yield f"the task that was moved: {rows}"
        helpers = self.rig.one("SELECT count(*) FROM collaborator")
        if helpers:
            yield "one that was moved has collaborators still"
