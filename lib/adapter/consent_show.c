#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/consent.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "record/approval.h"

void
consent_text(struct buf *b, const char *text, const char *bar)
{
	size_t len = strlen(text);

	while (len) {
		uint32_t cp;
		size_t n = utf8_next(text, len, &cp);

		if (cp == '\n')
			buf_fmt(b, "\n%s", bar);
		else if (utf8_plain(cp))
			buf_add(b, text, n);
		else if (cp == UTF8_BAD)
			buf_str(b, "\\u{FFFD}");
		else
			buf_fmt(b, "\\u{%" PRIX32 "}", cp);
		text += n;
		len -= n;
	}
}

size_t
consent_kinds(const struct approval *x, size_t *kinds)
{
	size_t count = 0;

	for (size_t i = 0, k; i < x->count; i++) {
		for (k = 0; k < i; k++)
			if (strcmp(x->items[k].category,
				x->items[i].category) == 0)
				break;
		kinds[i] = k < i ? kinds[k] : ++count;
	}
	return count;
}

static void
list_kinds(struct buf *b, const struct approval *x)
{
	size_t *kinds = mem_array(x->count, sizeof(*kinds));
	size_t count = consent_kinds(x, kinds), first, size;

	for (size_t kind = 1; count > 1 && kind <= count; kind++) {
		first = size = 0;
		while (kinds[first] != kind)
			first++;
		for (size_t i = first; i < x->count; i++)
			size += kinds[i] == kind;
		buf_fmt(b, "  k%zu: ", kind);
		consent_text(b, x->items[first].category, "    | ");
		buf_fmt(b, " (%zu)\n", size);
	}
	free(kinds);
}

void
consent_list(struct buf *b, const struct approval *x)
{
	buf_str(b, "  ");
	consent_text(b, x->text, "  | ");
	buf_char(b, '\n');
	if (x->count == 1 && strcmp(x->items[0].text, x->text) == 0) {
		if (x->confirm)
			buf_str(b, "  ! it can't be taken back\n");
		return;
	}
	for (size_t i = 0; i < x->count; i++) {
		buf_fmt(b, "%4zu%c ", i + 1, x->items[i].confirm ? '!' : '.');
		consent_text(b, x->items[i].text, "    | ");
		buf_char(b, '\n');
	}
	list_kinds(b, x);
	if (x->confirm)
		buf_str(b, "  ! can't be taken back\n");
}
