"""attachments - hand files over to whoever asked for the work, and find them again.

attach(path) or attach(data, filename) hands over a file, or bytes or text, and
returns what it is from then on: a dict with id, version, filename, type, kind,
size and call. The same filename again is the next version. It stays handed over
whatever becomes of the code afterwards.

list_attachments() gives all of this task. get_attachment(which, version) gives
one, and read_attachment(which, version) its bytes: which is a filename (then
the latest, or the version of that number; negative ones count from the end) or
an id.

ls(folder) lists files with their sizes.
"""

import os

SOCKET = "/tmp/.sophia/ask"
ROOTS = ("/workspace", "/tmp")

_connection = None


class SandboxError(OSError):
    """The host said no, and why."""


def _connect():
    global _connection
    if _connection is None or _connection[0] != os.getpid():
        import socket
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(SOCKET)
        except OSError as e:
            raise SandboxError(f"attachments can't be reached: {e}") from None
        _connection = os.getpid(), s, s.makefile("rb")
    return _connection[1], _connection[2]


def _ask(do, data=b"", **more):
    """Send one question with its bytes; return the answer and its bytes."""
    global _connection
    import json
    s, answers = _connect()
    head = json.dumps({"do": do, "size": len(data), **more})
    try:
        s.sendall(head.encode() + b"\n")
        s.sendall(data)
        line = answers.readline()
        if not line:
            raise OSError("the connection was closed")
        answer = json.loads(line)
        body = answers.read(answer.pop("bytes", 0))
    except OSError as e:
        _connection = None
        raise SandboxError(f"attachments can't be reached: {e}") from None
    if "error" in answer:
        raise SandboxError(answer["error"])
    return answer, body


def _inside(path):
    real = os.path.realpath(path)
    if not any(real == r or real.startswith(r + "/") for r in ROOTS):
        raise SandboxError(f"{path} is neither in /workspace nor in /tmp")
    return real


def attach(what, filename=None):
    """Hand over a file by its path, or bytes or text under a filename."""
    if isinstance(what, (bytes, bytearray, memoryview)):
        if filename is None:
            raise TypeError("attach(data, filename): bytes need a filename")
        data = bytes(what)
    elif isinstance(what, str) and filename is not None and not os.path.exists(what):
        data = what.encode()
    else:
        with open(_inside(what), "rb") as f:
            data = f.read()
        filename = filename or os.path.basename(os.fspath(what))
    return _ask("attach", data, name=filename)[0]["attachment"]


def list_attachments():
    """All attachments of this task, the oldest first, in all their versions."""
    return _ask("list")[0]["attachments"]


def get_attachment(which, version=None):
    """What an attachment is, by filename or id."""
    return _ask("get", which=which, version=version or 0)[0]["attachment"]


def read_attachment(which, version=None):
    """The bytes of an attachment, by filename or id."""
    return _ask("read", which=which, version=version or 0)[1]


def ls(folder="."):
    """The files in a folder and below it, as (path, bytes), sorted."""
    found = []
    for top, folders, files in os.walk(folder):
        folders.sort()
        for name in files:
            path = os.path.join(top, name)
            found.append((os.path.relpath(path, folder), os.lstat(path).st_size))
    return sorted(found)
