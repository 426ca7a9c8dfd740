#include "tool/math.h"

#include <ctype.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/num.h"

struct math {
	const char *start, *at, *end;
	int depth;
	struct err *e;
};

/* What a function does with its values, one by one. */
typedef int fold_fn(struct num *n, const struct num *value, struct err *e);

/* Take the operator that comes next: what it does, or NULL if there is none. */
typedef fold_fn *take_fn(struct math *m);

static int parse_sum(struct math *m, struct num *n);

static int
fail(struct math *m, const char *what)
{
	return err_set(m->e, ERR_INPUT, "at byte %zu: %s",
	    (size_t)(m->at - m->start) + 1, what);
}

static void
skip_space(struct math *m)
{
	while (m->at < m->end && strchr(" \t\r\n", *m->at))
		m->at++;
}

/* Take the word if it comes next. */
static bool
take(struct math *m, const char *word)
{
	size_t len = strlen(word);

	skip_space(m);
	if ((size_t)(m->end - m->at) < len || memcmp(m->at, word, len) != 0)
		return false;
	m->at += len;
	return true;
}

static int
expect(struct math *m, const char *word)
{
	char what[40];

	if (take(m, word))
		return 0;
	snprintf(what, sizeof(what), "'%s' is expected", word);
	return fail(m, what);
}

static int
parse_number(struct math *m, struct num *n)
{
	const char *from = m->at, *p = from;

	while (p < m->end && (isdigit((unsigned char)*p) || *p == '.'))
		p++;
	if (p < m->end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < m->end && (*p == '+' || *p == '-'))
			p++;
		while (p < m->end && isdigit((unsigned char)*p))
			p++;
	}
	if (num_read(n, from, (size_t)(p - from), m->e) < 0)
		return fail(m, "this is no number, or too long a one");
	m->at = p;
	return 0;
}

static int
fold_min(struct num *n, const struct num *value, struct err *e)
{
	(void)e;
	if (num_compare(value, n) < 0)
		num_set(n, value);
	return 0;
}

static int
fold_max(struct num *n, const struct num *value, struct err *e)
{
	(void)e;
	if (num_compare(value, n) > 0)
		num_set(n, value);
	return 0;
}

static const struct function {
	const char *name;
	void (*one)(struct num *n); /* what it does with its first value */
	fold_fn *fold;              /* and with each further one; or NULL */
	int most;                   /* values; 0 for no limit */
} functions[] = {
    {"abs", num_abs, NULL, 1},
    {"floor", num_floor, NULL, 1},
    {"ceil", num_ceil, NULL, 1},
    {"round", NULL, num_round, 2},
    {"min", NULL, fold_min, 0},
    {"max", NULL, fold_max, 0},
    {"sum", NULL, num_add, 0},
};

static const struct function *
take_function(struct math *m)
{
	size_t len = 0;

	while (m->at + len < m->end && isalnum((unsigned char)m->at[len]))
		len++;
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strlen(functions[i].name) == len &&
		    memcmp(m->at, functions[i].name, len) == 0) {
			m->at += len;
			return &functions[i];
		}
	return NULL;
}

/* round(x) is round(x, 0): a function of two values may be given one. */
static int
finish_function(struct math *m, const struct function *f, struct num *n,
    int count)
{
	struct num *zero;
	int result = 0;

	if (f->most != 2 || count == 2)
		return 0;
	zero = num_new();
	result = f->fold(n, zero, m->e);
	num_free(zero);
	return result;
}

