#include "cli/commands.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/distance.h"
#include "core/err.h"
#include "core/home.h"
#include "core/mem.h"

enum { COMMANDS_MAX = 500, DISTANCE_MAX = 3 };

static const char prefix[] = "sophia-";

enum { PREFIX_LEN = sizeof(prefix) - 1 };

static const struct {
	const char *topic, *name, *purpose;
} known[] = {
    {"Ask and read", "ask",
	"ask a question and get an answer with its sources"},
    {"Ask and read", "retrieve", "search and read the message history"},
    {"Ask and read", "task",
	"list, show, steer, stop, resume and forget tasks"},
    {"Set up and look after", "up",
	"keep the programs running that Sophia needs in Discord"},
    {"Set up and look after", "index",
	"fill, check and copy the index of messages"},
    {"Set up and look after", "backfill",
	"fetch the history of Discord channels into the index"},
    {"Set up and look after", "settings",
	"read and change the settings of the installation"},
    {"Set up and look after", "access",
	"say who may do what, and explain each decision"},
    {"Set up and look after", "cost", "what models have cost"},
    {"Set up and look after", "converse", "talk with people in Discord"},
    {"Set up and look after", "doctor",
	"check an installation and say what to do"},
    {"Build upon", "tool", "list, show and check tools, and run one by hand"},
    {"Build upon", "sandbox", "run code where it can do no harm"},
    {"Build upon", "loop",
	"run one turn: model and tools, until there is an answer"},
    {"Build upon", "model", "put a request to a model"},
    {"Build upon", "guild",
	"what Discord knows of a server, and changes in it, as tools"},
    {"Build upon", "discord",
	"put requests to Discord, within its rate limits"},
    {"Build upon", "gateway",
	"stay connected to Discord and hand out its events"},
    {"Build upon", "spool",
	"look at what Discord told us, as it waits for its readers"},
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

static int
rank_of(const char *name)
{
	int i = 0;

	while (i < KNOWN && strcmp(known[i].name, name) != 0)
		i++;
	return i;
}

static int
by_rank(const void *a, const void *b)
{
	const struct command *x = a, *y = b;
	int i = rank_of(x->name), j = rank_of(y->name);

	return i != j ? i - j : strcmp(x->name, y->name);
}

static void
add(struct commands *c, const char *dir, size_t dir_len, const char *file)
{
	char path[PATH_MAX];
	const char *name = file + PREFIX_LEN;
	int n = snprintf(path, sizeof(path), "%.*s/%s", (int)dir_len, dir,
	    file);
	int rank;

	if (n < 0 || (size_t)n >= sizeof(path) || access(path, X_OK) != 0 ||
	    c->count == COMMANDS_MAX || commands_get(c, name))
		return;
	rank = rank_of(name);
	c->list = mem_resize(c->list, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = (struct command){
	    .topic = rank < KNOWN ? known[rank].topic : NULL,
	    .purpose = rank < KNOWN ? known[rank].purpose : "",
	    .name = mem_dup(name),
	    .path = mem_dup(path),
	};
}

static void
scan(struct commands *c, const char *dir, size_t len)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *d;

	if (!len || len >= sizeof(path))
		return;
	memcpy(path, dir, len);
	path[len] = '\0';
	d = opendir(path);
	while (d && (entry = readdir(d)) != NULL)
		if (strncmp(entry->d_name, prefix, PREFIX_LEN) == 0 &&
		    entry->d_name[PREFIX_LEN])
			add(c, dir, len, entry->d_name);
	if (d)
		closedir(d);
}

void
commands_find(struct commands *c)
{
	const char *dir = getenv("PATH");

	*c = (struct commands){0};
	scan(c, home_bin(), strlen(home_bin()));
	while (dir && *dir) {
		size_t len = strcspn(dir, ":");

		if (*dir == '/')
			scan(c, dir, len);
		dir += len + (dir[len] == ':');
	}
	if (c->count)
		qsort(c->list, c->count, sizeof(*c->list), by_rank);
}

void
commands_release(struct commands *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].name);
		free(c->list[i].path);
	}
	free(c->list);
	*c = (struct commands){0};
}

const struct command *
commands_get(const struct commands *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->list[i].name, name) == 0)
			return &c->list[i];
	return NULL;
}

/* How far a wrong name may be from what was meant: a third of its letters. */
static unsigned
most(const char *wrong)
{
	size_t len = (strlen(wrong) + 2) / 3;

	return len < DISTANCE_MAX ? (unsigned)len : DISTANCE_MAX;
}

size_t
commands_like(const struct commands *c, const char *wrong, const char **names,
    size_t max)
{
	size_t count = 0;

	for (unsigned d = 0; d <= most(wrong); d++)
		for (size_t i = 0; i < c->count && count < max; i++)
			if (distance(wrong, c->list[i].name) == d)
				names[count++] = c->list[i].name;
	return count;
}
