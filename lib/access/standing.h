#ifndef ACCESS_STANDING_H
#define ACCESS_STANDING_H
/*
 * standing - what somebody is, here: let in or not, an operator, a member of
 * the people that a grant or a rule is about. For access/decide and admission.
 *
 * Lines that say why are added to `why`, which may be NULL.
 */

#include <stdbool.h>

#include "core/err.h"

struct access_question;
struct access_ids;
struct buf;
struct settings;

enum standing { STANDING_NO, STANDING_MAYBE, STANDING_YES };

/* The person at the machine, or one whom $SOPHIA_OPERATORS names. */
bool standing_operator(const char *actor);

/* Are these the same id of Discord's? NULL is none. */
bool standing_same(const char *a, const char *b);
bool standing_in(const char *id, const struct access_ids *ids);

/* The guild that is changed, or read; NULL for none. */
const char *standing_guild(const struct access_question *q);

/*
 * Is the actor one of those: the user, or whoever has the role, in that guild?
 * Each may be NULL: no condition. MAYBE if their roles would say.
 */
enum standing standing_among(const struct access_question *q, const char *user,
    const char *role, const char *guild);

bool standing_enabled(const struct settings *s, const char *guild);

/* Is the place of the question enabled, and the guild that is changed? */
bool standing_open(const struct access_question *q, struct buf *why);

/* Is the actor let in there? MAYBE if their roles would say. */
enum standing standing_admitted(const struct access_question *q,
    struct buf *why);

/* Add a line. */
void standing_note(struct buf *why, const char *fmt, ...) FORMAT(2, 3);

#endif
