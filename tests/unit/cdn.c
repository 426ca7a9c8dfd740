#include "discord/cdn.h"

#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "tap.h"

static const char real[] = "https://discord.com/api/v10";
static const char local[] = "http://127.0.0.1:4080/api/v10";
static const char other[] = "https://gate.example/api/v10";

#define SIGNED "?ex=65f0&is=65ef&hm=abc&"

static const struct {
	const char *says, *url;
} good[] = {
    {"a signed attachment",
	"https://cdn.discordapp.com/attachments/1/2/a.png" SIGNED},
    {"one without a signature",
	"https://cdn.discordapp.com/attachments/1/2/a.png"},
    {"the media proxy",
	"https://media.discordapp.net/attachments/1/2/a.png" SIGNED},
    {"what only one person sees",
	"https://cdn.discordapp.com/ephemeral-attachments/1/2/a.png" SIGNED},
    {"an escaped letter in the name",
	"https://cdn.discordapp.com/attachments/1/2/a%20b.png"},
    {"dots within a name",
	"https://cdn.discordapp.com/attachments/1/2/..a..png"},
};

static const struct {
	const char *says, *url;
} bad[] = {
    {"nothing", ""},
    {"no address", "a.png"},
    {"http", "http://cdn.discordapp.com/attachments/1/2/a.png"},
    {"ftp", "ftp://cdn.discordapp.com/attachments/1/2/a.png"},
    {"a file", "file:///etc/passwd"},
    {"data", "data:text/plain,attachments"},
    {"no scheme", "//cdn.discordapp.com/attachments/1/2/a.png"},
    {"an upper-case scheme",
	"HTTPS://cdn.discordapp.com/attachments/1/2/a.png"},
    {"an upper-case host", "https://CDN.discordapp.com/attachments/1/2/a.png"},
    {"a dot after the host",
	"https://cdn.discordapp.com./attachments/1/2/a.png"},
    {"the usual port", "https://cdn.discordapp.com:443/attachments/1/2/a"},
    {"another port", "https://cdn.discordapp.com:8443/attachments/1/2/a"},
    {"an empty port", "https://cdn.discordapp.com:/attachments/1/2/a"},
    {"a user", "https://ann@cdn.discordapp.com/attachments/1/2/a"},
    {"a user that looks like the host",
	"https://cdn.discordapp.com@evil.example/attachments/1/2/a"},
    {"a user and a path that look like it",
	"https://cdn.discordapp.com:a@evil.example/attachments/1/2/a"},
    {"a user that holds the path",
	"https://cdn.discordapp.com/attachments/@evil.example/a"},
    {"the host as a name below another",
	"https://cdn.discordapp.com.evil.example/attachments/1/2/a"},
    {"the host at the end of another",
	"https://evil-cdn.discordapp.com/attachments/1/2/a"},
    {"the host without its dot", "https://cdndiscordapp.com/attachments/1/2/a"},
    {"another host of Discord's", "https://discord.com/attachments/1/2/a"},
    {"the domain alone", "https://discordapp.com/attachments/1/2/a"},
    {"the other domain", "https://cdn.discordapp.net/attachments/1/2/a"},
    {"a look-alike letter",
	"https://cdn.discordapp.\xd1\x81om/attachments/1/2/a"},
    {"a look-alike in Punycode",
	"https://cdn.xn--discordapp-3jg.com/attachments/1/2/a"},
    {"a full-width dot", "https://cdn.discordapp\xef\xbc\x8e"
			 "com/attachments/1/2/a"},
    {"an escaped host", "https://cdn%2ediscordapp.com/attachments/1/2/a"},
    {"an escaped slash after the host",
	"https://cdn.discordapp.com%2f@evil.example/attachments/1/2/a"},
    {"an IPv4 address", "https://162.159.133.233/attachments/1/2/a"},
    {"this machine", "https://127.0.0.1/attachments/1/2/a"},
    {"this machine, as one number", "https://2130706433/attachments/1/2/a"},
    {"this machine, in IPv6", "https://[::1]/attachments/1/2/a"},
    {"an IPv4 address within IPv6",
	"https://[::ffff:127.0.0.1]/attachments/1/2/a"},
    {"where a cloud tells its secrets",
	"https://169.254.169.254/attachments/1/2/a"},
    {"this machine, by http", "http://127.0.0.1:4080/attachments/1/2/a"},
    {"a backslash for a slash",
	"https://cdn.discordapp.com\\attachments\\1\\2\\a"},
    {"a backslash before a user",
	"https://cdn.discordapp.com\\@evil.example/attachments/1/2/a"},
    {"a fragment", "https://cdn.discordapp.com/attachments/1/2/a#b"},
    {"a fragment for a path", "https://evil.example#/attachments/1/2/a"},
    {"no path", "https://cdn.discordapp.com"},
    {"another folder", "https://cdn.discordapp.com/avatars/1/a.png"},
    {"no file", "https://cdn.discordapp.com/attachments/"},
    {"a way up", "https://cdn.discordapp.com/attachments/../avatars/1"},
    {"an escaped way up",
	"https://cdn.discordapp.com/attachments/1/%2e%2E/%2e./avatars/1"},
    {"a way up at the end", "https://cdn.discordapp.com/attachments/1/.."},
    {"an empty folder", "https://cdn.discordapp.com/attachments//evil/a"},
    {"white space before", " https://cdn.discordapp.com/attachments/1/2/a"},
    {"white space within", "https://cdn.discordapp.com/attachments/1/2/a b"},
    {"a new line", "https://cdn.discordapp.com/attachments/1/2/a\r\nHost: x"},
    {"a control", "https://cdn.discordapp.com/attachments/1/2/\x01"},
    {"a list for curl", "https://cdn.discordapp.com/attachments/{1,2}/3"},
};

