#include "runtime/shown.h"

#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "ext/json.h"
#include "ext/jsonw.h"

/* How much of a record to show. */
struct extent {
	bool data;
	size_t sources;
};

static void
write_sources(struct buf *b, const struct json *sources, size_t count)
{
	jsonw_array(b, "sources");
	for (const struct json *s = json_first(sources); s && count;
	     s = json_next(s), count--)
		jsonw_value(b, NULL, s);
	jsonw_end_array(b);
}

/* What is for us alone; media are shown by themselves. */
static bool
is_told(const char *key)
{
	static const char *const ours[] = {"type", "id", "reveal", "more",
	    "media"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (strcmp(key, ours[i]) == 0)
			return false;
	return true;
}

static void
write(struct buf *b, const struct json *record, const char *call,
    struct extent some)
{
	const struct json *sources = json_get(record, "sources");
	size_t all = json_count(sources);
	bool cut = some.sources < all ||
		   (!some.data && json_get(record, "data")) ||
		   json_get(record, "more");

	jsonw_object(b, NULL);
	for (const struct json *m = json_first(record); m; m = json_next(m)) {
		const char *key = json_key(m);

		if (!is_told(key))
			continue;
		if (strcmp(key, "sources") == 0)
			write_sources(b, m, some.sources);
		else if (strcmp(key, "data") != 0 || some.data)
			jsonw_value(b, key, m);
	}
	if (cut) {
		jsonw_str(b, "call", call);
		jsonw_str(b, "left_out",
		    "not everything fits here: query_json reads the whole "
		    "result by its call, and the cursor gives what follows");
	}
	jsonw_end_object(b);
}

void
shown_write(struct buf *b, const struct json *record, const char *call)
{
	const struct json *sources = json_get(record, "sources");
	struct extent some = {true, json_count(sources)};
	size_t from = b->len;

	write(b, record, call, some);
	while (b->len - from > SHOWN_MAX && (some.sources || some.data)) {
		if (some.sources)
			some.sources = some.sources * 3 / 4;
		else
			some.data = false;
		b->len = from;
		write(b, record, call, some);
	}
}
