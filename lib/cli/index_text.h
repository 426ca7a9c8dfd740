#ifndef CLI_INDEX_TEXT_H
#define CLI_INDEX_TEXT_H
/*
 * index_text - what sophia-index says to a person, added to a buffer. Texts of
 * strangers are put in as they are: print what comes out with cli_print().
 */

struct buf;
struct index_channel;
struct index_status;
struct purge_status;
struct summary;

/* "general.json: 1,200 new, 3 changed, 0 unchanged, 1 malformed" */
void index_text_summary(struct buf *b, const struct summary *s);
void index_text_status(struct buf *b, const struct index_status *s);
void index_text_channel(struct buf *b, const struct index_channel *c);
void index_text_purge(struct buf *to, const struct purge_status *s);

#endif
