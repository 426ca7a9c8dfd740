#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "scratch.h"
#include "store/spool.h"
#include "store/spool_reader.h"
#include "tap.h"

enum { SMALL = 1024 };

static const char segment_1[] = "home/spool/0/000000000001.ndjson";

static void
clean(void)
{
	nftw(in_scratch("home"), scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static int64_t
add(struct spool *s, int64_t sequence, const char *data)
{
	struct err e = {0};
	int64_t n = spool_append(s, "MESSAGE_CREATE", sequence, data,
	    strlen(data), &e);

	if (n < 0)
		printf("# append: %s\n", e.text);
	return n;
}

/* A spool of so many events, sequence 101 on, synced and closed. */
static void
fill(int count)
{
	struct spool s = {0};
	struct err e = {0};
	char data[64];

	clean();
	spool_open(&s, 0, &e);
	for (int i = 1; i <= count; i++) {
		snprintf(data, sizeof(data), "{\"n\":%d}", i);
		add(&s, 100 + i, data);
	}
	spool_sync(&s, &e);
	spool_close(&s);
}

/* What a reader is handed, in few letters: "1 2 gap(3,9) 10". */
static const char *
drain(struct spool_reader *r)
{
	static struct buf out;
	struct err e = {0};
	int got;

	buf_clear(&out);
	while ((got = spool_reader_next(r, &e)) > 0) {
		buf_str(&out, out.len ? " " : "");
		if (got == SPOOL_GAP)
			buf_fmt(&out, "gap(%" PRId64 ",%" PRId64 ")",
			    r->gap_from, r->gap_to);
		else
			buf_fmt(&out, "%" PRId64, r->event.number);
	}
	if (got < 0)
		buf_fmt(&out, " %s", err_word(e.kind));
	return buf_text(&out);
}

/* The same for a reader that comes for the first time. */
static const char *
read_all(int64_t after)
{
	static struct err e;
	struct spool_reader r = {0};
	const char *text;

	if (spool_reader_open(&r, 0, NULL, after, &e) < 0)
		return e.text;
	text = drain(&r);
	spool_reader_close(&r);
	return text;
}

static bool
is_ready(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

static void
test_synced(void)
{
	struct spool s = {0};
	struct spool_reader r = {0};
	struct err e = {0};

	clean();
	ok(spool_reader_open(&r, 0, "index", 0, &e) == 0,
	    "a reader may come before the writer");
	same(drain(&r), "", "it reads nothing");
	ok(spool_open(&s, 0, &e) == 0 && s.number == 0 && !s.session,
	    "a new spool is empty");
	drain(&r);
	ok(spool_due_ms(&s) == INT64_MAX && !is_ready(r.wake),
	    "nothing is due, nobody is woken");
	ok(add(&s, 7, "{\"a\":1}") == 1 && add(&s, 8, "{\"a\":2}") == 2,
	    "numbers begin with 1 and rise by one");
	same(drain(&r), "", "what isn't synced is seen by nobody");
	ok(!is_ready(r.wake) && spool_due_ms(&s) < INT64_MAX, "a sync is due");
	ok(spool_sync(&s, &e) == 0 && is_ready(r.wake),
	    "a sync wakes the reader");
	ok(spool_reader_next(&r, &e) == SPOOL_EVENT && r.event.sequence == 7 &&
		strcmp(r.event.name, "MESSAGE_CREATE") == 0 &&
		r.event.data_len == 7 &&
		memcmp(r.event.data, "{\"a\":1}", 7) == 0,
	    "and it reads what was written");
	same(drain(&r), "2", "event by event");
	ok(!is_ready(r.wake), "then it sleeps");
	ok(s.sequence == 8, "the sequence is that of the last one");
	spool_reader_close(&r);
	spool_close(&s);
	spool_close(&s);
	spool_reader_close(&r);
}

static void
test_reopen(void)
{
	struct spool s = {0}, other = {0};
	struct spool_reader r = {0}, twin = {0};
	struct err e = {0};

	fill(3);
	ok(spool_open(&s, 0, &e) == 0 && s.number == 3 && s.sequence == 103 &&
		s.cut == 0,
	    "opened again it goes on");
	ok(spool_open(&other, 0, &e) < 0 && e.kind == ERR_AGAIN,
	    "one writes at a time");
	ok(spool_open(&other, 1, &e) == 0 && add(&other, 1, "{}") == 1,
	    "another shard is another spool");
	spool_close(&other);
	spool_close(&s);
	ok(spool_reader_open(&r, 0, "index", 0, &e) == 0 &&
		spool_reader_open(&twin, 0, "index", 0, &e) < 0 &&
		e.kind == ERR_AGAIN,
	    "one reads by a name at a time");
	spool_reader_close(&r);
	ok(spool_reader_open(&r, 0, "../x", 0, &e) < 0 && e.kind == ERR_INPUT,
	    "a reader's name is no path");
	same(read_all(2), "3", "a reader goes on after its position");
	same(read_all(3), "", "even if that is the last event");
}

static void
test_data(void)
{
	struct spool s = {0};
	struct spool_reader r = {0};
	struct err e = {0};
	char *big = malloc(32 << 20);
	char long_name[80];

	clean();
	spool_open(&s, 0, &e);
	add(&s, 1, "{\n \"a\":\r\n 1}");
	ok(spool_append(&s, "X", 1, "{\"a\0\"}", 6, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "no NUL byte gets into a line");
	ok(spool_append(&s, "A B", 1, "{}", 2, &e) < 0 && e.kind == ERR_INPUT,
	    "a name is a word");
	memset(long_name, 'A', sizeof(long_name));
	long_name[79] = '\0';
	ok(spool_append(&s, long_name, 1, "{}", 2, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "and not too long");
	memset(big, 'x', 32 << 20);
	big[0] = big[(31 << 20) - 1] = '"';
	ok(spool_append(&s, "X", 1, big, 32 << 20, &e) < 0,
	    "an event has at most 32 MiB");
	ok(spool_append(&s, "X", 2, big, 31 << 20, &e) == 2,
	    "but nearly as many, it may");
	add(&s, 3, "{}");
	spool_sync(&s, &e);
	spool_reader_open(&r, 0, NULL, 0, &e);
	ok(spool_reader_next(&r, &e) == SPOOL_EVENT && r.event.data_len == 9 &&
		memcmp(r.event.data, "{ \"a\": 1}", 9) == 0,
	    "line breaks in the data are left out");
	ok(spool_reader_next(&r, &e) == SPOOL_EVENT &&
		r.event.data_len == 31 << 20,
	    "a large one comes whole");
	ok(spool_reader_next(&r, &e) == SPOOL_EVENT && r.event.number == 3,
	    "and then the next");
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && s.number == 3,
	    "and the spool opens with it");
	spool_close(&s);
	spool_reader_close(&r);
	free(big);
}

/* Put a file of these bytes in the place of the first segment. */
static void
put_segment(const char *bytes, size_t len)
{
	FILE *out = fopen(in_scratch(segment_1), "w");

	if (!out)
		return;
	fwrite(bytes, 1, len, out);
	fclose(out);
}

static void
get_segment(struct buf *b)
{
	struct err e = {0};

	buf_clear(b);
	file_read(b, in_scratch(segment_1), &e);
}

/* The writer's note as if so many events were synced. */
static void
put_note(int64_t number)
{
	struct spool_note n = {number, 1, 0};
	struct err e = {0};
	int fd = open(in_scratch("home/spool/0/synced"), O_RDWR);

	spool_note_write(fd, &n, "", &e);
	close(fd);
}

/* Where the n-th line ends. */
static size_t
end_of(const struct buf *b, int n)
{
	const char *at = b->data;

	while (n--)
		at = strchr(at, '\n') + 1;
	return (size_t)(at - b->data);
}

/* Open what was cut to len bytes and patched; what must be there is. */
static bool
recovers(const struct buf *image, size_t len, size_t zeros, int64_t synced)
{
	struct spool s = {0};
	struct err e = {0};
	char *bytes = calloc(1, len + zeros + 1);
	struct buf want = {0};
	int64_t whole = 0, next;
	bool good;

	memcpy(bytes, image->data, len);
	for (size_t i = 0; i < len; i++)
		whole += bytes[i] == '\n';
	put_segment(bytes, len + zeros);
	free(bytes);
	put_note(synced);
	if (spool_open(&s, 0, &e) < 0) {
		printf("# %zu bytes, %zu zeros: %s\n", len, zeros, e.text);
		return false;
	}
	next = (whole > synced ? whole : synced) + 1;
	good = add(&s, 9, "{}") == next && spool_sync(&s, &e) == 0;
	spool_close(&s);
	for (int i = 1; i <= whole; i++)
		buf_fmt(&want, "%d ", i);
	if (whole < synced)
		buf_fmt(&want, "gap(%" PRId64 ",%" PRId64 ") ", whole + 1,
		    synced);
	buf_fmt(&want, "%" PRId64, next);
	good &= strcmp(read_all(0), buf_text(&want)) == 0;
	if (!good)
		printf("# %zu bytes, %zu zeros, %" PRId64
		       " synced: want %s, got %s\n",
		    len, zeros, synced, buf_text(&want), read_all(0));
	buf_release(&want);
	return good;
}

static void
remove_second(int64_t synced)
{
	char name[64];

	snprintf(name, sizeof(name), "home/spool/0/%012" PRId64 ".ndjson",
	    synced + 1);
	unlink(in_scratch(name));
}

static void
test_cut(void)
{
	struct buf image = {0};
	bool whole = true, zeros = true, lost = true;

	fill(4);
	get_segment(&image);
	for (size_t len = end_of(&image, 2); len <= image.len; len++) {
		whole &= recovers(&image, len, 0, 2);
		zeros &= recovers(&image, len, 1 + len % 40, 2);
	}
	ok(whole, "cut at every byte after what was synced, it goes on");
	ok(zeros, "and if zeros follow, as after a loss of power");
	for (size_t len = 0; len < image.len; len += 7) {
		lost &= recovers(&image, len, len % 3, 4);
		remove_second(4);
	}
	ok(lost, "what a disk that lied has lost is a gap; "
		 "its numbers are not used again");
	buf_release(&image);
}

static void
test_damage(void)
{
	struct buf image = {0}, after = {0};
	struct spool s = {0};
	struct err e = {0};
	size_t at;

	fill(5);
	get_segment(&image);
	at = end_of(&image, 2) + 3;
	image.data[at] = '#';
	put_segment(image.data, image.len);
	ok(spool_open(&s, 0, &e) < 0 && e.kind == ERR_CONFIG &&
		strstr(e.text, "event 3 at byte") &&
		strstr(e.text, "move the file away"),
	    "a damaged event in the middle is an error");
	get_segment(&after);
	ok(after.len == image.len &&
		memcmp(after.data, image.data, image.len) == 0,
	    "that changes nothing");
	same(read_all(0), "1 2 config", "readers stop there, too");
	put_note(2);
	ok(spool_open(&s, 0, &e) == 0 && s.number == 2 && s.cut > 0,
	    "but a hole in what was not synced is cut off");
	spool_close(&s);
	fill(5);
	rename(in_scratch(segment_1), in_scratch("away"));
	ok(spool_open(&s, 0, &e) == 0 && s.number == 5 && add(&s, 1, "{}") == 6,
	    "without the file, numbers go on");
	spool_sync(&s, &e);
	spool_close(&s);
	same(read_all(2), "gap(3,5) 6", "and a reader is told of the gap");
	buf_release(&image);
	buf_release(&after);
}

static int
segments(void)
{
	char dir[PATH_MAX];
	struct err e = {0};
	int64_t *firsts;
	int n;

	spool_folder(dir, 0, &e);
	n = spool_segments(&firsts, dir, &e);
	free(firsts);
	return n;
}

static void
add_many(struct spool *s, int count)
{
	struct err e = {0};

	for (int i = 0; i < count; i++)
		add(s, 1, "{\"a\":\"0123456789012345678901234567890123456\"}");
	spool_sync(s, &e);
}

static void
test_trim(void)
{
	struct spool s = {.segment_bytes = SMALL};
	struct spool_reader a = {0}, b = {0};
	struct err e = {0};

	clean();
	spool_open(&s, 0, &e);
	add_many(&s, 14);
	ok(segments() == 3, "a segment is closed when it is full");
	same(read_all(0), "1 2 3 4 5 6 7 8 9 10 11 12 13 14",
	    "a reader goes from one to the next");
	same(read_all(6), "7 8 9 10 11 12 13 14", "and begins in any of them");
	spool_reader_open(&a, 0, "a", 0, &e);
	spool_reader_open(&b, 0, "b", 0, &e);
	spool_reader_next(&b, &e);
	spool_reader_passed(&a, 14, &e);
	spool_reader_passed(&b, 6, &e);
	spool_trim(&s, &e);
	ok(segments() == 2, "what all have passed goes, no more");
	same(drain(&b), "2 3 4 5 6 7 8 9 10 11 12 13 14",
	    "a reader that has it open reads on");
	spool_reader_passed(&b, 14, &e);
	spool_trim(&s, &e);
	ok(segments() == 1, "the last one stays");
	put_clock(2 * 3600 * 1000);
	spool_reader_passed(&b, 13, &e);
	spool_trim(&s, &e);
	ok(segments() == 1 && s.bytes > 0, "as long as it is wanted");
	spool_reader_passed(&b, 14, &e);
	spool_trim(&s, &e);
	ok(segments() == 1 && s.bytes == 0, "or until it is old");
	put_clock(0);
	same(read_all(14), "", "nothing is left to read");
	same(read_all(3), "gap(4,14)", "a reader that comes late is told");
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && add(&s, 1, "{}") == 15,
	    "numbers go on all the same");
	spool_sync(&s, &e);
	same(drain(&a), "gap(1,14) 15",
	    "a reader that had nothing open is told of all that is gone");
	spool_reader_close(&a);
	spool_reader_close(&b);
	spool_close(&s);
}

static void
test_max(void)
{
	struct spool s = {.segment_bytes = SMALL, .max_bytes = 3 * SMALL};
	struct spool_reader r = {0};
	struct err e = {0};
	char path[PATH_MAX];
	struct stat st;
	int64_t bytes = 0, *firsts;
	int n;

	clean();
	spool_open(&s, 0, &e);
	spool_reader_open(&r, 0, "slow", 0, &e);
	add_many(&s, 60);
	n = spool_segments(&firsts, s.dir, &e);
	for (int i = 0; i < n; i++)
		if (spool_segment_file(path, s.dir, firsts[i], &e) == 0 &&
		    stat(path, &st) == 0)
			bytes += st.st_size;
	ok(bytes <= 3 * SMALL && n == 3, "there is never more than spool.max");
	ok(spool_reader_next(&r, &e) == SPOOL_GAP && r.gap_from == 1 &&
		r.gap_to == firsts[0] - 1 && r.position == r.gap_to,
	    "who is too slow is told what it missed");
	ok(spool_reader_next(&r, &e) == SPOOL_EVENT &&
		r.event.number == firsts[0],
	    "and goes on with what there is");
	free(firsts);
	spool_reader_close(&r);
	spool_close(&s);
}

static void
test_session(void)
{
	struct spool s = {0};
	struct err e = {0};

	clean();
	spool_open(&s, 0, &e);
	spool_append(&s, "READY", 1, "{}", 2, &e);
	spool_session(&s, "abc", "wss://resume.example");
	spool_sync(&s, &e);
	add(&s, 2, "{}");
	add(&s, 3, "{}");
	spool_sync(&s, &e);
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && s.session &&
		strcmp(s.session, "abc") == 0 &&
		strcmp(s.url, "wss://resume.example") == 0 && s.sequence == 3,
	    "a session is resumed after the last event that is there");
	spool_append(&s, "READY", 1, "{}", 2, &e);
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && !s.session && s.sequence == 1,
	    "but not when another one had begun");
	spool_session(&s, "def", "wss://resume.example");
	spool_sync(&s, &e);
	add(&s, 2, "{}");
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && s.session &&
		strcmp(s.session, "def") == 0 && s.sequence == 2,
	    "that one is, once it is saved");
	spool_session(&s, NULL, NULL);
	spool_sync(&s, &e);
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && !s.session,
	    "one that was given up is not");
	spool_close(&s);
}

