#define _GNU_SOURCE /* strcasestr */
#include "model/refusal.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "ext/json.h"

enum {
	STATUS_ERROR = 400,
	STATUS_LAST = 599,
	SECRET_MIN = 6, /* bytes; a shorter one would blot out words */
};

/* What an error says of itself, borrowed from its JSON. */
struct words {
	int status; /* HTTP's, or the one the error has inside HTTP 200; 0 */
	const char *code, *type, *error_type, *text, *provider;
	const struct json *detail; /* the object with more members, or NULL */
	struct json *raw;          /* an error of an error, parsed */
};

void
refusal_set(struct refusal *r, enum err_kind kind, const char *code,
    const char *fmt, ...)
{
	va_list ap;

	*r = (struct refusal){.kind = kind};
	snprintf(r->code, sizeof(r->code), "%s", code);
	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
}

void
refusal_blot(struct refusal *r, const char *secret)
{
	size_t len = secret ? strlen(secret) : 0, part;
	char *at = r->text, *end;

	if (len < SECRET_MIN)
		return;
	for (; (at = strstr(at, secret)) != NULL; at += len)
		memset(at, '*', len);
	end = r->text + strlen(r->text);
	for (part = len - 1; part >= SECRET_MIN; part--)
		if ((size_t)(end - r->text) >= part &&
		    memcmp(end - part, secret, part) == 0)
			memset(end - part, '*', part);
}

/* The first text that says something. */
static const char *
or_text(const char *a, const char *b)
{
	return a && *a ? a : b;
}

static bool
says(const char *text, const char *part)
{
	return text && strcasestr(text, part) != NULL;
}

/* One of the words that name the error is, or holds, this one. */
static bool
named(const struct words *w, const char *part)
{
	return says(w->code, part) || says(w->type, part) ||
	       says(w->error_type, part);
}

static void
take_object(struct words *w, const struct json *error)
{
	const struct json *code = json_get(error, "code");
	int64_t n;

	w->detail = error;
	w->text = json_string(error, "message");
	w->type = json_string(error, "type");
	w->code = json_text(code);
	if (json_whole(code, &n) < 0 || n < STATUS_ERROR || n > STATUS_LAST)
		n = json_int(error, "status_code", 0);
	if (w->status < STATUS_ERROR && n >= STATUS_ERROR && n <= STATUS_LAST)
		w->status = (int)n;
}

/* "raw" has the provider's own words: plain, or JSON as an object or text. */
static void
take_metadata(struct words *w, const struct json *meta)
{
	const struct json *raw = json_get(meta, "raw"), *inner;
	const char *text = json_string(meta, "raw");
	struct err ignored = {0};

	w->error_type = json_string(meta, "error_type");
	w->provider = json_string(meta, "provider_name");
	if (text && *text == '{' &&
	    json_read(&w->raw, text, strlen(text), &ignored) == 0)
		raw = w->raw;
	inner = json_get(raw, "error");
	if (json_kind(raw) == JSON_OBJECT)
		text = or_text(json_string(inner, "message"),
		    or_text(json_string(raw, "message"),
			json_string(raw, "error")));
	w->text = or_text(text, w->text);
}

/* True if the payload is an error, or has one. Free w->raw. */
static bool
take_words(struct words *w, const struct json *root)
{
	const struct json *error = json_get(root, "error");
	const struct json *detail = json_get(root, "detail");

	if (json_kind(error) == JSON_OBJECT && json_count(error)) {
		take_object(w, error);
		take_metadata(w, json_get(error, "metadata"));
		return true;
	}
	if (json_kind(error) == JSON_STRING && *json_text(error)) {
		w->text = json_text(error);
		w->code = json_text(json_get(root, "code"));
		return true;
	}
	if (says(json_string(root, "object"), "error") ||
	    says(json_string(root, "type"), "error")) {
		take_object(w, root);
		return true;
	}
	if (json_kind(detail) != JSON_STRING && json_kind(detail) != JSON_ARRAY)
		return false;
	w->text = or_text(json_text(detail),
	    json_string(json_first(detail), "msg"));
	return true;
}

