#include "store/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/home.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/setting.h"
#include "store/settings.h"

static bool
is_list(const struct setting *k)
{
	return k->kind == SETTING_IDS || k->kind == SETTING_ITEMS;
}

/* A list that has an item as often as another one: how often is that? */
static size_t
times(const struct json *list, const char *item)
{
	struct buf text = {0};
	size_t n = 0;

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		buf_clear(&text);
		jsonw_value(&text, NULL, v);
		n += strcmp(buf_text(&text), item) == 0;
	}
	buf_release(&text);
	return n;
}

/* What a has and b hasn't, as an array; nothing if that is empty. */
static void
write_lack(struct buf *out, const char *key, const struct json *a,
    const struct json *b)
{
	struct buf text = {0};
	bool open = false;

	for (const struct json *v = json_first(a); v; v = json_next(v)) {
		buf_clear(&text);
		jsonw_value(&text, NULL, v);
		if (times(b, buf_text(&text)) >= times(a, buf_text(&text)))
			continue;
		if (!open)
			jsonw_array(out, key);
		open = true;
		jsonw_value(out, NULL, v);
	}
	if (open)
		jsonw_end_array(out);
	buf_release(&text);
}

static void
write_lists(struct buf *b, const struct setting *k, const char *before,
    const char *after)
{
	struct json *old = NULL, *new = NULL;
	struct buf x = {0}, y = {0};
	struct err none = {0};

	setting_write(&x, NULL, k, before);
	setting_write(&y, NULL, k, after);
	if (json_read(&old, buf_text(&x), x.len, &none) == 0 &&
	    json_read(&new, buf_text(&y), y.len, &none) == 0) {
		write_lack(b, "removed", old, new);
		write_lack(b, "added", new, old);
	}
	json_free(old);
	json_free(new);
	buf_release(&x);
	buf_release(&y);
}

static void
write_one(struct buf *b, const struct setting *k, const char *before,
    const char *after, const char *by, int64_t at_ms)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "audit");
	jsonw_time(b, "at", at_ms);
	jsonw_str(b, "by", by);
	jsonw_str(b, "name", k->name);
	if (is_list(k)) {
		write_lists(b, k, before, after);
	} else {
		jsonw_str(b, "before", before);
		jsonw_str(b, "after", after);
	}
	jsonw_line(b);
}

void
audit_write(struct buf *b, const struct settings *before,
    const struct settings *after, const char *by, int64_t at_ms)
{
	const struct setting *k;
	struct buf x = {0}, y = {0};

	for (int i = 0; (k = settings_known(i)) != NULL; i++) {
		buf_clear(&x);
		buf_clear(&y);
		settings_value(&x, before, k);
		settings_value(&y, after, k);
		if (strcmp(buf_text(&x), buf_text(&y)) != 0)
			write_one(b, k, buf_text(&x), buf_text(&y), by, at_ms);
	}
	buf_release(&x);
	buf_release(&y);
}

static int
fail(const char *what, struct err *e)
{
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s audit.ndjson",
	    what);
}

/*
 * Cut off what a crash left of a line. Its change was not made: a line is
 * whole on the disk before.
 */
static int
mend(int fd, off_t *end, struct err *e)
{
	char c = '\n';

	*end = lseek(fd, 0, SEEK_END);
	for (; *end > 0; --*end) {
		if (pread(fd, &c, 1, *end - 1) != 1)
			return fail("reading", e);
		if (c == '\n')
			break;
	}
	return *end < 0 || ftruncate(fd, *end) < 0 ? fail("mending", e) : 0;
}

static int
append(int fd, const char *lines, struct err *e)
{
	size_t len = strlen(lines);
	ssize_t n;

	while (len > 0) {
		n = write(fd, lines, len);
		if (n < 0 && errno != EINTR)
			return fail("writing", e);
		if (n > 0) {
			lines += n;
			len -= (size_t)n;
		}
	}
	CRASH_POINT("audit.sync");
	if (fdatasync(fd) < 0)
		return fail("writing", e);
	CRASH_POINT("audit.sync.done");
	return 0;
}

int
audit_add(const char *lines, int64_t *old, struct err *e)
{
	char path[PATH_MAX];
	off_t end = 0;
	int fd, rc;

	if (home_path(path, "audit.ndjson", e) < 0)
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
	    0600);
	if (fd < 0)
		return fail("opening", e);
	rc = mend(fd, &end, e);
	if (rc == 0 && append(fd, lines, e) < 0) {
		rc = -1;
		if (ftruncate(fd, end) < 0)
			err_in(e, "a part of it stays");
	}
	close(fd);
	*old = end;
	return rc;
}

void
audit_take_back(int64_t old)
{
	char path[PATH_MAX];
	struct err none = {0};

	if (home_path(path, "audit.ndjson", &none) < 0 ||
	    truncate(path, old) < 0)
		return; /* a line too many is what may happen, see above */
}

int
audit_open(FILE **f, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, "audit.ndjson", e) < 0)
		return -1;
	*f = fopen(path, "re");
	if (*f)
		return 1;
	return errno == ENOENT ? 0 : fail("opening", e);
}

static void
tell_list(struct buf *b, char sign, const struct json *list)
{
	struct buf text = {0};

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		buf_clear(&text);
		jsonw_value(&text, NULL, v);
		buf_fmt(b, " %c%s", sign, buf_text(&text));
	}
	buf_release(&text);
}

int
audit_tell(struct buf *b, const char *line, size_t len, struct err *e)
{
	struct json *v = NULL;
	const char *at, *by, *name;

	if (json_object(&v, line, len, e) < 0)
		return -1;
	at = json_string(v, "at");
	by = json_string(v, "by");
	name = json_string(v, "name");
	buf_fmt(b, "%s %s %s", at ? at : "?", by ? by : "?", name ? name : "?");
	if (json_string(v, "after"))
		buf_fmt(b, " '%s' -> '%s'", json_string(v, "before"),
		    json_string(v, "after"));
	tell_list(b, '-', json_get(v, "removed"));
	tell_list(b, '+', json_get(v, "added"));
	buf_char(b, '\n');
	json_free(v);
	return 0;
}
