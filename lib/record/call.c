#include "record/call.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const phases[] = {"check", "act", NULL};

static enum phase
phase_take(struct field *f)
{
	if (!field_any_opt(f, "phase"))
		return PHASE_NONE;
	return (enum phase)(PHASE_CHECK + field_word(f, "phase", phases));
}

int
call_read(struct call *c, const struct json *root, struct err *e)
{
	struct field f;

	*c = (struct call){0};
	field_start(&f, root, "call", e);
	c->id = field_str(&f, "id");
	c->capability = field_str(&f, "capability");
	c->arguments.tree = field_object(&f, "arguments");
	c->tier = tier_take(&f);
	c->phase = phase_take(&f);
	c->nonce = c->phase == PHASE_ACT ? field_str(&f, "nonce") : NULL;
	c->only.tree = field_array_opt(&f, "only");
	c->plan.tree = field_object_opt(&f, "plan");
	context_take(&c->context, &f);
	return field_end(&f);
}

void
call_write(struct buf *b, const struct call *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "call");
	jsonw_str(b, "id", c->id);
	jsonw_str(b, "capability", c->capability);
	value_write_or(b, "arguments", &c->arguments, "{}");
	jsonw_str(b, "tier", tier_word(c->tier));
	if (c->phase != PHASE_NONE)
		jsonw_str(b, "phase", phases[c->phase - PHASE_CHECK]);
	jsonw_opt(b, "nonce", c->nonce);
	value_write(b, "only", &c->only);
	value_write(b, "plan", &c->plan);
	context_write(b, &c->context);
	jsonw_line(b);
}
