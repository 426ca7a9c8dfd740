"""host - services of this machine that nobody in a sandbox is to reach.

host.py FOLDER: listens on 127.0.0.1, ::1, an abstract socket and FOLDER/socket,
writes FOLDER/host.py ("HOST = ...", see attacks.py), and adds a line to
FOLDER/touched for whoever connects. Ends with its stdin.
"""

import os
import select
import socket
import sys

folder = sys.argv[1]
name = "sophia-test-%d" % os.getpid()
file = os.path.join(folder, "file")
secret = "not-for-the-sandbox"


def listener(family, where):
    s = socket.socket(family)
    s.bind(where)
    s.listen()
    return s


services = [listener(socket.AF_INET, ("127.0.0.1", 0)),
            listener(socket.AF_UNIX, "\0" + name),
            listener(socket.AF_UNIX, os.path.join(folder, "socket"))]
try:
    services.append(listener(socket.AF_INET6, ("::1", 0)))
    port6 = services[-1].getsockname()[1]
except OSError:  # a machine without IPv6
    port6 = 9
with open(file, "w") as f:
    f.write(secret)
host = dict(port=services[0].getsockname()[1], port6=port6, abstract=name, file=file,
            socket=os.path.join(folder, "socket"), secret=secret,
            ns={n: os.readlink("/proc/self/ns/" + n)
                for n in ("cgroup", "ipc", "mnt", "net", "pid", "uts")})
with open(os.path.join(folder, "host.new"), "w") as f:
    f.write("HOST = %r\n" % host)
os.rename(os.path.join(folder, "host.new"), os.path.join(folder, "host.py"))
while True:
    ready = select.select([sys.stdin] + services, [], [])[0]
    if sys.stdin in ready:
        break
    for s in ready:
        s.accept()[0].close()
        with open(os.path.join(folder, "touched"), "a") as f:
            f.write("%d\n" % services.index(s))
