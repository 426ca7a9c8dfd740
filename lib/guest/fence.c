#define _GNU_SOURCE
#include "guest/fence.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "core/err.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the numbers of system calls here are to be looked at first"
#endif

enum {
	X32 = 0x40000000, /* numbers from here on are another interface's */
	NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
		     CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET,
};

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Skip so many rules if it is (has, is at least) that, else so many. */
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define HAS(bits, yes, no) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define FROM(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, yes, no)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(with) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (with))
#define NOT(call, with) IS(SYS_##call, 0, 1), REFUSE(with)

int
fence_raise(struct err *e)
{
	/* What is an int is the low half of an argument, which lies first. */
	struct sock_filter rules[] = {
	    LOAD(arch),
	    IS(ARCHITECTURE, 1, 0),
	    REFUSE(ENOSYS),
	    LOAD(nr),
	    FROM(X32, 0, 1),
	    REFUSE(ENOSYS),
	    NOT(io_uring_setup, ENOSYS),
	    NOT(io_uring_enter, ENOSYS),
	    NOT(io_uring_register, ENOSYS),
	    NOT(clone3, ENOSYS), /* whose flags can't be looked at */
	    NOT(unshare, EPERM),
	    NOT(setns, EPERM),
	    NOT(keyctl, EPERM),
	    NOT(add_key, EPERM),
	    NOT(request_key, EPERM),
	    IS(SYS_clone, 0, 4),
	    LOAD(args[0]),
	    HAS(NAMESPACES, 0, 1),
	    REFUSE(EPERM),
	    ALLOW,
	    IS(SYS_socket, 1, 0),
	    ALLOW,
	    LOAD(args[0]),
	    IS(AF_UNIX, 3, 0),
	    IS(AF_INET, 2, 0),
	    IS(AF_INET6, 1, 0),
	    IS(AF_NETLINK, 0, 1),
	    ALLOW,
	    REFUSE(EAFNOSUPPORT),
	};
	struct sock_fprog program = {.len = sizeof(rules) / sizeof(*rules),
	    .filter = rules};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return err_sys(e, ERR_CONFIG, "a filter for system calls");
	return 0;
}