/* The number that follows part in text, or 0. */
static int64_t
number_after(const char *text, const char *part)
{
	const char *at = text ? strcasestr(text, part) : NULL;
	int64_t n = 0;

	if (!at)
		return 0;
	at += strlen(part);
	if (strncmp(at, "about ", 6) == 0)
		at += 6;
	for (; isdigit((unsigned char)*at) || *at == ','; at++) {
		if (*at == ',')
			continue;
		if (n > INT64_MAX / 100)
			return 0;
		n = n * 10 + (*at - '0');
	}
	return n;
}

/* The number after the first of the phrases that has one. */
static int64_t
first_number(const char *text, const char *const *phrases)
{
	int64_t n = 0;

	for (; *phrases && !n; phrases++)
		n = number_after(text, *phrases);
	return n;
}

static bool
over_context(const struct words *w)
{
	static const char *const texts[] = {
	    "maximum context length",
	    "available context size",
	    "exceeded max context length",
	    "prompt is too long",
	    "input token count",
	    "context window",
	    NULL,
	};

	if (named(w, "context_length_exceeded") ||
	    named(w, "exceed_context_size") ||
	    named(w, "too_many_prompt_tokens"))
		return true;
	for (const char *const *t = texts; *t; t++)
		if (says(w->text, *t))
			return true;
	return false;
}

/* How much the model holds, and how far the request is over it. */
static void
measure_context(struct refusal *r, const struct words *w)
{
	static const char *const limits[] = {
	    "context length is ",
	    "context size (",
	    "tokens > ",
	    "tokens allowed (",
	    NULL,
	};
	static const char *const asked[] = {
	    "requested ",
	    "resulted in ",
	    "request (",
	    "too long: ",
	    "token count (",
	    NULL,
	};
	int64_t sent = json_int(w->detail, "n_prompt_tokens", 0);

	r->limit = json_int(w->detail, "n_ctx", 0);
	if (!r->limit)
		r->limit = first_number(w->text, limits);
	if (!sent)
		sent = first_number(w->text, asked);
	r->over = number_after(w->text, "context length by ");
	if (!r->over && r->limit > 0 && sent > r->limit)
		r->over = sent - r->limit;
}

/* A rule: what the words say, or the status, and what that means. */
struct rule {
	const char *name; /* part of a code or type, or NULL */
	const char *text; /* part of the message, or NULL */
	int status;       /* 0 for none */
	enum err_kind kind;
	const char *code;
	const char *hint; /* what a person can do; NULL for nothing */
};

