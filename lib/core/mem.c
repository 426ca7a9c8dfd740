#include "core/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/log.h"

_Noreturn static void
none_left(size_t size)
{
	struct err e = {0};

	if (size)
		err_set(&e, ERR_INTERNAL, "no memory for %zu bytes", size);
	else
		err_set(&e, ERR_INTERNAL, "no memory for a library");
	log_complain(&e);
	exit(ERR_INTERNAL);
}

void *
mem_array(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		none_left(count * size);
	return p;
}

void *
mem_new(size_t size)
{
	return mem_array(1, size);
}

void *
mem_resize(void *p, size_t count, size_t size)
{
	void *q = NULL;

	if (!size || count <= SIZE_MAX / size)
		q = realloc(p, count && size ? count * size : 1);
	if (!q)
		none_left(count);
	return q;
}

char *
mem_dupn(const char *text, size_t len)
{
	char *p = mem_new(len + 1);

	memcpy(p, text, len);
	return p;
}

char *
mem_dup(const char *text)
{
	return text ? mem_dupn(text, strlen(text)) : NULL;
}

void
mem_check(const void *p)
{
	if (!p)
		none_left(0);
}

void
mem_drop(const void *p)
{
	union {
		const void *in;
		void *out;
	} u = {.in = p};

	free(u.out);
}
