#define _GNU_SOURCE /* memmem */
#include "ext/ws_hello.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/crypt.h"

/* Of RFC 6455, 1.3. */
static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
static const char accept[] = "\r\nsec-websocket-accept:";

void
ws_hello_ask(struct ws_hello *h, struct buf *b, const char *host,
    size_t host_len, const char *path)
{
	const uint64_t random[2] = {id_random(), id_random()};

	crypt_base64(h->key, random, sizeof(random));
	h->answer.limit = WS_ANSWER_MAX;
	buf_fmt(b, "GET %s HTTP/1.1\r\nHost: %.*s\r\n", path, (int)host_len,
	    host);
	buf_fmt(b,
	    "Upgrade: websocket\r\nConnection: Upgrade\r\n"
	    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n",
	    h->key);
}

/* What the server must answer to our key. */
static void
proof_of(const struct ws_hello *h, char proof[WS_PROOF + 1])
{
	unsigned char digest[CRYPT_SHA1];
	struct buf text = {0};

	buf_str(&text, h->key);
	buf_str(&text, guid);
	crypt_sha1(digest, text.data, text.len);
	crypt_base64(proof, digest, sizeof(digest));
	buf_release(&text);
}

static int
check(const struct ws_hello *h, const char *answer, struct err *e)
{
	const char *found = strcasestr(answer, accept);
	char proof[WS_PROOF + 1];

	if (strncmp(answer, "HTTP/1.1 101 ", 13) != 0)
		return err_set(e, ERR_REFUSED, "the server answers %.40s",
		    strncmp(answer, "HTTP/", 5) == 0 ? answer + 9 : "no HTTP");
	proof_of(h, proof);
	if (found)
		found += sizeof(accept) - 1;
	while (found && *found == ' ')
		found++;
	if (!found || strncmp(found, proof, WS_PROOF) != 0)
		return err_set(e, ERR_REFUSED,
		    "the server is no websocket's: its proof is wrong");
	return 1;
}

int
ws_hello_read(struct ws_hello *h, const char *bytes, size_t len, size_t *used,
    struct err *e)
{
	const size_t before = h->answer.len;
	const char *end;

	buf_add(&h->answer, bytes, len);
	if (h->answer.full)
		return err_set(e, ERR_REFUSED,
		    "the server's answer is endless");
	end = memmem(buf_text(&h->answer), h->answer.len, "\r\n\r\n", 4);
	if (!end)
		return 0;
	*used = (size_t)(end + 4 - h->answer.data) - before;
	h->answer.len = (size_t)(end + 2 - h->answer.data);
	h->answer.data[h->answer.len] = '\0';
	return check(h, h->answer.data, e);
}

void
ws_hello_release(struct ws_hello *h)
{
	buf_release(&h->answer);
}
