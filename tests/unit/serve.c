#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/poll.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "tap.h"
#include "tool/serve.h"

#define CALL(name, phase)                                                      \
	"{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"" name             \
	"\",\"arguments\":{},\"tier\":\"write\"" phase                         \
	",\"context\":{\"actor\":{\"id\":\"local\",\"name\":\"ada\"},"         \
	"\"location\":{\"kind\":\"local\"},\"visibility\":\"private\"}}\n"
#define CANCEL(id) "{\"type\":\"cancel\",\"id\":\"" id "\"}\n"

static int checks, acts; /* how often */
static int tell;         /* to the program that serves */

static int
look(void *ctx, const struct call *call, struct answer_parts *a, struct err *e)
{
	(void)ctx;
	(void)call;
	(void)e;
	buf_str(&a->summary, "seen");
	return 0;
}

static int
check_paint(void *ctx, const struct call *call, struct proposal_parts *p,
    struct err *e)
{
	(void)ctx;
	(void)call;
	(void)e;
	checks++;
	buf_str(&p->text, "paint two walls");
	buf_str(&p->guild, "5");
	serve_target(p, &(struct proposal_target){.kind = PROPOSAL_CHANNEL,
			    .id = "7",
			    .name = "hall",
			    .above.text = "[\"6\"]"});
	jsonw_str(&p->plan, "colour", "red");
	serve_item(p, "walls", "the left one");
	serve_item(p, "walls", "the right one");
	return 0;
}

/* Two parts; what can't be done is said. */
static int
act_paint(void *ctx, struct serve_act *w, struct answer_parts *a, struct err *e)
{
	(void)ctx;
	acts++;
	for (int64_t n = 1; n <= 2; n++) {
		if (!serve_may(w, n))
			continue;
		if (serve_part_begin(w, "a wall", e) < 0)
			return -1;
		serve_part_end(w, PART_SUCCEEDED, "{\"wall\":1}", e);
	}
	buf_str(&a->summary, "painted");
	return 0;
}

static int
check_lone(void *ctx, const struct call *call, struct proposal_parts *p,
    struct err *e)
{
	(void)ctx;
	(void)call;
	(void)e;
	buf_str(&p->text, "one");
	serve_item(p, "walls", "the only one");
	return 0;
}

static int
act_lone(void *ctx, struct serve_act *w, struct answer_parts *a, struct err *e)
{
	(void)ctx;
	(void)w;
	(void)a;
	return err_set(e, ERR_UNKNOWN, "no reply");
}

static const struct serve table[] = {
    {"look", look},
    {NULL, NULL},
};

static void
on_cancelled(void *ctx)
{
	*(bool *)ctx = true;
}

/* Waits until it is given up, or nothing more can come. */
static int
wait_for_it(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e)
{
	bool told = false;

	(void)ctx;
	t->cancelled = on_cancelled;
	t->ctx = &told;
	serve_progress(t, "at it");
	poll_run(t->poll, &told, clock_boot_ms() + 20, e);
	buf_str(&a->summary, told ? "told" : "not told");
	return told == t->given_up ? 0 : err_set(e, ERR_INTERNAL, "no");
}

/* Is told, while it waits, that another one is given up, and then that it is. */
static int
hear(void *ctx, struct serve_talk *t, struct answer_parts *a, struct err *e)
{
	static const char said[] = CANCEL("k.2") CALL("look", "") CANCEL("k.1");
	bool told = false;

	(void)ctx;
	t->cancelled = on_cancelled;
	t->ctx = &told;
	if (write(tell, said, sizeof(said) - 1) != (ssize_t)sizeof(said) - 1)
		return err_set(e, ERR_IO, "the pipe is full");
	poll_run(t->poll, &told, clock_boot_ms() + 10000, e);
	close(tell);
	buf_str(&a->summary, told ? "told" : "not told");
	return 0;
}

static const struct serve_long longs[] = {
    {"hear", hear},
    {"wait", wait_for_it},
    {NULL, NULL},
};

static const struct serve_change changes[] = {
    {"paint", check_paint, act_paint},
    {"lone", check_lone, act_lone},
    {NULL, NULL, NULL},
};

/* What is written on stdout for that input. */
static const char *
serve(const char *input)
{
	static struct buf out;
	char path[] = "/tmp/serveXXXXXX";
	int fd = mkstemp(path), old = dup(STDOUT_FILENO), in[2];
	struct err e = {0};

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	if (pipe(in) == 0 &&
	    write(in[1], input, strlen(input)) == (ssize_t)strlen(input))
		tell = in[1];
	if (!strstr(input, "\"hear\""))
		close(in[1]);
	serve_run_all(in[0], &(struct serve_tables){table, longs, changes},
	    NULL, &e);
	fflush(stdout);
	dup2(old, STDOUT_FILENO);
	buf_clear(&out);
	file_read(&out, path, &e);
	unlink(path);
	close(fd);
	close(old);
	close(in[0]);
	return buf_text(&out);
}

#define CHECK ",\"phase\":\"check\""
#define ACT ",\"phase\":\"act\",\"nonce\":\"n\""
#define GO(n) "{\"type\":\"go\",\"id\":\"k.1\",\"n\":" n "}\n"
#define INTENT(n)                                                              \
	"{\"type\":\"part\",\"id\":\"k.1\",\"n\":" n                           \
	",\"state\":\"intent\",\"text\":\"a wall\"}\n"
