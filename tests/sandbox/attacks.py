"""attacks - what code in the sandbox may try, and a verdict on each: a line
"NAME held WHY" or "NAME out WHAT".

Before this file goes a line HOST = {...}: what its test laid out on the host.
An attack is a function. It fails with an OSError if it was held, and returns
what it got if it got out. Each has a process of its own, and five seconds. None does
harm where it gets out: what would is tried with arguments that can't be, and
another error than a refusal tells that it would have been done.
"""

import ctypes
import errno
import fcntl
import glob
import os
import signal
import socket
import stat
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
ATTACKS = []
MINE = ("/workspace", "/tmp", "/dev/shm", "/dev/mqueue", "/dev/pts", "/proc", "/sys")


class Held(OSError):
    pass


def attack(f):
    ATTACKS.append(f)
    return f


def call(number, *args):
    """A system call, by its number on x86-64 or (second) elsewhere."""
    if isinstance(number, tuple):
        number = number[os.uname().machine != "x86_64"]
    ctypes.set_errno(0)
    args = [a if isinstance(a, (bytes, type(None), ctypes.Array)) else ctypes.c_long(a)
            for a in args]
    result = libc.syscall(ctypes.c_long(number), *args)
    if result < 0:
        e = ctypes.get_errno()
        raise OSError(e, os.strerror(e))
    return result


def refused(number, *args):
    """Was it refused, or would other arguments have done?"""
    try:
        return "it was done: %d" % call(number, *args)
    except OSError as e:
        if e.errno in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            raise
        return "not refused: %s" % e.strerror


def simple(name, number, *args):
    def f():
        return refused(number, *args)
    f.__name__ = name
    ATTACKS.append(f)


def writable(path):
    os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    return path


def first(paths, what):
    """The first path with which it can be done."""
    tried = 0
    for path in paths:
        tried += 1
        try:
            got = what(path)
            if got:
                return got
        except OSError:
            pass
    raise Held("%d tried" % tried)


def below(top, folders=False):
    for where, inner, files in os.walk(top):
        if top == "/":
            inner[:] = [d for d in inner if os.path.join(where, d) not in MINE]
        for name in ([""] if folders else files):
            yield os.path.join(where, name)


def status(key):
    with open("/proc/self/status") as f:
        return dict(l.rstrip().split(":\t", 1) for l in f)[key]


# Network. To connect a datagram socket asks for a route, and sends nothing.

def route(family, where):
    with socket.socket(family, socket.SOCK_DGRAM) as s:
        s.connect((where, 53))
        return "a route to " + where


for name, family, where in (
        ("ipv4", socket.AF_INET, "1.1.1.1"),
        ("ipv6", socket.AF_INET6, "2606:4700:4700::1111"),
        ("metadata_ipv4", socket.AF_INET, "169.254.169.254"),
        ("metadata_ipv6", socket.AF_INET6, "fd00:ec2::254"),
        ("private_ipv4", socket.AF_INET, "10.0.0.1"),
        ("multicast", socket.AF_INET, "224.0.0.251"),
        ("gateway", socket.AF_INET, "172.17.0.1")):
    def f(family=family, where=where):
        return route(family, where)
    f.__name__ = name
    ATTACKS.append(f)


@attack
def tcp():
    socket.create_connection(("93.184.216.34", 443), 2)
    return "a connection"


@attack
def dns():
    return socket.getaddrinfo("example.com", 80)


@attack
def interfaces():
    return first((n for _, n in socket.if_nameindex()), lambda n: n if n != "lo" else "")


@attack
def loopback():
    socket.create_connection(("127.0.0.1", HOST["port"]), 2)
    return "the host's service"


@attack
def loopback_ipv6():
    socket.create_connection(("::1", HOST["port6"]), 2)
    return "the host's service"


@attack
def abstract():
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("\0" + HOST["abstract"])
        return "the host's socket"


@attack
def raw():
    return socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


@attack
def packet():
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


@attack
def hypervisor():
    return socket.socket(40, socket.SOCK_STREAM)  # AF_VSOCK


@attack
def odd_sockets():
    usual = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
    return first(((family, kind) for family in range(64) if family not in usual
                  for kind in range(1, 7)), lambda x: socket.socket(*x) and "%d, %d" % x)


