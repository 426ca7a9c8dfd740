/*
 * tormentor - a child that does to its parent's pipes what $TORMENT says:
 *
 *   answer   behaves well
 *   flood    says without an end that it makes progress
 *   strays   says without an end what belongs to nobody
 *   garbage  writes lines without an end that are no records
 *   endless  writes 100 MB without a newline, and waits
 *   stall    waits
 *   drip     writes a record of nearly 1 MiB, one byte at a time
 *   orphan   leaves a grandchild that holds its pipes, answers, and goes
 *   heir     leaves one, and goes without an answer
 *   midline  ends inside a record
 *   shut     closes its stdin unread, and waits
 *
 * It is called like the program it stands for: sophia-model and sophia-loop
 * have answers of their own, everything else answers as a tool.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PADDING = (1 << 20) - 400, ENDLESS = 100 << 20, LIFE_S = 20 };

static char id[128] = "none";
static const char *role;

/* Take the job: its id is the first one in the line. */
static void
read_job(void)
{
	char *line = NULL, *at;
	size_t room = 0;

	if (getline(&line, &room, stdin) > 0 &&
	    (at = strstr(line, "\"id\":\"")) != NULL)
		snprintf(id, sizeof(id), "%.*s", (int)strcspn(at + 6, "\""),
		    at + 6);
	free(line);
}

static bool
plays(const char *name)
{
	return strcmp(role, name) == 0;
}

/* The records that answer the job; the first one is as long as asked. */
static char *
make_answer(size_t padding)
{
	char *pad = calloc(padding + 1, 1), *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!pad || !out)
		abort();
	memset(pad, 'x', padding);
	if (plays("sophia-model"))
		fprintf(out,
		    "{\"type\":\"reasoning\",\"id\":\"%s\",\"text\":\"%s\"}\n"
		    "{\"type\":\"delta\",\"id\":\"%s\",\"text\":\"fine\"}\n"
		    "{\"type\":\"finish\",\"id\":\"%s\",\"reason\":\"stop\"}\n",
		    id, pad, id, id);
	else if (plays("sophia-loop"))
		fprintf(out,
		    "{\"type\":\"answer\",\"task\":\"%s\",\"turn\":\"%s\","
		    "\"sources\":[],\"text\":\"fine%s\"}\n"
		    "{\"type\":\"done\",\"task\":\"%s\",\"turn\":\"%s\","
		    "\"verdict\":\"answered\",\"calls\":0,\"elapsed_ms\":0}\n",
		    id, id, pad, id, id);
	else
		fprintf(out,
		    "{\"type\":\"result\",\"id\":\"%s\",\"ok\":true,"
		    "\"summary\":\"fine\",\"data\":\"%s\"}\n",
		    id, pad);
	fclose(out);
	free(pad);
	return text;
}

static void
put(const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, text, len);

		if (n < 0)
			exit(1);
		text += n;
		len -= (size_t)n;
	}
}

static void
answer(void)
{
	char *text = make_answer(0);

	put(text, strlen(text));
	free(text);
}

static void
drip(void)
{
	char *text = make_answer(PADDING);

	for (const char *c = text; *c; c++)
		put(c, 1);
	free(text);
}

/* Lines without an end, which begin and end like that, with the id between. */
_Noreturn static void
repeat(const char *before, const char *after)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "%s%s%s\n", before, id, after);

	for (;;)
		put(line, (size_t)n);
}

static void
endless(void)
{
	static char block[1 << 16];

	memset(block, 'x', sizeof(block));
	for (size_t n = 0; n < ENDLESS; n += sizeof(block))
		put(block, sizeof(block));
}

/* A grandchild that no signal to our group reaches. */
static void
leave_one(void)
{
	if (fork() == 0) {
		setsid();
		alarm(LIFE_S);
		pause();
		_exit(0);
	}
}

_Noreturn static void
wait_for_ever(void)
{
	for (;;)
		pause();
}

static void
torment(const char *mode)
{
	if (strcmp(mode, "flood") == 0)
		repeat("{\"type\":\"progress\",\"id\":\"",
		    "\",\"task\":\"t\",\"text\":\"on and on\"}");
	else if (strcmp(mode, "strays") == 0)
		repeat("{\"type\":\"progress\",\"id\":\"not-",
		    "\",\"text\":\"elsewhere\"}");
	else if (strcmp(mode, "garbage") == 0)
		repeat("this is no record of ", "");
	else if (strcmp(mode, "endless") == 0)
		endless();
	else if (strcmp(mode, "drip") == 0)
		drip();
	else if (strcmp(mode, "midline") == 0)
		put("{\"type\":\"res", 12);
	else if (strcmp(mode, "orphan") == 0 || strcmp(mode, "heir") == 0)
		leave_one();
	if (strcmp(mode, "answer") == 0 || strcmp(mode, "orphan") == 0)
		answer();
	if (strcmp(mode, "endless") == 0 || strcmp(mode, "stall") == 0 ||
	    strcmp(mode, "shut") == 0)
		wait_for_ever();
}

int
main(int argc, char **argv)
{
	const char *mode = getenv("TORMENT");
	const char *slash = strrchr(argv[0], '/');

	(void)argc;
	role = slash ? slash + 1 : argv[0];
	if (!mode)
		return 2;
	alarm(LIFE_S * 3);
	if (strcmp(mode, "shut") == 0)
		fclose(stdin);
	else
		read_job();
	torment(mode);
	return 0;
}
