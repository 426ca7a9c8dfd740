#include "history/split.h"

#include <inttypes.h>
#include <string.h>

#include "core/err.h"
#include "core/swar.h"

enum { DEPTH = 64 };

/* What the last bytes at the top of an object were. */
enum { KEY_NONE, KEY_STRING, KEY_COLON };

/* Bytes that mean something outside a string, inside an item. */
static const unsigned char special[256] = {
    ['"'] = 1,
    ['{'] = 1,
    ['}'] = 1,
    ['['] = 1,
    [']'] = 1,
    ['\n'] = 1,
};

static void
drop(struct split *s, size_t len)
{
	s->base += len;
	buf_drop(&s->hold, len);
	s->at -= len;
	s->from = s->from > len ? s->from - len : 0;
	s->key = s->key > len ? s->key - len : 0;
}

char *
split_room(struct split *s, size_t len)
{
	drop(s, s->open && !s->too_long ? s->from : s->at);
	return buf_room(&s->hold, len);
}

void
split_wrote(struct split *s, size_t len)
{
	buf_wrote(&s->hold, len);
}

void
split_release(struct split *s)
{
	buf_release(&s->hold);
	buf_release(&s->head);
	*s = (struct split){0};
}

static int
fail(struct split *s, const char *why, struct err *e)
{
	s->failed = true;
	return err_set(e, ERR_INPUT, "line %zu, byte %" PRIu64 ": %s",
	    s->line + 1, s->base + s->at, why);
}

/* An item begins with the byte at `at`. */
static void
begin(struct split *s)
{
	s->open = true;
	s->from = s->at;
	s->from_line = s->line;
	s->from_byte = s->base + s->at;
	s->item_depth = s->depth;
}

/* The item ends before `at`: 1 and *item filled. */
static int
finish(struct split *s, struct split_item *item, enum split_kind kind)
{
	if (s->at - s->from > SPLIT_LONGEST)
		s->too_long = true;
	*item = (struct split_item){
	    .kind = s->too_long ? SPLIT_TOO_LONG : kind,
	    .line = s->from_line + 1,
	    .byte = s->from_byte,
	    .end = s->base + s->at,
	};
	if (!s->too_long) {
		item->text = s->hold.data + s->from;
		item->len = s->at - s->from;
	}
	s->open = s->too_long = false;
	return 1;
}

/*
 * Hand out the head as it is known: up to its list, which becomes a null; then,
 * with what follows the list, all of it.
 */
static int
give_head(struct split *s, struct split_item *item, bool whole)
{
	if (s->too_long) { /* the rest of it: what came before is known */
		s->open = s->too_long = false;
		return 0;
	}
	if (whole)
		s->head.len--; /* the bracket that stood in for the rest */
	buf_add(&s->head, s->hold.data + s->from, s->at - s->from);
	if (!whole)
		buf_str(&s->head, "null}");
	*item = (struct split_item){
	    .kind = SPLIT_HEAD,
	    .text = s->head.data,
	    .len = s->head.len,
	    .line = s->from_line + 1,
	    .byte = s->from_byte,
	    .end = s->base + s->at,
	};
	s->open = false;
	return 1;
}

static void
push(struct split *s, bool list)
{
	uint64_t bit = 1ULL << (s->depth++ % DEPTH);

	s->brackets = list ? s->brackets | bit : s->brackets & ~bit;
}

/* False if the innermost bracket is of the other kind, or there is none. */
static bool
pop(struct split *s, bool list)
{
	if (!s->depth || (s->brackets >> ((s->depth - 1) % DEPTH) & 1) != list)
		return false;
	s->depth--;
	return true;
}

/* An opening bracket at `at`: 1 if it ends the head of an export. */
static int
open_bracket(struct split *s, bool list, struct split_item *item, struct err *e)
{
	int given = 0;

	if (s->depth == DEPTH)
		return fail(s, "nested deeper than 64 levels", e);
	if (s->depth == 0 && list) {
		s->list_depth = 1;
	} else if (s->depth == 0 || s->depth == s->list_depth) {
		begin(s);
	} else if (s->depth == 1 && s->key_state == KEY_COLON && list &&
		   !s->list_depth && !s->export && !s->too_long) {
		s->export = true;
		s->list_depth = 2;
		buf_clear(&s->head);
		given = give_head(s, item, false);
	}
	s->key_state = KEY_NONE;
	push(s, list);
	s->at++;
	return given;
}

/* A list of messages ended: what is left of an export is its head again. */
static void
end_list(struct split *s)
{
	s->list_depth = 0;
	if (!s->export)
		return;
	begin(s);
	s->item_depth = 0;
}

/* A closing bracket at `at`: 1 if it ends an item. */
static int
close_bracket(struct split *s, bool list, struct split_item *item,
    struct err *e)
{
	if (!pop(s, list))
		return fail(s, list ? "a ] without its [" : "a } without its {",
		    e);
	s->key_state = KEY_NONE;
	s->at++;
	if (s->open && s->depth == s->item_depth) {
		if (s->depth)
			return finish(s, item, SPLIT_MESSAGE);
		if (!s->export)
			return finish(s, item, SPLIT_LINE);
		s->export = false;
		return give_head(s, item, true);
	}
	if (s->list_depth && s->depth < s->list_depth)
		end_list(s);
	return 0;
}