@attack
def odd_sockets_32_bit():
    """The same by the numbers that 32-bit programs use (x32)."""
    return refused((0x40000000 + 41, 198), socket.AF_NETLINK, socket.SOCK_RAW, 0) \
        if os.uname().machine == "x86_64" else refused(198, 38, 2, 0)


@attack
def interface_flags():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        lo = struct.pack("16s16x", b"lo")
        fcntl.ioctl(s, 0x8914, fcntl.ioctl(s, 0x8913, lo))  # set what it is
        return "lo can be set"


# The host's files and services.

@attack
def host_file():
    with open(HOST["file"]) as f:
        return f.read()


@attack
def host_socket():
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(HOST["socket"])
        return "the host's socket"


@attack
def engine_socket():
    def connect(path):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(path)
            return path
    return first(["/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock",
                  "/run/containerd/containerd.sock", "/run/crio/crio.sock",
                  "/var/run/docker/containerd/containerd.sock",
                  HOST["socket"]], connect)


@attack
def sockets():
    """Any socket in the files, but the one of attach."""
    return first((p for p in below("/") if not os.path.islink(p)),
                 lambda p: p if stat.S_ISSOCK(os.lstat(p).st_mode) else "")


@attack
def mounts():
    """Anything of the host's, but what the engine itself mounts over /etc."""
    with open("/proc/self/mountinfo") as f:
        lines = [l.split() for l in f]
    return first(lines, lambda l: l[4] if l[3] != "/" and
                 not l[4].startswith(("/proc", "/sys", "/dev", "/etc/", "/run/.containerenv")) and
                 l[l.index("-") + 1] != "overlay" else "")


@attack
def engine_files():
    return first(["/etc/hosts", "/etc/hostname", "/etc/resolv.conf",
                  "/run/.containerenv"], writable)


@attack
def devices():
    usual = ("null zero full random urandom tty fd stdin stdout stderr ptmx pts shm "
             "mqueue core console").split()
    return first(os.listdir("/dev"), lambda n: n if n not in usual else "")


@attack
def block_devices():
    return first(below("/dev"), lambda p: p if stat.S_ISBLK(os.stat(p).st_mode) and
                 os.open(p, os.O_RDONLY) else "")


@attack
def file_handle():
    """The root of a mount, by a handle made up: what a famous escape did."""
    handle = struct.pack("Ii", 8, 1) + struct.pack("Q", 2)
    fd = os.open("/etc/hosts", os.O_RDONLY)
    return refused((304, 265), fd, handle, os.O_RDONLY)


@attack
def other_root():
    return os.listdir("/proc/1/root")


@attack
def other_folder():
    return os.listdir("/proc/1/cwd")


@attack
def descriptors():
    seen = [n for n in os.listdir("/proc/self/fd") if int(n) > 2]
    return first(seen, lambda n: os.readlink("/proc/self/fd/" + n))


@attack
def shadow():
    with open("/etc/shadow") as f:
        return f.read()


simple("chroot", (161, 51), b"/tmp")


# What the caller has in its environment.

def environments():
    yield "\0".join("%s=%s" % x for x in os.environ.items())
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, errors="replace") as f:
                yield f.read()
        except OSError:
            pass


@attack
def environment():
    return first(environments(), lambda e: e if HOST["secret"] in e else "")


@attack
def proxies():
    return first(environments(), lambda e: e if "_proxy" in e.lower() else "")


@attack
def processes():
    seen = [n for n in os.listdir("/proc") if n.isdigit()]
    usual = {1, os.getpid(), os.getppid()}
    return first(seen, lambda n: n if int(n) not in usual else "")


# /proc and /sys.

@attack
def sysrq():
    return writable("/proc/sysrq-trigger")


@attack
def core_pattern():
    return writable("/proc/sys/kernel/core_pattern")


@attack
def proc_sys():
    return first(below("/proc/sys"), writable)


@attack
def sys_files():
    return first(below("/sys"), writable)


@attack
def cgroups():
    return first(glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True) +
                 glob.glob("/sys/fs/cgroup/**/release_agent", recursive=True), writable)


@attack
def kernel_memory():
    def read(path):
        with open(path, "rb") as f:
            return f.read(64)
    return first(["/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/keys",
                  "/proc/timer_list", "/proc/sched_debug", "/dev/kmsg"], read)


