#include "core/path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"
#include "core/utf8.h"

enum { PART_MOST = 255 };

/* CON, NUL, COM1 and such, whatever follows a dot. */
static bool
is_device(const char *part, size_t len)
{
	static const char *const names[] = {"con", "prn", "aux", "nul"};
	size_t stem = 0;

	while (stem < len && part[stem] != '.')
		stem++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (stem == 3 && strncasecmp(part, names[i], 3) == 0)
			return true;
	return stem == 4 &&
	       (strncasecmp(part, "com", 3) == 0 ||
		   strncasecmp(part, "lpt", 3) == 0) &&
	       part[3] >= '1' && part[3] <= '9';
}

/* What is wrong with one part of a path, or NULL. */
static const char *
fault(const char *part, size_t len)
{
	if (!len)
		return "has an empty part";
	if (len > PART_MOST)
		return "has a part of more than 255 bytes";
	if ((len == 1 && *part == '.') ||
	    (len == 2 && memcmp(part, "..", 2) == 0))
		return "has a part that is . or ..";
	if (is_device(part, len))
		return "names a device";
	return NULL;
}

static const char *
fault_of_text(const char *path, size_t len)
{
	uint32_t cp;

	if (!len || len > PATH_BYTES_MOST)
		return "is empty or too long";
	for (size_t i = 0; i < len; i += utf8_next(path + i, len - i, &cp)) {
		utf8_next(path + i, len - i, &cp);
		if (cp == UTF8_BAD)
			return "is not UTF-8";
		if (cp < ' ' || (cp >= 0x7f && cp < 0xa0))
			return "has a control character";
	}
	return NULL;
}

int
path_check(const char *path, size_t len, struct err *e)
{
	const char *why = fault_of_text(path, len);
	char shown[64], *copy;
	size_t from = 0;
	int parts = 0;

	for (size_t i = 0; !why && i <= len; i++)
		if (i == len || path[i] == '/') {
			why = fault(path + from, i - from);
			if (++parts > PATH_PARTS_MOST)
				why = "has too many parts";
			from = i + 1;
		}
	if (!why)
		return 0;
	copy = mem_dupn(path, len);
	utf8_tame(shown, sizeof(shown), copy);
	free(copy);
	return err_set(e, ERR_INPUT, "the path '%s' %s", shown, why);
}

bool
path_clash(const char *a, size_t a_len, const char *b, size_t b_len)
{
	const size_t least = a_len < b_len ? a_len : b_len;

	if (memcmp(a, b, least) != 0)
		return false;
	return a_len == b_len || (a_len > b_len ? a[least] : b[least]) == '/';
}