#define DONE(n)                                                                \
	"{\"type\":\"part\",\"id\":\"k.1\",\"n\":" n                           \
	",\"state\":\"succeeded\",\"data\":{\"wall\":1}}\n"
#define GIVEN_UP                                                               \
	"{\"type\":\"error\",\"id\":\"k.1\",\"kind\":\"refused\","             \
	"\"text\":\"the call was given up\",\"effect\":\"none\"}\n"
#define PAINTED                                                                \
	"{\"type\":\"result\",\"id\":\"k.1\",\"ok\":true,"                     \
	"\"summary\":\"painted\"}\n"

static void
test_phases(void)
{
	same(serve(CALL("paint", CHECK)),
	    "{\"type\":\"proposal\",\"id\":\"k.1\",\"text\":\"paint two "
	    "walls\",\"guild\":\"5\",\"targets\":[{\"kind\":\"channel\","
	    "\"id\":\"7\",\"name\":\"hall\",\"above\":[\"6\"]}],\"items\":[{\"n\":1,"
	    "\"category\":\"walls\",\"text\":\"the left one\"},{\"n\":2,"
	    "\"category\":\"walls\",\"text\":\"the right one\"}],\"plan\":{\"colour\":\"red\"}}\n",
	    "a check gives a proposal");
	same(serve(CALL("lone", CHECK)),
	    "{\"type\":\"proposal\",\"id\":\"k.1\",\"text\":\"one\","
	    "\"targets\":[]}\n",
	    "a lone item is none");
	checks = acts = 0;
	ok(strstr(serve(CALL("paint", "")), "\"kind\":\"refused\"") &&
		checks == 0 && acts == 0,
	    "without a phase nothing is changed, nor looked at");
	ok(strstr(serve(CALL("paint", ",\"phase\":\"do\"")),
	       "phase is none of the known words") &&
		checks == 0 && acts == 0,
	    "nor with another phase");
	ok(strstr(serve(CALL("look", ACT)), "look changes nothing") != NULL,
	    "a tool that only reads has no phases");
	ok(strstr(serve(CALL("look", "")), "seen") != NULL,
	    "and is called without one");
	same(serve(CALL("lone", ACT)),
	    "{\"type\":\"error\",\"id\":\"k.1\",\"kind\":\"unknown\","
	    "\"text\":\"no reply\",\"effect\":\"unknown\"}\n",
	    "an outcome that isn't known is told as such");
}

static void
test_parts(void)
{
	same(serve(CALL("paint", ACT) GO("1") GO("2")),
	    INTENT("1") DONE("1") INTENT("2") DONE("2") PAINTED,
	    "each part waits for its go");
	same(serve(CALL("paint", ACT ",\"only\":[2]") GO("1")),
	    INTENT("1") DONE("1") PAINTED, "only what may be done is done");
	same(serve(CALL("paint", ACT) GO("1")),
	    INTENT("1") DONE("1") INTENT("2") GIVEN_UP,
	    "at the end of the input no request is made any more");
	same(serve(CALL("paint", ACT) GO("2") "nonsense\n" GO(
		 "1") "{\"type\":\"cancel\",\"id\":\"k.1\"}\n"),
	    INTENT("1") DONE("1") INTENT("2") GIVEN_UP,
	    "only the go of this part counts, and a cancel ends it");
	same(serve(CALL("paint",
		 ACT) "{\"type\":\"go\",\"id\":\"k.2\",\"n\":1}\n"
		      "{\"type\":\"cancel\",\"id\":\"k.2\"}\n" GO("1") GO("2")),
	    INTENT("1") DONE("1") INTENT("2") DONE("2") PAINTED,
	    "what is said of another call means nothing");
}

#define AT_IT "{\"type\":\"progress\",\"id\":\"k.1\",\"text\":\"at it\"}\n"
#define SAID(what)                                                             \
	"{\"type\":\"result\",\"id\":\"k.1\",\"ok\":true,"                     \
	"\"summary\":\"" what "\"}\n"

/* The end of the input doesn't end what was asked for before. */
static void
test_cancel(void)
{
	same(serve(CALL("wait", "")), AT_IT SAID("not told"),
	    "a long call tells how far it is");
	same(serve(CALL("wait", "") CANCEL("k.2") CALL("look", "")),
	    AT_IT SAID("not told") SAID("seen"),
	    "what is said of another call means nothing; the next one waits");
	ok(strstr(serve(CALL("wait", "") CANCEL("k.1") CALL("look", "")),
	       "the call was given up") != NULL,
	    "one that is given up at once does not begin");
	same(serve(CALL("hear", "")), SAID("told") SAID("seen"),
	    "it hears of a cancel while it waits, and the rest comes after it");
	same(serve(CALL("look", "") CANCEL("k.1") CALL("look", "")),
	    SAID("seen") SAID("seen"),
	    "a cancel that comes too late is passed over");
}

int
main(void)
{
	test_phases();
	test_parts();
	test_cancel();
	return tap_done();
}
