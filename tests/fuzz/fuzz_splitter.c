/* splitter: the parts of any text are whole, not blank and not too long. */
#include <stdint.h>
#include <stdlib.h>

#include "core/err.h"
#include "core/utf8.h"
#include "discord/splitter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void
check(const struct splitter_part *p, size_t most)
{
	size_t units = 0, shown = 0;
	uint32_t cp;
	bool holds;

	for (size_t i = 0; i < p->len;) {
		i += utf8_next(p->text + i, p->len - i, &cp);
		units += cp != UTF8_BAD && cp > 0xffff ? 2 : 1;
		shown += !breaks_blank(cp, &holds);
	}
	if (!shown || units > most)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct splitter s;
	const size_t most = len && *data & 1 ? SPLITTER_LEAST : 200;
	struct splitter_part p;
	struct err e = {0};
	size_t at = 0, parts = 0;

	splitter_start(&s, (const char *)data, len, most);
	while (splitter_next(&s, &p, &e) > 0) {
		if (p.from != at || p.to <= at || p.opened + p.closed >= p.len)
			abort();
		check(&p, most);
		at = p.to;
		parts++;
	}
	if (e.kind || (parts && at != len))
		abort();
	return 0;
}
