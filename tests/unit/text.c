/*
 * text: what becomes of words in many languages, and that both roads to a
 * token (with ICU and without) end at the same place.
 */

#include <stdint.h>
#include <stdlib.h>

#include "core/buf.h"
#include "ext/text.h"
#include "oracle.h"
#include "tap.h"

static struct text *t;
static struct buf out;
static struct err e;

static const struct {
	const char *lang, *text, *tokens;
} cases[] = {
    {"", "", ""},
    {"", "  \t\n ?! ... -- '' \"\" \\", ""},
    {"", "The cats sat, running happily.", "the cat sat run happili"},
    {"", "Café CAFE cafe\xcc\x81 ｃａｆé 𝓬𝓪𝓯é", "cafe cafe cafe cafe cafe"},
    {"", "STRASSE straße Straße", "strass strass strass"},
    {"", "Ærø Łódź Đorđe İstanbul ısı", "aero lodz dord istanbul isi"},
    {"", "foo_bar a__b __init__ _it_", "foo_bar foo bar a__b init it"},
    {"", "v1.2 1.2.3 192.168.1.10 3.14",
	"v1.2 1.2.3 192.168.1.10 192 168 3.14"},
    {"", "foo.tar.gz node.js e.g. end.",
	"foo.tar.gz foo tar gz node.js node js "
	"e.g end"},
    {"", "C++ c# F# g++ notepad++ c++17 c#5",
	"c++ c# f# g++ notepad++ notepad "
	"c++ 17 c #5 5"},
    {"", "#123 #general issue#12 ada#1234 #",
	"#123 123 gener issu #12 12 ada "
	"#1234 1234"},
    {"", "gpt-4 utf-8 well-known 12:30 2024-05-01 a:b",
	"gpt-4 gpt utf-8 utf well known 12:30 2024-05-01 2024 a b"},
    {"", "AT&T and/or std::vector --dry-run x=1",
	"at&t at and or std vector "
	"dry run x 1"},
    {"", "ada.b@example.org", "ada.b@example.org ada exampl org"},
    {"", "we'll Ada's they've don't can’t isn't", "we ada thei dont cant isnt"},
    {"", "l’eau d'accord rock'n'roll o'brien 'quoted'",
	"l eau d accord rock n roll o brien quot"},
    {"", "<@123> <@!123> <@&123> <#123>", "123 123 123 123"},
    {"", "<:party_parrot:1> <a:wave:2> :wave:",
	"party_parrot parti parrot "
	"wave wave"},
    {"", "<t:1700000000:R> <t:-5> </remind me:99> <id:guide>",
	"remind me id guid"},
    {"", "<@12 <:a:> <:b:1 <t:x> <a:1> <", "12 a b 1 t x a 1"},
    {"",
	"https://www.Example.org/Foo-Bar/1?v=dQw4&h=0123456789abcdef0123456789"
	"abcdef0#z%20y)",
	"example.org exampl org foo bar 1 v dqw4 h z y"},
    {"", "(<http://a.example/b_c>) www.sophia.org HTTPS://B.C",
	"a.example exampl b_c sophia.org sophia org b.c"},
    {"", "https:// http:/a www.", "http a www"},
    {"", "👍🏽 👍 ❤️ ❤ 😂😂😂 hi😂", "👍 👍 ❤ ❤ 😂 hi 😂"},
    {"", "👨‍👩‍👧 🇧🇷🇵🇹 🇧 1️⃣", "👨 👩 👧 🇧🇷 🇵🇹 🇧 1"},
    {"", "東京に行きました。日本語のﾃｷｽﾄ",
	"東京 に 行き ま した 日本語 の テキスト"},
    {"ja", "Pythonで書いたbots", "python で 書 い た bot"},
    {"zh", "我们今天去北京大学学习中文", "我们 今天 去 北京 大学 学习 中文"},
    {"th", "วันนี้อากาศดีมาก", "วัน นี้ อากาศ ดี มาก"},
    {"th", "กา\xe2\x80\x8bแฟ", "กา แฟ"},
    {"ko", "안녕하세요 학교에서", "안녕하세요 학교에서"},
    {"", "नमस्ते दुनिया", "नमस्ते दुनिया"},
    {"", "שָׁלוֹם עולם", "שלום עולם"},
    {"", "مُحَمَّد أحمد مدرسة مـدرسه", "محمد احمد مدرسه مدرسه"},
    {"", "Ёлка елка важнейшие чай", "елк елк важн ча"},
    {"", "Ποιος ποιός", "ποιοσ ποιοσ"},
    {"pt", "programação programacao programações", "program program program"},
    {"pt-BR", "configuração você voce não nao", "configur voc voc nao nao"},
    {"es", "canción cancion canciones", "cancion cancion cancion"},
    {"fr", "développée developpee", "developp developp"},
    {"de", "Häuser hauser größer", "haus haus gross"},
    {"it", "messaggi messaggio", "messagg messagg"},
    {"nl", "vragen mogelijkheden", "vrag mogelijk"},
    {"ru", "running важнейшие", "run важн"},
    {"xx", "running", "run"},
    {"",
	"a\xff\xfe\xe6\x9d"
	"b",
	"a b"},
    {"", "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", ""},
    {"",
	"x\xe2\x80\x8b"
	"y zero\xe2\x81\xa0width so\xc2\xad"
	"ft",
	"x y zerowidth "
	"soft"},
    {"", "\xef\xb7\xba", "صلي الله عليه وسلم"},
};