static void
test_session_segments(void)
{
	struct spool s = {.segment_bytes = SMALL};
	struct spool_reader r = {0};
	struct err e = {0};

	clean();
	spool_open(&s, 0, &e);
	spool_append(&s, "READY", 1, "{}", 2, &e);
	spool_session(&s, "abc", "wss://resume.example");
	for (int i = 2; i <= 40; i++)
		add(&s, i, "{\"a\":\"0123456789012345678901234567890123\"}");
	spool_sync(&s, &e);
	spool_close(&s);
	ok(segments() > 3 && spool_open(&s, 0, &e) == 0 && s.session &&
		s.sequence == 40,
	    "also when it goes over segments");
	put_clock(2 * 3600 * 1000);
	spool_reader_open(&r, 0, "a", 0, &e);
	spool_reader_passed(&r, s.number, &e);
	spool_trim(&s, &e);
	put_clock(0);
	ok(s.bytes == 0, "all of it was read and is let go");
	spool_reader_close(&r);
	spool_close(&s);
	ok(spool_open(&s, 0, &e) == 0 && s.session && s.sequence == 40,
	    "and if the last one is empty");
	spool_close(&s);
}

/* With no room for more than so many bytes in a file. */
static void
limit_files(rlim_t bytes)
{
	struct rlimit l;

	getrlimit(RLIMIT_FSIZE, &l);
	l.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &l);
}

