#include "discord/route.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/err.h"
#include "core/hash.h"

enum { SEGMENT = 40 }; /* bytes of the longest word in a path of Discord's */

static const char *const methods[] = {"GET", "POST", "PUT", "PATCH", "DELETE",
    NULL};

/* Words that a code or an emoji follows. */
static const char *const before_code[] = {"invites", "templates", "reactions",
    "vanity-url", "discovery", NULL};

/* Words whose id is a major resource. */
static const char *const majors[] = {"channels", "guilds", "webhooks",
    "interactions", NULL};

struct piece {
	const char *text;
	size_t len;
};

static bool
is(const struct piece *p, const char *word)
{
	return strlen(word) == p->len && memcmp(word, p->text, p->len) == 0;
}

static bool
is_any(const struct piece *p, const char *const *words)
{
	for (; *words; words++)
		if (is(p, *words))
			return true;
	return false;
}

static bool
is_id(const struct piece *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (!isdigit((unsigned char)p->text[i]))
			return false;
	return p->len > 0;
}

/* A word of Discord's own: "messages", "@me", "bulk-delete". */
static bool
is_word(const struct piece *p)
{
	for (size_t i = 0; i < p->len; i++) {
		unsigned char c = (unsigned char)p->text[i];

		if (!islower(c) && !isdigit(c) && !strchr("@_-", c))
			return false;
	}
	return p->len > 0 && p->len <= SEGMENT;
}

/* The next segment of a path, or false at its end. */
static bool
next(const char **path, struct piece *p)
{
	if (**path != '/')
		return false;
	p->text = ++*path;
	p->len = strcspn(p->text, "/?");
	*path += p->len;
	return true;
}

static void
add(struct route *r, const char *text, size_t len)
{
	size_t at = strlen(r->name);

	if (at + len + 2 > sizeof(r->name))
		return; /* what doesn't fit is the same for all */
	r->name[at] = '/';
	memcpy(r->name + at + 1, text, len);
	r->name[at + 1 + len] = '\0';
}

/* Empty, or "." or "..", however spelled: it would lead to another path. */
static bool
leads_away(const struct piece *p)
{
	size_t dots = 0;

	for (size_t i = 0; i < p->len; dots++)
		if (p->text[i] == '.')
			i++;
		else if (p->len - i >= 3 &&
			 strncasecmp(p->text + i, "%2e", 3) == 0)
			i += 3;
		else
			return false;
	return dots <= 2;
}

static bool
good_path(const char *path)
{
	const char *at = path;
	struct piece p;

	while (next(&at, &p))
		if (leads_away(&p))
			return false;
	if (at == path || (*at && *at != '?'))
		return false;
	for (; *path; path++)
		if ((unsigned char)*path <= ' ' || *path == '#' ||
		    *path == '\\' || *path == 0x7f || (*path & 0x80))
			return false;
	return true;
}

/* Does a token stand at place n of /webhooks/ID/TOKEN and the like? */
static bool
is_token_place(const struct piece *head, int n)
{
	return n == 2 && (is(head, "webhooks") || is(head, "interactions"));
}

static void
read_pieces(struct route *r, const char *path)
{
	struct piece head = {0}, last = {0}, p = {0};

	for (int n = 0; next(&path, &p); n++, last = p) {
		if (n == 0)
			head = p;
		if (is_token_place(&head, n)) {
			r->open = true;
			r->exempt = is(&head, "interactions");
			r->major = hash_bytes(r->major, p.text, p.len);
			add(r, ":token", 6);
		} else if (n && is_any(&last, before_code)) {
			add(r, ":code", 5);
		} else if (is_id(&p)) {
			add(r, ":id", 3);
		} else if (is_word(&p)) {
			add(r, p.text, p.len);
		} else {
			add(r, ":word", 5);
		}
		if (n == 1 && is_any(&head, majors)) {
			r->major = hash_bytes(r->major, head.text, head.len);
			r->major = hash_bytes(r->major, p.text, p.len);
		}
	}
}

int
route_read(struct route *r, const char *method, const char *path, struct err *e)
{
	const char *const *m = methods;

	*r = (struct route){.major = HASH_START};
	while (*m && strcmp(*m, method) != 0)
		m++;
	if (!*m)
		return err_set(e, ERR_INPUT, "%.20s is no method of Discord's",
		    method);
	if (!good_path(path))
		return err_set(e, ERR_INPUT, "%.80s is no path", path);
	snprintf(r->name, sizeof(r->name), "%s ", *m);
	read_pieces(r, path);
	r->key = hash_text(HASH_START, r->name) | 1;
	r->major |= 1;
	return 0;
}
