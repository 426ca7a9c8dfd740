#include "gateway/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/filter.h"
#include "discord/gateway.h"
#include "discord/payload.h"
#include "gateway/outlet.h"

/* Whoever reads what people say to each other must be us. */
int
recorder_open(struct recorder *r, const char *path, struct err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	r->file = fdopen(fd, "a");
	if (r->file)
		return 0;
	close(fd);
	return err_sys(e, ERR_INTERNAL, "%s", path);
}

static int
fail(struct recorder *r, struct err *e)
{
	err_sys(e, err_kind_of_errno(ERR_IO), "the recording ends");
	fclose(r->file);
	r->file = NULL;
	return -1;
}

int
recorder_add(struct recorder *r, const char *text, size_t len, struct err *e)
{
	if (!r->file)
		return 0;
	if (fwrite(text, 1, len, r->file) < len || fputc('\n', r->file) == EOF)
		return fail(r, e);
	return 0;
}

int
recorder_close(struct recorder *r, struct err *e)
{
	if (!r->file)
		return 0;
	if (fflush(r->file) == EOF)
		return fail(r, e);
	fclose(r->file);
	r->file = NULL;
	return 0;
}

/* Nothing else runs meanwhile, so a slow reader may be waited for. */
static int
settle(struct outlet *to, struct err *e)
{
	while (outlet_busy(to))
		if (poll_step(to->poll, POLL_NEVER, e) < 0)
			return -1;
	if (outlet_gone(to))
		return err_set(e, ERR_REFUSED, "nobody reads the events");
	if (to->spooled && spool_due_ms(&to->spool) <= clock_boot_ms())
		return poll_step(to->poll, clock_boot_ms(), e);
	return 0;
}

static int
replay_line(void *ctx, const char *line, size_t len, struct err *e)
{
	struct outlet *to = ctx;
	struct payload p;

	if (payload_read(&p, line, len, e) < 0)
		return -1;
	if (p.op != OP_DISPATCH)
		return 0;
	if (outlet_put(to, &p, e) < 0 || settle(to, e) < 0)
		return -1;
	return 1;
}

int64_t
recorder_replay(const char *path, struct outlet *to, struct err *e)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	int64_t count;

	if (!in)
		return err_sys(e, ERR_CONFIG, "%s", path);
	outlet_session(to, NULL, NULL);
	count = filter_run(in, GATEWAY_PAYLOAD, replay_line, to, e);
	if (in != stdin)
		fclose(in);
	return count;
}
