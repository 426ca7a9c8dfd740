#include <stdlib.h>
#include <string.h>

#include "converse/card_show.h"
#include "core/buf.h"
#include "core/err.h"
#include "discord/ballot.h"
#include "ext/json.h"
#include "store/approval.h"

#include "tap.h"

enum { MANY = 60 };

static struct approval_item items[MANY];
static bool chosen[MANY];
static char texts[MANY][3000];
static char id[] = "01k2jv4c7q9x3m5n8r0s";

/* An approval of so many items, whose texts are so long. */
static struct approval_row
row_of(size_t count, size_t len, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = (size_t)snprintf(texts[i], sizeof(texts[i]),
		    "%s%zu", text, i + 1);

		for (; at < len; at++)
			texts[i][at] = "@*"[at % 2];
		texts[i][at] = '\0';
		items[i] = (struct approval_item){.category = "kind",
		    .text = texts[i]};
		chosen[i] = true;
	}
	return (struct approval_row){
	    .x = {.id = id,
		.text = count > 1 ? "all of these" : texts[0],
		.expires_ms = 60000,
		.items = items,
		.count = count},
	    .chosen = chosen};
}

/* The body of a view; *content is borrowed from it. */
static struct json *
body(const struct card_view *v, bool file, const char **content)
{
	struct buf b = {0};
	struct json *root = NULL;
	struct err e = {0};

	card_write(&b, v, file);
	if (json_object(&root, buf_text(&b), b.len, &e) < 0)
		printf("# %s: %s\n", e.text, buf_text(&b));
	*content = json_string(root, "content");
	buf_release(&b);
	return root;
}

static void
says(const struct card_view *v, const char *want, const char *name)
{
	const char *content;
	struct json *root = body(v, false, &content);

	same(content, want, name);
	json_free(root);
}

static void
test_words(void)
{
	struct approval_row r = row_of(1, 0, "paint ");
	struct card_view v = {.row = &r};
	struct buf b = {0};

	says(&v, "**May I do this?** Decide until <t:60:t>\npaint 1\n",
	    "a single thing is said once");
	ok(!card_file(&b, &v), "and needs no file");
	r = row_of(2, 0, "paint ");
	r.x.confirm = items[1].confirm = true;
	says(&v,
	    "**May I do this?** Decide until <t:60:t>\nall of these\n"
	    "`1` paint 1\n`2` \xe2\x9a\xa0 paint 2\n"
	    "-# \xe2\x9a\xa0 can't be taken back\n",
	    "several are listed, with what can't be taken back");
	chosen[0] = false;
	v.sure = true;
	says(&v,
	    "**Are you sure?** What is marked with \xe2\x9a\xa0 can't be taken "
	    "back. It is about 1 of 2:\nall of these\n"
	    "~~`1` paint 1~~\n`2` \xe2\x9a\xa0 paint 2\n",
	    "the second question is about what was chosen");
	v.sure = false;
	r.decided = true;
	r.verdict = VERDICT_APPROVE;
	says(&v,
	    "**Approved**, 1 of 2\nall of these\n"
	    "~~`1` paint 1~~\n`2` \xe2\x9a\xa0 paint 2\n",
	    "what was approved is what is not struck out");
}

static void
test_strangers(void)
{
	struct approval_row r = row_of(1, 0,
	    "**a**\n`1` <@5> @here \xe2\x80\xae"
	    "b https://x \x1b[0m");
	struct card_view v = {.row = &r};

	says(&v,
	    "**May I do this?** Decide until <t:60:t>\n"
	    "\\*\\*a\\*\\* \\`1\\` \\<\\@\xe2\x80\x8b"
	    "5\\> \\@\xe2\x80\x8bhere \\\\u{202E}b "
	    "h\xe2\x80\x8bttps\\://x \\\\u{1B}\\[0m1\n",
	    "words of strangers are no markup, mention, link or new line");
}

/* Whatever the size of the texts, it can be sent, and nothing is unseen. */
static void
test_sizes(void)
{
	static const size_t lengths[] = {10, 60, 300, 2900};
	static const size_t counts[] = {1, 2, 25, 26, MANY};
	size_t longest = 0, unseen = 0, wide = 0;

	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 5; k++)
			for (size_t page = 0; page * 25 < counts[k]; page++) {
				struct approval_row r = row_of(counts[k],
				    lengths[i], "n");
				struct card_view v = {.row = &r, .page = page};
				struct buf file = {0};
				const char *content;
				bool filed = card_file(&file, &v);
				struct json *root = body(&v, filed, &content);

				if (strlen(content) > longest)
					longest = strlen(content);
				unseen += strstr(content, "...") && !filed;
				unseen += counts[k] > 25 && !filed;
				for (size_t n = 0; filed && n < counts[k]; n++)
					unseen += !strstr(buf_text(&file),
					    texts[n]);
				wide += json_count(
					    json_get(root, "components")) > 5;
				json_free(root);
				buf_release(&file);
			}
	ok(longest <= 2000, "a card is never too long");
	ok(unseen == 0, "what it leaves out is in the file");
	ok(wide == 0, "there are no more rows than Discord takes");
}

static void
test_controls(void)
{
	struct approval_row r = row_of(2, 0, "paint ");
	struct card_view v = {.row = &r,
	    .ephemeral = true,
	    .nonce = "n",
	    .reply = "5"};
	const char *content;
	struct json *root = body(&v, false, &content);

	ok(json_count(json_get(root, "components")) == 2, "it has controls");
	ok(json_int(root, "flags", 0) == 64, "one person sees it");
	ok(json_bool(root, "enforce_nonce", false), "once");
	ok(json_count(json_get(json_get(root, "allowed_mentions"), "parse")) ==
		0,
	    "and nobody is mentioned");
	json_free(root);
	r.decided = true;
	root = body(&v, false, &content);
	ok(json_kind(json_get(root, "components")) == JSON_ARRAY &&
		json_count(json_get(root, "components")) == 0,
	    "once it is decided the controls go");
	json_free(root);
}

int
main(void)
{
	test_words();
	test_strangers();
	test_sizes();
	test_controls();
	return tap_done();
}
