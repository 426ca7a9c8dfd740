#include "cli/manual.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"
#include "core/home.h"

static bool
try(char path[PATH_MAX], const char *format_folder, const char *prefix,
    const char *topic, char section)
{
	struct err e = {0};
	const char *share = home_share(&e);
	int n;

	if (!share)
		return false;
	n = snprintf(path, PATH_MAX, "%s/../man/%s%s%s.%c", share,
	    format_folder, prefix, topic, section);
	return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

/* In a checkout all pages are in man/, installed in a folder a section. */
static bool
try_section(char path[PATH_MAX], const char *prefix, const char *topic,
    char section)
{
	const char folder[] = {'m', 'a', 'n', section, '/', '\0'};

	return try(path, "", prefix, topic, section) ||
	       try(path, folder, prefix, topic, section);
}

bool
manual_find(char path[PATH_MAX], const char *topic)
{
	if (!*topic || strchr(topic, '/'))
		return false;
	for (const char *section = "157"; *section; section++)
		if (try_section(path, "sophia-", topic, *section) ||
		    try_section(path, "", topic, *section))
			return true;
	return false;
}
