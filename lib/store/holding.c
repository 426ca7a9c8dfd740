#include "store/holding.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "store/artifact.h"
#include "store/file.h"

static void
take(struct holding *h, const char *name, const char *media, int64_t size,
    const char *hash)
{
	holding_release(h);
	*h = (struct holding){.name = mem_dup(name),
	    .media = mem_dup(media),
	    .size = size};
	memcpy(h->hash, hash, sizeof(h->hash));
}

int
holding_file(struct holding *h, struct store *s, const char *task,
    const char *path, struct err *e)
{
	struct file_scan scan = {0};
	const char *slash = strrchr(path, '/');
	struct file f;
	int row = file_find(&scan, s, task, path, &f, e);

	if (row > 0)
		take(h, slash ? slash + 1 : path, f.media, f.size, f.hash);
	file_end(&scan);
	return row;
}

int
holding_artifact(struct holding *h, struct store *s, const char *task,
    const char *which, int64_t version, struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row = artifact_find(&scan, s, task, which, version, &a, e);

	if (row > 0)
		take(h, a.filename, a.media, a.size, a.hash);
	artifact_end(&scan);
	return row;
}

int
holding_find(struct holding *h, struct store *s, const char *task,
    const char *which, int64_t version, struct err *e)
{
	int row = version ? 0 : holding_file(h, s, task, which, e);

	if (row == 0)
		row = holding_artifact(h, s, task, which, version, e);
	if (row == 0)
		return err_set(e, ERR_INPUT,
		    "the task has no file or artifact '%.*s'%s",
		    (int)utf8_cut(which, strlen(which), 200), which,
		    version ? " in that version" : "");
	return row < 0 ? -1 : 0;
}

void
holding_release(struct holding *h)
{
	free(h->name);
	free(h->media);
	*h = (struct holding){0};
}
