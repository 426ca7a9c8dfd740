#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/utf8.h"

enum { EVERY_MS = 100, NAME_MOST = 40 };

void
progress_start(struct progress_bar *p)
{
	p->on = isatty(STDERR_FILENO);
	p->start_ms = clock_boot_ms();
	p->shown_ms = 0;
}

void
progress_end(struct progress_bar *p)
{
	if (p->on && p->shown_ms)
		fputs("\r\033[K", stderr);
	p->shown_ms = 0;
}

void
progress_number(char out[PROGRESS_NUMBER], int64_t n)
{
	char digits[24];
	size_t len, at = 0;

	snprintf(digits, sizeof(digits), "%" PRId64, n < 0 ? -n : n);
	len = strlen(digits);
	if (n < 0)
		out[at++] = '-';
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
}

/* The end of a path, at most NAME_MOST bytes, no control characters. */
static void
put_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char shown[NAME_MOST + 1];

	utf8_tame(shown, sizeof(shown), slash && slash[1] ? slash + 1 : path);
	fputs(shown, stderr);
}

static void
put_left(int64_t ms, int64_t done, int64_t total)
{
	int64_t s;

	if (done <= 0 || done > total)
		return;
	s = ms * (total - done) / done / 1000;
	fprintf(stderr, "  %" PRId64 ":%02" PRId64 " left", s / 60, s % 60);
}

void
progress_show(struct progress_bar *p, const char *name, int64_t n, int64_t done,
    int64_t total)
{
	const int64_t now = clock_boot_ms(), ms = now - p->start_ms;
	char count[PROGRESS_NUMBER], rate[PROGRESS_NUMBER];

	if (!p->on || now - p->shown_ms < EVERY_MS)
		return;
	p->shown_ms = now;
	progress_number(count, n);
	progress_number(rate, ms ? n * 1000 / ms : 0);
	fputs("\r\033[K", stderr);
	put_name(name);
	if (total > 0)
		fprintf(stderr, "  %d%%", (int)(done * 100 / total));
	fprintf(stderr, "  %s messages  %s/s", count, rate);
	if (total > 0)
		put_left(ms, done, total);
	fflush(stderr);
}
