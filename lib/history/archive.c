#include "history/archive.h"

#include <string.h>

#include "core/err.h"
#include "discord/export.h"
#include "discord/raw.h"
#include "ext/json.h"

/*
 * Bytes, as JSON: what was said, and all names, titles and roles told with it.
 * The latter are kept once for all messages, so a record may be put together
 * from ten of them that came with ten others: even then it has to be a record.
 */
enum { SAID_MOST = 512 << 10, NAMED_MOST = 45000, LONGEST_ESCAPE = 6 };

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

static size_t
len_of(const char *text)
{
	return text ? strlen(text) : 0;
}

/* At most how long the names that come with it are. */
static size_t
named_at_most(const struct message *m)
{
	const struct message_author *a = &m->author;
	const struct message_channel *c = &m->channel;
	size_t len = len_of(a->name) + len_of(a->discriminator) +
		     len_of(a->nickname) + len_of(a->display) +
		     len_of(a->color) + len_of(c->name) + len_of(c->type) +
		     len_of(c->category) + len_of(c->topic) +
		     len_of(m->guild.name) + len_of(m->guild.icon);

	return len * LONGEST_ESCAPE + m->roles.len;
}

/* Nearly every message is so short that nothing has to be written to see it. */
static int
check_size(const struct message *m, struct err *e)
{
	struct message named = *m;
	struct buf all = {0}, names = {0};
	size_t said = m->text_len * LONGEST_ESCAPE + m->more.len;
	size_t name = named_at_most(m);

	if (said <= SAID_MOST && name <= NAMED_MOST && !m->more.full &&
	    !m->roles.full)
		return 0;
	named.text_len = 0;
	named.more = (struct buf){0};
	message_write(&names, &named);
	message_write(&all, m);
	said = all.len - names.len;
	name = names.len;
	buf_release(&names);
	buf_release(&all);
	if (said > SAID_MOST || m->more.full)
		return err_set(e, ERR_INPUT, "longer than a record may be");
	if (name > NAMED_MOST || m->roles.full)
		return err_set(e, ERR_INPUT,
		    "its names are longer than a record may be");
	return 0;
}

int
archive_read(struct archive *a, enum split_kind kind, const char *text,
    size_t len, struct message *m, struct err *e)
{
	const struct json *root;
	int got;

	if (!a->reader)
		a->reader = json_reader_open();
	m->more.limit = SAID_MOST + 1; /* what is longer need not be made */
	m->roles.limit = NAMED_MOST + 1;
	if (json_reader_object(a->reader, &root, text, len, e) < 0)
		return -1;
	got = read_any(a, kind, root, m, e);
	if (got > 0 && !m->guild.id)
		m->guild.id = a->guild;
	return got > 0 && check_size(m, e) < 0 ? -1 : got;
}
