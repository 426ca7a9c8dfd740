#include "workspace/script.h"

#include <string.h>

#include "core/utf8.h"
#include "ext/jsonw.h"
#include "tool/serve.h"
#include "workspace/seconds.h"

enum {
	NAME = 200,      /* bytes of the recording's name that are kept */
	SHOWN = 8 << 10, /* of the words, in the result */
};

static void
write_range(struct buf *b, const struct script *s, const char *between)
{
	seconds_write(b, s->start_ms);
	buf_str(b, between);
	seconds_write(b, s->end_ms);
}

void
script_path(struct buf *b, const struct script *s)
{
	const char *slash = strrchr(s->source, '/');
	const char *name = slash ? slash + 1 : s->source;
	const size_t len = strlen(name);

	buf_add(b, s->source, (size_t)(name - s->source));
	buf_add(b, name, len > NAME ? utf8_cut(name, len, NAME) : len);
	buf_char(b, '.');
	write_range(b, s, "-");
	buf_str(b, ".txt");
}

void
script_write(struct buf *b, const struct script *s)
{
	buf_fmt(b, "Transcript of %s, from ", s->source);
	write_range(b, s, " s to ");
	buf_fmt(b, " s\nWritten down by the model %s (profile %s)\n\n",
	    s->model, s->profile);
	buf_str(b, s->words);
	if (s->cut)
		buf_str(b,
		    "\n[the model's answer was cut here: there may be more]");
	buf_char(b, '\n');
}

static void
write_seconds(struct buf *b, const char *key, int64_t ms)
{
	struct buf text = {0};

	seconds_write(&text, ms);
	jsonw_raw(b, key, buf_text(&text), text.len);
	buf_release(&text);
}

static void
write_data(struct buf *b, const struct script *s, const char *path)
{
	const size_t len = strlen(s->words);
	const size_t shown = len > SHOWN ? utf8_cut(s->words, len, SHOWN) : len;

	jsonw_object(b, NULL);
	jsonw_str(b, "kind", "transcript");
	jsonw_str(b, "path", path);
	jsonw_str(b, "source", s->source);
	write_seconds(b, "start", s->start_ms);
	write_seconds(b, "end", s->end_ms);
	if (s->goes_on)
		write_seconds(b, "next", s->end_ms);
	jsonw_str(b, "profile", s->profile);
	jsonw_str(b, "model", s->model);
	jsonw_strn(b, "text", s->words, shown);
	jsonw_bool(b, "cut", shown < len || s->cut);
	jsonw_end_object(b);
}

void
script_tell(struct answer_parts *a, const struct script *s)
{
	struct buf path = {0};

	script_path(&path, s);
	write_data(&a->data, s, buf_text(&path));
	buf_fmt(&a->summary, "%s, ", s->source);
	write_range(&a->summary, s, " s to ");
	buf_fmt(&a->summary, " s, is written down in %s; ", buf_text(&path));
	if (s->goes_on) {
		buf_str(&a->summary,
		    "if the recording is longer, go on with start ");
		seconds_write(&a->summary, s->end_ms);
	} else {
		buf_str(&a->summary, "the recording ends there");
	}
	buf_release(&path);
}
