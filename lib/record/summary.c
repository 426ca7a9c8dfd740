#include "record/summary.h"

#include "core/buf.h"
#include "ext/jsonw.h"

const char *
summary_skip_word(enum summary_skip skip)
{
	static const char *const words[SKIP_KINDS] = {
	    [SKIP_MALFORMED] = "malformed",
	    [SKIP_OTHER] = "another record",
	    [SKIP_LONG] = "too long",
	    [SKIP_OLDER] = "older revision",
	    [SKIP_DELETED] = "deleted",
	};

	return words[skip];
}

int64_t
summary_messages(const struct summary *s)
{
	return s->added + s->changed + s->unchanged + s->skipped[SKIP_OLDER] +
	       s->skipped[SKIP_DELETED];
}

void
summary_write(struct buf *b, const struct summary *s)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "summary");
	jsonw_str(b, "file", s->file);
	jsonw_int(b, "new", s->added);
	jsonw_int(b, "changed", s->changed);
	jsonw_int(b, "unchanged", s->unchanged);
	jsonw_array(b, "skipped");
	for (int i = 0; i < SKIP_KINDS; i++) {
		if (!s->skipped[i])
			continue;
		jsonw_object(b, NULL);
		jsonw_str(b, "reason", summary_skip_word((unsigned)i));
		jsonw_int(b, "count", s->skipped[i]);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	if (s->first.kind)
		jsonw_str(b, "first", s->first.text);
	if (s->before)
		jsonw_bool(b, "before", true);
	jsonw_int(b, "messages", summary_messages(s));
	jsonw_int(b, "bytes", s->bytes);
	jsonw_int(b, "elapsed_ms", s->elapsed_ms);
	jsonw_int(b, "longest_ms", s->longest_ms);
	jsonw_line(b);
}
