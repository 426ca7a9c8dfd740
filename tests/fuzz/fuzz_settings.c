#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "store/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* The settings file: what is accepted has a value of every setting. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct setting *known;
	struct settings s;
	struct err e = {0};
	struct buf b = {0};

	if (settings_read(&s, (const char *)data, len, &e) == 0)
		for (int i = 0; (known = settings_known(i)) != NULL; i++)
			settings_write(&b, &s, known);
	else if (e.kind != ERR_CONFIG || !e.text[0])
		abort();
	settings_close(&s);
	buf_release(&b);
	return 0;
}
