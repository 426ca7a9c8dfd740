#include "workspace/engine.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/home.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "guest/guest.h"
#include "workspace/container.h"

enum {
	GUEST_USER = 65532, /* as in share/sandbox/trim */
	ANSWER_MOST = 65536,
	ERASE_MS = 10000,
	AGAIN_MS = 20,
};

static void
add(struct engine_call *x, const char *arg)
{
	x->argv[x->args++] = mem_dup(arg);
}

static void
add_all(struct engine_call *x, const char *const *args)
{
	while (*args)
		add(x, *args++);
}

/* Arguments as they stand there. */
#define ADD(x, ...) add_all(x, (const char *const[]){__VA_ARGS__, NULL})

static void add_fmt(struct engine_call *x, const char *fmt, ...) FORMAT(2, 3);

static void
add_fmt(struct engine_call *x, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	x->argv[x->args++] = buf_take(&b);
}

static void
set(struct engine_call *x, const char *name, const char *value)
{
	struct buf b = {0};

	buf_fmt(&b, "%s=%s", name, value);
	x->envp[x->vars++] = buf_take(&b);
}

static bool
is_podman(const char *engine)
{
	return strcmp(engine, "podman") == 0;
}

/* What the client may know of our environment. */
static int
begin(struct engine_call *x, const char *engine, struct err *e)
{
	static const char *const kept[] = {"PATH", "HOME", "DOCKER_HOST",
	    "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "CONTAINER_HOST",
	    "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"};
	char config[PATH_MAX];

	*x = (struct engine_call){0};
	if (home_path(config, "run/engine", e) < 0 ||
	    file_mkdirs(config, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (getenv(kept[i]))
			set(x, kept[i], getenv(kept[i]));
	if (!is_podman(engine)) /* that would miss a file in it */
		set(x, "DOCKER_CONFIG", config);
	add(x, engine);
	return 0;
}

/* One in memory, with a ceiling, which is the guest's own. */
static void
add_folder(struct engine_call *x, const char *engine, const char *path,
    int size_mb)
{
	char owner[64];

	snprintf(owner, sizeof(owner), "uid=%d,gid=%d", GUEST_USER, GUEST_USER);
	add_fmt(x, "--tmpfs=%s:rw,nosuid,nodev,size=%dm,mode=0700,%s", path,
	    size_mb, is_podman(engine) ? "notmpcopyup,U" : owner);
}

int
engine_run(struct engine_call *x, const char *engine, const char *image,
    const char *name, const char *label, const struct container_limits *limits,
    struct err *e)
{
	if (begin(x, engine, e) < 0)
		return -1;
	ADD(x, "run", "--rm", "--interactive", "--pull=never", "--name", name,
	    "--label", label, "--network=none", "--read-only", "--cap-drop=ALL",
	    "--security-opt=no-new-privileges", "--log-driver=none",
	    "--ipc=private", "--cgroupns=private", "--hostname=sandbox",
	    "--no-healthcheck");
	add_fmt(x, "--user=%d:%d", GUEST_USER, GUEST_USER);
	add_fmt(x, "--pids-limit=%d", limits->processes);
	add_fmt(x, "--memory=%dm", limits->memory_mb);
	add_fmt(x, "--memory-swap=%dm", limits->memory_mb);
	add_fmt(x, "--cpus=%d", limits->cpus);
	ADD(x, "--ulimit=nofile=4096:4096");
	if (is_podman(engine)) /* its ways: more than a host may allow, and
				  folders in memory that nobody asked for */
		ADD(x, "--ulimit=nproc=4096:4096", "--read-only-tmpfs=false");
	add_folder(x, engine, GUEST_WORKSPACE, limits->files_mb);
	add_folder(x, engine, "/tmp", limits->files_mb);
	ADD(x, "--", image);
	return 0;
}

struct answer {
	struct buf *lines, words;
};

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct answer *a = ctx;

	if (bad)
		return;
	buf_add(a->lines, text, len);
	buf_char(a->lines, '\n');
}

static void
on_said(void *ctx, const char *text, size_t len)
{
	struct answer *a = ctx;

	buf_add(&a->words, text, len);
}

static void
on_ended(void *ctx)
{
	(void)ctx;
}

/* Run the client to its end, and add its lines to out. */
static int
ask(struct engine_call *x, const char *image, struct buf *out, struct err *e)
{
	struct answer a = {.lines = out, .words = {.limit = ANSWER_MOST}};
	struct poll p = {0};
	struct child c = {
	    .what = {.argv = x->argv, .envp = x->envp, .capture_error = true},
	    .line = on_line,
	    .said = on_said,
	    .ended = on_ended,
	    .ctx = &a};
	struct err why = {0};
	int result = child_start(&c, &p, &why);

	if (result == 0)
		child_end(&c);
	while (result == 0 && c.state == CHILD_RUNS)
		result = poll_step(&p, POLL_NEVER, &why);
	if (result == 0)
		result = child_verdict(&c, &why);
	if (result != 0)
		result = engine_explain(x->argv[0], image,
		    a.words.len ? buf_text(&a.words) : why.text, e);
	child_release(&c);
	poll_release(&p);
	buf_release(&a.words);
	return result;
}

static int
erase_once(const char *engine, const char *name, struct err *e)
{
	struct engine_call x = {0};
	struct buf out = {.limit = ANSWER_MOST};
	int result = begin(&x, engine, e);

	if (result == 0) {
		ADD(&x, "rm", "--force");
		if (is_podman(engine)) /* as docker does it */
			ADD(&x, "--time=0", "--ignore");
		ADD(&x, name);
		result = ask(&x, "", &out, e);
	}
	buf_release(&out);
	engine_call_release(&x);
	return result;
}

int
engine_erase(const char *engine, const char *name, struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + ERASE_MS;
	struct err why = {0};

	/* Its end may have begun already: the engine won't wait for that. */
	while (erase_once(engine, name, &why) < 0) {
		if (!strstr(why.text, "already in progress") ||
		    clock_boot_ms() > until_ms) {
			*e = why;
			return -1;
		}
		clock_sleep_ms(AGAIN_MS);
	}
	return 0;
}

int
engine_list(const char *engine, const char *label, struct buf *names,
    struct err *e)
{
	struct engine_call x = {0};
	int result = begin(&x, engine, e);

	if (result == 0) {
		ADD(&x, "ps", "--all", "--no-trunc", "--format", "{{.Names}}");
		add_fmt(&x, "--filter=label=%s", label);
		names->limit = ANSWER_MOST;
		result = ask(&x, "", names, e);
	}
	engine_call_release(&x);
	return result;
}

int
engine_image(const char *engine, const char *image, struct buf *label,
    struct err *e)
{
	struct engine_call x = {0};
	int result = begin(&x, engine, e);

	if (result == 0) {
		ADD(&x, "image", "inspect", "--format",
		    "{{index .Config.Labels \"org.sophia.sandbox\"}}", "--",
		    image);
		label->limit = ANSWER_MOST;
		result = ask(&x, image, label, e);
	}
	engine_call_release(&x);
	return result;
}

void
engine_call_release(struct engine_call *x)
{
	for (size_t i = 0; i < x->args; i++)
		mem_drop(x->argv[i]);
	for (size_t i = 0; i < x->vars; i++)
		mem_drop(x->envp[i]);
	*x = (struct engine_call){0};
}

int
engine_explain(const char *engine, const char *image, const char *words,
    struct err *e)
{
	char said[200];

	utf8_tame(said, sizeof(said), words);
	if (strstr(words, "cannot run"))
		return err_set(e, ERR_CONFIG,
		    "there is no %s here: install it (apt-get install %s), or "
		    "name another with `sophia settings set sandbox.engine`",
		    engine,
		    strcmp(engine, "docker") == 0 ? "docker.io" : engine);
	if (strstr(words, "No such image") ||
	    strstr(words, "image not known") ||
	    strstr(words, "Unable to find image"))
		return err_set(e, ERR_CONFIG,
		    "there is no image %s: make it with `make "
		    "sandbox-image%s`, or name another with `sophia settings "
		    "set sandbox.image`",
		    image,
		    strcmp(engine, "podman") == 0 ? " ENGINE=podman" : "");
	if (strstr(words, "annot connect") ||
	    strstr(words, "permission denied") ||
	    strstr(words, "daemon running"))
		return err_set(e, ERR_CONFIG,
		    "%s does not answer: start it, or let this user use it "
		    "(%s)",
		    engine, said);
	return err_set(e, ERR_AGAIN, "%s failed: %s", engine,
	    *said ? said : "it said nothing");
}
