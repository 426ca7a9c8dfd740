#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H
/*
 * profile - which model to ask, where, and in what dialect. The format is
 * sophia-models(5).
 *
 * A profile is STATE/models/NAME.json, else SHARE/models/NAME.json; the first
 * one hides the other as a whole. It never holds a credential, only the name of
 * the environment variable that does.
 *
 * Memory   {0} is no profile; profile_release() frees one.
 * Errors   ERR_CONFIG that names file and field; an unknown field is one, too.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct json;

enum profile_protocol {
	PROTOCOL_EXTRACTIVE, /* no model: quote what a search finds */
	PROTOCOL_CHAT,       /* chat completions over HTTP */
};

enum profile_echo {
	ECHO_CALLS,  /* reasoning goes back with turns that called tools */
	ECHO_NEVER,  /* the provider refuses to see it */
	ECHO_ALWAYS, /* with every turn */
};

enum { /* what may be sent, profile.inputs */
	INPUT_TEXT = 1,
	INPUT_IMAGE = 2,
	INPUT_AUDIO = 4,
};

enum { PROFILE_HEADERS_MAX = 16, PROFILE_NAME_MAX = 64 };

/* US dollars per million tokens, in millionths; -1 if not known. */
struct profile_prices {
	int64_t input, cached, output;
};

struct profile {
	struct json *doc; /* private: most texts below are borrowed from it */
	const char *id;
	enum profile_protocol protocol;
	const char *base_url; /* without a slash at its end */
	const char *model;
	const char *key_env;      /* NULL: no key is sent */
	int64_t context, reserve; /* tokens: whole window, kept for output */
	unsigned inputs;
	const char *effort; /* of reasoning; NULL: not said */
	bool priced;
	struct profile_prices prices;
	const char *headers[PROFILE_HEADERS_MAX]; /* "Name: value"; to NULL */
	size_t header_count;
	const char *token_parameter; /* "max_tokens" or its successor */
	enum profile_echo echo;
	bool proxy;            /* honour the proxy of the environment */
	int connect_s, idle_s; /* limits: to connect; without a byte; */
	int silent_s;          /* with nothing but signs of life */
	char *url;             /* private */
	char *header_texts[PROFILE_HEADERS_MAX];
};

/* Read one from its text; file is what an error calls it. */
int profile_read(struct profile *p, const char *name, const char *text,
    size_t len, struct err *e);

/* Find it by name. */
int profile_load(struct profile *p, const char *name, struct err *e);

void profile_release(struct profile *p); /* harmless on {0}, or twice */

/* Add the names of all profiles, a line each, sorted; returns how many. */
int profile_names(struct buf *names, struct err *e);

const char *profile_protocol_word(enum profile_protocol protocol);

#endif
