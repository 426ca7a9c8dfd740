#!/usr/bin/python3 -I
"""liar - what a container starts in the place of our runner: it speaks its
protocol (lib/guest/guest.h), and lies. The code it gets names the lie.
"""

import os
import signal
import struct
import sys

KIB, MIB = 1024, 1024 * 1024
LIES = {}


def lie(f):
    LIES[f.__name__] = f
    return f


def write(data):
    os.write(1, data) if len(data) < 4096 else sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(kind, data=b""):
    write(struct.pack(">IB", 1 + len(data), ord(kind)) + data)


def file(path, data=b"lie", size=None, what=b"f"):
    path = path if isinstance(path, bytes) else path.encode()
    say("F", struct.pack(">Q", len(data) if size is None else size) + what + path)
    for i in range(0, len(data), 60000):
        say("D", data[i:i + 60000])


def ended():
    say("X", b"e\0")


def number(n):
    return struct.pack(">H", n)


def hear():
    """One frame of the host's."""
    head = sys.stdin.buffer.read(5)
    if len(head) < 5:
        sys.exit(0)
    length, kind = struct.unpack(">IB", head)
    return chr(kind), sys.stdin.buffer.read(length - 1)


# What is good, so that the others are seen to fail by what they say.

@lie
def truth():
    ended()
    say("K", b"one")
    file("two", b"changed")
    file("deep/er", b"")
    say("Z")


# Frames.

@lie
def length_zero():
    write(bytes(4))


@lie
def length_huge():
    write(b"\xff\xff\xff\xffo")


@lie
def length_more_than_a_frame():
    write(struct.pack(">IB", 64 * KIB + 2, ord("o")))


@lie
def frame_cut():
    ended()
    say("K", b"one")
    write(struct.pack(">IB", 9, ord("K")) + b"tw")


@lie
def ends_after_exit():
    ended()
    file("one")


@lie
def ends_before_exit():
    say("o", b"hello\n")


@lie
def done_before_exit():
    say("Z")


@lie
def more_after_done():
    ended()
    file("one")
    say("Z")
    say("K", b"two")


@lie
def half_after_done():
    ended()
    file("one")
    say("Z")
    write(b"\0\0")


@lie
def ready_twice():
    say("V", b"\1")


@lie
def of_no_kind():
    say("!", b"x")


@lie
def files_before_exit():
    file("one")


@lie
def prints_after_exit():
    ended()
    say("o", b"x")
    say("Z")


@lie
def exit_twice():
    ended()
    ended()
    say("Z")


@lie
def exit_of_no_kind():
    say("X", b"?\0")


@lie
def exit_too_long():
    say("X", b"e\0\0")


@lie
def exit_empty():
    say("X")


@lie
def flood():
    for _ in range(1200):
        say("o", b"x" * 60000)
    ended()
    say("Z")


@lie
def killed():
    ended()
    file("one")
    os.kill(0, signal.SIGKILL)  # process 1 is spared
    os.abort()


# Files.

def exported(name, *files):
    """A lie that ends well, but for these files."""
    def f():
        ended()
        for x in files:
            file(*x) if isinstance(x, tuple) else file(x)
        say("Z")
    LIES[name] = f


exported("absolute", "/etc/cron.d/x")
exported("parent", "../x")
exported("parent_inside", "a/../../x")
exported("parent_last", "a/..")
exported("dot", "./one")
exported("empty", "")
exported("empty_part", "a//b")
exported("slash_last", "a/")
exported("nul", b"one\0two")
exported("newline", "a\nb")
exported("escape_character", "a\x1b[2J")
exported("c1_control", "a\u009bx")
exported("not_utf8", b"a\xff")
exported("overlong_dots", b"\xc0\xae\xc0\xae/x")
exported("surrogate", b"\xed\xa0\x80")
exported("beyond_unicode", b"\xf4\x90\x80\x80")
exported("part_of_256", "x" * 256)
exported("path_of_1025", "/".join(["x" * 204] * 5) + "y")
exported("parts_33", "/".join("x" * 33))
exported("device_name", "a/NUL.txt")
exported("device_number", "com1")
exported("link", ("ln", b"", 0, b"l"))
exported("device", ("dev", b"", 0, b"x"))
exported("unreadable", ("d", b"", 0, b"d"))
exported("thing_of_no_kind", ("q", b"", 0, b"q"))
exported("twice", "new", "new")
exported("through_a_file", "new", "new/x")
exported("is_a_folder", "new/x", "new")
exported("files_101", *("f%d" % i for i in range(101)))
exported("bytes_20_mib_and_1", ("big", b"", 20 * MIB + 1))
exported("bytes_together", ("a", b"x"), ("b", b"", 20 * MIB))
exported("size_wraps", ("a", b"x"), ("b", b"", 2 ** 64 - 1))
exported("too_few_bytes", ("a", b"12345", 10))
exported("too_few_bytes_then_more", ("a", b"12345", 10), ("b", b"x"))
exported("too_many_bytes", ("a", b"12345", 3))


