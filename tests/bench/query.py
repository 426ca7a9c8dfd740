#!/usr/bin/python3
"""query.py N - how fast sophia-retrieve answers, over N generated messages.

Ours is the whole process, from its start to the last byte of its answer: words
of one message with stop words left out, in that message's channel, the best 20
with their neighbours. Beside it, in the same run on the same messages:

 fts5     the same process-free query inside SQLite: FTS5 ORDER BY rank LIMIT 20,
          as a fresh python process would ask it, start-up not counted;
 xapian   the same of Xapian (BM25, a boolean filter by channel);
 rg       ripgrep over the NDJSON for any of the words: a whole process, which
          ranks nothing.

Needs bin/ in PATH. The peers are skipped where they are not installed.
"""
import collections
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = set(("the to i a and is it you that of in for on have be this not with "
            "can but if so my do what just are as or was at we there how me no "
            "like from an get").split())
QUERIES = int(os.environ.get("QUERIES", "100"))


def quantiles(times):
    times = sorted(times)
    return tuple(times[min(len(times) - 1, int(len(times) * q))]
                 for q in (.5, .95, .99))


def show(title, times):
    """A row: wall time, then CPU time, which other load disturbs less."""
    if times:
        print(f"{title:44}{len(times):5}" + "".join(
            f"{q:8.1f}" for column in zip(*times) for q in quantiles(column)),
            flush=True)


