#include "cli/distance.h"

#include "tap.h"

int
main(void)
{
	char longer[DISTANCE_LONGEST + 2];

	ok(distance("", "") == 0, "nothing is like nothing");
	ok(distance("tool", "tool") == 0, "a word is like itself");
	ok(distance("toll", "tool") == 1, "one letter is replaced");
	ok(distance("otol", "tool") == 1, "neighbours are swapped");
	ok(distance("too", "tool") == 1, "a letter is added");
	ok(distance("ttool", "tool") == 1, "a letter is dropped");
	ok(distance("", "tool") == 4, "all letters are added");
	ok(distance("ask", "tool") == 4, "other words are far");
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	ok(distance(longer, "tool") == DISTANCE_FAR, "a long word is far");
	ok(distance(longer + 1, longer + 1) == 0, "the longest is compared");
	return tap_done();
}
