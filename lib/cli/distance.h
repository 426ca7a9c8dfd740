#ifndef CLI_DISTANCE_H
#define CLI_DISTANCE_H
/* distance - how unlike two short words are. */

enum { DISTANCE_LONGEST = 64, DISTANCE_FAR = 1000 };

/*
 * How many bytes must be added, dropped, replaced, or swapped with their
 * neighbour to make b of a; DISTANCE_FAR if one is over DISTANCE_LONGEST bytes.
 */
unsigned distance(const char *a, const char *b);

#endif
