#include "workspace/cut.h"

#include <inttypes.h>
#include <string.h>

#include "workspace/wav.h"

enum { SILENT = 3, BROKEN = 4 }; /* exit codes of the script */

static const struct container_limits limits = {
    .memory_mb = 512,
    .files_mb = 64,
    .processes = 16,
    .cpus = 1,
};

/* A time as ffmpeg reads it. */
static void
write_s(struct buf *b, const char *name, int64_t ms)
{
	buf_fmt(b, "%s=%" PRId64 ".%03d\n", name, ms / 1000, (int)(ms % 1000));
}

/*
 * The stretch is cut off what is decoded, not sought: where to seek to is a
 * guess in many formats.
 */
static void
write_code(struct cut *c)
{
	write_s(&c->code, "start", c->start_ms);
	write_s(&c->code, "length", c->length_ms);
	buf_fmt(&c->code, "silent=%d broken=%d rate=%d\n", SILENT, BROKEN,
	    WAV_RATE);
	buf_str(&c->code,
	    "mkdir out\n"
	    "ffprobe -v error -protocol_whitelist file -select_streams a:0"
	    " -show_entries stream=index -of csv=p=0 -i in/0 >found"
	    " 2>/dev/null || exit $broken\n"
	    "[ -s found ] || exit $silent\n"
	    "rm found\n"
	    "ffmpeg -nostdin -v error -threads 1 -protocol_whitelist file"
	    " -i in/0 -map 0:a:0 -vn -sn -dn -ss $start -t $length"
	    " -af aresample=async=1:first_pts=0 -ac 1 -ar $rate"
	    " -f s16le out/0 2>/dev/null || exit $broken\n");
}

static int
take(struct cut *c, struct err *e)
{
	const struct bundle_file *made = bundle_find(&c->run.harvest.changed,
	    "out/0", 5);
	const size_t most = (size_t)c->length_ms * WAV_BYTES_MS;
	size_t len;

	if (c->run.status == SILENT)
		return err_set(e, ERR_INPUT, "there is no sound in it");
	if (c->run.status != 0 || !made)
		return err_set(e, ERR_INPUT,
		    "it is broken, or of no known format");
	len = made->bytes.len < most ? made->bytes.len : most;
	len -= len % WAV_BYTES_MS;
	if (!len)
		return err_set(e, ERR_INPUT, "it ends before that time");
	wav_write(&c->wav, made->bytes.data, len);
	return 0;
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct cut *c = ctx;
	struct err odd = {0};

	if (!why && take(c, &odd) < 0)
		why = &odd;
	c->ended(c->ctx, why);
}

int
cut_start(struct cut *c, struct poll *p, const char *bytes, size_t len,
    struct err *e)
{
	struct bundle_file *f;

	if (c->start_ms < 0 || c->start_ms > INT64_C(1000) * 60 * 60 * 24 * 7)
		return err_set(e, ERR_INPUT, "no time that it can begin at");
	if (c->length_ms < 1 || c->length_ms > CUT_MOST_MS)
		return err_set(e, ERR_INPUT,
		    "it must last between 0.001 and %d s", CUT_MOST_MS / 1000);
	f = bundle_add(&c->files, "in/0", 4, len, e);
	if (!f)
		return -1;
	buf_add(&f->bytes, bytes, len);
	write_code(c);
	c->run = (struct run){.engine = c->engine,
	    .image = c->image,
	    .language = 's',
	    .code = buf_text(&c->code),
	    .len = c->code.len,
	    .files = &c->files,
	    .time_s = CUT_TIME_S,
	    .limits = &limits,
	    .ended = on_ended,
	    .ctx = c};
	return run_start(&c->run, p, e);
}

void
cut_cancel(struct cut *c)
{
	run_cancel(&c->run);
}

void
cut_release(struct cut *c)
{
	run_release(&c->run);
	bundle_release(&c->files);
	buf_release(&c->code);
	buf_release(&c->wav);
}