@attack
def kernel_addresses():
    with open("/proc/kallsyms") as f:
        return first((l for _, l in zip(range(100), f)),
                     lambda l: l if int(l.split()[0], 16) else "")


@attack
def kernel_log():
    return refused((103, 116), 3, ctypes.create_string_buffer(64), 64)


@attack
def firmware():
    return first(["/sys/firmware", "/proc/acpi", "/proc/scsi"], os.listdir)


@attack
def oom_score():
    with open("/proc/self/oom_score_adj", "w") as f:
        f.write("-900")
    return "it can spare itself"


@attack
def oom_score_of_runner():
    return writable("/proc/1/oom_score_adj")


# Root, and what belongs to it.

@attack
def root_files():
    def make(folder):
        path = os.path.join(folder, ".attack")
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL))
        os.unlink(path)
        return path
    return first(below("/", folders=True), make)


@attack
def overwrite():
    return first(["/usr/lib/sophia/runner", "/usr/lib/sophia/python/attachments.py",
                  "/usr/bin/python3.11", "/bin/bash", "/etc/passwd"], writable)


@attack
def setuid_files():
    return first((p for p in below("/") if not os.path.islink(p)),
                 lambda p: p if os.lstat(p).st_mode & 0o6000 else "")


@attack
def file_capability():
    path = "/tmp/attack"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o755))
    os.setxattr(path, "security.capability", struct.pack("<5I", 0x2000001, 1, 0, 0, 0))
    return "it was set"


@attack
def capabilities():
    return first(["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"],
                 lambda k: k + " " + status(k) if int(status(k), 16) else "")


@attack
def new_privileges():
    if status("NoNewPrivs") == "1":
        raise Held("NoNewPrivs 1")
    return "NoNewPrivs " + status("NoNewPrivs")


@attack
def seccomp():
    if status("Seccomp") == "2":
        raise Held("Seccomp 2")
    return "Seccomp " + status("Seccomp")


@attack
def user():
    ids = status("Uid").split() + status("Gid").split() + status("Groups").split()
    return first(ids, lambda i: "id " + i if int(i) < 1000 else "")


@attack
def become_root():
    os.setuid(0)
    return "root"


@attack
def become_root_group():
    os.setgid(0)
    return "group 0"


@attack
def join_groups():
    os.setgroups([0])
    return "group 0"


# Namespaces and mounts.

