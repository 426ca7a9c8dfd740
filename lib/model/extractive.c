#include "model/extractive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "model/quote.h"
#include "record/delta.h"
#include "record/error.h"
#include "record/finish.h"
#include "record/request.h"
#include "record/tool_call.h"

static const char tool[] = "retrieve_messages";

static const char intro[] =
    "This is a search result, not a written answer. The messages that match "
    "the question best:\n";

static const char nothing[] =
    "Nothing was found: none of the messages that could be searched match the "
    "question. This is a search result, not a written answer.";

static const char no_tool
    [] = "There is no search here (the tool retrieve_messages), and without a "
	 "model nothing else can answer.";

static const char
    blind[] = "\nWhat is attached was not looked at: that takes a model.";

static const char only_media
    [] = "Nothing was asked in words, and what is attached can't be looked at "
	 "without a model.";

static bool
is_label(const struct request_message *m, const char *label)
{
	return m->label && strcmp(m->label, label) == 0;
}

/* The index of the question's message; the count if there is none. */
static size_t
find_question(const struct request *r)
{
	size_t user = r->message_count;

	for (size_t i = r->message_count; i-- > 0;) {
		const struct request_message *m = &r->messages[i];

		if (m->role != ROLE_USER || !m->text || !*m->text)
			continue;
		if (is_label(m, "request") || is_label(m, "steer"))
			return i;
		if (user == r->message_count && !m->label)
			user = i;
	}
	return user;
}

static bool
has_media(const struct request *r)
{
	for (size_t i = 0; i < r->message_count; i++)
		if (r->messages[i].media_count)
			return true;
	return false;
}

static bool
has_tool(const struct request *r)
{
	for (size_t i = 0; i < r->tool_count; i++)
		if (strcmp(r->tools[i].name, tool) == 0)
			return true;
	return false;
}

/*
 * Its results, from the message after the question on; the last one, or NULL.
 */
static const char *
find_result(const struct request *r, size_t from)
{
	const char *text = NULL;

	for (size_t i = from + 1; i < r->message_count; i++)
		if (r->messages[i].role == ROLE_TOOL && r->messages[i].text)
			text = r->messages[i].text;
	return text;
}

static void
finish(struct buf *out, const struct request *r, enum finish_reason reason)
{
	finish_write(out, &(struct finish){.id = r->id, .reason = reason});
}

static void
say(struct buf *out, const struct request *r, const char *text)
{
	delta_write(out, &(struct delta){r->id, text});
	finish(out, r, FINISH_STOP);
}

static void
ask(struct buf *out, const struct request *r, const char *question)
{
	struct buf arguments = {0}, query = {0};

	quote_shorten(&query, question, EXTRACTIVE_QUERY_MAX);
	jsonw_object(&arguments, NULL);
	jsonw_str(&arguments, "query", buf_text(&query));
	jsonw_int(&arguments, "limit", EXTRACTIVE_LIMIT);
	jsonw_end_object(&arguments);
	tool_call_write(out, &(struct tool_call){
				 .id = r->id,
				 .call = "call_0",
				 .name = tool,
				 .arguments = arguments.data,
			     });
	finish(out, r, FINISH_CALLS);
	buf_release(&arguments);
	buf_release(&query);
}

struct found {
	const struct json *source;
	double score;
	size_t order;
};

static int
better(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->score < y->score || x->score > y->score)
		return x->score > y->score ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Where the text goes on after who is addressed: "@Sophia when?". */
static const char *
after_names(const char *text)
{
	while (*text == '@' || strncmp(text, "<@", 2) == 0) {
		text += strcspn(text, " \n");
		text += strspn(text, " \n");
	}
	return text;
}

/* The question itself, or what was answered in this way before: no evidence. */
static bool
is_echo(const char *text, const char *question)
{
	text = after_names(text);
	return strcmp(text, after_names(question)) == 0 ||
	       strncmp(text, intro, strcspn(intro, ".") + 1) == 0 ||
	       strcmp(text, nothing) == 0;
}

/* Can it be quoted? What only stands beside a match is for a model to read. */
static bool
is_match(const struct json *source, const char *question)
{
	const char *text = json_string(source, "text");
	const char *part = json_string(source, "part");

	return text && *text && !is_echo(text, question) &&
	       json_string(source, "url") &&
	       !(part && strcmp(part, "neighbour") == 0);
}

/* The best matches first; returns how many there are. Free *list. */
static size_t
rank(struct found **list, const struct json *sources, const char *question)
{
	size_t count = 0;

	*list = mem_array(json_count(sources) + 1, sizeof(**list));
	for (const struct json *s = json_first(sources); s; s = json_next(s)) {
		const char *score = json_string(s, "score");

		if (is_match(s, question)) {
			(*list)[count] = (struct found){s, 0, count};
			(*list)[count++].score = score ? strtod(score, NULL)
						       : 0;
		}
	}
	qsort(*list, count, sizeof(**list), better);
	return count;
}

/* Is the i-th match worth quoting beside the best one? */
static bool
is_good(const struct found *list, size_t i)
{
	return i < EXTRACTIVE_QUOTES &&
	       list[i].score * 100 >= list[0].score * EXTRACTIVE_WORTH;
}

/* The search failed, so there is no answer: pass on why. */
static bool
fail(struct buf *out, const struct request *r, const struct json *result,
    struct err *e)
{
	const char *kind = json_string(result, "kind");
	const char *text = json_string(result, "text");

	if (result && !kind && json_bool(result, "ok", true))
		return false;
	if (!text && !(text = json_string(result, "summary")))
		text = "the result can't be read";
	err_set(e, kind ? err_of_word(kind) : ERR_INTERNAL,
	    "the search failed: %s", text);
	error_write_err(out, r->id, e);
	return true;
}

static int
answer(struct buf *out, const struct request *r, const char *question,
    const char *result, struct err *e)
{
	struct json *root = NULL;
	struct err ignored = {0};
	struct buf text = {0};
	struct found *list = NULL;
	size_t count;
	int verdict = -1;

	(void)json_object(&root, result, strlen(result), &ignored);
	if (fail(out, r, root, e))
		goto out;
	count = rank(&list, json_get(root, "sources"), question);
	if (count) {
		buf_str(&text, intro);
		for (size_t i = 0; i < count && is_good(list, i); i++)
			quote_write(&text, list[i].source,
			    EXTRACTIVE_QUOTE_MAX);
	} else {
		buf_str(&text, nothing);
	}
	if (has_media(r))
		buf_str(&text, blind);
	delta_write(out, &(struct delta){r->id, text.data});
	finish_write(out, &(struct finish){.id = r->id, .none = !count});
	verdict = 0;
out:
	free(list);
	buf_release(&text);
	json_free(root);
	return verdict;
}

int
extractive_answer(struct buf *out, const struct request *r, struct err *e)
{
	size_t at = find_question(r);
	const char *result;

	if (at == r->message_count) {
		say(out, r, has_media(r) ? only_media : "Nothing was asked.");
		return 0;
	}
	result = find_result(r, at);
	if (result)
		return answer(out, r, r->messages[at].text, result, e);
	if (has_tool(r))
		ask(out, r, r->messages[at].text);
	else
		say(out, r, no_tool);
	return 0;
}
