/*
 * json NAME - how fast one JSON parser makes a tree of each line of stdin.
 * Which one is chosen at compile time, since their names collide. Five times
 * over; the best time counts. Prints MB/s.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(WITH_CJSON)
#include <cjson/cJSON.h>
static void
parse(const char *text, size_t len)
{
	cJSON_Delete(cJSON_ParseWithLength(text, len));
}
#elif defined(WITH_JANSSON)
#include <jansson.h>
static void
parse(const char *text, size_t len)
{
	json_decref(json_loadb(text, len, 0, NULL));
}
#elif defined(WITH_JSON_C)
#include <json-c/json.h>
static void
parse(const char *text, size_t len)
{
	struct json_tokener *t = json_tokener_new();

	json_object_put(json_tokener_parse_ex(t, text, (int)len));
	json_tokener_free(t);
}
#elif defined(WITH_YAJL)
#include <yajl/yajl_tree.h>
static void
parse(const char *text, size_t len)
{
	(void)len;
	yajl_tree_free(yajl_tree_parse(text, NULL, 0));
}
#elif defined(WITH_LIBJQ)
#include <jv.h>
static void
parse(const char *text, size_t len)
{
	jv_free(jv_parse_sized(text, (int)len));
}
#else
#include "core/err.h"
#include "ext/json.h"
static void
parse(const char *text, size_t len)
{
	struct json *root;
	struct err e = {0};

	if (json_read(&root, text, len, &e) == 0)
		json_free(root);
}
#endif

enum { LINES_MAX = 1 << 20, RUNS = 5 };

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	static char *lines[LINES_MAX];
	size_t count = 0, bytes = 0, room = 0;
	double best = 1e9;
	ssize_t len;

	while (count < LINES_MAX &&
	       (len = getline(&lines[count], &room, stdin)) > 0) {
		room = 0;
		bytes += (size_t)len;
		count++;
	}
	for (int run = 0; run < RUNS; run++) {
		double from = seconds();

		for (size_t i = 0; i < count; i++)
			parse(lines[i], strlen(lines[i]));
		if (seconds() - from < best)
			best = seconds() - from;
	}
	printf("%-24s%6.0f MB/s  (%zu lines of %zu bytes)\n",
	    argc > 1 ? argv[1] : "", (double)bytes / best / 1e6, count,
	    bytes / (count ? count : 1));
	for (size_t i = 0; i <= count && i < LINES_MAX; i++)
		free(lines[i]);
	return 0;
}
