#include "ext/header.h"

#include <ctype.h>
#include <string.h>

bool
header_split(const char *line, size_t len, char name[HEADER_NAME],
    char value[HEADER_VALUE])
{
	const char *colon = memchr(line, ':', len);
	size_t n = colon ? (size_t)(colon - line) : 0;

	if (!n || n >= HEADER_NAME)
		return false;
	for (size_t i = 0; i < n; i++)
		name[i] = (char)tolower((unsigned char)line[i]);
	name[n] = '\0';
	for (line += n + 1, len -= n + 1; len && strchr(" \t", *line); len--)
		line++;
	while (len && strchr(" \t\r\n", line[len - 1]))
		len--;
	if (len >= HEADER_VALUE || memchr(line, '\0', len))
		return false;
	memcpy(value, line, len);
	value[len] = '\0';
	return true;
}
