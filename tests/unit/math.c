#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "tap.h"
#include "tool/math.h"

static const char *
value(const char *text)
{
	static struct buf out;
	struct err e = {0};
	bool exact = true;

	buf_clear(&out);
	if (math_evaluate(&out, &exact, text, strlen(text), &e) < 0)
		buf_fmt(&out, "! %s", e.text);
	else if (!exact)
		buf_str(&out, "...");
	return buf_text(&out);
}

static void
test_values(void)
{
	static const char *const cases[][2] = {
	    {"1 + 2 * 3", "7"},
	    {"0.1 + 0.2", "0.3"},
	    {"(1.1 + 2.2) * 3", "9.9"},
	    {"1 / 8", "0.125"},
	    {"-1/8", "-0.125"},
	    {"2 ^ 3 ^ 2", "512"},
	    {"-2 ^ 2", "-4"},
	    {"2 ^ -2", "0.25"},
	    {"0 ^ 0", "1"},
	    {"7 % 3", "1"},
	    {"-7 % 3", "2"},
	    {"7 % -3", "-2"},
	    {"5.5 % 2", "1.5"},
	    {"15% of 80", "12"},
	    {"10 + 15 % of 80 * 2", "34"},
	    {"15%of 80", "12"},
	    {"1.5e3", "1500"},
	    {"2e-3", "0.002"},
	    {".5 + 1.", "1.5"},
	    {"--3", "3"},
	    {"+3 - -3", "6"},
	    {"abs(-2.5)", "2.5"},
	    {"round(2.5)", "3"},
	    {"round(-2.5)", "-3"},
	    {"round(2.345, 2)", "2.35"},
	    {"round(1234, -2)", "1200"},
	    {"floor(-1.5)", "-2"},
	    {"ceil(-1.5)", "-1"},
	    {"min(3, 1, 2)", "1"},
	    {"max(3, 7 - 2, 2)", "5"},
	    {"sum(12.5, 7, 0.25)", "19.75"},
	    {"99999999999999999999 + 1", "100000000000000000000"},
	    {"1/3", "0.33333333333333333333333333333333333333333333333333..."},
	    {"-2/3",
		"-0.66666666666666666666666666666666666666666666666667..."},
	    {"200/3", "66.666666666666666666666666666666666666666666666667..."},
	    {"1/3000",
		"0.00033333333333333333333333333333333333333333333333333..."},
	    {"10^60/3",
		"333333333333333333333333333333333333333333333333333333333333."
		".."},
	    {"1/3*3", "1"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		same(value(cases[i][0]), cases[i][1], cases[i][0]);
}

static void
test_refusals(void)
{
	same(value(""), "! at byte 1: something is missing at the end",
	    "nothing has no value");
	same(value("1 +"), "! at byte 4: something is missing at the end",
	    "half a sum");
	same(value("1 2"), "! at byte 3: an operator is expected",
	    "two numbers");
	same(value("(1"), "! at byte 3: ')' is expected", "an open bracket");
	same(value("1/0"), "! division by zero", "division by zero");
	same(value("5 % 0"), "! division by zero", "and the rest of it");
	same(value("0^-1"), "! division by zero", "and a power of zero");
	same(value("2^0.5"), "! an exponent must be a whole number",
	    "a root has no exact value");
	same(value("9^9^9"), "! this exponent is too big",
	    "a huge exponent is refused");
	same(value("99^30000"), "! this number is too long to calculate",
	    "a huge power is refused before it is tried");
	same(value("1e9999"),
	    "! at byte 1: this is no number, or too long a "
	    "one",
	    "so is a huge number");
	same(value("1.2.3"),
	    "! at byte 1: this is no number, or too long a "
	    "one",
	    "two points");
	same(value("pi * 2"),
	    "! at byte 1: a number, '(' or one of abs, round, floor, ceil, "
	    "min, max, sum is expected",
	    "there is no pi");
	same(value("abs(1, 2)"),
	    "! at byte 7: this function takes fewer values",
	    "a value too many");
	same(value("round(1, 0.5)"),
	    "! round takes a whole number of places up to 1000",
	    "places are whole");
	same(value("10%"), "! at byte 4: something is missing at the end",
	    "a percentage is of something");
}

static void
test_limits(void)
{
	static char text[MATH_LONGEST + 2];
	int n = MATH_DEPTH + 1;

	memset(text, '(', (size_t)n);
	memset(text + n, ')', (size_t)n);
	same(value(text), "! at byte 65: this is nested too deeply",
	    "65 brackets are too many");
	memset(text, '-', sizeof(text) - 1);
	same(value(text), "! the expression is longer than 4096 bytes",
	    "so are 4097 bytes");
}

/* Any part of an expression is calculated or refused, never worse. */
static void
test_cut(void)
{
	static const char text[] = "15% of (2^10) + round(-1.5e2 / 7, 2)";
	int good = 0;

	for (size_t n = 0; n <= strlen(text); n++) {
		char *copy = malloc(n + 1);
		struct buf out = {0};
		struct err e = {0};
		bool exact;

		memcpy(copy, text, n);
		good += math_evaluate(&out, &exact, copy, n, &e) == 0;
		buf_release(&out);
		free(copy);
	}
	ok(good > 1, "cut at every byte, it is read or refused");
}

int
main(void)
{
	test_values();
	test_refusals();
	test_limits();
	test_cut();
	return tap_done();
}
