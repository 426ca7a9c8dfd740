#include "model/profile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "model/entry.h"

enum {
	CONTEXT_MIN = 1024, /* tokens */
	CONTEXT_MAX = 100000000,
	CONNECT_S = 10,
	IDLE_S = 180,
	SILENT_S = 300,
	SECONDS_MAX = 3600,
	URL_MAX = 2048,
	PRICE_DIGITS = 6, /* after the point: millionths of a dollar */
	PRICE_MAX = 100000,
};

static const char *const protocols[] = {
    [PROTOCOL_EXTRACTIVE] = "extractive",
    [PROTOCOL_CHAT] = "chat",
};

static const char *const known[] = {"id", "protocol", "base_url", "model",
    "key_env", "context", "reserve", "inputs", "effort", "prices", "headers",
    "token_parameter", "echo", "proxy", "connect_s", "idle_s", "silent_s",
    NULL};

const char *
profile_protocol_word(enum profile_protocol protocol)
{
	return protocols[protocol];
}

static bool
listed(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

static int
check_fields(const struct json *doc, struct err *e)
{
	for (const struct json *v = json_first(doc); v; v = json_next(v))
		if (!listed(known, json_key(v)))
			return err_set(e, ERR_CONFIG,
			    "%s: there is no such field", json_key(v));
	return 0;
}

static int
take_protocol(struct profile *p, struct err *e)
{
	const char *text;

	if (entry_need(p->doc, "protocol", &text, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(protocols) / sizeof(*protocols); i++)
		if (strcmp(protocols[i], text) == 0) {
			p->protocol = (enum profile_protocol)i;
			return 0;
		}
	if (strcmp(text, "responses") == 0)
		return err_set(e, ERR_CONFIG,
		    "protocol: responses is not "
		    "available yet; use chat");
	return err_set(e, ERR_CONFIG, "protocol: '%s' is not known", text);
}

/* The host in a URL is this machine: what is sent there stays here. */
static bool
is_local(const char *url)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
	const char *host = strstr(url, "://");

	host = host ? host + 3 : url;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		size_t len = strlen(hosts[i]);

		if (strncasecmp(host, hosts[i], len) == 0 &&
		    (!host[len] || strchr(":/", host[len])))
			return true;
	}
	return false;
}

static int
take_url(struct profile *p, struct err *e)
{
	const char *text;
	size_t len;

	if (entry_need(p->doc, "base_url", &text, e) < 0)
		return -1;
	len = strlen(text);
	if (len > URL_MAX || strpbrk(text, " @?#") ||
	    (strncmp(text, "https://", 8) != 0 &&
		strncmp(text, "http://", 7) != 0))
		return err_set(e, ERR_CONFIG,
		    "base_url: must be a plain https or http address");
	if (p->key_env && strncmp(text, "http://", 7) == 0 && !is_local(text))
		return err_set(e, ERR_CONFIG,
		    "base_url: a key goes over https, or to this machine");
	while (len && text[len - 1] == '/')
		len--;
	p->url = mem_dupn(text, len);
	p->base_url = p->url;
	return 0;
}

static int
take_key_env(struct profile *p, struct err *e)
{
	if (entry_text(p->doc, "key_env", &p->key_env, e) < 0)
		return -1;
	for (const char *c = p->key_env; c && *c; c++)
		if (!isupper((unsigned char)*c) && *c != '_' &&
		    (c == p->key_env || !isdigit((unsigned char)*c)))
			return err_set(e, ERR_CONFIG,
			    "key_env: must be the name of an environment "
			    "variable (A-Z, 0-9, _), not a key");
	return 0;
}

static int
take_inputs(struct profile *p, struct err *e)
{
	static const char *const words[] = {"text", "image", "audio"};
	const struct json *list = json_get(p->doc, "inputs");

	p->inputs = list ? 0 : INPUT_TEXT;
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		unsigned bit = 0;

		for (unsigned i = 0; i < 3; i++)
			if (json_text(v) && strcmp(json_text(v), words[i]) == 0)
				bit = 1U << i;
		if (!bit)
			return err_set(e, ERR_CONFIG,
			    "inputs: must be text, image or audio");
		p->inputs |= bit;
	}
	if (!(p->inputs & INPUT_TEXT))
		return err_set(e, ERR_CONFIG, "inputs: must name text");
	return 0;
}

/* "0.25" in millionths: exact, so digits beyond those are refused. */
static int
take_price(const struct json *prices, const char *key, int64_t *price,
    struct err *e)
{
	const char *text = json_text(json_get(prices, key)), *c = text;
	int64_t n = 0;
	int digits = -1; /* after the point; -1 before it */

	*price = -1;
	if (!json_get(prices, key))
		return 0;
	for (; c && *c && digits <= PRICE_DIGITS && n <= INT64_MAX / 100; c++)
		if (isdigit((unsigned char)*c)) {
			n = n * 10 + (*c - '0');
			digits += digits >= 0;
		} else if (*c == '.' && digits < 0 && c > text) {
			digits = 0;
		} else {
			break;
		}
	if (!c || c == text || *c || digits > PRICE_DIGITS)
		return err_set(e, ERR_CONFIG,
		    "prices.%s: must be dollars for a million tokens", key);
	for (digits = digits < 0 ? 0 : digits; digits < PRICE_DIGITS; digits++)
		n = n > INT64_MAX / 10 ? INT64_MAX : n * 10;
	if (n > (int64_t)PRICE_MAX * 1000000)
		return err_set(e, ERR_CONFIG, "prices.%s: is over %d", key,
		    PRICE_MAX);
	*price = n;
	return 0;
}

