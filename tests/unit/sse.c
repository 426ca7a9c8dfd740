/*
 * The decoder of server-sent events: cases of our own, then every recorded
 * stream cut at every byte. For that the decoder is copied at the start of each
 * line, fed the line in two pieces cut at each place, and must end up with the
 * same events and in the same state: so no cut anywhere can change anything.
 */
#include "model/sse.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/file.h"
#include "tap.h"

static int
note(void *ctx, const char *name, const char *data, size_t len, struct err *e)
{
	(void)e;
	buf_fmt(ctx, "%s<%zu:%s>", name, len, data);
	return 0;
}

static char *
events(const char *bytes, size_t len, size_t step)
{
	struct sse s = {0};
	struct buf out = {0};
	struct err e = {0};

	for (size_t at = 0, n; at < len; at += n) {
		n = len - at < step ? len - at : step;
		if (sse_feed(&s, bytes + at, n, note, &out, &e) < 0)
			break;
	}
	if (!e.kind)
		(void)sse_end(&s, note, &out, &e);
	if (e.kind)
		buf_fmt(&out, "(%s)", e.text);
	sse_release(&s);
	buf_str(&out, "");
	return buf_take(&out);
}

static void
check(const char *bytes, const char *want, const char *name)
{
	char *whole = events(bytes, strlen(bytes), strlen(bytes) + 1);
	char *each = events(bytes, strlen(bytes), 1);

	same(whole ? whole : "", want, name);
	same(each ? each : "", want, "and the same byte by byte");
	free(whole);
	free(each);
}

static void
cases(void)
{
	check("data: a\n\ndata:b\n\n", "<1:a><1:b>", "a space after : is none");
	check("data: a\r\n\r\ndata: b\r\rdata: c\n\n", "<1:a><1:b><1:c>",
	    "CRLF, CR and LF end a line");
	check("data: a\ndata: b\n\n", "<3:a\nb>", "lines of data are joined");
	check(": ping\n\n: x\ndata: a\n: y\n\n", "<1:a>", "comments are none");
	check("data: : PROCESSING\n\ndata: a\n\n", "<1:a>",
	    "nor are those that a gateway wrapped");
	check("event: error\ndata: a\n\ndata: b\n\n", "error<1:a><1:b>",
	    "a name is for one event");
	check("event: x\n\ndata: b\n\n", "<1:b>", "no event is without data");
	check("\xef\xbb\xbf"
	      "data: a\n\n",
	    "<1:a>", "a mark is skipped");
	check("data: a\n\ndata: b", "<1:a><1:b>", "the end ends an event");
	check("id: 1\nretry: 5\nnonsense\ndata: a\n\n", "<1:a>",
	    "other fields are ignored");
	check("data\n\n", "<0:>", "a field without a colon is empty");
	check("", "", "nothing is nothing");
}

static void
ceiling(void)
{
	size_t len = SSE_EVENT_MAX + 64;
	char *bytes = malloc(len), *got;

	memset(bytes, 'x', len);
	memcpy(bytes, "data: ", 6);
	got = events(bytes, len, len);
	ok(strstr(got, "longer than"), "an endless line is refused");
	free(got);
	for (size_t i = 0; i + 8 <= len; i += 8)
		memcpy(bytes + i, "data: x\n", 8);
	got = events(bytes, len, 4096);
	ok(!strstr(got, "longer than"), "many short lines are not");
	free(got);
	free(bytes);
}

static void
copy_buf(struct buf *to, const struct buf *from)
{
	*to = (struct buf){.limit = from->limit, .full = from->full};
	buf_add(to, buf_text(from), from->len);
}

static struct sse
copy(const struct sse *s)
{
	struct sse c = *s;

	copy_buf(&c.line, &s->line);
	copy_buf(&c.name, &s->name);
	copy_buf(&c.data, &s->data);
	return c;
}

static bool
equal_buf(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && a->full == b->full &&
	       memcmp(buf_text(a), buf_text(b), a->len) == 0;
}

static bool
equal(const struct sse *a, const struct sse *b)
{
	return equal_buf(&a->line, &b->line) && equal_buf(&a->name, &b->name) &&
	       equal_buf(&a->data, &b->data) && a->has_data == b->has_data &&
	       a->after_cr == b->after_cr && a->started == b->started;
}

/* Feed len bytes from the state `from` cut at each place; all end as `to`. */
static bool
every_cut(const struct sse *from, const struct sse *to, const char *want,
    const char *bytes, size_t len)
{
	bool good = true;

	for (size_t cut = 1; cut < len && good; cut++) {
		struct sse s = copy(from);
		struct buf out = {0};
		struct err e = {0};

		sse_feed(&s, bytes, cut, note, &out, &e);
		sse_feed(&s, bytes + cut, len - cut, note, &out, &e);
		good = !e.kind && equal(&s, to) &&
		       strcmp(buf_text(&out), want) == 0;
		buf_release(&out);
		sse_release(&s);
	}
	return good;
}

static bool
replay(const char *bytes, size_t len)
{
	struct sse s = {0};
	bool good = true;

	for (size_t at = 0, n; at < len && good; at += n) {
		struct sse before = copy(&s);
		struct buf out = {0};
		struct err e = {0};
		const char *end = memchr(bytes + at, '\n', len - at);

		n = end ? (size_t)(end - bytes) - at + 1 : len - at;
		good = sse_feed(&s, bytes + at, n, note, &out, &e) == 0 &&
		       every_cut(&before, &s, buf_text(&out), bytes + at, n);
		buf_release(&out);
		sse_release(&before);
	}
	sse_release(&s);
	return good;
}

static int
replay_folder(const char *folder)
{
	const char *top = getenv("SOPHIA_FIXTURES");
	char path[PATH_MAX];
	const struct dirent *entry;
	int found = 0;
	DIR *d;

	top = top ? top : "../shared/fixtures";
	snprintf(path, sizeof(path), "%s/model/%s", top, folder);
	if (!(d = opendir(path)))
		return 0;
	while ((entry = readdir(d)) != NULL) {
		struct buf bytes = {0};
		struct err e = {0};
		size_t len = strlen(entry->d_name);

		if (len < 4 || strcmp(entry->d_name + len - 4, ".sse") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/model/%s/%s", top, folder,
		    entry->d_name);
		ok(file_read(&bytes, path, &e) == 0 &&
			replay(buf_text(&bytes), bytes.len),
		    entry->d_name);
		buf_release(&bytes);
		found++;
	}
	closedir(d);
	return found;
}

int
main(void)
{
	cases();
	ceiling();
	if (replay_folder("chat-sse") + replay_folder("reported") +
		replay_folder("responses-sse") ==
	    0)
		tap_skip("no recordings of providers are here");
	return tap_done();
}