static void
test_full(void)
{
	struct spool s = {0};
	struct err e = {0};
	struct buf before = {0}, after = {0};
	bool good = true;

	signal(SIGXFSZ, SIG_IGN);
	fill(3);
	spool_open(&s, 0, &e);
	get_segment(&before);
	for (rlim_t more = 0; more < 110; more++) {
		limit_files(before.len + more);
		good &= spool_append(&s, "X", 9, "{\"abcdefghi\":1}", 15, &e) <
			0;
		limit_files(RLIM_INFINITY);
		get_segment(&after);
		good &= after.len == before.len && s.number == 3 &&
			s.sequence == 103;
	}
	ok(good, "with no room at any byte, no half line stays");
	ok(add(&s, 104, "{}") == 4 && spool_sync(&s, &e) == 0,
	    "with room again it goes on");
	spool_close(&s);
	same(read_all(0), "1 2 3 4", "and nothing is missing");
	buf_release(&before);
	buf_release(&after);
}

static void
test_other_spool(void)
{
	struct spool s = {0};
	struct spool_reader r = {0};
	struct err e = {0};

	fill(3);
	ok(spool_reader_open(&r, 0, "index", 20, &e) == 0,
	    "a position may be of a spool that is gone");
	same(drain(&r), "gap(21,0) 1 2 3",
	    "then nothing of the new is skipped");
	ok(r.position == 3, "and the position is of the new one");
	spool_reader_close(&r);
	ok(spool_reader_open(&r, 0, "index", 3, &e) == 0, "from then on");
	same(drain(&r), "", "it is known");
	spool_reader_close(&r);
	ok(spool_reader_open(&r, 0, "other", 2, &e) == 0,
	    "a reader whose file is gone, too, is of another spool");
	same(drain(&r), "gap(3,0) 1 2 3", "even if the number might fit");
	spool_reader_close(&r);

	clean();
	spool_reader_open(&r, 0, "index", 20, &e);
	spool_open(&s, 0, &e);
	ok(add(&s, 1, "{}") == 21,
	    "a new spool begins after the readers that wait for it");
	spool_sync(&s, &e);
	same(drain(&r), "21", "so that they miss nothing");
	spool_reader_close(&r);
	spool_close(&s);
}