static const char *
tokens(const char *text, size_t len, const char *lang)
{
	int count;
	size_t i, spaces = 0;

	buf_clear(&out);
	count = text_tokens(t, &out, text, len, lang, &e);
	for (i = 0; i < out.len; i++)
		spaces += out.data[i] == ' ';
	if (count < 0 || (size_t)count != (out.len ? spaces + 1 : 0))
		return "(a wrong count)";
	return buf_text(&out);
}

/* Whether each token may go into the index. */
static bool
all_legal(const char *s)
{
	size_t len;

	for (; *s; s += len + (s[len] == ' ')) {
		len = strcspn(s, " ");
		if (len < 1 || len > 64 || !oracle_utf8(s, len))
			return false;
		for (size_t i = 0; i < len; i++)
			if ((unsigned char)s[i] < ' ' || s[i] == 0x7f ||
			    strchr("\"'`", s[i]) ||
			    (s[i] >= 'A' && s[i] <= 'Z'))
				return false;
	}
	return true;
}

static void
known_answers(void)
{
	bool legal = true, cut = true;
	struct text_size size;
	const char *lang;
	size_t i, n;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = cases[i].text;

		same(tokens(text, strlen(text), cases[i].lang), cases[i].tokens,
		    *text ? text : "nothing");
		for (n = 0; n < strlen(text); n++) {
			char *copy = malloc(n + 1); /* for ASan: no NUL */

			memcpy(copy, text, n);
			copy = realloc(copy, n ? n : 1);
			legal &= all_legal(tokens(copy, n, cases[i].lang));
			cut &= text_fold(t, &out, copy, n, &e) == 0 &&
			       text_measure(t, &size, copy, n, &e) == 0 &&
			       text_language(t, copy, n, &lang, &e) == 0;
			free(copy);
		}
	}
	ok(legal, "cut at any byte, a text has only legal tokens");
	ok(cut, "cut at any byte, a text can be folded, measured and guessed");
}

static uint32_t seed = 1;

static size_t
any(size_t below)
{
	seed = seed * 1664525U + 1013904223U;
	return (seed >> 8) % below;
}

/* ASCII such as chat has, and worse: pieces, signs and letters at random. */
static void
invent(struct buf *text)
{
	static const char *const pieces[] = {"http://", "https://", "www.",
	    "<@", "<@!", "<#", "<:", "<a:", "<t:", "</", ">", ":1>", "'t",
	    "n't", "'s", "'ll", "++", "#", "_", ".", "-", "@", "&", " ", "%2f",
	    "?", "running", "Cats", "v1", "42", "\t", "\n", "easily "};
	size_t n = any(12);

	buf_clear(text);
	while (n--)
		if (any(3))
			buf_str(text,
			    pieces[any(sizeof pieces / sizeof *pieces)]);
		else
			buf_char(text, (char)any(128));
}

/* Tokens of ASCII text with others around it, which calls for ICU. */
static bool
same_with(const char *before, const struct buf *text, const char *after,
    const char *want_before, const char *want_after)
{
	struct buf want = {0}, mixed = {0};
	bool good;

	buf_str(&want, want_before);
	buf_str(&want, tokens(buf_text(text), text->len, ""));
	if (!out.len)
		buf_drop(&want, strlen(want_before) > 0);
	if (*want_after && want.len)
		buf_char(&want, ' ');
	buf_str(&want, want_after);
	buf_str(&mixed, before);
	buf_add(&mixed, buf_text(text), text->len);
	buf_str(&mixed, after);
	good = !strcmp(tokens(mixed.data, mixed.len, ""), buf_text(&want));
	if (!good)
		printf("# got:  %s\n# want: %s\n", buf_text(&out),
		    buf_text(&want));
	buf_release(&want);
	buf_release(&mixed);
	return good;
}

static void
two_roads(void)
{
	struct buf text = {0};
	bool accents = true, words = true, legal = true;
	int i;

	for (i = 0; i < 20000; i++) {
		invent(&text);
		legal &= all_legal(tokens(buf_text(&text), text.len, ""));
		accents &= same_with("", &text, " é", "", "e");
		words &= same_with("", &text, " 東京", "", "東京");
	}
	ok(legal, "invented ASCII text has only legal tokens");
	ok(accents, "ASCII has the same tokens in text that ICU folds");
	ok(words, "ASCII has the same tokens in text that ICU cuts into words");
	buf_release(&text);
}

