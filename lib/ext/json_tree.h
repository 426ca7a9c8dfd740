#ifndef EXT_JSON_TREE_H
#define EXT_JSON_TREE_H
/*
 * json_tree - what a struct json is inside; for json*.c alone.
 *
 * Memory   a tree lives in chunks, in the order it was read; freeing those is
 *          freeing it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "ext/json.h"

enum { JSON_CHUNK = 4096 };

struct json {
	enum json_kind kind;
	unsigned count; /* of items or members; 1 for the value true */
	const char *key;
	struct json *next;
	union {
		const char *text;   /* string, number */
		struct json *first; /* array, object */
	} u;
};

struct json_chunk {
	struct json_chunk *older;
	size_t size;
	char bytes[];
};

struct json_doc {
	struct json root; /* first, so that a root is its document */
	struct json_chunk *chunks;
	char *at;
	size_t left;
};

/* Room in the document, aligned for a struct json. */
void *json_doc_new(struct json_doc *d, size_t size);

/* A copy of text, NUL-terminated, each NUL inside it replaced by U+FFFD. */
const char *json_doc_text(struct json_doc *d, const unsigned char *text,
    size_t len);

/* Give memory back, but with keep one small chunk, for the next tree. */
void json_doc_empty(struct json_doc *d, bool keep);

/*
 * The common case, twice as fast as yajl: JSON to the letter of RFC 8259, in
 * valid UTF-8, not too deep. 0 and the tree in *d; or -1 for anything else,
 * which may be JSON or not: yajl decides and explains. What this accepts, yajl
 * reads as the same tree (tests/fuzz/fuzz_json_fast.c holds it to that).
 *
 * It is here for one goal, an import at half the speed of the bare load (make
 * bench-index). 100,000 messages of 748 bytes, on two busy cores: 53,700 to
 * 57,800 messages a CPU second, .45 to .52 of the bare load; with yajl alone
 * 42,100 to 47,000 and .39 to .43. That takes 12 % more instructions, and 9 %
 * more if the white space is dropped before (callgrind, 3,000 messages).
 */
int json_fast(struct json_doc *d, const char *text, size_t len);

#endif
