#include "runtime/pictures.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "access/attached.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "model/gallery.h"
#include "model/profile.h"
#include "record/exhibit.h"
#include "runtime/dialog.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/picture.h"
#include "store/runner.h"

enum {
	ATTACHED_MOST = 10,  /* of a message: Discord takes no more */
	ARTIFACTS_MOST = 50, /* told of */
};

struct showing { /* a message that is being made; its list borrows */
	struct buf text;
	struct exhibit list[GALLERY_MOST];
	size_t count;
};

/* ---- files of a message ---- */

static bool
is_picture(const char *type)
{
	static const char *const types[] = {"image/png", "image/jpeg",
	    "image/gif", "image/webp"};

	for (size_t i = 0; type && i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

/* Why it is not shown, or NULL if it is. */
static const char *
why_not(const struct json *file, size_t shown, int64_t now_ms)
{
	const char *url = json_string(file, "url");

	if (!is_picture(json_string(file, "type")))
		return "it is no picture";
	if (json_int(file, "size", 0) > GALLERY_PICTURE)
		return "it is too large";
	if (!url || !attached_opens(url, now_ms))
		return "its address does not hold any more";
	return shown == GALLERY_MOST ? "there are too many" : NULL;
}

static void
add_attached(struct showing *s, const struct json *file, int64_t now_ms)
{
	const char *name = json_string(file, "name");
	const char *why = why_not(file, s->count, now_ms);

	jsonw_object(&s->text, NULL);
	jsonw_opt(&s->text, "attachment", json_string(file, "id"));
	jsonw_str(&s->text, "name", name ? name : "");
	jsonw_opt(&s->text, "type", json_string(file, "type"));
	jsonw_int(&s->text, "size", json_int(file, "size", 0));
	jsonw_opt(&s->text, "description", json_string(file, "description"));
	jsonw_opt(&s->text, "not_shown", why);
	jsonw_line(&s->text);
	if (!why)
		s->list[s->count++] = (struct exhibit){
		    .kind = EXHIBIT_IMAGE,
		    .type = json_string(file, "type"),
		    .name = name ? name : "",
		    .url = json_string(file, "url"),
		};
}

void
pictures_attached(struct dialog *d, const char *lead,
    const struct json *attachments, int64_t now_ms)
{
	const struct json *file = json_first(attachments);
	struct showing s = {0};

	if (!file)
		return;
	buf_str(&s.text, lead);
	for (size_t i = 0; file && i < ATTACHED_MOST; i++) {
		add_attached(&s, file, now_ms);
		file = json_next(file);
	}
	dialog_show(d, "source", buf_text(&s.text), s.list, s.count);
	buf_release(&s.text);
}

/* ---- artifacts ---- */

/* Those that have a copy to show, the newest last. */
struct copies {
	struct exhibit list[GALLERY_MOST]; /* texts are its own */
	int64_t versions[GALLERY_MOST];
	size_t count;
};

static void
drop_first(struct copies *c)
{
	mem_drop(c->list[0].type);
	mem_drop(c->list[0].name);
	mem_drop(c->list[0].blob);
	c->count--;
	memmove(c->list, c->list + 1, c->count * sizeof(*c->list));
	memmove(c->versions, c->versions + 1, c->count * sizeof(*c->versions));
}

static void
add_copy(struct copies *c, const struct artifact *a)
{
	if (!*a->wire || !is_picture(a->wire_media))
		return;
	if (c->count == GALLERY_MOST)
		drop_first(c);
	c->versions[c->count] = a->version;
	c->list[c->count++] = (struct exhibit){
	    .kind = EXHIBIT_IMAGE,
	    .type = mem_dup(a->wire_media),
	    .name = mem_dup(a->filename),
	    .blob = mem_dup(a->wire),
	};
}

/* Which of them follow, in their order. */
static void
name_copies(struct buf *text, const struct copies *c)
{
	for (size_t i = 0; i < c->count; i++) {
		jsonw_object(text, NULL);
		jsonw_str(text, "picture", c->list[i].name);
		jsonw_int(text, "version", c->versions[i]);
		jsonw_line(text);
	}
}

int
pictures_artifacts(struct dialog *d, const struct runner *r, struct err *e)
{
	struct artifact_scan scan = {0};
	struct copies copies = {.count = 0};
	struct artifact a;
	struct buf text = {0};
	bool any = false;
	int row;

	buf_str(&text, "[source: what earlier calls of this task handed over, "
		       "and the newest pictures of it]\n");
	artifact_list(&scan, r->store, r->task, 0, ARTIFACTS_MOST);
	while ((row = artifact_next(&scan, &a, e)) > 0) {
		artifact_describe(&text, NULL, &a);
		buf_char(&text, '\n');
		add_copy(&copies, &a);
		any = true;
	}
	artifact_end(&scan);
	name_copies(&text, &copies);
	if (row == 0 && any)
		dialog_show(d, "source", buf_text(&text), copies.list,
		    copies.count);
	while (copies.count)
		drop_first(&copies);
	buf_release(&text);
	return row < 0 ? -1 : 0;
}

/* ---- what calls gave ---- */

static void
add_given(struct buf *text, const struct exhibit *x, const char *call)
{
	jsonw_object(text, NULL);
	jsonw_str(text, x->kind == EXHIBIT_FRAME ? "frame" : "picture",
	    x->name);
	if (x->kind == EXHIBIT_FRAME)
		jsonw_int(text, "at_ms", x->at_ms);
	jsonw_opt(text, "call", call);
	jsonw_line(text);
}

/* Those of one record that are the task's; the list is to be freed. */
static int
read_own(struct exhibit **list, size_t *count, const struct runner *r,
    const struct json *record, struct err *e)
{
	struct err bad = {0}; /* result_read() has seen it */
	size_t all, own = 0;
	int is = 0;

	*count = 0;
	if (exhibits_read(list, &all, json_get(record, "media"), &bad) < 0)
		return 0;
	for (size_t i = 0; i < all && is >= 0; i++) {
		const struct exhibit x = (*list)[i];

		is = picture_is_own(r->store, r->task, x.blob, e);
		if (is > 0)
			(*list)[own++] = x;
		else if (is == 0)
			log_warn("call %s gave a picture of another task",
			    json_string(record, "id"));
	}
	*count = own;
	return is < 0 ? -1 : 0;
}

int
pictures_given(struct dialog *d, const struct runner *r,
    struct json *const *records, size_t count, struct err *e)
{
	struct exhibit *all = NULL;
	struct buf text = {0};
	size_t n = 0;
	int rc = 0;

	buf_str(&text, "[source: pictures that these calls gave]\n");
	for (size_t i = 0; i < count && rc == 0; i++) {
		struct exhibit *list = NULL;
		size_t more;

		rc = read_own(&list, &more, r, records[i], e);
		all = mem_resize(all, n + more + 1, sizeof(*all));
		for (size_t k = 0; k < more; k++) {
			all[n] = list[k];
			add_given(&text, &all[n++],
			    json_string(records[i], "id"));
		}
		free(list);
	}
	if (rc == 0 && n)
		dialog_show(d, "source", buf_text(&text), all, n);
	free(all);
	buf_release(&text);
	return rc;
}
