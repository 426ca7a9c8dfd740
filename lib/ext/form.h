#ifndef EXT_FORM_H
#define EXT_FORM_H
/*
 * form - multipart/form-data for libcurl; for http.c alone.
 *
 * Memory   A form belongs to one request, whose handle (a CURL) must be cleaned
 *          up before form_free().
 * Errors   ERR_CONFIG for a file that can't be read.
 */

#include <stddef.h>

struct err;
struct http_part;

void *form_new(void *easy, const struct http_part *parts, size_t count,
    struct err *e);         /* NULL and *e */
void form_free(void *form); /* NULL is allowed */

#endif
