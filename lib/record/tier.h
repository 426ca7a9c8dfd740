#ifndef RECORD_TIER_H
#define RECORD_TIER_H
/*
 * tier - how much a capability can change, from nothing to what can't be
 * taken back. The words are those of manifests, calls and approvals.
 */

struct buf;
struct field;

enum tier { TIER_READ, TIER_SCRATCH, TIER_WRITE, TIER_DESTRUCTIVE };

const char *tier_word(enum tier t);
enum tier tier_of(const char *word);  /* of no such word: the highest one */
enum tier tier_take(struct field *f); /* the field "tier" */

#endif
