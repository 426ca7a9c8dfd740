/* What a container gives back: the good is taken, the hostile spoils it all. */
#include "workspace/harvest.h"

#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/frame.h"
#include "core/mem.h"
#include "core/path.h"
#include "guest/guest.h"
#include "tap.h"

struct play {
	struct bundle before;
	struct harvest h;
	struct err e;
};

static struct play *
begin(void)
{
	struct play *p = mem_new(sizeof(*p));
	struct bundle_file *f;

	f = bundle_add(&p->before, "a.txt", 5, 1, &p->e);
	buf_add(&f->bytes, "1", 1);
	f = bundle_add(&p->before, "d/b.txt", 7, 1, &p->e);
	buf_add(&f->bytes, "2", 1);
	p->h.before = &p->before;
	return p;
}

static void
end(struct play *p)
{
	harvest_release(&p->h);
	harvest_release(&p->h);
	bundle_release(&p->before);
	free(p);
}

static int
give(struct play *p, unsigned char kind, const char *bytes, size_t len)
{
	const struct frame x = {.kind = kind, .data = bytes, .len = len};

	return harvest_take(&p->h, &x, &p->e);
}

static int
file(struct play *p, char what, const char *path, size_t len, uint64_t size)
{
	struct buf b = {0};
	int result;

	frame_add_number(&b, size, 8);
	buf_char(&b, what);
	buf_add(&b, path, len);
	result = give(p, GUEST_FILE, b.data, b.len);
	buf_release(&b);
	return result;
}

static void
test_good(void)
{
	struct play *p = begin();

	file(p, 'f', "new", 3, 4);
	give(p, GUEST_DATA, "ab", 2);
	give(p, GUEST_DATA, "cd", 2);
	file(p, 'f', "empty", 5, 0);
	give(p, GUEST_KEPT, "d/b.txt", 7);
	ok(harvest_end(&p->h, &p->e) == 0, "what is good is taken");
	ok(p->h.changed.count == 2, "with as many files as there were");
	same(buf_text(&p->h.changed.files[0].bytes), "abcd", "and their bytes");
	ok(harvest_gone(&p->h, 0), "a file not named is gone");
	ok(!harvest_gone(&p->h, 1), "one that is as it was is not");
	end(p);
	p = begin();
	file(p, 'f', "a.txt", 5, 0);
	ok(harvest_end(&p->h, &p->e) == 0 && !harvest_gone(&p->h, 0),
	    "nor is one that was changed");
	end(p);
}

/* A path that won't do. */
static void
refuses(const char *path, size_t len, const char *name)
{
	struct play *p = begin();
	const bool no = file(p, 'f', path, len, 0) < 0;

	ok(no && p->e.kind == ERR_REFUSED && harvest_end(&p->h, &p->e) < 0 &&
		give(p, GUEST_KEPT, "a.txt", 5) < 0,
	    name);
	end(p);
}

static void
test_paths(void)
{
	static const struct {
		const char *path, *name;
	} bad[] = {
	    {"", "no path"},
	    {"/etc/passwd", "an absolute path"},
	    {"../x", "a path that leads out"},
	    {"x/../../y", "one that leads out later"},
	    {"x/..", "one that ends in .."},
	    {"./x", "one with a dot"},
	    {"x//y", "one with an empty part"},
	    {"x/", "one that ends in a slash"},
	    {"x\ny", "one with a line break"},
	    {"x\033[2J", "one with a control character"},
	    {"x\xc2\x9b", "one with a control character of C1"},
	    {"x\xff", "one that is not UTF-8"},
	    {"x\xc0\xaf", "one with an overlong form"},
	    {"x\xed\xa0\x80", "one with a surrogate"},
	    {"NUL", "a device of Windows"},
	    {"x/com1.txt", "another one, in a folder"},
	};
	char text[PATH_BYTES_MOST + 2];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(bad[i].path, strlen(bad[i].path), bad[i].name);
	refuses("x\0y", 3, "one with a NUL byte");
	memset(text, 'x', sizeof(text));
	refuses(text, 256, "a part of 256 bytes");
	for (size_t i = 100; i < sizeof(text); i += 100)
		text[i] = '/';
	refuses(text, sizeof(text) - 1, "a path of 1025 bytes");
	for (size_t i = 0; i < 66; i++)
		text[i] = i % 2 ? '/' : 'x';
	refuses(text, 65, "33 folders in each other");
}

