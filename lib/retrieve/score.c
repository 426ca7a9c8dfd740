#include "retrieve/score.h"

#include <math.h>

#include "core/err.h"
#include "retrieve/slabs.h"
#include "retrieve/top.h"

static const double k1 = .9, b = .4;

double
score_weight(int64_t messages, uint32_t found)
{
	double n = found, all = messages > found ? (double)messages : n;

	return log(1 + (all - n + .5) / (n + .5));
}

double
score_worth(double weight, double times, double length)
{
	return weight * times * (k1 + 1) / (times + k1 * length);
}

/* What `times` of a word of that weight add in a message that long. */
static double
word(double weight, uint32_t times, unsigned length, double mean)
{
	return score_worth(weight, times, 1 - b + b * length / mean);
}

/* How long the messages of the index are on average; 1 if there are none. */
static double
mean_length(const struct score_frozen *f)
{
	if (f->messages <= 0 || f->tokens <= 0)
		return 1;
	return (double)f->tokens / (double)f->messages;
}

bool
score_channel(const struct score_filter *f, uint32_t channel)
{
	if (!f->channels)
		return channel != 0;
	return channel < f->channel_bits &&
	       (f->channels[channel / 8] >> channel % 8 & 1);
}

/* The walk through all lists at once, by rising ordinal. */
struct walk {
	const struct score *s;
	size_t at[SCORE_WORDS];
	double weight[SCORE_WORDS], mean;
	const struct slab *slab;
	uint32_t slab_no;
};

static void
walk_start(struct walk *w, const struct score *s)
{
	*w = (struct walk){.s = s, .mean = mean_length(&s->frozen)};
	for (size_t i = 0; i < s->frozen.words; i++)
		w->weight[i] = score_weight(s->frozen.messages,
		    s->frozen.found[i]);
}

/* The lowest ordinal not passed yet; UINT32_MAX at the end. */
static uint32_t
lowest(const struct walk *w)
{
	uint32_t low = UINT32_MAX;

	for (size_t i = 0; i < w->s->frozen.words; i++) {
		const struct rank_list *list = &w->s->lists[i];

		if (w->at[i] < list->count && list->hits[w->at[i]].ord < low)
			low = list->hits[w->at[i]].ord;
	}
	return low;
}

/* The score of message ord; the walk is past it then. */
static double
take(struct walk *w, uint32_t ord)
{
	unsigned length = w->slab->lengths[ord % SLAB_SIZE];
	double score = 0;

	for (size_t i = 0; i < w->s->frozen.words; i++) {
		const struct rank_list *list = &w->s->lists[i];

		if (w->at[i] >= list->count || list->hits[w->at[i]].ord != ord)
			continue;
		score += word(w->weight[i], list->hits[w->at[i]].times, length,
		    w->mean);
		w->at[i]++;
	}
	return score;
}

static int
seek_slab(struct walk *w, uint32_t ord, struct err *e)
{
	if (w->slab && w->slab_no == ord / SLAB_SIZE)
		return 0;
	w->slab = slabs_get(w->s->slabs, ord, e);
	w->slab_no = ord / SLAB_SIZE;
	return w->slab ? 0 : -1;
}

int
score_any(const struct score *s, const struct score_filter *f, struct top *top,
    struct err *e)
{
	struct walk w;
	uint32_t ord;

	walk_start(&w, s);
	while ((ord = lowest(&w)) <= s->frozen.high && ord != UINT32_MAX) {
		struct scored hit = {.ord = ord};
		int pass = 1;

		if (seek_slab(&w, ord, e) < 0)
			return -1;
		hit.score = take(&w, ord);
		if (!score_channel(f, w.slab->channels[ord % SLAB_SIZE]) ||
		    !top_wants(top, hit))
			continue;
		if (f->pass && (pass = f->pass(f->ctx, ord, e)) < 0)
			return -1;
		if (pass)
			top_add(top, hit);
	}
	return 0;
}

uint32_t
score_times(const struct rank_list *list, uint32_t ord)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (list->hits[mid].ord < ord)
			low = mid + 1;
		else
			high = mid;
	}
	return low < list->count && list->hits[low].ord == ord
		   ? list->hits[low].times
		   : 0;
}

int
score_one(const struct score *s, uint32_t ord, double *score, struct err *e)
{
	const struct slab *slab = slabs_get(s->slabs, ord, e);
	double mean = mean_length(&s->frozen);

	*score = 0;
	if (!slab)
		return -1;
	for (size_t i = 0; i < s->frozen.words; i++) {
		uint32_t times = score_times(&s->lists[i], ord);

		if (times)
			*score += word(score_weight(s->frozen.messages,
					   s->frozen.found[i]),
			    times, slab->lengths[ord % SLAB_SIZE], mean);
	}
	return 0;
}