/* Expressions are MATH_DEPTH deep at most, so these recursions are bounded. */
static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_more_values(struct math *m, const struct function *f, struct num *n)
{
	struct num *value = num_new();
	int count = 1, result = 0;

	while (result == 0 && take(m, ",")) {
		if (f->most && ++count > f->most)
			result = fail(m, "this function takes fewer values");
		else if ((result = parse_sum(m, value)) == 0)
			result = f->fold(n, value, m->e);
	}
	if (result == 0)
		result = finish_function(m, f, n, count);
	num_free(value);
	return result;
}

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_function(struct math *m, struct num *n)
{
	const struct function *f = take_function(m);

	if (!f)
		return fail(m, "a number, '(' or one of abs, round, floor, "
			       "ceil, min, max, sum is expected");
	if (expect(m, "(") < 0 || parse_sum(m, n) < 0)
		return -1;
	if (f->one)
		f->one(n);
	if (parse_more_values(m, f, n) < 0)
		return -1;
	return expect(m, ")");
}

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_value(struct math *m, struct num *n)
{
	skip_space(m);
	if (m->at == m->end)
		return fail(m, "something is missing at the end");
	if (isdigit((unsigned char)*m->at) || *m->at == '.')
		return parse_number(m, n);
	if (!take(m, "("))
		return parse_function(m, n);
	if (parse_sum(m, n) < 0)
		return -1;
	return expect(m, ")");
}

static int parse_sign(struct math *m, struct num *n);

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_power(struct math *m, struct num *n)
{
	struct num *exponent;
	int result;

	if (parse_value(m, n) < 0)
		return -1;
	if (!take(m, "^"))
		return 0;
	exponent = num_new();
	result = parse_sign(m, exponent);
	if (result == 0)
		result = num_pow(n, exponent, m->e);
	num_free(exponent);
	return result;
}

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_sign(struct math *m, struct num *n)
{
	bool minus;
	int result;

	if (m->depth == MATH_DEPTH)
		return fail(m, "this is nested too deeply");
	m->depth++;
	minus = take(m, "-");
	if (minus || take(m, "+"))
		result = parse_sign(m, n);
	else
		result = parse_power(m, n);
	if (result == 0 && minus)
		num_neg(n);
	m->depth--;
	return result;
}

/* n percent of by. */
static int
percent_of(struct num *n, const struct num *by, struct err *e)
{
	struct num *hundred = num_new();
	int result = num_read(hundred, "100", 3, e);

	if (result == 0)
		result = num_div(n, hundred, e);
	if (result == 0)
		result = num_mul(n, by, e);
	num_free(hundred);
	return result;
}

static fold_fn *
take_factor(struct math *m)
{
	if (take(m, "*"))
		return num_mul;
	if (take(m, "/"))
		return num_div;
	if (!take(m, "%"))
		return NULL;
	return take(m, "of") ? percent_of : num_mod;
}

static fold_fn *
take_summand(struct math *m)
{
	if (take(m, "+"))
		return num_add;
	return take(m, "-") ? num_sub : NULL;
}

/* Parse operands with the operators between them, from left to right. */
static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_chain(struct math *m, struct num *n, take_fn *operation,
    int (*operand)(struct math *, struct num *))
{
	struct num *next = num_new();
	fold_fn *fold;
	int result = operand(m, n);

	while (result == 0 && (fold = operation(m)) != NULL) {
		result = operand(m, next);
		if (result == 0)
			result = fold(n, next, m->e);
	}
	num_free(next);
	return result;
}

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_product(struct math *m, struct num *n)
{
	return parse_chain(m, n, take_factor, parse_sign);
}

static int /* NOLINTNEXTLINE(misc-no-recursion) */
parse_sum(struct math *m, struct num *n)
{
	return parse_chain(m, n, take_summand, parse_product);
}

int
math_evaluate(struct buf *out, bool *exact, const char *text, size_t len,
    struct err *e)
{
	struct math m = {.start = text, .at = text, .end = text + len, .e = e};
	struct num *n;
	int result;

	if (len > MATH_LONGEST)
		return err_set(e, ERR_INPUT,
		    "the expression is longer than %d bytes", MATH_LONGEST);
	n = num_new();
	result = parse_sum(&m, n);
	skip_space(&m);
	if (result == 0 && m.at < m.end)
		result = fail(&m, "an operator is expected");
	if (result == 0)
		*exact = num_write(out, n);
	num_free(n);
	return result;
}
