#ifndef STORE_EXPORT_H
#define STORE_EXPORT_H
/*
 * export - everything that is kept of a task, a record per row:
 * {"type":"kept","table":"note","n":1,"text":"...","at":"2026-..."}.
 *
 * Times are written as ISO 8601 under the name without "_ms" (created_ms is
 * "created_at"); a column that holds JSON is written as that JSON.
 *
 * What its files, artifacts and pictures hold comes last, each content once, in
 * pieces of a mebibyte of text: {"type":"kept","table":"content","hash":...,
 * "size":...,"from":0,"base64":"..."}; or with "error" for one that is damaged.
 */

#include <stdbool.h>

struct buf;
struct err;
struct store;

typedef int export_fn(void *ctx, struct buf *line, struct err *e);

/* Hand each record to put(), which empties the buffer. Stops if it fails. */
int export_task(struct store *s, const char *task, bool contents,
    export_fn *put, void *ctx, struct err *e);

#endif
