#define _GNU_SOURCE /* CLOCK_BOOTTIME, timegm */
#include "core/clock.h"

#include <ctype.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEST_WAIT_CAP_MS = 20 };

#ifdef SOPHIA_TEST_CLOCK
static int64_t
test_offset(void)
{
	const char *path = getenv("SOPHIA_CLOCK");
	FILE *in = path ? fopen(path, "re") : NULL;
	char text[32] = "";

	if (!in)
		return 0;
	if (!fgets(text, sizeof(text), in))
		text[0] = '\0';
	fclose(in);
	return strtoll(text, NULL, 10);
}
#else
static int64_t
test_offset(void)
{
	return 0;
}
#endif

static int64_t
read_clock(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + test_offset();
}

int64_t
clock_now_ms(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t
clock_boot_ms(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

static int
cap(int64_t wait_ms)
{
#ifdef SOPHIA_TEST_CLOCK
	if (wait_ms > TEST_WAIT_CAP_MS && getenv("SOPHIA_CLOCK"))
		return TEST_WAIT_CAP_MS;
#endif
	return wait_ms > INT_MAX ? INT_MAX : (int)wait_ms;
}

int
clock_left_ms(int64_t deadline_ms)
{
	int64_t left = deadline_ms - clock_boot_ms();

	return left < 0 ? 0 : cap(left);
}

void
clock_sleep_ms(int wait_ms)
{
	poll(NULL, 0, cap(wait_ms));
}

/* Time of day from ms; the month arithmetic is libc's. */
/* Write n in `width` digits, and what comes after them. */
static char *
put_digits(char *to, int n, int width, char after)
{
	for (int i = width - 1; i >= 0; i--, n /= 10)
		to[i] = (char)('0' + n % 10);
	to[width] = after;
	return to + width + 1;
}

/* By hand: printf and strftime were a tenth of what an event costs. */
void
clock_text(char out[CLOCK_TEXT], int64_t at_ms)
{
	int64_t ms = ((at_ms % 1000) + 1000) % 1000;
	time_t at = (time_t)((at_ms - ms) / 1000);
	struct tm tm;

	if (!gmtime_r(&at, &tm) || tm.tm_year < -1900 || tm.tm_year > 8099) {
		snprintf(out, CLOCK_TEXT, "0000-00-00T00:00:00.000Z");
		return;
	}
	out = put_digits(out, tm.tm_year + 1900, 4, '-');
	out = put_digits(out, tm.tm_mon + 1, 2, '-');
	out = put_digits(out, tm.tm_mday, 2, 'T');
	out = put_digits(out, tm.tm_hour, 2, ':');
	out = put_digits(out, tm.tm_min, 2, ':');
	out = put_digits(out, tm.tm_sec, 2, '.');
	*put_digits(out, (int)ms, 3, 'Z') = '\0';
}

/* Exactly `width` digits at *p, moving it past them; -1 if they aren't. */
static int
digits(const char **p, int width)
{
	int n = 0;

	for (int i = 0; i < width; i++) {
		if (!isdigit((unsigned char)**p))
			return -1;
		n = n * 10 + (*(*p)++ - '0');
	}
	return n;
}

/* "+02:00", "-0330", "Z" or nothing; 0 and *minutes, or -1. */
static int
zone(const char **p, int *minutes)
{
	int sign, h, m;

	*minutes = 0;
	if (!**p)
		return 0;
	if (**p == 'Z' || **p == 'z') {
		++*p;
		return 0;
	}
	if (**p != '+' && **p != '-')
		return -1;
	sign = *(*p)++ == '-' ? -1 : 1;
	h = digits(p, 2);
	if (**p == ':')
		++*p;
	m = digits(p, 2);
	if (h < 0 || m < 0 || h > 23 || m > 59)
		return -1;
	*minutes = sign * (h * 60 + m);
	return 0;
}

/* The part after the date: 0, or -1. */
static int
time_of_day(const char **p, struct tm *tm, int *ms)
{
	tm->tm_hour = digits(p, 2);
	if (*(*p)++ != ':')
		return -1;
	tm->tm_min = digits(p, 2);
	if (**p == ':') {
		++*p;
		tm->tm_sec = digits(p, 2);
	}
	if (**p == '.') {
		int scale = 100;

		for (++*p; isdigit((unsigned char)**p); ++*p, scale /= 10)
			*ms += (**p - '0') * scale;
	}
	if (tm->tm_hour < 0 || tm->tm_hour > 23 || tm->tm_min < 0)
		return -1;
	return tm->tm_min > 59 || tm->tm_sec < 0 || tm->tm_sec > 60 ? -1 : 0;
}

static int
days_in(int year, int month)
{
	static const signed char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30,
	    31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

int
clock_parse(int64_t *at_ms, const char *text)
{
	struct tm tm = {0};
	const char *p = text;
	int ms = 0, minutes = 0, year, month;

	year = digits(&p, 4);
	if (year < 0 || *p++ != '-')
		return -1;
	month = digits(&p, 2);
	if (month < 1 || month > 12 || *p++ != '-')
		return -1;
	tm.tm_mday = digits(&p, 2);
	if (tm.tm_mday < 1 || tm.tm_mday > days_in(year, month))
		return -1;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	if (*p == 'T' || *p == ' ') {
		p++;
		if (time_of_day(&p, &tm, &ms) < 0 || zone(&p, &minutes) < 0)
			return -1;
	}
	if (*p)
		return -1;
	*at_ms = ((int64_t)timegm(&tm) - (int64_t)minutes * 60) * 1000 + ms;
	return 0;
}
