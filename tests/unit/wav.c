/* Sound for a model: what is written is read again, and nothing else is. */
#include "workspace/wav.h"

#include "core/buf.h"
#include "tap.h"

enum { MS = 250 };

static bool
every_cut_refused(const struct buf *b)
{
	for (size_t len = 0; len < WAV_HEAD + 8; len++)
		if (len != b->len && wav_length_ms(b->data, len) >= 0)
			return false;
	return true;
}

int
main(void)
{
	static char samples[MS * WAV_BYTES_MS];
	struct buf b = {0};

	wav_write(&b, samples, sizeof(samples));
	ok(b.len == WAV_HEAD + sizeof(samples), "a head stands before it");
	ok(memcmp(b.data, "RIFF", 4) == 0, "which is that of a WAV file");
	ok(wav_length_ms(b.data, b.len) == MS, "how long it lasts is read");
	ok(every_cut_refused(&b), "a cut one is refused");
	b.data[22] = 2;
	ok(wav_length_ms(b.data, b.len) < 0, "and one in stereo");
	b.data[22] = 1;
	b.data[25] = 0;
	ok(wav_length_ms(b.data, b.len) < 0, "and one at another rate");
	buf_release(&b);
	return tap_done();
}
