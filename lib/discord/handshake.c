#include "discord/handshake.h"

#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/payload.h"
#include "ext/json.h"
#include "ext/jsonw.h"

enum {
	INTERVAL_MIN_MS = 100,
	INTERVAL_MAX_MS = 10 * 60 * 1000,
	RESET_MAX_MS = 24 * 60 * 60 * 1000,
};

bool
handshake_safe(const char *url)
{
	static const char *const here[] = {"127.0.0.1", "localhost", "[::1]"};

	if (strncmp(url, "wss://", 6) == 0)
		return url[6] && url[6] != '/' && !strpbrk(url, " \r\n\t@");
	if (strncmp(url, "ws://", 5) != 0 || strpbrk(url, " \r\n\t@"))
		return false;
	url += 5;
	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
		size_t len = strlen(here[i]);

		if (strncmp(url, here[i], len) == 0 &&
		    (!url[len] || strchr(":/", url[len])))
			return true;
	}
	return false;
}

void
handshake_address(struct buf *b, const char *url, bool compress)
{
	size_t len = strcspn(url, "?#");
	const char *host = strstr(url, "://");

	while (len && url[len - 1] == '/')
		len--;
	buf_add(b, url, len);
	if (!host || !memchr(host + 3, '/', len - (size_t)(host + 3 - url)))
		buf_char(b, '/');
	buf_str(b, "?v=10&encoding=json");
	if (compress)
		buf_str(b, "&compress=zlib-stream");
}

static void
open_payload(struct buf *b, int op)
{
	jsonw_object(b, NULL);
	jsonw_int(b, "op", op);
}

void
handshake_identify(struct buf *b, const struct handshake_identity *who)
{
	open_payload(b, OP_IDENTIFY);
	jsonw_object(b, "d");
	jsonw_str(b, "token", who->token);
	jsonw_int(b, "intents", (int64_t)who->intents);
	jsonw_object(b, "properties");
	jsonw_str(b, "os", "linux");
	jsonw_str(b, "browser", "sophia");
	jsonw_str(b, "device", "sophia");
	jsonw_end_object(b);
	if (who->shards) {
		jsonw_array(b, "shard");
		jsonw_int(b, NULL, who->shard);
		jsonw_int(b, NULL, who->shards);
		jsonw_end_array(b);
	}
	jsonw_end_object(b);
	jsonw_end_object(b);
}

void
handshake_resume(struct buf *b, const char *token, const char *id,
    int64_t sequence)
{
	open_payload(b, OP_RESUME);
	jsonw_object(b, "d");
	jsonw_str(b, "token", token);
	jsonw_str(b, "session_id", id);
	jsonw_int(b, "seq", sequence);
	jsonw_end_object(b);
	jsonw_end_object(b);
}

void
handshake_beat(struct buf *b, int64_t sequence)
{
	open_payload(b, OP_HEARTBEAT);
	if (sequence)
		jsonw_int(b, "d", sequence);
	else
		jsonw_null(b, "d");
	jsonw_end_object(b);
}

/* Copy a text that fits; false if it is missing, empty or too long. */
static bool
keep(char to[HANDSHAKE_TEXT], const struct json *in, const char *key)
{
	const char *text = json_string(in, key);
	size_t len = text ? strlen(text) : 0;

	if (!len || len >= HANDSHAKE_TEXT)
		return false;
	memcpy(to, text, len + 1);
	return true;
}

static int64_t
within(int64_t n, int64_t low, int64_t high)
{
	return n < low ? low : n > high ? high : n;
}

int
handshake_read_limit(struct handshake_limit *l, const char *text, size_t len,
    struct err *e)
{
	struct json *root = NULL;
	const struct json *limit;
	int result = 0;

	*l = (struct handshake_limit){0};
	if (json_object(&root, text, len, e) < 0)
		return err_in(e, "GET /gateway/bot");
	limit = json_get(root, "session_start_limit");
	l->shards = (int)within(json_int(root, "shards", 1), 1, 1 << 16);
	l->total = json_int(limit, "total", 1000);
	l->remaining = json_int(limit, "remaining", 1);
	l->reset_after_ms = within(json_int(limit, "reset_after", 0), 0,
	    RESET_MAX_MS);
	l->max_concurrency = (int)within(json_int(limit, "max_concurrency", 1),
	    1, 1 << 16);
	if (!keep(l->url, root, "url") || !handshake_safe(l->url))
		result = err_set(e, ERR_INPUT,
		    "GET /gateway/bot names no address of a gateway");
	json_free(root);
	return result;
}

int
handshake_read_ready(struct handshake_ready *r, const char *data, size_t len,
    struct err *e)
{
	struct json *root = NULL;
	int result = 0;

	*r = (struct handshake_ready){0};
	if (json_object(&root, data, len, e) < 0)
		return err_in(e, "READY");
	if (!keep(r->id, root, "session_id"))
		result = err_set(e, ERR_INPUT, "READY has no session_id");
	if (!keep(r->url, root, "resume_gateway_url") ||
	    !handshake_safe(r->url))
		r->url[0] = '\0';
	if (!keep(r->user, json_get(root, "user"), "username"))
		r->user[0] = '\0';
	r->guilds = json_count(json_get(root, "guilds"));
	json_free(root);
	return result;
}

int64_t
handshake_interval_ms(const char *data, size_t len)
{
	struct json *root = NULL;
	struct err e = {0};
	int64_t ms = 0;

	if (json_object(&root, data, len, &e) == 0)
		ms = json_int(root, "heartbeat_interval", 0);
	json_free(root);
	return ms < INTERVAL_MIN_MS || ms > INTERVAL_MAX_MS ? 0 : ms;
}
