"""Cases of verdict.py: what is wrong is seen, and what is well is not."""
import collections
import types
import unittest

import verdict


def message(number, content, reference=None, **more):
    return dict({"id": str(number), "content": content, "reference": reference,
                 "deleted": False, "buttons": [], "flags": 0}, **more)


def state(*sent, **more):
    return dict({"sent": list(sent), "interactions": [], "doubled": [],
                 "count": {}, "violations": [], "problems": {"requests": []}},
                **more)


ASKED = {"id": "7", "word": "q1tide", "kind": "mention"}
COMMAND = {"id": "8", "word": "q2tide", "kind": "command"}


def wrong(told, *asked, kills=(), late=()):
    round_ = types.SimpleNamespace(asked=list(asked or (ASKED,)),
                                   killed=collections.Counter(kills))
    return [line.split(": ", 1)[-1] for line in
            verdict.judge(round_, told, list(late))]


def invoked(answers, *messages):
    return {"id": "8", "answers": answers,
            "messages": [{"id": m["id"]} for m in messages]}


class Verdict(unittest.TestCase):
    def test_one_answer_is_well(self):
        self.assertEqual(wrong(state(message(1, "re: q1tide", "7"))), [])

    def test_none_is_lost_and_two_are_too_many(self):
        self.assertEqual(wrong(state()), ["lost"])
        self.assertEqual(wrong(state(message(1, "re: q1tide", "7"),
                                     message(2, "re: q1tide"))),
                         ["answered 2 times"])

    def test_a_notice_counts_once_and_not_beside_an_answer(self):
        notice = message(1, "It is paused; resume to go on.", "7")
        self.assertEqual(wrong(state(notice)), [])
        self.assertEqual(len(wrong(state(notice, dict(notice, id="2")))), 1)
        self.assertEqual(len(wrong(state(notice,
                                         message(2, "re: q1tide")))), 1)

    def test_progress_and_what_is_deleted_are_no_answers(self):
        self.assertEqual(wrong(state(
            message(1, "at work", "7", buttons=["Stop"]),
            message(2, "re: q1tide", "7", deleted=True))), ["lost"])

    def test_a_command_may_fail_where_discord_says_so(self):
        unheard = state(interactions=[invoked([])])
        self.assertEqual(wrong(unheard, COMMAND), [])
        deferred = message(3, "")
        self.assertEqual(wrong(state(deferred, interactions=[
            invoked([{"type": 5}], deferred)]), COMMAND), ["lost"])
        told = message(3, "It is paused; resume to go on.")
        self.assertEqual(wrong(state(told, interactions=[
            invoked([{"type": 5}], told)]), COMMAND), [])

    def test_manners(self):
        well = message(1, "re: q1tide", "7")
        for told, lines in (
                (state(well, doubled=["n"]), 1),
                (state(well, violations=[{"what": "x"}]), 1),
                (state(well, count={"invalid_in_10_min": 100}), 1),
                (state(well, count={"identifies": 3, "sessions_ended": 1}), 1),
                (state(well, count={"identifies": 2, "sessions_ended": 1}), 0),
                (state(well, count={"identifies_needless": 1}), 1),
                (state(well, message(2, "re: q0robot")), 1)):
            self.assertEqual(len(wrong(told)), lines, told)
        self.assertEqual(wrong(state(well, count={"identifies_needless": 1}),
                               kills=["sophia-gateway"]), [])
        self.assertEqual(len(wrong(state(well), late=["up"])), 1)


if __name__ == "__main__":
    unittest.main()
