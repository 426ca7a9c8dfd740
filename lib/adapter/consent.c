#include "adapter/consent.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"
#include "record/approval.h"

enum { MINUTE_MS = 60000 };

static const char sure[] = "do it";

static void
ask(struct consent *c)
{
	c->at = CONSENT_MENU;
	buf_str(&c->out, "(a)pprove, (d)eny, (c)orrect, (s)top the task");
	if (c->x->count > 1)
		buf_str(&c->out, ", or choose: 1 3-5, ");
	if (c->kind_count > 1)
		buf_str(&c->out, "k1, ");
	if (c->x->count > 1)
		buf_str(&c->out, "all");
	buf_str(&c->out, "? ");
}

void
consent_begin(struct consent *c, const struct approval *x, int64_t now_ms)
{
	const int64_t left_ms = x->expires_ms - now_ms;

	*c = (struct consent){.x = x};
	c->kinds = mem_array(x->count, sizeof(*c->kinds));
	c->kind_count = consent_kinds(x, c->kinds);
	buf_fmt(&c->out,
	    "\nSophia asks whether to do this; it can be decided for %d min:\n",
	    left_ms > 0 ? (int)((left_ms - 1) / MINUTE_MS) + 1 : 0);
	consent_list(&c->out, x);
	ask(c);
}

void
consent_confirm(struct consent *c)
{
	c->at = CONSENT_SURE;
	buf_fmt(&c->out,
	    "It can't be taken back. Type \"%s\" in full to approve it: ",
	    sure);
}

void
consent_again(struct consent *c, const char *why)
{
	consent_text(&c->out, why, "  | ");
	buf_char(&c->out, '\n');
	ask(c);
}

static enum consent_wish
decide(struct consent *c, enum decision_verdict verdict, const char *remark)
{
	c->verdict = verdict;
	c->remark = remark;
	c->confirmed = c->at == CONSENT_SURE;
	c->at = CONSENT_MENU;
	return CONSENT_DECIDE;
}

/* A number that is at most so high, and what is after it; 0 is none. */
static size_t
number(const char **at, size_t most)
{
	size_t n = 0;

	while (**at >= '0' && **at <= '9' && n <= most)
		n = n * 10 + (size_t)(*(*at)++ - '0');
	return n <= most ? n : 0;
}

/* Read "1 3-5, k2": false if it is no such thing, or of what isn't there. */
static bool
read_choice(const struct consent *c, const char *at, bool *chosen)
{
	size_t first, last;

	while (*at) {
		const bool kind = (*at | 0x20) == 'k';

		at += kind;
		first = last = number(&at, kind ? c->kind_count : c->x->count);
		if (!kind && *at == '-') {
			at++;
			last = number(&at, c->x->count);
		}
		if (!first || last < first || (*at && !strchr(" ,\t", *at)))
			return false;
		for (size_t i = 0; i < c->x->count; i++)
			chosen[i] |= kind ? c->kinds[i] == first
					  : i + 1 >= first && i + 1 <= last;
		at += strspn(at, " ,\t");
	}
	return true;
}

static enum consent_wish
choose(struct consent *c, const char *line)
{
	bool *chosen = mem_array(c->x->count, sizeof(*chosen));
	const bool all = strcasecmp(line, "all") == 0;
	bool good = all || read_choice(c, line, chosen);

	free(c->places);
	c->places = mem_array(c->x->count, sizeof(*c->places));
	c->place_count = 0;
	for (size_t i = 0; good && !all && i < c->x->count; i++)
		if (chosen[i])
			c->places[c->place_count++] = (int64_t)i + 1;
	free(chosen);
	if (!good) {
		consent_again(c, "That is none of these.");
		return CONSENT_NOTHING;
	}
	buf_str(&c->out, "Chosen:");
	for (size_t i = 0; i < c->place_count; i++)
		buf_fmt(&c->out, " %d", (int)c->places[i]);
	buf_fmt(&c->out, "%s; the rest would not be done.\n",
	    all ? " all" : "");
	ask(c);
	return CONSENT_CHOOSE;
}

/* Is it the word, or its first letter? Then *rest is what comes after it. */
static bool
is_word(const char *line, const char *word, const char **rest)
{
	const size_t len = strcspn(line, " \t");

	*rest = line + len + strspn(line + len, " \t");
	return (len == 1 && (*line | 0x20) == *word) ||
	       (len == strlen(word) && strncasecmp(line, word, len) == 0);
}

static enum consent_wish
menu(struct consent *c, const char *line)
{
	static const struct {
		const char *word;
		enum decision_verdict verdict;
	} keys[] = {
	    {"approve", VERDICT_APPROVE},
	    {"deny", VERDICT_DENY},
	    {"stop", VERDICT_STOP},
	};
	const char *rest;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (is_word(line, keys[i].word, &rest) && !*rest)
			return decide(c, keys[i].verdict, NULL);
	if (is_word(line, "correct", &rest)) {
		if (*rest)
			return decide(c, VERDICT_CORRECT, rest);
		c->at = CONSENT_REMARK;
		buf_str(&c->out, "What is to be done instead? ");
		return CONSENT_NOTHING;
	}
	if (*line)
		return choose(c, line);
	ask(c);
	return CONSENT_NOTHING;
}

enum consent_wish
consent_line(struct consent *c, const char *line)
{
	static const char gap[] = " \t\r\n";
	size_t len;

	line += strspn(line, gap);
	len = strlen(line);
	while (len && strchr(gap, line[len - 1]))
		len--;
	buf_clear(&c->said);
	buf_add(&c->said, line, len);
	line = buf_text(&c->said);
	if (c->at == CONSENT_SURE && strcmp(line, sure) == 0)
		return decide(c, VERDICT_APPROVE, NULL);
	if (c->at == CONSENT_REMARK && *line)
		return decide(c, VERDICT_CORRECT, line);
	if (c->at != CONSENT_MENU) {
		consent_again(c, "Nothing was decided.");
		return CONSENT_NOTHING;
	}
	return menu(c, line);
}

void
consent_release(struct consent *c)
{
	free(c->places);
	free(c->kinds);
	buf_release(&c->out);
	buf_release(&c->said);
	*c = (struct consent){0};
}
