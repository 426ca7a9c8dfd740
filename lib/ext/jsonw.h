#ifndef EXT_JSONW_H
#define EXT_JSONW_H
/*
 * jsonw - write JSON text into a buffer.
 *
 * Each call adds one value; inside an object it is given its key, inside an
 * array and at the top the key is NULL. Commas come by themselves. Objects and
 * arrays that were opened must be ended, in order:
 *
 *	jsonw_object(b, NULL);
 *	jsonw_str(b, "type", "delta");
 *	jsonw_str(b, "text", text);
 *	jsonw_line(b);            ends the object, and the line: one record
 *
 * Text     Whatever bytes come in, valid UTF-8 and no line break goes out.
 * Errors   Those of buf: a full buffer stays as it was; check b->full at the
 *          end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct json;

void jsonw_object(struct buf *b, const char *key);
void jsonw_end_object(struct buf *b);
void jsonw_array(struct buf *b, const char *key);
void jsonw_end_array(struct buf *b);
void jsonw_line(struct buf *b);

void jsonw_str(struct buf *b, const char *key, const char *text); /* or null */
void jsonw_strn(struct buf *b, const char *key, const char *text, size_t len);
void jsonw_opt(struct buf *b, const char *key, const char *text); /* or none */
void jsonw_int(struct buf *b, const char *key, int64_t n);
void jsonw_id(struct buf *b, const char *key, uint64_t id);     /* in quotes */
void jsonw_time(struct buf *b, const char *key, int64_t at_ms); /* ISO 8601 */
void jsonw_bool(struct buf *b, const char *key, bool value);
void jsonw_null(struct buf *b, const char *key);
void jsonw_value(struct buf *b, const char *key, const struct json *v);

/* Text that is JSON already, checked by whoever made it: number or value. */
void jsonw_raw(struct buf *b, const char *key, const char *text, size_t len);

#endif
