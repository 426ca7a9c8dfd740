#ifndef EXT_NUM_PARTS_H
#define EXT_NUM_PARTS_H
/* num_parts - what a struct num is inside; for num.c and num_write.c alone. */

#include <gmp.h>

#include "ext/num.h"

struct num {
	mpq_t q;
};

/* Multiply by 10^places, which may be negative. */
void num_scale(mpq_t q, long places);

/* The nearest whole number, a half away from zero. */
void num_nearest(mpq_t q);

#endif
