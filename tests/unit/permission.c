/* What a member may do: the rules of Discord's documentation, one by one. */
#include "discord/permission.h"

#include "discord/permits.h"
#include "tap.h"

#define PLAIN (PERMIT_VIEW | PERMIT_HISTORY | PERMIT_SEND | PERMIT_ATTACH)

enum { GUILD = 1, A = 5, B = 6, ME = 20 };

static const uint64_t roles[] = {A, B};

static struct permission
me(uint64_t everyone)
{
	return (struct permission){
	    .guild = GUILD,
	    .user = ME,
	    .everyone = everyone,
	    .roles = roles,
	    .role_count = 2,
	};
}

static uint64_t
in(struct permission p, int64_t kind, struct overwrite a, struct overwrite b)
{
	const struct overwrite o[] = {a, b};

	return permission_at(&p, kind, false, o, 2);
}

static void
counts_overwrites_in_order(void)
{
	struct overwrite none = {.target = 99};
	struct overwrite all = {.target = GUILD, .deny = PERMIT_SEND};
	struct overwrite a = {.target = A, .allow = PERMIT_SEND};
	struct overwrite b = {.target = B, .deny = PERMIT_SEND};
	struct overwrite own = {.target = ME,
	    .member = true,
	    .deny = PERMIT_SEND};
	struct overwrite role = {.target = ME, .deny = PERMIT_SEND};

	ok(in(me(PLAIN), CHANNEL_TEXT, none, none) == PLAIN,
	    "roles give what they give");
	ok(!(in(me(PLAIN), CHANNEL_TEXT, all, none) & PERMIT_SEND),
	    "@everyone can be denied it in a channel");
	ok(in(me(PLAIN), CHANNEL_TEXT, all, a) & PERMIT_SEND,
	    "a role brings it back");
	ok(in(me(PLAIN), CHANNEL_TEXT, b, a) & PERMIT_SEND,
	    "of two roles the one that allows wins, whichever stands first");
	ok(!(in(me(PLAIN), CHANNEL_TEXT, a, own) & PERMIT_SEND),
	    "the member's own comes last");
	ok(in(me(PLAIN), CHANNEL_TEXT, role, none) & PERMIT_SEND,
	    "a role and a user of one id are two");
}

static void
counts_what_goes_together(void)
{
	struct overwrite none = {.target = 99};
	struct overwrite blind = {.target = GUILD, .deny = PERMIT_VIEW};
	struct overwrite mute = {.target = GUILD, .deny = PERMIT_SEND};
	struct permission p = me(
	    PLAIN | PERMIT_EVERYONE | PERMIT_TTS | PERMIT_EMBED);

	ok(in(p, CHANNEL_TEXT, blind, none) == 0,
	    "who can't see a channel can do nothing in it");
	ok(in(p, CHANNEL_TEXT, mute, none) == (PERMIT_VIEW | PERMIT_HISTORY),
	    "who can't send can't mention all, read aloud, attach or embed");
	ok(!(in(p, CHANNEL_PUBLIC_THREAD, none, none) & PERMIT_ATTACH),
	    "in a thread another permission is the one to send");
	p.granted = PERMIT_SEND_IN_THREADS;
	ok(in(p, CHANNEL_PUBLIC_THREAD, mute, none) & PERMIT_ATTACH,
	    "and that of the channel means nothing there");
	ok(in(p, CHANNEL_VOICE, none, none) == (PERMIT_VIEW | PERMIT_HISTORY),
	    "who can't connect can but look at a voice channel");
	p.timed_out = true;
	ok(in(p, CHANNEL_TEXT, none, none) == (PERMIT_VIEW | PERMIT_HISTORY),
	    "a time-out leaves seeing and reading");
	p.owner = true;
	ok(in(p, CHANNEL_TEXT, blind, mute) == UINT64_MAX,
	    "nothing is taken from the owner");
	p.owner = false;
	p.granted = PERMIT_ADMINISTRATOR;
	ok(in(p, CHANNEL_TEXT, blind, mute) == UINT64_MAX,
	    "nor from an administrator");
}

static void
knows_private_threads(void)
{
	struct permission p = me(PLAIN);

	ok(permission_at(&p, CHANNEL_PRIVATE_THREAD, false, NULL, 0) == 0,
	    "a private thread is closed to others");
	ok(permission_at(&p, CHANNEL_PRIVATE_THREAD, true, NULL, 0) &
		PERMIT_VIEW,
	    "and open to who is in it");
	p.granted = PERMIT_MANAGE_THREADS;
	ok(permission_at(&p, CHANNEL_PRIVATE_THREAD, false, NULL, 0) &
		PERMIT_VIEW,
	    "or who manages threads");
	p.timed_out = true;
	ok(permission_at(&p, CHANNEL_PRIVATE_THREAD, false, NULL, 0) == 0,
	    "unless they are timed out");
	ok(permission_at(&p, CHANNEL_PRIVATE_THREAD, true, NULL, 0) ==
		(PERMIT_VIEW | PERMIT_HISTORY),
	    "which takes nothing from who is in it but to speak");
}

int
main(void)
{
	counts_overwrites_in_order();
	counts_what_goes_together();
	knows_private_threads();
	same(permit_name(10), "VIEW_CHANNEL", "permissions have names");
	ok(!permit_name(47) && !permit_name(PERMITS) && !permit_name(-1),
	    "but not all bits have one");
	return tap_done();
}