static int
take_prices(struct profile *p, struct err *e)
{
	static const char *const words[] = {"input", "cached", "output", NULL};
	const struct json *prices = json_get(p->doc, "prices");

	p->prices = (struct profile_prices){-1, -1, -1};
	if (!prices)
		return 0;
	if (json_kind(prices) != JSON_OBJECT)
		return err_set(e, ERR_CONFIG, "prices: must be an object");
	for (const struct json *v = json_first(prices); v; v = json_next(v))
		if (!listed(words, json_key(v)))
			return err_set(e, ERR_CONFIG,
			    "prices.%s: there is no such field", json_key(v));
	if (take_price(prices, "input", &p->prices.input, e) < 0 ||
	    take_price(prices, "cached", &p->prices.cached, e) < 0 ||
	    take_price(prices, "output", &p->prices.output, e) < 0)
		return -1;
	p->priced = p->prices.input >= 0 && p->prices.output >= 0;
	return p->priced ? 0
			 : err_set(e, ERR_CONFIG,
			       "prices: must have input and output");
}

/* A header that is ours, or would hold a credential. */
static bool
reserved(const char *name)
{
	static const char *const names[] = {"authorization", "content-type",
	    "content-length", "host", "accept", "cookie", "x-api-key",
	    "api-key", "proxy-authorization", "transfer-encoding", "expect"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool
is_token(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("-_", *name))
			return false;
	return true;
}

static int
take_headers(struct profile *p, struct err *e)
{
	const struct json *headers = json_get(p->doc, "headers");

	if (headers && json_kind(headers) != JSON_OBJECT)
		return err_set(e, ERR_CONFIG, "headers: must be an object");
	for (const struct json *v = json_first(headers); v; v = json_next(v)) {
		const char *name = json_key(v), *value;
		struct buf line = {0};

		if (!is_token(name) || reserved(name))
			return err_set(e, ERR_CONFIG,
			    "headers.%s: may not be set here", name);
		if (entry_text(headers, name, &value, e) < 0)
			return err_in(e, "headers");
		if (p->header_count == PROFILE_HEADERS_MAX - 1)
			return err_set(e, ERR_CONFIG, "headers: more than %d",
			    PROFILE_HEADERS_MAX - 1);
		buf_fmt(&line, "%s: %s", name, value);
		p->header_texts[p->header_count] = buf_take(&line);
		p->headers[p->header_count] = p->header_texts[p->header_count];
		p->header_count++;
	}
	return 0;
}

static int
take_choices(struct profile *p, struct err *e)
{
	static const char *const tokens[] = {"max_tokens",
	    "max_completion_tokens", NULL};
	static const char *const echoes[] = {[ECHO_CALLS] = "calls",
	    [ECHO_NEVER] = "never",
	    [ECHO_ALWAYS] = "always",
	    NULL};
	const struct json *proxy = json_get(p->doc, "proxy");
	int token, echo;

	if (entry_word(p->doc, "token_parameter", tokens, &token, e) < 0 ||
	    entry_word(p->doc, "echo", echoes, &echo, e) < 0 ||
	    entry_text(p->doc, "effort", &p->effort, e) < 0)
		return -1;
	if (proxy && json_kind(proxy) != JSON_BOOL)
		return err_set(e, ERR_CONFIG, "proxy: must be true or false");
	p->token_parameter = tokens[token];
	p->echo = (enum profile_echo)echo;
	p->proxy = json_true(proxy);
	return 0;
}

static int
take_limits(struct profile *p, struct err *e)
{
	int64_t connect, idle, silent;

	if (entry_number(p->doc, "context", CONTEXT_MIN, CONTEXT_MAX, 0,
		&p->context, e) < 0 ||
	    entry_number(p->doc, "reserve", 1, p->context / 2, 0, &p->reserve,
		e) < 0 ||
	    entry_number(p->doc, "connect_s", 1, SECONDS_MAX, CONNECT_S,
		&connect, e) < 0 ||
	    entry_number(p->doc, "idle_s", 1, SECONDS_MAX, IDLE_S, &idle, e) <
		0 ||
	    entry_number(p->doc, "silent_s", 1, SECONDS_MAX,
		idle > SILENT_S ? idle : SILENT_S, &silent, e) < 0)
		return -1;
	p->connect_s = (int)connect;
	p->idle_s = (int)idle;
	p->silent_s = (int)silent;
	return 0;
}

static int
take_all(struct profile *p, const char *name, struct err *e)
{
	if (check_fields(p->doc, e) < 0 ||
	    entry_need(p->doc, "id", &p->id, e) < 0)
		return -1;
	if (strcmp(p->id, name) != 0)
		return err_set(e, ERR_CONFIG,
		    "id: '%s' is not the name of the file", p->id);
	if (take_protocol(p, e) < 0 || take_limits(p, e) < 0 ||
	    take_inputs(p, e) < 0 || take_key_env(p, e) < 0 ||
	    take_prices(p, e) < 0 || take_headers(p, e) < 0 ||
	    take_choices(p, e) < 0)
		return -1;
	if (p->protocol == PROTOCOL_EXTRACTIVE) {
		p->model = p->id;
		return 0;
	}
	return take_url(p, e) < 0 ||
		       entry_need(p->doc, "model", &p->model, e) < 0
		   ? -1
		   : 0;
}

int
profile_read(struct profile *p, const char *name, const char *text, size_t len,
    struct err *e)
{
	*p = (struct profile){0};
	if (json_object(&p->doc, text, len, e) < 0) {
		e->kind = ERR_CONFIG;
		return -1;
	}
	if (take_all(p, name, e) == 0)
		return 0;
	profile_release(p);
	return -1;
}

void
profile_release(struct profile *p)
{
	for (size_t i = 0; i < p->header_count; i++)
		free(p->header_texts[i]);
	free(p->url);
	json_free(p->doc);
	*p = (struct profile){0};
}
