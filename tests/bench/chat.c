/*
 * chat - make up a chat export of any size, the same one for the same numbers.
 *
 * usage: chat MESSAGES [SEED] >export.json
 *
 * The shape is DiscordChatExporter's, as it prints it. Words are Zipf's over
 * 40,000, the most frequent ones English; 11 a message on average; 300 authors,
 * Zipf's too; replies, edits, attachments, embeds and reactions as often as in
 * a busy help channel.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 40000, AUTHORS = 300, WORD_LEN = 16 };

static const char *const common[] = {"the", "to", "a", "i", "it", "and", "is",
    "you", "of", "in", "that", "for", "on", "not", "have", "but", "with",
    "this", "my", "be", "if", "do", "are", "can", "so", "what", "or", "just",
    "as", "was", "like", "when", "at", "there", "how", "we", "from", "get",
    "know", "work", "use", "then", "all", "your", "would", "an", "will", "some",
    "try", "time", "now", "about", "up", "because", "they", "more", "which",
    "think", "has", "want", "thanks", "please", "error", "file", "install",
    "here"};

static uint64_t state;
static char words[WORDS][WORD_LEN];
static double word_cdf[WORDS], author_cdf[AUTHORS];
static uint64_t last_id;

static uint64_t
next(void) /* SplitMix64 */
{
	uint64_t x = state += 0x9e3779b97f4a7c15;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

static double
fraction(void)
{
	return (double)(next() >> 11) / 9007199254740992.0;
}

static unsigned
below(unsigned n)
{
	return (unsigned)(next() % n);
}

static void
make_cdf(double *cdf, int n, double power)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		cdf[i] = sum += 1 / pow(i + 1.5, power);
	for (int i = 0; i < n; i++)
		cdf[i] /= sum;
}

