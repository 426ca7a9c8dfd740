#ifndef GUILD_MEMBER_H
#define GUILD_MEMBER_H
/* member - somebody of a guild, by what people call them. */

struct err;
struct json;
struct live;

/* A page of those whose name begins so; to be freed. */
int member_search(struct live *l, const char *name, struct json **page,
    struct err *e);

/*
 * The one that a text means: an id, a mention, or a name. 0 and *m, to be
 * freed; or ERR_INPUT, which names all that it could be.
 */
int member_find(struct live *l, const char *name, struct json **m,
    struct err *e);

#endif
