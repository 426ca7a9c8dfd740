/*
 * What people see of a message comes out as its words: held to Discord's own
 * examples, whose texts are looked for by another walk than the one that reads
 * them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/message.h"

#include "tap.h"

/* The words of a message object, given as JSON. */
static const char *
words_of(const char *text, size_t len)
{
	static struct buf words;
	struct message m = {0};
	struct json *v = NULL;
	struct err e = {0};

	buf_clear(&words);
	if (json_object(&v, text, len, &e) == 0 && raw_read(&m, v, &e) == 0)
		message_words(&words, &m);
	else
		buf_fmt(&words, "(%s)", e.text);
	message_release(&m);
	json_free(v);
	return buf_text(&words);
}

static bool
is_shown(const char *key)
{
	static const char *const keys[] = {"content", "label", "placeholder",
	    "description", "title", "question", "text", "filename", NULL};

	for (int i = 0; key && keys[i]; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* How many texts that are shown are not among the words; *all counts them. */
static int
missing(const struct json *v, const char *words, int *all)
{
	int lacks = 0;

	if (json_kind(v) == JSON_STRING && is_shown(json_key(v)) &&
	    *json_text(v)) {
		++*all;
		if (strstr(words, json_text(v)))
			return 0;
		printf("# lacks %s: %s\n", json_key(v), json_text(v));
		return 1;
	}
	if (json_kind(v) != JSON_OBJECT && json_kind(v) != JSON_ARRAY)
		return 0;
	for (const struct json *x = json_first(v); x; x = json_next(x))
		lacks += missing(x, words, all);
	return lacks;
}

/* An example body, made a message of; 0 if it has no components. */
static int
check_example(const char *path, int *all)
{
	static const char *const taken[] = {"content", "components", "embeds",
	    "poll", "flags"};
	struct buf text = {0}, made = {0};
	struct json *v = NULL;
	struct err e = {0};
	int lacks = 0;

	if (file_read(&text, path, &e) < 0 ||
	    json_object(&v, buf_text(&text), text.len, &e) < 0 ||
	    !json_get(v, "components") || json_get(v, "custom_id"))
		goto out;
	jsonw_object(&made, NULL);
	jsonw_str(&made, "id", "1");
	jsonw_str(&made, "channel_id", "2");
	jsonw_object(&made, "author");
	jsonw_str(&made, "id", "3");
	jsonw_end_object(&made);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		if (json_get(v, taken[i]))
			jsonw_value(&made, taken[i], json_get(v, taken[i]));
	jsonw_end_object(&made);
	lacks = missing(v, words_of(buf_text(&made), made.len), all);
out:
	buf_release(&text);
	buf_release(&made);
	json_free(v);
	return lacks;
}

static void
test_examples(void)
{
	const char *root = getenv("SOPHIA_FIXTURES");
	char folder[PATH_MAX], path[PATH_MAX + 256];
	int lacks = 0, all = 0;
	struct dirent *d;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/discord/docs-examples",
	    root ? root : "../shared/fixtures");
	dir = opendir(folder);
	if (!dir) {
		tap_skip("Discord's examples are not there");
		return;
	}
	while ((d = readdir(dir)))
		if (strstr(d->d_name, "components__")) {
			snprintf(path, sizeof(path), "%s/%s", folder,
			    d->d_name);
			lacks += check_example(path, &all);
		}
	closedir(dir);
	ok(lacks == 0,
	    "every text in Discord's examples of components is read");
	ok(all >= 40, "and they hold many");
	printf("# %d texts\n", all);
}

#define HEAD "{\"id\":\"1\",\"channel_id\":\"2\",\"author\":{\"id\":\"3\"},"

static void
reads(const char *rest, const char *want, const char *name)
{
	struct buf text = {0};

	buf_fmt(&text, "%s%s}", HEAD, rest);
	same(words_of(buf_text(&text), text.len), want, name);
	buf_release(&text);
}

static void
test_kinds(void)
{
	reads("\"content\":\"hi\",\"attachments\":[{\"id\":\"4\",\"filename\":"
	      "\"f.png\",\"title\":\"F!\",\"description\":\"a cat\"}]",
	    "hi\nF!\nf.png\na cat", "files by title, name and description");
	reads("\"sticker_items\":[{\"id\":\"4\",\"name\":\"wave\","
	      "\"format_type\":1}]",
	    "wave", "stickers by their names");
	reads("\"poll\":{\"question\":{\"text\":\"Q?\"},\"answers\":[{"
	      "\"answer_id\":1,\"poll_media\":{\"text\":\"A\"}},{"
	      "\"answer_id\":2,\"poll_media\":{\"emoji\":{\"id\":null,"
	      "\"name\":\"\xf0\x9f\x91\x8d\"}}}]}",
	    "Q?\nA\n\xf0\x9f\x91\x8d", "polls, also answers that are an emoji");
	reads("\"components\":[{\"type\":17,\"components\":[{\"type\":9,"
	      "\"components\":[{\"type\":10,\"content\":\"T\"}],"
	      "\"accessory\":{\"type\":11,\"media\":{\"url\":\"u\"},"
	      "\"description\":\"D\"}},{\"type\":12,\"items\":[{"
	      "\"description\":\"I\"}]},{\"type\":13,\"name\":\"n.txt\","
	      "\"file\":{\"url\":\"attachment://n.txt\"}},{\"type\":1,"
	      "\"components\":[{\"type\":3,\"placeholder\":\"P\",\"options\":["
	      "{\"label\":\"L\",\"value\":\"no\",\"description\":\"O\"}]}]}]}]",
	    "T\nD\nI\nn.txt\nP\nL\nO",
	    "components, however deep, with what stands beside them");
	reads("\"message_snapshots\":[{\"message\":{\"content\":\"sent on\","
	      "\"attachments\":[{\"id\":\"4\",\"filename\":\"f\"}],\"embeds\":"
	      "[{\"title\":\"E\"}],\"sticker_items\":[{\"name\":\"s\"}],"
	      "\"components\":[{\"type\":10,\"content\":\"C\"}]}}]",
	    "sent on\nf\nE\ns\nC", "a forwarded message with all of that");
	reads("\"content\":null,\"components\":null,\"embeds\":null,"
	      "\"poll\":null,\"attachments\":null,\"message_snapshots\":null",
	    "", "null is as good as nothing");
	reads("\"components\":[1,\"x\",null,{\"accessory\":[]},"
	      "{\"component\":\"x\"}],\"poll\":[],\"embeds\":{\"a\":1}",
	    "", "and so is what has the wrong shape");
}

int
main(void)
{
	test_kinds();
	test_examples();
	return tap_done();
}
