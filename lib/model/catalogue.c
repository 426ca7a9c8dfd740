#include "model/catalogue.h"

#include <string.h>

#include "core/buf.h"
#include "core/secret.h"
#include "ext/jsonw.h"

int
catalogue_key(const struct profile *p, enum catalogue_key *key, struct err *e)
{
	int got = p->key_env ? secret_is_set(p->key_env, e) : 0;

	*key = !p->key_env ? KEY_NONE : got > 0 ? KEY_SET : KEY_MISSING;
	return got < 0 ? -1 : 0;
}

const char *
catalogue_key_word(enum catalogue_key key)
{
	static const char *const words[] = {
	    [KEY_NONE] = "none",
	    [KEY_SET] = "set",
	    [KEY_MISSING] = "missing",
	};

	return words[key];
}

void
catalogue_write(struct buf *b, const struct profile *p, enum catalogue_key key)
{
	static const char *const inputs[] = {"text", "image", "audio"};

	jsonw_object(b, NULL);
	jsonw_str(b, "type", "profile");
	jsonw_str(b, "id", p->id);
	jsonw_str(b, "protocol", profile_protocol_word(p->protocol));
	jsonw_opt(b, "base_url", p->base_url);
	jsonw_str(b, "model", p->model);
	jsonw_int(b, "context", p->context);
	jsonw_int(b, "reserve", p->reserve);
	jsonw_array(b, "inputs");
	for (unsigned i = 0; i < 3; i++)
		if (p->inputs & 1U << i)
			jsonw_str(b, NULL, inputs[i]);
	jsonw_end_array(b);
	jsonw_opt(b, "key_env", p->key_env);
	jsonw_str(b, "key", catalogue_key_word(key));
	jsonw_line(b);
}
