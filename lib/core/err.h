#ifndef CORE_ERR_H
#define CORE_ERR_H
/* err - why a call failed, and what its caller can do about it. */

#include "core/banned.h" /* IWYU pragma: export */

#define FORMAT(fmt, first) __attribute__((format(printf, fmt, first)))

enum err_kind { /* the number is the exit code */
	ERR_NONE = 0,
	ERR_INPUT = 65,    /* this record is bad; the next may be good */
	ERR_REFUSED = 69,  /* the other side said no, and would again */
	ERR_INTERNAL = 70, /* our bug, or no memory */
	ERR_IO = 74,       /* disk full, or an input/output error */
	ERR_AGAIN = 75,    /* the same call may work later */
	ERR_UNKNOWN = 76,  /* an effect was sent, its outcome is not known */
	ERR_DENIED = 77,   /* policy says no */
	ERR_CONFIG = 78,   /* nothing works until a person fixes it */
	ERR_APPROVAL = 79, /* a person must approve this first */
};

struct err {
	enum err_kind kind;
	char text[512]; /* outermost first: "line 3: bad JSON: ..." */
};

/*
 * All three return -1, so that a failing function can end with one of them.
 * err_sys() adds the reason in errno; err_in() puts where it happened in front.
 */
int err_set(struct err *e, enum err_kind, const char *fmt, ...) FORMAT(3, 4);
int err_sys(struct err *e, enum err_kind, const char *fmt, ...) FORMAT(3, 4);
int err_in(struct err *e, const char *fmt, ...) FORMAT(2, 3);

/* ERR_IO for errno of a full or failing disk, else the kind given. */
enum err_kind err_kind_of_errno(enum err_kind other);

/* The word for a kind in an `error` record: "input", "again", ... */
const char *err_word(enum err_kind kind);
enum err_kind err_of_word(const char *word); /* ERR_INTERNAL for no word */

#endif