static void
test_note(void)
{
	struct spool_reader r = {0};
	struct spool s = {0};
	struct err e = {0};
	char path[PATH_MAX];

	fill(4);
	snprintf(path, sizeof(path), "%s", in_scratch("home/spool/0/synced"));
	if (truncate(path, 40) < 0)
		perror(path);
	same(read_all(0), "", "with half a note, nothing is certain");
	spool_reader_open(&r, 0, "index", 0, &e);
	spool_reader_close(&r);
	spool_reader_open(&r, 0, "index", 4, &e);
	same(drain(&r), "", "a reader waits");
	spool_open(&s, 0, &e);
	add(&s, 1, "{}");
	spool_sync(&s, &e);
	same(drain(&r), "5", "until the writer comes, and misses nothing");
	clean();
	ok(spool_reader_next(&r, &e) < 0 && e.kind == ERR_AGAIN,
	    "a folder taken away is noticed by a reader");
	e = (struct err){0};
	ok(spool_trim(&s, &e) < 0 && e.kind == ERR_IO, "and by the writer");
	spool_reader_close(&r);
	spool_close(&s);
}

static void
test_noted(void)
{
	struct spool_reader r = {0};
	struct err e = {0};

	fill(4);
	spool_reader_open(&r, 0, "script", SPOOL_NOTED, &e);
	same(drain(&r), "1 2 3 4", "without a database, from the start");
	spool_reader_passed(&r, 3, &e);
	spool_reader_close(&r);
	spool_reader_open(&r, 0, "script", SPOOL_NOTED, &e);
	same(drain(&r), "4", "then from where it was");
	spool_reader_close(&r);
}

int
main(void)
{
	scratch_open();
	test_synced();
	test_reopen();
	test_data();
	test_cut();
	test_damage();
	test_trim();
	test_max();
	test_session();
	test_session_segments();
	test_full();
	test_other_spool();
	test_note();
	test_noted();
	scratch_close();
	return tap_done();
}