def cpu(children):
    used = resource.getrusage(
        resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(function, children=False):
    begun, used = time.perf_counter(), cpu(children)
    function()
    return ((time.perf_counter() - begun) * 1000,
            (cpu(children) - used) * 1000)


def process(args, env=None):
    def go():
        done = subprocess.run(args, env=env, stdout=subprocess.PIPE,
                              check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{args} ended with {done.returncode}")
    return go


class Questions:
    """Words of messages, by how common their most common word is."""

    def __init__(self, path, count):
        rng = random.Random(5)
        self.df = collections.Counter()
        chosen = set(rng.sample(range(count), min(count, 40 * QUERIES)))
        pool, self.words, self.bytes = [], 0, 0
        with open(path, encoding="utf-8") as f:
            for n, line in enumerate(f):
                m = json.loads(line)
                self.bytes += len(m["text"]) / count
                words = m["text"].split()
                self.words += len(words) / count
                words = set(words) - HEAD
                self.df.update(words)
                if n in chosen and words:
                    pool.append((m["channel"]["name"], sorted(words)))
        self.any = [(c, rng.sample(w, min(len(w), rng.randint(1, 3))))
                    for c, w in pool[:2 * QUERIES]]
        scale = count / 1000000
        self.classes = {}
        for name, low, high in (("rare", 20, 500), ("mid", 1000, 8000),
                                ("common", 20000, 120000)):
            found = []
            for channel, words in pool:
                fit = [w for w in words
                       if low * scale <= self.df[w] <= high * scale]
                if len(fit) >= 2 and len(found) < QUERIES:
                    found.append((channel, rng.sample(fit, 2)))
            self.classes[name] = found


def ours(home, asked):
    env = dict(os.environ, SOPHIA_HOME=home)
    return [timed(process(["sophia-retrieve", "-c", channel, "-n", "20", "--",
                           *words], env), True) for channel, words in asked]


def pages(home, asked):
    env = dict(os.environ, SOPHIA_HOME=home)
    times = []
    for n, (channel, _) in enumerate(asked):
        more = (["--order", "oldest"], ["-a", f"writer{n % 200}"],
                ["--before", "2020-02-01"], [])[n % 4]
        times.append(timed(process(
            ["sophia-retrieve", "-c", channel, "-n", "20", *more], env), True))
    return times


def fts5(home, asked):
    """Another table in the same way: FTS5 as it comes, ranking as it comes."""
    path = os.path.join(home, "messages.sqlite")
    times = []
    for channel, words in asked:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        ordinal = db.execute("SELECT ord FROM channel WHERE name = ?",
                             (channel,)).fetchone()[0]
        match = " OR ".join(f'"{w}"' for w in words)
        times.append(timed(lambda: db.execute(
            "SELECT m.id, m.text FROM plain f JOIN message m ON m.ord = f.rowid"
            " WHERE plain MATCH ? AND m.channel = ? ORDER BY f.rank LIMIT 20",
            (match, ordinal)).fetchall()))
        db.close()
    return times


def make_fts5(home):
    db = sqlite3.connect(os.path.join(home, "messages.sqlite"))
    db.execute("CREATE VIRTUAL TABLE plain USING"
               " fts5(text, content='message', content_rowid='ord',"
               " tokenize='porter unicode61')")
    db.execute("INSERT INTO plain(plain) VALUES ('rebuild')")
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def make_xapian(home, source):
    import xapian
    db = xapian.WritableDatabase(os.path.join(home, "xapian"),
                                 xapian.DB_CREATE_OR_OVERWRITE)
    with open(source, encoding="utf-8") as f:
        for n, line in enumerate(f):
            m = json.loads(line)
            doc = xapian.Document()
            for word in m["text"].split():
                doc.add_term(word)
            doc.add_boolean_term("XC" + m["channel"]["name"])
            doc.set_data(m["text"])
            db.add_document(doc)
            if n % 10000 == 0:
                db.commit()
    db.close()


def ask_xapian(home, asked):
    import xapian
    times = []
    for channel, words in asked:
        def go():
            db = xapian.Database(os.path.join(home, "xapian"))
            query = xapian.Query(
                xapian.Query.OP_FILTER,
                xapian.Query(xapian.Query.OP_OR, words),
                xapian.Query("XC" + channel))
            enquire = xapian.Enquire(db)
            enquire.set_query(query)
            for match in enquire.get_mset(0, 20):
                match.document.get_data()
        times.append(timed(go))
    return times


def ripgrep(source, asked):
    return [timed(process(["rg", "-N", "-w", "-F", *(
        a for w in words for a in ("-e", w)), source]), True)
        for _, words in asked]


def have_xapian():
    try:
        import xapian  # noqa: F401
        return True
    except ImportError:
        return False


def main(count):
    with tempfile.TemporaryDirectory() as home:
        source = os.path.join(home, "messages.ndjson")
        with open(source, "wb") as f:
            subprocess.run([sys.executable, os.path.join(HERE, "generate.py"),
                            str(count)], stdout=f, check=True)
        env = dict(os.environ, SOPHIA_HOME=home)
        subprocess.run(["sophia-index", "import", "-f", "records", source],
                       env=env, stdout=subprocess.DEVNULL, check=True)
        questions = Questions(source, count)
        size = os.path.getsize(os.path.join(home, "messages.sqlite"))
        print(f"{count} messages of {questions.words:.1f} words and "
              f"{questions.bytes:.0f} bytes; {size / count:.0f} bytes of "
              f"database a message; times in ms; load "
              f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
        print(f"{'':44}{'n':>5}" + "".join(
            f"{c:>8}" for c in ("wall p50", "p95", "p99", "CPU p50", "p95",
                                "p99")))
        show("start alone (sophia-retrieve --version)", [
            timed(process(["sophia-retrieve", "--version"]), True)
            for _ in range(QUERIES)])
        compare(home, source, questions)


def compare(home, source, questions):
    sets = [("1 to 3 words of one message", questions.any)]
    sets += [(f"2 {name} words", asked)
             for name, asked in questions.classes.items()]
    for name, asked in sets:
        show(f"sophia-retrieve: {name}", ours(home, asked))
    show("sophia-retrieve: a page in order of time",
         pages(home, questions.any))
    make_fts5(home)
    for name, asked in sets:
        show(f"fts5 order by rank: {name}", fts5(home, asked))
    if have_xapian():
        make_xapian(home, source)
        for name, asked in sets:
            show(f"xapian: {name}", ask_xapian(home, asked))
    if shutil.which("rg"):
        show("ripgrep, a whole process: 1 to 3 words",
             ripgrep(source, questions.any))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)
