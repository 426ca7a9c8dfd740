#include "workspace/seconds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"

int
seconds_read(int64_t *ms, const char *text, struct err *e)
{
	char *end;
	double s;

	/* strtod(3) would take "inf", "0x1p3" and spaces, too. */
	s = *text && !text[strspn(text, "0123456789.eE+-")] ? strtod(text, &end)
							    : -1;
	if (!(s >= 0 && s <= SECONDS_MOST) || *end)
		return err_set(e, ERR_INPUT,
		    "a time must be in seconds, from 0 to %d", SECONDS_MOST);
	*ms = (int64_t)(s * 1000 + 0.5);
	return 0;
}

void
seconds_write(struct buf *b, int64_t ms)
{
	int rest = (int)(ms % 1000), digits = 3;

	buf_fmt(b, "%" PRId64, ms / 1000);
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	buf_fmt(b, ".%0*d", digits, rest);
}
