#include "guild/traits.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/hindsight.h"
#include "record/community.h"
#include "tool/serve.h"

enum { SHOWN = 4 * 4096 + 1, NAME_MOST = 100, TOPIC = 1024, POST_TOPIC = 4096 };
enum { SLOW_S = 21600, VOICE_SEATS = 99, STAGE_SEATS = 10000 };

#define KIND(k) (1U << (k))
#define THREADS                                                                \
	(KIND(CHANNEL_NEWS_THREAD) | KIND(CHANNEL_PUBLIC_THREAD) |             \
	    KIND(CHANNEL_PRIVATE_THREAD))
#define POSTS (KIND(CHANNEL_FORUM) | KIND(CHANNEL_MEDIA))
#define VOICE (KIND(CHANNEL_VOICE) | KIND(CHANNEL_STAGE))
#define TALK (KIND(CHANNEL_TEXT) | VOICE | POSTS)

enum type { A_TEXT, A_NUMBER, A_FLAG, A_COLOR };

struct trait {
	const char *key, *field, *words;
	enum type type;
	unsigned kinds;      /* of channels; 0: of roles */
	int64_t least, most; /* characters, or a number */
};

static const struct trait channel_traits[] = {
    {"name", "name", "name", A_TEXT, UINT32_MAX, 1, NAME_MOST},
    {"topic", "topic", "topic", A_TEXT, KIND(CHANNEL_TEXT) | KIND(CHANNEL_NEWS),
	0, TOPIC},
    {"topic", "topic", "topic", A_TEXT, POSTS, 0, POST_TOPIC},
    {"slow_mode_s", "rate_limit_per_user", "seconds between two messages",
	A_NUMBER, TALK | THREADS, 0, SLOW_S},
    {"age_restricted", "nsfw", "age-restricted", A_FLAG,
	TALK | KIND(CHANNEL_NEWS), 0, 0},
    {"user_limit", "user_limit", "people at once", A_NUMBER,
	KIND(CHANNEL_VOICE), 0, VOICE_SEATS},
    {"user_limit", "user_limit", "people at once", A_NUMBER,
	KIND(CHANNEL_STAGE), 0, STAGE_SEATS},
    {0},
};

static const struct trait role_traits[] = {
    {"name", "name", "name", A_TEXT, 0, 1, NAME_MOST},
    {"color", "color", "colour", A_COLOR, 0, 0, 0xffffff},
    {"apart_in_list", "hoist", "apart in the list of members", A_FLAG, 0, 0, 0},
    {"mentionable", "mentionable", "can be mentioned by all", A_FLAG, 0, 0, 0},
    {0},
};

void
traits_start(struct traits *t)
{
	*t = (struct traits){0};
	jsonw_object(&t->body, NULL);
	jsonw_object(&t->from, NULL);
}

void
traits_release(struct traits *t)
{
	buf_release(&t->body);
	buf_release(&t->from);
	buf_release(&t->text);
}

/* ---- a value, as JSON and for people ---- */

/* What the argument says, as Discord wants it. */
static int
take(struct change *c, const struct trait *x, struct buf *to, struct err *e)
{
	const struct json *v = json_get(c->in, x->key);
	const char *text = json_text(v);
	int64_t n = 0;
	char *end = NULL;

	switch (x->type) {
	case A_TEXT:
		text = change_words(c, x->key, (size_t)x->least,
		    (size_t)x->most, e);
		if (!text)
			return -1;
		jsonw_str(to, NULL, text);
		return 0;
	case A_FLAG: jsonw_bool(to, NULL, json_true(v)); return 0;
	case A_NUMBER:
		if (json_whole(v, &n) < 0 || n < x->least || n > x->most)
			return err_set(e, ERR_INPUT,
			    "%s is no number from %" PRId64 " to %" PRId64,
			    x->key, x->least, x->most);
		jsonw_int(to, NULL, n);
		return 0;
	case A_COLOR:
		if (text && *text == '#' && strlen(text) == 7)
			n = strtol(text + 1, &end, 16);
		if (!end || *end ||
		    strspn(text + 1, "0123456789abcdefABCDEF") != 6)
			return err_set(e, ERR_INPUT,
			    "%s is not written like #3498db", x->key);
		jsonw_int(to, NULL, n);
		return 0;
	}
	return -1;
}

static void
show(struct buf *b, const struct trait *x, const struct json *v)
{
	char shown[SHOWN];
	int64_t n = 0;

	(void)json_whole(v, &n);
	if (x->type == A_FLAG) {
		buf_str(b, json_true(v) ? "yes" : "no");
	} else if (x->type == A_COLOR) {
		buf_fmt(b, n ? "#%06" PRIx64 : "none", (uint64_t)n & 0xffffff);
	} else if (x->type == A_NUMBER) {
		buf_fmt(b, "%" PRId64, n);
	} else {
		utf8_tame(shown, sizeof(shown),
		    json_text(v) ? json_text(v) : "");
		buf_fmt(b, "\"%s\"", shown);
	}
}