static void
noise(void)
{
	char bytes[64];
	bool legal = true;
	size_t i, n;
	int k;

	for (k = 0; k < 20000; k++) {
		n = any(sizeof bytes);
		for (i = 0; i < n; i++)
			bytes[i] = (char)any(256);
		legal &= all_legal(tokens(bytes, n, k & 1 ? "pt" : ""));
	}
	ok(legal, "any bytes have only legal tokens");
}

static void
ceilings(void)
{
	struct buf small = {.limit = 9}, text = {0};
	int i;

	ok(text_tokens(t, &small, "one two three", 13, "", &e) == 2 &&
		!strcmp(buf_text(&small), "on two") && small.full,
	    "a full buffer is not written past, and its tokens are counted");
	buf_release(&small);
	for (i = 0; i < 100; i++)
		buf_str(&text, "é東x");
	buf_clear(&text);
	for (i = 0; i < 40; i++)
		buf_str(&text, "ሀ");
	ok(strlen(tokens(text.data, text.len, "")) == 63,
	    "a long token ends where a character does");
	buf_clear(&text);
	for (i = 0; i < 100; i++)
		buf_str(&text, "a_");
	ok(all_legal(tokens(text.data, text.len, "")),
	    "a compound of a hundred parts is cut");
	buf_release(&text);
}

static void
queries(void)
{
	static const struct {
		const char *lang, *text, *tokens;
	} asked[] = {
	    {"", "What's the best way to install it?", "best wai instal"},
	    {"", "who are you", ""},
	    {"", "東京の天気は", "東京 天気"},
	    {"pt", "como configurar o usuário", "configur usuari"},
	    {"en", "как установить die", "установ die"},
	};
	size_t i;

	for (i = 0; i < sizeof asked / sizeof *asked; i++) {
		buf_clear(&out);
		text_query(t, &out, asked[i].text, strlen(asked[i].text),
		    asked[i].lang, &e);
		same(buf_text(&out), asked[i].tokens, asked[i].text);
	}
	ok(text_is_stop(t, "the", 3, "") && !text_is_stop(t, "the", 3, "pt"),
	    "a stop word is one of its own language");
	ok(!text_is_stop(t, "", 0, "") && !text_is_stop(t, "thee", 4, ""),
	    "nothing else is a stop word");
}

static void
names(void)
{
	static const char *const pairs[][2] = {
	    {"  José  da\tSILVA ", "jose da silva"}, {"𝓐𝓵𝓮𝔁", "alex"},
	    {"ＡＤＡ＿１", "ada_1"}, {"ёж й", "еж й"}, {"ŞAHİN", "sahin"},
	    {"it’s", "it's"}, {"", ""}, {"東京", "東京"},
	    {"a\xff"
	     "b",
		"a\xef\xbf\xbd"
		"b"}};
	size_t i;

	for (i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		buf_clear(&out);
		text_fold(t, &out, pairs[i][0], strlen(pairs[i][0]), &e);
		same(buf_text(&out), pairs[i][1], pairs[i][0]);
	}
}

static void
sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes, points, units, graphemes, words, lines;
	} all[] = {
	    {"", 0, 0, 0, 0, 0, 0},
	    {"one two", 7, 7, 7, 7, 2, 1},
	    {"a\nb\r\nc\rd\n", 9, 9, 9, 8, 4, 4},
	    {"e\xcc\x81t\xc3\xa9", 6, 4, 4, 3, 1, 1},
	    {"👨‍👩‍👧", 18, 5, 8, 1, 0, 1},
	    {"🇧🇷🇵🇹", 16, 4, 8, 2, 0, 1},
	    {"東京に行く", 15, 5, 5, 5, 3, 1},
	    {"สวัสดีครับ", 30, 10, 10, 7, 2, 1},
	    {"한국어 각", 13, 5, 5, 5, 2, 1},
	    {"\xff"
	     "a\xe6\x9d",
		4, 3, 3, 3, 1, 1},
	};
	struct text_size s;
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		char got[128], want[128];

		ok(text_measure(t, &s, all[i].text, strlen(all[i].text), &e) ==
			0,
		    "a text can be measured");
		snprintf(got, sizeof got, "%ju %ju %ju %ju %ju %ju",
		    (uintmax_t)s.bytes, (uintmax_t)s.points, (uintmax_t)s.units,
		    (uintmax_t)s.graphemes, (uintmax_t)s.words,
		    (uintmax_t)s.lines);
		snprintf(want, sizeof want, "%ju %ju %ju %ju %ju %ju",
		    (uintmax_t)all[i].bytes, (uintmax_t)all[i].points,
		    (uintmax_t)all[i].units, (uintmax_t)all[i].graphemes,
		    (uintmax_t)all[i].words, (uintmax_t)all[i].lines);
		same(got, want, all[i].text);
	}
}

int
main(void)
{
	t = text_open();
	known_answers();
	two_roads();
	noise();
	ceilings();
	queries();
	names();
	sizes();
	ok(text_version() > 0 && text_version() == text_version(),
	    "the version is a number that stays");
	text_close(t);
	text_close(NULL);
	buf_release(&out);
	return tap_done();
}