@lie
def bytes_of_no_file():
    ended()
    say("D", b"x")
    say("Z")


@lie
def bytes_none():
    ended()
    file("a", b"", 5)
    say("D")
    say("Z")


@lie
def head_cut():
    ended()
    say("F", b"\0\0")
    say("Z")


@lie
def kept_twice():
    ended()
    say("K", b"one")
    say("K", b"one")
    say("Z")


@lie
def kept_and_changed():
    ended()
    say("K", b"one")
    file("one")
    say("Z")


@lie
def changed_and_kept():
    ended()
    file("one")
    say("K", b"one")
    say("Z")


@lie
def kept_never_put():
    ended()
    say("K", b"three")
    say("Z")


@lie
def below_what_is_kept():
    ended()
    say("K", b"one")
    file("one/x")
    say("Z")


@lie
def over():
    ended()
    file("one")
    say("O")
    say("Z")


@lie
def good_after_bad():
    ended()
    file("../x")
    file("one")
    say("K", b"two")
    say("Z")


# What is asked.

@lie
def asks_in_a_place_that_is_taken():
    say("a", number(3))
    say("a", number(19) + b"{}\n")


@lie
def asks_before_it_opens():
    say("a", number(3) + b"{}\n")


@lie
def opens_twice():
    say("a", number(3))
    say("a", number(3))


@lie
def asks_after_it_hung():
    say("a", number(3))
    say("H", number(3))
    say("a", number(19))
    say("a", number(3) + b"{}\n")


@lie
def asks_cut():
    say("a", b"\0")


@lie
def hangs_cut():
    say("H", b"")


@lie
def asks_and_never_reads():
    """100 attachments' worth of questions for all there is of them."""
    say("a", number(0))
    data = b"x" * (10 * MIB)
    question = b'{"do":"attach","name":"a","size":%d}\n' % len(data) + data
    for i in range(0, len(question), 60000):
        say("a", number(0) + question[i:i + 60000])
    for _ in range(40):
        say("a", number(0) + b'{"do":"read","which":"a","size":0}\n')
    ended()
    say("Z")


@lie
def hangs_that_never_opened():
    """No harm, and no lie worth an error."""
    for i in range(70000):
        say("H", number(i & 0xffff))
    ended()
    say("K", b"one")
    say("K", b"two")
    say("Z")


@lie
def attaches_what_is_no_name():
    """Names of files of the host's, and no names: all are refused."""
    say("a", number(0))
    for name in (b"../x", b"/etc/passwd", b"", b"a\\u0007b", b"NUL", b"x" * 300):
        say("a", number(0) + b'{"do":"attach","name":"%s","size":1}\nx' % name)
        answer = hear()
        if b'"error"' not in answer[1]:
            say("o", answer[1])
    ended()
    say("K", b"one")
    say("K", b"two")
    say("Z")


@lie
def stays():
    """Told to end, it doesn't."""
    for n in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE:
        signal.signal(n, signal.SIG_IGN)
    say("o", b"here\n")
    while True:
        signal.pause()


def main():
    code = b""
    say("V", b"\1")
    while True:
        kind, data = hear()
        if kind == "C":
            code += data
        elif kind == "S":
            break
    LIES[code.decode().strip()]()


if __name__ == "__main__":
    main()