static void
test_kinds(void)
{
	static const char kinds[] = "ldx?";
	struct play *p;

	for (const char *k = kinds; *k; k++) {
		p = begin();
		ok(file(p, *k, "x", 1, 0) < 0 && p->e.kind == ERR_REFUSED,
		    "a link, a folder, a device and what has no name");
		end(p);
	}
	p = begin();
	ok(give(p, GUEST_OVER, NULL, 0) < 0, "more than goes at once");
	end(p);
	p = begin();
	ok(give(p, GUEST_OUT, "x", 1) < 0, "a frame of another kind");
	end(p);
	p = begin();
	ok(give(p, GUEST_FILE, "\0\0\0\0", 4) < 0, "a file cut short");
	end(p);
}

static void
test_twice(void)
{
	struct play *p = begin();

	file(p, 'f', "x", 1, 0);
	ok(file(p, 'f', "x", 1, 0) < 0, "a file that is there twice");
	end(p);
	p = begin();
	give(p, GUEST_KEPT, "a.txt", 5);
	ok(file(p, 'f', "a.txt", 5, 0) < 0, "as it was, and changed");
	end(p);
	p = begin();
	file(p, 'f', "a.txt", 5, 0);
	ok(give(p, GUEST_KEPT, "a.txt", 5) < 0, "changed, and as it was");
	end(p);
	p = begin();
	give(p, GUEST_KEPT, "a.txt", 5);
	ok(give(p, GUEST_KEPT, "a.txt", 5) < 0, "as it was, twice");
	end(p);
	p = begin();
	ok(give(p, GUEST_KEPT, "zzz", 3) < 0, "as it was, but never there");
	end(p);
	p = begin();
	file(p, 'f', "x", 1, 0);
	ok(file(p, 'f', "x/y", 3, 0) < 0, "a path through a file");
	end(p);
	p = begin();
	file(p, 'f', "d", 1, 0);
	ok(give(p, GUEST_KEPT, "d/b.txt", 7) < 0,
	    "a file where the folder of another is");
	end(p);
}

static void
test_sizes(void)
{
	struct play *p = begin();

	ok(give(p, GUEST_DATA, "x", 1) < 0, "bytes of no file");
	end(p);
	p = begin();
	file(p, 'f', "x", 1, 2);
	ok(give(p, GUEST_DATA, "xyz", 3) < 0, "more bytes than was said");
	end(p);
	p = begin();
	file(p, 'f', "x", 1, 2);
	give(p, GUEST_DATA, "x", 1);
	ok(file(p, 'f', "y", 1, 0) < 0, "fewer, and another file");
	end(p);
	p = begin();
	file(p, 'f', "x", 1, 2);
	ok(harvest_end(&p->h, &p->e) < 0, "fewer, and the end");
	end(p);
	p = begin();
	ok(file(p, 'f', "x", 1, BUNDLE_BYTES_MOST + 1) < 0, "20 MiB + 1");
	end(p);
	p = begin();
	ok(file(p, 'f', "x", 1, UINT64_MAX) < 0, "a size beyond all numbers");
	end(p);
}

static void
test_many(void)
{
	struct play *p = begin();
	char path[16];
	int taken = 0;

	for (int i = 0; i < 101; i++) {
		snprintf(path, sizeof(path), "f%d", i);
		taken += file(p, 'f', path, strlen(path), 0) == 0;
	}
	ok(taken == 100 && harvest_end(&p->h, &p->e) < 0,
	    "the 101st file spoils all");
	end(p);
}

int
main(void)
{
	test_good();
	test_paths();
	test_kinds();
	test_twice();
	test_sizes();
	test_many();
	return tap_done();
}
