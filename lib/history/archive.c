#include "history/archive.h"

#include <string.h>

#include "core/err.h"
#include "discord/export.h"
#include "discord/raw.h"
#include "ext/json.h"

enum { RECORD_MOST = 1000000 }; /* bytes: leaves room for names in 1 MiB */

bool
archive_format_read(enum archive_format *format, const char *word)
{
	static const char *const words[] = {
	    [ARCHIVE_ANY] = "any",
	    [ARCHIVE_EXPORT] = "export",
	    [ARCHIVE_DISCORD] = "discord",
	    [ARCHIVE_RECORDS] = "records",
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i], word) == 0) {
			*format = i;
			return true;
		}
	return false;
}

int
archive_head(struct archive *a, const char *text, size_t len, struct err *e)
{
	message_clear(&a->head);
	if (json_object(&a->head.line, text, len, e) < 0)
		return -1;
	return export_read_head(&a->head, a->head.line, e);
}

void
archive_release(struct archive *a)
{
	message_release(&a->head);
	json_reader_close(a->reader);
	a->reader = NULL;
}

static bool
wanted(const struct archive *a, enum archive_format format)
{
	return a->format == ARCHIVE_ANY || a->format == format;
}

static int
read_any(struct archive *a, enum split_kind kind, const struct json *v,
    struct message *m, struct err *e)
{
	const char *type = json_string(v, "type");

	if (kind == SPLIT_MESSAGE && a->head.channel.id &&
	    wanted(a, ARCHIVE_EXPORT))
		return export_read(m, &a->head, v, e) < 0 ? -1 : 1;
	if (raw_is(v) && wanted(a, ARCHIVE_DISCORD))
		return raw_read(m, v, e) < 0 ? -1 : 1;
	if (type && wanted(a, ARCHIVE_RECORDS)) {
		if (strcmp(type, "message") != 0)
			return 0;
		return message_read_json(m, v, e) < 0 ? -1 : 1;
	}
	return err_set(e, ERR_INPUT, "not a message");
}

int
archive_read(struct archive *a, enum split_kind kind, const char *text,
    size_t len, struct message *m, struct err *e)
{
	const struct json *root;
	int got;

	if (!a->reader)
		a->reader = json_reader_open();
	if (json_reader_object(a->reader, &root, text, len, e) < 0)
		return -1;
	got = read_any(a, kind, root, m, e);
	if (got > 0 && m->text_len + m->more.len > RECORD_MOST)
		return err_set(e, ERR_INPUT, "longer than a record may be");
	if (got > 0 && !m->guild.id)
		m->guild.id = a->guild;
	return got;
}