static int
pick(const double *cdf, int n)
{
	double x = fraction();
	int low = 0, high = n - 1;

	while (low < high) {
		int mid = (low + high) / 2;

		if (cdf[mid] < x)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void
make_words(void)
{
	static const char consonants[] = "bcdfghklmnprstvw", vowels[] = "aeiou";
	int n = sizeof(common) / sizeof(*common);

	for (int i = 0; i < WORDS; i++) {
		int syllables = 1 + (i > 300) + (i > 4000) + (int)below(2);
		size_t at = 0;

		if (i < n) {
			snprintf(words[i], WORD_LEN, "%s", common[i]);
			continue;
		}
		for (int s = 0; s < syllables; s++) {
			words[i][at++] = consonants[below(16)];
			words[i][at++] = vowels[below(5)];
			if (below(3) == 0)
				words[i][at++] = consonants[below(16)];
		}
	}
}

static void
put_text(int count)
{
	for (int i = 0; i < count; i++)
		printf("%s%s", i ? " " : "", words[pick(word_cdf, WORDS)]);
}

static void
put_author(void)
{
	int who = pick(author_cdf, AUTHORS);

	printf("    \"author\": {\n"
	       "        \"id\": \"%" PRIu64 "\",\n"
	       "        \"name\": \"%s.%d\",\n"
	       "        \"discriminator\": \"0000\",\n"
	       "        \"nickname\": \"%s %d\",\n"
	       "        \"color\": %s,\n"
	       "        \"isBot\": %s,\n"
	       "        \"roles\": [],\n"
	       "        \"avatarUrl\": \"https://cdn.example.org/%d.png\"\n"
	       "      },\n",
	    (uint64_t)(175928847299117063 + who * 7919), words[1000 + who], who,
	    words[2000 + who], who, who % 3 ? "null" : "\"#3498DB\"",
	    who == 7 ? "true" : "false", who);
}

static void
put_list(const char *name, bool some, const char *text)
{
	printf("      \"%s\": [%s],\n", name, some ? text : "");
}

static void
put_time(const char *name, int64_t ms, const char *end)
{
	/* What a clock showed is in the id; readers take it from there. */
	int64_t s = ms / 1000;

	printf("      \"%s\": \"2021-%02d-%02dT%02d:%02d:%02d.%03d+00:00\"%s\n",
	    name, (int)(s / 2592000 % 12) + 1, (int)(s / 86400 % 28) + 1,
	    (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60),
	    (int)(ms % 1000), end);
}

static void
put_message(int64_t n, int64_t *ms)
{
	bool reply = n > 0 && below(100) < 15, edited = below(100) < 4;
	uint64_t id;

	*ms += 1 + (int64_t)(-log(1 - fraction()) * 20000);
	id = (uint64_t)*ms << 22 | (next() & 0xfff);
	printf("%s\n    {\n      \"id\": \"%" PRIu64 "\",\n"
	       "      \"type\": \"%s\",\n",
	    n ? "," : "", id, reply ? "Reply" : "Default");
	put_time("timestamp", *ms, ",");
	if (edited)
		put_time("timestampEdited", *ms + 61000, ",");
	else
		printf("      \"timestampEdited\": null,\n");
	printf("      \"callEndedTimestamp\": null,\n"
	       "      \"isPinned\": %s,\n      \"content\": \"",
	    below(500) ? "false" : "true");
	put_text(1 + (int)(-log(1 - fraction()) * 10.5));
	printf("\",\n  ");
	put_author();
	put_list("attachments", below(100) < 3,
	    "{\"id\": \"910000000000000001\", \"url\": \"https://cdn.example."
	    "org/a/screenshot.png\", \"fileName\": \"screenshot.png\", "
	    "\"fileSizeBytes\": 48213}");
	put_list("embeds", below(100) < 2,
	    "{\"title\": \"A page\", \"url\": \"https://www.example.org/\", "
	    "\"timestamp\": null, \"description\": \"What it is about\", "
	    "\"images\": [], \"fields\": []}");
	put_list("stickers", false, "");
	put_list("reactions", below(100) < 5,
	    "{\"emoji\": {\"id\": \"\", \"name\": \"\xf0\x9f\x91\x8d\", \"code\""
	    ": \"thumbsup\", \"isAnimated\": false, \"imageUrl\": \"\"}, "
	    "\"count\": 2}");
	put_list("mentions", false, "");
	if (reply)
		printf(
		    "      \"reference\": {\n"
		    "        \"messageId\": \"%" PRIu64 "\",\n"
		    "        \"channelId\": \"845000000000000100\",\n"
		    "        \"guildId\": \"845000000000000001\"\n      },\n",
		    last_id);
	printf("      \"inlineEmojis\": []\n    }");
	last_id = id;
}

int
main(int argc, char **argv)
{
	int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 1000;
	int64_t ms = 190000000000; /* since 2015, Discord's epoch */

	state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	make_words();
	make_cdf(word_cdf, WORDS, 1.05);
	make_cdf(author_cdf, AUTHORS, 1.0);
	printf("{\n  \"guild\": {\n    \"id\": \"845000000000000001\",\n"
	       "    \"name\": \"Bench\",\n    \"iconUrl\": \"\"\n  },\n"
	       "  \"channel\": {\n    \"id\": \"845000000000000100\",\n"
	       "    \"type\": \"GuildTextChat\",\n"
	       "    \"categoryId\": \"845000000000000050\",\n"
	       "    \"category\": \"Text\",\n    \"name\": \"bench\",\n"
	       "    \"topic\": null\n  },\n  \"dateRange\": {\n"
	       "    \"after\": null,\n    \"before\": null\n  },\n"
	       "  \"exportedAt\": \"2026-11-01T00:00:00+00:00\",\n"
	       "  \"messages\": [");
	for (int64_t n = 0; n < count; n++)
		put_message(n, &ms);
	printf("\n  ],\n  \"messageCount\": %" PRId64 "\n}\n", count);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