/* The same, where not there, false, 0 and "" are one. */
static bool
is_same(const struct json *a, const struct json *b)
{
	const char *x = json_text(a), *y = json_text(b);

	if (json_kind(a) == JSON_BOOL || json_kind(b) == JSON_BOOL)
		return json_true(a) == json_true(b);
	x = x && strcmp(x, "0") != 0 ? x : "";
	y = y && strcmp(y, "0") != 0 ? y : "";
	return strcmp(x, y) == 0;
}

void
traits_add(struct traits *t, const char *field, const char *to,
    const char *from)
{
	jsonw_raw(&t->body, field, to, strlen(to));
	if (from)
		jsonw_raw(&t->from, field, from, strlen(from));
	t->count++;
}

static int
add(struct traits *t, struct change *c, const struct trait *x,
    const struct json *old, struct err *e)
{
	const struct json *was = json_get(old, x->field);
	struct buf to = {0};
	struct json *v = NULL;
	int result = take(c, x, &to, e);

	if (result == 0)
		result = json_read(&v, buf_text(&to), to.len, e);
	if (result == 0 && !(old && is_same(v, was))) {
		buf_fmt(&t->text, "\n%s: ", x->words);
		if (old) {
			show(&t->text, x, was);
			buf_str(&t->text, " -> ");
			jsonw_value(&t->from, x->field, was);
		}
		show(&t->text, x, v);
		jsonw_value(&t->body, x->field, v);
		t->count++;
	}
	json_free(v);
	buf_release(&to);
	return result;
}

/* ---- all of them ---- */

static bool
has_it(const struct trait *x, int64_t kind)
{
	return !x->kinds || (kind >= 0 && kind < 32 && (x->kinds & 1U << kind));
}

/* Of the rows with that key the one for this kind; NULL if it has none. */
static const struct trait *
row_for(const struct trait *x, int64_t kind)
{
	for (const char *key = x->key; x->key && strcmp(x->key, key) == 0; x++)
		if (has_it(x, kind))
			return x;
	return NULL;
}

static int
take_all(struct traits *t, struct change *c, const struct trait *table,
    int64_t kind, const struct json *old, struct err *e)
{
	for (const struct trait *x = table; x->key; x++) {
		const struct trait *row = row_for(x, kind);

		if (!json_get(c->in, x->key) ||
		    (x > table && strcmp(x[-1].key, x->key) == 0))
			continue;
		if (!row)
			return err_set(e, ERR_INPUT, "such a channel has no %s",
			    x->key);
		if (add(t, c, row, old, e) < 0)
			return -1;
	}
	return 0;
}

int
traits_channel(struct traits *t, struct change *c, int64_t kind,
    const struct json *old, struct err *e)
{
	return take_all(t, c, channel_traits, kind, old, e);
}

int
traits_role(struct traits *t, struct change *c, const struct json *old,
    struct err *e)
{
	return take_all(t, c, role_traits, -1, old, e);
}

void
traits_plan(struct traits *t, struct change *c)
{
	jsonw_end_object(&t->body);
	jsonw_end_object(&t->from);
	jsonw_raw(&c->p->plan, "body", buf_text(&t->body), t->body.len);
	jsonw_raw(&c->p->plan, "from", buf_text(&t->from), t->from.len);
}

/* ---- afterwards ---- */

/* The next character that counts, in small; 0 at the end. */
static char
next_sign(const char **text)
{
	char c;

	while ((c = **text) != '\0') {
		(*text)++;
		if (c & 0x80 || c == '_' || isalnum((unsigned char)c))
			return (char)tolower((unsigned char)c);
	}
	return '\0';
}

/*
 * Text channels get theirs without capitals, spaces and most signs. Of letters
 * beyond ASCII nothing is known, so only the number of bytes counts in those.
 */
int
traits_same_name(const char *a, const char *b)
{
	char x, y;

	if (!a || !b)
		return 0;
	do {
		x = next_sign(&a);
		y = next_sign(&b);
		if (x != y && !((x & 0x80) && (y & 0x80)))
			return 0;
	} while (x);
	return 1;
}

static bool
has_all(const struct json *fields, const struct json *now)
{
	for (const struct json *v = json_first(fields); v; v = json_next(v)) {
		const char *key = json_key(v);
		const struct json *is = json_get(now, key);
		bool name = strcmp(key, "name") == 0;

		if (name ? !traits_same_name(json_text(v), json_text(is))
			 : !is_same(v, is))
			return false;
	}
	return true;
}

int
traits_seen(struct change *c, const struct json *now)
{
	bool done = has_all(json_get(c->plan, "body"), now);
	bool undone = has_all(json_get(c->plan, "from"), now);

	return hindsight(c, done, undone);
}
