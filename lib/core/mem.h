#ifndef CORE_MEM_H
#define CORE_MEM_H
/*
 * mem - memory, or the end: with none left, these complain and exit 70.
 *
 * There is no use in carrying a failed allocation outward: the libraries we
 * stand on abort at it too, and every durable step is safe against a kill.
 * A ceiling on what grows from outside data is the caller's duty (see buf).
 */

#include <stddef.h>

void *mem_new(size_t size);                           /* zeroed; free() it */
void *mem_array(size_t count, size_t size);           /* zeroed; free() it */
void *mem_resize(void *p, size_t count, size_t size); /* the tail is not */
char *mem_dup(const char *text);                      /* NULL gives NULL */
char *mem_dupn(const char *text, size_t len);         /* NUL is added */
void mem_drop(const void *p); /* free what is ours but in a const field */

void mem_check(const void *p); /* of a library that answers NULL without any */

#endif
