/* Bytes as text and back: the vectors of RFC 4648, section 10; and what is none. */
#include "core/base64.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "tap.h"

static const char *const vectors[][2] = {
    {"", ""},
    {"f", "Zg=="},
    {"fo", "Zm8="},
    {"foo", "Zm9v"},
    {"foob", "Zm9vYg=="},
    {"fooba", "Zm9vYmE="},
    {"foobar", "Zm9vYmFy"},
};

static void
test_vectors(void)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		struct buf there = {0}, back = {0};

		base64_add(&there, vectors[i][0], strlen(vectors[i][0]));
		same(buf_text(&there), vectors[i][1], vectors[i][1]);
		ok(base64_read(&back, buf_text(&there), there.len) == 0, "and");
		same(buf_text(&back), vectors[i][0], "back");
		buf_release(&there);
		buf_release(&back);
	}
}

static void
test_any_bytes(void)
{
	unsigned char bytes[256];
	bool good = true;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 167);
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		struct buf there = {0}, back = {0};

		base64_add(&there, bytes, len);
		good = good &&
		       base64_read(&back, buf_text(&there), there.len) == 0 &&
		       back.len == len &&
		       (!len || memcmp(back.data, bytes, len) == 0);
		buf_release(&there);
		buf_release(&back);
	}
	ok(good, "any bytes of any length come back");
}

static void
test_wrong(void)
{
	static const char *const wrong[] = {"Z", "Zg",
	    "Zg=", "Zg===", "====", "=g==", "Zg=v", "Zm9v\n", "Zm 9", "Zm-_",
	    "Zh==", "Zm9=", "Zg==Zg==", "Zm9v====", "Z===", "\xc3\xbcgg"};
	bool good = true;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct buf b = {0};

		if (base64_read(&b, wrong[i], strlen(wrong[i])) == 0) {
			printf("# %s\n", wrong[i]);
			good = false;
		}
		buf_release(&b);
	}
	ok(good, "what is none is refused");
}

int
main(void)
{
	test_vectors();
	test_any_bytes();
	test_wrong();
	return tap_done();
}
