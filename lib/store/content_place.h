#ifndef STORE_CONTENT_PLACE_H
#define STORE_CONTENT_PLACE_H
/* content_place - for store/content alone: where large contents lie. */

#include <limits.h>

struct err;

#define CONTENT_LOCK "run/blob"

/* "STATE/blob/aa", and "STATE/blob/aa/HASH" */
int content_folder(char out[PATH_MAX], const char *hash, struct err *e);
int content_path(char out[PATH_MAX], const char *hash, struct err *e);

#endif
