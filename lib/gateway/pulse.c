#include "gateway/pulse.h"

#include <limits.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "record/any.h"
#include "record/gateway_status.h"

enum { FILE_MAX = 64 << 10 };

static int
find(char path[PATH_MAX], int shard, struct err *e)
{
	char name[40] = "run/gateway.json";

	if (shard)
		snprintf(name, sizeof(name), "run/gateway.%d.json", shard);
	return home_path(path, name, e);
}

int
pulse_write(const struct gateway_status *x, struct err *e)
{
	char path[PATH_MAX], dir[PATH_MAX];
	struct buf line = {0};
	int result = -1;

	gateway_status_write(&line, x);
	if (find(path, x->shard, e) == 0 && home_path(dir, "run", e) == 0 &&
	    file_mkdirs(dir, e) == 0)
		result = file_publish(path, line.data, line.len, e);
	buf_release(&line);
	return result;
}

bool
pulse_read(struct pulse *p, int shard)
{
	char path[PATH_MAX];
	struct buf line = {.limit = FILE_MAX};
	struct any a = {0};
	struct gateway_status x;
	struct err e = {0};
	bool good = false;

	if (find(path, shard, &e) == 0 && file_read(&line, path, &e) == 0 &&
	    any_read(&a, buf_text(&line), line.len, &e) == 0 &&
	    gateway_status_read(&x, a.root, &e) == 0 && x.at_ms) {
		p->at_ms = x.at_ms;
		p->failed = (int)x.failed;
		p->guilds = x.guilds;
		good = true;
	}
	any_release(&a);
	buf_release(&line);
	return good;
}
