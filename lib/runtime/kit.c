#include "runtime/kit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/home.h"
#include "core/mem.h"
#include "ext/jsonw.h"
#include "tool/environ.h"
#include "tool/manifest.h"
#include "tool/toolset.h"

/* A post, with what it borrows. */
struct station {
	const struct manifest *like; /* the first tool it serves, */
	const char *own;             /* or one of our own programs */
	struct crew_post post;
	const char **argv;
	char path[PATH_MAX];
	struct environ env;
	struct station *next;
};

struct kit {
	struct toolset tools;
	struct station *stations;
	struct request_tool *shown;
	size_t shown_count, shown_bytes;
};

/* Bytes of a tool as a provider is sent it, for the estimate of tokens. */
static size_t
weigh(const struct manifest *m)
{
	struct buf b = {0};
	size_t len;

	jsonw_value(&b, NULL, m->parameters);
	len = b.len + strlen(m->name) + strlen(m->description);
	buf_release(&b);
	return len;
}

static void
show(struct kit *kit, const struct manifest *m)
{
	kit->shown = mem_resize(kit->shown, kit->shown_count + 1,
	    sizeof(*kit->shown));
	kit->shown[kit->shown_count++] = (struct request_tool){
	    .name = m->name,
	    .description = m->description,
	    .parameters = {.tree = m->parameters},
	};
	kit->shown_bytes += weigh(m);
}

int
kit_open(struct kit **out, struct err *e)
{
	struct kit *kit = mem_new(sizeof(*kit));

	if (toolset_load(&kit->tools, e) < 0) {
		kit_close(kit);
		return -1;
	}
	for (size_t i = 0; i < kit->tools.count; i++)
		if (kit->tools.tools[i].visible)
			show(kit, &kit->tools.tools[i]);
	*out = kit;
	return 0;
}

void
kit_close(struct kit *kit)
{
	if (!kit)
		return;
	while (kit->stations) {
		struct station *s = kit->stations;

		kit->stations = s->next;
		environ_release(&s->env);
		free(s->argv);
		free(s);
	}
	free(kit->shown);
	toolset_release(&kit->tools);
	free(kit);
}

const struct manifest *
kit_find(const struct kit *kit, const char *name)
{
	return toolset_find(&kit->tools, name);
}

static bool
alike(const struct manifest *a, const struct manifest *b)
{
	size_t i = 0;

	while (a->command[i] && b->command[i] &&
	       strcmp(a->command[i], b->command[i]) == 0)
		i++;
	return !a->command[i] && !b->command[i] && a->needs == b->needs &&
	       a->serve == b->serve;
}

static const struct crew_post *
install(struct kit *kit, struct station *s, unsigned needs, struct err *e)
{
	if (environ_make(&s->env, needs, e) < 0) {
		free(s->argv);
		free(s);
		return NULL;
	}
	s->argv[0] = s->path;
	s->post.argv = s->argv;
	s->post.envp = (const char *const *)s->env.list;
	s->next = kit->stations;
	kit->stations = s;
	return &s->post;
}

const struct crew_post *
kit_post(struct kit *kit, const struct manifest *m, struct err *e)
{
	struct station *s;
	size_t n = 0;

	for (s = kit->stations; s; s = s->next)
		if (s->like && alike(s->like, m))
			return &s->post;
	s = mem_new(sizeof(*s));
	if (manifest_program(m, s->path, e) < 0) {
		free(s);
		return NULL;
	}
	while (m->command[n])
		n++;
	s->like = m;
	s->argv = mem_array(n + 1, sizeof(*s->argv));
	memcpy(s->argv, m->command, n * sizeof(*s->argv));
	s->post.serves = m->serve;
	s->post.tidies = m->needs & (NEED_CONTAINER | NEED_MODEL);
	return install(kit, s, m->needs, e);
}

/* One of our own programs, which serves; started if nobody has been. */
static const struct crew_post *
own(struct kit *kit, const char *name, unsigned needs, size_t line_limit,
    struct err *e)
{
	struct station *s;

	for (s = kit->stations; s; s = s->next)
		if (s->own && strcmp(s->own, name) == 0)
			return &s->post;
	s = mem_new(sizeof(*s));
	s->own = name;
	snprintf(s->path, sizeof(s->path), "%s/%s", home_bin(), name);
	s->argv = mem_array(3, sizeof(*s->argv));
	s->argv[1] = "--serve";
	s->post.serves = true;
	s->post.line_limit = line_limit;
	return install(kit, s, needs, e);
}

const struct crew_post *
kit_model(struct kit *kit, struct err *e)
{
	return own(kit, "sophia-model", NEED_MODEL | NEED_NETWORK, REQUEST_MAX,
	    e);
}

const struct crew_post *
kit_discord(struct kit *kit, struct err *e)
{
	return own(kit, "sophia-discord", NEED_DISCORD | NEED_NETWORK, 0, e);
}

static bool
is_shown(const struct kit *kit, const char *name)
{
	for (size_t i = 0; i < kit->shown_count; i++)
		if (strcmp(kit->shown[i].name, name) == 0)
			return true;
	return false;
}

bool
kit_reveal(struct kit *kit, const char *name)
{
	const struct manifest *m = kit_find(kit, name);

	if (m && !is_shown(kit, name))
		show(kit, m);
	return m != NULL;
}

struct request_tool *
kit_shown(const struct kit *kit, size_t *count, size_t *bytes)
{
	*count = kit->shown_count;
	*bytes = kit->shown_bytes;
	return kit->shown;
}
