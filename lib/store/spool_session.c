#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/spool_inside.h"

enum { FILE_MAX = 16 << 10 };

void
spool_session_forget(struct spool *s)
{
	free(s->session);
	free(s->url);
	s->session = s->url = NULL;
}

void
spool_session(struct spool *s, const char *session, const char *url)
{
	spool_session_forget(s);
	s->session = mem_dup(session);
	s->url = mem_dup(url);
	s->session_from = s->number;
	s->session_new = true;
}

int
spool_session_save(struct spool *s, struct err *e)
{
	char path[PATH_MAX];
	struct buf b = {0};
	int rc;

	if (spool_file(path, s->dir, "session.json", e) < 0)
		return -1;
	jsonw_object(&b, NULL);
	jsonw_str(&b, "session", s->session);
	jsonw_str(&b, "url", s->url);
	jsonw_int(&b, "sequence", s->synced_sequence);
	jsonw_int(&b, "number", s->synced.number);
	jsonw_line(&b);
	rc = file_replace(path, b.data, b.len, e);
	if (rc == 0)
		s->session_new = false;
	buf_release(&b);
	return rc;
}

int
spool_session_load(struct spool *s, int64_t *number, struct err *e)
{
	struct buf b = {.limit = FILE_MAX};
	struct json *root = NULL;
	char path[PATH_MAX];
	struct err why;
	int rc = 0;

	*number = 0;
	if (spool_file(path, s->dir, "session.json", e) < 0)
		return -1;
	if (access(path, F_OK) < 0)
		return 0;
	rc = file_read(&b, path, e);
	/* Half a file only costs a session: identify. */
	if (rc == 0 && json_object(&root, b.data, b.len, &why) == 0 &&
	    json_string(root, "session") && json_string(root, "url")) {
		s->session = mem_dup(json_string(root, "session"));
		s->url = mem_dup(json_string(root, "url"));
		s->sequence = json_int(root, "sequence", 0);
		s->synced_sequence = s->sequence;
		*number = json_int(root, "number", 0);
	}
	json_free(root);
	buf_release(&b);
	return rc;
}
