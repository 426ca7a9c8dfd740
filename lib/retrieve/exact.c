#include "retrieve/exact.h"

#include <stdbool.h>

#include "core/err.h"
#include "ext/rank.h"
#include "retrieve/corpus.h"
#include "retrieve/wish.h"
#include "retrieve/scope.h"
#include "retrieve/query.h"

static void
add_all(struct ords *to, const struct rank_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		ords_add(to, list->hits[i].ord);
}

/* Keep what the list has, too; both rise. */
static void
keep_common(struct ords *o, const struct rank_list *list)
{
	size_t kept = 0, k = 0;

	for (size_t i = 0; i < o->count; i++) {
		while (k < list->count && list->hits[k].ord < o->at[i])
			k++;
		if (k < list->count && list->hits[k].ord == o->at[i])
			o->at[kept++] = o->at[i];
	}
	o->count = kept;
}

/* Look each token up alone; they must all be there, or one of them. */
static int
find_each(struct rank *rank, const struct query_set *set, bool all,
    struct ords *found, struct err *e)
{
	struct rank_list list = {0};
	int result = 0;

	for (size_t i = 0; i < set->count && result == 0; i++) {
		result = rank_find(rank, &list, &set->token[i], 1, e);
		if (result == 0 && all && i)
			keep_common(found, &list);
		else if (result == 0)
			add_all(found, &list);
		if (all && !found->count)
			break;
	}
	rank_release(&list);
	return result;
}

static int
find_phrase(struct rank *rank, const struct query_set *set, struct ords *found,
    struct err *e)
{
	struct rank_list list = {0};
	int result = rank_find(rank, &list, set->token, set->count, e);

	if (result == 0)
		add_all(found, &list);
	rank_release(&list);
	return result;
}

static int
find_set(struct rank *rank, const struct query_set *set, enum wish_match how,
    struct ords *all, struct err *e)
{
	struct ords found = {0};
	int result;

	if (how == MATCH_PHRASE)
		result = find_phrase(rank, set, &found, e);
	else
		result = find_each(rank, set, how == MATCH_ALL, &found, e);
	for (size_t i = 0; i < found.count; i++)
		ords_add(all, found.at[i]);
	ords_release(&found);
	return result;
}

/* What is in both; a scope that was chosen before stays chosen. */
static void
narrow(struct scope *s, struct ords *found)
{
	size_t kept = 0;

	for (size_t i = 0; s->chosen && i < found->count; i++)
		if (ords_have(&s->only, found->at[i]))
			found->at[kept++] = found->at[i];
	if (s->chosen)
		found->count = kept;
	ords_release(&s->only);
	s->only = *found;
	s->chosen = true;
}

int
exact_find(struct scope *s, const struct query *w, const struct wish *r,
    struct err *e)
{
	struct ords found = {0};

	for (size_t i = 0; i < w->sets; i++)
		if (find_set(&s->corpus->rank, &w->set[i], r->match, &found,
			e) < 0) {
			ords_release(&found);
			return -1;
		}
	ords_sort(&found);
	narrow(s, &found);
	return 0;
}