/* The first quote or backslash from p on. */
static const char *
skip_plain(const char *p, const char *end)
{
	while (end - p >= 8) {
		uint64_t x = swar_load(p);

		x = swar_equal(x, '"') | swar_equal(x, '\\');
		p += swar_before(x);
		if (x)
			break;
	}
	while (p < end && *p != '"' && *p != '\\')
		p++;
	return p;
}

/* Go to the end of the string that `at` is in; false if it isn't there yet. */
static bool
skip_string(struct split *s)
{
	const char *p = s->hold.data + s->at;
	const char *end = s->hold.data + s->hold.len;

	while (p < end && s->string) {
		if (s->escape) {
			s->escape = false;
			p++;
		} else if ((p = skip_plain(p, end)) < end) {
			s->string = *p != '"';
			s->escape = *p++ == '\\';
		}
	}
	s->at = (size_t)(p - s->hold.data);
	return !s->string;
}

/* A string at the top of an object ended: is it the key we look for? */
static void
end_key(struct split *s)
{
	static const char wanted[] = "\"messages\"";
	size_t len = sizeof(wanted) - 1;

	s->key_state = KEY_NONE;
	if (!s->too_long && s->at - s->key == len &&
	    memcmp(s->hold.data + s->key, wanted, len) == 0)
		s->key_state = KEY_STRING;
}

/* Between items nothing but commas and white space may be. */
static bool
allowed(const struct split *s, char c)
{
	if (s->depth && s->depth != s->list_depth)
		return true;
	if (s->depth == 0 && s->base + s->at < 3 &&
	    strchr("\xef\xbb\xbf", c)) /* a byte order mark */
		return true;
	return c == ' ' || c == '\t' || c == '\r' || (c == ',' && s->depth);
}

/* A byte that opens and closes nothing. */
static int
other(struct split *s, char c, struct err *e)
{
	if (c == '\n') {
		s->line++;
	} else if (c == '"' && s->depth && s->depth != s->list_depth) {
		s->string = true;
		s->key = s->at;
	} else if (c == ':' && s->key_state == KEY_STRING) {
		s->key_state = KEY_COLON;
	} else if (!allowed(s, c)) {
		return fail(s,
		    s->depth ? "expected a message"
			     : "not a chat archive: expected { or [",
		    e);
	} else if (c == ',') {
		s->key_state = KEY_NONE;
	}
	s->at++;
	return 0;
}

/* Look at the byte at `at`: 1 an item ended, 0 go on. */
static int
look(struct split *s, struct split_item *item, struct err *e)
{
	char c = s->hold.data[s->at];

	switch (c) {
	case '{':
	case '[': return open_bracket(s, c == '[', item, e);
	case '}':
	case ']': return close_bracket(s, c == ']', item, e);
	default: return other(s, c, e);
	}
}

/*
 * Inside an item, go on to its last bracket, to what is wrong, or to the end of
 * what is there: the same as look() byte by byte, only faster.
 */
static void
hurry(struct split *s)
{
	const char *p = s->hold.data + s->at;
	const char *end = s->hold.data + s->hold.len;

	for (; p < end; p++) {
		unsigned char c = (unsigned char)*p;

		if (!special[c])
			continue;
		if (c == '\n') {
			s->line++;
			if (end - p > 8) /* a deep indent */
				p += swar_before(
				    swar_other(swar_load(p + 1), ' '));
		} else if (c == '"') {
			s->string = true;
			s->at = (size_t)(p + 1 - s->hold.data);
			if (!skip_string(s))
				return;
			p = s->hold.data + s->at - 1;
		} else if (c == '{' || c == '[') {
			if (s->depth == DEPTH)
				break;
			push(s, c == '[');
		} else if (s->depth <= s->item_depth + 1 || s->depth == 2 ||
			   !pop(s, c == ']')) {
			break; /* it is for look() */
		}
	}
	s->at = (size_t)(p - s->hold.data);
}

int
split_next(struct split *s, struct split_item *item, struct err *e)
{
	int got = 0;

	if (s->failed)
		return fail(s, "not read on after an error", e);
	while (!got && s->at < s->hold.len) {
		if (s->string) {
			if (skip_string(s) && s->depth == 1)
				end_key(s);
			continue;
		}
		if (s->depth > 1 && s->open)
			hurry(s);
		if (s->at < s->hold.len && !s->string)
			got = look(s, item, e);
	}
	if (!got && s->open && s->at - s->from > SPLIT_LONGEST)
		s->too_long = true;
	return got;
}

int
split_end(const struct split *s, struct err *e)
{
	uint64_t byte = s->base + s->at;

	if (s->failed || (!s->depth && !s->string))
		return 0;
	if (s->open && s->item_depth)
		return err_set(e, ERR_INPUT,
		    "line %zu, byte %" PRIu64 ": it ends inside the message "
		    "that begins in line %zu",
		    s->line + 1, byte, s->from_line + 1);
	return err_set(e, ERR_INPUT,
	    "line %zu, byte %" PRIu64 ": it ends before its last bracket",
	    s->line + 1, byte);
}
