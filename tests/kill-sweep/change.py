"""change - a story in which the world is changed: with a card, and receipts.

Ada has Sophia post a message elsewhere and delete one of hers. She approves
both, and says so twice, since one is destructive. If it isn't known afterwards
whether one happened, she has it verified. The model asks again for what isn't
there, and answers when both are. So whoever dies: there is one message, the
other one is gone, and each receipt says what was true.
"""
import json
import subprocess

from story import Story, story

NOTICE = "The ferry leaves at noon."
POWERS = ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY",
          "MANAGE_MESSAGES", "SEND_MESSAGES_IN_THREADS", "EMBED_LINKS"]
SURE = "Yes, do it for good"


@story
class Change(Story):
    name = "change"

    def __init__(self, rig):
        super().__init__(rig)
        self.ended = set()      # how: for the table
        self.aged = set()       # receipts for which time was played

    def rules(self):
        send = {"name": "send_message", "arguments":
                {"text": NOTICE, "channel": "random"}}
        delete = {"name": "delete_messages", "arguments":
                  {"messages": [self.old]}}
        sent = "sent to <#|the message is there"
        gone = f"messages are deleted|no message '{self.old}'|is gone"
        return [{"unless": f"{sent}|{gone}", "calls": [send, delete]},
                {"unless": sent, "calls": [send]},
                {"unless": gone, "calls": [delete]},
                *super().rules()]

    def set_up(self):
        rig = self.rig
        rig.do("role", role="Sophia", permissions=POWERS)
        rig.command("sophia-access", "grant", "-u", rig.person("ada"), "-g",
                    rig.guild, "-t", "destructive")

    def prepare(self):
        """What the model is to name, before it has its rules."""
        self.rig.do("say", user="bob", channel="random", text="When?")
        self.old = self.rig.do("say", user="ada", channel="general",
                               text="The ferry leaves at ten.")["id"]

    def begin(self):
        self.asked = self.rig.do(
            "say", user="ada", channel="general", text="<@sophia> put the "
            "right time of the ferry into random, and delete mine")["id"]

    def act(self, state):
        self.state = state
        self.verify()
        if not self.open_ones():    # else resuming is refused
            super().act(state)
        for sent in state["sent"]:
            if not sent["deleted"]:
                for label in ("Approve", SURE):
                    if label in sent["buttons"]:
                        self.press(sent["id"], label)

    def verify(self):
        """As the author does who was told to look; until that says something.
        That half a minute goes by, within which it may arrive, is played."""
        rig = self.rig
        for task, call in self.open_ones():
            self.ended.add("verified")
            if (task, call) not in self.aged:
                self.aged.add((task, call))
                rig.change("UPDATE receipt SET intent_ms = intent_ms - 60000,"
                           " outcome_ms = outcome_ms - 60000"
                           f" WHERE task = '{task}' AND call = {call}")
            record = {"type": "call", "id": f"{task}.99", "capability":
                      "verify_action", "tier": "scratch", "arguments":
                      {"call": f"{task}.{call}"}, "context": {
                          "actor": {"id": rig.person("ada"), "name": "Ada"},
                          "location": {"kind": "guild", "guild": rig.guild,
                                       "channel": rig.channel},
                          "visibility": "public", "task": task}}
            subprocess.run(["sophia-guild", "--serve"], env=rig.env, timeout=60,
                           input=json.dumps(record) + "\n", text=True,
                           stdout=rig.log("verify"), stderr=rig.log("verify"))

    def open_ones(self):
        """Whatever may have happened: (task, call)."""
        return self.rig.sql(
            "SELECT r.task, r.call FROM receipt r LEFT JOIN settlement s"
            " ON s.task = r.task AND s.call = r.call"
            " WHERE r.state = 'unknown' AND s.task IS NULL")

    def outcome(self):
        if "verified" in self.ended:
            return "verified"
        return "resumed" if self.pressed_label("Resume") else "done"

    def pressed_label(self, label):
        return any(key[1] == label for key in self.pressed)

    def judge(self, state):
        yield from super().judge(state)
        there = sum(s["content"] == NOTICE and not s["deleted"]
                    for s in state["sent"])
        if there != 1:
            yield f"there are {there} messages, where one was approved"
        if self.rig.message(self.rig.channel, self.old):
            yield "the other message is not deleted"
        yield from self.receipts(there)

    def receipts(self, there):
        """As many as say that it happened are there."""
        for capability, number in (("send_message", there),
                                   ("delete_messages", 1)):
            said = self.rig.one(
                "SELECT count(*) FROM receipt r LEFT JOIN settlement s"
                " ON s.task = r.task AND s.call = r.call WHERE"
                f" r.capability = '{capability}' AND"
                " (r.state = 'succeeded' OR s.happened = 1)")
            if said < number:
                yield f"{capability}: receipts say {said}, and it is {number}"
        yield from self.open_ends()

    def open_ends(self):
        """Nothing is left that might have happened."""
        for task, call in self.open_ones():
            yield f"{task}.{call} is unknown still"
