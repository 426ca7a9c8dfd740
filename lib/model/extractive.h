#ifndef MODEL_EXTRACTIVE_H
#define MODEL_EXTRACTIVE_H
/*
 * extractive - answer without a model: search with the question's own words,
 * and quote what was found. Pure: the same request gives the same records.
 *
 * It goes through the same loop as a model. With no result of a search yet, it
 * asks for one call of retrieve_messages; with one it answers: the matches in
 * the order of their score, at most EXTRACTIVE_QUOTES, shortened, each
 * with author, channel, UTC time and the link that the result gave. The answer
 * says that it is a search result. The question itself, and answers of this
 * kind, which in Discord are messages, too, are not quoted. A search that
 * failed is an error of the same kind. It needs no network and spends nothing.
 *
 * Media are not looked at, and the answer says so.
 *
 * The question is the last message with the label `request` or `steer`, or the
 * last of the user's; results are those that came after it, as the loop shows
 * them: a JSON object with `sources`.
 */

struct buf;
struct err;
struct request;

enum {
	EXTRACTIVE_QUOTES = 5,
	EXTRACTIVE_WORTH = 50,      /* least score, in percent of the best */
	EXTRACTIVE_LIMIT = 8,       /* messages to ask for */
	EXTRACTIVE_QUOTE_MAX = 320, /* bytes of a quotation */
	EXTRACTIVE_QUERY_MAX = 1000,
};

/*
 * Add the records that answer the request, the verdict being the last. -1 and
 * *e if that is an error.
 */
int extractive_answer(struct buf *out, const struct request *r, struct err *e);

#endif
