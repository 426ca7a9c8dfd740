#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/err.h"
#include "tool/fault.h"
#include "tool/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory: read again through /proc, so its name is never a tool's. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct manifest m;
	struct faults f = {0};
	int fd = memfd_create("manifest", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (manifest_examine(&m, path, &f) == 0 || !f.count)
		abort();
	manifest_release(&m);
	manifest_release(&m);
	fault_release(&f);
	close(fd);
	return 0;
}
