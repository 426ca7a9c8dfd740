#ifndef ACCESS_PUBLICATION_H
#define ACCESS_PUBLICATION_H
/*
 * publication - may what a task says be read there? Asked when a call would
 * publish something, again right before it does, before an answer is sent, and
 * before what was kept is shown again.
 *
 * Text     Whatever a task says may be made of all that it has read: the
 *          sources kept with it, the messages that its files are from, or
 *          were when a call read them, what its requests replied to, quoted
 *          or forwarded, and corrections by others than its owner. What came
 *          with a request may be said where that was made. Else each channel
 *          of these must be one that an answer at the destination may take
 *          its sources from (see audience). A web page is public. What has no
 *          channel and is no page is not known, and so not allowed.
 * Names    Tools that describe a server give no sources, yet name channels.
 *          Each channel of the index whose id is in the data of a result of
 *          the tier read, or among the candidates of an error, must be one
 *          that all at the destination see, its history or not. What people
 *          wrote comes either with a source or beside such an id (topics,
 *          titles of threads, questions of polls), so that no text passes.
 *          What can pass is the name of a channel: in the coverage of a search,
 *          which names all that were searched, so that nobody who sees more
 *          than others could have anything published; in a summary, or without
 *          an id beside it; and of a channel that the index doesn't know yet.
 * Gone     A source that was deleted is no obstacle: whoever marks it so has
 *          taken away what was made of it.
 * Place    A channel's id, or NULL for the requester alone: their direct
 *          messages, or a reply that only they see. Direct messages with
 *          anybody else are a place of which nothing is known. On the machine
 *          itself a NULL allows all.
 * Errors   ERR_DENIED names the channels in the way, as far as an answer to
 *          the requester might name them, and counts the others. ERR_AGAIN
 *          where nothing stands against it but that a server is closed until
 *          Discord has told it anew (see realm).
 */

struct context;
struct db;
struct err;
struct store;

/*
 * index is the message index, in one view; NULL opens it for this call. c is
 * who asks, and where the task is; 0, or -1 as said.
 */
int publication_check(struct store *tasks, struct db *index,
    const struct context *c, const char *task, const char *destination,
    struct err *e);

#endif
