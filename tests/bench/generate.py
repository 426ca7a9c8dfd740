#!/usr/bin/python3
"""generate.py N - write N chat messages as NDJSON `message` records.

Words follow Zipf's law (exponent 1.07): the head of the vocabulary are the
English function words, the rest is made of syllables. 11 words a message on
average, 200 authors, 50 channels of unequal size, ids rising in time. The
same N gives the same bytes.
"""
import itertools
import json
import random
import sys

HEAD = ("the to i a and is it you that of in for on have be this not with can "
        "but if so my do what just are as or was at we there how me no like "
        "from an get").split()
EPOCH_MS = 1420070400000
START_MS = 1577836800000


def vocabulary(rng, size):
    onsets = "b d f g h k l m n p r s t v z br ch cl dr gr pl sh st tr".split()
    rimes = "a e i o u an el ick on er ull ast orn imp eld ack".split()
    seen = set(HEAD)
    words = list(HEAD)
    while len(words) < size:
        word = "".join(rng.choice(onsets) + rng.choice(rimes)
                       for _ in range(rng.choice((1, 2, 2, 3, 3))))
        if word not in seen:
            seen.add(word)
            words.append(word)
    # Frequent words are short (Zipf's law of abbreviation): in real chat a word
    # is 4 letters on average, as here.
    return HEAD + sorted(words[len(HEAD):], key=len)


def main(count):
    rng = random.Random(20240501)
    words = vocabulary(rng, 60000)
    weights = list(itertools.accumulate(
        (r + 2.7) ** -1.07 for r in range(len(words))))
    channels = list(itertools.accumulate((c + 1) ** -0.9 for c in range(50)))
    at = START_MS
    out = []
    for n in range(count):
        at += rng.randrange(1, 20000)
        length = min(1 + int(rng.expovariate(1 / 10.5)), 90)
        text = " ".join(rng.choices(words, cum_weights=weights, k=length))
        channel = rng.choices(range(50), cum_weights=channels)[0]
        author = int(200 * rng.random() ** 2)
        ident = (at - EPOCH_MS << 22) + n % 4096
        out.append(
            '{"type":"message","id":"%d","guild":{"id":"9000","name":"Bench"},'
            '"channel":{"id":"%d","name":"room-%d","type":"GuildTextChat"},'
            '"author":{"id":"%d","name":"writer%d"},"at":%s,"text":%s}\n'
            % (ident, 9100 + channel, channel, 9500 + author, author,
               json.dumps(stamp(at)), json.dumps(text)))
        if len(out) == 5000:
            sys.stdout.write("".join(out))
            out.clear()
    sys.stdout.write("".join(out))


def stamp(at):
    import time
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at // 1000)) + \
        ".%03dZ" % (at % 1000)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)
