#include "workspace/shelf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/path.h"
#include "core/utf8.h"
#include "store/base.h"
#include "store/content.h"
#include "store/file.h"
#include "workspace/harvest.h"
#include "core/media.h"

/* Was it picked? `met` says of each pick whether it has a file. */
static bool
is_picked(const struct shelf_pick *pick, const char *path, bool *met)
{
	bool picked = !pick->count;

	for (size_t i = 0; i < pick->count; i++) {
		const size_t len = strlen(pick->paths[i]);

		if (len > strlen(path) ||
		    !path_clash(pick->paths[i], len, path, strlen(path)))
			continue;
		met[i] = picked = true;
	}
	return picked;
}

struct choice {
	char hashes[BUNDLE_FILES_MOST][CONTENT_HASH + 1];
	bool *met;
};

static int
add(struct choice *c, struct bundle *b, const struct file *f, struct err *e)
{
	if (!bundle_add(b, f->path, strlen(f->path), (uint64_t)f->size, e))
		return -1;
	memcpy(c->hashes[b->count - 1], f->hash, sizeof(f->hash));
	return 0;
}

static int
choose(struct choice *c, struct bundle *b, struct store *s, const char *task,
    const struct shelf_pick *pick, struct err *e)
{
	struct file_scan scan = {0};
	struct file f;
	int row, rc = 0;

	file_list(&scan, s, task);
	while (rc == 0 && (row = file_next(&scan, &f, e)) != 0)
		rc = row < 0                           ? -1
		     : is_picked(pick, f.path, c->met) ? add(c, b, &f, e)
						       : 0;
	file_end(&scan);
	for (size_t i = 0; rc == 0 && i < pick->count; i++)
		if (!c->met[i])
			rc = err_set(e, ERR_INPUT, "there is no file %.*s",
			    (int)utf8_cut(pick->paths[i],
				strlen(pick->paths[i]), 200),
			    pick->paths[i]);
	return rc;
}

/* Choose, and say who reads them, in one view of them. */
static int
choose_for(struct choice *c, struct bundle *b, struct store *s,
    const char *task, int64_t call, const struct shelf_pick *pick,
    struct err *e)
{
	int rc = store_begin(s, e);

	if (rc == 0)
		rc = choose(c, b, s, task, pick, e);
	for (size_t i = 0; rc == 0 && call && i < b->count; i++)
		rc = file_read_by(s, task, call, b->files[i].path, e);
	CRASH_POINT("shelf.take");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("shelf.take.done");
	store_rollback(s);
	return rc;
}

static int
fetch(const struct choice *c, struct bundle *b, struct store *s, struct err *e)
{
	for (size_t i = 0; i < b->count; i++)
		if (content_get(s, c->hashes[i], &b->files[i].bytes, e) < 0) {
			if (e->kind == ERR_INPUT) /* it went just now */
				e->kind = ERR_AGAIN;
			return -1;
		}
	return 0;
}

int
shelf_take(struct bundle *b, struct store *s, const char *task, int64_t call,
    const struct shelf_pick *pick, struct err *e)
{
	struct choice *c = mem_new(sizeof(*c));
	int rc;

	c->met = mem_array(pick->count + 1, sizeof(*c->met));
	rc = choose_for(c, b, s, task, call, pick, e);
	if (rc == 0)
		rc = fetch(c, b, s, e);
	free(c->met);
	free(c);
	return rc;
}

static int
stage(struct content_stage *stage, const struct bundle *b, struct err *e)
{
	for (size_t i = 0; i < b->count; i++)
		if (content_stage(stage, buf_text(&b->files[i].bytes),
			b->files[i].bytes.len, e) < 0)
			return -1;
	return 0;
}

/* What is gone goes first, so that a folder may take its place. */
static int
keep(struct store *s, const char *task, int64_t call, const struct harvest *h,
    struct err *e)
{
	const struct file_origin made = {.kind = FILE_CALL, .call = call};

	if (file_may_keep(s, task, call, e) < 0)
		return -1;
	for (size_t i = 0; i < h->before->count; i++)
		if (harvest_gone(h, i) &&
		    file_remove(s, task, h->before->files[i].path, e) < 0)
			return -1;
	for (size_t i = 0; i < h->changed.count; i++) {
		const struct bundle_file *f = &h->changed.files[i];
		const char *bytes = buf_text(&f->bytes);
		const char *type = media_type(bytes, f->bytes.len, f->path);

		if (file_put(s, task, f->path, type, bytes, f->bytes.len, &made,
			e) < 0)
			return -1;
	}
	return 0;
}

int
shelf_keep(struct store *s, const char *task, int64_t call,
    const struct harvest *h, struct err *e)
{
	struct content_stage staged = {0};
	int rc = stage(&staged, &h->changed, e);

	if (rc == 0)
		rc = store_begin(s, e);
	if (rc == 0)
		rc = keep(s, task, call, h, e);
	CRASH_POINT("shelf.keep");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("shelf.keep.done");
	store_rollback(s);
	content_unstage(&staged);
	if (rc == 0)
		content_tidy(s);
	if (rc < 0 && e->kind == ERR_INPUT)
		e->kind = ERR_REFUSED;
	return rc;
}