static void
test_addresses(void)
{
	struct buf longest = {0};

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ok(cdn_is(good[i].url, real), good[i].says);
		ok(cdn_is(good[i].url, other), "... behind a gate, too");
		ok(!cdn_is(good[i].url, local), "... but not from a test");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ok(!cdn_is(bad[i].url, real), bad[i].says);
		ok(!cdn_is(bad[i].url, other), "... nor behind a gate");
	}
	buf_str(&longest, "https://cdn.discordapp.com/attachments/1/2/");
	while (longest.len < 2048)
		buf_char(&longest, 'a');
	ok(cdn_is(buf_text(&longest), real), "the longest");
	buf_char(&longest, 'a');
	ok(!cdn_is(buf_text(&longest), real), "one that is longer");
	buf_release(&longest);
}

/* A Discord on this machine has its files at its own port, and only there. */
static void
test_local(void)
{
	static const char *const refused[] = {
	    "http://127.0.0.1:408/attachments/1/2/a",
	    "http://127.0.0.1:40800/attachments/1/2/a",
	    "http://127.0.0.1:4081/attachments/1/2/a",
	    "http://127.0.0.1/attachments/1/2/a",
	    "http://127.0.0.1:4080@evil.example/attachments/1/2/a",
	    "http://127.0.0.1:4080.evil.example/attachments/1/2/a",
	    "http://localhost:4080/attachments/1/2/a",
	    "https://127.0.0.1:4080/attachments/1/2/a",
	    "http://evil.example/attachments/1/2/a",
	    "http://127.0.0.1:4080/control",
	    "http://127.0.0.1:4080/attachments/../control",
	};

	ok(cdn_is("http://127.0.0.1:4080/attachments/1/2/a" SIGNED, local),
	    "a file of a Discord on this machine");
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		ok(!cdn_is(refused[i], local), refused[i]);
	ok(!cdn_is("http://127.0.0.1:4080/attachments/1/2/a",
	       "https://127.0.0.1:4080/api/v10"),
	    "by https it is a Discord like any other");
}

static void
test_until(void)
{
#define AT "https://cdn.discordapp.com/attachments/1/2/a"
	ok(cdn_until_ms(AT "?ex=65f0&is=65ef&hm=a&") == 0x65f0 * 1000LL,
	    "the end of a signature");
	ok(cdn_until_ms(AT "?is=1&ex=aBc") == 0xabc * 1000LL,
	    "wherever it stands");
	ok(cdn_until_ms(AT) == 0, "none without a query");
	ok(cdn_until_ms(AT "?ex=&is=1") == 0, "none in an empty one");
	ok(cdn_until_ms(AT "?ex=12g") == 0, "no number");
	ok(cdn_until_ms(AT "?ex=123456789a") == 0, "too long a number");
	ok(cdn_until_ms(AT "?hex=12") == 0, "another's end");
	ok(cdn_until_ms("?") == 0 && cdn_until_ms("") == 0, "hardly anything");
}

/* Whatever it is cut to, it is looked at no further. */
static void
test_cut(void)
{
	static const char url[] = AT SIGNED;

	for (size_t len = 0; len < sizeof(url); len++) {
		char *cut = mem_new(len + 1);

		memcpy(cut, url, len);
		ok(cdn_is(cut, real) ==
			(len >= strlen("https://cdn.discordapp.com/"
				       "attachments/1") &&
			    cut[len - 1] != '/'),
		    "a piece of an address");
		ok(cdn_until_ms(cut) >= 0, "and its end");
		mem_drop(cut);
	}
}

int
main(void)
{
	test_addresses();
	test_local();
	test_until();
	test_cut();
	return tap_done();
}
