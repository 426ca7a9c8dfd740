/*
 * Replay every recorded reply to a chat completion through the decoder, cut at
 * every byte, and insist on the records of the whole. The recordings are in
 * $SOPHIA_FIXTURES/model, else in ../shared/fixtures/model; tests/unit/chat.c
 * has cases of our own.
 *
 * A reply longer than FULL bytes is cut at every byte only with
 * $SOPHIA_EVERY_CUT (it takes minutes); otherwise at some, a prime apart.
 * tests/unit/sse.c proves for all of them that no cut changes an event.
 */
#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "core/file.h"
#include "reply.h"
#include "tap.h"

enum { FULL = 4096, FILE_LIMIT = 8 << 20 };

static int replayed;

static bool
ends(const char *name, const char *tail)
{
	size_t a = strlen(name), b = strlen(tail);

	return a > b && strcmp(name + a - b, tail) == 0;
}

static bool
is_reply(const char *name)
{
	if (ends(name, ".req.json") || ends(name, "SOURCES.txt"))
		return false;
	return ends(name, ".sse") || ends(name, ".json") || ends(name, ".txt");
}

/* A payload a line, as `data:` lines again. */
static void
wrap_lines(struct buf *b)
{
	struct buf out = {0};
	char *line = b->data, *end;

	for (; line && *line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (*line != '\n')
			buf_fmt(&out, "data: %.*s\n\n",
			    (int)strcspn(line, "\n"), line);
	}
	buf_str(&out, "data: [DONE]\n\n");
	buf_release(b);
	*b = out;
}

/* Exactly one verdict, and it is the last record. */
static bool
has_one_verdict(const char *records)
{
	int verdicts = 0;
	bool last = false;

	for (const char *line = records; line && *line;) {
		const char *end = strchr(line, '\n');

		last = strncmp(line, "{\"type\":\"finish\"", 16) == 0 ||
		       strncmp(line, "{\"type\":\"error\"", 15) == 0;
		verdicts += last;
		line = end ? end + 1 : NULL;
	}
	return verdicts == 1 && last;
}

static bool
same_when_cut(const char *bytes, size_t len, const char *want)
{
	size_t stride = len <= FULL || getenv("SOPHIA_EVERY_CUT")
			    ? 1
			    : 1 + 2 * (len / 64);
	bool good = true;
	char *got = reply_cut(bytes, len, 0, 1);

	good = strcmp(got, want) == 0;
	free(got);
	for (size_t cut = 1; cut < len && good; cut += stride) {
		got = reply_cut(bytes, len, cut, len);
		good = strcmp(got, want) == 0;
		if (!good)
			printf("# cut at %zu: %s\n# want %s\n", cut, got, want);
		free(got);
	}
	return good;
}

static void
replay(const char *path, const char *name)
{
	struct buf bytes = {.limit = FILE_LIMIT};
	struct err e = {0};
	char *want;

	if (file_read(&bytes, path, &e) < 0) {
		ok(false, e.text);
		return;
	}
	if (ends(name, ".chunks.txt"))
		wrap_lines(&bytes);
	want = reply_whole(buf_text(&bytes), bytes.len);
	if (getenv("SOPHIA_SHOW"))
		printf("== %s\n%s", name, want);
	ok(has_one_verdict(want) && same_when_cut(bytes.data, bytes.len, want),
	    name);
	replayed++;
	free(want);
	buf_release(&bytes);
}

static void
replay_folder(const char *top, const char *folder)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	DIR *d;

	snprintf(path, sizeof(path), "%s/model/%s", top, folder);
	if (!(d = opendir(path)))
		return;
	while ((entry = readdir(d)) != NULL) {
		snprintf(path, sizeof(path), "%s/model/%s/%s", top, folder,
		    entry->d_name);
		if (is_reply(entry->d_name))
			replay(path, entry->d_name);
	}
	closedir(d);
}

int
main(void)
{
	static const char *const folders[] = {"chat-sse", "chat-json",
	    "reported", "vercel-chunks", "errors", "docs-examples"};
	const char *top = getenv("SOPHIA_FIXTURES");

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		replay_folder(top ? top : "../shared/fixtures", folders[i]);
	if (!replayed)
		tap_skip("no recordings of providers are here");
	return tap_done();
}
