"""closed - what a task has read is edited while it is at work, and closed to
others before it has answered.

The model finds what Bob said in another channel. He edits it: so it is shown
the new words. Then the channel is closed to everybody, just when the answer is
about to be sent: so that is kept back. Asked again in public, the task goes on
without what it had read there. Whoever dies: none of it is told.
"""
import json

from rig import get
from story import Story, standing, story

OLD, NEW = "boat", "shed"


@story
class Closed(Story):
    name = "closed"
    only = ("recheck.tell", "mend.keep", "courier.withhold",
            "reopen.leave-out")
    hold = "courier.plan.done"

    def __init__(self, rig):
        super().__init__(rig)
        self.done = set()

    def rules(self):
        found = {"name": "search_messages", "arguments": {"text": "key"}}
        return [{"when": "once more", **super().rules()[0]},
                {"when": "the key", "unless": '"role": "tool"',
                 "calls": [found]},
                {"when": NEW, "text": f"It is in the {NEW}."},
                {"when": OLD, "delay_ms": 20000,
                 "text": f"It is in the {OLD}."},
                {"text": "I find nothing."}]

    def begin(self):
        self.source = self.rig.do("say", user="bob", channel="random",
                                  text=f"The key is in the {OLD}.")["id"]

    def act(self, state):
        super().act(state)
        for step in (self.ask, self.edit, self.close, self.let_go,
                     self.ask_again):
            if step.__name__ not in self.done:
                if step():
                    self.done.add(step.__name__)
                return

    def ask(self):
        if not self.rig.one("SELECT 1 FROM message WHERE id = "
                            + self.source, "messages"):
            return False
        self.rig.do("say", user="ada", channel="general",
                    text="<@sophia> where is the key?")
        return True

    def edit(self):
        if not self.rig.one("SELECT count(*) FROM source"):
            return False
        self.rig.do("edit", channel="random", message=self.source,
                    text=f"The key is in the {NEW}.")
        return True

    def close(self):
        """To all but Sophia, while somebody is about to send something."""
        if not self.rig.held():
            return False
        self.rig.do("overwrite", channel="random", role="Sophia",
                    allow=["VIEW_CHANNEL"])
        self.rig.do("overwrite", channel="random", role="@everyone",
                    deny=["VIEW_CHANNEL"])
        return True

    def let_go(self):
        """When the index knows of it, and has passed it on."""
        there = self.rig.one(
            "SELECT count(*) FROM overwrite o JOIN channel c ON c.ord ="
            " o.channel WHERE c.name = 'random' AND o.target = "
            + self.rig.guild, "messages")
        if not there or self.rig.one("SELECT count(*) FROM recheck",
                                     "messages"):
            return False
        self.rig.release()
        return True

    def ask_again(self):
        """In reply to what there is of an answer."""
        told = [s for s in standing(self.state) if "Resume" not in
                s["buttons"] and "Stop" not in s["buttons"]]
        if not told or not self.quiet() or self.rig.one(
                "SELECT count(*) FROM task WHERE state = 'paused'"):
            return False
        self.rig.do("say", user="ada", channel="general",
                    reply_to=told[-1]["id"], text="<@sophia> once more")
        return True

    def over(self, state):
        return "ask_again" in self.done and super().over(state)

    def judge(self, state):
        yield from super().judge(state)
        for sent in state["sent"]:
            if OLD in sent["content"] or NEW in sent["content"]:
                yield f"told to all: {sent['content']!r}"
        for asked in get(self.rig.provider + "/control/log"):
            said = json.dumps(asked["body"]["messages"][1:])
            if "once more" in said and (OLD in said or NEW in said):
                yield "the model is shown what was closed"
