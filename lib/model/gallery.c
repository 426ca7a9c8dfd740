#include "model/gallery.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/log.h"
#include "core/mem.h"
#include "model/picture.h"
#include "model/profile.h"
#include "record/exhibit.h"
#include "record/request.h"

struct planning {
	const struct profile *profile;
	const struct gallery_source *from;
	const char *without;
	size_t pictures, sounds, bytes; /* taken so far */
};

static bool
is_sound(const struct exhibit *x)
{
	return x->kind == EXHIBIT_AUDIO;
}

static void FORMAT(2, 3) refuse(struct gallery_item *i, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(i->why, sizeof(i->why), fmt, ap);
	va_end(ap);
	buf_release(&i->bytes);
}

/* What is known without a look at it. */
static bool
may_fetch(struct gallery_item *i, const struct planning *p)
{
	const struct exhibit *x = i->exhibit;
	const bool sound = is_sound(x);

	if (p->without)
		refuse(i, "%s", p->without);
	else if (!(p->profile->inputs & (sound ? INPUT_AUDIO : INPUT_IMAGE)))
		refuse(i, "this model takes no %s", sound ? "sound" : "images");
	else if ((sound ? p->sounds : p->pictures) == GALLERY_MOST)
		refuse(i, "only the newest %d are", GALLERY_MOST);
	else if (sound && x->url)
		refuse(i, "sound can't be sent by an address");
	else if (x->blob && !p->from->fetch)
		refuse(i, "there is no store to read it from");
	else
		return true;
	return false;
}

/* For a model. What only we need to know, such as a path, is in the log. */
static const char *
reason(const struct gallery_item *i, const struct err *e)
{
	if (i->bytes.full || e->kind == ERR_REFUSED)
		return "it is too large";
	if (e->kind == ERR_INPUT)
		return "it is not kept any more";
	log_warn("%s of a request: %s", i->exhibit->blob, e->text);
	return "it can't be read";
}

static bool
fetch(struct gallery_item *i, const struct planning *p)
{
	const size_t most = is_sound(i->exhibit) ? GALLERY_SOUND
						 : GALLERY_PICTURE;
	const size_t left = GALLERY_BYTES - p->bytes;
	struct err e = {0};

	if (!left) {
		refuse(i, "there is no room for more");
		return false;
	}
	i->bytes.limit = most < left ? most : left;
	if (p->from->fetch(p->from->ctx, i->exhibit->blob, &i->bytes, &e) < 0)
		refuse(i, "%s", reason(i, &e));
	else if (!i->bytes.len)
		refuse(i, "it is empty");
	else
		return true;
	return false;
}

/* "wav", "mp3" or NULL. A frame of MP3 begins with eleven bits. */
static const char *
sound_format(const char *b, size_t len)
{
	if (len >= 12 && memcmp(b, "RIFF", 4) == 0 &&
	    memcmp(b + 8, "WAVE", 4) == 0)
		return "wav";
	if (len >= 3 && (memcmp(b, "ID3", 3) == 0 ||
			    (b[0] == '\xff' && (b[1] & 0xe6) == 0xe2)))
		return "mp3";
	return NULL;
}

/* Is that what its type calls it? */
static bool
is_format(const char *type, const char *format)
{
	if (strcmp(format, "mp3") == 0)
		return strcmp(type, "audio/mpeg") == 0 ||
		       strcmp(type, "audio/mp3") == 0;
	return strcmp(type, "audio/wav") == 0 ||
	       strcmp(type, "audio/x-wav") == 0;
}

static bool
check_sound(struct gallery_item *i)
{
	i->format = sound_format(i->bytes.data, i->bytes.len);
	if (!i->format)
		refuse(i, "it is neither WAV nor MP3");
	else if (!is_format(i->exhibit->type, i->format))
		refuse(i, "it is %s, and not what it is said to be", i->format);
	else
		return true;
	return false;
}

static bool
check_picture(struct gallery_item *i)
{
	struct picture p;

	if (picture_read(&p, i->bytes.data, i->bytes.len) < 0)
		refuse(i, "it is no PNG, JPEG, GIF or WebP");
	else if (strcmp(p.type, i->exhibit->type) != 0)
		refuse(i, "it is %s, and not what it is said to be", p.type);
	else if (p.width > GALLERY_PIXELS || p.height > GALLERY_PIXELS)
		refuse(i, "it is larger than %d pixels", GALLERY_PIXELS);
	else
		return true;
	return false;
}

static void
take(struct gallery *g, struct gallery_item *i, struct planning *p)
{
	const bool sound = is_sound(i->exhibit);

	if (!may_fetch(i, p))
		return;
	if (i->exhibit->blob &&
	    (!fetch(i, p) || !(sound ? check_sound(i) : check_picture(i))))
		return;
	p->bytes += i->bytes.len;
	*(sound ? &p->sounds : &p->pictures) += 1;
	i->shown = true;
	g->shown++;
}

void
gallery_plan(struct gallery *g, const struct request *r,
    const struct profile *p, const struct gallery_source *from,
    const char *without)
{
	struct planning plan = {p, from, without, 0, 0, 0};
	size_t n = 0;

	*g = (struct gallery){0};
	for (size_t i = 0; i < r->message_count; i++)
		g->count += r->messages[i].media_count;
	if (!g->count)
		return;
	g->items = mem_array(g->count, sizeof(*g->items));
	for (size_t i = 0; i < r->message_count; i++)
		for (size_t k = 0; k < r->messages[i].media_count; k++)
			g->items[n++].exhibit = &r->messages[i].media[k];
	while (n-- > 0)
		take(g, &g->items[n], &plan);
}

struct gallery_item *
gallery_find(struct gallery *g, const struct exhibit *x)
{
	size_t i = 0;

	while (g->items[i].exhibit != x)
		i++;
	return &g->items[i];
}

static int64_t
tokens_of(size_t count, int64_t each)
{
	return (int64_t)(count < GALLERY_MOST ? count : GALLERY_MOST) * each;
}

int64_t
gallery_tokens(size_t pictures, size_t sounds, unsigned inputs)
{
	int64_t tokens = 0;

	if (inputs & INPUT_IMAGE)
		tokens += tokens_of(pictures, GALLERY_PICTURE_TOKENS);
	if (inputs & INPUT_AUDIO)
		tokens += tokens_of(sounds, GALLERY_SOUND_TOKENS);
	return tokens;
}

void
gallery_release(struct gallery *g)
{
	for (size_t i = 0; i < g->count; i++)
		buf_release(&g->items[i].bytes);
	free(g->items);
	*g = (struct gallery){0};
}
