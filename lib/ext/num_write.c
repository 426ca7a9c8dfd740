/* num_write() of ext/num.h: a fraction as a decimal. */
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "ext/num_parts.h"

/* How many digits it takes after the point to write it; -1 if it never ends. */
static long
places_of(const mpq_t q)
{
	unsigned long twos, fives;
	mpz_t rest, five;
	bool ends;

	mpz_init_set_ui(five, 5);
	mpz_init_set(rest, mpq_denref(q));
	twos = mpz_scan1(rest, 0);
	mpz_fdiv_q_2exp(rest, rest, twos);
	fives = mpz_remove(rest, rest, five);
	ends = mpz_cmp_ui(rest, 1) == 0;
	mpz_clears(rest, five, NULL);
	return !ends ? -1 : (long)(twos > fives ? twos : fives);
}

/* How many places give it NUM_DIGITS significant digits, or a few more. */
static long
places_to_round(const mpq_t q)
{
	long above = (long)mpz_sizeinbase(mpq_numref(q), 10) -
		     (long)mpz_sizeinbase(mpq_denref(q), 10);

	return above > NUM_DIGITS ? 0 : NUM_DIGITS - above + 1;
}

/* The digits of n * 10^places, rounded; free them. */
static char *
digits_of(const struct num *n, long places)
{
	char *digits;
	mpq_t q;

	mpq_init(q);
	mpq_set(q, n->q);
	num_scale(q, places);
	num_nearest(q);
	digits = mem_new(mpz_sizeinbase(mpq_numref(q), 10) + 2);
	mpz_get_str(digits, 10, mpq_numref(q));
	mpq_clear(q);
	return digits;
}

/* Add digits whose last `places` ones stand after the point. */
static void
write_digits(struct buf *b, const char *digits, size_t places)
{
	size_t len;

	if (*digits == '-')
		buf_char(b, *digits++);
	len = strlen(digits);
	if (len > places)
		buf_add(b, digits, len - places);
	else
		buf_char(b, '0');
	if (places)
		buf_char(b, '.');
	for (size_t i = len; i < places; i++)
		buf_char(b, '0');
	buf_str(b, digits + (len > places ? len - places : 0));
}

bool
num_write(struct buf *b, const struct num *n)
{
	long places = places_of(n->q), more;
	bool exact = places >= 0;
	char *digits;

	if (!exact)
		places = places_to_round(n->q);
	digits = digits_of(n, places);
	more = (long)strspn(digits + (*digits == '-'), "0123456789") -
	       NUM_DIGITS;
	if (!exact && more > 0 && places > 0) {
		free(digits);
		places -= more < places ? more : places;
		digits = digits_of(n, places);
	}
	write_digits(b, digits, (size_t)places);
	free(digits);
	return exact;
}