NAMES = {"mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000,
         "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000}

for name, flag in NAMES.items():
    simple("unshare_" + name, (272, 97), flag)

simple("unshare_user_and_all", (272, 97), 0x7e020000)


@attack
def clone_user():
    pid = call((56, 220), NAMES["user"] | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return "a process in a namespace of its own"


@attack
def clone3_user():
    pid = call(435, struct.pack("11Q", NAMES["user"], 0, 0, 0, signal.SIGCHLD, *[0] * 6), 88)
    if pid == 0:
        os._exit(0)
    return "a process in a namespace of its own"


@attack
def set_namespace():
    return first(glob.glob("/proc/1/ns/*"), lambda p:
                 "joined" if libc.setns(os.open(p, os.O_RDONLY), 0) == 0 else "")


for name in "cgroup", "ipc", "mnt", "net", "pid", "uts":
    def f(name=name):
        if os.readlink("/proc/self/ns/" + name) != HOST["ns"][name]:
            raise Held("its own")
        return "the host's"
    f.__name__ = "namespace_" + name
    ATTACKS.append(f)

simple("mount_tmpfs", (165, 40), b"none", b"/tmp", b"tmpfs", 0, None)
simple("mount_proc", (165, 40), b"none", b"/tmp", b"proc", 0, None)
simple("mount_bind", (165, 40), b"/", b"/tmp", None, 4096, None)
simple("remount_root", (165, 40), None, b"/", None, 32 | 4096, None)
simple("unmount", (166, 39), b"/proc/sys", 2)
simple("pivot_root", (155, 41), b"/none", b"/none")
simple("mount_new_way", 430, b"tmpfs", 0)
simple("mount_tree", 428, -100, b"/", 1)
simple("mount_move", 429, -1, b"", -1, b"/tmp", 4)


@attack
def make_block_device():
    os.mknod("/tmp/b", stat.S_IFBLK | 0o600, os.makedev(8, 0))
    return "a block device"


@attack
def make_character_device():
    os.mknod("/tmp/c", stat.S_IFCHR | 0o600, os.makedev(1, 1))
    return "the memory of the machine"


# The runner, which is process 1.

@attack
def trace_runner():
    return refused((101, 117), 16, 1, 0, 0)


@attack
def seize_runner():
    return refused((101, 117), 0x4206, 1, 0, 0)


@attack
def read_runner_memory():
    os.open("/proc/1/mem", os.O_RDONLY)
    return "its memory"


@attack
def write_runner_memory():
    return writable("/proc/1/mem")


@attack
def copy_runner_memory():
    here = struct.pack("PQ", ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    return refused((310, 270), 1, here, 1, struct.pack("PQ", 0x400000, 8), 1, 0)


@attack
def runner_map():
    with open("/proc/1/maps") as f:
        return f.read()


@attack
def runner_environment():
    with open("/proc/1/environ") as f:
        return f.read()


@attack
def runner_descriptors():
    return os.listdir("/proc/1/fd")


@attack
def forge_frame():
    with open("/proc/1/fd/1", "wb") as f:
        f.write(b"\0\0\0\1Z\n")
    return "a frame was sent"


@attack
def take_descriptor():
    fd = call(434, 1, 0)
    return refused(438, fd, 1, 0)


@attack
def signal_runner():
    """All there are: it is not to be gone, nor stopped."""
    for number in range(1, 65):
        try:
            os.kill(1, number)
        except OSError:
            pass
    with open("/proc/1/stat") as f:
        state = f.read().rsplit(")", 1)[1].split()[0]
    if state in "SRD" and attach(b"alive", "alive.txt")["size"] == 5:
        raise Held("alive")
    return "state " + state


# What only a kernel's owner should ask of it.

simple("keyring_add", (248, 217), b"user", b"attack", b"x", 1, -2)
simple("keyring_control", (250, 219), 0, -2, 0)
simple("keyring_request", (249, 218), b"user", b"attack", None, 0)
simple("bpf", (321, 280), 0, None, 0)
simple("perf_event", (298, 241), None, 0, -1, -1, 0)
simple("userfaultfd", (323, 282), 0x1000)
simple("io_uring", 425, 0, None)
simple("kexec", (246, 104), 0, 0, None, 0xffff)
simple("load_module", (175, 105), None, 0, None)
simple("remove_module", (176, 106), b"attack", 0)
simple("reboot", (169, 142), 0, 0, 0, None)
simple("swap_on", (167, 224), None, 0)
simple("set_clock", (227, 112), 0, struct.pack("qq", 0, -1))
simple("set_hostname", (170, 161), None, -1)
simple("accounting", (163, 89), b"/tmp/none")
simple("fanotify", (300, 262), 0xffff, 0)
simple("personality", (135, 92), 0x0040000)
simple("io_permission", (173, 0xfff), 0, 1 << 20, 1)
simple("io_level", (172, 0xfff), 9)
simple("nice", (141, 140), 0, 0, -20)


@attack
def scheduler():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    return "real time"


@attack
def raise_limits():
    """Any hard limit, by one."""
    import resource

    def more(n):
        soft, hard = resource.getrlimit(n)
        if hard == resource.RLIM_INFINITY:
            return ""
        try:
            resource.setrlimit(n, (soft, hard + 1))
        except ValueError as e:
            raise Held(e) from None
        return "limit %d" % n
    return first(range(16), more)


def run(f):
    """Its verdict, from a process of its own."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(w, 2)
        os.closerange(3, 64)
        signal.alarm(5)
        try:
            said = "out %.200s" % (f(),)
        except OSError as e:
            said = "held %.200s" % (e.strerror or e,)
        except BaseException as e:
            said = "broken %s: %.200s" % (type(e).__name__, e)
        os.write(2, " ".join(said.split()).encode("utf-8", "replace"))
        os._exit(0)
    os.close(w)
    with os.fdopen(r, "rb") as f:
        said = f.read().decode()
    how = os.waitpid(pid, 0)[1]
    return said or "broken by signal %d" % (how & 127)


for f in ATTACKS:
    print(f.__name__, run(f), flush=True)
