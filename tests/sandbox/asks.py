"""asks - code that asks the host (guest/doors) as no code should. After each of
these the next question has to be answered as ever: "NAME well"."""

import json
import os
import socket

PATH = "/tmp/.sophia/ask"


def connect(path=PATH):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.settimeout(60)
    return s


def answer(s):
    """A line of it, without its end, or nothing if the connection was closed."""
    line = b""
    while not line.endswith(b"\n"):
        got = s.recv(1)
        if not got:
            break
        line += got
    return line.decode().rstrip("\n")


def said(question):
    with connect() as s:
        s.sendall(question)
        return answer(s)


def refused(question):
    assert "error" in json.loads(said(question)), question


def lengths():
    for size in ("-1", "20971521", "1e300", "9223372036854775808", "true", "null"):
        refused(b'{"do":"attach","name":"x","size":%s}\n' % size.encode())
    refused(b'{"do":"attach","name":"x"}\n')


def lines():
    refused(b"x" * 5000)
    refused(b"\n")
    refused(b"null\n")
    refused(b"[]\n")
    refused(b"\0\n")
    refused(b"\xff\xfe\n")
    refused(b"[" * 4000 + b"\n")
    refused(b'{"size":0}\n')
    refused(b'{"do":"burn","size":0}\n')
    refused(b'{"do":5,"size":0}\n')


def thousand():
    for _ in range(1000):
        connect().close()


def crowd():
    waiting = []
    for _ in range(16):
        waiting.append(connect())
    for _ in range(100):  # some wait, the others aren't let in
        s = socket.socket(socket.AF_UNIX)
        s.setblocking(False)
        try:
            s.connect(PATH)
        except BlockingIOError:
            pass
        waiting.append(s)
    for s in waiting:
        s.close()


def deaf():
    """Twice 40 MiB that nobody reads: the runner gives that connection up."""
    attach(b"x" * (20 << 20), "big.bin")
    s = connect()
    for _ in range(3):
        s.sendall(b'{"do":"read","which":"big.bin","size":0}\n')
    assert said(b'{"do":"list","size":0}\n')
    got = 0
    while True:
        try:
            n = len(s.recv(1 << 20))
        except ConnectionError:
            n = 0
        got += n
        if not n:
            break
    assert got < 60 << 20, got


def stale():
    for i in range(200):
        s = connect()
        s.sendall(b'{"do":"list","size":0}\n')
        s.close()
        assert json.loads(said(b'{"do":"get","which":"nothing","size":0}\n')) == {
            "error": "there is no such attachment"}, i


def socket_():
    """It hurts nobody but itself, and not for long."""
    os.rename(PATH, PATH + ".away")
    try:
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(PATH)
        os.unlink(PATH)
    finally:
        os.rename(PATH + ".away", PATH)


def many():
    made = len(list_attachments())
    try:
        for i in range(101):
            attach(b"x", "many.txt")
            made += 1
    except SandboxError as e:
        assert "100 attachments" in str(e), e
    assert made == 100, made


for f in lengths, lines, thousand, crowd, deaf, stale, socket_, many:
    try:
        f()
        before = list_attachments()
        assert isinstance(before, list)
        if f is not many:
            assert attach(b"well", "well.txt")["size"] == 4
        print(f.__name__.rstrip("_"), "well")
    except Exception as e:
        print(f.__name__.rstrip("_"), type(e).__name__, e)
