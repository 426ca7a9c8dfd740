#ifndef STORE_HEALTH_H
#define STORE_HEALTH_H
/*
 * health - is the state folder fit for use? Each finding is handed out: what
 * was looked at, how it is, and what to do about it. Nothing is changed.
 */

#include <stdbool.h>

enum health { HEALTH_OK, HEALTH_WARN, HEALTH_FAIL };

struct finding {
	const char *what; /* "state folder" */
	enum health level;
	const char *text; /* how it is */
	const char *fix;  /* what to do; NULL if nothing */
};

typedef void health_fn(void *ctx, const struct finding *f);

/* Hand out a finding. */
void health_find(health_fn *put, void *ctx, enum health level, const char *what,
    const char *text, const char *fix);

/* The folder itself: is it there, ours alone, writable, with room. */
void health_folder(health_fn *put, void *ctx);

/* Each store: valid, of this version, private; with deep, every page. */
void health_stores(bool deep, health_fn *put, void *ctx);

/* The message index was made by the analyzer that this program has. */
void health_index(health_fn *put, void *ctx);

/* The settings, and whom they let in. */
void health_settings(health_fn *put, void *ctx);

/* Tasks that say they run, but nobody runs them. */
void health_tasks(health_fn *put, void *ctx);

/* Deletions that are not carried through all stores yet. */
void health_purge(health_fn *put, void *ctx);

/* The time of day, against that of the program's own file. */
void health_clock(health_fn *put, void *ctx);

const char *health_word(enum health level); /* "ok", "warn", "fail" */

struct buf;

/* The record {"type":"finding",...} of it, as a line. */
void health_write(struct buf *b, const struct finding *f);

#endif