/* The first rule that fits wins: what the words say comes before the status. */
static const struct rule rules[] = {
    {NULL, "--enable-auto-tool-choice", 0, ERR_CONFIG, "server",
	"start vLLM with --enable-auto-tool-choice and --tool-call-parser"},
    {NULL, "requires --jinja", 0, ERR_CONFIG, "server",
	"start llama-server with --jinja, so that it can call tools"},
    {NULL, "use 'max_completion_tokens'", 0, ERR_CONFIG, "profile",
	"set token_parameter to max_completion_tokens in the profile"},
    {NULL, "must be passed back", 0, ERR_CONFIG, "profile",
	"set echo to calls in the profile"},
    {NULL, "thought_signature", 0, ERR_CONFIG, "profile",
	"set echo to calls in the profile"},
    {"insufficient_quota", NULL, 0, ERR_CONFIG, "credit", NULL},
    {"payment_required", NULL, 0, ERR_CONFIG, "credit", NULL},
    {NULL, NULL, 402, ERR_CONFIG, "credit", NULL},
    {"model_not_found", NULL, 0, ERR_CONFIG, "model", NULL},
    {NULL, "model not found", 0, ERR_CONFIG, "model", NULL},
    {NULL, "supported API model names", 0, ERR_CONFIG, "model", NULL},
    {NULL, "supported models are", 0, ERR_CONFIG, "model", NULL},
    {"invalid_api_key", NULL, 0, ERR_CONFIG, "key", NULL},
    {"authentication", NULL, 0, ERR_CONFIG, "key", NULL},
    {NULL, "incorrect api key", 0, ERR_CONFIG, "key", NULL},
    {NULL, NULL, 401, ERR_CONFIG, "key", NULL},
    {"tool_use_failed", NULL, 0, ERR_AGAIN, "tool_use_failed", NULL},
    {"content_policy", NULL, 0, ERR_REFUSED, "policy", NULL},
    {"content_filter", NULL, 0, ERR_REFUSED, "policy", NULL},
    {NULL, "request blocked", 403, ERR_REFUSED, "policy", NULL},
    {NULL, "flagged", 403, ERR_REFUSED, "policy", NULL},
    {NULL, NULL, 403, ERR_CONFIG, "key", NULL},
    {NULL, NULL, 404, ERR_CONFIG, "model", NULL},
    {NULL, NULL, 413, ERR_INPUT, "too_large", NULL},
    {NULL, "input is not supported", 0, ERR_REFUSED, "bad_request", NULL},
    {NULL, "is too large to process", 0, ERR_INPUT, "too_large", NULL},
    {NULL, "cannot use both", 0, ERR_REFUSED, "bad_request", NULL},
    {"rate_limit", NULL, 0, ERR_AGAIN, "rate_limit", NULL},
    {NULL, NULL, 429, ERR_AGAIN, "rate_limit", NULL},
    {"overloaded", NULL, 0, ERR_AGAIN, "overloaded", NULL},
    {NULL, NULL, 503, ERR_AGAIN, "overloaded", NULL},
    {NULL, NULL, 529, ERR_AGAIN, "overloaded", NULL},
    {"timeout", NULL, 0, ERR_AGAIN, "timeout", NULL},
    {NULL, NULL, 408, ERR_AGAIN, "timeout", NULL},
    {NULL, NULL, 504, ERR_AGAIN, "timeout", NULL},
    {NULL, NULL, 524, ERR_AGAIN, "timeout", NULL},
    {NULL, NULL, 409, ERR_AGAIN, "provider", NULL},
};

static bool
fits(const struct rule *rule, const struct words *w)
{
	if (rule->name && !named(w, rule->name))
		return false;
	if (rule->text && !says(w->text, rule->text))
		return false;
	return !rule->status || rule->status == w->status;
}

/* What an error means that no rule knows. */
static const struct rule *
otherwise(const struct words *w)
{
	static const struct rule no = {
	    .kind = ERR_REFUSED,
	    .code = "bad_request",
	};
	static const struct rule later = {
	    .kind = ERR_AGAIN,
	    .code = "provider",
	};

	if (w->status >= 500)
		return &later;
	if (w->status >= STATUS_ERROR || named(w, "invalid_request") ||
	    named(w, "badrequest"))
		return &no;
	return &later;
}

static void
classify(struct refusal *r, const struct words *w)
{
	const struct rule *rule = NULL;
	const char *from = w->provider ? w->provider : "the provider";
	char status[24] = "";

	if (w->status)
		snprintf(status, sizeof(status), " (HTTP %d)", w->status);
	if (over_context(w)) {
		refusal_set(r, ERR_INPUT, "context_length", "%s%s: %s", from,
		    status, or_text(w->text, "the request is too long"));
		measure_context(r, w);
		return;
	}
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules) && !rule; i++)
		if (fits(&rules[i], w))
			rule = &rules[i];
	if (!rule)
		rule = otherwise(w);
	refusal_set(r, rule->kind, rule->code, "%s%s%s%s: %s",
	    rule->hint ? rule->hint : "", rule->hint ? "; " : "", from, status,
	    or_text(w->text, or_text(w->code, "it gave no reason")));
}

bool
refusal_find(struct refusal *r, const struct json *payload)
{
	struct words w = {0};
	bool found = take_words(&w, payload);

	if (found)
		classify(r, &w);
	json_free(w.raw);
	return found;
}

void
refusal_read(struct refusal *r, int status, const char *body, size_t len)
{
	struct words w = {.status = status};
	struct json *root = NULL;
	struct err ignored = {0};

	if (len && json_read(&root, body, len, &ignored) < 0)
		w.text = "it answered with a page that is not JSON";
	else if (root && !take_words(&w, root))
		w.text = json_string(root, "message");
	classify(r, &w);
	json_free(w.raw);
	json_free(root);
}
