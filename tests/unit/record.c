#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "record/answer.h"
#include "record/any.h"
#include "record/approval.h"
#include "record/call.h"
#include "record/control.h"
#include "record/decision.h"
#include "record/delta.h"
#include "record/done.h"
#include "record/error.h"
#include "record/part.h"
#include "record/paused.h"
#include "record/progress.h"
#include "record/proposal.h"
#include "record/result.h"
#include "record/task_status.h"
#include "record/turn.h"
#include "tap.h"

#define AGAIN(kind, word)                                                      \
	if (any_is(a, word)) {                                                 \
		struct kind x;                                                 \
		int rc = kind##_read(&x, a->root, e);                          \
		if (rc == 0)                                                   \
			kind##_write(out, &x);                                 \
		return rc;                                                     \
	}

static int
approval_again(struct buf *out, const struct any *a, struct err *e)
{
	struct approval x;
	int rc = approval_read(&x, a->root, e);

	if (rc == 0)
		approval_write(out, &x);
	approval_release(&x);
	return rc;
}

/* Read the record for what it is, and write it. */
static int
again(struct buf *out, const struct any *a, struct err *e)
{
	AGAIN(turn, "turn")
	AGAIN(task_status, "task")
	AGAIN(progress, "progress")
	AGAIN(delta, "delta")
	AGAIN(call, "call")
	AGAIN(result, "result")
	AGAIN(error, "error")
	if (any_is(a, "approval"))
		return approval_again(out, a, e);
	AGAIN(decision, "decision")
	AGAIN(answer, "answer")
	AGAIN(paused, "paused")
	AGAIN(done, "done")
	AGAIN(control, "hint")
	AGAIN(control, "cancel")
	AGAIN(control, "go")
	AGAIN(proposal, "proposal")
	AGAIN(part, "part")
	return err_set(e, ERR_INPUT, "another type");
}

/* What is written for a line, or why it could not be read. */
static const char *
line(const char *text, size_t len)
{
	static struct buf out;
	struct any a;
	struct err e = {0};

	buf_clear(&out);
	if (any_read(&a, text, len, &e) == 0)
		again(&out, &a, &e);
	any_release(&a);
	if (e.kind)
		buf_str(&out, e.text);
	else if (out.len)
		out.data[--out.len] = '\0';
	return buf_text(&out);
}

#define CONTEXT                                                                \
	"\"actor\":{\"id\":\"local\",\"name\":\"ada\"},"                       \
	"\"location\":{\"kind\":\"guild\",\"guild\":\"1\",\"channel\":\"2\"}"

