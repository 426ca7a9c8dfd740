/* Links of messages, as models and people write them. */
#include <stdlib.h>

#include "core/buf.h"
#include "core/mem.h"
#include "guild/change.h"
#include "guild/link.h"
#include "tap.h"

#define AT "https://discord.com/channels/"

static const struct {
	const char *text;
	uint64_t channel, message;
} cases[] = {
    {AT "1/22/333", 22, 333},
    {AT "@me/22/333", 22, 333},
    {"https://canary.discord.com/channels/1/22/333", 22, 333},
    {"333", 0, 333},
    {"22/333", 22, 333},
    {"/333", 0, 333},
    {AT "1/x/333", 0, 333},
    {AT "1/22/", 22, 0},
    {AT "1/22/333/", 333, 0},
    {AT "1/22/333?x=1", 22, 0},
    {AT "1/22/-333", 22, 0},
    {AT "1/22/ 333", 22, 0},
    {AT "1/22/99999999999999999999", 22, 0},
    {AT "1/22/999999999999999999999999999999", 22, 0},
    {AT "1/0/333", 0, 333},
    {"<#333>", 0, 0},
    {"//", 0, 0},
    {"", 0, 0},
    {NULL, 0, 0},
};

static void
read_all(void)
{
	bool right = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct link l;

		link_read(&l, cases[i].text);
		if (l.channel == cases[i].channel &&
		    l.message == cases[i].message)
			continue;
		printf("# %s: %llu %llu\n",
		    cases[i].text ? cases[i].text : "(none)",
		    (unsigned long long)l.channel,
		    (unsigned long long)l.message);
		right = false;
	}
	ok(right, "links and ids are read, and nothing else is");
}

/* Each beginning of one, in memory of just that length. */
static void
read_cut(void)
{
	static const char whole[] = AT "1099511627776/2199023255552/"
				       "3298534883328";
	bool right = true;

	for (size_t n = 0; n < sizeof(whole); n++) {
		char *cut = mem_dupn(whole, n);
		struct link l;

		link_read(&l, cut);
		right = right && l.message <= UINT64_C(3298534883328);
		free(cut);
	}
	ok(right, "what is cut off anywhere does no harm");
}

static void
write_one(void)
{
	struct buf b = {0};

	link_write(&b, 1, 22, 333);
	same(buf_text(&b), AT "1/22/333", "a link of a server");
	buf_clear(&b);
	link_write(&b, 0, 22, 333);
	same(buf_text(&b), AT "@me/22/333", "a link of direct messages");
	buf_release(&b);
}

static void
texts(void)
{
	ok(change_count(" \n\u00a0ab c\u3000\t") == 4,
	    "white space at the ends is not counted");
	ok(change_count("\u00fc\U0001f600\xff") == 3,
	    "characters are, not bytes");
	ok(change_count(" \t ") == 0 && change_count("") == 0,
	    "nothing is nothing");
	ok(change_alike(" a b\n", "a b"),
	    "Discord's trimming makes no other text");
	ok(!change_alike("a  b", "a b") && !change_alike("a", "a\u0301") &&
		!change_alike("ab", "a"),
	    "anything else does");
}

int
main(void)
{
	read_all();
	read_cut();
	write_one();
	texts();
	return tap_done();
}
