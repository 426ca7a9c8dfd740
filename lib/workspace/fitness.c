#include "workspace/fitness.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "guest/guest.h"
#include "store/settings.h"
#include "workspace/engine.h"

static const char what[] = "sandbox";

static void
check_image(const struct settings *s, health_fn *put, void *ctx)
{
	const char *engine = settings_text(s, "sandbox.engine");
	const char *image = settings_text(s, "sandbox.image");
	struct buf label = {0}, text = {0};
	struct err e = {0};

	if (engine_image(engine, image, &label, &e) < 0) {
		health_find(put, ctx, HEALTH_FAIL, what, e.text, NULL);
	} else if (strtol(buf_text(&label), NULL, 10) != GUEST_VERSION) {
		buf_fmt(&text, "the image %s is of another version", image);
		health_find(put, ctx, HEALTH_FAIL, what, buf_text(&text),
		    "make sandbox-image makes it again");
	} else {
		buf_fmt(&text, "%s has the image %s", engine, image);
		health_find(put, ctx, HEALTH_OK, what, buf_text(&text), NULL);
	}
	buf_release(&label);
	buf_release(&text);
}

void
fitness_check(health_fn *put, void *ctx)
{
	struct settings s = {0};
	struct err none = {0};

	if (settings_open(&s, &none) < 0)
		return; /* health_settings() has said so */
	if (strcmp(settings_text(&s, "sandbox.enabled"), "on") == 0)
		check_image(&s, put, ctx);
	else
		health_find(put, ctx, HEALTH_OK, what, "off: no code is run",
		    NULL);
	settings_close(&s);
}