#define BLOB "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Each as it is written, with every field it may have. */
static const char *const whole[] = {
    "{\"type\":\"turn\",\"id\":\"t1\"," CONTEXT ",\"visibility\":\"public\","
    "\"text\":\"hi\",\"attachments\":[{\"id\":\"3\"}],\"reply\":{\"a\":1.50},"
    "\"task\":\"k\",\"approval\":\"auto\",\"profile\":\"extractive\","
    "\"options\":{}}",
    "{\"type\":\"task\",\"id\":\"k\",\"turn\":\"t1\",\"state\":\"running\","
    "\"objective\":\"find it\"}",
    "{\"type\":\"progress\",\"task\":\"k\",\"id\":\"k.1\",\"text\":\"x\"}",
    "{\"type\":\"delta\",\"id\":\"r\",\"text\":\"\"}",
    "{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"finish\","
    "\"arguments\":{\"text\":\"x\"},\"tier\":\"scratch\",\"context\":{" CONTEXT
    ",\"task\":\"k\",\"turn\":\"t1\",\"visibility\":\"private\"}}",
    "{\"type\":\"result\",\"id\":\"k.1\",\"ok\":true,\"summary\":\"two\","
    "\"data\":[1,2],\"sources\":[],\"cursor\":\"c\",\"coverage\":{},"
    "\"reveal\":[\"x\"],\"artifacts\":[{\"id\":\"a\"}],"
    "\"media\":[{\"kind\":\"frame\",\"type\":\"image/png\","
    "\"name\":\"a.mp4\",\"blob\":\"" BLOB "\",\"at_ms\":1500}]}",
    "{\"type\":\"error\",\"id\":\"k.1\",\"kind\":\"again\",\"text\":\"x\","
    "\"code\":\"busy\",\"wait_ms\":5,\"effect\":\"unknown\","
    "\"candidates\":[]}",
    "{\"type\":\"approval\",\"id\":\"a\",\"task\":\"k\",\"turn\":\"t1\","
    "\"text\":\"x\",\"confirm\":true,"
    "\"expires\":\"2026-11-30T16:33:57.000Z\",\"items\":["
    "{\"call\":\"k.1\",\"n\":0,\"capability\":\"x\",\"tier\":\"destructive\","
    "\"confirm\":true,\"arguments\":{},\"category\":\"x\",\"text\":\"x\"},"
    "{\"call\":\"k.2\",\"n\":1,\"capability\":\"y\",\"tier\":\"write\","
    "\"category\":\"z\",\"text\":\"y\"}]}",
    "{\"type\":\"decision\",\"approval\":\"a\",\"verdict\":\"approve\","
    "\"by\":\"5\"}",
    "{\"type\":\"decision\",\"approval\":\"a\",\"verdict\":\"expired\"}",
    "{\"type\":\"answer\",\"task\":\"k\",\"turn\":\"t1\",\"text\":\"x\","
    "\"sources\":[{\"url\":\"x\"}]}",
    "{\"type\":\"answer\",\"task\":\"k\",\"turn\":\"t1\",\"text\":\"x\","
    "\"found\":false,\"sources\":[]}",
    "{\"type\":\"paused\",\"task\":\"k\",\"reason\":\"model\",\"text\":\"x\"}",
    "{\"type\":\"done\",\"task\":\"k\",\"turn\":\"t1\","
    "\"verdict\":\"cancelled\",\"reason\":\"x\",\"calls\":2,"
    "\"elapsed_ms\":30}",
    "{\"type\":\"hint\"}",
    "{\"type\":\"cancel\",\"id\":\"k.1\"}",
    "{\"type\":\"go\",\"id\":\"k.1\",\"n\":2}",
    "{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"x\","
    "\"arguments\":{},\"tier\":\"write\",\"phase\":\"check\",\"context\":{" CONTEXT
    ",\"visibility\":\"private\"}}",
    "{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"x\","
    "\"arguments\":{},\"tier\":\"write\",\"phase\":\"act\",\"nonce\":\"n\","
    "\"only\":[1,3],\"plan\":{},\"context\":{" CONTEXT
    ",\"visibility\":\"private\"}}",
    "{\"type\":\"proposal\",\"id\":\"k.1\",\"text\":\"x\",\"guild\":\"1\","
    "\"targets\":[{\"kind\":\"role\",\"id\":\"3\",\"above\":[\"4\"],\"below\":[]}],\"destination\":\"2\","
    "\"items\":[{\"n\":1,\"category\":\"a\",\"text\":\"b\"},"
    "{\"n\":2,\"category\":\"a\",\"text\":\"c\"}],\"plan\":{\"a\":1}}",
    "{\"type\":\"part\",\"id\":\"k.1\",\"n\":1,\"state\":\"failed\","
    "\"text\":\"x\",\"data\":{\"ids\":[]}}",
};

static void
test_cut(const char *text)
{
	int good = 0;

	for (size_t n = 0; n <= strlen(text); n++) {
		char *copy = malloc(n + 1); /* so that ASan sees its end */

		memcpy(copy, text, n);
		good += strcmp(line(copy, n), text) == 0;
		free(copy);
	}
	ok(good == 1, "cut at every byte, only the whole line is the record");
}

