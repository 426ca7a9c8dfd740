#ifndef EXT_TEXT_H
#define EXT_TEXT_H
/*
 * text - what a message says, for a search, a count or a comparison.
 *
 * Text is any bytes; wrong UTF-8 counts as U+FFFD, which is no word. Texts over
 * TEXT_LONGEST bytes are read up to there. What folding does is in ext/fold,
 * what becomes a token in ext/words.
 *
 * Languages are two-letter codes ("en", "pt-BR" is "pt"), "" or NULL if it is
 * not known. Latin words are stemmed by that language if it is one of en, pt,
 * es, fr, de, it and nl, else as English; Cyrillic ones always as Russian; no
 * others. So a query finds a row only if both had the same language: ask with
 * each language that the searched channels have.
 *
 * English is Porter's first algorithm. Snowball's second is no better on chat:
 * recall at 10 on LoCoMo's 1,982 questions (k1 .9, b .4) is .638 and .641, on
 * 2,140 replies of a help channel .243 and .242.
 *
 * Speed    an ASCII message (11 words, 57 bytes) takes 1.2 to 1.9 us, one with
 *          accents 3, a Japanese one 7. ASCII does not wake ICU: its iterators
 *          and each stemmer are opened when a text first needs them (2 ms).
 * Memory   text_open() gives a struct text that text_close() ends; one program
 *          needs one. What is appended to a buf respects its limit.
 * Errors   ERR_INTERNAL if ICU has no data or memory, -1.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct buf;
struct text;

#define TEXT_LONGEST (1 << 22)

struct text *text_open(void);
void text_close(struct text *t); /* NULL is allowed */

/*
 * Append the index tokens of text, a space between any two, and return how many
 * they are: the length of a message for ranking.
 */
int text_tokens(struct text *t, struct buf *to, const char *text, size_t len,
    const char *lang, struct err *e);

/* The same for a query: stop words are left out, so there may be no token. */
int text_query(struct text *t, struct buf *to, const char *text, size_t len,
    const char *lang, struct err *e);

/* Whether one folded, unstemmed word is a stop word of the language. */
bool text_is_stop(struct text *t, const char *word, size_t len,
    const char *lang);

/* Append text folded, trimmed, each run of white space as one space. */
int text_fold(struct text *t, struct buf *to, const char *text, size_t len,
    struct err *e);

/*
 * The language of many messages put together: en, pt, es, fr, de, it, nl, ru by
 * their stop words; ja, zh, ko, th by their script. "" unless it is clear: a
 * message is too short, a channel is not.
 */
int text_language(struct text *t, const char *text, size_t len,
    const char **lang, struct err *e);

struct text_size {
	uint64_t bytes, points, units; /* code points; UTF-16 code units */
	uint64_t graphemes;            /* what a reader calls a character */
	uint64_t words;                /* by Unicode's boundaries, not tokens */
	uint64_t lines; /* a last line without its end counts, an empty not */
};

/* Measure a text of any length. */
int text_measure(struct text *t, struct text_size *size, const char *text,
    size_t len, struct err *e);

/*
 * A positive number of 31 bits that is stored with each row: it changes when
 * our rules, ICU or its data, or what Snowball answers do, and then the tokens
 * of old rows must be made anew.
 */
int text_version(void);

#endif
