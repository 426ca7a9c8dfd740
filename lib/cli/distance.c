#include "cli/distance.h"

#include <stddef.h>
#include <string.h>

enum { ROW = DISTANCE_LONGEST + 1 };

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Optimal string alignment: each cell is the distance of the first i bytes of a
 * and the first j of b, and is made of its neighbours.
 */
unsigned
distance(const char *a, const char *b)
{
	unsigned cell[ROW][ROW];
	size_t n = strlen(a), m = strlen(b);

	if (n > DISTANCE_LONGEST || m > DISTANCE_LONGEST)
		return DISTANCE_FAR;
	for (unsigned i = 0; i <= n; i++)
		cell[i][0] = i;
	for (unsigned j = 0; j <= m; j++)
		cell[0][j] = j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			unsigned d = cell[i - 1][j - 1] +
				     (a[i - 1] != b[j - 1]);

			d = least(d, cell[i - 1][j] + 1);
			d = least(d, cell[i][j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				d = least(d, cell[i - 2][j - 2] + 1);
			cell[i][j] = d;
		}
	return cell[n][m];
}