static void
test_faults(void)
{
#define LINE(text) line(text, strlen(text))
	same(LINE("{}"), "a record without a type", "a type is needed");
	same(LINE("{\"type\":7}"), "a record without a type", "it is text");
	same(LINE("{\"type\":\"delta\"}"), "delta: text is missing",
	    "a missing field is named");
	same(LINE("{\"type\":\"delta\",\"text\":null}"),
	    "delta: text is no text", "null is not a text");
	same(LINE("{\"type\":\"delta\",\"text\":\"x\",\"id\":null,\"new\":1}"),
	    "{\"type\":\"delta\",\"text\":\"x\"}",
	    "an optional null counts as missing, an unknown field as nothing");
	same(LINE("{\"type\":\"delta\",\"text\":\"x\",\"id\":5}"),
	    "delta: id is no text", "an optional field has its kind, too");
	same(LINE("{\"type\":\"cancel\"}"), "cancel: id is missing",
	    "a cancel needs an id");
	same(LINE("{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"x\","
		  "\"arguments\":{},\"tier\":\"write\",\"phase\":\"do\"}"),
	    "call: phase is none of the known words",
	    "an unknown phase is none");
	same(LINE("{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"x\","
		  "\"arguments\":{},\"tier\":\"write\",\"phase\":\"\"}"),
	    "call: phase is none of the known words", "nor is an empty one");
	same(LINE("{\"type\":\"call\",\"id\":\"k.1\",\"capability\":\"x\","
		  "\"arguments\":{},\"tier\":\"write\",\"phase\":\"act\"}"),
	    "call: nonce is missing", "who acts needs a nonce");
	same(LINE("{\"type\":\"proposal\",\"text\":\"x\",\"targets\":[],"
		  "\"destination\":\"@you\"}"),
	    "proposal: 'destination' is no id",
	    "a destination is a channel, or whoever asks");
	same(LINE("{\"type\":\"proposal\",\"text\":\"x\",\"targets\":["
		  "{\"kind\":\"role\",\"id\":\"../x\"}]}"),
	    "proposal: targets: id is no id", "a target is an id");
	same(LINE("{\"type\":\"proposal\",\"text\":\"x\",\"targets\":["
		  "{\"kind\":\"role\",\"id\":\"3\",\"above\":[4]}]}"),
	    "proposal: targets: above holds what is no id",
	    "what it is in are ids");
	same(LINE("{\"type\":\"proposal\",\"text\":\"x\",\"targets\":[],"
		  "\"items\":[{\"n\":2,\"category\":\"a\",\"text\":\"b\"}]}"),
	    "proposal: items are not numbered in order",
	    "items are numbered from 1");
	same(LINE("{\"type\":\"proposal\",\"text\":\"x\",\"targets\":[],"
		  "\"items\":[{\"n\":1,\"category\":\"a\",\"text\":\"b\"}]}"),
	    "proposal: a lone item", "one item is none");
#define MEDIA(item)                                                            \
	"{\"type\":\"result\",\"ok\":true,\"summary\":\"x\",\"media\":[{"      \
	"\"kind\":\"image\",\"type\":\"image/png\",\"name\":\"a\"," item "}]}"
	same(LINE(MEDIA("\"url\":\"https://x\"")),
	    "result: media: a url, where only blobs go",
	    "a tool shows only what is kept");
	same(LINE(MEDIA("\"blob\":\"../../etc/passwd\"")),
	    "result: media: blob is no SHA-256", "a blob is a hash");
	same(LINE(MEDIA("\"blob\":\"" BLOB "\",\"url\":\"https://x\"")),
	    "result: media: either a blob or a url, not both",
	    "there is one place for it");
	same(LINE(MEDIA("\"url\":\"file:///etc/passwd\"")),
	    "result: media: the url is not https", "an address is https");
	same(LINE(MEDIA("\"blob\":\"" BLOB "\",\"at_ms\":-1")),
	    "result: media: at_ms is before 0", "no time is before the start");
	same(LINE("{\"type\":\"paused\",\"task\":\"k\",\"reason\":\"tired\","
		  "\"text\":\"x\"}"),
	    "paused: reason is none of the known words",
	    "a word must be known");
	same(LINE("{\"type\":\"done\",\"task\":\"k\",\"turn\":\"t\","
		  "\"verdict\":\"failed\",\"calls\":1.5,\"elapsed_ms\":0}"),
	    "done: calls is no whole number", "a count is whole");
	same(LINE("{\"type\":\"turn\",\"id\":\"t\",\"actor\":{\"id\":\"1\"}}"),
	    "actor: name is missing", "a fault inside names the object");
	same(LINE("{\"type\":\"turn\",\"id\":\"t\",\"actor\":[]}"),
	    "turn: actor is no object", "a part has its kind");
}

static void
test_writing(void)
{
	struct buf b = {0};
	struct err e = {0};

	err_set(&e, ERR_UNKNOWN, "no reply");
	error_write_err(&b, "k.1", &e);
	same(buf_text(&b),
	    "{\"type\":\"error\",\"id\":\"k.1\",\"kind\":\"unknown\","
	    "\"text\":\"no reply\",\"effect\":\"unknown\"}\n",
	    "an error tells when its effect is not known");
	buf_clear(&b);
	result_write(&b, &(struct result){.id = "k.1",
			     .ok = true,
			     .summary = "a\nb",
			     .data.text = "{\"n\":1}"});
	same(buf_text(&b),
	    "{\"type\":\"result\",\"id\":\"k.1\",\"ok\":true,"
	    "\"summary\":\"a\\nb\",\"data\":{\"n\":1}}\n",
	    "data may be given as JSON text");
	buf_release(&b);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		same(line(whole[i], strlen(whole[i])), whole[i],
		    "a record is written as it was read");
		test_cut(whole[i]);
	}
	test_faults();
	test_writing();
	return tap_done();
}
