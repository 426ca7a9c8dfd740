#!/usr/bin/python3
"""retrieval.py - how well sophia-retrieve finds, on three sets of questions.

1. LoCoMo: each dialogue is imported as a channel; each question is asked in
   that channel; the turns named as evidence are the right answers. The same
   rows are put in a plain FTS5 table (porter) and ranked by its bm25().
2. questions.ndjson over share/samples, asked without naming a channel.
3. links.tsv: each reply of an annotated help channel is searched by its own
   words; is the message it answers shown in the group of that hit?

Needs bin/ in PATH, $SOPHIA_FIXTURES or ../shared/fixtures; skips what is absent.
"""
import collections
import csv
import datetime
import glob
import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
FIXTURES = os.environ.get("SOPHIA_FIXTURES", os.path.join(
    os.path.dirname(TOP), "shared", "fixtures"))
CLASSES = {1: "multi", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}
STOP = set("""a about after all also am an and any are as at be been but by can
could did do does for from had has have he her him his how i if in into is it
its just like me my no not of on or our out she should so some such than that
the their them then there these they this to up was we were what when where
which who whom whose why will with would you your""".split())
EPOCH_MS = 1420070400000


def run(home, *args, stdin=None):
    env = dict(os.environ, SOPHIA_HOME=home)
    done = subprocess.run(args, input=stdin, env=env, stdout=subprocess.PIPE,
                          text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{args[0]} ended with {done.returncode}")
    return done.stdout


def ask(home, requests):
    """One process answers them all; gives a list of records per request."""
    lines = "".join(json.dumps(r) + "\n" for r in requests)
    answers, current = [], []
    for line in run(home, "sophia-retrieve", stdin=lines).splitlines():
        record = json.loads(line)
        current.append(record)
        if record["type"] == "coverage":
            answers.append(current)
            current = []
    assert len(answers) == len(requests), (len(answers), len(requests))
    return answers


def hits(answer):
    rows = [r for r in answer if r["type"] == "message" and r["part"] == "hit"]
    rows.sort(key=lambda r: -float(r["score"]))
    return [r["id"] for r in rows]


class Scores:
    def __init__(self):
        self.sums = collections.defaultdict(lambda: collections.Counter())

    def add(self, names, ranked, right):
        right = set(right)
        gain = [1 if r in right else 0 for r in ranked]
        ideal = sum(1 / math.log2(i + 2) for i in range(min(10, len(right))))
        first = gain.index(1) + 1 if 1 in gain else 0
        for name in names:
            s = self.sums[name]
            s["n"] += 1
            for k in (5, 10, 20):
                s[f"R@{k}"] += sum(gain[:k]) / len(right)
            s["MRR"] += 1 / first if first else 0
            s["nDCG@10"] += sum(g / math.log2(i + 2) for i, g in
                                enumerate(gain[:10])) / ideal

    def show(self, title):
        print(f"{title:34}" + "".join(
            f"{c:>9}" for c in ("n", "R@5", "R@10", "R@20", "MRR", "nDCG@10")))
        for name, s in sorted(self.sums.items()):
            print(f"  {name:32}{s['n']:9}" + "".join(
                f"{s[c] / s['n']:9.3f}"
                for c in ("R@5", "R@10", "R@20", "MRR", "nDCG@10")))


# LoCoMo ------------------------------------------------------------------

def locomo_turns(talk, number):
    """The message records of a dialogue, and the id of each turn."""
    conversation = talk["conversation"]
    people = [conversation["speaker_a"], conversation["speaker_b"]]
    ids, records = {}, []
    for session in range(1, 100):
        turns = conversation.get(f"session_{session}")
        if not turns:
            continue
        begun = datetime.datetime.strptime(
            conversation[f"session_{session}_date_time"],
            "%I:%M %p on %d %B, %Y").replace(tzinfo=datetime.timezone.utc)
        for n, turn in enumerate(turns):
            at = int(begun.timestamp() * 1000) + n * 60000
            ident = (at - EPOCH_MS << 22) + number
            who = people.index(turn["speaker"])
            ids[turn["dia_id"]] = str(ident)
            record = {
                "type": "message", "id": str(ident),
                "guild": {"id": "7000", "name": "LoCoMo"},
                "channel": {"id": str(7100 + number), "name": f"talk-{number}",
                            "type": "GuildTextChat"},
                "author": {"id": str(7200 + 2 * number + who),
                           "name": people[who]},
                "at": datetime.datetime.fromtimestamp(
                    at / 1000, datetime.timezone.utc).isoformat(),
                "text": turn["text"]}
            if turn.get("blip_caption"):
                record["embeds"] = [{"description": turn["blip_caption"]}]
            records.append(record)
    return records, ids


def locomo_questions(talk, ids):
    """(class, question, evidence); evidence nobody can parse is counted."""
    for q in talk["qa"]:
        right = set()
        malformed = 0
        for text in q.get("evidence", []):
            found = re.findall(r"D:?(\d+):(\d+)", text)
            for session, turn in found:
                ident = ids.get(f"D{session}:{int(turn)}")
                if ident:
                    right.add(ident)
                else:
                    malformed += 1
            malformed += not found
        yield CLASSES[q["category"]], q["question"], right, malformed


def fts5(talks):
    """A plain FTS5 index of the same rows; a function that asks it."""
    db = sqlite3.connect(":memory:")
    for n, (records, _) in enumerate(talks):
        db.execute(f"CREATE VIRTUAL TABLE t{n} USING"
                   " fts5(text, tokenize='porter unicode61')")
        for r in records:
            caption = "".join(e["description"] for e in r.get("embeds", []))
            db.execute(f"INSERT INTO t{n}(rowid, text) VALUES (?, ?)",
                       (int(r["id"]), r["text"] + " " + caption))

    def search(n, question):
        words = [w for w in re.findall(r"\w+", question.lower())
                 if w not in STOP]
        match = " OR ".join(f'"{w}"' for w in words)
        if not match:
            return []
        return [str(row[0]) for row in db.execute(
            f"SELECT rowid FROM t{n} WHERE t{n} MATCH ?"
            f" ORDER BY bm25(t{n}) LIMIT 50", (match,))]
    return search


def locomo():
    path = os.path.join(FIXTURES, "retrieval", "locomo10.json")
    if not os.path.exists(path):
        print("LoCoMo: skipped, no", path)
        return
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    talks = [locomo_turns(talk, n) for n, talk in enumerate(data)]
    requests, about, malformed, unusable = [], [], 0, 0
    for n, talk in enumerate(data):
        for name, question, right, bad in locomo_questions(talk, talks[n][1]):
            malformed += bad
            if not right:
                unusable += 1
                continue
            requests.append({"query": question, "channels": [f"talk-{n}"],
                             "limit": 50, "context": 1})
            about.append((n, name, question, right))
    with tempfile.TemporaryDirectory() as home:
        lines = "".join(json.dumps(r) + "\n" for t in talks for r in t[0])
        run(home, "sophia-index", "import", "-f", "records", "-", stdin=lines)
        answers = ask(home, requests)
    ours, plain, search = Scores(), Scores(), fts5(talks)
    for answer, (n, name, question, right) in zip(answers, about):
        names = ("all", name) + (("all but adversarial",)
                                 if name != "adversarial" else ())
        ours.add(names, hits(answer), right)
        plain.add(names, search(n, question), right)
    print(f"LoCoMo: {len(about)} questions; {malformed} evidence ids malformed,"
          f" {unusable} questions without any")
    ours.show("sophia-retrieve")
    plain.show("plain FTS5, porter, no stop words")


# The samples -------------------------------------------------------------

def samples():
    folder = os.path.join(TOP, "share", "samples")
    path = os.path.join(HERE, "questions.ndjson")
    if not os.path.exists(path):
        print("samples: skipped")
        return
    with open(path, encoding="utf-8") as f:
        questions = [json.loads(line) for line in f]
    questions = [q for q in questions if q.get("evidence")]
    with tempfile.TemporaryDirectory() as home:
        run(home, "sophia-index", "import",
            *sorted(glob.glob(os.path.join(folder, "*.json"))))
        answers = ask(home, [{"query": q["question"], "limit": 50,
                              "context": 1} for q in questions])
    scores = Scores()
    for q, answer in zip(questions, answers):
        scores.add(("all", q["lang"], q["kind"]), hits(answer), q["evidence"])
    scores.show(f"samples: {len(questions)} questions")


# Exchanges ---------------------------------------------------------------

def links():
    folder = os.path.join(FIXTURES, "chat")
    path = os.path.join(folder, "links.tsv")
    if not os.path.exists(path):
        print("links: skipped, no", path)
        return
    with open(path, encoding="utf-8") as f:
        replies = list(csv.DictReader(f, delimiter="\t"))
    text = {}
    files = sorted(glob.glob(os.path.join(folder, "*.json")))
    for name in files:
        with open(name, encoding="utf-8") as f:
            text.update((m["id"], m["content"])
                        for m in json.load(f)["messages"])
    replies = [r for r in replies if text.get(r["message"], "").strip()]
    with tempfile.TemporaryDirectory() as home:
        run(home, "sophia-index", "import", *files)
        for context in (2, 3, 4, 5):
            answers = ask(home, [
                {"query": text[r["message"]], "limit": 10, "context": context}
                for r in replies])
            show_links(replies, answers, context)


def show_links(replies, answers, context):
    found = shown = rows = groups = parents = 0
    for r, answer in zip(replies, answers):
        messages = [m for m in answer if m["type"] == "message"]
        mine = [m for m in messages if m["id"] == r["message"]
                and m["part"] == "hit"]
        parents += r["replies_to"] in hits(answer)
        rows += len(messages)
        groups += len({m["group"] for m in messages})
        if not mine:
            continue
        found += 1
        shown += any(m["id"] == r["replies_to"] and
                     m["group"] == mine[0]["group"] for m in messages)
    print(f"links, context {context}: {found} of {len(replies)} replies found;"
          f" the message answered is in the group of {shown / found:.3f},"
          f" itself a hit for {parents / len(replies):.3f};"
          f" {rows / groups:.1f} rows a group")


if __name__ == "__main__":
    locomo()
    samples()
    links()
